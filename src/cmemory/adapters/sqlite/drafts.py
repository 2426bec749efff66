"""Files that take their place whole or not at all: written beside it under another name, and moved there at the end."""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from cmemory.adapters.sqlite import cleaning
from cmemory.adapters.sqlite.connection import connect
from cmemory.adapters.sqlite.errors import translated
from cmemory.domain.errors import StoreError

#: For the owner alone, whatever the umask says.
_MODE = 0o600

#: What SQLite may leave beside a database.
SIDE_FILES = ("-wal", "-shm", "-journal")

#: How long to wait for others while a draft is made; nobody else knows of it.
_BUSY_TIMEOUT_MS = 5000


@contextmanager
def draft_beside(path: str, *, action: str) -> Iterator[str]:
    """Make an empty file beside the path for its owner alone, and take it away unless it was moved.

    What a process that was killed left behind is taken away first: it holds what the database held.

    Raises:
        StoreError: the folder does not exist or cannot be written to.
    """
    folder, name = os.path.split(os.path.abspath(path))
    draft = os.path.join(folder, f".{name}.{os.getpid()}.part")
    with os_errors(action):
        _sweep(folder, name)
        os.close(os.open(draft, os.O_RDWR | os.O_CREAT | os.O_EXCL, _MODE))
    try:
        yield draft
    finally:
        remove(draft)


def copy_into(source: sqlite3.Connection, draft: str, *, action: str) -> None:
    """Copy one state of a database into a draft, as a single file that nothing forgotten is left in.

    Raises:
        StoreError: it cannot be read or written.
    """
    target = connect(draft, busy_timeout_ms=_BUSY_TIMEOUT_MS)
    try:
        with translated(action):
            # In one step: with several, a writer in another process would make it begin anew each time.
            source.backup(target, pages=-1)
            if _is_ours(target) and cleaning.is_marked(target):
                cleaning.clean(target, busy_timeout_ms=_BUSY_TIMEOUT_MS)
    finally:
        target.close()


def single_file(path: str, *, action: str) -> None:
    """Fold the log of a database that nobody has open into its file.

    Raises:
        StoreError: somebody has it open (retryable), or it cannot be written.
    """
    connection = connect(path, busy_timeout_ms=_BUSY_TIMEOUT_MS)
    try:
        with translated(action):
            connection.execute("PRAGMA journal_mode=DELETE").fetchone()
    finally:
        connection.close()


def put_in_place(draft: str, path: str, *, action: str) -> None:
    """Move a draft to its place, durably; what was there is gone with it.

    Raises:
        StoreError: the system refuses; what was there is there still.
    """
    with os_errors(action):
        _sync(draft, os.O_RDWR)
        os.replace(draft, path)
        if hasattr(os, "O_DIRECTORY"):
            _sync(os.path.dirname(os.path.abspath(path)), os.O_RDONLY | os.O_DIRECTORY)


def remove(path: str) -> None:
    """Take a database and its side files away, as far as they are there."""
    for name in (path, *(path + side for side in SIDE_FILES)):
        with suppress(FileNotFoundError):
            os.unlink(name)


@contextmanager
def os_errors(action: str) -> Iterator[None]:
    """Turn what the system raises inside the block into a `StoreError`."""
    try:
        yield
    except FileNotFoundError as error:
        raise StoreError(action=action, problem="the folder of the file does not exist") from error
    except OSError as error:
        raise StoreError(
            action=action, problem=f"the file cannot be written ({os.strerror(error.errno or 0)})"
        ) from error


def _is_ours(connection: sqlite3.Connection) -> bool:
    return connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'meta'").fetchone() is not None


def _sync(path: str, flags: int) -> None:
    descriptor = os.open(path, flags)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _sweep(folder: str, name: str) -> None:
    """Remove the drafts of processes that are no more."""
    drafts = re.compile(re.escape(f".{name}.") + r"([0-9]+)\.part")
    for found in map(drafts.fullmatch, os.listdir(folder)):
        if found is not None and not _runs(int(found.group(1))):
            remove(os.path.join(folder, found.group()))


def _runs(process: int) -> bool:
    # Elsewhere than on POSIX the question would end the process.
    if os.name != "posix":
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return process != os.getpid()
