"""The commands, one module each; every module offers a ``COMMAND``."""
