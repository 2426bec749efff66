"""Puts a backup in the place of a database: checked first, at one stroke, and never under somebody's feet.

The old database is held in the meantime by the one lock that nobody else can have while it is open: it leaves the
write-ahead log and takes an exclusive lock. A process that opens it during that moment waits, and afterwards
notices that
the file was replaced (`SqliteStore.open`).
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from urllib.parse import quote

import attrs

from cmemory.adapters.sqlite import rows
from cmemory.adapters.sqlite.backup import look_over
from cmemory.adapters.sqlite.connection import connect, transaction
from cmemory.adapters.sqlite.drafts import (
    SIDE_FILES,
    copy_into,
    draft_beside,
    os_errors,
    put_in_place,
    single_file,
)
from cmemory.adapters.sqlite.errors import DAMAGED, translated
from cmemory.adapters.sqlite.migrations import check_ours, migrate
from cmemory.adapters.sqlite.store import SqliteStore
from cmemory.adapters.sqlite.view import Lease, SqliteView
from cmemory.domain.audit.finding import Severity, verdict
from cmemory.domain.errors import StoreError, UsageError
from cmemory.domain.model.scope import Scope
from cmemory.ports.store import View

_ACTION = "restore"

#: Whoever has the database open keeps it; waiting would not help.
_PATIENCE_MS = 500


@attrs.frozen
class Present:
    """The database that is about to be replaced, held so that nobody else can use it."""

    _connection: sqlite3.Connection

    @property
    def secret(self) -> bytes:
        """Key of its forgetting hashes."""
        with translated(_ACTION):
            row = self._connection.execute("SELECT value FROM meta WHERE name = 'secret'").fetchone()
        if row is None:
            raise StoreError(action=_ACTION, problem=DAMAGED)
        return bytes(row[0])

    def scopes(self) -> Sequence[Scope]:
        """Return every scope it holds."""
        with translated(_ACTION):
            found = self._connection.execute(
                "SELECT service, owner, profile FROM scopes ORDER BY key"
            ).fetchall()
        return [rows.scope_of(row) for row in found]

    def view(self, scope: Scope) -> View:
        """Return what it holds of a scope."""
        return SqliteView(Lease(self._connection), scope)


@attrs.frozen
class Restoration:
    """A checked copy of a backup, beside the database that it will replace."""

    _draft: str
    _path: str
    #: None when there is no database, or none that can be read.
    present: Present | None

    @contextmanager
    def store(self) -> Iterator[SqliteStore]:
        """Open the copy."""
        opened = SqliteStore.open(self._draft)
        try:
            yield opened
        finally:
            opened.close()

    def finish(self) -> None:
        """Put the copy in its place."""
        single_file(self._draft, action=_ACTION)
        put_in_place(self._draft, self._path, action=_ACTION)


@contextmanager
def restoration(backup: str, path: str, *, carry: bool) -> Iterator[Restoration]:
    """Check a backup and hold the database it will replace; without `Restoration.finish`, everything stays as it was.

    Args:
        backup: the file to restore.
        path: the database to replace or make.
        carry: whether the present database must be readable. Otherwise a damaged one is set aside as ``PATH.damaged``.

    Raises:
        UsageError: the backup is not there, or is the database itself.
        StoreError: the backup is damaged, newer or not ours; or the database is open elsewhere (retryable), newer,
            not ours, or damaged although it must be read.
    """
    target = os.path.realpath(path)
    if not os.path.isfile(backup):
        raise UsageError(field="backup", problem="names no file")
    if os.path.realpath(backup) == target:
        raise UsageError(field="backup", problem="is the database itself")
    with draft_beside(target, action=_ACTION) as draft:
        _fetch(backup, draft)
        with ExitStack() as held:
            present = None
            if os.path.exists(target):
                present = _hold(target, held, carry=carry)
            yield Restoration(draft, target, present)


def _fetch(backup: str, draft: str) -> None:
    """Copy the backup, bring the copy up to date, and look it over."""
    # Without a log beside it the file is all there is; told so, SQLite leaves no file of its own there either.
    mode = "ro" if os.path.exists(backup + "-wal") else "ro&immutable=1"
    with translated(_ACTION):
        source = sqlite3.connect(
            f"file:{quote(os.path.abspath(backup))}?mode={mode}", uri=True, isolation_level=None
        )
    try:
        check_ours(source)
        copy_into(source, draft, action=_ACTION)
    finally:
        source.close()
    connection = connect(draft, busy_timeout_ms=_PATIENCE_MS)
    try:
        migrate(connection)
    finally:
        connection.close()
    if verdict(look_over(draft)) is Severity.FAIL:
        raise StoreError(
            action=_ACTION, problem="the backup fails its check; run cmemory selfcheck on it, or take another"
        )


def _hold(target: str, held: ExitStack, *, carry: bool) -> Present | None:
    """Keep the present database from everybody else until the stack ends."""
    # SQLite closes files of its own accord only; the connection must end after the new file is in place.
    try:
        connection = connect(target, busy_timeout_ms=_PATIENCE_MS)
        held.callback(connection.close)
        check_ours(connection)
        with translated(_ACTION):
            connection.execute("PRAGMA journal_mode=DELETE").fetchone()
        held.enter_context(transaction(connection, "BEGIN EXCLUSIVE", action=_ACTION))
    except StoreError as error:
        if error.retryable:
            raise StoreError(
                action=_ACTION,
                problem="the database is open elsewhere: end what uses it first",
                retryable=True,
            ) from error
        if DAMAGED not in error.problem:
            raise
        if carry:
            raise StoreError(
                action=_ACTION,
                problem="the present database is damaged, so what was forgotten since cannot be carried over; "
                "restore without keeping it, and forget it again",
            ) from error
        held.close()
        _set_aside(target)
        return None
    return Present(connection)


def _set_aside(target: str) -> None:
    with os_errors(_ACTION):
        for side in ("", *SIDE_FILES):
            if os.path.exists(target + side):
                os.replace(target + side, f"{target}.damaged{side}")
