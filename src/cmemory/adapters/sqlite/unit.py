"""Writes of one scope: a change set becomes rows, in the order its fields have.

A change set that fails leaves its unit unusable, also when the caller catches the error: the unit then
ends with an error instead of committing a part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from typing_extensions import override

from cmemory.adapters.sqlite import edges, rows, vectors, waiting
from cmemory.adapters.sqlite.errors import translated
from cmemory.adapters.sqlite.indexing import ADD_SAID, index_messages, index_stories
from cmemory.adapters.sqlite.view import NO_SCOPE, Lease, SqliteView
from cmemory.domain.errors import StoreError
from cmemory.domain.model.changes import Changes
from cmemory.domain.model.ids import Revision
from cmemory.domain.model.message import Message
from cmemory.domain.model.record import AnyRecord
from cmemory.domain.model.scope import Scope
from cmemory.domain.model.state import RuntimeState
from cmemory.ports.store import ACTIVE, Unit

T = TypeVar("T")
Values = Sequence[object]


class SqliteUnit(SqliteView, Unit):
    """A view that can also write."""

    def __init__(self, lease: Lease, scope: Scope) -> None:
        super().__init__(lease, scope)
        self._broken = False
        #: Whether text was taken away, so that the files have to be cleaned.
        self.erased = False

    @override
    def apply(self, changes: Changes) -> Revision:
        if self._broken or self._lease.ended:
            raise StoreError(action="write", problem="the unit has failed or ended")
        if not changes:
            return self.revision()
        self._broken = True
        self._check_owners(changes)
        with translated("write"):
            self._write(changes)
        self._broken = False
        return self.revision()

    def finish(self) -> None:
        """Check that everything asked for was written, and leave no row of a scope that holds nothing.

        Raises:
            StoreError: a change set failed, and the caller went on.
        """
        if self._broken:
            raise StoreError(
                action="write", problem="a change set failed, so nothing of the unit was written"
            )
        if self._no != NO_SCOPE and self._revision == 0:
            with translated("write"):
                self._one(_DROP_EMPTY_SCOPE, (self._no,))

    def reindex(self) -> int:
        """Build the index entries of the scope anew and return how many records have any; those of no scope go."""
        with translated("write"):
            for statement in _DROP_STRAYS:
                self._one(statement, ())
            index_messages(self._lease.connection, self._no)
            index_stories(self._lease.connection)
        return self._reindex_records()

    def _reindex_records(self) -> int:
        active = self.records(ACTIVE)
        with translated("write"):
            self._one("DELETE FROM terms WHERE scope = ?", (self._no,))
            self._one("UPDATE records SET terms = '{}' WHERE scope = ?", (self._no,))
            texts = {record.id: rows.terms_text(record) for record in active}
            self._many(
                "UPDATE records SET terms = ? WHERE id = ?", ((text, key) for key, text in texts.items())
            )
            numbers = self._all(
                "SELECT id, no FROM records WHERE scope = ? AND status = 'active'", (self._no,)
            )
            self._many(_ADD_TERM, self._postings((no, texts[key]) for key, no in numbers))
        return len(active)

    def _write(self, changes: Changes) -> None:
        self._ensure_scope()
        no = self._no
        revision = self._revision + changes.revision_step
        self._erase_records(changes.erase_records)
        self._erase_messages(changes.erase_messages)
        self._put_messages(changes.messages)
        self._put_records({record.id: record for record in changes.records}, revision)
        self._each(_PUT_THREAD, changes.threads, lambda one: rows.thread_row(one, no))
        self._each(
            _PUT_SUPPRESSION, changes.suppressions, lambda one: (*rows.suppression_row(one, no), revision)
        )
        self._each(_PUT_FINGERPRINT, changes.fingerprints, lambda one: rows.fingerprint_row(one, no))
        self._each(_LIFT_SUPPRESSION, changes.lift_suppressions, lambda one: (no, one.kind.value, one.target))
        self._each(_LIFT_LABEL, changes.lift_labels, lambda label: (no, label))
        self._each(_PUT_PENDING, changes.pending, lambda one: rows.pending_row(one, no))
        # In the order of the table, as the index entries.
        lines = sorted(changes.decisions, key=lambda one: one.id)
        self._each(_PUT_DECISION, lines, lambda one: rows.decision_row(one, no))
        self._each(_PUT_JOB, changes.jobs, lambda job: rows.job_row(job, no))
        self._each(_DROP_JOB, changes.done, lambda message_id: (no, message_id))
        self._each(waiting.PUT_EXCHANGE, changes.exchanges, lambda one: waiting.exchange_row(one, no))
        self._each(waiting.DROP_EXCHANGE, changes.consolidated, lambda message_id: (no, message_id))
        self._put_states(changes.states)
        self._each(edges.DROP, changes.prune_edges, lambda one: (no, one.source, one.target))
        self._each(edges.PUT, changes.edges, lambda one: edges.edge_row(one, no))
        for one in changes.embeddings:
            self._one(vectors.PUT[one.kind], vectors.embedding_row(one, no))
        told_since = revision + 1 if changes.hides else self._told_since
        if (revision, told_since) != (self._revision, self._told_since):
            self._revision, self._told_since = revision, told_since
            self._one(_MOVE, (revision, revision, told_since, no))

    def _one(self, statement: str, values: Values) -> None:
        self._lease.connection.execute(statement, values)

    def _many(self, statement: str, many: Iterable[Values]) -> None:
        self._lease.connection.executemany(statement, many)

    def _each(self, statement: str, things: Sequence[T], row: Callable[[T], Values]) -> None:
        """Run a statement for each thing; most change sets have none of most kinds, and hardly ever more than one."""
        if len(things) > 1:
            self._many(statement, map(row, things))
        elif things:
            self._one(statement, row(things[0]))

    def _ensure_scope(self) -> None:
        if self._no == NO_SCOPE:
            scope = self._scope
            self._one(_ADD_SCOPE, (scope.key, scope.service, scope.owner, scope.profile))
            self._no = self._first("SELECT no FROM scopes WHERE key = ?", (scope.key,))[0]

    def _check_owners(self, changes: Changes) -> None:
        for statement, ids in (
            (_TAKEN_RECORD, [record.id for record in changes.records]),
            (_TAKEN_THREAD, [thread.id for thread in changes.threads]),
            (_TAKEN_PENDING, [one.id for one in changes.pending]),
        ):
            if self._named(statement, ids, self._no):
                raise StoreError(action="write", problem="an id belongs to another scope")

    def _erase_records(self, ids: Sequence[str]) -> None:
        if not ids:
            return
        self.erased = True
        no = self._no
        for record_no, terms, _ in self._held(ids).values():
            self._drop_terms(record_no, terms)
        named = [(no, record_id) for record_id in ids]
        self._many("DELETE FROM records WHERE scope = ? AND id = ?", named)
        self._many("DELETE FROM threads WHERE scope = ? AND record_id = ?", named)
        self._many("DELETE FROM decisions WHERE scope = ? AND record_id = ?", named)
        self._many(vectors.DROP_RECORD, named)

    def _erase_messages(self, ids: Sequence[str]) -> None:
        if not ids:
            return
        self.erased = True
        named = [(self._no, message_id) for message_id in ids]
        for message_id in ids:
            held = self._first(_HELD_MESSAGE, (self._no, message_id))
            if held is not None:
                self._drop_said(held[0], held[2])
        self._many("DELETE FROM messages WHERE scope = ? AND id = ?", named)
        self._many(_DROP_JOB, named)
        self._many("DELETE FROM pending WHERE scope = ? AND message_id = ?", named)
        self._many("DELETE FROM decisions WHERE scope = ? AND message_id = ?", named)
        self._many(edges.DROP_SOURCE, named)
        self._many(edges.DROP_TARGET, named)
        self._many(waiting.DROP_EXCHANGE, named)
        self._many(waiting.DROP_ANSWER, named)
        self._many(vectors.DROP_MESSAGE, named)

    def _put_messages(self, messages: Sequence[Message]) -> None:
        for message in messages:
            before = self._first(_HELD_MESSAGE, (self._no, message.id))
            if before is not None and before[3:] == rows.message_columns(message)[1:]:
                # Whatever a message proves brings it along, and to index it costs more than any of that.
                continue
            terms = rows.said_text(message.text)
            if before is not None:
                no, text, held = before[:3]
                if text != message.text:
                    # Forgetting masks a part of a message by replacing it.
                    self.erased = True
                    self._one(vectors.DROP_MESSAGE, (self._no, message.id))
                self._drop_said(no, held)
            put = self._lease.connection.execute(_PUT_MESSAGE, rows.message_row(message, self._no, terms))
            no = put.lastrowid if before is None else before[0]
            self._many(
                ADD_SAID, ((self._no, term, no, count) for term, count in rows.postings(terms).items())
            )

    def _put_records(self, records: dict[str, AnyRecord], revision: int) -> None:
        if not records:
            return
        held = self._held(list(records))
        following = self._first("SELECT coalesce(max(no), 0) + 1 FROM records", ())[0]
        added = (record_id for record_id in records if record_id not in held)
        numbers = {record_id: no for no, record_id in enumerate(added, start=following)}
        numbers.update((record_id, no) for record_id, (no, *_) in held.items())
        texts = {record_id: rows.terms_text(record) for record_id, record in records.items()}
        self._many(
            _PUT_RECORD,
            (
                rows.record_row(record, no=numbers[key], scope=self._no, terms=texts[key], revision=revision)
                for key, record in records.items()
            ),
        )
        self._many(_DROP_OTHER_VECTOR, ((self._no, key, body) for key, (_, _, body) in held.items()))
        self._each("DELETE FROM evidence WHERE record = ?", tuple(held.values()), lambda one: one[:1])
        self._many(
            _ADD_EVIDENCE,
            (row for key, record in records.items() for row in rows.evidence_rows(record, no=numbers[key])),
        )
        changed = [key for key in records if key not in held or held[key][1] != texts[key]]
        for key in changed:
            if key in held:
                self._drop_terms(*held[key][:2])
        self._many(_ADD_TERM, self._postings((numbers[key], texts[key]) for key in changed))

    def _put_states(self, states: Sequence[RuntimeState]) -> None:
        for state in states[-1:]:
            if state == RuntimeState():
                self._one(waiting.DROP_STATE, (self._no,))
            else:
                self._one(waiting.PUT_STATE, (self._no, waiting.state_text(state)))

    def _held(self, ids: Sequence[str]) -> dict[str, tuple[int, str, str]]:
        """Return number, index entries and body of those records of the scope that are there already."""
        found = self._named(_HELD, ids, self._no)
        return {record_id: (no, terms, body) for record_id, no, terms, body in found}

    def _drop_terms(self, record_no: int, terms: str) -> None:
        self._many(_DROP_TERM, ((self._no, term, record_no) for term in rows.postings(terms)))

    def _drop_said(self, message_no: int, terms: str) -> None:
        self._many(_DROP_SAID, ((self._no, term, message_no) for term in rows.postings(terms)))

    def _postings(self, texts: Iterable[tuple[int, str]]) -> Iterable[Values]:
        """Return index entries as rows in the order of the table, so that what is written at once goes through it once."""
        found = ((term, no, count) for no, terms in texts for term, count in rows.postings(terms).items())
        return ((self._no, *one) for one in sorted(found))


_ADD_SCOPE = "INSERT INTO scopes (key, service, owner, profile, revision) VALUES (?, ?, ?, ?, 0)"
_MOVE = "UPDATE scopes SET revision = ?, marked = ?, told_since = ? WHERE no = ?"
_DROP_EMPTY_SCOPE = """
    DELETE FROM scopes WHERE no = ?
    AND NOT EXISTS (SELECT 1 FROM records WHERE scope = scopes.no)
    AND NOT EXISTS (SELECT 1 FROM messages WHERE scope = scopes.no)
    AND NOT EXISTS (SELECT 1 FROM threads WHERE scope = scopes.no)
    AND NOT EXISTS (SELECT 1 FROM suppressions WHERE scope = scopes.no)
    AND NOT EXISTS (SELECT 1 FROM fingerprints WHERE scope = scopes.no)
    AND NOT EXISTS (SELECT 1 FROM decisions WHERE scope = scopes.no)
    AND NOT EXISTS (SELECT 1 FROM pending WHERE scope = scopes.no)
    AND NOT EXISTS (SELECT 1 FROM jobs WHERE scope = scopes.no)
    AND NOT EXISTS (SELECT 1 FROM associations WHERE scope = scopes.no)
    AND NOT EXISTS (SELECT 1 FROM exchanges WHERE scope = scopes.no)
    AND NOT EXISTS (SELECT 1 FROM states WHERE scope = scopes.no)
"""
_DROP_STRAYS = tuple(
    f"DELETE FROM {table} WHERE scope NOT IN (SELECT no FROM scopes)"  # noqa: S608
    for table in ("terms", "utterance_terms", "utterance_counts")
)
_TAKEN_RECORD = "SELECT 1 FROM records WHERE id {named} AND scope <> ? LIMIT 1"
_TAKEN_THREAD = "SELECT 1 FROM threads WHERE id {named} AND scope <> ? LIMIT 1"
_TAKEN_PENDING = "SELECT 1 FROM pending WHERE id {named} AND scope <> ? LIMIT 1"
# The plus keeps the planner off the index by scope, which would read the whole scope.
_HELD = "SELECT id, no, terms, body FROM records WHERE id {named} AND +scope = ?"
#: The body is the one that was held before; that of the record is new already.
_DROP_OTHER_VECTOR = """
    DELETE FROM vectors WHERE scope = ? AND kind = 'record' AND id = (SELECT id FROM records WHERE id = ? AND body <> ?)
"""

_PUT_MESSAGE = """
    INSERT INTO messages (scope, id, session, speaker, text, at, seal, terms, places)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (scope, id) DO UPDATE SET
        session = excluded.session, speaker = excluded.speaker, text = excluded.text, at = excluded.at,
        seal = excluded.seal, terms = excluded.terms, places = excluded.places
"""
_PUT_RECORD = """
    INSERT INTO records (
        no, scope, id, kind, status, predicate, slot, meaning, body, created_at, updated_at, valid_from,
        valid_until, supersedes, importance, recall_count, last_recalled_at, muted, proposer, version, model,
        terms, seal, written_at, story
    ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET
        kind = excluded.kind, status = excluded.status, predicate = excluded.predicate, slot = excluded.slot,
        meaning = excluded.meaning, body = excluded.body, created_at = excluded.created_at,
        updated_at = excluded.updated_at, valid_from = excluded.valid_from,
        valid_until = excluded.valid_until,
        supersedes = excluded.supersedes, importance = excluded.importance,
        recall_count = excluded.recall_count, last_recalled_at = excluded.last_recalled_at,
        muted = excluded.muted, proposer = excluded.proposer,
        version = excluded.version, model = excluded.model, terms = excluded.terms, seal = excluded.seal,
        written_at = excluded.written_at, story = excluded.story
"""
_ADD_EVIDENCE = """
    INSERT INTO evidence (record, place, source, source_id, speaker, role, quote_start, quote_end, quote)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_ADD_TERM = "INSERT INTO terms (scope, term, record, count) VALUES (?, ?, ?, ?)"
_DROP_TERM = "DELETE FROM terms WHERE scope = ? AND term = ? AND record = ?"
_HELD_MESSAGE = """
    SELECT no, text, terms, session, speaker, text, at FROM messages WHERE scope = ? AND id = ?
"""
_DROP_SAID = "DELETE FROM utterance_terms WHERE scope = ? AND term = ? AND message = ?"
_PUT_THREAD = """
    INSERT INTO threads (
        scope, id, record_id, summary, entity_ref, status, opened_at, updated_at, expires_at, followup_session,
        seal
    ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET
        record_id = excluded.record_id, summary = excluded.summary, entity_ref = excluded.entity_ref,
        status = excluded.status, opened_at = excluded.opened_at, updated_at = excluded.updated_at,
        expires_at = excluded.expires_at, followup_session = excluded.followup_session, seal = excluded.seal
"""
_PUT_SUPPRESSION = """
    INSERT INTO suppressions (scope, kind, target, created_at, written_at) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (scope, kind, target) DO UPDATE SET
        created_at = excluded.created_at, written_at = excluded.written_at
"""
_PUT_FINGERPRINT = """
    INSERT INTO fingerprints (scope, digest, label, created_at) VALUES (?, ?, ?, ?)
    ON CONFLICT (scope, digest, label) DO UPDATE SET created_at = excluded.created_at
"""
_LIFT_SUPPRESSION = "DELETE FROM suppressions WHERE scope = ? AND kind = ? AND target = ?"
_LIFT_LABEL = "DELETE FROM fingerprints WHERE scope = ? AND label = ?"
_PUT_PENDING = """
    INSERT INTO pending (id, scope, kind, message_id, reason, created_at) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET
        kind = excluded.kind, message_id = excluded.message_id, reason = excluded.reason,
        created_at = excluded.created_at
"""
_PUT_DECISION = """
    INSERT INTO decisions (scope, id, at, action, outcome, reason, record_id, candidate_id, message_id)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (scope, id) DO UPDATE SET
        at = excluded.at, action = excluded.action, outcome = excluded.outcome, reason = excluded.reason,
        record_id = excluded.record_id, candidate_id = excluded.candidate_id, message_id = excluded.message_id
"""
_PUT_JOB = """
    INSERT INTO jobs (scope, message_id, enqueued_at, attempts, due_at, dead) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (scope, message_id) DO UPDATE SET
        enqueued_at = excluded.enqueued_at, attempts = excluded.attempts, due_at = excluded.due_at,
        dead = excluded.dead
"""
_DROP_JOB = "DELETE FROM jobs WHERE scope = ? AND message_id = ?"
