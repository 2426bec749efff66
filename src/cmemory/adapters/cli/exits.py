"""How a command ends: the exit codes, and which error ends in which."""

from __future__ import annotations

import enum

from cmemory.domain.errors import CMemoryError, ModelError, StoreError, UsageError


class Exit(enum.IntEnum):
    """The exit codes of every command."""

    OK = 0
    #: Nothing was found, nothing had to be done, or a check failed.
    NOTHING = 1
    #: The command line, or something it names, cannot be used.
    USAGE = 2
    #: The database could not be opened, read or written.
    STORE = 3
    #: The language model gave no usable answer.
    MODEL = 4
    #: Done in part: an import with lines that could not be read, or messages that could not be learned.
    PARTLY = 5
    #: Stopped with Ctrl-C.
    INTERRUPTED = 130


#: What the codes mean, as the reference page tells it.
MEANINGS = {
    Exit.OK: "Done.",
    Exit.NOTHING: "Nothing was found, nothing was done, or a check failed.",
    Exit.USAGE: "The command line, or a file or value it names, cannot be used.",
    Exit.STORE: "The database could not be opened, read or written.",
    Exit.MODEL: "The language model gave no usable answer.",
    Exit.PARTLY: "Done in part: an import with unreadable lines, or messages that could not be learned.",
    Exit.INTERRUPTED: "Interrupted with Ctrl-C.",
}


def exit_of(error: CMemoryError) -> Exit:
    """Return the exit code of an error; a record that is not there counts as not found."""
    match error:
        case StoreError():
            return Exit.STORE
        case ModelError():
            return Exit.MODEL
        case UsageError(field="record_id"):
            return Exit.NOTHING
        case _:
            return Exit.USAGE
