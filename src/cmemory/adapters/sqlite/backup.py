"""Copies a database while others use it, and looks the copy over before it counts."""

from __future__ import annotations

import os
import sqlite3

from cmemory.adapters.sqlite.connection import connect, transaction
from cmemory.adapters.sqlite.drafts import SIDE_FILES, copy_into, draft_beside, put_in_place, single_file
from cmemory.adapters.sqlite.errors import translated
from cmemory.adapters.sqlite.survey import surveying
from cmemory.app.selfcheck import examine
from cmemory.domain.audit.finding import Code, Finding
from cmemory.domain.errors import StoreError, UsageError
from cmemory.domain.model.instant import LATEST
from cmemory.ports.store import BackupReport

_ACTION = "backup"
_BUSY_TIMEOUT_MS = 5000


def write_backup(source: sqlite3.Connection, path: str, *, present: str, overwrite: bool) -> BackupReport:
    """Write a copy of one state of a database.

    Args:
        source: a connection to it.
        path: where the copy goes.
        present: the path of the database itself.
        overwrite: whether a file that is there may be replaced.

    Raises:
        UsageError: the path is taken, or names a database in use.
        StoreError: the copy cannot be written, or is damaged.
    """
    target = os.path.realpath(path)
    if target == present:
        raise UsageError(field="path", problem="is the database itself")
    if os.path.exists(target) and not overwrite:
        raise UsageError(field="path", problem="names a file that is there already; only force replaces it")
    if any(os.path.exists(target + side) for side in SIDE_FILES):
        raise UsageError(field="path", problem="names a database that is in use")
    with draft_beside(target, action=_ACTION) as draft:
        copy_into(source, draft, action=_ACTION)
        single_file(draft, action=_ACTION)
        findings = look_over(draft)
        if any(one.code is Code.MEDIUM_DAMAGED for one in findings):
            raise StoreError(
                action=_ACTION, problem="the copy is damaged, as the database may be: run cmemory selfcheck"
            )
        put_in_place(draft, target, action=_ACTION)
    return BackupReport(path=target, bytes=os.path.getsize(target), findings=findings)


def look_over(path: str) -> tuple[Finding, ...]:
    """Return what is wrong with a database of this version that nobody else has open; claims without an end are live."""
    connection = connect(path, busy_timeout_ms=_BUSY_TIMEOUT_MS)
    try:
        with transaction(connection, "BEGIN DEFERRED", action=_ACTION), surveying(connection, None) as survey:
            with translated(_ACTION):
                row = connection.execute("SELECT value FROM meta WHERE name = 'secret'").fetchone()
            return examine(survey, secret=bytes(row[0]) if row else b"", now=LATEST).findings
    except StoreError:
        return (Finding(code=Code.MEDIUM_DAMAGED, subject="database"),)
    finally:
        connection.close()
