"""Laws of the checkpoint: it fits, keeps the order, repeats itself, and compacts to itself."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from cmemory.domain.archive.compact import select
from cmemory.domain.archive.entry import Entry, Frame, Keep, Selection
from cmemory.domain.archive.stretches import shown
from cmemory.domain.model.ids import MessageId
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.message import Speaker
from cmemory.domain.plan.budget import estimate_tokens
from cmemory.domain.plan.render import checkpoint
from cmemory.domain.policy import POSITIONAL, CompactionPolicy

NOW = Instant.parse("2026-03-01T09:00:00Z")
FRAME = checkpoint.frame(estimate_tokens)
OURS = CompactionPolicy()

SENTENCES = (
    "We decided to paint the kitchen green.",
    "The train to Kyoto leaves at 9.",
    "Sorry, I was wrong, the train to Kyoto leaves at 10.",
    "No, 11.",
    "I'll send the invoice on Friday & call <Biscuit>.",
    "Which insurance covers the bicycle?",
    "Let me check that.",
    "Thanks!",
    "我对核桃过敏。",
    "会议定在周五下午。",
    "会议改到周一下午。",
    "说错了，3点。",
    "好的。",
    "电梯不停地下室，别再提这件事！",
    "Please don't mention the divorce.",
)
#: Small talk must hold no figure: a number is a reason of its own.
BIRDS = ("finches", "robins", "wrens", "larks", "thrushes", "swifts", "terns", "doves")
words = st.one_of(st.sampled_from(SENTENCES), st.text(max_size=60))
texts = st.lists(words, min_size=1, max_size=4).map(" ".join)
days = st.sampled_from(("2026-02-27", "2026-02-28", "2026-03-01"))


@st.composite
def dialogues(draw: st.DrawFn) -> list[Entry]:
    said = draw(st.lists(st.tuples(texts, st.sampled_from(Speaker), days), max_size=12))
    ordered = sorted(day for _, _, day in said)
    return [
        Entry(message_id=MessageId(f"m{at}"), speaker=speaker, text=text, at=NOW, day=day)
        for at, ((text, speaker, _), day) in enumerate(zip(said, ordered, strict=True))
    ]


def compacted(entries: list[Entry], budget: int, policy: CompactionPolicy = OURS) -> Selection:
    return select(entries, frame=FRAME, token_budget=budget, now=NOW, policy=policy)


def counted(text: str) -> int:
    """Count anew, by the rule as the documentation states it: nothing of the library takes part."""
    ascii_chars = [ch for ch in text if ord(ch) < 128]
    chinese = [ch for ch in text if 0x3400 <= ord(ch) <= 0x9FFF or 0xF900 <= ord(ch) <= 0xFAFF]
    return -(-len(ascii_chars) // 3) + len(chinese) + 2 * (len(text) - len(ascii_chars) - len(chinese))


@given(entries=dialogues(), budget=st.integers(min_value=0, max_value=400))
def test_the_rendered_text_never_exceeds_the_budget(entries: list[Entry], budget: int) -> None:
    found = compacted(entries, budget)
    assert counted(checkpoint.render(found.lines)) <= found.tokens <= budget


@given(entries=dialogues(), budget=st.integers(min_value=32, max_value=400))
def test_the_window_protocol_keeps_to_its_own_reckoning(entries: list[Entry], budget: int) -> None:
    found = compacted(entries, budget, POSITIONAL)
    assert found.tokens <= budget
    assert [line.at for line in found.lines] == sorted({line.at for line in found.lines})


@given(entries=dialogues(), budget=st.integers(min_value=60, max_value=400))
def test_lines_stand_in_the_order_of_the_conversation(entries: list[Entry], budget: int) -> None:
    lines = compacted(entries, budget).lines
    assert [line.at for line in lines] == sorted({line.at for line in lines})
    assert all(line.speaker is entries[line.at].speaker and line.reasons for line in lines)
    assert all(line.message_id == entries[line.at].message_id for line in lines)


@given(entries=dialogues(), budget=st.integers(min_value=60, max_value=400))
def test_every_line_is_verbatim(entries: list[Entry], budget: int) -> None:
    for line in compacted(entries, budget).lines:
        source = "".join(shown(entries[line.at].text).split())
        assert all("".join(part.split()) in source for part in line.text.split("…"))


@given(entries=dialogues(), budget=st.integers(min_value=0, max_value=400))
def test_the_same_input_gives_the_same_checkpoint(entries: list[Entry], budget: int) -> None:
    assert compacted(entries, budget) == compacted(list(entries), budget)


@given(entries=dialogues(), budget=st.integers(min_value=60, max_value=400))
@settings(max_examples=150)
def test_a_checkpoint_compacts_to_itself(entries: list[Entry], budget: int) -> None:
    """With the same room nothing of it is lost, and nothing is added."""
    text = checkpoint.render(compacted(entries, budget).lines)
    carried = checkpoint.read_back(text) if text else ()
    assert carried is not None
    again = [
        Entry(
            message_id=MessageId("c"), speaker=one.speaker, text=one.text, at=NOW, day=one.day, carried=True
        )
        for one in carried
    ]
    assert checkpoint.render(compacted(again, budget).lines) == text


@given(
    entries=dialogues(),
    budget=st.integers(min_value=60, max_value=400),
    old=st.integers(1, 4),
    new=st.integers(5, 9),
)
def test_a_corrected_value_is_never_carried_alone(
    entries: list[Entry], budget: int, old: int, new: int
) -> None:
    talk = [
        Entry(message_id=MessageId(text), speaker=Speaker.USER, text=text, at=NOW, day="2026-01-01")
        for text in (f"The gate number is {old}0.", f"Correction: the gate number is {new}0.")
    ]
    carried = [line.text for line in compacted([*talk, *entries], budget).lines]
    assert not any(f"is {old}0." in text for text in carried)


@given(count=st.integers(min_value=1, max_value=8), budget=st.integers(min_value=60, max_value=300))
def test_with_less_room_small_talk_goes_before_what_is_protected(count: int, budget: int) -> None:
    said = [
        text
        for at in range(count)
        for text in (f"We decided on plan{at}.", f"Some {BIRDS[at]} sang outside.")
    ]
    entries = [
        Entry(message_id=MessageId(f"m{at}"), speaker=Speaker.USER, text=text, at=NOW)
        for at, text in enumerate(said)
    ]
    lines = compacted(entries, budget).lines
    decided = [line for line in lines if Keep.DECISION in line.reasons]
    assert len(decided) == count or len(decided) == len(lines)


@given(text=st.text(max_size=200))
def test_only_a_checkpoint_is_read_back(text: str) -> None:
    assert checkpoint.read_back(text) is None


def test_a_frame_reckons_at_least_what_the_text_costs() -> None:
    frame: Frame = FRAME
    assert frame.heading == estimate_tokens(checkpoint.render(())) + frame.heading
    assert frame.line(Speaker.USER, "<&>") == estimate_tokens("\n- [user] &lt;&amp;&gt;")
