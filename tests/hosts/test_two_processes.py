"""Several processes share one file."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

from nursery import Nursery

from cmemory.adapters.sqlite import SqliteStore
from cmemory.domain.model.changes import Changes
from cmemory.ports.store import ANY_STATUS
from cmemory.testing.builders import SCOPE, claim

_LOOK_AND_CLOSE = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
connection.execute("SELECT * FROM scopes").fetchall()
connection.close()
"""


def test_two_writers_lose_nothing(workers: Nursery, tmp_path: Path) -> None:
    """Two processes start at once on a new file and write a hundred units each: all are there."""
    database = tmp_path / "memory.db"
    lines = workers.run(f"append 1 {database}", f"append 2 {database}")
    acknowledged = {line.split()[2] for line in lines if line.startswith("acknowledged")}
    assert len(lines) == len(acknowledged) == 200
    store = SqliteStore.open(database)
    with store.read(SCOPE) as view:
        assert view.revision() == 200
        assert acknowledged == {record.id[2:] for record in view.records(ANY_STATUS)}
    store.close()


def test_many_can_start_at_once_on_a_new_file(workers: Nursery, tmp_path: Path) -> None:
    """One of them makes the tables and the secret, the others wait for it; nobody fails."""
    for attempt in range(4):
        database = tmp_path / f"memory-{attempt}.db"
        lines = workers.run(*(f"append {worker} {database}" for worker in range(4)))
        assert not [line for line in lines if line.startswith("failed")]
        connection = sqlite3.connect(database)
        assert connection.execute("SELECT count(*) FROM meta WHERE name = 'secret'").fetchone() == (1,)
        assert connection.execute("SELECT number, name FROM migrations").fetchall() == [
            (1, "first_schema"),
            (2, "seals"),
            (3, "utterances"),
            (4, "associations"),
            (5, "notes"),
            (6, "embeddings"),
            (7, "marks"),
            (8, "marks_of_suppressions"),
            (9, "stories"),
        ]
        assert connection.execute("SELECT count(*) FROM records").fetchone() == (400,)
        connection.close()


def test_searching_the_bytes_keeps_the_locks(tmp_path: Path) -> None:
    """A process that closes the file after us must not take itself for the last one and remove the log.

    POSIX drops all locks of a process on a file when it closes any descriptor of it; the search does not.
    """
    database = tmp_path / "memory.db"
    store = SqliteStore.open(database)
    other = SqliteStore.open(database)
    with store.write(SCOPE) as unit:
        unit.apply(Changes(records=(claim("r-1"),)))
    assert not store.contains("nothing of the kind")
    other.close()
    log = Path(f"{database}-wal").stat().st_ino
    subprocess.run([sys.executable, "-c", _LOOK_AND_CLOSE, str(database)], check=True)
    assert Path(f"{database}-wal").stat().st_ino == log
    with store.write(SCOPE) as unit:
        unit.apply(Changes(records=(claim("r-2"),)))
    store.close()
    again = SqliteStore.open(database)
    with again.read(SCOPE) as view:
        assert [record.id for record in view.records()] == ["r-1", "r-2"]
    again.close()
