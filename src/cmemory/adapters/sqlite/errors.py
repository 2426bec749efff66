"""What SQLite's complaints mean in our words. The only place where the vendor's errors are read.

Messages never hold SQL, parameters or anything a person said.
"""

from __future__ import annotations

import sqlite3

from cmemory.domain.errors import StoreError, UsageError

_BUSY = "another writer kept the database busy too long"
#: What is said of a file that SQLite cannot read, or that holds what this library never wrote.
DAMAGED = (
    "the database is damaged: run cmemory selfcheck, restore a backup (cmemory restore-backup), or save what is "
    "left with the sqlite3 shell's .recover"
)
_READ_ONLY = "the database file or its folder is read-only"

#: How SQLite's message begins, what it means, and whether the same call may succeed later. Texts are
#: compared, since Python 3.10 does not tell the result code; SQLite has kept them for decades.
_MEANINGS: tuple[tuple[str, str, bool], ...] = (
    ("database is locked", _BUSY, True),
    ("database table is locked", _BUSY, True),
    ("database schema is locked", _BUSY, True),
    ("locking protocol", _BUSY, True),
    ("attempt to write a readonly database", _READ_ONLY, False),
    (
        "unable to open database file",
        "the database cannot be opened; may this process write to its folder?",
        False,
    ),
    ("database or disk is full", "the disk is full", False),
    ("disk I/O error", "the disk cannot be read or written, or is full", False),
    ("database disk image is malformed", DAMAGED, False),
    ("malformed database schema", DAMAGED, False),
    ("malformed inverted index", DAMAGED, False),
    ("Could not decode to UTF-8", DAMAGED, False),
    ("no such table", DAMAGED, False),
    ("no such column", DAMAGED, False),
    ("no such index", DAMAGED, False),
    ("unsupported file format", DAMAGED, False),
    ("malformed JSON", DAMAGED, False),
    ("file is not a database", "the file is no SQLite database; " + DAMAGED, False),
)


def store_error(action: str, error: sqlite3.Error) -> StoreError:
    """Return what a complaint of SQLite means.

    Args:
        action: what was being done, such as ``write``.
        error: what SQLite raised.
    """
    said = str(error)
    for beginning, problem, retryable in _MEANINGS:
        if said.startswith(beginning):
            return StoreError(action=action, problem=problem, retryable=retryable)
    return StoreError(action=action, problem=f"SQLite failed with {type(error).__name__}")


class readable:  # noqa: N801 - used as a function
    """Turns what goes wrong while stored columns become values inside the block into a `StoreError`.

    Somebody else wrote into the rows, or the medium changed them.
    """

    __slots__ = ()

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, _MISREAD):
            raise StoreError(action="read", problem=DAMAGED) from error


class translated:  # noqa: N801 - used as a function
    """Turns what SQLite raises inside the block into a `StoreError`; no generator, as every statement passes here."""

    __slots__ = ("_action",)

    def __init__(self, action: str) -> None:
        self._action = action

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if error is None:
            return
        if isinstance(error, sqlite3.Error):
            raise store_error(self._action, error) from error
        if isinstance(error, (OverflowError, ValueError)):
            raise StoreError(
                action=self._action, problem="a number is out of range or a text holds a lone surrogate"
            ) from error


#: What is raised by columns that are not as they were written.
_MISREAD = (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError, UsageError)
