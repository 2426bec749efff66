"""Edges between utterances: their table, and how they become rows and come back."""

from __future__ import annotations

from cmemory.adapters.sqlite.rows import Row, instant_of
from cmemory.domain.model.association import Edge

#: They hold ids and numbers, no text. An edge goes with either of its messages.
SCHEMA = (
    """
    CREATE TABLE associations (
        scope INTEGER NOT NULL REFERENCES scopes (no),
        source TEXT NOT NULL,
        target TEXT NOT NULL,
        session TEXT NOT NULL,
        weight REAL NOT NULL,
        count INTEGER NOT NULL,
        created_at TEXT NOT NULL,
        updated_at TEXT NOT NULL,
        turn TEXT NOT NULL,
        before REAL NOT NULL,
        PRIMARY KEY (scope, source, target)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX associations_by_target ON associations (scope, target)",
    "CREATE INDEX associations_by_session ON associations (scope, session)",
)

COLUMNS = "source, target, session, weight, count, created_at, updated_at, turn, before"
_ORDER = "ORDER BY weight DESC, updated_at DESC, source, target LIMIT ?"

OF_SESSION = f"SELECT {COLUMNS} FROM associations WHERE scope = ? AND session = ? {_ORDER}"  # noqa: S608
TOUCHING = f"""
    WITH wanted AS (SELECT value FROM json_each(?))
    SELECT {COLUMNS} FROM (
        SELECT * FROM associations WHERE scope = ? AND source IN wanted
        UNION SELECT * FROM associations WHERE scope = ? AND target IN wanted
    ) WHERE session = ? {_ORDER}
"""  # noqa: S608
PUT = """
    INSERT INTO associations (
        scope, source, target, session, weight, count, created_at, updated_at, turn, before
    ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (scope, source, target) DO UPDATE SET
        session = excluded.session, weight = excluded.weight, count = excluded.count,
        created_at = excluded.created_at, updated_at = excluded.updated_at, turn = excluded.turn,
        before = excluded.before
"""
DROP = "DELETE FROM associations WHERE scope = ? AND source = ? AND target = ?"
DROP_SOURCE = "DELETE FROM associations WHERE scope = ? AND source = ?"
DROP_TARGET = "DELETE FROM associations WHERE scope = ? AND target = ?"


def edge_of(row: Row) -> Edge:
    """Return the edge of a row."""
    source, target, session, weight, count, created, updated, turn, before = row
    return Edge(
        source=source,
        target=target,
        session=session,
        weight=weight,
        count=count,
        created_at=instant_of(created),
        updated_at=instant_of(updated),
        turn=turn,
        before=before,
    )


def edge_row(edge: Edge, scope: int) -> Row:
    """Return what is written of an edge, its scope first."""
    ends = (edge.source, edge.target, edge.session)
    moments = (str(edge.created_at), str(edge.updated_at))
    return (scope, *ends, float(edge.weight), edge.count, *moments, edge.turn, float(edge.before))
