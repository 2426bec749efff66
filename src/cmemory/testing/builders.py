"""Domain values with everything left out that a test does not speak of."""

from __future__ import annotations

from typing import Any

from cmemory.domain.model.association import Edge
from cmemory.domain.model.bodies import Axis, Body, Claim, Episode, Inference, Note, NoteKind
from cmemory.domain.model.changes import (
    Decision,
    Fingerprint,
    Job,
    OpenThread,
    Pending,
    Suppression,
    SuppressionKind,
)
from cmemory.domain.model.embedding import Embedded, Embedding, packed
from cmemory.domain.model.ids import MessageId, RecordId
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.message import Evidence, Message, Quote, Role, SourceKind, Speaker
from cmemory.domain.model.record import AnyRecord, Record
from cmemory.domain.model.scope import Scope
from cmemory.domain.model.state import Exchange

#: The moment builders count seconds from.
START = Instant.parse("2026-03-01T09:00:00Z")

SCOPE = Scope(service="tests", owner="ada-4711", profile="luna")


def at(seconds: float) -> Instant:
    """Return a moment so many seconds after `START`."""
    return START.plus(seconds=seconds)


def quoted(text: str, *, source_id: str = "m-1") -> Evidence:
    """Return evidence that quotes a text from the beginning of a message."""
    return Evidence(
        source=SourceKind.MESSAGE,
        source_id=source_id,
        speaker=Speaker.USER,
        role=Role.USER_ASSERTION,
        quote=Quote(start=0, end=len(text.encode("utf-8", "surrogatepass")), text=text),
    )


def claim(
    record_id: str = "r-1",
    value: str | float = "green tea",
    *,
    predicate: str = "preference.likes",
    entity_ref: str | None = None,
    qualifiers: tuple[tuple[str, str], ...] = (),
    second: float = 0,
    **envelope: Any,
) -> AnyRecord:
    """Return a record of a claim. ``second`` sets when it was last updated, counted from `START`."""
    body = Claim(predicate=predicate, value=value, entity_ref=entity_ref, qualifiers=qualifiers)
    return _record(record_id, body, second, envelope)


def episode(record_id: str = "r-1", narrative: str = "The dog ran away", **rest: Any) -> AnyRecord:
    """Return a record of an episode."""
    second: float = rest.pop("second", 0)
    return _record(record_id, Episode(narrative=narrative, occurred_from=at(second)), second, rest)


def inference(record_id: str = "r-1", value: str = "likes quiet evenings", **rest: Any) -> AnyRecord:
    """Return a record of an inference."""
    second: float = rest.pop("second", 0)
    predicate: str = rest.pop("predicate", "pattern.evening")
    body = Inference(axis=Axis.PATTERN, predicate=predicate, value=value)
    return _record(record_id, body, second, rest)


def note(
    record_id: str = "r-1",
    text: str = "Likes the sea",
    *,
    note_kind: NoteKind = NoteKind.FACT,
    tags: tuple[str, ...] = (),
    due_on: str | None = None,
    second: float = 0,
    **envelope: Any,
) -> AnyRecord:
    """Return a record of a note. ``second`` sets when it was last updated, counted from `START`."""
    body = Note(note_kind=note_kind, text=text, tags=tags, due_on=due_on)
    return _record(record_id, body, second, envelope)


def exchange(said: str = "m-1", answered: str | None = "m-2", *, second: float = 0) -> Exchange:
    """Return an exchange queued so many seconds after `START`."""
    return Exchange(
        said=MessageId(said),
        answered=None if answered is None else MessageId(answered),
        queued_at=at(second),
    )


def _record(record_id: str, body: Body, second: float, envelope: dict[str, Any]) -> AnyRecord:
    moment = at(second)
    fields: dict[str, Any] = {
        "evidence": (quoted(body.shown),),
        "created_at": moment,
        "updated_at": moment,
        "valid_from": moment,
        **envelope,
    }
    return Record(id=RecordId(record_id), body=body, **fields)


def message(
    message_id: str = "m-1",
    text: str = "I like green tea",
    *,
    session: str = "s-1",
    speaker: Speaker = Speaker.USER,
    second: float = 0,
) -> Message:
    """Return a message said so many seconds after `START`."""
    return Message(id=MessageId(message_id), session=session, speaker=speaker, text=text, at=at(second))


def thread(
    thread_id: str = "t-1", summary: str = "the results", *, record_id: str = "r-1", second: float = 0
) -> OpenThread:
    """Return an open thread last touched so many seconds after `START`."""
    moment = at(second)
    return OpenThread(
        id=thread_id, record_id=RecordId(record_id), summary=summary, opened_at=moment, updated_at=moment
    )


def decision(
    decision_id: str = "d-1",
    *,
    record_id: str | None = None,
    message_id: str | None = None,
    second: float = 0,
) -> Decision:
    """Return a line of the audit."""
    return Decision(
        id=decision_id,
        at=at(second),
        action="admit_claim",
        outcome="accepted",
        reason="admitted",
        record_id=None if record_id is None else RecordId(record_id),
        message_id=None if message_id is None else MessageId(message_id),
    )


def pending(pending_id: str = "p-1", *, message_id: str = "m-1", second: float = 0) -> Pending:
    """Return a pointer that waits for review."""
    return Pending(
        id=pending_id, kind="episode", message_id=MessageId(message_id), reason="gate", created_at=at(second)
    )


def job(message_id: str = "m-1", *, second: float = 0, due: float = 0, dead: bool = False) -> Job:
    """Return an extraction job enqueued and due so many seconds after `START`."""
    return Job(message_id=MessageId(message_id), enqueued_at=at(second), due_at=at(due), dead=dead)


def suppression(
    target: str, kind: SuppressionKind = SuppressionKind.RECORD, *, second: float = 0
) -> Suppression:
    """Return a suppression."""
    return Suppression(kind=kind, target=target, created_at=at(second))


def fingerprint(digest: str, label: str = "r-1", *, second: float = 0) -> Fingerprint:
    """Return a fingerprint."""
    return Fingerprint(digest=digest, label=RecordId(label), created_at=at(second))


def embedding(
    name: str = "m-1", *values: float, kind: Embedded = Embedded.MESSAGE, model: str = "model-1"
) -> Embedding:
    """Return the vector of a message or record; without values the empty one."""
    return Embedding(kind=kind, id=name, model=model, vector=packed(values) if values else b"")


def edge(
    source: str,
    target: str,
    *,
    session: str = "s",
    weight: float = 0.5,
    second: float = 0,
    turn: str = "turn-1",
) -> Edge:
    """Return an edge between two messages, the smaller id given first."""
    return Edge(
        session=session,
        source=MessageId(source),
        target=MessageId(target),
        weight=weight,
        created_at=at(0),
        updated_at=at(second),
        turn=turn,
        before=weight / 4,
    )
