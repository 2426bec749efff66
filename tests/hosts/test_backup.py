"""A backup is whole or not there; restoring it brings nothing back that was forgotten since."""

from __future__ import annotations

import json
import os
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from nursery import Nursery
from old import make_old
from stocked import FORGOTTEN, LATER, scope_of, stock

from cmemory import ByEntity, ByPredicate, Everything, Memory, StoreError, UsageError
from cmemory.adapters.sqlite import SqliteStore
from cmemory.domain.audit.finding import Code
from cmemory.ports.store import ANY_STATUS
from cmemory.testing.builders import SCOPE

AFTER = "2026-03-10T09:00:00Z"


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "luna.db"
    stock(path)
    return path


@pytest.fixture
def backup(database: Path, tmp_path: Path) -> Path:
    """A backup of it, from before what the test does."""
    path = tmp_path / "backup.db"
    with Memory.open(database) as memory:
        memory.backup(path)
    return path


def held(path: Path) -> set[bytes]:
    """Return the bytes of every file of a database."""
    return {path.read_bytes() for path in path.parent.glob(path.name + "*")}


def left(path: Path, text: str) -> bool:
    return any(text.encode("utf-8") in content for content in held(path))


def everything(path: Path) -> tuple[object, ...]:
    with Memory.open(path) as memory:
        luna = scope_of(memory)
        return luna.list(everything=True), luna.stats(), memory.selfcheck(now=LATER).findings


def test_a_backup_is_the_database_as_it_was(database: Path, backup: Path) -> None:
    """One file, for its owner alone, sound, and equal in everything."""
    assert 0o600 == stat.S_IMODE(backup.stat().st_mode)
    assert ["backup.db", "luna.db"] == sorted(one.name for one in backup.parent.iterdir())
    assert everything(database) == everything(backup)


def test_a_backup_holds_what_others_have_committed(workers: Nursery, tmp_path: Path) -> None:
    """Several are made while two processes write: each is one moment of it, whole."""
    path = tmp_path / "memory.db"
    SqliteStore.open(path).close()
    store = SqliteStore.open(path)
    reports = []
    done = threading.Event()

    def make() -> None:
        while not done.is_set():
            reports.append(store.back_up(str(tmp_path / f"b{len(reports)}.db")))

    thread = threading.Thread(target=make)
    thread.start()
    workers.run(f"append 1 {path}", f"append 2 {path}")
    done.set()
    thread.join()
    store.close()
    seen = []
    for report in reports:
        copy = SqliteStore.open(report.path)
        with copy.read(SCOPE) as view:
            assert view.revision() == len(view.records(ANY_STATUS)) == len(view.messages())
            seen.append(view.revision())
        copy.close()
    assert sorted(seen) == seen
    assert len(set(seen)) > 2


def test_a_file_that_is_there_stays(database: Path, backup: Path) -> None:
    """Unless it is wanted otherwise; the database itself and one in use are never replaced."""
    other = backup.with_name("other.db")
    with Memory.open(database) as memory, Memory.open(other):
        before = backup.read_bytes()
        with pytest.raises(UsageError, match="there already"):
            memory.backup(backup)
        assert before == backup.read_bytes()
        scope_of(memory).observe("One thing more.", at=AFTER)
        assert len(before) <= memory.backup(backup, overwrite=True).bytes
        assert left(backup, "One thing more.")
        with pytest.raises(UsageError, match="database itself"):
            memory.backup(database, overwrite=True)
        with pytest.raises(UsageError, match="in use"):
            memory.backup(other, overwrite=True)


def test_a_memory_without_a_file_has_no_backup(tmp_path: Path) -> None:
    """There is nothing to copy; it can be exported."""
    with pytest.raises(UsageError, match="export"):
        Memory.open().backup(tmp_path / "b.db")


def test_a_missing_folder_is_named(database: Path) -> None:
    """Nothing is made on the way."""
    with Memory.open(database) as memory, pytest.raises(StoreError, match="folder"):
        memory.backup(database.parent / "missing" / "b.db")


def test_a_damaged_database_gives_no_backup(database: Path, tmp_path: Path) -> None:
    """A copy of damage is none."""
    damage(database)
    with Memory.open(database) as memory, pytest.raises(StoreError, match="damaged"):
        memory.backup(tmp_path / "b.db")
    assert ["luna.db"] == [one.name for one in tmp_path.iterdir()]


def test_what_contradicts_itself_is_copied_and_told(database: Path, tmp_path: Path) -> None:
    """A backup with a fault is better than none."""
    connection = sqlite3.connect(database)
    connection.execute("DELETE FROM terms")
    connection.commit()
    connection.close()
    with Memory.open(database) as memory:
        assert {Code.INDEX_MISSING} == {one.code for one in memory.backup(tmp_path / "b.db").findings}


def damage(path: Path) -> None:
    """Break the page of an index."""
    connection = sqlite3.connect(path)
    (root,) = connection.execute(
        "SELECT rootpage FROM sqlite_master WHERE name = 'decisions_by_time'"
    ).fetchone()
    connection.close()
    with path.open("r+b") as file:
        file.seek((root - 1) * 4096 + 3)
        file.write(b"\x00\x00")


def test_restoring_brings_the_old_state_back(database: Path, backup: Path) -> None:
    """Of what came since, nothing is left; the backup stays as it is."""
    before, content = everything(backup), backup.read_bytes()
    with Memory.open(database) as memory:
        scope_of(memory).remember("I live in Porto", predicate="goal.aspiration", value="Porto", at=AFTER)
    report = Memory.restore_backup(backup, database, now=AFTER)
    assert (True, 0, 0) == (report.kept_forgetting, report.records, report.messages)
    after = everything(database)
    assert before[0] == after[0]
    assert () == after[2]
    assert content == backup.read_bytes()
    assert ["backup.db", "luna.db"] == sorted(one.name for one in backup.parent.iterdir())
    assert 0o600 == stat.S_IMODE(database.stat().st_mode)


def test_restoring_makes_a_database_where_there_is_none(backup: Path, tmp_path: Path) -> None:
    """As on a new machine."""
    report = Memory.restore_backup(backup, tmp_path / "new.db")
    assert not report.kept_forgetting
    assert everything(backup) == everything(tmp_path / "new.db")


TARGETS = {
    "record": ("claim-name", "Nora"),
    "entity": (ByEntity("里斯本"), "里斯本"),
    "key": (ByPredicate("ritual.recurring_activity"), "Sundays"),
    "message": ("m-9", "cello"),
    "part of a message": ("claim-porto", "Porto"),
    "episode": ("episode-fog", "bakery"),
    "everything": (Everything.EVERYTHING, "Nora"),
}


@pytest.mark.parametrize("what", TARGETS)
def test_what_was_forgotten_since_stays_forgotten(database: Path, backup: Path, what: str) -> None:
    """No byte of it is left, it is not shown, and it does not come back by being said again."""
    target, word = TARGETS[what]
    with Memory.open(database) as memory:
        scope_of(memory).forget(target, now=AFTER)
        guard = scope_of(memory).stats().forgotten
    assert left(backup, word)
    report = Memory.restore_backup(backup, database, now=AFTER)
    assert report.kept_forgetting
    assert report.suppressions
    assert not left(database, word)
    with Memory.open(database) as memory:
        assert memory.verify_forgotten(word).clean
        assert () == memory.selfcheck(now=AFTER).findings
        luna = scope_of(memory)
        assert guard <= luna.stats().forgotten
        assert not [one for one in luna.list(everything=True) if word in str(one)]
        (again,) = luna.remember("I'm Nora!", predicate="identity.name", value="Nora", at=AFTER)
        assert (again.reason.value == "resurrection") is (what in ("record", "everything"))


def test_a_mask_since_reaches_the_survivors(database: Path, backup: Path) -> None:
    """The message that proves something else keeps its place and loses the words."""
    with Memory.open(database) as memory:
        luna = scope_of(memory)
        said = "I run on Sundays."
        [other] = luna.remember(
            said, predicate="goal.current_focus", value="I run", quote="I run", at=AFTER, message_id="m-5"
        )
        assert other.stored
        memory.backup(backup, overwrite=True)
        luna.forget("claim-run", now=AFTER)
        masked = luna.explain(other.record_id or "").messages[0].text
    Memory.restore_backup(backup, database, now=AFTER)
    with Memory.open(database) as memory:
        luna = scope_of(memory)
        assert masked == luna.explain(other.record_id or "").messages[0].text == "I run***********."
        assert () == memory.selfcheck(now=AFTER).findings
        assert memory.verify_forgotten("on Sundays").clean


def test_a_mask_reaches_a_backup_that_never_knew_the_record(database: Path, backup: Path) -> None:
    """The record was made and forgotten after the backup; its words are in a message that the backup has."""
    said = "I sold the cello."
    with Memory.open(database) as memory:
        luna = scope_of(memory)
        facts = [
            luna.remember(
                said, predicate=key, value=value, quote=value, at=AFTER, session="s9", message_id="m-9"
            )[0]
            for key, value in (("goal.current_focus", "I sold"), ("goal.aspiration", "the cello"))
        ]
        luna.forget(facts[1].record_id or "", now=AFTER)
    report = Memory.restore_backup(backup, database, now=AFTER)
    assert (0, 1) == (report.records, report.messages)
    assert left(backup, "cello")
    assert not left(database, "cello")
    with Memory.open(database) as memory:
        assert () == memory.selfcheck(now=AFTER).findings


def test_restoring_twice_changes_nothing_more(database: Path, backup: Path) -> None:
    """What is erased is erased."""
    with Memory.open(database) as memory:
        scope_of(memory).forget("claim-name", now=AFTER)
    Memory.restore_backup(backup, database, now=AFTER)
    first = everything(database)[0]
    report = Memory.restore_backup(backup, database, now=AFTER)
    assert 1 == report.records
    assert first == everything(database)[0]


def test_the_revision_never_goes_back(database: Path, backup: Path) -> None:
    """What another process prepared for a revision is good for that state only."""
    with Memory.open(database) as memory:
        for number in range(9):
            scope_of(memory).remember(f"goal {number}", predicate="goal.aspiration", at=AFTER)
        before = scope_of(memory).stats().revision
    Memory.restore_backup(backup, database, now=AFTER)
    with Memory.open(database) as memory:
        assert scope_of(memory).stats().revision > before


def test_without_keeping_it_the_forgotten_is_back(database: Path, backup: Path) -> None:
    """Which has to be asked for."""
    with Memory.open(database) as memory:
        scope_of(memory).forget("claim-name", now=AFTER)
    report = Memory.restore_backup(backup, database, keep_forgetting=False)
    assert not report.kept_forgetting
    assert everything(backup) == everything(database)
    assert left(database, "Nora")
    assert not left(database, FORGOTTEN)


def test_the_forgetting_of_another_database_is_not_mixed_in(backup: Path, tmp_path: Path) -> None:
    """Its hashes were made with another key; the database stays as it was."""
    other = tmp_path / "other.db"
    with Memory.open(other) as memory:
        scope_of(memory).observe("Quite another story.", at=AFTER)
    with pytest.raises(UsageError, match="another database"):
        Memory.restore_backup(backup, other)
    assert left(other, "Quite another story.")
    Memory.restore_backup(backup, other, keep_forgetting=False)
    assert everything(backup) == everything(other)


def test_a_database_in_use_is_not_replaced(database: Path, backup: Path) -> None:
    """Here or in another process."""
    before = everything(database)
    with Memory.open(database), pytest.raises(StoreError, match="open elsewhere") as caught:
        Memory.restore_backup(backup, database)
    assert caught.value.retryable
    with elsewhere(database), pytest.raises(StoreError, match="open elsewhere"):
        Memory.restore_backup(backup, database, keep_forgetting=False)
    assert before == everything(database)
    Memory.restore_backup(backup, database)


class elsewhere:  # noqa: N801 - reads as a context
    """Another process that has the database open."""

    _PROGRAM = """
import sys
from cmemory import Memory
with Memory.open(sys.argv[1]):
    print(flush=True)
    sys.stdin.read()
"""

    def __init__(self, database: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", self._PROGRAM, str(database)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def __enter__(self) -> None:
        assert self._process.stdout is not None
        self._process.stdout.readline()

    def __exit__(self, *_: object) -> None:
        self._process.communicate()


def newer(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version=99")
    connection.close()


def test_newer_files_are_refused(database: Path, backup: Path) -> None:
    """The backup, and the database that would be lost."""
    before = backup.read_bytes()
    newer(database)
    for keep in (True, False):
        with pytest.raises(StoreError, match="upgrade"):
            Memory.restore_backup(backup, database, keep_forgetting=keep)
    newer(backup)
    with pytest.raises(StoreError, match="upgrade"):
        Memory.restore_backup(backup, database.with_name("new.db"))
    assert not database.with_name("new.db").exists()
    assert before != backup.read_bytes()


def test_a_backup_that_fails_its_check_is_refused(database: Path, backup: Path) -> None:
    """The database stays as it was."""
    before = everything(database)
    connection = sqlite3.connect(backup)
    connection.execute("DELETE FROM terms")
    connection.commit()
    connection.close()
    with pytest.raises(StoreError, match="fails its check"):
        Memory.restore_backup(backup, database)
    damage(backup)
    with pytest.raises(StoreError, match="fails its check"):
        Memory.restore_backup(backup, database)
    os.truncate(backup, 4096 * 3)
    with pytest.raises(StoreError):
        Memory.restore_backup(backup, database)
    backup.write_text("Dear Luna, " * 500)
    with pytest.raises(StoreError, match="no SQLite database"):
        Memory.restore_backup(backup, database)
    for wrong in (backup.with_name("missing.db"), database):
        with pytest.raises(UsageError):
            Memory.restore_backup(wrong, database)
    assert before == everything(database)


def test_a_damaged_database_can_be_replaced_and_is_set_aside(database: Path, backup: Path) -> None:
    """Its forgetting cannot be read, so not keeping it has to be said."""
    os.truncate(database, 4096 * 3)
    content = database.read_bytes()
    with pytest.raises(StoreError, match="cannot be carried over"):
        Memory.restore_backup(backup, database)
    assert content == database.read_bytes()
    Memory.restore_backup(backup, database, keep_forgetting=False)
    assert everything(backup) == everything(database)
    assert content == database.with_name("luna.db.damaged").read_bytes()


def test_a_backup_of_an_older_version_is_brought_up_to_date(
    database: Path, backup: Path, tmp_path: Path
) -> None:
    """In the copy; the backup itself stays as it is."""
    make_old(backup)
    content = backup.read_bytes()
    Memory.restore_backup(backup, tmp_path / "new.db")
    assert content == backup.read_bytes()
    assert everything(database)[0] == everything(tmp_path / "new.db")[0]
    assert () == everything(tmp_path / "new.db")[2]


@pytest.fixture
def call(database: Path) -> Iterator[object]:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "cmemory", "--database", str(database), "--now", AFTER, *arguments],
            capture_output=True,
            text=True,
            check=False,
        )

    yield run


def test_the_commands(call: object, backup: Path, database: Path) -> None:
    """As the how-to page has it."""
    assert callable(call)
    done = call("backup", str(backup))
    assert (2, True) == (done.returncode, "already" in done.stderr)
    done = call("backup", str(backup), "--force", "--json")
    assert (0, []) == (done.returncode, json.loads(done.stdout)["findings"])
    assert (
        0
        == call(
            "--service", "lamplight", "--owner", "u-42", "--profile", "luna", "forget", "claim-name"
        ).returncode
    )
    done = call("restore-backup", str(backup), "--json")
    assert (0, 1) == (done.returncode, json.loads(done.stdout)["records"])
    assert not left(database, "Nora")
    assert 0 == call("restore-backup", str(backup), "--no-keep-forgetting").returncode
    assert left(database, "Nora")
