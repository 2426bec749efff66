"""A process that is killed at any moment loses nothing it acknowledged, and leaves nothing it erased."""

from __future__ import annotations

import random
import re
import sqlite3
from pathlib import Path

import attrs
import pytest
from nursery import Nursery

from cmemory.adapters.sqlite import SqliteStore
from cmemory.domain.model.ids import RecordId
from cmemory.domain.recall.index import record_terms
from cmemory.ports.store import ANY_STATUS
from cmemory.testing.builders import SCOPE

#: Kills for each seed; four seeds make 220.
KILLS = 55

#: A worker opens the database and does a few dozen units in this time.
LONGEST_LIFE_SECONDS = 0.12

_TAG = re.compile(rb"tag(\d{6,})x")


@attrs.define
class Ledger:
    """What must be in the database according to what was acknowledged."""

    live: set[int] = attrs.field(factory=set)
    erased: set[int] = attrs.field(factory=set)
    revision: int = 0

    def enter(self, lines: list[str]) -> tuple[str, int] | None:
        """Book what a worker said and return the unit it was in when it died."""
        open_unit = None
        for line in lines:
            word, kind, number = line.split()
            if word == "begin":
                open_unit = (kind, int(number))
            else:
                assert open_unit == (kind, int(number))
                self.book(*open_unit)
                open_unit = None
        return open_unit

    def book(self, kind: str, number: int) -> None:
        """Count a unit as done."""
        self.revision += 1
        if kind == "write":
            self.live.add(number)
        else:
            self.live.discard(number)
            self.erased.add(number)


def tags_on_disk(database: Path) -> set[int]:
    """Return the memories of which a byte is left in any file."""
    files = database.parent.glob(database.name + "*")
    return {int(found) for file in files for found in _TAG.findall(file.read_bytes())}


def check_whole(database: Path) -> None:
    """Check that the database is sound, and that no row has lost what belongs to it."""
    connection = sqlite3.connect(database)
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    orphans = """
        SELECT 1 FROM terms WHERE record NOT IN (SELECT no FROM records) UNION ALL
        SELECT 1 FROM evidence WHERE record NOT IN (SELECT no FROM records)
    """
    assert connection.execute(orphans).fetchall() == []
    postings = connection.execute("SELECT count(*) FROM terms").fetchone()[0]
    connection.close()
    store = SqliteStore.open(database)
    with store.read(SCOPE) as view:
        records = view.records(ANY_STATUS)
        assert postings == sum(len(record_terms(record)) for record in records)
        numbers = [record.id[2:] for record in records]
        assert sorted(f"m-{number}" for number in numbers) == sorted(one.id for one in view.messages())
        assert sorted(f"t-{number}" for number in numbers) == sorted(one.id for one in view.threads())
        assert sorted(f"d-{number}" for number in numbers) == sorted(one.id for one in view.decisions())
        assert all(len(record.evidence) == 2 for record in records)
        for record in records:
            term = f"tag{int(record.id[2:]):06d}x"
            assert [RecordId(record.id)] == list(view.find([term], limit=9))
    store.close()


@pytest.mark.parametrize("seed", range(4))
def test_a_kill_loses_nothing_and_leaves_nothing(workers: Nursery, tmp_path: Path, seed: int) -> None:
    """Whatever moment it dies at: opening, writing, erasing, cleaning."""
    rng = random.Random(seed)  # noqa: S311  # a seeded test
    database = tmp_path / "memory.db"
    ledger = Ledger()
    died_inside = set()
    for number in range(KILLS):
        life = rng.uniform(0, LONGEST_LIFE_SECONDS)
        lines = workers.run(f"churn {seed * KILLS + number} {database}", kill_after=life)
        open_unit = ledger.enter(lines)
        died_inside.add(open_unit and open_unit[0])
        in_doubt = {open_unit[1]} if open_unit else set()
        # Nothing was opened since: the bytes are as the dead process left them.
        assert tags_on_disk(database) <= ledger.live | in_doubt
        store = SqliteStore.open(database)
        with store.read(SCOPE) as view:
            held = {int(record.id[2:]) for record in view.records(ANY_STATUS)}
            revision = view.revision()
        if open_unit and revision == ledger.revision + 1:
            ledger.book(*open_unit)
        assert (ledger.revision, ledger.live) == (revision, held)
        # Opening finished what the dead process had begun to clean. Only a write that was never finished may
        # still stand in the log; closing removes the log.
        unfinished = in_doubt - ledger.erased
        assert tags_on_disk(database) | unfinished == ledger.live | unfinished
        store.close()
        assert tags_on_disk(database) == ledger.live
        check_whole(database)
    assert {"write", "erase"} <= died_inside
    assert len(ledger.erased) > 10


def test_a_kill_in_the_night_loses_no_exchange(workers: Nursery, tmp_path: Path) -> None:
    """Each that was acknowledged still waits or has become its note, and never both or neither."""
    rng = random.Random(9)  # noqa: S311  # a seeded test
    database = tmp_path / "memory.db"
    queued: set[int] = set()
    waited = False
    for number in range(KILLS // 2):
        lines = workers.run(f"nights {number} {database}", kill_after=rng.uniform(0.05, 0.5))
        queued |= {int(line.split()[1]) for line in lines}
        store = SqliteStore.open(database)
        with store.read(SCOPE) as view:
            waiting = {int(one.said[2:]) for one in view.exchanges()}
            noted = {int(one.evidence[0].source_id[2:]) for one in view.notes(ANY_STATUS)}
        store.close()
        assert queued <= waiting | noted
        assert not waiting & noted
        waited = waited or bool(waiting)
    assert waited
    assert noted
