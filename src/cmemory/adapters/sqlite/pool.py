"""Which connection serves whom.

On disk each view has a connection of its own, and there is one for writing. In memory SQLite knows no
snapshots, so views and units take turns, and a view that is open when its own thread begins to write moves to
a copy.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

from typing_extensions import override

from cmemory.adapters.sqlite.connection import connect, transaction
from cmemory.adapters.sqlite.errors import translated
from cmemory.adapters.sqlite.files import DatabaseFile
from cmemory.adapters.sqlite.view import Lease
from cmemory.domain.errors import StoreError

#: Idle reading connections that are kept; each costs about 100 kB once it has read.
_IDLE_READERS = 4


class Pool(Protocol):
    """Lends connections."""

    def reading(self) -> AbstractContextManager[Lease]:
        """Lend a connection that sees one state until it is given back."""
        ...

    def writing(self, *, wait: bool = True) -> AbstractContextManager[Lease]:
        """Lend the writing connection; nobody else has it meanwhile.

        Args:
            wait: whether to wait for another thread that has it, within bounds.

        Raises:
            StoreError: another thread kept it too long (retryable), or this one has it already.
        """
        ...

    def close(self) -> None:
        """Close what is idle now, and the rest when it comes back."""
        ...


class _Turn:
    """A lock that waits only so long, and refuses a thread that has it already."""

    def __init__(self, wait_ms: int) -> None:
        self._lock = threading.Lock()
        self._wait_seconds = wait_ms / 1000
        self._holder: int | None = None

    @property
    def mine(self) -> bool:
        return self._holder == threading.get_ident()

    @contextmanager
    def taken(self, action: str, *, wait: bool = True) -> Iterator[None]:
        if self.mine:
            raise StoreError(action=action, problem="this thread is inside a unit of this store already")
        if not self._lock.acquire(timeout=self._wait_seconds if wait else 0):
            raise StoreError(
                action=action, problem="another thread kept the store busy too long", retryable=True
            )
        self._holder = threading.get_ident()
        try:
            yield
        finally:
            self._holder = None
            self._lock.release()


class FilePool(Pool):
    """Connections to one file."""

    def __init__(self, file: DatabaseFile, writer: sqlite3.Connection, *, busy_timeout_ms: int) -> None:
        self._file = file
        self._writer = writer
        self._busy_timeout_ms = busy_timeout_ms
        self._turn = _Turn(busy_timeout_ms)
        self._idle: list[sqlite3.Connection] = []
        self._lent = 0
        self._closed = False
        self._guard = threading.Lock()
        self._process = os.getpid()

    @contextmanager
    def reading(self) -> Iterator[Lease]:
        lease = Lease(self._borrow())
        try:
            with transaction(lease.connection, "BEGIN DEFERRED", action="read"):
                yield lease
        finally:
            lease.ended = True
            self._give_back(lease.connection)

    @contextmanager
    def writing(self, *, wait: bool = True) -> Iterator[Lease]:
        with self._turn.taken("write", wait=wait):
            self._check_open("write")
            lease = Lease(self._writer)
            try:
                yield lease
            finally:
                lease.ended = True

    @override
    def close(self) -> None:
        with self._turn.taken("close"), self._guard:
            if self._closed:
                return
            self._closed = True
            for connection in (*self._idle, self._writer):
                connection.close()
            self._idle.clear()
            self._release_when_unused()

    def _borrow(self) -> sqlite3.Connection:
        with self._guard:
            self._check_open("read")
            self._lent += 1
            if self._idle:
                return self._idle.pop()
        try:
            connection = connect(self._file.path, busy_timeout_ms=self._busy_timeout_ms)
        except StoreError:
            with self._guard:
                self._lent -= 1
            raise
        connection.execute("PRAGMA query_only=ON")
        return connection

    def _give_back(self, connection: sqlite3.Connection) -> None:
        with self._guard:
            self._lent -= 1
            if self._closed or len(self._idle) >= _IDLE_READERS:
                connection.close()
            else:
                self._idle.append(connection)
            self._release_when_unused()

    def _release_when_unused(self) -> None:
        if self._closed and self._lent == 0:
            self._file.release()

    def _check_open(self, action: str) -> None:
        if self._closed:
            raise StoreError(action=action, problem="the store is closed")
        if os.getpid() != self._process:
            raise StoreError(
                action=action, problem="the store was opened before a fork: open it in this process"
            )


class MemoryPool(Pool):
    """One connection to a database that lives in this process."""

    def __init__(self, connection: sqlite3.Connection, *, busy_timeout_ms: int) -> None:
        self._connection = connection
        self._turn = threading.RLock()
        self._wait_seconds = busy_timeout_ms / 1000
        self._views: list[Lease] = []
        self._writing = False
        self._closed = False

    @contextmanager
    def reading(self) -> Iterator[Lease]:
        with self._taken("read"):
            lease = Lease(self._connection)
            self._views.append(lease)
            try:
                yield lease
            finally:
                lease.ended = True
                self._views.remove(lease)
                if lease.connection is not self._connection:
                    lease.connection.close()

    @contextmanager
    def writing(self, *, wait: bool = True) -> Iterator[Lease]:
        with self._taken("write", wait=wait):
            self._set_views_aside()
            lease = Lease(self._connection)
            self._writing = True
            try:
                yield lease
            finally:
                self._writing = False
                lease.ended = True

    @override
    def close(self) -> None:
        with self._turn:
            self._closed = True
            self._connection.close()

    @contextmanager
    def _taken(self, action: str, *, wait: bool = True) -> Iterator[None]:
        if not self._turn.acquire(timeout=self._wait_seconds if wait else 0):
            raise StoreError(
                action=action, problem="another thread kept the store busy too long", retryable=True
            )
        try:
            if self._closed:
                raise StoreError(action=action, problem="the store is closed")
            if self._writing:
                raise StoreError(action=action, problem="this thread is inside a unit of this store already")
            yield
        finally:
            self._turn.release()

    def _set_views_aside(self) -> None:
        """Move the views of this thread to a copy, so that they keep seeing what they saw."""
        for lease in self._views:
            if lease.connection is self._connection:
                with translated("write"):
                    aside = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
                    self._connection.backup(aside)
                lease.connection = aside
