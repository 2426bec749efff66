"""A store in dictionaries. Slow on purpose: every answer is worked out from the rows, so nothing is stale."""

from __future__ import annotations

import copy
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import attrs
from typing_extensions import override

from cmemory.domain.errors import StoreError, UsageError
from cmemory.domain.evidence.outline import Outline
from cmemory.domain.model.association import Edge
from cmemory.domain.model.bodies import Body
from cmemory.domain.model.changes import (
    Changes,
    Decision,
    Fingerprint,
    Job,
    OpenThread,
    Pending,
    Suppression,
    SuppressionKind,
)
from cmemory.domain.model.embedding import Embedded, Embedding
from cmemory.domain.model.ids import MessageId, RecordId, Revision
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.life import Status
from cmemory.domain.model.message import Message, SourceKind, Speaker
from cmemory.domain.model.record import (
    AnyRecord,
    ClaimRecord,
    EpisodeRecord,
    NoteRecord,
    is_claim,
    is_episode,
    is_note,
)
from cmemory.domain.model.scope import Scope
from cmemory.domain.model.state import Exchange, RuntimeState
from cmemory.domain.predicates.identity import slot_of
from cmemory.domain.predicates.values import equivalent, normal_value
from cmemory.domain.recall.index import record_terms
from cmemory.domain.recall.said import Among, Said, Statistics, Stretch, message_terms
from cmemory.ports.store import ACTIVE, ANY_STATUS, BackupReport, Footprint, Since, Store, Survey, Unit


@attrs.define
class _Rows:
    """What one scope holds."""

    revision: int = 0
    records: dict[str, AnyRecord] = attrs.field(factory=dict)
    messages: dict[str, Message] = attrs.field(factory=dict)
    threads: dict[str, OpenThread] = attrs.field(factory=dict)
    suppressions: dict[tuple[str, str], Suppression] = attrs.field(factory=dict)
    fingerprints: dict[tuple[str, str], Fingerprint] = attrs.field(factory=dict)
    decisions: dict[str, Decision] = attrs.field(factory=dict)
    pending: dict[str, Pending] = attrs.field(factory=dict)
    jobs: dict[str, Job] = attrs.field(factory=dict)
    edges: dict[tuple[str, str], Edge] = attrs.field(factory=dict)
    exchanges: dict[str, Exchange] = attrs.field(factory=dict)
    state: RuntimeState = attrs.field(factory=RuntimeState)
    vectors: dict[tuple[Embedded, str], Embedding] = attrs.field(factory=dict)
    #: At which revision each record was written, and each id suppressed; since which revision that tells all that
    #: changed.
    written_at: dict[str, int] = attrs.field(factory=dict, eq=False)
    suppressed_at: dict[str, int] = attrs.field(factory=dict, eq=False)
    told_since: int = attrs.field(default=0, eq=False)

    def copied(self) -> _Rows:
        return _Rows(**{field.name: copy.copy(getattr(self, field.name)) for field in attrs.fields(_Rows)})


class InMemoryStore(Store):
    """Keeps everything in this process and forgets it with the process.

    Args:
        secret: key of the forgetting hashes, at least 32 bytes.
    """

    def __init__(self, *, secret: bytes) -> None:
        if len(secret) < 32:
            raise UsageError(field="secret", problem="must have at least 32 bytes")
        self._secret = secret
        self._scopes: dict[Scope, _Rows] = {}
        self._lock = threading.RLock()
        self._writing = False
        self._closed = False

    @property
    @override
    def secret(self) -> bytes:
        return self._secret

    @override
    @contextmanager
    def read(self, scope: Scope) -> Iterator[_Unit]:
        with self._lock:
            view = self._unit("read", scope)
        with view.lasting():
            yield view

    @override
    @contextmanager
    def write(self, scope: Scope) -> Iterator[_Unit]:
        with self._lock:
            if self._writing:
                raise StoreError(action="write", problem="this thread is inside a unit of this store already")
            unit = self._unit("write", scope)
            self._writing = True
            try:
                with unit.lasting():
                    yield unit
                self._keep(scope, unit.written())
            finally:
                self._writing = False

    def _unit(self, action: str, scope: Scope) -> _Unit:
        self._check_open(action)
        others = {name: rows for name, rows in self._scopes.items() if name != scope}
        return _Unit(scope, self._scopes.get(scope, _Rows()).copied(), others)

    def _keep(self, scope: Scope, rows: _Rows) -> None:
        self._scopes.pop(scope, None)
        if rows != _Rows():
            self._scopes[scope] = rows

    @override
    def scopes(self) -> Sequence[Scope]:
        with self._lock:
            self._check_open("read")
            return sorted(self._scopes, key=lambda scope: scope.key)

    @override
    def reindex(self, scope: Scope) -> int:
        with self.read(scope) as view:
            return len(view.records())

    @override
    def contains(self, needle: str) -> bool:
        with self._lock:
            return any(needle in text for held in self._scopes.items() for text in _texts(held))

    @override
    def footprint(self) -> Footprint:
        return Footprint(files=(), bytes=0)

    @override
    @contextmanager
    def survey(self) -> Iterator[Survey]:
        # Only a selfcheck looks the store over.
        from cmemory.adapters.inmemory.survey import InMemorySurvey

        with self._lock:
            held = tuple(
                (scope, self._unit("read", scope), tuple(self._scopes[scope].edges.values()))
                for scope in self.scopes()
            )
        yield InMemorySurvey(held)

    @override
    def back_up(self, path: str, *, overwrite: bool = False) -> BackupReport:
        del path, overwrite
        raise UsageError(field="path", problem="a store in memory has no file to copy; export instead")

    @override
    def close(self) -> None:
        self._closed = True

    def _check_open(self, action: str) -> None:
        if self._closed:
            raise StoreError(action=action, problem="the store is closed")


class _Unit(Unit):
    """View and write-set in one: reads look at the rows, `apply` changes them."""

    def __init__(self, scope: Scope, rows: _Rows, others: dict[Scope, _Rows]) -> None:
        self._scope = scope
        self._held = rows
        self._others = others
        self._ended = False
        self._broken = False

    @contextmanager
    def lasting(self) -> Iterator[None]:
        """Let the unit be used within the block, and not after it."""
        try:
            yield
        finally:
            self._ended = True

    def written(self) -> _Rows:
        """Return the rows as they are now, unless a change set failed and the caller went on."""
        if self._broken:
            raise StoreError(
                action="write", problem="a change set failed, so nothing of the unit was written"
            )
        return self._held

    @property
    def _rows(self) -> _Rows:
        if self._ended:
            raise StoreError(action="read", problem="the view has ended")
        return self._held

    @override
    def revision(self) -> Revision:
        return Revision(self._rows.revision)

    @override
    def record(self, record_id: str) -> AnyRecord | None:
        return self._rows.records.get(record_id)

    @override
    def records(self, statuses: frozenset[Status] = ACTIVE) -> Sequence[AnyRecord]:
        chosen = [record for record in self._rows.records.values() if record.status in statuses]
        return sorted(chosen, key=lambda record: (-record.updated_at.microseconds, record.id))

    @override
    def outlines(self) -> Sequence[Outline]:
        return [Outline.of(record) for record in self.records(ANY_STATUS)]

    @override
    def changes_since(self, revision: Revision) -> Since | None:
        rows = self._rows
        if revision < rows.told_since:
            return None
        suppressed = (name for name, written_at in rows.suppressed_at.items() if written_at >= revision)
        return Since(
            records=[one for one in self.records(ANY_STATUS) if rows.written_at[one.id] >= revision],
            suppressed=frozenset(suppressed),
        )

    @override
    def slot(
        self, key: str, *, meaning: str | None = None, limit: int | None = None
    ) -> Sequence[ClaimRecord]:
        held = [record for record in self.records() if is_claim(record) and slot_of(record.body) == key]
        return [record for record in held if meaning in (None, normal_value(record.body.value))][:limit]

    @override
    def stories(self, narrative: str) -> Sequence[EpisodeRecord]:
        return [
            one for one in self.records() if is_episode(one) and equivalent(one.body.narrative, narrative)
        ]

    @override
    def under(self, predicates: Sequence[str]) -> Sequence[ClaimRecord]:
        return [
            record for record in self.records() if is_claim(record) and record.body.predicate in predicates
        ]

    @override
    def notes(self, statuses: frozenset[Status] = ACTIVE) -> Sequence[NoteRecord]:
        return [record for record in self.records(statuses) if is_note(record)]

    @override
    def proven(
        self, message_ids: Sequence[str], *, without: Sequence[str] | None = None
    ) -> Sequence[AnyRecord]:
        named = {(SourceKind.MESSAGE, message_id) for message_id in message_ids}
        return [
            record
            for record in self.records(ANY_STATUS)
            if any((one.source, one.source_id) in named for one in record.evidence)
            and (
                without is None
                or record.salience.muted
                or record.status is Status.DELETED
                or (is_claim(record) and record.body.predicate not in without)
            )
        ]

    @override
    def find(self, terms: Sequence[str], *, limit: int) -> Sequence[RecordId]:
        wanted = frozenset(terms)
        hits = ((len(wanted & record_terms(record).keys()), record) for record in self.records())
        found = [(-shared, -record.updated_at.microseconds, record.id) for shared, record in hits if shared]
        return [record_id for *_, record_id in sorted(found)[:limit]]

    @override
    def foreign(self, record_id: str) -> bool:
        return any(record_id in rows.records for rows in self._others.values())

    @override
    def bearers(self, record_ids: Sequence[str]) -> Mapping[str, AnyRecord | None]:
        held = ((record_id, self.record(record_id)) for record_id in record_ids)
        return {name: record for name, record in held if record is not None or self.foreign(name)}

    @override
    def message(self, message_id: str) -> Message | None:
        return self._rows.messages.get(message_id)

    @override
    def messages(
        self, *, session: str | None = None, speaker: Speaker | None = None, last: int | None = None
    ) -> Sequence[Message]:
        chosen = [
            message
            for message in self._rows.messages.values()
            if session in (None, message.session) and speaker in (None, message.speaker)
        ]
        ordered = sorted(chosen, key=lambda message: (message.at, message.id))
        return ordered if last is None else ordered[len(ordered) - min(max(0, last), len(ordered)) :]

    @override
    def statistics(self, terms: Sequence[str]) -> Statistics:
        held = [message_terms(message.text) for message in self._rows.messages.values()]
        holding = {term: sum(term in one for one in held) for term in terms}
        return Statistics(
            messages=len(held),
            places=sum(sum(one.values()) for one in held),
            holding={term: count for term, count in holding.items() if count},
        )

    @override
    def utterances(self, weights: Mapping[str, int], *, among: Among, limit: int) -> Sequence[MessageId]:
        found = []
        for message in filter(among.admits, self._rows.messages.values()):
            shared = weights.keys() & message_terms(message.text).keys()
            if shared:
                weight = sum(weights[term] for term in shared)
                found.append((-weight, -message.at.microseconds, message.id))
        return [message_id for *_, message_id in sorted(found)[:limit]]

    @override
    def around(self, message_ids: Sequence[str], *, reach: int) -> Sequence[Stretch]:
        named = (self._rows.messages[one] for one in message_ids if one in self._rows.messages)
        return [self._stretch(message, reach) for message in named]

    def _stretch(self, message: Message, reach: int) -> Stretch:
        session = self.messages(session=message.session)
        at = session.index(message)
        near = session[max(0, at - reach) : at + reach + 1]
        return tuple(map(Said.of, near))

    @override
    def threads(self) -> Sequence[OpenThread]:
        return sorted(self._rows.threads.values(), key=lambda one: (-one.updated_at.microseconds, one.id))

    @override
    def thread_owner(self, thread_id: str) -> Scope | None:
        owned = {self._scope: self._rows, **self._others}
        return next((scope for scope, rows in owned.items() if thread_id in rows.threads), None)

    @override
    def suppressions(self) -> Sequence[Suppression]:
        return [self._rows.suppressions[key] for key in sorted(self._rows.suppressions)]

    @override
    def fingerprints(self) -> Sequence[Fingerprint]:
        return [self._rows.fingerprints[key] for key in sorted(self._rows.fingerprints)]

    @override
    def decisions(self, *, record_id: str | None = None) -> Sequence[Decision]:
        chosen = [one for one in self._rows.decisions.values() if record_id in (None, one.record_id)]
        return sorted(chosen, key=lambda one: (one.at, one.id))

    @override
    def pending(self) -> Sequence[Pending]:
        return sorted(self._rows.pending.values(), key=lambda one: (one.created_at, one.id))

    @override
    def job(self, message_id: str) -> Job | None:
        return self._rows.jobs.get(message_id)

    @override
    def jobs(self, *, due: Instant | None = None, limit: int | None = None) -> Sequence[Job]:
        waiting = [
            job for job in self._rows.jobs.values() if due is None or (not job.dead and job.due_at <= due)
        ]
        return sorted(waiting, key=lambda job: (job.enqueued_at, job.message_id))[:limit]

    @override
    def exchanges(self, *, limit: int | None = None) -> Sequence[Exchange]:
        return sorted(self._rows.exchanges.values(), key=lambda one: (one.queued_at, one.said))[:limit]

    @override
    def state(self) -> RuntimeState:
        return self._rows.state

    @override
    def edges(
        self, session: str, ids: Sequence[str] | None = None, *, limit: int | None = None
    ) -> Sequence[Edge]:
        chosen = [
            edge
            for edge in self._rows.edges.values()
            if edge.session == session and (ids is None or not {*edge.pair}.isdisjoint(ids))
        ]
        return sorted(chosen, key=_heaviest)[:limit]

    @override
    def message_vectors(self, model: str, *, among: Among, limit: int | None = None) -> Sequence[Embedding]:
        newest = sorted(filter(among.admits, self._rows.messages.values()), key=_newest_said)
        return self._vectors(Embedded.MESSAGE, [message.id for message in newest], model)[:limit]

    @override
    def record_vectors(self, model: str, *, limit: int | None = None) -> Sequence[Embedding]:
        return self._vectors(Embedded.RECORD, [record.id for record in self.records()], model)[:limit]

    @override
    def vectors(self, kind: Embedded, ids: Sequence[str], *, model: str) -> Sequence[Embedding]:
        return self._vectors(kind, sorted(set(ids)), model)

    def _vectors(self, kind: Embedded, ids: Sequence[str], model: str) -> list[Embedding]:
        held = (self._rows.vectors.get((kind, name)) for name in ids)
        return [one for one in held if one is not None and one.model == model and one.vector]

    @override
    def unembedded(self, kind: Embedded, *, model: str, limit: int | None = None) -> Sequence[str]:
        if kind is Embedded.MESSAGE:
            ids: list[str] = [one.id for one in sorted(self._rows.messages.values(), key=_newest_said)]
        else:
            ids = [record.id for record in self.records()]
        made = {name for (of, name), one in self._rows.vectors.items() if of is kind and one.model == model}
        return [name for name in ids if name not in made][:limit]

    @override
    def apply(self, changes: Changes) -> Revision:
        if self._broken:
            raise StoreError(action="write", problem="the unit has failed")
        rows = self._rows
        self._broken = True
        self._check_owners(changes)
        for record_id in changes.erase_records:
            self._erase_record(record_id)
        for message_id in changes.erase_messages:
            self._erase_message(message_id)
        for message in changes.messages:
            self._put_message(message)
        for record in changes.records:
            self._put_record(record)
        rows.threads.update((thread.id, thread) for thread in changes.threads)
        rows.suppressions.update(((one.kind.value, one.target), one) for one in changes.suppressions)
        rows.fingerprints.update(((one.digest, one.label), one) for one in changes.fingerprints)
        for lifted in changes.lift_suppressions:
            rows.suppressions.pop((lifted.kind.value, lifted.target), None)
        rows.fingerprints = {
            key: one for key, one in rows.fingerprints.items() if one.label not in changes.lift_labels
        }
        rows.pending.update((one.id, one) for one in changes.pending)
        rows.decisions.update((one.id, one) for one in changes.decisions)
        rows.jobs.update((job.message_id, job) for job in changes.jobs)
        for message_id in changes.done:
            rows.jobs.pop(message_id, None)
        rows.exchanges.update((one.said, one) for one in changes.exchanges)
        for message_id in changes.consolidated:
            rows.exchanges.pop(message_id, None)
        for state in changes.states:
            rows.state = state
        for edge in changes.prune_edges:
            rows.edges.pop(edge.pair, None)
        rows.edges.update((edge.pair, edge) for edge in changes.edges)
        for embedding in changes.embeddings:
            self._put_vector(embedding)
        rows.revision += changes.revision_step
        rows.written_at.update((record.id, rows.revision) for record in changes.records)
        rows.suppressed_at.update(
            (one.target, rows.revision) for one in changes.suppressions if one.kind is SuppressionKind.RECORD
        )
        if changes.hides:
            rows.told_since = rows.revision + 1
        self._broken = False
        return Revision(rows.revision)

    def _check_owners(self, changes: Changes) -> None:
        for rows in self._others.values():
            taken = (
                any(record.id in rows.records for record in changes.records)
                or any(thread.id in rows.threads for thread in changes.threads)
                or any(one.id in rows.pending for one in changes.pending)
            )
            if taken:
                raise StoreError(action="write", problem="an id belongs to another scope")

    def _put_message(self, message: Message) -> None:
        held = self._rows.messages.get(message.id)
        if held is not None and held.text != message.text:
            self._rows.vectors.pop((Embedded.MESSAGE, message.id), None)
        self._rows.messages[message.id] = message

    def _put_record(self, record: AnyRecord) -> None:
        held = self._rows.records.get(record.id)
        if held is not None and _spelled(held.body) != _spelled(record.body):
            self._rows.vectors.pop((Embedded.RECORD, record.id), None)
        self._rows.records[record.id] = record

    def _put_vector(self, one: Embedding) -> None:
        rows = self._rows
        if one.id in (rows.messages if one.kind is Embedded.MESSAGE else rows.records):
            rows.vectors[one.kind, one.id] = one

    def _erase_record(self, record_id: RecordId) -> None:
        rows = self._rows
        rows.records.pop(record_id, None)
        rows.vectors.pop((Embedded.RECORD, record_id), None)
        rows.threads = {key: one for key, one in rows.threads.items() if one.record_id != record_id}
        rows.decisions = {key: one for key, one in rows.decisions.items() if one.record_id != record_id}

    def _erase_message(self, message_id: MessageId) -> None:
        rows = self._rows
        rows.messages.pop(message_id, None)
        rows.vectors.pop((Embedded.MESSAGE, message_id), None)
        rows.jobs.pop(message_id, None)
        rows.exchanges = {
            key: attrs.evolve(one, answered=None) if one.answered == message_id else one
            for key, one in rows.exchanges.items()
            if key != message_id
        }
        rows.pending = {key: one for key, one in rows.pending.items() if one.message_id != message_id}
        rows.decisions = {key: one for key, one in rows.decisions.items() if one.message_id != message_id}
        rows.edges = {pair: one for pair, one in rows.edges.items() if message_id not in pair}


def _spelled(body: Body) -> str:
    """Return a body so that 1 and 1.0 are told apart, as they are where bodies are written down."""
    return repr(body)


def _newest_said(message: Message) -> tuple[int, MessageId]:
    return -message.at.microseconds, message.id


def _heaviest(edge: Edge) -> tuple[float, int, tuple[MessageId, MessageId]]:
    return -edge.weight, -edge.updated_at.microseconds, edge.pair


def _texts(held: Any) -> Iterator[str]:
    """Return every text inside a value of the model, at any depth."""
    if isinstance(held, str):
        yield held
    elif isinstance(held, Mapping):
        yield from (text for pair in held.items() for text in _texts(pair))
    elif isinstance(held, tuple):
        yield from (text for one in held for text in _texts(one))
    elif attrs.has(type(held)):
        names = (field.name for field in attrs.fields(type(held)))
        yield from (text for name in names for text in _texts(getattr(held, name)))
