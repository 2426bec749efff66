"""The command line: one module per command under `commands`, all of them calls of the façade.

Data goes to stdout, words go to stderr; `--json` turns the data into one JSON document. Nothing is decided
here.
"""
