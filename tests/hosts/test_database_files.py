"""Files that are not as they should be: refused with a sentence that says what to do."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from nursery import Nursery

from cmemory.adapters.sqlite import SqliteStore
from cmemory.adapters.sqlite.migrations import MIGRATIONS
from cmemory.domain.errors import StoreError, UsageError
from cmemory.domain.model.changes import Changes
from cmemory.domain.model.ids import Revision
from cmemory.testing.builders import SCOPE, claim, episode, message


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A database that holds something."""
    path = tmp_path / "memory.db"
    store = SqliteStore.open(path)
    for number in range(50):
        with store.write(SCOPE) as unit:
            unit.apply(Changes(records=(claim(f"r-{number}", "cello " * 50),), messages=(message(),)))
    store.close()
    return path


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that everybody may look into."""
    folder = Path(tempfile.mkdtemp(prefix="cmemory-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def refused(path: Path, *, timeout_ms: int = 100) -> StoreError:
    """Return the error with which a file is refused."""
    with pytest.raises(StoreError) as caught:
        SqliteStore.open(path, busy_timeout_ms=timeout_ms)
    return caught.value


def test_reopening_changes_nothing(database: Path) -> None:
    """Steps that were taken are not taken again; the secret stays."""
    first = SqliteStore.open(database)
    second = SqliteStore.open(str(database))
    assert first.secret == second.secret
    with second.read(SCOPE) as view:
        assert len(view.records()) == 50
    first.close()
    second.close()


def test_another_secret_is_refused(database: Path) -> None:
    """And so is one that is too short."""
    for secret in (b"x" * 32, b"short"):
        with pytest.raises(UsageError) as caught:
            SqliteStore.open(database, secret=secret)
        assert caught.value.field == "secret"


def test_a_secret_that_is_given_is_kept(tmp_path: Path) -> None:
    """Without it, each new database has its own."""
    store = SqliteStore.open(tmp_path / "a.db", secret=b"x" * 32)
    store.close()
    again = SqliteStore.open(tmp_path / "a.db")
    other = SqliteStore.open(tmp_path / "b.db")
    assert again.secret == b"x" * 32 != other.secret
    again.close()
    other.close()


def test_a_writer_of_an_older_version_is_noticed(database: Path) -> None:
    """It knows nothing of marks, so that nothing is told of what came before it, now or later."""
    store = SqliteStore.open(database)

    def told() -> list[bool]:
        with store.read(SCOPE) as view:
            return [view.changes_since(Revision(at)) is not None for at in range(5)]

    with store.write(SCOPE) as unit:
        unit.apply(Changes(records=(claim("r-0"),), revision_step=1))
    assert told() == [True] * 5
    older = sqlite3.connect(database)
    older.execute("UPDATE records SET muted = 1 WHERE id = 'r-0'")
    older.execute("UPDATE scopes SET revision = 2")
    older.commit()
    older.close()
    assert told() == [False, False, False, True, True]
    with store.write(SCOPE) as unit:
        unit.apply(Changes(records=(claim("r-1"),), revision_step=1))
    assert told() == [False, False, False, True, True]
    store.close()


def test_a_story_that_an_older_version_wrote_is_found(database: Path) -> None:
    """It gives stories no number, so that they are looked at whatever they tell; reindexing numbers them."""
    store = SqliteStore.open(database)
    told = [episode("r-1", "the dog ran away", second=1), episode("r-2", "狗跑丢了", second=2)]
    with store.write(SCOPE) as unit:
        unit.apply(Changes(records=tuple(told), revision_step=1))
    older = sqlite3.connect(database)
    older.execute("UPDATE records SET story = NULL")
    older.commit()
    for _ in range(2):
        with store.read(SCOPE) as view:
            assert [told[:1], told[1:], []] == [
                list(view.stories(text)) for text in ("The dog ran away", "狗跑丢了", "猫跑丢了")
            ]
        store.reindex(SCOPE)
    assert older.execute(
        "SELECT count(*) FROM records WHERE kind = 'episode' AND story IS NULL"
    ).fetchone() == (0,)
    older.close()
    store.close()


def test_a_newer_database_is_refused_and_left_alone(database: Path) -> None:
    """The sentence names both versions."""
    connection = sqlite3.connect(database)
    newer = len(MIGRATIONS) + 1
    connection.execute(f"PRAGMA user_version={newer}")
    connection.close()
    before = database.read_bytes()
    error = refused(database)
    assert f"version {newer}" in error.problem
    assert "upgrade" in error.problem
    assert not error.retryable
    assert before == database.read_bytes()


@pytest.mark.parametrize(
    "statement",
    ["CREATE TABLE notes (text)", "PRAGMA application_id=1", "PRAGMA user_version=1"],
)
def test_a_database_of_another_application_is_refused_and_left_alone(tmp_path: Path, statement: str) -> None:
    """Whichever way it shows."""
    path = tmp_path / "other.db"
    connection = sqlite3.connect(path)
    connection.execute(statement)
    connection.close()
    before = path.read_bytes()
    assert "another application" in refused(path).problem
    assert before == path.read_bytes()


def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    """Such as a letter."""
    path = tmp_path / "letter.txt"
    path.write_text("Dear Luna, " * 500)
    assert "no SQLite database" in refused(path).problem
    assert path.read_text() == "Dear Luna, " * 500


def test_a_damaged_database_says_what_can_be_done(database: Path) -> None:
    """Opening may succeed, reading what is damaged does not."""
    content = bytearray(database.read_bytes())
    content[4096 * 2 :] = b"\xa5" * (len(content) - 4096 * 2)
    database.write_bytes(content)
    with pytest.raises(StoreError) as caught:
        store = SqliteStore.open(database)
        try:
            with store.read(SCOPE) as view:
                view.records()
        finally:
            store.close()
    assert "restore a backup" in caught.value.problem
    assert not caught.value.retryable


def test_a_database_cut_short_is_damaged(database: Path) -> None:
    """As after a copy that was not finished."""
    with database.open("r+b") as file:
        file.truncate(4096 * 3)
    assert "restore a backup" in refused(database).problem


def test_a_missing_folder_is_named_as_the_fault(tmp_path: Path) -> None:
    """Nothing is made on the way."""
    assert "folder" in refused(tmp_path / "nowhere" / "memory.db").problem
    assert not (tmp_path / "nowhere").exists()


def test_a_folder_is_no_database(tmp_path: Path) -> None:
    """Nor is anything else that is no regular file."""
    assert "regular file" in refused(tmp_path).problem
    os.mkfifo(tmp_path / "pipe")
    assert "regular file" in refused(tmp_path / "pipe").problem


def test_the_files_are_for_their_owner_alone(tmp_path: Path) -> None:
    """Under any umask; a mode the owner gave an existing file is kept."""
    path = tmp_path / "memory.db"
    for umask in (0o000, 0o277):
        before = os.umask(umask)
        try:
            store = SqliteStore.open(path)
            with store.write(SCOPE) as unit:
                unit.apply(Changes(records=(claim(),)))
            files = store.footprint().files
            assert len(files) == 3
            assert {0o600} == {stat.S_IMODE(Path(name).stat().st_mode) for name in files}
            store.close()
        finally:
            os.umask(before)
        path.unlink()
    path.touch(mode=0o640)
    path.chmod(0o640)
    SqliteStore.open(path).close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_writer_that_keeps_the_database_can_be_outwaited(database: Path) -> None:
    """The error says that trying again may help; reading goes on meanwhile."""
    store = SqliteStore.open(database, busy_timeout_ms=50)
    connection = sqlite3.connect(database, isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreError) as caught, store.write(SCOPE):
        pass
    assert caught.value.retryable
    with store.read(SCOPE) as view:
        assert len(view.records()) == 50
    connection.execute("ROLLBACK")
    connection.close()
    with store.write(SCOPE) as unit:
        unit.apply(Changes(records=(claim("r-new"),)))
    store.close()


def test_errors_hold_no_text_of_a_person(database: Path) -> None:
    """Whatever the vendor says."""
    store = SqliteStore.open(database)
    with pytest.raises(StoreError) as caught, store.write(SCOPE) as unit:
        unit.apply(Changes(messages=(message(text="my secret \ud800"),)))
    assert "my secret" not in str(caught.value)
    store.close()


def test_a_read_only_file_can_be_read(workers: Nursery, open_folder: Path) -> None:
    """Writing is refused for good."""
    path = open_folder / "memory.db"
    SqliteStore.open(path).close()
    path.chmod(0o444)
    open_folder.chmod(0o777)
    read, failed = workers.run(f"nobody 0 {path}")
    assert read == "read 0"
    assert failed.startswith("failed write: the database file or its folder is read-only")
    assert "later" not in failed


def test_a_read_only_folder_is_refused(workers: Nursery, open_folder: Path) -> None:
    """Both for a database that is there and for one that would have to be made."""
    path = open_folder / "memory.db"
    SqliteStore.open(path).close()
    path.chmod(0o444)
    (failed,) = workers.run(f"nobody 0 {path}")
    assert failed.startswith("failed open: the database file or its folder is read-only")
    (failed,) = workers.run(f"nobody 0 {open_folder / 'new.db'}")
    assert failed.startswith("failed open: the file cannot be opened")


def test_a_full_disk_loses_nothing_that_was_acknowledged(workers: Nursery, tmp_path: Path) -> None:
    """The unit that does not fit is refused; when there is room again, writing goes on."""
    path = tmp_path / "memory.db"
    lines = workers.run(f"fill 1 {path}")
    (refusal,) = [line for line in lines if line.startswith("refused")]
    assert "full" in refusal
    acknowledged = [line for line in lines if line.startswith("acknowledged")]
    assert len(acknowledged) > 5
    store = SqliteStore.open(path)
    with store.read(SCOPE) as view:
        assert len(view.records()) == len(acknowledged) == view.revision()
    store.close()


def test_a_store_is_not_carried_across_a_fork(database: Path) -> None:
    """SQLite's connections must not be; the child is told to open its own."""
    store = SqliteStore.open(database)
    child = os.fork()
    if child == 0:
        try:
            with store.read(SCOPE):
                os._exit(1)
        except StoreError as error:
            os._exit(0 if "fork" in error.problem else 2)
    assert os.waitpid(child, 0)[1] == 0
    store.close()
