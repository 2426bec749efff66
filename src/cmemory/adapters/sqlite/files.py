"""The files of a database, as bytes.

POSIX drops *all* locks a process holds on a file as soon as the process closes *any* descriptor of that file,
also SQLite's locks. So the one descriptor through which we read the main file stays open until the last store
of the process on that file has closed its connections. The ``-wal`` file carries no locks and may be opened
freely. The ``-shm`` file carries locks and holds page numbers and checksums only, never a text, so it is not
read at all.
"""

from __future__ import annotations

import os
import stat
import threading
from collections.abc import Iterator

import attrs

from cmemory.domain.errors import StoreError

#: Bytes read at a time while scanning.
_CHUNK_BYTES = 1 << 20

#: For the owner alone: memory is private, whatever the umask says.
_MODE = 0o600


@attrs.define
class _Descriptor:
    number: int
    users: int = 0


_descriptors: dict[tuple[int, int], _Descriptor] = {}
_guard = threading.Lock()


class DatabaseFile:
    """One database file: made when missing, readable as raw bytes, let go with `release`."""

    def __init__(self, path: str) -> None:
        #: Absolute, links resolved: SQLite names the side files after the same path.
        self.path = os.path.realpath(path)
        with _guard:
            self._key, self._descriptor = _acquire(self.path)

    def release(self) -> None:
        """Let go of the file; called once, after every connection of this store is closed."""
        with _guard:
            self._descriptor.users -= 1
            if self._descriptor.users == 0:
                del _descriptors[self._key]
                os.close(self._descriptor.number)

    def existing(self) -> tuple[str, ...]:
        """Return the paths of the files that are there, the main file first."""
        return tuple(name for name in (self.path, self.wal, f"{self.path}-shm") if os.path.exists(name))

    def in_place(self) -> bool:
        """Tell whether the path still names this file, which nobody has replaced meanwhile."""
        try:
            found = os.stat(self.path)
        except FileNotFoundError:
            return False
        return (found.st_dev, found.st_ino) == self._key

    def log_bytes(self) -> int:
        """Return the length of the write-ahead log."""
        try:
            return os.path.getsize(self.wal)
        except FileNotFoundError:
            return 0

    @property
    def wal(self) -> str:
        """The path of the write-ahead log."""
        return f"{self.path}-wal"

    def holds(self, needle: bytes) -> bool:
        """Tell whether the bytes stand anywhere in the main file or in the log."""
        with _guard:
            if _found(needle, _chunks(self._descriptor.number)):
                return True
        try:
            log = os.open(self.wal, os.O_RDONLY | _BINARY)
        except FileNotFoundError:
            return False
        try:
            return _found(needle, _chunks(log))
        finally:
            os.close(log)


#: Windows would otherwise translate line ends.
_BINARY = getattr(os, "O_BINARY", 0)


def _acquire(path: str) -> tuple[tuple[int, int], _Descriptor]:
    try:
        created = _create(path)
        found = os.stat(path)
        key = (found.st_dev, found.st_ino)
        if not stat.S_ISREG(found.st_mode):
            raise StoreError(action="open", problem="the path names no regular file")
        if created is not None:
            _descriptors[key] = _Descriptor(created)
        elif key not in _descriptors:
            _descriptors[key] = _Descriptor(os.open(path, os.O_RDONLY | _BINARY))
    except FileNotFoundError as error:
        raise StoreError(action="open", problem="the folder of the database does not exist") from error
    except OSError as error:
        raise StoreError(
            action="open", problem=f"the file cannot be opened ({os.strerror(error.errno or 0)})"
        ) from error
    _descriptors[key].users += 1
    return key, _descriptors[key]


def _create(path: str) -> int | None:
    """Make an empty file and return its descriptor; None when it is there already."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | _BINARY, _MODE)
    except FileExistsError:
        return None
    if hasattr(os, "fchmod"):
        os.fchmod(descriptor, _MODE)
    return descriptor


def _chunks(descriptor: int) -> Iterator[bytes]:
    os.lseek(descriptor, 0, os.SEEK_SET)
    while chunk := os.read(descriptor, _CHUNK_BYTES):
        yield chunk


def _found(needle: bytes, chunks: Iterator[bytes]) -> bool:
    """Search a stream, also across the seams of its chunks."""
    seam = b""
    for chunk in chunks:
        window = seam + chunk
        if needle in window:
            return True
        seam = window[-len(needle) + 1 :] if len(needle) > 1 else b""
    return False
