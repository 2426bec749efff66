"""A journal loses nothing it acknowledged and keeps nothing that went, whatever happens to its processes."""

from __future__ import annotations

import random
import re
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from journal_child import held
from nursery import Nursery, nursery

from cmemory import Memory
from cmemory.adapters.files.journal import FileJournal
from cmemory.testing.builders import SCOPE, at

#: Kills for each seed.
KILLS = 40
DRAIN_KILLS = 20

_TAG = re.compile(rb"tag(\d{6,})x")


@pytest.fixture(scope="module")
def hosts() -> Iterator[Nursery]:
    """A process that starts workers on a journal."""
    with nursery("journal_child.py") as started:
        yield started


def tags_beside(path: Path) -> set[int]:
    """Return the messages of which a byte is left in any file."""
    return {
        int(found) for file in path.parent.glob(path.name + "*") for found in _TAG.findall(file.read_bytes())
    }


def booked(lines: list[str], live: set[int]) -> tuple[str, set[int]]:
    """Book what a worker said, and return what it was at when it died."""
    doubt: tuple[str, set[int]] = ("", set())
    for line in lines:
        word, kind, *rest = line.split()
        numbers = {int(one) for one in rest}
        if word == "begin":
            doubt = (kind, numbers)
            continue
        assert doubt == (kind, numbers)
        live.symmetric_difference_update(numbers)
        doubt = ("", set())
    return doubt


@pytest.mark.parametrize("seed", range(3))
def test_a_kill_loses_nothing_and_leaves_nothing(hosts: Nursery, tmp_path: Path, seed: int) -> None:
    """Whatever moment it dies at: appending, marking, writing anew."""
    rng = random.Random(seed)  # noqa: S311  # a seeded test
    path = tmp_path / "inbox.jsonl"
    live: set[int] = set()
    died_at = set()
    for number in range(KILLS):
        lines = hosts.run(f"churn {seed * KILLS + number} {path}", kill_after=rng.uniform(0, 0.04))
        kind, doubt = booked(lines, live)
        died_at.add(kind)
        with FileJournal.open(path) as journal:
            found = held(journal)
        assert len(found) == len(set(found))
        assert set(found) - doubt == live - doubt
        live = set(found)
        # Opening has finished what the dead process had begun; only half of a line may still stand there.
        assert tags_beside(path) - doubt == live - doubt
    assert {"enqueue", "done"} <= died_at


def test_a_kill_while_draining_loses_nothing_and_doubles_nothing(hosts: Nursery, tmp_path: Path) -> None:
    """Each acknowledged message is in the database exactly once in the end, and learned once."""
    rng = random.Random(7)  # noqa: S311  # a seeded test
    path = tmp_path / "inbox.jsonl"
    acknowledged: set[str] = set()
    for number in range(DRAIN_KILLS):
        lines = hosts.run(f"drain {number} {path}", kill_after=rng.uniform(0.03, 0.12))
        acknowledged |= {f"m-{line.split()[2]}" for line in lines if line.startswith("acknowledged")}
    with Memory.open(path.with_suffix(".db"), journal=path) as memory:
        luna = memory.scope(service=SCOPE.service, owner=SCOPE.owner, profile=SCOPE.profile)
        luna.drain(now=at(2))
        stats = luna.stats()
        report = luna.learn(now=at(2))
        learned = Counter(one.message_id for one in report.learned)
        assert luna.learn(now=at(2)).learned == ()
    assert acknowledged
    assert acknowledged <= set(learned)
    # At most the message a worker was at when it died was written and not acknowledged.
    assert len(learned) <= len(acknowledged) + DRAIN_KILLS
    assert set(learned.values()) == {1}
    assert (stats.waiting, stats.dead) == (len(learned), 0)
    assert b"Nora" not in path.read_bytes()


def test_processes_at_one_journal_lose_nothing(hosts: Nursery, tmp_path: Path) -> None:
    """Three of them let messages wait and go at the same time."""
    path = tmp_path / "inbox.jsonl"
    lines = hosts.run(*(f"feed {seed} {path}" for seed in range(3)))
    numbers = [int(line.split()[2]) for line in lines]
    assert len(numbers) == 300
    with FileJournal.open(path) as journal:
        assert sorted(number for number in numbers if number % 2 == 0) == sorted(held(journal))
        assert journal.skipped == 0
    assert {number for number in numbers if number % 2 == 0} == tags_beside(path)


def test_a_full_disk_refuses_and_loses_nothing(hosts: Nursery, tmp_path: Path) -> None:
    """What was acknowledged waits; once something is done, there is room again."""
    path = tmp_path / "inbox.jsonl"
    lines = hosts.run(f"fill 0 {path}")
    acknowledged = [int(line.split()[2]) for line in lines if line.startswith("acknowledged")]
    (refused,) = [line for line in lines if line.startswith("refused")]
    assert refused == "refused enqueue: the disk is full"
    before, after = ([int(one) for one in line.split()[1:]] for line in lines if line.startswith("held"))
    assert len(acknowledged) > 5
    assert acknowledged == before
    assert [*acknowledged[2:], 1_002] == after
    with FileJournal.open(path) as journal:
        assert (after, journal.skipped) == (held(journal), 0)


def test_a_folder_that_may_not_be_written_to_is_an_error_of_the_store(hosts: Nursery) -> None:
    """It names neither the path nor what was said."""
    # Not pytest's folder: that one only its owner may enter, and root may write everywhere.
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o555)
        (line,) = hosts.run(f"nobody 1 {folder / 'inbox.jsonl'}")
        folder.chmod(0o700)
    assert line == "failed open: the file or its folder may not be written to"
