"""Forgetting comes to the same whether it looks at all records or at those that an outline points to."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

import attrs
from hypothesis import given
from hypothesis import strategies as st

from cmemory.domain.evidence.outline import Outline
from cmemory.domain.evidence.quote import quote_at
from cmemory.domain.evidence.suppression import Guard
from cmemory.domain.forget.concern import concerned
from cmemory.domain.forget.erase import ForgetReport, Holdings, Records, erase
from cmemory.domain.model.bodies import Axis, Body, Claim, Episode, Inference, Note, NoteKind
from cmemory.domain.model.changes import Changes
from cmemory.domain.model.ids import MessageId, RecordId
from cmemory.domain.model.life import Status
from cmemory.domain.model.message import Evidence, Message, Role, SourceKind, Speaker
from cmemory.domain.model.record import AnyRecord, Record
from cmemory.domain.policy import COMPANION, Policy
from cmemory.testing.builders import SCOPE, at, claim

#: Texts that hold one another, resemble one another, say nothing that can be told, or mean something to JSON.
_PHRASES = (
    "green tea",
    "Green  Tea",
    "green tea with Anna in Porto",
    "tea",
    "steak",
    "绿茶",
    "我喜欢绿茶",
    "绿　茶",
    "ΟΔΟΣ",
    "a\nΣ b",
    'say "tea"',
    "\\n",
    "!!!",
    "2026-06-10",
    "17",
)
_KEYS = (
    "goal.current_focus",
    "identity.name",
    "identity.age",
    "open_loop.deadline",
    "person.name",
    "gone.key",
)
_POLICIES = tuple(
    attrs.evolve(COMPANION, forgetting=attrs.evolve(COMPANION.forgetting, residue_similarity=least))
    for least in (0.0, 0.1, 0.5, 0.5, 1.0)
)


def _message(draw: Random, number: int) -> Message:
    said = " / ".join(draw.choice(_PHRASES) for _ in range(draw.randrange(1, 4)))
    speaker = draw.choice((Speaker.USER, Speaker.USER, Speaker.ASSISTANT))
    return Message(id=MessageId(f"m-{number}"), session="", speaker=speaker, text=said, at=at(number))


def _proof(draw: Random, messages: list[Message]) -> Evidence:
    message = draw.choice(messages)
    start = draw.randrange(len(message.text))
    quote = quote_at(message.text, start, draw.randrange(start, len(message.text)) + 1)
    return Evidence(
        source=SourceKind.MESSAGE,
        source_id=message.id,
        speaker=message.speaker,
        role=Role.USER_ASSERTION,
        quote=draw.choice((quote, quote, None)),
    )


def _body(draw: Random, messages: list[Message], ids: list[RecordId]) -> Body:
    phrase, kind = draw.choice(_PHRASES), draw.randrange(10)
    if kind < 5:
        return Claim(
            predicate=draw.choice(_KEYS),
            value=draw.choice((phrase, phrase, 17, 1.5e30)),
            raw_value=draw.choice((None, draw.choice(_PHRASES))),
            entity_ref=draw.choice((None, "Anna", "绿茶")),
        )
    if kind < 7:
        return Episode(narrative=phrase, occurred_from=at(0))
    if kind < 9:
        return Note(note_kind=NoteKind.FACT, text=phrase, tags=draw.choice(((), ("tea",), ("绿茶", "anna"))))
    named = Evidence(source=SourceKind.CLAIM, source_id=draw.choice(ids), speaker=Speaker.USER)
    support = (_proof(draw, messages), named)[draw.randrange(2) :]
    return Inference(
        axis=Axis.PATTERN, predicate="goal.current_focus", value=phrase, confidence=0.8, support=support
    )


def _scope(seed: int) -> tuple[Holdings, Records, Policy]:
    """Return what a scope holds, and what is forgotten of it; the same for the same seed."""
    draw = Random(seed)  # noqa: S311 - made-up records, not a secret
    policy = draw.choice(_POLICIES)
    messages = [_message(draw, number) for number in range(draw.randrange(1, 6))]
    ids = [RecordId(f"r-{number}") for number in range(draw.randrange(1, 12))]
    records: list[AnyRecord] = [
        Record(
            id=name,
            body=_body(draw, messages, ids),
            evidence=tuple(_proof(draw, messages) for _ in range(draw.choice((0, 1, 1, 2)))),
            created_at=at(0),
            updated_at=at(draw.randrange(5)),
            valid_from=at(0),
            valid_until=draw.choice((None, None, at(50))),
            status=draw.choice((Status.ACTIVE, Status.ACTIVE, Status.SUPERSEDED, Status.FADED)),
            supersedes=draw.choice((None, None, draw.choice(ids))),
        )
        for name in ids
    ]
    records.sort(key=lambda one: (-one.updated_at.microseconds, one.id))
    names = [*ids, *(message.id for message in messages), "nobody"]
    target = Records(tuple(draw.sample(names, draw.choice((1, 1, 1, 2)))))
    guard = Guard.of((), (), scope=SCOPE, secret=b"x" * 32, policy=policy.forgetting)
    held = Holdings(records=tuple(records), messages={one.id: one for one in messages}, guard=guard)
    return held, target, policy


def _narrowed(held: Holdings, target: Records, policy: Policy) -> Holdings:
    def of(ids: Iterable[RecordId]) -> Holdings:
        wanted = frozenset(ids)
        return attrs.evolve(held, records=tuple(one for one in held.records if one.id in wanted))

    return concerned(target, [Outline.of(record) for record in held.records], of, policy.forgetting)


def _forgotten(held: Holdings, target: Records, policy: Policy) -> tuple[ForgetReport, Changes]:
    return erase(target, held, now=at(100), policy=policy)


@given(st.integers(0, 10**9))
def test_what_an_outline_leaves_out_changes_nothing(seed: int) -> None:
    """The same goes, is masked, recomputed, kept as hashes and told as residue."""
    for one in range(seed, seed + 10):
        held, target, policy = _scope(one)
        assert _forgotten(held, target, policy) == _forgotten(_narrowed(held, target, policy), target, policy)


def test_where_much_goes_everything_is_looked_at() -> None:
    """To compare all with so many would take longer; of one only what has to do with it."""
    records = [claim(f"r-{number:02}", f"word{number}x", evidence=()) for number in range(40)]
    guard = Guard.of((), (), scope=SCOPE, secret=b"x" * 32, policy=COMPANION.forgetting)
    held = Holdings(records=tuple(records), messages={}, guard=guard)
    many = Records(tuple(one.id for one in records[:20]))
    assert held == _narrowed(held, many, COMPANION)
    one = _narrowed(held, Records(many.ids[:1]), COMPANION)
    assert one == attrs.evolve(held, records=held.records[:1], more=True)


def test_much_is_left_out_and_much_comes_of_the_rest() -> None:
    """So that the law above is not about nothing."""
    left_out = residue = masked = recomputed = 0
    for seed in range(300):
        held, target, policy = _scope(seed)
        report, changes = _forgotten(held, target, policy)
        left_out += len(held.records) - len(_narrowed(held, target, policy).records)
        residue, masked = residue + len(report.residue), masked + len(changes.messages)
        recomputed += len(report.recomputed)
    assert min(left_out, residue, masked) > 80
    assert recomputed > 10
