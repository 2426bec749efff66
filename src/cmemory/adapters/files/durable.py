"""Bytes that outlast the process and the power: the system calls for that, and what their failures mean."""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from cmemory.domain.errors import StoreError

try:
    import fcntl
except (
    ImportError
):  # pragma: no cover - Windows has none; there only the threads of one process are kept apart.
    fcntl = None  # type: ignore[assignment]

#: For the owner alone: what people say is private, whatever the umask says.
_MODE = 0o600

#: Windows would otherwise translate line ends.
_BINARY = getattr(os, "O_BINARY", 0)

#: Seconds to wait for another process, and between two looks.
_PATIENCE_SECONDS = 5.0
_PAUSE_SECONDS = 0.005

_FULL = frozenset({errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)})
_DENIED = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})


@contextmanager
def translated(action: str) -> Iterator[None]:
    """Turn what the system raises inside the block into a `StoreError` that names no path and no text."""
    try:
        yield
    except OSError as error:
        raise StoreError(action=action, problem=_meaning(error)) from error


def _meaning(error: OSError) -> str:
    if error.errno in _FULL:
        return "the disk is full"
    if error.errno in _DENIED:
        return "the file or its folder may not be written to"
    if error.errno == errno.EISDIR:
        return "the path names no regular file"
    if error.errno == errno.ENOENT:
        return "the folder of the file does not exist"
    return f"the file cannot be read or written ({os.strerror(error.errno or 0)})"


def open_appending(path: Path) -> int:
    """Open a file for reading and appending, making it durably for its owner alone when it is not there.

    Raises:
        OSError: it cannot be opened, or is no regular file.
    """
    # Without O_NONBLOCK, a named pipe would be waited for.
    flags = os.O_RDWR | os.O_APPEND | _BINARY | getattr(os, "O_NONBLOCK", 0)
    try:
        descriptor = os.open(path, flags | os.O_CREAT | os.O_EXCL, _MODE)
    except FileExistsError:
        descriptor = os.open(path, flags)
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise OSError(errno.EISDIR, os.strerror(errno.EISDIR)) from None
        return descriptor
    _restrict(descriptor)
    settle_folder(path.parent)
    return descriptor


def append(descriptor: int, data: bytes) -> None:
    """Add bytes at the end, all of them or none, and see them onto the medium.

    Raises:
        OSError: they do not fit; what was there is there unchanged.
    """
    size = os.fstat(descriptor).st_size
    try:
        _write_all(descriptor, (data,))
        os.fsync(descriptor)
    except OSError:
        with suppress(OSError):
            os.ftruncate(descriptor, size)
        raise


def replace(path: Path, draft: Path, parts: Iterable[bytes]) -> None:
    """Give a file new content at one stroke: whoever opens it finds the old or the new one, whole.

    Args:
        path: the file.
        draft: where the content is prepared, in the same folder; it must not exist.
        parts: the content.

    Raises:
        OSError: it does not fit, or the folder may not be written to; the old content stands.
    """
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, _MODE)
        try:
            _restrict(descriptor)
            _write_all(descriptor, parts)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        os.replace(draft, path)
    except OSError:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        raise
    settle_folder(path.parent)


def settle_folder(folder: Path) -> None:
    """Make the new name of a file durable, where the system can do that for a folder."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def locked(path: Path, *, action: str) -> Iterator[None]:
    """Keep other users of this lock out during the block, other processes too where the system can do that.

    Raises:
        StoreError: somebody else kept it too long (retryable), or it cannot be made.
    """
    with translated(action):
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | _BINARY, _MODE)
    try:
        with translated(action):
            if stat.S_IMODE(os.fstat(descriptor).st_mode) != _MODE:
                _restrict(descriptor)
            _acquire(descriptor, action)
        yield
    finally:
        os.close(descriptor)


def _acquire(descriptor: int, action: str) -> None:
    if fcntl is None:  # pragma: no cover - see above
        return
    last = time.monotonic() + _PATIENCE_SECONDS
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() > last:
                raise StoreError(
                    action=action, problem="another process kept the journal busy too long", retryable=True
                ) from None
        time.sleep(_PAUSE_SECONDS)


def _write_all(descriptor: int, parts: Iterable[bytes]) -> None:
    for part in parts:
        rest = memoryview(part)
        while rest:
            rest = rest[os.write(descriptor, rest) :]


def _restrict(descriptor: int) -> None:
    if hasattr(os, "fchmod"):
        os.fchmod(descriptor, _MODE)
