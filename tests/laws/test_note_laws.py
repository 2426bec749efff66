"""Notes: fading, merging, and a recall that keeps to its characters."""

from __future__ import annotations

import functools
import itertools
import unicodedata

import attrs
from hypothesis import given
from hypothesis import strategies as st

from builders import NOW, days, record
from cmemory.domain.admit.notes import merged_note
from cmemory.domain.model.bodies import Note, NoteKind
from cmemory.domain.model.ids import RecordId, Revision
from cmemory.domain.model.message import Evidence, Quote, SourceKind, Speaker
from cmemory.domain.model.record import NoteRecord
from cmemory.domain.plan.plan import Item, Plan, Why
from cmemory.domain.plan.render.brief import render_brief
from cmemory.domain.policy import NotePolicy
from cmemory.domain.predicates.registry import Visibility
from cmemory.domain.scoring.salience import note_weight
from cmemory.domain.text.graphemes import clip

POLICY = NotePolicy()
UNITS = st.floats(0, 1)
AGES = st.floats(0, 3_000)


def note(
    importance: float = 0.5, emotion: float = 0.0, *, number: int = 1, tags: tuple[str, ...] = ()
) -> NoteRecord:
    """Return a note of its own message; notes of different numbers say the same in other words."""
    proof = Evidence(
        source=SourceKind.MESSAGE,
        source_id=f"m-{number}",
        speaker=Speaker.USER,
        quote=Quote(start=0, end=3, text="sea"),
    )
    body = Note(
        note_kind=NoteKind.PREFERENCE,
        text=f"Likes the sea{'!' * number}",
        tags=tags,
        emotional_weight=emotion,
    )
    made: NoteRecord = record(
        body, id=f"note-{number}", importance=importance, at=days(number), evidence=(proof,)
    )
    return made


@given(UNITS, UNITS, AGES, AGES)
def test_fading_falls_with_age(importance: float, emotion: float, one: float, other: float) -> None:
    """The older weighs no more, and never more than its importance."""
    younger, older = sorted((one, other))
    kept = note(importance, emotion)
    weights = [note_weight(kept, now=days(1 + age), policy=POLICY) for age in (younger, older)]
    assert 0 <= weights[1] <= weights[0] <= importance


@given(UNITS, UNITS, UNITS, AGES)
def test_fading_rises_with_importance_and_feeling(
    one: float, other: float, emotion: float, age: float
) -> None:
    """Whatever the age."""
    low, high = sorted((one, other))
    now = days(1 + age)
    assert note_weight(note(low, emotion), now=now, policy=POLICY) <= note_weight(
        note(high, emotion), now=now, policy=POLICY
    )
    assert note_weight(note(emotion, low), now=now, policy=POLICY) <= note_weight(
        note(emotion, high), now=now, policy=POLICY
    )


TAGS = st.sampled_from(((), ("sea",), ("mara", "sea")))
NOTES = st.builds(note, UNITS, UNITS, number=st.integers(1, 9), tags=TAGS)
THREE = st.tuples(UNITS, UNITS, UNITS, TAGS, TAGS).map(
    lambda drawn: [
        note(weight, weight / 2, number=number, tags=tags)
        for number, (weight, tags) in enumerate(zip(drawn[:3], (*drawn[3:], ()), strict=True), start=1)
    ]
)


@given(NOTES)
def test_merging_a_note_with_itself_changes_nothing(one: NoteRecord) -> None:
    """A replay is harmless, at any time."""
    assert merged_note(one, one, now=days(20)) is one


def together(notes: tuple[NoteRecord, ...]) -> tuple[object, ...]:
    """Merge notes in the order given; returns what does not depend on which record was there first."""
    merged = functools.reduce(lambda known, again: merged_note(known, again, now=NOW), notes)
    return (
        merged.body,
        merged.evidence,
        merged.created_at,
        merged.updated_at,
        round(merged.salience.importance, 9),
    )


@given(THREE)
def test_merging_is_associative_and_takes_any_order(notes: list[NoteRecord]) -> None:
    """Whoever is first: the same wording, proofs, tags, times and weight come out."""
    results = {repr(together(order)) for order in itertools.permutations(notes)}
    assert len(results) == 1
    one, two, three = notes
    left = merged_note(merged_note(one, two, now=NOW), three, now=NOW)
    right = merged_note(one, merged_note(two, three, now=NOW), now=NOW)
    assert abs(left.salience.importance - right.salience.importance) < 1e-9
    settle = lambda kept: attrs.evolve(kept, salience=attrs.evolve(kept.salience, importance=0))  # noqa: E731
    assert settle(left) == settle(right)


@given(THREE)
def test_merging_only_adds(notes: list[NoteRecord]) -> None:
    """No proof or tag is lost, and the note weighs no less than either."""
    one, two, _ = notes
    merged = merged_note(one, two, now=NOW)
    assert {*one.evidence, *two.evidence} == {*merged.evidence}
    assert {*one.body.tags, *two.body.tags} == {*merged.body.tags}
    assert merged.salience.importance >= max(one.salience.importance, two.salience.importance) - 1e-12


# -- recall --------------------------------------------------------------------------------------------------

#: What a reader sees as one character.
CLUSTERS = (
    *"ab ,.<&>'\"",
    *"海边。",
    "e\u0301",
    "👩‍👩‍👧‍👦",
    "👍🏽",
    "🇨🇳",
    "🇳🇴",
    "한",
    "\u1112\u1161\u11ab",
    "☀️",
    "नि",
)
TEXTS = st.lists(st.sampled_from(CLUSTERS), max_size=60)


@given(TEXTS, st.integers(0, 80))
def test_a_cut_falls_between_characters(clusters: list[str], limit: int) -> None:
    """What is left is a beginning of whole characters, at most so long, with a mark of the cut."""
    text = "".join(clusters)
    cut = clip(text, limit)
    assert len(cut) <= limit or text == cut == ""
    if cut not in (text, ""):
        assert cut.endswith("…")
        beginnings = {"".join(clusters[:count]) for count in range(len(clusters) + 1)}
        assert cut[:-1] in beginnings


ITEMS = st.lists(
    st.builds(
        Item,
        record_id=st.integers(0, 99).map(lambda number: RecordId(f"note-{number}")),
        text=TEXTS.map("".join),
        surface=st.just(Visibility.MENTION_IF_USER_CUES),
        reason=st.just(Why.CURRENT_TURN_CUE),
    ),
    max_size=6,
).map(tuple)


@given(
    ITEMS, ITEMS, ITEMS, st.integers(0, 1_200), st.sampled_from(("", "background: morning")), st.booleans()
)
def test_a_brief_keeps_to_its_characters(
    standing: tuple[Item, ...],
    due: tuple[Item, ...],
    raised: tuple[Item, ...],
    max_chars: int,
    mood: str,
    small_talk: bool,
) -> None:
    """Counted in code points, its frame included; it is whole or empty; and what stays back is counted."""
    plan = Plan(revision=Revision(1), constraints=standing, continuity=due, topic_activated=raised)
    brief = render_brief(plan, max_chars=max_chars, mood=mood, small_talk=small_talk)
    assert len(brief.text) == brief.chars <= max_chars
    assert brief.text == "" or (
        brief.text.startswith("<memory_brief>\n") and brief.text.endswith("\n</memory_brief>")
    )
    assert brief.withheld + len(brief.record_ids) == len(plan.shown)
    assert not any(unicodedata.category(ch) == "Cs" for ch in brief.text)
    # Whatever a record says, the frame is closed once, at the end.
    assert brief.text.count("</memory_brief>") == (1 if brief.text else 0)
    if small_talk:
        assert {*brief.record_ids} <= {item.record_id for item in due}
