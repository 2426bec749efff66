"""What was taken away is in no file, however rows and pages were moved about before."""

from __future__ import annotations

import random
import re
import sqlite3
from pathlib import Path

import attrs
import pytest

from cmemory.adapters.sqlite import SqliteStore
from cmemory.domain.model.changes import Changes
from cmemory.domain.model.ids import MessageId, RecordId
from cmemory.domain.model.life import Status
from cmemory.ports.store import ANY_STATUS
from cmemory.testing.builders import SCOPE, claim, decision, job, message, pending, quoted, thread

OTHER = attrs.evolve(SCOPE, owner="neighbour")

_TAG = re.compile(rb"tag(\d{6})x")


def tags_on_disk(database: Path) -> set[int]:
    """Return the memories of which a byte is left in any file."""
    files = database.parent.glob(database.name + "*")
    return {int(found) for file in files for found in _TAG.findall(file.read_bytes())}


def memory(number: int, rng: random.Random) -> Changes:
    """Return a memory that stands, by its tag, in every table that can hold text."""
    words = [f"tag{number:06d}x"] * rng.choice((1, 2, 8, 40, 700))
    words += [f"word{rng.randrange(10_000)}" for _ in range(rng.randrange(30))]
    rng.shuffle(words)
    text = " ".join(words)
    key = f"{rng.randrange(10**6)}-tag{number:06d}x"
    return Changes(
        messages=(message(key, text, session=key, second=number),),
        records=(
            claim(
                key,
                text,
                predicate=f"tag{number:06d}x",
                entity_ref=words[0],
                second=rng.randrange(1000),
                evidence=(quoted(text, source_id=key),),
                status=rng.choice((Status.ACTIVE, Status.ACTIVE, Status.SUPERSEDED)),
            ),
        ),
        threads=(thread(key, text, record_id=key),),
        decisions=(decision(key, record_id=key), decision("of-" + key, message_id=key)),
        pending=(pending(key, message_id=key),),
        jobs=(job(key),),
    )


def gone(number: int, key: str) -> Changes:
    """Return what erases a memory."""
    return Changes(erase_records=(RecordId(key),), erase_messages=(MessageId(key),), revision_step=1)


@pytest.mark.parametrize("seed", range(3))
def test_no_byte_of_an_erased_memory_is_left(tmp_path: Path, seed: int) -> None:
    """After each erasure among hundreds of writes, growths and shrinkings of records of all sizes."""
    rng = random.Random(seed)  # noqa: S311  # a seeded test
    database = tmp_path / "memory.db"
    store = SqliteStore.open(database)
    live: dict[int, str] = {}
    erasures = 0
    for number in range(500):
        with store.write(rng.choice((SCOPE, OTHER))) as unit:
            changes = memory(number, rng)
            unit.apply(changes)
            live[number] = changes.records[0].id
        if live and rng.random() < 0.25:
            with store.write(SCOPE) as unit:
                # Some ids belong to the other scope; those stay.
                chosen = rng.sample(sorted(live), k=min(len(live), rng.choice((1, 3, 10))))
                mine = [number for number in chosen if unit.record(live[number]) is not None]
                for doomed in mine:
                    unit.apply(gone(doomed, live.pop(doomed)))
            erasures += bool(mine)
            assert tags_on_disk(database) <= live.keys()
            assert not any(store.contains(f"tag{doomed:06d}x") for doomed in mine)
    assert erasures > 50
    with store.write(SCOPE) as unit:
        for record in unit.records(ANY_STATUS):
            unit.apply(gone(0, record.id))
    with store.write(OTHER) as unit:
        for record in unit.records(ANY_STATUS):
            unit.apply(gone(0, record.id))
    assert tags_on_disk(database) == set()
    store.close()
    connection = sqlite3.connect(database)
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    connection.close()


def test_a_masked_word_is_gone(tmp_path: Path) -> None:
    """Replacing the text of a message cleans the files as erasing does."""
    database = tmp_path / "memory.db"
    store = SqliteStore.open(database)
    with store.write(SCOPE) as unit:
        unit.apply(Changes(messages=(message(text="I said tag000001x to her"),)))
    with store.write(SCOPE) as unit:
        unit.apply(Changes(messages=(message(text="I said ▇▇▇ to her"),)))
    assert tags_on_disk(database) == set()
    store.close()


def test_a_reader_that_lasts_only_delays(tmp_path: Path) -> None:
    """Its snapshot needs the old pages; when it ends they go, also when another store erased."""
    database = tmp_path / "memory.db"
    eraser, reader = SqliteStore.open(database), SqliteStore.open(database)
    with eraser.write(SCOPE) as unit:
        unit.apply(Changes(records=(claim("r-1", "tag000001x"),), messages=(message(),)))
    with reader.read(SCOPE) as view:
        with eraser.write(SCOPE) as unit:
            unit.apply(Changes(erase_records=(RecordId("r-1"),)))
        assert [record.id for record in view.records()] == ["r-1"]
    assert not reader.contains("tag000001x")
    assert tags_on_disk(database) == set()
    eraser.close()
    reader.close()


def test_the_end_of_a_view_cleans_up(tmp_path: Path) -> None:
    """Without anybody asking."""
    database = tmp_path / "memory.db"
    store = SqliteStore.open(database)
    with store.write(SCOPE) as unit:
        unit.apply(Changes(records=(claim("r-1", "tag000001x"),)))
    with store.read(SCOPE), store.write(SCOPE) as unit:
        unit.apply(Changes(erase_records=(RecordId("r-1"),)))
    assert tags_on_disk(database) == set()
    store.close()


def test_what_was_due_is_done_at_the_next_open(tmp_path: Path) -> None:
    """The duty is written down with the erasure."""
    database = tmp_path / "memory.db"
    eraser, reader = SqliteStore.open(database), SqliteStore.open(database)
    with eraser.write(SCOPE) as unit:
        unit.apply(Changes(records=(claim("r-1", "tag000001x"),)))
    with reader.read(SCOPE):
        with eraser.write(SCOPE) as unit:
            unit.apply(Changes(erase_records=(RecordId("r-1"),)))
        eraser.close()
    assert tags_on_disk(database) == {1}
    SqliteStore.open(database).close()
    assert tags_on_disk(database) == set()
    reader.close()
