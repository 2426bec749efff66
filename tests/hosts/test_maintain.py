"""The chores of a relationship, end to end."""

from __future__ import annotations

import attrs

from cmemory import COMPANION, Memory, ScopedMemory
from cmemory.domain.errors import ModelError
from cmemory.domain.model.bodies import InferenceState
from cmemory.domain.model.changes import Changes
from cmemory.domain.model.life import Status
from cmemory.domain.model.record import is_inference
from cmemory.domain.policy import NotePolicy
from cmemory.testing.fakes import ScriptedEmbedder

MARCH = "2026-03-01T09:00:00+08:00"
JULY = "2026-07-01T09:00:00+08:00"


def test_the_night_is_one_of_the_chores(luna: ScopedMemory) -> None:
    """Once for a day; the second call has nothing to do."""
    luna.notes.exchange("我对花生过敏。", "记下了。", session="s", at=MARCH)
    first = luna.maintain(now="2026-03-01T23:55:00+08:00")
    assert (first.night.day, first.night.left) == ("2026-03-01", 0)
    again = luna.maintain(now="2026-03-01T23:59:00+08:00")
    assert (again.night.day, again.faded, again.expired) == (None, 0, 0)
    assert [one.body.shown for one in luna.notes.list(now=JULY)] == ["我对花生过敏"]


def test_what_lacks_a_vector_gets_one() -> None:
    """An embedder that gives no answer harms no other chore, and the next call goes on."""
    embedder = ScriptedEmbedder(("dog", "puppy"), ("花生", "过敏"))
    luna = Memory.open(embedder=embedder).scope(service="lamplight", owner="u-42", profile="luna")
    luna.observe("My puppy is called Biscuit.", session="s", at=MARCH)
    luna.notes.write("我对花生过敏", said="我对花生过敏", at=MARCH)
    embedder.fail(ModelError(problem="no answer"))
    assert luna.maintain(now=JULY).embedded == 0
    # Two messages, and a note with the fact in its words.
    assert luna.maintain(now=JULY).embedded == 4
    assert luna.maintain(now=JULY).embedded == 0


def test_a_lower_limit_makes_notes_fade(memory: Memory, luna: ScopedMemory) -> None:
    for number in range(5):
        said = f"我喜欢第{number}条路"
        luna.notes.write(said, said=said, importance=number / 10, at=MARCH)
    policy = attrs.evolve(COMPANION, notes=NotePolicy(max_active=3))
    smaller = Memory(attrs.evolve(memory._services, policy=policy)).scope(
        service="lamplight", owner="u-42", profile="luna"
    )
    assert smaller.maintain(now=JULY).faded == 2
    stands = {one.body.shown for one in smaller.notes.list(now=JULY)}
    assert stands == {"我喜欢第2条路", "我喜欢第3条路", "我喜欢第4条路"}
    assert smaller.maintain(now=JULY).faded == 0


def test_a_pattern_that_nobody_confirmed_expires(memory: Memory, luna: ScopedMemory) -> None:
    """Once: its confidence falls a single time."""
    (fact,) = luna.remember(
        "I run every morning", predicate="ritual.recurring_activity", value="run", at=MARCH
    )
    assert fact.record_id is not None
    drawn = luna.infer(
        "runs when worried",
        axis="pattern",
        predicate="ritual.recurring_activity",
        support=[fact.record_id],
        confidence=0.6,
        now=MARCH,
    )
    assert drawn.record_id is not None, drawn
    record = luna.show(drawn.record_id)
    assert is_inference(record)
    deadline = attrs.evolve(record.body, expires_at=record.created_at.plus(days=90))
    with memory._services.store.write(luna.scope) as unit:
        unit.apply(Changes(records=(attrs.evolve(record, body=deadline),), revision_step=1))
    assert luna.maintain(now="2026-05-01T09:00:00+08:00").expired == 0
    assert luna.maintain(now=JULY).expired == 1
    after = luna.show(record.id)
    assert is_inference(after)
    assert (after.body.state, after.status) == (InferenceState.EXPIRED, Status.ACTIVE)
    assert after.body.confidence < record.body.confidence
    assert luna.maintain(now=JULY).expired == 0
    assert luna.show(record.id) == after
