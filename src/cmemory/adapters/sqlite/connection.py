"""One connection: how it is set up, and how its transactions begin and end.

* ``WAL``: readers keep their snapshot while somebody writes.
* ``synchronous=FULL``: an acknowledged write survives a power cut, not only a killed process. One
  synchronisation for each unit costs about 0.2 ms on an ordinary SSD (4,400 against 63,000 bare units/s with
  ``NORMAL``), which is the price of not losing what was acknowledged.
* ``secure_delete=ON``: freed cells and pages are overwritten with zeros.
* ``wal_autocheckpoint=4000``: the log is written back when it has 16 MB, not 4. A unit of many records touches a page
  for most of its index entries, and so the pages that many units touch are written back a quarter as often; at 10,000
  records that took a quarter of the processor's time off a commit, and a third of the waiting. Forgetting cuts the log
  to nothing whatever its length.
* ``temp_store=MEMORY``: no sorter and no rebuild writes to a temporary file.
* ``ANALYZE`` is never run: ``sqlite_stat4`` would keep samples of the text.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

from cmemory.adapters.sqlite.errors import translated
from cmemory.domain.errors import StoreError

#: Statements kept prepared for each connection; the port needs about sixty.
_CACHED_STATEMENTS = 128

#: Seconds between two attempts to switch to WAL while another process does the same.
_PAUSE_SECONDS = 0.01

_SETTINGS = (
    "PRAGMA foreign_keys=ON",
    "PRAGMA secure_delete=ON",
    "PRAGMA synchronous=FULL",
    "PRAGMA wal_autocheckpoint=4000",
    "PRAGMA temp_store=MEMORY",
)


def connect(path: str, *, busy_timeout_ms: int) -> sqlite3.Connection:
    """Open a connection that begins and ends transactions only when told, usable from any thread in turn.

    Raises:
        StoreError: the file cannot be opened or is no database.
    """
    with translated("open"), ExitStack() as undo:
        connection = sqlite3.connect(
            path,
            timeout=busy_timeout_ms / 1000,
            isolation_level=None,
            check_same_thread=False,
            cached_statements=_CACHED_STATEMENTS,
        )
        undo.callback(connection.close)
        for setting in _SETTINGS:
            connection.execute(setting)
        undo.pop_all()
    return connection


def use_wal(connection: sqlite3.Connection, *, busy_timeout_ms: int) -> None:
    """Switch the database to write-ahead logging; harmless when it is already.

    SQLite does not wait by itself while another connection switches, so this does.
    """
    deadline = time.monotonic() + busy_timeout_ms / 1000
    while time.monotonic() < deadline:
        with suppress(sqlite3.OperationalError):
            if _journal_mode(connection) == "wal":
                return
        time.sleep(_PAUSE_SECONDS)
    with translated("open"):
        if _journal_mode(connection) != "wal":
            raise StoreError(action="open", problem="the file system allows no write-ahead log")


def _journal_mode(connection: sqlite3.Connection) -> str:
    mode: str = connection.execute("PRAGMA journal_mode=WAL").fetchone()[0]
    return mode


@contextmanager
def transaction(connection: sqlite3.Connection, begin: str, *, action: str) -> Iterator[None]:
    """Run a block in a transaction: committed when it ends, undone when it raises.

    Args:
        connection: an idle connection.
        begin: ``BEGIN DEFERRED``, ``BEGIN IMMEDIATE`` or ``BEGIN EXCLUSIVE``.
        action: the word for error messages.

    Raises:
        StoreError: it could not begin or not be committed; then nothing was written.
    """
    with translated(action):
        connection.execute(begin)
    try:
        yield
        with translated(action):
            connection.execute("COMMIT")
    finally:
        # Only left open when something raised; some errors end a transaction by themselves.
        if connection.in_transaction:
            connection.execute("ROLLBACK")
