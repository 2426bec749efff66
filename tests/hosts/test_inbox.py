"""From the journal to what is believed, and forgetting on the way."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timezone
from pathlib import Path

import attrs
import pytest
from typing_extensions import override

from cmemory import COMPANION, ByEntity, Everything, Memory, ModelError, ScopedMemory, StoreError, UsageError
from cmemory.adapters.files.journal import FileJournal
from cmemory.app.extract import RuleExtractor
from cmemory.app.observe import Intake
from cmemory.domain.model.message import Message, Speaker
from cmemory.ports.extractor import Extraction, Extractor
from cmemory.ports.inbox import Inbox, InboxSize
from cmemory.testing.builders import at, message

NAMES = {"service": "lamplight", "owner": "u-42", "profile": "luna"}


@attrs.define
class House:
    """A memory with a journal attached, and the files of both."""

    memory: Memory
    luna: ScopedMemory
    journal: FileJournal
    folder: Path

    @property
    def inbox(self) -> Inbox:
        """Where the host lets messages wait."""
        return self.journal.inbox(self.luna.scope)

    def say(self, *texts: str, first: int = 1) -> None:
        """Let messages m-1, m-2 … wait."""
        for number, text in enumerate(texts, first):
            self.inbox.enqueue(message(f"m-{number}", text, second=number), now=at(number))

    def waiting(self) -> list[str]:
        """Return the ids that wait in the journal."""
        return [one.message.id for one in self.inbox.held()]

    def values(self) -> set[object]:
        """Return what is believed."""
        return {getattr(record.body, "value", None) for record in self.luna.list(now=at(1000))}

    def found(self, text: str) -> list[str]:
        """Return the files in which a byte of a text is left."""
        return sorted(file.name for file in self.folder.iterdir() if text.encode() in file.read_bytes())


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """One relationship, on disk."""
    path = tmp_path / "inbox.jsonl"
    with (
        Memory.open(tmp_path / "luna.db", journal=path) as memory,
        FileJournal.open(path) as journal,
    ):
        yield House(memory=memory, luna=memory.scope(**NAMES), journal=journal, folder=tmp_path)


# -- draining


def test_what_waited_is_learned_as_if_it_had_been_observed(house: House) -> None:
    """In its order, with its times, and the journal is empty afterwards."""
    house.say("My name is Nora.", "I live in Porto.")
    report = house.luna.drain(now=at(9))
    assert [(one.message_id, one.intake) for one in report.receipts] == [
        ("m-1", Intake.STORED),
        ("m-2", Intake.STORED),
    ]
    assert (house.waiting(), house.luna.stats().waiting) == ([], 2)
    house.luna.learn(now=at(9))
    assert house.values() >= {"Nora", "Porto"}
    [name] = house.luna.list(predicate="identity.name", now=at(9))
    assert name.valid_from == at(1)
    assert house.found("Porto") == sorted(file for file in house.found("Porto") if file.startswith("luna.db"))


def test_draining_again_is_harmless(house: House) -> None:
    """The database knows a message by its id, before and after it was learned."""
    for _ in range(2):
        house.say("My name is Nora.")
        house.luna.drain(now=at(9))
        house.luna.learn(now=at(9))
    assert (house.luna.stats().messages, house.values(), house.waiting()) == (1, {"Nora"}, [])
    assert house.luna.drain(now=at(9)).receipts == ()


def test_a_crash_between_database_and_journal_repeats_harmlessly(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The journal lets a message go only after the database has it."""
    house.say("My name is Nora.")
    with monkeypatch.context() as patch:

        def die(*_: object) -> None:
            raise KeyboardInterrupt

        patch.setattr(FileJournal, "remove", die)
        with pytest.raises(KeyboardInterrupt):
            house.luna.drain(now=at(9))
    assert (house.waiting(), house.luna.stats().messages, house.luna.stats().waiting) == (["m-1"], 1, 1)
    house.luna.learn(now=at(9))
    [receipt] = house.luna.drain(now=at(9)).receipts
    assert (receipt.intake, house.waiting(), house.values()) == (Intake.KNOWN, [], {"Nora"})


def test_a_database_that_is_down_loses_nothing(house: House) -> None:
    """The messages wait on; no attempt is counted."""
    house.say("My name is Nora.", "I live in Porto.")
    down = Memory.open(":memory:")
    down.close()
    with pytest.raises(StoreError):
        down.scope(**NAMES).drain(house.journal, now=at(9))
    assert [one.job.attempts for one in house.inbox.held()] == [0, 0]
    assert len(house.luna.drain(now=at(9)).receipts) == 2


def test_what_can_never_be_taken_in_is_set_aside_and_delays_nobody(house: House) -> None:
    """An id that names another text, a blank text, a text that is too long."""
    house.luna.observe("My name is Nora.", message_id="m-1", at=at(0))
    house.say("I live in Faro.", "  ", "x" * (COMPANION.admission.max_message_bytes + 1), "I live in Porto.")
    report = house.luna.drain(now=at(9))
    assert (report.dead, [one.message_id for one in report.receipts]) == (("m-1", "m-2", "m-3"), ["m-4"])
    assert [(one.message_id, one.attempts, one.due_at) for one in house.luna.dead_letters()] == [
        ("m-1", 1, at(9)),
        ("m-2", 1, at(9)),
        ("m-3", 1, at(9)),
    ]
    assert house.luna.retry_dead(now=at(10)) == 3
    assert house.luna.drain(now=at(10)).dead == report.dead


def test_only_what_is_due_is_moved(house: House) -> None:
    """What the host put off waits for its time."""
    house.say("My name is Nora.", "I live in Porto.")
    house.inbox.defer("m-1", now=at(9), policy=COMPANION.inbox)
    assert [one.message_id for one in house.luna.drain(now=at(9)).receipts] == ["m-2"]
    assert [one.message_id for one in house.luna.drain(now=at(99)).receipts] == ["m-1"]


def test_many_messages_are_moved_in_several_transactions(house: House) -> None:
    """All of them, each once, and those of others stay."""
    house.say(*(f"Number {number}." for number in range(300)))
    theirs = house.journal.inbox(attrs.evolve(house.luna.scope, owner="neighbour"))
    theirs.enqueue(message("m-1", "theirs"), now=at(0))
    assert len(house.luna.drain(now=at(1000)).receipts) == 300
    assert (house.luna.stats().messages, theirs.size()) == (300, InboxSize(waiting=1, dead=0))


def test_what_the_companion_said_is_kept_and_not_learned_from(house: House) -> None:
    """As with `observe`."""
    house.inbox.enqueue(message("m-1", "My name is Luna.", speaker=Speaker.ASSISTANT), now=at(0))
    house.luna.drain(now=at(9))
    assert (house.luna.stats().messages, house.luna.stats().waiting) == (1, 0)


def test_without_a_journal_there_is_nothing_to_drain() -> None:
    """The caller is told."""
    with Memory.open() as memory, pytest.raises(UsageError):
        memory.scope(**NAMES).drain(now=at(0))


def test_counts_take_the_journal_in(house: House) -> None:
    """A message that is in both counts once."""
    house.luna.observe("My name is Nora.", message_id="m-1", at=at(1))
    house.say("My name is Nora.", "I live in Porto.", "I like tea.")
    house.inbox.put_off("m-3", now=at(4), policy=COMPANION.inbox, retryable=False)
    assert (house.luna.stats().waiting, house.luna.stats().dead) == (2, 1)


# -- learning


class _Moody(Extractor):
    """Answers like the rules, except about one message."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._rules = RuleExtractor(timezone.utc)

    @property
    @override
    def immediate(self) -> bool:
        return False

    @override
    def __call__(self, message: Message) -> Extraction:
        if message.text == self._text:
            raise ModelError(problem="busy")
        return self._rules(message)


def test_one_message_that_fails_leaves_the_others_alone() -> None:
    """It is tried again in its time, and given up in the end; a letter says so."""
    with Memory.open(extractor=_Moody("My name is Nora.")) as memory:
        luna = memory.scope(**NAMES)
        for number, text in enumerate(("My name is Nora.", "I live in Porto.", "I'm learning the cello.")):
            luna.observe(text, at=at(number), message_id=f"m-{number}")
        reports = [luna.learn(now=at(10 + 60 * attempt)) for attempt in range(COMPANION.inbox.max_attempts)]
        assert [one.message_id for one in reports[0].learned] == ["m-1", "m-2"]
        assert [one.postponed for one in reports] == [("m-0",)] * 7 + [()]
        [letter] = luna.dead_letters()
        assert (letter.message_id, letter.attempts) == ("m-0", COMPANION.inbox.max_attempts)
        assert (letter.enqueued_at, letter.due_at) == (at(0), at(10 + 60 * 7))
        assert luna.retry_dead(now=at(999)) == 1
        assert luna.dead_letters() == ()


# -- forgetting


def test_forgetting_reaches_what_waits(house: House) -> None:
    """A message that holds the erased wording goes, and no byte of it is left in any file."""
    house.luna.remember("I'm waiting for the biopsy results.", at=at(0))
    house.say("The biopsy results are late.", "I live in Porto.")
    [record] = house.luna.list(predicate="open_loop.waiting_on", now=at(9))
    assert not house.memory.verify_forgotten("biopsy results").clean
    report = house.luna.forget(record.id, now=at(9))
    assert "m-1" in report.message_ids
    verdict = house.memory.verify_forgotten("biopsy results")
    assert verdict.clean
    assert str(house.folder / "inbox.jsonl") in verdict.files
    assert (house.found("biopsy results"), house.waiting()) == ([], ["m-2"])


def test_what_was_forgotten_while_it_waited_does_not_come_in_later(house: House) -> None:
    """Also when the host sends it once more."""
    house.say("My name is Nora.")
    assert house.luna.forget("m-1", now=at(9)).message_ids == ("m-1",)
    assert house.found("Nora") == []
    house.say("My name is Nora.")
    [receipt] = house.luna.drain(now=at(10)).receipts
    assert (receipt.intake, house.found("Nora")) == (Intake.FORGOTTEN, [])


def test_forgetting_a_person_reaches_what_waits(house: House) -> None:
    """By the name that was believed."""
    house.luna.remember("My brother Tom is a pilot.", at=at(0))
    house.say("TOM is here.", "Tomorrow is here.")
    house.luna.forget(ByEntity("Tom"), now=at(9))
    assert house.waiting() == ["m-2"]


def test_a_message_in_both_places_goes_from_both(house: House) -> None:
    """As after a crash between the two."""
    house.luna.observe("My name is Nora.", message_id="m-1", at=at(1))
    house.luna.learn(now=at(9))
    house.say("My name is Nora.")
    [record] = house.luna.list(now=at(9))
    house.luna.forget(record.id, now=at(9))
    assert (house.found("Nora"), house.waiting()) == ([], [])


def test_what_contradicts_a_stored_message_goes_with_anything_that_is_forgotten(house: House) -> None:
    """It can never be taken in, and nobody could say what stands in it."""
    house.luna.observe("I live in Porto.", message_id="m-1", at=at(1))
    house.luna.remember("My name is Nora.", at=at(2))
    house.say("Nora is my name.")
    house.luna.drain(now=at(9))
    [record] = house.luna.list(predicate="identity.name", now=at(9))
    house.luna.forget(record.id, now=at(9))
    assert (house.found("Nora"), house.waiting()) == ([], [])
    assert house.luna.stats().waiting == 1


@pytest.mark.parametrize("everything", [True, False])
def test_forgetting_all_empties_the_journal_of_this_relationship(house: House, everything: bool) -> None:
    """Dead letters too; those of others wait on."""
    house.say("My name is Nora.", "I live in Porto.")
    house.inbox.put_off("m-1", now=at(9), policy=COMPANION.inbox, retryable=False)
    theirs = house.journal.inbox(attrs.evolve(house.luna.scope, owner="neighbour"))
    theirs.enqueue(message("m-1", "theirs"), now=at(0))
    if everything:
        house.luna.forget(Everything.EVERYTHING, now=at(9))
    else:
        house.luna.delete_all(now=at(9))
    assert (house.waiting(), house.found("Nora"), house.found("Porto")) == ([], [], [])
    assert theirs.size() == InboxSize(waiting=1, dead=0)


def test_a_journal_that_cannot_be_cleaned_stops_forgetting(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is acknowledged while a byte is left; the database is as it was, and one can ask again."""
    house.luna.remember("My name is Nora.", at=at(0))
    house.say("Nora here.")
    [record] = house.luna.list(now=at(9))
    with monkeypatch.context() as patch:

        def refuse(*_: object) -> None:
            raise StoreError(action="complete", problem="the disk is full")

        patch.setattr(FileJournal, "_compact", refuse)
        with pytest.raises(StoreError):
            house.luna.forget(record.id, now=at(9))
    assert house.values() == {"Nora"}
    assert house.luna.forget(record.id, now=at(9)).forgotten
    assert house.found("Nora") == []


def test_an_export_leaves_the_journal_out(house: House, tmp_path: Path) -> None:
    """As it leaves the inbox in the database out."""
    house.say("My name is Nora.")
    house.luna.export(tmp_path / "export.jsonl", now=at(9))
    assert "Nora" not in (tmp_path / "export.jsonl").read_text("utf-8")
