"""What forgetting asks of the files: after it, no byte of what was taken away is left in them.

``secure_delete`` overwrites freed cells and pages, and it is not enough. When SQLite rebalances a tree it
moves cells and leaves their old bytes in the unallocated middle of the page; zeroing follows only the live
copy. Over 1,500 random units on 400 live records, 80 of 116 pages held such left-overs, and two records that
had been deleted could still be read from the file. And the log keeps whole images of pages. So after a unit
that took text away

1. the database is rebuilt from what is live (``VACUUM``, in memory and through the log);
2. the log is written back and cut to nothing (``wal_checkpoint(TRUNCATE)``).

That takes about 0.1 s at 10,000 records (16 MB) and 0.9 s at 100,000 (165 MB) on two ordinary cores, and
meanwhile as much memory as the file is long; whoever erases many things does well to do it in one unit.

A reader in another process or thread can hold the log open. Then this is tried again at every later
opportunity: after a write, when a view ends, before `contains`, at close, at the next open. That something is
due is written in the same transaction that took the text away, so it survives a crash.
"""

from __future__ import annotations

import sqlite3
from contextlib import suppress

from cmemory.adapters.sqlite.connection import transaction
from cmemory.domain.errors import StoreError

#: How long one attempt waits for readers. Views last milliseconds; a view of the same thread would never end.
_PATIENCE_MS = 50

_MARK = "INSERT OR IGNORE INTO meta (name, value) VALUES ('cleaning_due', 1)"
_UNMARK = "DELETE FROM meta WHERE name = 'cleaning_due'"


def mark(connection: sqlite3.Connection) -> None:
    """Note, within the transaction that takes text away, that the files have to be cleaned."""
    connection.execute(_MARK)


def is_marked(connection: sqlite3.Connection) -> bool:
    """Tell whether the files still have to be cleaned, whoever took the text away."""
    return connection.execute("SELECT 1 FROM meta WHERE name = 'cleaning_due'").fetchone() is not None


def clean(connection: sqlite3.Connection, *, busy_timeout_ms: int) -> bool:
    """Try to leave nothing of what was taken away, and tell whether that succeeded.

    A failure is no error of the write before it, which is committed; the mark stays, and so does the duty.
    """
    connection.execute(f"PRAGMA busy_timeout={_PATIENCE_MS}")
    try:
        # Without the first look a long view would cost a rebuild for every write during its life.
        done = _cut_log(connection) and _rebuild(connection) and _cut_log(connection) and _unmark(connection)
    finally:
        connection.execute(f"PRAGMA busy_timeout={busy_timeout_ms}")
    return done


def _rebuild(connection: sqlite3.Connection) -> bool:
    with suppress(sqlite3.OperationalError):
        connection.execute("VACUUM")
        return True
    return False


def _cut_log(connection: sqlite3.Connection) -> bool:
    with suppress(sqlite3.OperationalError):
        busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return not busy
    return False


def _unmark(connection: sqlite3.Connection) -> bool:
    with suppress(StoreError):
        with transaction(connection, "BEGIN IMMEDIATE", action="write"):
            connection.execute(_UNMARK)
        return True
    return False
