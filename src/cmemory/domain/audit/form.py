"""Whether each row is well-formed by itself: checksums, instants, tokens, bounds, columns that repeat the body."""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import datetime

from cmemory.domain.audit.finding import Code
from cmemory.domain.audit.rows import ExchangeRow, JobRow, MessageRow, RecordRow, Snapshot, ThreadRow
from cmemory.domain.model.bodies import BODY_KINDS, Claim
from cmemory.domain.model.changes import SuppressionKind, ThreadStatus
from cmemory.domain.model.life import Status
from cmemory.domain.model.message import Role, SourceKind, Speaker
from cmemory.domain.model.scope import scope_key
from cmemory.domain.pattern import lazy_pattern
from cmemory.domain.predicates.identity import slot_of
from cmemory.domain.predicates.values import normal_value

#: What was found, and in what.
Found = tuple[Code, str]

_STATUSES = frozenset(status.value for status in Status)
_SPEAKERS = frozenset(speaker.value for speaker in Speaker)
_ROLES = frozenset(role.value for role in Role) | {None}
_SOURCES = frozenset(source.value for source in SourceKind)
_THREAD_STATUSES = frozenset(status.value for status in ThreadStatus)
_SUPPRESSION_KINDS = frozenset(kind.value for kind in SuppressionKind)

_INSTANT = lazy_pattern(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z")


def seals(snapshot: Snapshot) -> Iterator[Found]:
    """Yield the rows whose checksum does not fit."""
    rows: tuple[MessageRow | RecordRow | ThreadRow, ...] = (
        *snapshot.messages,
        *snapshot.records,
        *snapshot.threads,
    )
    for row in rows:
        if not row.sealed:
            yield Code.SEAL_BROKEN, row.id


def scope_row(snapshot: Snapshot) -> Iterator[Found]:
    """Yield what is wrong with the scope itself."""
    scope = snapshot.scope
    if scope.key != scope_key(scope.service, scope.owner, scope.profile):
        yield Code.SCOPE_KEY, str(scope.no)
    # Whatever makes a record moves the revision by one at least.
    if scope.revision < len(snapshot.records):
        yield Code.REVISION_LOW, str(scope.no)


def bodies(snapshot: Snapshot) -> Iterator[Found]:
    """Yield the records whose body cannot be read, or is repeated wrongly in a column."""
    for record in snapshot.records:
        if record.body is None:
            yield Code.BODY_UNREADABLE, record.id
        elif not _columns_fit(record):
            yield Code.COLUMN_MISMATCH, record.id


def _columns_fit(record: RecordRow) -> bool:
    body = record.body
    # A kind that nobody knows is told as a token.
    if type(body) is not BODY_KINDS.get(record.kind, type(body)):
        return False
    held = (record.predicate, record.slot, record.meaning)
    if isinstance(body, Claim):
        return held == (body.predicate, slot_of(body), normal_value(body.value))
    return held == (None, None, None)


def tokens(snapshot: Snapshot) -> Iterator[Found]:
    """Yield the rows with a status, speaker, source or kind that nobody knows."""
    by_number = {record.no: record.id for record in snapshot.records}
    for record in snapshot.records:
        if record.status not in _STATUSES or record.kind not in BODY_KINDS:
            yield Code.TOKEN_UNKNOWN, record.id
    for proof in snapshot.evidence:
        if proof.source not in _SOURCES or proof.speaker not in _SPEAKERS or proof.role not in _ROLES:
            yield Code.TOKEN_UNKNOWN, by_number.get(proof.record, str(proof.record))
    for message in snapshot.messages:
        if message.speaker not in _SPEAKERS:
            yield Code.TOKEN_UNKNOWN, message.id
    for thread in snapshot.threads:
        if thread.status not in _THREAD_STATUSES:
            yield Code.TOKEN_UNKNOWN, thread.id
    for suppression in snapshot.suppressions:
        if suppression.kind not in _SUPPRESSION_KINDS:
            yield Code.TOKEN_UNKNOWN, suppression.target


def bounds(snapshot: Snapshot) -> Iterator[Found]:
    """Yield the rows with a measure outside its bounds."""
    for record in snapshot.records:
        if not 0.0 <= record.importance <= 1.0 or record.recall_count < 0:
            yield Code.OUT_OF_BOUNDS, record.id
    waiting: tuple[JobRow | ExchangeRow, ...] = (*snapshot.jobs, *snapshot.exchanges)
    for one in waiting:
        if one.attempts < 0:
            yield Code.OUT_OF_BOUNDS, one.message_id
    for edge in snapshot.edges:
        if not (0.0 <= edge.weight < math.inf and 0.0 <= edge.before < math.inf) or edge.count < 1:
            yield Code.OUT_OF_BOUNDS, edge.id


def instants(snapshot: Snapshot) -> Iterator[Found]:
    """Yield the rows with an instant in another form than ours, or in an impossible order."""
    for subject, moments, pairs in _moments(snapshot):
        if not all(moment is None or is_instant(moment) for moment in moments):
            yield Code.INSTANT_FORM, subject
        elif any(later is not None and later < earlier for earlier, later in pairs):
            yield Code.INSTANT_ORDER, subject


def is_instant(text: str) -> bool:
    """Tell whether a text is an instant in the form of fixed width.

    >>> [is_instant(text) for text in ("2026-03-01T09:00:00.000000Z", "2026-03-01T09:00:00Z", "2026-02-30T09:00:00.000000Z")]
    [True, False, False]
    """
    if _INSTANT.fullmatch(text) is None:
        return False
    try:
        datetime.fromisoformat(text[:-1])
    except ValueError:
        return False
    return True


_Moments = tuple[str, tuple[str | None, ...], tuple[tuple[str, str | None], ...]]


def _moments(snapshot: Snapshot) -> Iterator[_Moments]:
    """Yield each row's name, its instants, and the pairs of them that have an order."""
    for one in snapshot.records:
        held = (one.created_at, one.updated_at, one.valid_from, one.valid_until, one.last_recalled_at)
        yield one.id, held, ((one.created_at, one.updated_at), (one.valid_from, one.valid_until))
    for message in snapshot.messages:
        yield message.id, (message.at,), ()
    for thread in snapshot.threads:
        times = (thread.opened_at, thread.updated_at, thread.expires_at)
        yield thread.id, times, ((thread.opened_at, thread.updated_at),)
    for job in snapshot.jobs:
        yield job.message_id, (job.enqueued_at, job.due_at), ((job.enqueued_at, job.due_at),)
    for edge in snapshot.edges:
        yield edge.id, (edge.created_at, edge.updated_at), ((edge.created_at, edge.updated_at),)
    for exchange in snapshot.exchanges:
        yield exchange.message_id, (exchange.queued_at,), ()
    for decision in snapshot.decisions:
        yield decision.id, (decision.at,), ()
    for suppression in snapshot.suppressions:
        yield suppression.target, (suppression.created_at,), ()
    for fingerprint in snapshot.fingerprints:
        yield fingerprint.label, (fingerprint.created_at,), ()
    for pending in snapshot.pending:
        yield pending.id, (pending.created_at,), ()
