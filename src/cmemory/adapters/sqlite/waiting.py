"""Exchanges that wait to be consolidated, and the state of a relationship: their tables and rows."""

from __future__ import annotations

import json

from cmemory.adapters.sqlite.errors import DAMAGED
from cmemory.adapters.sqlite.rows import Row, instant_of
from cmemory.adapters.wire import dump, from_json, to_json
from cmemory.domain.errors import StoreError, WireError
from cmemory.domain.model.state import Exchange, RuntimeState

#: They hold ids, numbers and days, no text.
SCHEMA = (
    # What a message proves is looked up by the message, so muted records need no index of their own any more.
    "DROP INDEX IF EXISTS records_muted",
    "CREATE INDEX evidence_by_message ON evidence (source_id) WHERE source = 'message'",
    """
    CREATE INDEX records_notes ON records (scope, status, updated_at DESC, id) WHERE kind = 'note'
    """,
    """
    CREATE TABLE exchanges (
        scope INTEGER NOT NULL REFERENCES scopes (no),
        said TEXT NOT NULL,
        answered TEXT,
        queued_at TEXT NOT NULL,
        attempts INTEGER NOT NULL,
        PRIMARY KEY (scope, said)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX exchanges_by_time ON exchanges (scope, queued_at, said)",
    "CREATE INDEX exchanges_by_answer ON exchanges (scope, answered) WHERE answered IS NOT NULL",
    "CREATE TABLE states (scope INTEGER PRIMARY KEY REFERENCES scopes (no), state TEXT NOT NULL)",
)

EXCHANGES = """
    SELECT said, answered, queued_at, attempts FROM exchanges WHERE scope = ? ORDER BY queued_at, said LIMIT ?
"""
PUT_EXCHANGE = """
    INSERT INTO exchanges (scope, said, answered, queued_at, attempts) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (scope, said) DO UPDATE SET answered = excluded.answered, queued_at = excluded.queued_at,
        attempts = excluded.attempts
"""
DROP_EXCHANGE = "DELETE FROM exchanges WHERE scope = ? AND said = ?"
DROP_ANSWER = "UPDATE exchanges SET answered = NULL WHERE scope = ? AND answered = ?"

STATE = "SELECT state FROM states WHERE scope = ?"
PUT_STATE = """
    INSERT INTO states (scope, state) VALUES (?, ?) ON CONFLICT (scope) DO UPDATE SET state = excluded.state
"""
DROP_STATE = "DELETE FROM states WHERE scope = ?"


def exchange_of(row: Row) -> Exchange:
    """Return the exchange of a row."""
    return Exchange(said=row[0], answered=row[1], queued_at=instant_of(row[2]), attempts=row[3])


def exchange_row(one: Exchange, scope: int) -> Row:
    """Return what is written of an exchange, its scope first."""
    return (scope, one.said, one.answered, str(one.queued_at), one.attempts)


def state_of(text: str) -> RuntimeState:
    """Return the state that a row spells.

    Raises:
        StoreError: somebody else wrote into the row.
    """
    try:
        return from_json(json.loads(text), RuntimeState)
    except (WireError, ValueError) as error:
        raise StoreError(action="read", problem=DAMAGED) from error


def state_text(state: RuntimeState) -> str:
    """Return how a state is written."""
    return dump(to_json(state))
