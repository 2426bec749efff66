"""Notes end to end on every store: written, recalled, fading, restored, forgotten, moved."""

from __future__ import annotations

from pathlib import Path

import attrs
import pytest

from cmemory import COMPANION, ByEntity, Everything, Instant, Memory, ScopedMemory, UsageError
from cmemory.domain.model.candidate import Outcome, Reason
from cmemory.domain.model.life import Status
from cmemory.domain.plan.plan import Channel, Why
from cmemory.domain.policy import NOTES, NotePolicy
from conftest import SECRET

MARCH = "2026-03-01T09:00:00+08:00"
LATER = "2026-03-05T09:00:00+08:00"
SAID = "记住我喜欢海边，讨厌吵闹"


def write(luna: ScopedMemory, text: str = "喜欢海边，讨厌吵闹", said: str = SAID, **rest: object) -> str:
    first, *_ = luna.notes.write(text, said=said, **{"kind": "preference", "at": MARCH, **rest})  # type: ignore[arg-type]
    assert first.record_id is not None, first
    return first.record_id


def told(luna: ScopedMemory, message: str, now: str = LATER, **rest: object) -> str:
    return luna.notes.brief(message, now=now, **rest).text  # type: ignore[arg-type]


def test_a_note_is_told_when_it_is_raised(luna: ScopedMemory) -> None:
    """By the brief, by the plan, and by searches; small talk and other matters recall nothing."""
    note = write(luna)
    assert "喜欢海边，讨厌吵闹" in told(luna, "我们去海边吧")
    (item,) = [
        one for one in luna.prepare("我们去海边吧", now=LATER).topic_activated if one.record_id == note
    ]
    assert item.reason in (Why.CURRENT_TURN_CUE, Why.TOPIC_IMPLIED)
    assert note in [hit.id for hit in luna.notes.search("海边", now=LATER)]
    assert note in [hit.id for hit in luna.search("海边", now=LATER)]
    for small in ("你好", "早上好呀", "嗯嗯", "Hi! How are you?", "👍", "帮我写封信"):
        assert told(luna, small) == ""
    assert luna.prepare("帮我写封信", now=LATER).withheld[Why.NOTE_AT_REST] == 1


def test_a_note_is_no_claim(luna: ScopedMemory) -> None:
    """What its words state is proposed beside it, and decided on for itself."""
    answers = luna.notes.write("叫林小雨", said="我叫林小雨", at=MARCH)
    assert [one.outcome for one in answers] == [Outcome.ACCEPTED, Outcome.ACCEPTED]
    (claim,) = luna.list(kind="claim", now=LATER)
    (note,) = luna.list(kind="note", now=LATER)
    assert claim.body.predicate == "identity.name"  # type: ignore[union-attr]
    assert luna.explain(note.id).messages == luna.explain(claim.id).messages


def test_what_a_claim_says_already_is_not_said_again(luna: ScopedMemory) -> None:
    """One record has one voice: the note stays back while the claim on the same words is shown."""
    said = "我最近在学大提琴"
    luna.remember(said, predicate="goal.current_focus", value="学大提琴", quote="学大提琴", at=MARCH)
    note = write(luna, "在学大提琴", said, quote="学大提琴", kind="fact")
    plan = luna.prepare("大提琴学得怎么样了", now=LATER)
    assert plan.withheld[Why.SAID_ALREADY] == 1
    assert note not in [item.record_id for _, item in plan.shown]
    (claim,) = [one for one in luna.list(kind="claim", now=LATER) if "大提琴" in str(one.body)]
    luna.mute(claim.id, now=LATER)
    muted = luna.prepare("大提琴学得怎么样了", now=LATER)
    assert note in [item.record_id for _, item in muted.shown]


def test_a_note_that_says_more_than_the_claim_is_told(luna: ScopedMemory) -> None:
    """A deadline alone is not what has to be done."""
    write(luna, "周五要去医院复查", "周五我要去医院复查", kind="promise")
    (claim,) = [one for one in luna.list(kind="claim", now=LATER) if "deadline" in str(one.body)]
    assert claim.body.shown == "周五"
    assert "周五要去医院复查" in told(luna, "医院几点开门")


def test_silence_holds_for_notes(luna: ScopedMemory) -> None:
    """Muted, put away, fenced off: neither told nor found, and counted."""
    note = write(luna)
    for silence, undo in ((luna.mute, luna.unmute), (luna.delete, luna.restore)):
        silence(note, now=LATER)
        assert "喜欢海边，讨厌吵闹" not in told(luna, "我们去海边吧")
        assert note not in [hit.id for hit in luna.notes.search("海边", now=LATER)]
        undo(note, now=LATER)
        assert "喜欢海边，讨厌吵闹" in told(luna, "我们去海边吧")
    luna.remember("别再提海边了", predicate="boundary.topic_avoid", value="海边", at=LATER)
    assert "讨厌吵闹" not in told(luna, "我们去海边吧")
    assert luna.notes.search("海边", now=LATER) == ()


def test_the_four_hundred_and_first_note_pushes_out_the_lightest(memory: Memory) -> None:
    """It fades, is listed as such, comes back by restore, and by being said again."""
    policy = attrs.evolve(COMPANION, notes=NotePolicy(max_active=400))
    luna = Memory(attrs.evolve(memory._services, policy=policy)).scope(service="a", owner="b", profile="c")
    begin = Instant.parse(MARCH)
    for number in range(400):
        said = f"第{number}件事是我去了编号{number}的地方"
        luna.notes.write(said, importance=0.2 if number == 137 else 0.5, at=begin.plus(seconds=number))
    assert len(luna.notes.list(now=LATER)) == 400
    lightest = next(one for one in luna.notes.list(now=LATER) if "编号137的" in one.body.shown)
    luna.notes.write("最后一件事", said="这是最后一件事", importance=0.1, at=begin.plus(seconds=500))
    assert len(luna.notes.list(now=LATER)) == 400
    assert luna.show(lightest.id).status is Status.FADED
    assert lightest.id in [one.id for one in luna.notes.list(everything=True, now=LATER)]
    assert (
        told(luna, "编号137的地方") == ""
        or "编号137的地方" not in told(luna, "编号137的地方").split("recalled")[1]
    )
    assert luna.restore(lightest.id, now=LATER).status is Status.ACTIVE


def test_restore_and_erase_are_two_things(memory: Memory, luna: ScopedMemory) -> None:
    """What was put away comes back; what was erased never does, in no words, and leaves no byte."""
    note = write(luna, "Keeps walnuts in the attic", "I keep walnuts in the attic", kind="fact")
    luna.delete(note, now=LATER)
    assert luna.restore(note, now=LATER).status is Status.ACTIVE
    report = luna.forget(note, now=LATER)
    assert note in report.record_ids
    for claim in luna.list(now=LATER):
        luna.forget(claim.id, now=LATER)
    with pytest.raises(UsageError):
        luna.restore(note, now=LATER)
    assert memory.verify_forgotten("walnut").clean
    assert memory.verify_forgotten("Keeps walnuts").clean
    first, *_ = luna.notes.write(
        "Keeps walnuts in the attic!", said="So: I keep walnuts in the attic, you know", at=LATER
    )
    assert (first.outcome, first.reason) == (Outcome.REJECTED, Reason.RESURRECTION)


def test_forgetting_a_fact_takes_the_note_that_repeats_it(memory: Memory, luna: ScopedMemory) -> None:
    """No sentence is left behind that says it."""
    write(luna, "Lives in Oslo.", "I live in Oslo.", kind="fact")
    (home,) = luna.list(kind="claim", now=LATER)
    luna.forget(home.id, now=LATER)
    assert luna.list(everything=True, now=LATER) == ()
    assert memory.verify_forgotten("Oslo").clean


def test_forgetting_somebody_reaches_notes(memory: Memory, luna: ScopedMemory) -> None:
    """By tag and by name; nothing about them is noted again until the person lifts it."""
    write(luna, "Went sailing with Mara.", "I went sailing with Mara", kind="event", tags=["Mara"])
    luna.forget(ByEntity("Mara"), now=LATER)
    assert luna.notes.list(everything=True, now=LATER) == ()
    assert memory.verify_forgotten("Mara").clean
    first, *_ = luna.notes.write("Cooked with Mara.", said="I cooked with Mara", at=LATER)
    assert first.reason is Reason.RESURRECTION
    assert luna.lift(ByEntity("Mara"), now=LATER)
    again, *_ = luna.notes.write("Cooked with Mara.", said="I cooked with Mara", message_id="m-9", at=LATER)
    assert again.outcome is Outcome.ACCEPTED


def test_forgetting_everything_empties_the_queue(luna: ScopedMemory) -> None:
    """Nothing waits for a night that would remember it."""
    luna.notes.exchange("我喜欢海边", "真好", session="s", at=MARCH)
    assert luna.notes.waiting() == 1
    luna.forget(Everything.EVERYTHING, now=LATER)
    assert luna.notes.waiting() == 0
    assert not luna.notes.exchange("我喜欢海边", session="s", at=LATER).queued


def test_a_forgotten_message_is_not_consolidated(luna: ScopedMemory) -> None:
    """It leaves the queue with its words."""
    luna.notes.exchange("我喜欢海边", "真好", session="s", at=MARCH, message_id="m-1")
    luna.notes.exchange("我讨厌吵闹", "嗯", session="s", at=MARCH, message_id="m-2")
    luna.forget("m-1", now=LATER)
    luna.notes.consolidate(now=LATER, force=True)
    assert [one.body.shown for one in luna.notes.list(now=LATER)] == ["我讨厌吵闹"]


def test_a_promise_is_due_on_the_persons_day(luna: ScopedMemory) -> None:
    """Once: when an answer has used it, it does not come up again."""
    note = write(luna, "周五复查", "周五我要复查", kind="promise", due_on="2026-03-06")
    morning = "2026-03-06T00:10:00+08:00"
    assert [item.reason for item in luna.prepare("早", now=morning).continuity] == [Why.DUE_TODAY]
    assert "周五复查" in told(luna, "早", morning)
    luna.note_recall(note, now="2026-03-06T09:00:00+08:00")
    assert told(luna, "早", "2026-03-06T10:00:00+08:00") == ""
    assert "周五复查" in told(luna, "复查完了", "2026-03-06T10:00:00+08:00")


def test_the_preset_of_notes_tells_what_was_raised_alone(tmp_path: Path) -> None:
    """By default boundaries, style and name stand in a brief as well."""
    for policy, expected in ((COMPANION, True), (NOTES, False)):
        with Memory.open(secret=SECRET, policy=policy) as memory:
            luna = memory.scope(service="a", owner="b", profile="c")
            luna.remember("Please call me Jo", predicate="communication.verbosity", value="short", at=MARCH)
            write(luna, "Loves the sea and its storms", "I love the sea, storms and all")
            text = told(luna, "Let's go to the sea")
            assert "Loves the sea and its storms" in text
            assert ("style: " in text) is expected


def test_a_brief_keeps_to_its_characters(luna: ScopedMemory) -> None:
    """Counted in code points; what does not fit is cut between characters, or left out and counted."""
    for number in range(9):
        write(
            luna,
            f"去海边的第{number}次：👩‍👩‍👧‍👦" + "沙滩" * 60,
            f"我去海边的第{number}次：👩‍👩‍👧‍👦" + "沙滩" * 60,
        )
    full = luna.notes.brief("海边", now=LATER)
    assert 0 < full.chars == len(full.text) <= 900
    assert 0 < luna.notes.brief("海边", now=LATER, max_chars=300).chars <= 300
    assert luna.notes.brief("海边", now=LATER, max_chars=40).text == ""
    assert full.withheld == 9 + len(luna.list(kind="claim", now=LATER)) - len(full.record_ids)


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"text": " "}, "text"),
        ({"said": ""}, "said"),
        ({"kind": "rumour"}, "kind"),
        ({"quote": "nowhere"}, "quote"),
        ({"tags": "sea"}, "tags"),
        ({"tags": [5]}, "tags"),
        ({"importance": 1.1}, "importance"),
        ({"emotional_weight": float("nan")}, "emotional_weight"),
        ({"at": "2026-03-01"}, "at"),
        ({"message_id": ""}, "message_id"),
    ],
)
def test_what_cannot_be_meant_is_refused(luna: ScopedMemory, wrong: dict[str, object], field: str) -> None:
    """The complaint names the argument, and nothing is written."""
    with pytest.raises(UsageError) as refused:
        luna.notes.write(**{"text": "喜欢海边", "said": SAID, "at": MARCH, **wrong})  # type: ignore[arg-type]
    assert refused.value.field == field
    assert luna.list(everything=True, now=LATER) == ()


def test_notes_move_with_an_export(luna: ScopedMemory, tmp_path: Path) -> None:
    """With how they ended; doing so again changes nothing; what was forgotten there stays so."""
    kept = write(luna, tags=["海边"])
    gone = write(luna, "讨厌香菜", "我讨厌香菜")
    lost = write(luna, "怕黑", "我从小怕黑")
    luna.delete(gone, now=LATER)
    path = tmp_path / "luna.jsonl"
    luna.export(path, now=LATER)
    with Memory.open(secret=SECRET) as memory:
        there = memory.scope(service="lamplight", owner="u-42", profile="luna")
        first = there.import_records(path, now=LATER)
        assert not first.errors
        assert {one.id: one.status for one in there.notes.list(everything=True, now=LATER)} == {
            kept: Status.ACTIVE,
            gone: Status.DELETED,
            lost: Status.ACTIVE,
        }
        assert there.show(kept).body == luna.show(kept).body
        there.forget(lost, now=LATER)
        there.import_records(path, now=LATER)
        assert lost not in [one.id for one in there.notes.list(everything=True, now=LATER)]


def test_a_plan_accounts_for_every_note(luna: ScopedMemory) -> None:
    """Each stands in exactly one channel."""
    ids = {write(luna, f"喜欢第{n}首歌", f"我喜欢第{n}首歌") for n in range(12)}
    plan = luna.prepare("放首歌吧", now=LATER)
    placed = [
        item.record_id for channel in Channel for item in plan.channel(channel) if item.record_id in ids
    ]
    assert sorted(placed) == sorted(ids)
