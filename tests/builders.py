"""Small builders of domain values, so that a test states only what it is about."""

# ruff: noqa: A002 - a builder's argument is named like the field it fills.

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cmemory.domain.admit.claims import admit_claim, claim_record_id, read_claim
from cmemory.domain.admit.ground import Decided, Ground
from cmemory.domain.evidence.quote import locate
from cmemory.domain.evidence.suppression import Guard
from cmemory.domain.model.bodies import Axis, Claim, Episode, Inference, InferenceState, Note, NoteKind, Value
from cmemory.domain.model.candidate import ClaimCandidate
from cmemory.domain.model.changes import Fingerprint, Suppression, SuppressionKind
from cmemory.domain.model.ids import MessageId, RecordId, Revision
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.message import Evidence, Message, Quote, Role, SourceKind, Speaker
from cmemory.domain.model.record import (
    AnyRecord,
    ClaimRecord,
    EpisodeRecord,
    InferenceRecord,
    NoteRecord,
    Provenance,
    Record,
    Salience,
)
from cmemory.domain.model.scope import Scope
from cmemory.domain.plan.compose import Turn, compose
from cmemory.domain.plan.plan import Plan
from cmemory.domain.plan.roster import Roster
from cmemory.domain.policy import GOVERNED, ForgettingPolicy, Policy
from cmemory.domain.recall.query import Query
from cmemory.domain.reflect.quality import Figures, Gate, Quality

#: The moment most tests happen at.
NOW = Instant.parse("2026-03-01T09:00:00Z")
SCOPE = Scope(service="tests", owner="u-1", profile="luna")
SECRET = b"0123456789abcdef0123456789abcdef"

#: A measurement that speaks for what a host states.
MEASURED = Gate(
    quality=Quality(
        proposer="host",
        version="",
        reader="r",
        labels="l",
        messages=1,
        failed=0,
        overall=Figures(name="all", expected=1, proposed=1, right=1),
        languages=(),
        predicates=(),
    ),
    shortages=(),
)


def days(count: float, since: Instant = NOW) -> Instant:
    """Return the moment so many days later, or earlier when negative."""
    return since.plus(days=count)


def message(
    text: str, *, id: str = "m-1", speaker: Speaker = Speaker.USER, session: str = "s1", at: Instant = NOW
) -> Message:
    """Return something that was said."""
    return Message(id=MessageId(id), session=session, speaker=speaker, text=text, at=at)


def quote(text: str, words: str) -> Quote:
    """Return the one place of the words in the text."""
    found = locate(text, words)
    assert isinstance(found, Quote), f"{words!r} must stand in {text!r} exactly once"
    return found


def said(source: Message, words: str | None = None) -> Evidence:
    """Return the evidence that a stretch of a message, or all of it, brings."""
    return Evidence(
        source=SourceKind.MESSAGE,
        source_id=source.id,
        speaker=source.speaker,
        role=Role.USER_ASSERTION,
        quote=quote(source.text, words if words is not None else source.text),
    )


def ref(source: SourceKind, source_id: str, speaker: Speaker = Speaker.USER) -> Evidence:
    """Return a reference to a record or message, without a quote."""
    return Evidence(source=source, source_id=source_id, speaker=speaker)


def record(body: Any, *, id: str, at: Instant = NOW, **fields: Any) -> Any:
    """Return a record around a body; any envelope field may be given."""
    salience = fields.pop("salience", None) or Salience(
        importance=fields.pop("importance", 0.5),
        muted=fields.pop("muted", False),
        last_recalled_at=fields.pop("last_recalled_at", None),
    )
    envelope = {"evidence": (), "created_at": at, "updated_at": at, "valid_from": at, "salience": salience}
    return Record(id=RecordId(id), body=body, **{**envelope, **fields})


def claim(
    predicate: str,
    value: Value,
    *,
    id: str = "claim-1",
    raw: str | None = None,
    entity: str | None = None,
    context: str | None = None,
    confidence: float = 0.9,
    **fields: Any,
) -> ClaimRecord:
    """Return a stored claim."""
    body = Claim(
        predicate=predicate,
        value=value,
        raw_value=raw,
        entity_ref=entity,
        qualifiers=(("context", context),) if context else (),
        confidence=confidence,
    )
    made: ClaimRecord = record(body, id=id, **fields)
    return made


def episode(narrative: str, *, id: str = "episode-1", at: Instant = NOW, **fields: Any) -> EpisodeRecord:
    """Return a stored episode."""
    body = Episode(narrative=narrative, occurred_from=at, participants=tuple(fields.pop("participants", ())))
    made: EpisodeRecord = record(body, id=id, at=at, **fields)
    return made


def note(text: str, *, id: str = "note-1", at: Instant = NOW, **fields: Any) -> NoteRecord:
    """Return a note on what a person likes or bears."""
    made: NoteRecord = record(Note(note_kind=NoteKind.PREFERENCE, text=text), id=id, at=at, **fields)
    return made


def inference(
    value: str = "tends to plan ahead",
    *,
    id: str = "inference-1",
    predicate: str = "ritual.recurring_activity",
    axis: Axis = Axis.PATTERN,
    state: InferenceState = InferenceState.ACCUMULATING,
    confidence: float = 0.6,
    support: Sequence[Evidence] = (),
    counter: Sequence[Evidence] = (),
    acknowledged_at: Instant | None = None,
    expires_at: Instant | None = None,
    **fields: Any,
) -> InferenceRecord:
    """Return a stored inference."""
    body = Inference(
        axis=axis,
        predicate=predicate,
        value=value,
        state=state,
        confidence=confidence,
        support=tuple(support),
        counter=tuple(counter),
        acknowledged_at=acknowledged_at,
        expires_at=expires_at,
    )
    made: InferenceRecord = record(body, id=id, **fields)
    return made


def guard(
    *,
    everything: bool = False,
    records: Sequence[str] = (),
    predicates: Sequence[str] = (),
    entities: Sequence[str] = (),
    fingerprints: Sequence[Fingerprint] = (),
    scope: Scope = SCOPE,
    policy: ForgettingPolicy = GOVERNED.forgetting,
) -> Guard:
    """Return what a scope must not see again; entities are given by name."""
    plain = Guard.of((), (), scope=scope, secret=SECRET, policy=policy)
    rows = [
        *((SuppressionKind.RECORD, one) for one in records),
        *((SuppressionKind.PREDICATE, one) for one in predicates),
        *((SuppressionKind.ENTITY, plain.entity_digest(one)) for one in entities),
        *([(SuppressionKind.ALL, "*")] if everything else []),
    ]
    suppressions = [Suppression(kind=kind, target=target, created_at=NOW) for kind, target in rows]
    return Guard.of(suppressions, fingerprints, scope=scope, secret=SECRET, policy=policy)


def ground(source: Message, **fields: Any) -> Ground:
    """Return what an admission rests on."""
    given = {"guard": guard(), "policy": GOVERNED, "provenance": Provenance(), **fields}
    return Ground(message=source, **given)


def candidate(
    text: str, predicate: str, value: object, words: str | None = None, **fields: Any
) -> ClaimCandidate:
    """Return a proposed claim, proved by a stretch of a text or all of it."""
    given: dict[str, Any] = {"id": "c-1", **fields}
    given.setdefault("quote", quote(text, words if words is not None else text))
    return ClaimCandidate(predicate=predicate, value=value, **given)


def decide(
    proposed: ClaimCandidate, text: str, *incumbents: ClaimRecord, now: Instant = NOW, **fields: Any
) -> Decided:
    """Return the answer to a proposed claim that stands in the given text."""
    source = fields.pop("source", None) or message(text, at=now)
    read = read_claim(proposed, source.text)
    return admit_claim(proposed, read, tuple(incumbents), ground(source, **fields), now=now)


def record_id_of(proposed: ClaimCandidate) -> RecordId:
    """Return the id of the record a candidate becomes."""
    return claim_record_id(proposed.id)


def roster(*records: AnyRecord, revision: int = 7, now: Instant = NOW, policy: Policy = GOVERNED) -> Roster:
    """Return the records as they are prepared for planning."""
    return Roster.of(records, revision=Revision(revision), now=now, policy=policy)


def plan(
    said_now: str,
    *records: AnyRecord,
    now: Instant = NOW,
    policy: Policy = GOVERNED,
    threads: Sequence[Any] = (),
    forced: Sequence[str] = (),
    session: str = "",
    new_session: bool = False,
) -> Plan:
    """Return the plan for one message."""
    prepared = roster(*records, now=now, policy=policy)
    turn = Turn(
        query=Query.of(said_now),
        forced=frozenset(forced),
        session=session,
        new_session=new_session,
        threads=tuple(threads),
    )
    made, _ = compose(prepared, turn, now=now)
    return made
