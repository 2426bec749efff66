"""What `docs/explanation/reliability.md` promises for each fault, where no other test shows it."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import subprocess
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from nursery import Nursery
from old import make_old
from stocked import LATER, fill, scope_of, stock

from cmemory import Memory, StoreError, UsageError
from cmemory.adapters.sqlite import SqliteStore
from cmemory.domain.audit.finding import Severity
from cmemory.ports.store import ANY_STATUS
from cmemory.testing.builders import SCOPE

#: Seeded places where bits are flipped, and lengths a file is cut to.
FLIPS = 120
CUTS = 12

#: Kills of a process that migrates, copies or restores.
KILLS = 12


def many(path: Path, workers: Nursery, *seeds: int) -> None:
    """Fill a database with a hundred memories for each seed."""
    workers.run(*(f"append {seed} {path}" for seed in seeds))


def numbers(path: Path) -> set[str]:
    """Return the ids of a sound database's records."""
    with Memory.open(path) as memory:
        assert memory.selfcheck(now=LATER).severity is not Severity.FAIL or only_made_up(memory)
    store = SqliteStore.open(path)
    with store.read(SCOPE) as view:
        held = {str(record.id) for record in view.records(ANY_STATUS)}
    store.close()
    return held


def only_made_up(memory: Memory) -> bool:
    """Tell whether the findings are those of memories that no admission has seen."""
    found = {one.code.value for one in memory.selfcheck(now=LATER).findings}
    return found <= {"quote_mismatch", "source_missing", "predicate_retired"}


@pytest.mark.parametrize("seed", range(2))
def test_a_kill_while_migrating_leaves_the_old_or_the_new(
    workers: Nursery, tmp_path: Path, seed: int
) -> None:
    """Whoever opens it next takes the steps that are left; nothing is lost on the way."""
    rng = random.Random(seed)  # noqa: S311  # a seeded test
    path = tmp_path / "memory.db"
    many(path, workers, 1, 2)
    before = numbers(path)
    versions = Counter[int]()
    for _ in range(KILLS // 3):
        make_old(path)
        workers.run(f"hold 0 {path}", kill_after=rng.uniform(0, 0.03))
        connection = sqlite3.connect(path)
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        columns = {name for _, name, *_ in connection.execute("PRAGMA table_info(records)")}
        steps = connection.execute("SELECT count(*) FROM migrations").fetchone()[0]
        connection.close()
        assert (version, "seal" in columns) == (steps, version >= 2)
        versions[version] += 1
        assert before == numbers(path)
    assert versions.total() == KILLS // 3


def test_a_kill_while_copying_leaves_the_last_backup(workers: Nursery, tmp_path: Path) -> None:
    """Whole, at any moment; what was half written is taken away by the next."""
    rng = random.Random(3)  # noqa: S311  # a seeded test
    path = tmp_path / "memory.db"
    backup = tmp_path / "memory.db.backup"
    many(path, workers, 1)
    before = numbers(path)
    left_over = 0
    for _ in range(KILLS):
        lines = workers.run(f"backup 0 {path}", kill_after=rng.uniform(0.01, 0.2))
        assert "acknowledged" not in lines or backup.exists()
        if backup.exists():
            assert before == numbers(backup)
        left_over += len(list(tmp_path.glob(".*.part")))
    with Memory.open(path) as memory:
        memory.backup(backup, overwrite=True)
    assert left_over
    assert ["memory.db", "memory.db.backup"] == sorted(one.name for one in tmp_path.iterdir())


def test_a_kill_while_restoring_leaves_the_old_or_the_new(workers: Nursery, tmp_path: Path) -> None:
    """Whole, and nothing between the two."""
    rng = random.Random(4)  # noqa: S311  # a seeded test
    path = tmp_path / "luna.db"
    stock(path)
    with Memory.open(path) as memory:
        memory.backup(f"{path}.one")
        before = scope_of(memory).stats().messages
        scope_of(memory).observe("And one thing more.", at=LATER)
        memory.backup(f"{path}.two")
    done = 0
    for _ in range(KILLS):
        lines = workers.run(f"swap 0 {path}", kill_after=rng.uniform(0.01, 0.3))
        assert {line.split()[0] for line in lines} <= {"acknowledged"}
        done += len(lines)
        with Memory.open(path) as memory:
            assert () == memory.selfcheck(now=LATER).findings
            assert scope_of(memory).stats().messages in (before, before + 1)
    assert done


def test_a_disk_without_room_for_a_backup_keeps_the_last(workers: Nursery, tmp_path: Path) -> None:
    """The refusal says why, and nothing half written stays."""
    path = tmp_path / "memory.db"
    many(path, workers, 1)
    with Memory.open(path) as memory:
        memory.backup(f"{path}.backup")
    content = (tmp_path / "memory.db.backup").read_bytes()
    (refusal,) = workers.run(f"full-backup 0 {path}")
    assert refusal.startswith("failed backup: the disk")
    assert "full" in refusal
    assert content == (tmp_path / "memory.db.backup").read_bytes()
    assert ["memory.db", "memory.db.backup"] == sorted(
        one.name for one in tmp_path.iterdir() if "-" not in one.name
    )


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system with room for two megabytes."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = shutil.which("mount")
    umount = shutil.which("umount")
    if mount is None or umount is None or os.geteuid() != 0:
        pytest.skip("only root can mount a file system")
    done = subprocess.run(
        [mount, "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder)], capture_output=True, check=False
    )
    if done.returncode:
        pytest.skip("no file system can be mounted here")
    yield folder
    subprocess.run([umount, str(folder)], check=True)


def test_a_disk_that_runs_full_loses_nothing_that_was_acknowledged(small_disk: Path) -> None:
    """On a real file system: what does not fit is refused, and the rest can be read."""
    path = small_disk / "luna.db"
    with Memory.open(path) as memory:
        luna = scope_of(memory)
        written = 0
        with pytest.raises(StoreError, match="full"):
            for written in range(1_000):
                luna.observe(f"{written} " + "so it goes " * 300, at=LATER)
        assert written > 20
        assert written == luna.stats().messages
        assert () == memory.selfcheck(now=LATER).findings
    with Memory.open(path) as memory:
        assert written == scope_of(memory).stats().messages


def test_a_lock_that_lasts_too_long_can_be_outwaited(workers: Nursery, tmp_path: Path) -> None:
    """By another process: writing is refused for now, reading goes on, and later the same call succeeds."""
    path = tmp_path / "memory.db"
    store = SqliteStore.open(path, busy_timeout_ms=100)
    with Memory.open(store=store) as memory:
        luna = scope_of(memory)
        luna.observe("I'm Nora.", at=LATER)
        other = threading.Thread(target=workers.run, args=(f"lock 1 {path}",))
        other.start()
        error = None
        for _ in range(200):
            try:
                luna.observe("I live in Lisbon.", at=LATER)
            except StoreError as caught:
                error = caught
                break
            threading.Event().wait(0.01)
        assert error is not None
        assert error.retryable
        assert 1 <= luna.stats().messages <= 2
        assert luna.prepare("hi", now=LATER).text is not None
        other.join()
        assert luna.observe("I play the cello.", at=LATER).intake.value == "stored"


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sound") / "luna.db"
    stock(path)
    return path


def told(path: Path, folder: Path) -> bytes:
    """Return everything a database tells of its relationship, in our own words."""
    with Memory.open(path) as memory:
        luna = scope_of(memory)
        luna.stats()
        luna.search("Nora basil 里斯本", now=LATER)
        luna.prepare("hi", now=LATER, new_session=False)
        for record in luna.list(everything=True, now=LATER):
            luna.explain(record.id)
        luna.export(folder / "told.jsonl", now=LATER)
    return (folder / "told.jsonl").read_bytes()


def verdict_on(path: Path, folder: Path, truth: bytes) -> str:
    """Return how damage shows: in an error, in a finding, or not at all because it changed nothing that is told."""
    found = None
    try:
        found = told(path, folder)
    except StoreError as error:
        assert not error.retryable
        return "refused"
    except UsageError as error:
        # An index that leads to a record under another id.
        assert error.field == "record_id"
    with Memory.open(path) as memory:
        severity = memory.selfcheck(now=LATER).severity
    if severity is Severity.FAIL:
        return "found"
    assert truth == found, "a text changed and nobody noticed"
    return "harmless"


def test_flipped_bits_are_refused_or_found_and_never_told(sound: Path, tmp_path: Path) -> None:
    """At seeded places all over the file; most hit something that matters."""
    rng = random.Random(5)  # noqa: S311  # a seeded test
    truth = told(sound, tmp_path)
    content = sound.read_bytes()
    places = [place for place, byte in enumerate(content) if byte]
    shown = Counter[str]()
    for number in range(FLIPS):
        path = tmp_path / f"flipped-{number}.db"
        flipped = bytearray(content)
        flipped[rng.choice(places)] ^= 1 << rng.randrange(8)
        path.write_bytes(flipped)
        shown[verdict_on(path, tmp_path, truth)] += 1
        path.unlink()
    assert shown["refused"] > FLIPS // 20
    assert shown["found"] > FLIPS // 10


def test_a_file_cut_short_is_refused_or_found(sound: Path, tmp_path: Path) -> None:
    """At any length, in the middle of a page as well; but for a cut that takes only the empty end of the last page."""
    rng = random.Random(6)  # noqa: S311  # a seeded test
    truth = told(sound, tmp_path)
    content = sound.read_bytes()
    for number in range(CUTS):
        path = tmp_path / f"cut-{number}.db"
        length = rng.randrange(1, len(content))
        path.write_bytes(content[:length])
        verdict = verdict_on(path, tmp_path, truth)
        assert verdict in ("refused", "found") or not any(content[length:])


def test_a_clock_that_goes_back_costs_time_and_nothing_else() -> None:
    """Work waits until the clock has caught up, an older statement replaces no newer one, and nothing contradicts itself."""
    with Memory.open() as memory:
        luna = scope_of(memory)
        luna.observe("My name is Nora.", session="s", at="2026-03-05T09:00:00Z")
        assert () == luna.learn(now="2026-03-04T09:00:00Z").admissions
        assert 1 == luna.stats().waiting
        assert ("accepted",) == tuple(
            one.outcome.value for one in luna.learn(now="2026-03-05T09:00:00Z").admissions
        )
        (older,) = luna.remember(
            "I'm Vera", predicate="identity.name", value="Vera", at="2026-03-03T09:00:00Z"
        )
        assert "outdated" == older.reason.value
        (name,) = luna.list(now="2026-03-05T09:00:00Z")
        for act in (luna.mute, luna.unmute, luna.delete, luna.restore, luna.note_recall):
            act(name.id, now="2026-03-01T09:00:00Z")
        assert "Nora" in luna.prepare("hi", now="2026-02-01T09:00:00Z").text
        assert "Nora" in luna.prepare("hi", now="2026-03-06T09:00:00Z").text
        report = memory.selfcheck(now="2026-03-06T09:00:00Z")
        assert ["instant_order"] == [one.code.value for one in report.findings]
        assert report.severity is Severity.WARN
        luna.forget(name.id, now="2026-01-01T09:00:00Z")
        (again,) = luna.remember(
            "I'm Nora", predicate="identity.name", value="Nora", at="2025-01-01T09:00:00Z"
        )
        assert "resurrection" == again.reason.value


def test_a_reader_that_outlives_an_erasure_delays_it_and_no_longer(tmp_path: Path) -> None:
    """It goes on seeing its snapshot; when it ends, the bytes go with the next thing anybody does."""
    path = tmp_path / "luna.db"
    stock(path)
    store = SqliteStore.open(path)
    with Memory.open(path) as memory:
        luna = scope_of(memory)
        with store.read(luna.scope) as view:
            assert view.record("claim-name") is not None
            luna.forget("claim-name", now=LATER)
            assert view.record("claim-name") is not None
            assert Severity.WARN is memory.selfcheck(now=LATER).severity
        assert memory.verify_forgotten("Nora").clean
        assert () == memory.selfcheck(now=LATER).findings
    store.close()


def test_a_backup_holds_nothing_that_a_reader_still_keeps(tmp_path: Path) -> None:
    """The copy is cleaned even while the database cannot be."""
    path, backup = tmp_path / "luna.db", tmp_path / "backup.db"
    stock(path)
    store = SqliteStore.open(path)
    with Memory.open(path) as memory:
        luna = scope_of(memory)
        with store.read(luna.scope):
            luna.forget("claim-name", now=LATER)
            assert any(b"Nora" in one.read_bytes() for one in tmp_path.glob("luna.db*"))
            memory.backup(backup)
        assert b"Nora" not in backup.read_bytes()
    store.close()


def test_a_fork_leaves_the_parent_whole(tmp_path: Path) -> None:
    """The child is told to open its own, does so, and both go on."""
    path = tmp_path / "luna.db"
    with Memory.open(path) as memory:
        luna = scope_of(memory)
        fill(luna)
        before = luna.stats().messages
        child = os.fork()
        if child == 0:
            code = 1
            try:
                luna.observe("From the child.", at=LATER)
            except StoreError as error:
                with Memory.open(path) as own:
                    scope_of(own).observe("From the child's own.", at=LATER)
                code = 0 if "fork" in error.problem else 2
            finally:
                os._exit(code)
        assert 0 == os.waitpid(child, 0)[1]
        luna.observe("From the parent.", at=LATER)
        assert before + 2 == luna.stats().messages
        assert () == memory.selfcheck(now=LATER).findings
