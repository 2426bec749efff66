"""The journal's file: what stands in it, what becomes of damage, and that what went leaves no byte."""

from __future__ import annotations

import json
import os
import stat
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cmemory.adapters.files.journal import FileJournal
from cmemory.adapters.files.ledger import MOST_LINE_BYTES
from cmemory.domain.errors import StoreError, UsageError
from cmemory.domain.model.message import Message
from cmemory.domain.policy import InboxPolicy
from cmemory.ports.inbox import Queued
from cmemory.testing.builders import SCOPE, at, message
from cmemory.testing.contracts.inbox import fill, names

OTHER = attrs.evolve(SCOPE, owner="neighbour")
POLICY = InboxPolicy()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the journal lies."""
    return tmp_path / "inbox.jsonl"


@pytest.fixture
def journal(path: Path) -> Iterator[FileJournal]:
    """A fresh journal."""
    with FileJournal.open(path) as opened:
        yield opened


def lines_of(path: Path) -> list[dict[str, Any]]:
    """Return the lines of the file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def held(path: Path) -> tuple[list[str], int]:
    """Return what waits according to a fresh reader, and how many lines it passed over."""
    with FileJournal.open(path) as journal:
        return names(journal.inbox(SCOPE).held()), journal.skipped


def write(path: Path, *lines: bytes) -> None:
    """Write a file of lines."""
    path.write_bytes(b"".join(line + b"\n" for line in lines))


def enqueued(tmp_path: Path, *said: Message) -> list[bytes]:
    """Return the lines that let messages wait, as we write them."""
    path = tmp_path / "model.jsonl"
    with FileJournal.open(path) as journal:
        for one in said:
            journal.inbox(SCOPE).enqueue(one, now=one.at)
    lines = path.read_bytes().splitlines()
    path.unlink()
    return lines


# -- what stands in the file


def test_a_line_says_all_there_is_to_say(journal: FileJournal, path: Path) -> None:
    """Hosts in other languages may write the same."""
    journal.inbox(SCOPE).enqueue(message("m-1", "我叫周眠。"), now=at(0))
    (line,) = lines_of(path)
    assert line == {
        "version": 1,
        "type": "enqueue",
        "job": {
            "id": f"{SCOPE.key}:m-1",
            "scope": {"service": SCOPE.service, "owner": SCOPE.owner, "profile": SCOPE.profile},
            "message": {
                "id": "m-1",
                "session": "s-1",
                "speaker": "user",
                "text": "我叫周眠。",
                "at": str(at(0)),
            },
            "enqueued_at": str(at(0)),
            "standing": {"attempts": 0, "due_at": str(at(0)), "dead": False},
        },
    }


def test_a_line_is_on_the_medium_before_the_call_returns(
    journal: FileJournal, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bytes are there when they are synchronised, and that happens."""
    sizes = []

    def note(descriptor: int) -> None:
        sizes.append(os.fstat(descriptor).st_size)

    monkeypatch.setattr(os, "fsync", note)
    journal.inbox(SCOPE).enqueue(message("m-1"), now=at(0))
    assert sizes == [path.stat().st_size]


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o777])
def test_only_the_owner_may_read_it(path: Path, umask: int) -> None:
    """Also after it was written anew, and whatever the umask says."""
    before = os.umask(umask)
    try:
        with FileJournal.open(path) as journal:
            fill(journal.inbox(SCOPE), "m-1", "m-2")
            made = stat.S_IMODE(path.stat().st_mode)
            journal.inbox(SCOPE).done(("m-1",))
    finally:
        os.umask(before)
    assert (made, stat.S_IMODE(path.stat().st_mode)) == (0o600, 0o600)


def test_relationships_are_apart(journal: FileJournal) -> None:
    """One file serves all of them, also where message ids are the same."""
    mine, theirs = journal.inbox(SCOPE), journal.inbox(OTHER)
    mine.enqueue(message("m-1", "mine"), now=at(0))
    theirs.enqueue(message("m-1", "theirs"), now=at(0))
    assert [one.message.text for one in theirs.held()] == ["theirs"]
    assert {SCOPE, OTHER} == set(journal.scopes())
    mine.done(("m-1",))
    assert [OTHER] == list(journal.scopes())


def test_how_a_message_stands_outlasts_the_process(journal: FileJournal, path: Path) -> None:
    """Attempts, times and death are read again."""
    fill(journal.inbox(SCOPE), "m-1", "m-2", "m-3")
    journal.inbox(SCOPE).put_off("m-1", now=at(1), policy=POLICY)
    journal.inbox(SCOPE).put_off("m-2", now=at(1), policy=POLICY, retryable=False)
    journal.inbox(SCOPE).defer("m-3", now=at(9), policy=POLICY)
    with FileJournal.open(path) as again:
        assert list(again.inbox(SCOPE).held()) == list(journal.inbox(SCOPE).held())
        again.inbox(SCOPE).done(("m-3",))
        assert list(again.inbox(SCOPE).held()) == list(journal.inbox(SCOPE).held())


# -- what went leaves nothing


def test_finished_text_disappears_from_the_file(journal: FileJournal, path: Path) -> None:
    """Every byte of it, while the rest waits on."""
    for name, words in (("m-1", "biopsy"), ("m-2", "weather"), ("m-3", "体检")):
        journal.inbox(SCOPE).enqueue(message(name, words), now=at(0))
    journal.inbox(SCOPE).done(("m-1", "m-3"))
    raw = path.read_bytes()
    assert b"biopsy" not in raw and "体检".encode() not in raw and b"weather" in raw
    assert [line["type"] for line in lines_of(path)] == ["enqueue"]
    assert (journal.contains("biopsy"), journal.contains("weather")) == (False, True)
    assert {file.name for file in path.parent.iterdir()} == {"inbox.jsonl", "inbox.jsonl.lock"}


@pytest.mark.parametrize("words", ['she said "no"', "line\nbreak", "\\back\\slash", "体检\t报告"])
def test_a_text_is_found_however_it_is_spelt(journal: FileJournal, path: Path, words: str) -> None:
    """Escaped by us, or by a writer who escapes everything but ASCII."""
    journal.inbox(SCOPE).enqueue(message("m-1", f"and {words} then"), now=at(0))
    assert journal.contains(words)
    path.write_text(json.dumps(lines_of(path)[0]) + "\n")
    assert journal.contains(words)
    assert names(journal.inbox(SCOPE).held()) == ["m-1"]


def test_what_a_dying_process_left_behind_is_cleared_away(path: Path, tmp_path: Path) -> None:
    """A marker without its compaction, and a draft that never took its place."""
    lines = enqueued(tmp_path, message("m-1", "biopsy"), message("m-2", "weather"))
    marker = json.dumps({"version": 1, "type": "complete", "id": f"{SCOPE.key}:m-1"}).encode()
    write(path, *lines, marker)
    path.with_name("inbox.jsonl.tmp").write_bytes(b"biopsy")
    assert held(path) == (["m-2"], 0)
    assert not any(b"biopsy" in file.read_bytes() for file in tmp_path.iterdir())


def test_a_marker_without_room_is_not_needed(path: Path, tmp_path: Path) -> None:
    """Writing the file anew lets the message go by itself."""
    lines = enqueued(tmp_path, message("m-1", "biopsy"), message("m-2", "weather"))
    write(path, *lines)
    with FileJournal.open(path, max_bytes=path.stat().st_size) as journal:
        journal.inbox(SCOPE).done(("m-1",))
    assert held(path) == (["m-2"], 0)
    assert b"biopsy" not in path.read_bytes()


def test_a_marker_holds_when_the_file_cannot_be_written_anew(
    journal: FileJournal, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The caller hears that words are left; the message stays gone, and the words go at the next turn."""
    fill(journal.inbox(SCOPE), "m-1", "m-2")

    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", refuse)
        with pytest.raises(StoreError, match="disk is full"):
            journal.inbox(SCOPE).done(("m-1",))
        assert names(journal.inbox(SCOPE).held()) == ["m-2"]
        assert journal.contains("text of m-1")
        with pytest.raises(StoreError, match="disk is full"):
            journal.inbox(SCOPE).done(("m-1",))
        with pytest.raises(StoreError, match="disk is full"):
            journal.inbox(SCOPE).done(())
    assert not journal.contains("text of m-1")
    assert held(path) == (["m-2"], 0)


def test_without_marker_and_without_compaction_the_message_stays(
    journal: FileJournal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is better worked twice than lost."""
    fill(journal.inbox(SCOPE), "m-1")

    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", refuse)
        patch.setattr(os, "write", refuse)
        with pytest.raises(StoreError, match="disk is full"):
            journal.inbox(SCOPE).done(("m-1",))
        with pytest.raises(StoreError, match="disk is full"):
            journal.inbox(SCOPE).put_off("m-1", now=at(1), policy=POLICY)
    assert [one.job.attempts for one in journal.inbox(SCOPE).held()] == [0]


# -- how large it may become


def test_a_full_journal_refuses_clearly_and_loses_nothing(path: Path) -> None:
    """The answer is a value; when something is done, there is room again."""
    with FileJournal.open(path, max_bytes=2_000) as journal:
        inbox = journal.inbox(SCOPE)
        answers = [inbox.enqueue(message(f"m-{number}"), now=at(number)) for number in range(20)]
        accepted = answers.count(Queued.ACCEPTED)
        assert answers == [Queued.ACCEPTED] * accepted + [Queued.FULL] * (20 - accepted)
        assert 3 < accepted < 20
        assert len(inbox.held()) == accepted
        assert inbox.enqueue(message("m-0"), now=at(0)) is Queued.KNOWN
        inbox.done(("m-0",))
        assert inbox.enqueue(message("m-19"), now=at(19)) is Queued.ACCEPTED
        assert path.stat().st_size <= 2_000


def test_failing_often_leaves_room_for_new_messages(path: Path) -> None:
    """Lines that only say how a message stands make way."""
    with FileJournal.open(path, max_bytes=2_000) as journal:
        inbox = journal.inbox(SCOPE)
        fill(inbox, "m-1", "m-2")
        for _ in range(100):
            inbox.defer("m-1", now=at(9), policy=POLICY)
            inbox.put_off("m-2", now=at(9), policy=attrs.evolve(POLICY, max_attempts=1_000))
        assert inbox.enqueue(message("m-3"), now=at(9)) is Queued.ACCEPTED
        assert [one.job.attempts for one in inbox.held()] == [0, 100, 0]


def test_a_message_too_long_for_a_line_is_refused(journal: FileJournal, path: Path) -> None:
    """What could not be read again is not written; the longest that is written is read again."""
    inbox = journal.inbox(SCOPE)
    with pytest.raises(UsageError):
        inbox.enqueue(message("m-1", "x" * MOST_LINE_BYTES), now=at(0))
    inbox.enqueue(message("m-2", "x" * (MOST_LINE_BYTES - 500)), now=at(0))
    inbox.put_off("m-2", now=at(0), policy=attrs.evolve(POLICY, max_attempts=10**9))
    fill(inbox, "m-3")
    inbox.done(("m-3",))
    assert held(path) == (["m-2"], 0)


# -- damage


def test_a_torn_tail_takes_nothing_along(tmp_path: Path) -> None:
    """Cut anywhere in its last line: it counts whole or not at all, and no other line is lost with it."""
    said = [message(f"m-{number}", f"Zwölf 体检 {number}", second=number) for number in range(3)]
    lines = enqueued(tmp_path, *said)
    before = b"".join(line + b"\n" for line in lines[:2])
    path = tmp_path / "inbox.jsonl"
    for cut in range(len(lines[2]) + 1):
        path.write_bytes(before + lines[2][:cut])
        whole = ["m-2"] if cut == len(lines[2]) else []
        with FileJournal.open(path) as journal:
            inbox = journal.inbox(SCOPE)
            assert (names(inbox.held()), journal.skipped) == (["m-0", "m-1", *whole], 0)
            assert inbox.enqueue(message("m-9"), now=at(9)) is Queued.ACCEPTED
        assert held(path) == (["m-0", "m-1", *whole, "m-9"], int(0 < cut < len(lines[2])))


@given(st.data())
def test_damage_anywhere_takes_only_the_damaged_lines_along(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """Bytes that were overwritten or inserted, not in the other lines: those wait as before."""
    tmp_path = tmp_path_factory.mktemp("damage")
    lines = enqueued(tmp_path, *(message(f"m-{number}", second=number) for number in range(4)))
    at_line = data.draw(st.integers(0, 3))
    line = lines[at_line]
    cut = data.draw(st.integers(0, len(line)))
    noise = data.draw(st.binary(max_size=40))
    lines[at_line] = line[:cut] + noise + line[cut + data.draw(st.integers(0, 40)) :]
    path = tmp_path / "inbox.jsonl"
    write(path, *lines)
    found, _ = held(path)
    assert [one for one in found if one != f"m-{at_line}"] == [
        f"m-{number}" for number in range(4) if number != at_line
    ]


def _changed(line: bytes, **job: object) -> bytes:
    data = json.loads(line)
    data["job"].update(job)
    return json.dumps(data).encode()


def test_what_cannot_be_read_is_passed_over_and_counted(path: Path, tmp_path: Path) -> None:
    """Other versions, other kinds, wrong forms, broken text: none of them spoils another."""
    first, last = enqueued(tmp_path, message("m-1"), message("m-2", second=1))
    data = json.loads(first)
    surrogate = first.replace(b"I like green tea", b"I like \\ud800 tea").replace(b"m-1", b"m-7")
    bad = [
        b"not json",
        b"[]",
        b"\xff\xfe broken",
        b'{"version":1}',
        json.dumps({**data, "version": 2}).encode(),
        json.dumps({**data, "version": True}).encode(),
        json.dumps({**data, "type": "forget"}).encode(),
        json.dumps({**data, "type": 5}).encode(),
        _changed(first, id="m-1"),
        _changed(first, scope={"service": "a", "owner": "*", "profile": "b"}),
        _changed(first, extra=1),
        _changed(first, enqueued_at="yesterday"),
        _changed(first, standing={"attempts": 1e400, "due_at": str(at(0)), "dead": False}),
        b'{"version":1,"type":"complete","id":7}',
        b'{"version":1,"type":"standing","id":7,"standing":{"due_at":"2026-03-01T09:00:00Z"}}',
        b'{"version":1,"type":"standing","id":"x","standing":{}}',
        surrogate,
        b"[" * 100_000,
        b"x" * (9 * 1_048_576),
    ]
    write(path, first, *bad, b"", b'{"version":1,"type":"complete","id":"unknown"}', last)
    assert held(path) == (["m-1", "m-2"], len(bad))
    with FileJournal.open(path) as journal:
        journal.inbox(SCOPE).done(("m-1",))
        assert journal.skipped == 0
    assert held(path) == (["m-2"], 0)


def test_a_second_line_about_a_waiting_message_adds_nothing(path: Path, tmp_path: Path) -> None:
    """As a host may write that does not look first."""
    (line,) = enqueued(tmp_path, message("m-1"))
    write(path, line, line)
    assert held(path) == (["m-1"], 0)
    write(path, line)
    with FileJournal.open(path) as journal, path.open("ab") as file:
        journal.inbox(SCOPE).put_off("m-1", now=at(1), policy=POLICY)
        file.write(line + b"\n")
        file.flush()
        assert [one.job.attempts for one in journal.inbox(SCOPE).held()] == [1]


def test_a_writer_without_our_lock_is_read_when_its_line_is_whole(
    journal: FileJournal, path: Path, tmp_path: Path
) -> None:
    """Half of a line is left alone until the other half is there."""
    (line,) = enqueued(tmp_path, message("m-1"))
    with path.open("ab", buffering=0) as file:
        file.write(line[:50])
        assert names(journal.inbox(SCOPE).held()) == []
        file.write(line[50:] + b"\n")
    assert (names(journal.inbox(SCOPE).held()), journal.skipped) == (["m-1"], 0)


# -- what it cannot work with


def test_a_path_that_is_no_file_is_an_error_of_the_store(tmp_path: Path) -> None:
    """A folder, a pipe, and a folder that is missing."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    for name in ("folder", "pipe"):
        with pytest.raises(StoreError, match="open: the path names no regular file"):
            FileJournal.open(tmp_path / name)
    with pytest.raises(StoreError, match="open: the folder of the file does not exist"):
        FileJournal.open(tmp_path / "missing" / "inbox.jsonl")


def test_a_closed_journal_refuses(journal: FileJournal) -> None:
    """Closing twice is harmless."""
    journal.close()
    journal.close()
    with pytest.raises(StoreError, match="closed"):
        journal.inbox(SCOPE).held()


def test_a_size_of_nothing_is_refused(path: Path) -> None:
    """It would refuse every message."""
    with pytest.raises(UsageError):
        FileJournal.open(path, max_bytes=0)


def test_a_lone_surrogate_is_refused(journal: FileJournal) -> None:
    """Wherever in a message it stands."""
    for said in (message("m-1", "\ud800"), message("m-\ud800"), message("m-1", session="\ud800")):
        with pytest.raises(UsageError):
            journal.inbox(SCOPE).enqueue(said, now=at(0))
    assert list(journal.inbox(SCOPE).held()) == []


def test_a_journal_that_was_taken_away_begins_anew(journal: FileJournal, path: Path) -> None:
    """Somebody deleted the file; what comes in then is kept."""
    fill(journal.inbox(SCOPE), "m-1")
    path.unlink()
    assert list(journal.inbox(SCOPE).held()) == []
    fill(journal.inbox(SCOPE), "m-2")
    assert held(path) == (["m-2"], 0)


def test_threads_and_readers_of_one_file_lose_nothing(journal: FileJournal, path: Path) -> None:
    """Four threads at two readers let messages wait and go."""
    with FileJournal.open(path) as other:

        def work(first: int, chosen: FileJournal) -> None:
            for number in range(first, first + 20):
                chosen.inbox(SCOPE).enqueue(message(f"m-{number}"), now=at(number))
                if number % 2:
                    chosen.inbox(SCOPE).done((f"m-{number}",))

        threads = [
            threading.Thread(target=work, args=(100 * number, (journal, other)[number % 2]))
            for number in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    expected = [f"m-{100 * first + number}" for first in range(4) for number in range(0, 20, 2)]
    assert held(path) == (expected, 0)


def test_a_lock_that_somebody_keeps_is_a_failure_that_may_pass(
    journal: FileJournal, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody waits for ever."""
    fcntl = pytest.importorskip("fcntl")
    monkeypatch.setattr("cmemory.adapters.files.durable._PATIENCE_SECONDS", 0.02)
    with path.with_name("inbox.jsonl.lock").open("rb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(StoreError) as caught:
            journal.inbox(SCOPE).enqueue(message("m-1"), now=at(0))
    assert caught.value.retryable
    assert journal.inbox(SCOPE).enqueue(message("m-1"), now=at(0)) is Queued.ACCEPTED
