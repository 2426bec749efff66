"""The rows a store in dictionaries would have. Its index is worked out on the fly, so it is always right."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping

import attrs
from typing_extensions import override

from cmemory.domain.audit.rows import (
    DecisionRow,
    EdgeRow,
    EvidenceRow,
    ExchangeRow,
    FingerprintRow,
    JobRow,
    Medium,
    MessageRow,
    PendingRow,
    RecordRow,
    SaidRow,
    ScopeRow,
    Snapshot,
    SuppressionRow,
    ThreadRow,
)
from cmemory.domain.model.association import Edge
from cmemory.domain.model.bodies import Claim, kind_name
from cmemory.domain.model.changes import OpenThread
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.life import Status
from cmemory.domain.model.message import Evidence, Message
from cmemory.domain.model.record import AnyRecord
from cmemory.domain.model.scope import Scope
from cmemory.domain.predicates.identity import slot_of
from cmemory.domain.predicates.values import normal_value
from cmemory.domain.recall.index import record_terms
from cmemory.domain.recall.said import message_terms
from cmemory.ports.store import ANY_STATUS, Survey, View


@attrs.frozen
class InMemorySurvey(Survey):
    """Views and associations of every scope, taken at one moment."""

    _held: tuple[tuple[Scope, View, tuple[Edge, ...]], ...]

    @override
    def medium(self) -> Medium:
        return Medium()

    @override
    def snapshots(self) -> Iterator[Snapshot]:
        for no, (scope, view, edges) in enumerate(self._held, start=1):
            yield _snapshot(no, scope, view, edges)


def _snapshot(no: int, scope: Scope, view: View, edges: tuple[Edge, ...]) -> Snapshot:
    records = sorted(view.records(ANY_STATUS), key=lambda record: record.id)
    numbered = tuple(enumerate(records, start=1))
    rows = tuple(_record(number, record) for number, record in numbered)
    messages = view.messages()
    return Snapshot(
        scope=ScopeRow(no, scope.key, scope.service, scope.owner, scope.profile, view.revision()),
        records=rows,
        evidence=tuple(_proof(number, one) for number, record in numbered for one in record.evidence),
        postings={number: _terms(record) for number, record in numbered if record.status is Status.ACTIVE},
        messages=tuple(
            MessageRow(one.id, one.session, one.speaker.value, one.text, str(one.at), sealed=True)
            for one in messages
        ),
        threads=tuple(map(_thread, view.threads())),
        suppressions=tuple(
            SuppressionRow(one.kind.value, one.target, str(one.created_at)) for one in view.suppressions()
        ),
        fingerprints=tuple(
            FingerprintRow(one.digest, one.label, str(one.created_at)) for one in view.fingerprints()
        ),
        decisions=tuple(DecisionRow(one.id, str(one.at), one.record_id) for one in view.decisions()),
        pending=tuple(PendingRow(one.id, str(one.created_at)) for one in view.pending()),
        jobs=tuple(
            JobRow(one.message_id, str(one.enqueued_at), one.attempts, str(one.due_at)) for one in view.jobs()
        ),
        edges=tuple(map(_edge, edges)),
        exchanges=tuple(
            ExchangeRow(one.said, one.answered, str(one.queued_at), one.attempts) for one in view.exchanges()
        ),
        said=tuple(_said(number, one) for number, one in enumerate(messages, start=1)),
    )


def _record(no: int, record: AnyRecord) -> RecordRow:
    body = record.body
    claim = body if isinstance(body, Claim) else None
    salience = record.salience
    return RecordRow(
        no,
        record.id,
        kind_name(body),
        record.status.value,
        claim.predicate if claim else None,
        slot_of(claim) if claim else None,
        normal_value(claim.value) if claim else None,
        str(record.created_at),
        str(record.updated_at),
        str(record.valid_from),
        _maybe(record.valid_until),
        record.supersedes,
        salience.importance,
        salience.recall_count,
        _maybe(salience.last_recalled_at),
        json.dumps(_terms(record)),
        body=body,
        sealed=True,
    )


def _said(no: int, message: Message) -> SaidRow:
    terms = message_terms(message.text)
    return SaidRow(no, message.id, message.text, json.dumps(terms), sum(terms.values()), posted=terms)


def _edge(one: Edge) -> EdgeRow:
    moments = (str(one.created_at), str(one.updated_at))
    return EdgeRow(*one.pair, one.session, one.weight, one.count, *moments, one.turn, one.before)


def _terms(record: AnyRecord) -> Mapping[str, int]:
    return record_terms(record) if record.status is Status.ACTIVE else {}


def _proof(no: int, one: Evidence) -> EvidenceRow:
    quote = one.quote
    role = None if one.role is None else one.role.value
    span: Iterable[object] = (None, None, None) if quote is None else (quote.start, quote.end, quote.text)
    return EvidenceRow(no, one.source.value, one.source_id, one.speaker.value, role, *span)  # type: ignore[arg-type]


def _thread(one: OpenThread) -> ThreadRow:
    return ThreadRow(
        one.id,
        one.record_id,
        one.summary,
        one.entity_ref,
        one.status.value,
        str(one.opened_at),
        str(one.updated_at),
        _maybe(one.expires_at),
        one.followup_session,
        sealed=True,
    )


def _maybe(moment: Instant | None) -> str | None:
    return None if moment is None else str(moment)
