"""The store: one SQLite file for any number of scopes, shared by threads and processes.

It keeps what it is given and decides nothing. What it promises beyond the port:

* An acknowledged write is on the medium (see `connection`), an acknowledged erasure is off it (see
  `cleaning`). The exception is a reader, here or in another process, that outlasts the erasure: its snapshot
  needs the old pages, and they go when it ends.
* The files are made for their owner alone (mode 0600). A file that is there already keeps its mode.
* A text may hold any character but a lone surrogate, NUL included.
"""

from __future__ import annotations

import hmac
import json
import os
import secrets
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress

from typing_extensions import Self, override

from cmemory.adapters.sqlite import cleaning, rows
from cmemory.adapters.sqlite.connection import connect, transaction, use_wal
from cmemory.adapters.sqlite.errors import translated
from cmemory.adapters.sqlite.files import DatabaseFile
from cmemory.adapters.sqlite.migrations import check_ours, check_whole, migrate
from cmemory.adapters.sqlite.pool import FilePool, MemoryPool, Pool
from cmemory.adapters.sqlite.search import holds_text
from cmemory.adapters.sqlite.unit import SqliteUnit
from cmemory.adapters.sqlite.view import SqliteView
from cmemory.domain.errors import StoreError, UsageError
from cmemory.domain.model.scope import Scope
from cmemory.ports.store import BackupReport, Footprint, Store, Survey

#: The path that keeps nothing on disk.
IN_MEMORY = ":memory:"

#: Length of the key that is made, and the least that is accepted.
_SECRET_BYTES = 32


class SqliteStore(Store):
    """Keeps everything in one file. Made by `open`."""

    def __init__(self, pool: Pool, *, file: DatabaseFile | None, secret: bytes, busy_timeout_ms: int) -> None:
        self._pool = pool
        self._file = file
        self._secret = secret
        self._busy_timeout_ms = busy_timeout_ms
        self._cleaning_due = False
        self._closed = False

    @classmethod
    def open(
        cls, path: str | os.PathLike[str], *, secret: bytes | None = None, busy_timeout_ms: int = 5000
    ) -> Self:
        """Open a database, making or upgrading it first where needed.

        Args:
            path: the file, or ``:memory:`` for a database of this process alone. In memory, views and units
                of different threads take turns, and a view cannot be opened inside a unit. secret: key of the
                forgetting hashes, at least 32 bytes; made at random with the database when left out.
                busy_timeout_ms: how long to wait for another writer.

        Raises:
            StoreError: the file cannot be opened, is damaged, newer than this library, or not ours.
            UsageError: the secret is too short, or not the one of this database.
        """
        if secret is not None and len(secret) < _SECRET_BYTES:
            raise UsageError(field="secret", problem=f"must have at least {_SECRET_BYTES} bytes")
        name = os.fspath(path)
        if name == IN_MEMORY:
            connection = connect(name, busy_timeout_ms=busy_timeout_ms)
            held = _prepare(connection, secret)
            pool = MemoryPool(connection, busy_timeout_ms=busy_timeout_ms)
            return cls(pool, file=None, secret=held, busy_timeout_ms=busy_timeout_ms)
        return cls._open_file(name, secret, busy_timeout_ms)

    @classmethod
    def _open_file(cls, name: str, secret: bytes | None, busy_timeout_ms: int) -> Self:
        with ExitStack() as undo:
            file = DatabaseFile(name)
            undo.callback(file.release)
            connection = connect(file.path, busy_timeout_ms=busy_timeout_ms)
            undo.callback(connection.close)
            check_ours(connection)
            use_wal(connection, busy_timeout_ms=busy_timeout_ms)
            held = _prepare(connection, secret)
            pool = FilePool(file, connection, busy_timeout_ms=busy_timeout_ms)
            store = cls(pool, file=file, secret=held, busy_timeout_ms=busy_timeout_ms)
            store._clean_if_marked()
            if not file.in_place():
                raise StoreError(
                    action="open", problem="the file was replaced while it was opened", retryable=True
                )
            undo.pop_all()
        return store

    @property
    @override
    def secret(self) -> bytes:
        return self._secret

    @override
    @contextmanager
    def read(self, scope: Scope) -> Iterator[SqliteView]:
        with self._pool.reading() as lease:
            yield SqliteView(lease, scope)
        if self._cleaning_due:
            # Somebody may be writing right now; then the end of that unit is the next opportunity.
            with suppress(StoreError):
                self._clean_if_marked(wait=False)

    @override
    @contextmanager
    def write(self, scope: Scope) -> Iterator[SqliteUnit]:
        with self._pool.writing() as lease:
            with transaction(lease.connection, "BEGIN IMMEDIATE", action="write"):
                unit = SqliteUnit(lease, scope)
                yield unit
                unit.finish()
                if unit.erased and self._file is not None:
                    with translated("write"):
                        cleaning.mark(lease.connection)
            if self._file is not None and (unit.erased or self._cleaning_due):
                self._clean(lease.connection)

    @override
    def scopes(self) -> Sequence[Scope]:
        with self._pool.reading() as lease, translated("read"):
            found = lease.connection.execute(
                "SELECT service, owner, profile FROM scopes ORDER BY key"
            ).fetchall()
        return [rows.scope_of(row) for row in found]

    @override
    def reindex(self, scope: Scope) -> int:
        with self.write(scope) as unit:
            return unit.reindex()

    @override
    def contains(self, needle: str) -> bool:
        self._clean_if_marked()
        with self._pool.reading() as lease:
            if holds_text(lease.connection, needle):
                return True
        return self._file is not None and any(self._file.holds(form) for form in _spellings(needle))

    @override
    def footprint(self) -> Footprint:
        if self._file is None:
            return Footprint(files=(), bytes=0)
        files = self._file.existing()
        return Footprint(files=files, bytes=sum(os.path.getsize(name) for name in files))

    @override
    @contextmanager
    def survey(self) -> Iterator[Survey]:
        # Only a selfcheck looks the store over.
        from cmemory.adapters.sqlite.survey import surveying

        with self._pool.reading() as lease, surveying(lease.connection, self._file) as survey:
            yield survey

    @override
    def back_up(self, path: str, *, overwrite: bool = False) -> BackupReport:
        from cmemory.adapters.sqlite.backup import write_backup

        if self._file is None:
            raise UsageError(field="path", problem="a store in memory has no file to copy; export instead")
        self._clean_if_marked()
        with self._pool.reading() as lease:
            return write_backup(lease.connection, path, present=self._file.path, overwrite=overwrite)

    @override
    def close(self) -> None:
        if not self._closed:
            # What cannot be done now stays marked for the next open.
            with suppress(StoreError):
                self._clean_if_marked()
            self._pool.close()
            self._closed = True

    def _clean_if_marked(self, *, wait: bool = True) -> None:
        if self._file is not None:
            with self._pool.writing(wait=wait) as lease:
                with translated("read"):
                    marked = cleaning.is_marked(lease.connection)
                if marked:
                    self._clean(lease.connection)

    def _clean(self, connection: sqlite3.Connection) -> None:
        self._cleaning_due = not cleaning.clean(connection, busy_timeout_ms=self._busy_timeout_ms)


def _prepare(connection: sqlite3.Connection, secret: bytes | None) -> bytes:
    """Bring the schema up to date and return the secret of the database."""
    migrate(connection)
    check_whole(connection)
    held = _stored_secret(connection)
    if held is None:
        with transaction(connection, "BEGIN IMMEDIATE", action="open"), translated("open"):
            made = secret or secrets.token_bytes(_SECRET_BYTES)
            connection.execute("INSERT OR IGNORE INTO meta (name, value) VALUES ('secret', ?)", (made,))
        held = _stored_secret(connection)
    if held is None or len(held) < _SECRET_BYTES:
        raise StoreError(action="open", problem="the database has lost its secret: restore a backup")
    if secret is not None and not hmac.compare_digest(secret, held):
        raise UsageError(field="secret", problem="is not the secret of this database")
    return held


def _stored_secret(connection: sqlite3.Connection) -> bytes | None:
    with translated("open"):
        row = connection.execute("SELECT value FROM meta WHERE name = 'secret'").fetchone()
    return None if row is None else bytes(row[0])


def _spellings(needle: str) -> frozenset[bytes]:
    """Return the forms in which a text can stand in the files: as it is, and as a part of a JSON text."""
    return frozenset(form.encode("utf-8") for form in (needle, json.dumps(needle, ensure_ascii=False)[1:-1]))
