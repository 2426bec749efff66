"""Domain values to rows and back. Written by hand, because every read of a scope passes here.

Enums are stored by value, instants by their text of fixed width, bodies and index entries as JSON.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from json.encoder import encode_basestring
from typing import Any

import attrs

from cmemory.adapters.sqlite.errors import DAMAGED
from cmemory.adapters.sqlite.seal import seal
from cmemory.adapters.wire import body_from_json, body_to_json, dump
from cmemory.domain.errors import StoreError, UsageError, WireError
from cmemory.domain.evidence.outline import Outline, words_of
from cmemory.domain.model.bodies import Body, Claim, Episode, kind_name
from cmemory.domain.model.changes import (
    Decision,
    Fingerprint,
    Job,
    OpenThread,
    Pending,
    Suppression,
    SuppressionKind,
    ThreadStatus,
)
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.life import Status
from cmemory.domain.model.message import Evidence, Message, Quote, Role, SourceKind, Speaker
from cmemory.domain.model.record import AnyRecord, Provenance, Record, Salience, is_claim, is_episode
from cmemory.domain.model.scope import Scope
from cmemory.domain.predicates.identity import slot_of
from cmemory.domain.predicates.values import normal_value
from cmemory.domain.recall.index import record_terms
from cmemory.domain.recall.said import Said, message_terms

Row = Sequence[Any]

# To look up a member costs a tenth of calling its enum, and every record has four.
_STATUSES = {one.value: one for one in Status}
_SOURCES = {one.value: one for one in SourceKind}
_SPEAKERS = {one.value: one for one in Speaker}
_ROLES = {one.value: one for one in Role}

_EPOCH = datetime(1970, 1, 1)  # naive on both sides of the subtraction
_MICROSECOND = timedelta(microseconds=1)


@lru_cache(maxsize=4096)
def instant_of(text: str) -> Instant:
    """Return the instant of a text of ours; many rows share their moments."""
    return Instant((datetime.fromisoformat(text[:-1]) - _EPOCH) // _MICROSECOND)


def maybe_instant(text: str | None) -> Instant | None:
    return None if text is None else instant_of(text)


def maybe_text(moment: Instant | None) -> str | None:
    return None if moment is None else str(moment)


RECORD_COLUMNS = (
    "no, id, body, status, created_at, updated_at, valid_from, valid_until, supersedes, "
    "importance, recall_count, last_recalled_at, muted, proposer, version, model"
)


def record_of(row: Row, evidence: tuple[Evidence, ...]) -> AnyRecord:
    """Return the record of a row in the order of `RECORD_COLUMNS`.

    Raises:
        StoreError: somebody else wrote into the row.
    """
    return Record(
        id=row[1],
        body=body_of(row[2]),
        evidence=evidence,
        status=_STATUSES[row[3]],
        created_at=instant_of(row[4]),
        updated_at=instant_of(row[5]),
        valid_from=instant_of(row[6]),
        valid_until=maybe_instant(row[7]),
        supersedes=row[8],
        salience=_salience(*row[9:13]),
        provenance=_provenance(*row[13:16]),
    )


# Many records share these, so that a scope is read sooner and takes less room.


@lru_cache(maxsize=4096)
def _salience(importance: float, recall_count: int, last_recalled_at: str | None, muted: int) -> Salience:
    return Salience(
        importance=importance,
        recall_count=recall_count,
        last_recalled_at=maybe_instant(last_recalled_at),
        muted=bool(muted),
    )


@lru_cache(maxsize=256)
def _provenance(proposer: str, version: str, model: str | None) -> Provenance:
    return Provenance(proposer=proposer, version=version, model=model)


def body_of(text: str) -> Body:
    """Return the body that a row spells.

    Raises:
        StoreError: it spells none.
    """
    try:
        data = json.loads(text)
        if "predicate" in data:
            # One of a few names, and spelt anew in every body.
            data["predicate"] = sys.intern(data["predicate"])
        return _usual(data) or body_from_json(data)
    except (WireError, UsageError, ValueError, TypeError) as error:
        raise StoreError(action="read", problem=DAMAGED) from error


def body_text(body: Body) -> str:
    """Return how a body is written: as `wire` spells it, and the usual claims much faster."""
    if (
        type(body) is Claim
        and type(body.value) is str
        and type(body.confidence) is float
        and not body.qualifiers
    ):
        return (
            f'{{"kind":"claim","predicate":{encode_basestring(body.predicate)},'
            f'"value":{encode_basestring(body.value)},"raw_value":{_maybe_spelt(body.raw_value)},'
            f'"entity_ref":{_maybe_spelt(body.entity_ref)},"qualifiers":[],"confidence":{body.confidence!r}}}'
        )
    return dump(body_to_json(body))


def _maybe_spelt(text: str | None) -> str:
    return "null" if text is None else encode_basestring(text)


def _usual(data: Any) -> Body | None:
    """Return the body of the usual forms, much faster than `wire` and the same; None for whatever else it may be."""
    if type(data) is not dict:
        return None
    if data.keys() == _CLAIM and data["kind"] == "claim":
        key, value, raw, entity = (data[name] for name in ("predicate", "value", "raw_value", "entity_ref"))
        texts = type(key) is str and type(value) is str and _is_maybe_text(raw) and _is_maybe_text(entity)
        if texts and data["qualifiers"] == [] and type(data["confidence"]) is float:
            return Claim(
                predicate=key,
                value=value,
                raw_value=raw,
                entity_ref=entity,
                confidence=data["confidence"],
            )
    elif data.keys() == _EPISODE and data["kind"] == "episode":
        told = type(data["narrative"]) is str and type(data["occurred_from"]) is str
        plain = all(data[name] is None for name in ("occurred_to", "user_reaction", "response_ref"))
        if told and plain and data["participants"] == [] == data["emotional_arc"]:
            return Episode(narrative=data["narrative"], occurred_from=Instant.parse(data["occurred_from"]))
    return None


def _is_maybe_text(value: object) -> bool:
    return value is None or type(value) is str


_CLAIM = frozenset({"kind", *(field.name for field in attrs.fields(Claim))})
_EPISODE = frozenset({"kind", *(field.name for field in attrs.fields(Episode))})


OUTLINE_COLUMNS = "records.id, kind, supersedes, body, source_id, quote"


def outline_of(first: Row, proofs: Iterable[Row]) -> Outline:
    """Return the outline of a record from its rows in the order of `OUTLINE_COLUMNS`, one for each of its proofs."""
    record_id, kind, supersedes, body, *_ = first
    # What JSON writes as it is stands in the body whole; escapes would put letters between the words.
    words = words_of(body_of(body)) if "\\" in body else body
    sources = tuple(row[4] for row in proofs if row[4] is not None)
    return Outline(
        record_id, kind, supersedes, words, sources, tuple(row[5] for row in proofs if row[5] is not None)
    )


def record_row(record: AnyRecord, *, no: int, scope: int, terms: str, revision: int) -> Row:
    """Return what is written of a record, without its evidence.

    That is: number, scope, columns, index entries, seal, the revision at which it is written, and the number of a story.
    """
    claim = record.body if is_claim(record) else None
    salience, provenance = record.salience, record.provenance
    columns = (
        record.id,
        kind_name(record.body),
        record.status.value,
        None if claim is None else claim.predicate,
        None if claim is None else slot_of(claim),
        None if claim is None else normal_value(claim.value),
        body_text(record.body),
        str(record.created_at),
        str(record.updated_at),
        str(record.valid_from),
        maybe_text(record.valid_until),
        record.supersedes,
        float(salience.importance),
        salience.recall_count,
        maybe_text(salience.last_recalled_at),
        salience.muted,
        provenance.proposer,
        provenance.version,
        provenance.model,
    )
    story = story_number(record.body.narrative) if is_episode(record) else None
    return (no, scope, *columns, terms, seal(*columns), revision, story)


def story_number(narrative: str) -> int:
    """Return the number by which a story is found that is told again in the same words; others may have it too."""
    digest = hashlib.blake2b(normal_value(narrative).encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def terms_text(record: AnyRecord) -> str:
    """Return the index entries of a record as JSON; only active records have any."""
    return _spelt(record_terms(record) if record.status is Status.ACTIVE else {})


def said_text(text: str) -> str:
    """Return the index entries of a message as JSON."""
    return _spelt(message_terms(text))


def _spelt(terms: Mapping[str, int]) -> str:
    return dump({term: terms[term] for term in sorted(terms)})


def places(terms: str) -> int:
    """Return how many places index entries fill, repeats counted."""
    return sum(postings(terms).values())


def postings(terms: str) -> Mapping[str, int]:
    """Return the index entries of `terms_text` or `said_text`."""
    held: Mapping[str, int] = json.loads(terms)
    return held


EVIDENCE_COLUMNS = "record, source, source_id, speaker, role, quote_start, quote_end, quote"


def evidence_of(row: Row) -> Evidence:
    """Return the evidence of a row in the order of `EVIDENCE_COLUMNS`."""
    return Evidence(
        source=_SOURCES[row[1]],
        source_id=sys.intern(row[2]),
        speaker=_SPEAKERS[row[3]],
        role=None if row[4] is None else _ROLES[row[4]],
        quote=None if row[7] is None else Quote(start=row[5], end=row[6], text=row[7]),
    )


def evidence_rows(record: AnyRecord, *, no: int) -> Iterable[Row]:
    """Return what is written of a record's evidence, in its order."""
    for place, one in enumerate(record.evidence):
        role = None if one.role is None else one.role.value
        quote = (None, None, None) if one.quote is None else (one.quote.start, one.quote.end, one.quote.text)
        yield (no, place, one.source.value, one.source_id, one.speaker.value, role, *quote)


def scope_of(row: Row) -> Scope:
    return Scope(service=row[0], owner=row[1], profile=row[2])


MESSAGE_COLUMNS = "messages.id, messages.session, messages.speaker, messages.text, messages.at"


def message_of(row: Row) -> Message:
    return Message(id=row[0], session=row[1], speaker=Speaker(row[2]), text=row[3], at=instant_of(row[4]))


def said_of(row: Row) -> Said:
    """Return the message of a row in the order of `MESSAGE_COLUMNS`, its index entries and their number behind."""
    return Said(message=message_of(row), terms=postings(row[5]), length=row[6])


def message_columns(message: Message) -> tuple[str, ...]:
    """Return what a message says in the order of `MESSAGE_COLUMNS`."""
    return (message.id, message.session, message.speaker.value, message.text, str(message.at))


def message_row(message: Message, scope: int, terms: str) -> Row:
    """Return what is written of a message: scope, columns, seal, index entries and how many places they fill."""
    columns = message_columns(message)
    return (scope, *columns, seal(*columns), terms, places(terms))


def thread_of(row: Row) -> OpenThread:
    return OpenThread(
        id=row[0],
        record_id=row[1],
        summary=row[2],
        entity_ref=row[3],
        status=ThreadStatus(row[4]),
        opened_at=instant_of(row[5]),
        updated_at=instant_of(row[6]),
        expires_at=maybe_instant(row[7]),
        followup_session=row[8],
    )


def thread_row(thread: OpenThread, scope: int) -> Row:
    """Return what is written of a thread: scope, columns, seal."""
    columns = (
        thread.id,
        thread.record_id,
        thread.summary,
        thread.entity_ref,
        thread.status.value,
        str(thread.opened_at),
        str(thread.updated_at),
        maybe_text(thread.expires_at),
        thread.followup_session,
    )
    return (scope, *columns, seal(*columns))


def suppression_of(row: Row) -> Suppression:
    return Suppression(kind=SuppressionKind(row[0]), target=row[1], created_at=instant_of(row[2]))


def suppression_row(one: Suppression, scope: int) -> Row:
    return (scope, one.kind.value, one.target, str(one.created_at))


def fingerprint_of(row: Row) -> Fingerprint:
    return Fingerprint(digest=row[0], label=row[1], created_at=instant_of(row[2]))


def fingerprint_row(one: Fingerprint, scope: int) -> Row:
    return (scope, one.digest, one.label, str(one.created_at))


def decision_of(row: Row) -> Decision:
    return Decision(
        id=row[0],
        at=instant_of(row[1]),
        action=row[2],
        outcome=row[3],
        reason=row[4],
        record_id=row[5],
        candidate_id=row[6],
        message_id=row[7],
    )


def decision_row(one: Decision, scope: int) -> Row:
    named = (one.record_id, one.candidate_id, one.message_id)
    return (scope, one.id, str(one.at), one.action, one.outcome, one.reason, *named)


def pending_of(row: Row) -> Pending:
    return Pending(id=row[0], kind=row[1], message_id=row[2], reason=row[3], created_at=instant_of(row[4]))


def pending_row(one: Pending, scope: int) -> Row:
    return (one.id, scope, one.kind, one.message_id, one.reason, str(one.created_at))


def job_of(row: Row) -> Job:
    return Job(
        message_id=row[0],
        enqueued_at=instant_of(row[1]),
        attempts=row[2],
        due_at=instant_of(row[3]),
        dead=bool(row[4]),
    )


def job_row(job: Job, scope: int) -> Row:
    return (scope, job.message_id, str(job.enqueued_at), job.attempts, str(job.due_at), job.dead)
