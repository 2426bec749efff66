"""Reads of one scope. Every statement is bound to the scope's number and stands in this module."""

from __future__ import annotations

import itertools
import json
import operator
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar, cast

import attrs
from typing_extensions import override

from cmemory.adapters.sqlite import edges, rows, vectors, waiting
from cmemory.adapters.sqlite.errors import readable, translated
from cmemory.domain.errors import StoreError
from cmemory.domain.evidence.outline import Outline
from cmemory.domain.model.association import Edge
from cmemory.domain.model.changes import Decision, Fingerprint, Job, OpenThread, Pending, Suppression
from cmemory.domain.model.embedding import Embedded, Embedding
from cmemory.domain.model.ids import MessageId, RecordId, Revision
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.life import Status
from cmemory.domain.model.message import Evidence, Message, Speaker
from cmemory.domain.model.record import AnyRecord, ClaimRecord, EpisodeRecord, NoteRecord
from cmemory.domain.model.scope import Scope
from cmemory.domain.model.state import Exchange, RuntimeState
from cmemory.domain.predicates.values import equivalent
from cmemory.domain.recall.said import Among, Said, Statistics, Stretch
from cmemory.ports.store import ACTIVE, Since, View

T = TypeVar("T")

#: Stands in place of a term for all messages of a scope; no text has it as a term.
EVERY_MESSAGE = ""

#: Rows that are held at once while records are read.
_BATCH = 1000

#: More than any scope holds.
_ALL = 2**62

#: Stands for a scope that holds nothing yet; numbers begin at 1.
NO_SCOPE = 0


@attrs.define
class Lease:
    """A connection lent to one view or unit, until it ends."""

    connection: sqlite3.Connection
    ended: bool = False


class SqliteView(View):
    """What one transaction sees of one scope."""

    def __init__(self, lease: Lease, scope: Scope) -> None:
        self._lease = lease
        self._scope = scope
        # This first read also fixes the snapshot.
        found = self._first(_SCOPE, (scope.key,)) or (NO_SCOPE, 0, 0, 0)
        self._no: int = found[0]
        self._revision: int = found[1]
        # A writer of an older version may have been here, and then nothing is told of what came before.
        self._told_since: int = found[3] if found[2] == found[1] else found[1] + 1

    def _all(self, statement: str, values: Sequence[object]) -> list[Any]:
        self._check_open()
        with translated("read"):
            return self._lease.connection.execute(statement, values).fetchall()

    def _check_open(self) -> None:
        if self._lease.ended:
            raise StoreError(action="read", problem="the view has ended")

    def _first(self, statement: str, values: Sequence[object]) -> Any:
        return next(iter(self._all(statement, values)), None)

    def _named(self, statement: str, ids: Sequence[str], *values: object) -> list[Any]:
        """Return what a statement finds that has ``{named}`` where it compares an id, before it takes the other values."""
        # A text out of JSON ends for SQLite where a NUL stands, so that such an id is looked up by itself.
        plain = [one for one in ids if "\0" not in one]
        many = statement.format(named="IN (SELECT value FROM json_each(?))")
        found = self._all(many, (_list(plain), *values)) if plain else []
        for one in ids if len(plain) < len(ids) else ():
            if "\0" in one:
                found += self._all(statement.format(named="= ?"), (one, *values))
        return found

    def _shaped(self, shape: Callable[[rows.Row], T], statement: str, values: Sequence[object]) -> list[T]:
        """Return what was found as values of the domain."""
        found = self._all(statement, values)
        with readable():
            return [shape(row) for row in found]

    @override
    def revision(self) -> Revision:
        return Revision(self._revision)

    @override
    def record(self, record_id: str) -> AnyRecord | None:
        return next(iter(self._records(_RECORD, (self._no, record_id))), None)

    @override
    def named(self, record_ids: Sequence[str]) -> Sequence[AnyRecord]:
        return self._records(_NAMED, (_list(record_ids), self._no))

    @override
    def records(self, statuses: frozenset[Status] = ACTIVE) -> Sequence[AnyRecord]:
        wanted = [status.value for status in statuses]
        if len(wanted) == 1:
            return self._records(_RECORDS_OF_STATUS, (self._no, *wanted))
        return self._records(_RECORDS, (self._no, json.dumps(wanted)))

    @override
    def outlines(self) -> Sequence[Outline]:
        found = self._all(_OUTLINES, (self._no,))
        with readable():
            return [
                rows.outline_of(first, (first, *rest))
                for _, (first, *rest) in itertools.groupby(found, key=operator.itemgetter(0))
            ]

    @override
    def changes_since(self, revision: Revision) -> Since | None:
        if revision < self._told_since:
            return None
        values = (self._no, revision)
        suppressed = frozenset(row[0] for row in self._all(_SUPPRESSED_SINCE, values))
        return Since(records=self._records(_WRITTEN_SINCE, values), suppressed=suppressed)

    @override
    def slot(
        self, key: str, *, meaning: str | None = None, limit: int | None = None
    ) -> Sequence[ClaimRecord]:
        most = -1 if limit is None else limit
        if meaning is None:
            return cast("list[ClaimRecord]", self._records(_SLOT, (self._no, key, most)))
        return cast("list[ClaimRecord]", self._records(_SAME_IN_SLOT, (self._no, key, meaning, most)))

    @override
    def stories(self, narrative: str) -> Sequence[EpisodeRecord]:
        likely = cast(
            "list[EpisodeRecord]", self._records(_STORIES, (self._no, rows.story_number(narrative)))
        )
        return [one for one in likely if equivalent(one.body.narrative, narrative)]

    @override
    def under(self, predicates: Sequence[str]) -> Sequence[ClaimRecord]:
        wanted = _list(predicates)
        return cast("list[ClaimRecord]", self._records(_UNDER, (self._no, wanted)))

    @override
    def notes(self, statuses: frozenset[Status] = ACTIVE) -> Sequence[NoteRecord]:
        wanted = _list(status.value for status in statuses)
        return cast("list[NoteRecord]", self._records(_NOTES, (self._no, wanted)))

    def _records(self, statement: str, values: Sequence[object]) -> list[AnyRecord]:
        return [one for found in self._batches(statement, values) for one in self._found(found)]

    def _batches(self, statement: str, values: Sequence[object]) -> Iterator[list[Any]]:
        """Yield what is found a part at a time: the rows of a whole scope beside its records would take twice the room."""
        self._check_open()
        with translated("read"):
            cursor = self._lease.connection.execute(statement, values)
            found = cursor.fetchmany(_BATCH)
        while found:
            yield found
            with translated("read"):
                found = cursor.fetchmany(_BATCH)

    def _found(self, found: Sequence[rows.Row]) -> list[AnyRecord]:
        evidence = self._evidence([row[0] for row in found])
        with readable():
            return [rows.record_of(row, tuple(evidence.get(row[0], ()))) for row in found]

    def _evidence(self, numbers: Sequence[int]) -> dict[int, list[Evidence]]:
        held: dict[int, list[Evidence]] = defaultdict(list)
        with readable():
            for row in self._all(_EVIDENCE, (json.dumps(numbers),)) if numbers else ():
                held[row[0]].append(rows.evidence_of(row))
        return held

    @override
    def proven(
        self, message_ids: Sequence[str], *, without: Sequence[str] | None = None
    ) -> Sequence[AnyRecord]:
        if without is None:
            return self._records(_PROVEN, (self._no, _list(message_ids)))
        return self._records(_PROVEN_WITHOUT, (self._no, _list(message_ids), _list(without)))

    @override
    def find(self, terms: Sequence[str], *, limit: int) -> Sequence[RecordId]:
        return [row[0] for row in self._all(_FIND, (self._no, _list(terms), max(0, limit - 1), limit))]

    @override
    def foreign(self, record_id: str) -> bool:
        return self._first(_FOREIGN, (record_id, self._no)) is not None

    @override
    def bearers(self, record_ids: Sequence[str]) -> Mapping[str, AnyRecord | None]:
        taken = self._named(_BEARERS, record_ids)
        own = self._found(self._named(_OWN, [name for name, scope in taken if scope == self._no], self._no))
        return {**{name: None for name, scope in taken if scope != self._no}, **{one.id: one for one in own}}

    @override
    def message(self, message_id: str) -> Message | None:
        return next(iter(self._shaped(rows.message_of, _MESSAGE, (self._no, message_id))), None)

    @override
    def messages(
        self, *, session: str | None = None, speaker: Speaker | None = None, last: int | None = None
    ) -> Sequence[Message]:
        said = None if speaker is None else speaker.value
        most = _ALL if last is None else max(0, last)
        if session is None:
            return self._shaped(rows.message_of, _MESSAGES, (self._no, said, said, most))[::-1]
        return self._shaped(rows.message_of, _SESSION, (self._no, session, said, said, most))[::-1]

    @override
    def statistics(self, terms: Sequence[str]) -> Statistics:
        found = {
            row[0]: row[1:] for row in self._all(_STATISTICS, (self._no, _list((EVERY_MESSAGE, *terms))))
        }
        messages, places = found.pop(EVERY_MESSAGE, (0, 0))
        holding = {term: count for term, (count, _) in found.items()}
        return Statistics(messages=messages, places=places, holding=holding)

    @override
    def utterances(self, weights: Mapping[str, int], *, among: Among, limit: int) -> Sequence[MessageId]:
        weighed = json.dumps(list(weights.items()), ensure_ascii=False)
        narrowed = _narrowed(among)
        found: list[Any] = []
        for most in (limit * 2, limit * 64, _ALL):
            found = self._all(_UTTERANCES, (weighed, self._no, most, *narrowed, limit))
            if len(found) == limit:
                break
        return [row[0] for row in found]

    @override
    def around(self, message_ids: Sequence[str], *, reach: int) -> Sequence[Stretch]:
        found = self._all(_AROUND, (_list(message_ids), self._no, reach, reach))
        said: dict[str, Said] = {}
        stretches: dict[int, list[Said]] = defaultdict(list)
        with readable():
            for place, *row in found:
                one = said.get(row[0])
                if one is None:
                    one = said[row[0]] = rows.said_of(row)
                stretches[place].append(one)
        return [
            tuple(sorted(stretches[place], key=lambda one: (one.message.at.microseconds, one.message.id)))
            for place in sorted(stretches)
        ]

    @override
    def threads(self) -> Sequence[OpenThread]:
        return self._shaped(rows.thread_of, _THREADS, (self._no,))

    @override
    def thread_owner(self, thread_id: str) -> Scope | None:
        return next(iter(self._shaped(rows.scope_of, _THREAD_OWNER, (thread_id,))), None)

    @override
    def suppressions(self) -> Sequence[Suppression]:
        return self._shaped(rows.suppression_of, _SUPPRESSIONS, (self._no,))

    @override
    def fingerprints(self) -> Sequence[Fingerprint]:
        return self._shaped(rows.fingerprint_of, _FINGERPRINTS, (self._no,))

    @override
    def decisions(self, *, record_id: str | None = None) -> Sequence[Decision]:
        if record_id is None:
            return self._shaped(rows.decision_of, _DECISIONS, (self._no,))
        return self._shaped(rows.decision_of, _DECISIONS_ABOUT, (self._no, record_id))

    @override
    def pending(self) -> Sequence[Pending]:
        return self._shaped(rows.pending_of, _PENDING, (self._no,))

    @override
    def job(self, message_id: str) -> Job | None:
        return next(iter(self._shaped(rows.job_of, _JOB, (self._no, message_id))), None)

    @override
    def jobs(self, *, due: Instant | None = None, limit: int | None = None) -> Sequence[Job]:
        most = -1 if limit is None else limit
        if due is None:
            return self._shaped(rows.job_of, _JOBS, (self._no, most))
        return self._shaped(rows.job_of, _JOBS_DUE, (self._no, str(due), most))

    @override
    def exchanges(self, *, limit: int | None = None) -> Sequence[Exchange]:
        most = -1 if limit is None else limit
        return self._shaped(waiting.exchange_of, waiting.EXCHANGES, (self._no, most))

    @override
    def state(self) -> RuntimeState:
        held = self._first(waiting.STATE, (self._no,))
        return RuntimeState() if held is None else waiting.state_of(held[0])

    @override
    def edges(
        self, session: str, ids: Sequence[str] | None = None, *, limit: int | None = None
    ) -> Sequence[Edge]:
        most = -1 if limit is None else limit
        if ids is None:
            return self._shaped(edges.edge_of, edges.OF_SESSION, (self._no, session, most))
        values = (_list(ids), self._no, self._no, session, most)
        return self._shaped(edges.edge_of, edges.TOUCHING, values)

    @override
    def message_vectors(self, model: str, *, among: Among, limit: int | None = None) -> Sequence[Embedding]:
        values = (self._no, model, *_narrowed(among), -1 if limit is None else limit)
        return self._shaped(vectors.embedding_of, vectors.OF_MESSAGES, values)

    @override
    def record_vectors(self, model: str, *, limit: int | None = None) -> Sequence[Embedding]:
        values = (self._no, model, -1 if limit is None else limit)
        return self._shaped(vectors.embedding_of, vectors.OF_RECORDS, values)

    @override
    def vectors(self, kind: Embedded, ids: Sequence[str], *, model: str) -> Sequence[Embedding]:
        values = (self._no, kind.value, _list(ids), model)
        return self._shaped(vectors.embedding_of, vectors.NAMED, values)

    @override
    def unembedded(self, kind: Embedded, *, model: str, limit: int | None = None) -> Sequence[str]:
        values = (self._no, model, -1 if limit is None else limit)
        return [row[0] for row in self._all(vectors.LACKING[kind], values)]


def _narrowed(among: Among) -> tuple[str | None, ...]:
    """Return what narrows messages, each value as often as the statements name it."""
    speakers = _list(sorted(speaker.value for speaker in among.speakers))
    since, until = rows.maybe_text(among.since), rows.maybe_text(among.until)
    return (among.session, among.session, speakers, since, since, until, until)


def _list(texts: Iterable[str]) -> str:
    """Return texts as one JSON value, so that a statement of one form takes any number of them."""
    return json.dumps(list(texts), ensure_ascii=False)


_SCOPE = "SELECT no, revision, marked, told_since FROM scopes WHERE key = ?"


def _select(columns: str, source: str) -> str:
    """Return a statement from constants of this module; values travel as parameters."""
    return " ".join(("SELECT", columns, "FROM", source))


_RECORD = _select(rows.RECORD_COLUMNS, "records WHERE scope = ? AND id = ?")
_NAMED = _select(
    rows.RECORD_COLUMNS,
    "(SELECT DISTINCT value FROM json_each(?)) CROSS JOIN records ON id = value WHERE scope = ?",
)
#: One status is the usual case, and then the index has the rows in order already.
_RECORDS_OF_STATUS = _select(
    rows.RECORD_COLUMNS, "records WHERE scope = ? AND status = ? ORDER BY updated_at DESC, id"
)
_RECORDS = _select(
    rows.RECORD_COLUMNS,
    """
    records WHERE scope = ? AND status IN (SELECT value FROM json_each(?)) ORDER BY updated_at DESC, id
    """,
)
_OUTLINES = _select(
    rows.OUTLINE_COLUMNS,
    """
    records LEFT JOIN evidence ON evidence.record = records.no
    WHERE records.scope = ? ORDER BY records.updated_at DESC, records.id, evidence.place
    """,
)
_WRITTEN_SINCE = _select(
    rows.RECORD_COLUMNS,
    "records INDEXED BY records_by_mark WHERE scope = ? AND written_at >= ? ORDER BY updated_at DESC, id",
)
_SUPPRESSED_SINCE = """
    SELECT target FROM suppressions INDEXED BY suppressions_by_mark
    WHERE scope = ? AND written_at >= ? AND kind = 'record'
"""
_SLOT = _select(
    rows.RECORD_COLUMNS,
    """
    records WHERE scope = ? AND slot = ? AND status = 'active' AND kind = 'claim'
    ORDER BY updated_at DESC, id LIMIT ?
    """,
)
# Left to itself, SQLite walks the whole slot in order instead of sorting the few that say the same.
_SAME_IN_SLOT = _select(
    rows.RECORD_COLUMNS,
    """
    records INDEXED BY records_by_meaning
    WHERE scope = ? AND slot = ? AND meaning = ? AND status = 'active' AND kind = 'claim'
    ORDER BY updated_at DESC, id LIMIT ?
    """,
)
# An older version of this library, in another process, writes no number; what it wrote is looked at as well.
_STORIES = _select(
    rows.RECORD_COLUMNS,
    """
    records WHERE no IN (
        SELECT no FROM records INDEXED BY records_stories
        WHERE scope = ?1 AND story = ?2 AND status = 'active' AND kind = 'episode'
        UNION ALL SELECT no FROM records INDEXED BY records_stories
        WHERE scope = ?1 AND story IS NULL AND status = 'active' AND kind = 'episode'
    ) ORDER BY updated_at DESC, id
    """,
)
_UNDER = _select(
    rows.RECORD_COLUMNS,
    """
    records INDEXED BY records_by_predicate WHERE scope = ? AND predicate IN (SELECT value FROM json_each(?))
    AND status = 'active' AND kind = 'claim' ORDER BY updated_at DESC, id
    """,
)
_NOTES = _select(
    rows.RECORD_COLUMNS,
    """
    records INDEXED BY records_notes WHERE scope = ? AND status IN (SELECT value FROM json_each(?)) AND kind = 'note'
    ORDER BY updated_at DESC, id
    """,
)
_EVIDENCE = _select(
    rows.EVIDENCE_COLUMNS,
    "evidence WHERE record IN (SELECT value FROM json_each(?)) ORDER BY record, place",
)
# To look up a record costs more than to count its terms, so only those are looked up that share as many as the last one
# that is wanted.
_FIND = """
    WITH counted AS (
        SELECT record, count(*) AS shared FROM terms
        WHERE scope = ? AND term IN (SELECT value FROM json_each(?)) GROUP BY record
    )
    SELECT records.id FROM counted CROSS JOIN records ON records.no = record
    WHERE shared >= coalesce((SELECT shared FROM counted ORDER BY shared DESC LIMIT 1 OFFSET ?), 0)
    ORDER BY shared DESC, records.updated_at DESC, records.id LIMIT ?
"""
# The plus keeps the planner off the index by scope, which would read the whole scope.
_PROVEN_BY = """
    records WHERE +scope = ? AND no IN (
        SELECT record FROM evidence
        WHERE source = 'message' AND source_id IN (SELECT value FROM json_each(?))
    )
"""
_PROVEN = _select(rows.RECORD_COLUMNS, f"{_PROVEN_BY} ORDER BY updated_at DESC, id")
_SILENCING = """
    (muted OR status = 'deleted' OR kind = 'claim' AND predicate NOT IN (SELECT value FROM json_each(?)))
"""
_PROVEN_WITHOUT = _select(rows.RECORD_COLUMNS, f"{_PROVEN_BY} AND {_SILENCING} ORDER BY updated_at DESC, id")
_OWN = _select(rows.RECORD_COLUMNS, "records WHERE id {named} AND +scope = ?")
_BEARERS = "SELECT id, scope FROM records WHERE id {named}"
_FOREIGN = "SELECT 1 FROM records WHERE id = ? AND scope <> ?"

_MESSAGE = "SELECT id, session, speaker, text, at FROM messages WHERE scope = ? AND id = ?"
_MESSAGES = """
    SELECT id, session, speaker, text, at FROM messages
    WHERE scope = ? AND (? IS NULL OR speaker = ?) ORDER BY at DESC, id DESC LIMIT ?
"""
_SESSION = """
    SELECT id, session, speaker, text, at FROM messages
    WHERE scope = ? AND session = ? AND (? IS NULL OR speaker = ?) ORDER BY at DESC, id DESC LIMIT ?
"""
_STATISTICS = """
    SELECT term, messages, places FROM utterance_counts
    WHERE scope = ? AND term IN (SELECT value FROM json_each(?))
"""
# The few terms are the outer loop, whatever the planner thinks of the sizes; the limit keeps them from being read
# out of the JSON again for every posting. To look up a message costs more than to weigh it, so only those are looked
# up that weigh as much as the one at a given place; when too few of them are wanted ones, the place moves on.
_UTTERANCES = """
    WITH weighed AS (
        SELECT message, sum(asked.weight) AS weight FROM (
            SELECT json_extract(value, '$[0]') AS term, json_extract(value, '$[1]') AS weight
            FROM json_each(?) LIMIT -1
        ) AS asked CROSS JOIN utterance_terms
        ON utterance_terms.scope = ? AND utterance_terms.term = asked.term
        GROUP BY message
    )
    SELECT messages.id FROM weighed CROSS JOIN messages ON messages.no = message
    WHERE weight >= coalesce((SELECT weight FROM weighed ORDER BY weight DESC LIMIT 1 OFFSET ?), 0)
    AND (? IS NULL OR session = ?) AND speaker IN (SELECT value FROM json_each(?))
    AND (? IS NULL OR at >= ?) AND (? IS NULL OR at < ?)
    ORDER BY weight DESC, at DESC, id LIMIT ?
"""
_AROUND = _select(
    f"asked.key, {rows.MESSAGE_COLUMNS}, messages.terms, messages.places",
    """
    json_each(?) AS asked CROSS JOIN messages AS middle ON middle.scope = ? AND middle.id = asked.value
    CROSS JOIN messages ON messages.no = middle.no OR messages.no IN (
        SELECT no FROM messages AS one WHERE one.scope = middle.scope AND one.session = middle.session
        AND (one.at, one.id) < (middle.at, middle.id) ORDER BY one.at DESC, one.id DESC LIMIT ?
    ) OR messages.no IN (
        SELECT no FROM messages AS one WHERE one.scope = middle.scope AND one.session = middle.session
        AND (one.at, one.id) > (middle.at, middle.id) ORDER BY one.at, one.id LIMIT ?
    )
    """,
)
_THREADS = """
    SELECT id, record_id, summary, entity_ref, status, opened_at, updated_at, expires_at, followup_session
    FROM threads WHERE scope = ? ORDER BY updated_at DESC, id
"""
_THREAD_OWNER = """
    SELECT service, owner, profile FROM scopes JOIN threads ON threads.scope = scopes.no WHERE threads.id = ?
"""
_SUPPRESSIONS = "SELECT kind, target, created_at FROM suppressions WHERE scope = ? ORDER BY kind, target"
_FINGERPRINTS = "SELECT digest, label, created_at FROM fingerprints WHERE scope = ? ORDER BY digest, label"
_DECISIONS = """
    SELECT id, at, action, outcome, reason, record_id, candidate_id, message_id
    FROM decisions WHERE scope = ? ORDER BY at, id
"""
_DECISIONS_ABOUT = """
    SELECT id, at, action, outcome, reason, record_id, candidate_id, message_id
    FROM decisions WHERE scope = ? AND record_id = ? ORDER BY at, id
"""
_PENDING = (
    "SELECT id, kind, message_id, reason, created_at FROM pending WHERE scope = ? ORDER BY created_at, id"
)
_JOB = "SELECT message_id, enqueued_at, attempts, due_at, dead FROM jobs WHERE scope = ? AND message_id = ?"
_JOBS = """
    SELECT message_id, enqueued_at, attempts, due_at, dead FROM jobs
    WHERE scope = ? ORDER BY enqueued_at, message_id LIMIT ?
"""
_JOBS_DUE = """
    SELECT message_id, enqueued_at, attempts, due_at, dead FROM jobs
    WHERE scope = ? AND dead = 0 AND due_at <= ? ORDER BY enqueued_at, message_id LIMIT ?
"""
