"""Reads every row of the database as it stands there, for a check that believes nothing.

The statements are this module's own, and no domain value is built but a record's body, which has no columns. Texts that
are no UTF-8 arrive with lone surrogates in place of the bytes that cannot be read.
"""

from __future__ import annotations

import json
import os
import sqlite3
import stat
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import attrs
from typing_extensions import override

from cmemory.adapters.sqlite import cleaning, edges, seal
from cmemory.adapters.sqlite.errors import translated
from cmemory.adapters.sqlite.files import DatabaseFile
from cmemory.adapters.wire import body_from_json, from_json
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
from cmemory.domain.errors import CMemoryError
from cmemory.domain.model.bodies import Body
from cmemory.domain.model.state import RuntimeState
from cmemory.ports.store import Survey

#: Complaints of SQLite's own check that are counted; more tell nothing new.
_MOST_COMPLAINTS = 100

#: Messages whose index entries are in memory at once. The index is gone through once for so many, which takes 0.1 s
#: where 100,000 messages have a million entries.
_BATCH = 10_000

#: Who else may touch a file.
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


@contextmanager
def surveying(connection: sqlite3.Connection, file: DatabaseFile | None) -> Iterator[SqliteSurvey]:
    """Survey what a connection sees in its open transaction."""
    connection.text_factory = _lenient
    try:
        yield SqliteSurvey(connection, file)
    finally:
        connection.text_factory = str


def _lenient(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")


class SqliteSurvey(Survey):
    """One state of one database."""

    def __init__(self, connection: sqlite3.Connection, file: DatabaseFile | None) -> None:
        self._connection = connection
        self._file = file

    @override
    def medium(self) -> Medium:
        complaints = complaints_of(self._connection)
        files = () if self._file is None else self._file.existing()
        if complaints:
            return Medium(complaints=complaints, exposed_files=_exposed(files))
        return Medium(
            orphaned_tables=tuple(sorted({str(row[0]) for row in self._all("PRAGMA foreign_key_check")})),
            exposed_files=_exposed(files),
            log_bytes=0 if self._file is None else self._file.log_bytes(),
            cleaning_due=cleaning.is_marked(self._connection),
            stray_postings=self._all(_STRAY)[0][0],
            stray_said=self._all(_STRAY_SAID)[0][0],
        )

    @override
    def snapshots(self) -> Iterator[Snapshot]:
        for row in self._all(_SCOPES):
            yield self._snapshot(ScopeRow(*row))

    def _snapshot(self, scope: ScopeRow) -> Snapshot:
        no = scope.no
        return Snapshot(
            scope=scope,
            records=tuple(map(_record, self._all(_RECORDS, no))),
            evidence=tuple(EvidenceRow(*row) for row in self._all(_EVIDENCE, no)),
            postings=self._postings(no),
            messages=tuple(map(_message, self._all(_MESSAGES, no))),
            threads=tuple(map(_thread, self._all(_THREADS, no))),
            suppressions=tuple(SuppressionRow(*row) for row in self._all(_SUPPRESSIONS, no)),
            fingerprints=tuple(FingerprintRow(*row) for row in self._all(_FINGERPRINTS, no)),
            decisions=tuple(DecisionRow(*row) for row in self._all(_DECISIONS, no)),
            pending=tuple(PendingRow(*row) for row in self._all(_PENDING, no)),
            jobs=tuple(JobRow(*row) for row in self._all(_JOBS, no)),
            edges=tuple(EdgeRow(*row) for row in self._all(_EDGES, no)),
            exchanges=tuple(ExchangeRow(*row) for row in self._all(_EXCHANGES, no)),
            state_readable=all(_is_state(row[0]) for row in self._all(_STATE, no)),
            said=_Said(self, no),
            said_strays=tuple(row[0] for row in self._all(_SAID_STRAYS, no, no)),
            said_miscounted=self._all(_MISCOUNTED, no, no, no)[0][0],
        )

    def said(self, no: int) -> Iterator[SaidRow]:
        """Yield the messages of a scope with their index entries, some in memory at a time."""
        last = 0
        while batch := self._all(_SAID, no, last, _BATCH):
            first, last = batch[0][0], batch[-1][0]
            posted: dict[int, dict[str, int]] = defaultdict(dict)
            for message, term, count in self._all(_SAID_POSTINGS, no, first, last):
                posted[message][term] = count
            for row in batch:
                yield SaidRow(*row, posted=posted.get(row[0], {}))

    def _postings(self, no: int) -> Mapping[int, Mapping[str, int]]:
        held: dict[int, dict[str, int]] = defaultdict(dict)
        last = ""
        with translated("read"):
            # The table is ordered by term, so each text is kept once, however many records have it.
            for record, term, count in self._connection.execute(_POSTINGS, (no,)):
                last = last if term == last else term
                held[record][last] = count
        return held

    def _all(self, statement: str, *values: object) -> list[Any]:
        with translated("read"):
            return self._connection.execute(statement, values).fetchall()


@attrs.frozen
class _Said:
    """What was said in a scope, read whenever it is gone through."""

    _survey: SqliteSurvey
    _scope: int

    def __iter__(self) -> Iterator[SaidRow]:
        return self._survey.said(self._scope)


def complaints_of(connection: sqlite3.Connection) -> int:
    """Return how many complaints SQLite's own check has; one when it cannot even be carried out."""
    try:
        found = connection.execute(f"PRAGMA integrity_check({_MOST_COMPLAINTS})").fetchall()
    except sqlite3.DatabaseError:
        return 1
    return sum(row[0] != "ok" for row in found)


def _exposed(files: tuple[str, ...]) -> tuple[str, ...]:
    if os.name != "posix":
        return ()
    return tuple(os.path.basename(name) for name in files if _mode(name) & _OTHERS)


def _mode(name: str) -> int:
    try:
        return os.stat(name).st_mode
    except FileNotFoundError:
        # A log may go away meanwhile.
        return 0


def _record(row: tuple[Any, ...]) -> RecordRow:
    no, *columns = row
    (record_id, kind, status, predicate, slot, meaning, body, created, updated, valid_from, valid_until) = (
        columns[:11]
    )
    supersedes, importance, count, recalled = columns[11:15]
    terms, sealed = columns[-2:]
    return RecordRow(
        no,
        record_id,
        kind,
        status,
        predicate,
        slot,
        meaning,
        created,
        updated,
        valid_from,
        valid_until,
        supersedes,
        importance,
        count,
        recalled,
        terms,
        body=_body(body),
        sealed=sealed == seal.seal(*columns[:-2]),
    )


def _message(row: tuple[Any, ...]) -> MessageRow:
    message_id, session, speaker, text, at, sealed = row
    return MessageRow(message_id, session, speaker, text, at, sealed=sealed == seal.seal(*row[:-1]))


def _thread(row: tuple[Any, ...]) -> ThreadRow:
    (thread_id, record_id, summary, entity_ref, status, opened, updated, expires, session, sealed) = row
    return ThreadRow(
        thread_id,
        record_id,
        summary,
        entity_ref,
        status,
        opened,
        updated,
        expires,
        session,
        sealed=sealed == seal.seal(*row[:-1]),
    )


def _is_state(text: object) -> bool:
    try:
        return isinstance(text, str) and isinstance(from_json(json.loads(text), RuntimeState), RuntimeState)
    except (CMemoryError, ValueError, RecursionError):
        return False


def _body(text: object) -> Body | None:
    try:
        return body_from_json(json.loads(text)) if isinstance(text, str) else None
    except (CMemoryError, ValueError, RecursionError):
        return None


_SCOPES = "SELECT no, key, service, owner, profile, revision FROM scopes ORDER BY key"
_RECORDS = f"SELECT no, {seal.RECORD_COLUMNS}, terms, seal FROM records WHERE scope = ? ORDER BY no"  # noqa: S608
_EVIDENCE = """
    SELECT record, source, source_id, evidence.speaker, role, quote_start, quote_end, quote
    FROM evidence JOIN records ON records.no = record WHERE scope = ? ORDER BY record, place
"""
_POSTINGS = "SELECT record, term, count FROM terms WHERE scope = ?"
_STRAY = "SELECT count(*) FROM terms WHERE scope NOT IN (SELECT no FROM scopes)"
_STRAY_SAID = """
    SELECT (SELECT count(*) FROM utterance_terms WHERE scope NOT IN (SELECT no FROM scopes))
        + (SELECT count(*) FROM utterance_counts WHERE scope NOT IN (SELECT no FROM scopes))
"""
_SAID = "SELECT no, id, text, terms, places FROM messages WHERE scope = ? AND no > ? ORDER BY no LIMIT ?"
_SAID_POSTINGS = (
    "SELECT message, term, count FROM utterance_terms WHERE scope = ? AND message BETWEEN ? AND ?"
)
_SAID_STRAYS = """
    SELECT DISTINCT message FROM utterance_terms WHERE scope = ?
    AND message NOT IN (SELECT no FROM messages WHERE scope = ?) ORDER BY message
"""
# The empty term stands for all messages.
_MISCOUNTED = """
    WITH held AS (
        SELECT term, count(*) AS messages, sum(count) AS places FROM utterance_terms WHERE scope = ? GROUP BY term
        UNION ALL
        SELECT '', count(*), sum(places) FROM messages WHERE scope = ? HAVING count(*) > 0
    ), told AS (SELECT term, messages, places FROM utterance_counts WHERE scope = ?)
    SELECT count(DISTINCT term) FROM (
        SELECT * FROM (SELECT * FROM held EXCEPT SELECT * FROM told)
        UNION ALL SELECT * FROM (SELECT * FROM told EXCEPT SELECT * FROM held)
    )
"""
_EXCHANGES = "SELECT said, answered, queued_at, attempts FROM exchanges WHERE scope = ? ORDER BY said"
_STATE = "SELECT state FROM states WHERE scope = ?"
_EDGES = f"SELECT {edges.COLUMNS} FROM associations WHERE scope = ? ORDER BY source, target"  # noqa: S608
_MESSAGES = f"SELECT {seal.MESSAGE_COLUMNS}, seal FROM messages WHERE scope = ? ORDER BY no"  # noqa: S608
_THREADS = f"SELECT {seal.THREAD_COLUMNS}, seal FROM threads WHERE scope = ? ORDER BY id"  # noqa: S608
_SUPPRESSIONS = "SELECT kind, target, created_at FROM suppressions WHERE scope = ? ORDER BY kind, target"
_FINGERPRINTS = "SELECT digest, label, created_at FROM fingerprints WHERE scope = ? ORDER BY digest, label"
_DECISIONS = "SELECT id, at, record_id FROM decisions WHERE scope = ? ORDER BY id"
_PENDING = "SELECT id, created_at FROM pending WHERE scope = ? ORDER BY id"
_JOBS = "SELECT message_id, enqueued_at, attempts, due_at FROM jobs WHERE scope = ? ORDER BY message_id"
