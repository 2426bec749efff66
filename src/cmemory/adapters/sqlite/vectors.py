"""Vectors of messages and records: their table, and how they become rows and come back."""

from __future__ import annotations

from cmemory.adapters.sqlite.rows import Row
from cmemory.domain.model.embedding import Embedded, Embedding

#: A vector tells much of its text, so it goes with it. The table holds no text but ids and the name of the model.
SCHEMA = (
    """
    CREATE TABLE vectors (
        no INTEGER PRIMARY KEY,
        scope INTEGER NOT NULL REFERENCES scopes (no),
        kind TEXT NOT NULL,
        id TEXT NOT NULL,
        model TEXT NOT NULL,
        vector BLOB NOT NULL,
        UNIQUE (scope, kind, id)
    )
    """,
)

_COLUMNS = "vectors.kind, vectors.id, vectors.model, vectors.vector"

# An index that is named in the order of the rows keeps the scan from sorting all of them.
OF_MESSAGES = f"""
    SELECT {_COLUMNS} FROM messages CROSS JOIN vectors
    ON vectors.scope = messages.scope AND vectors.kind = 'message' AND vectors.id = messages.id
    WHERE messages.scope = ? AND model = ? AND length(vector) > 0
    AND (? IS NULL OR session = ?) AND speaker IN (SELECT value FROM json_each(?))
    AND (? IS NULL OR at >= ?) AND (? IS NULL OR at < ?)
    ORDER BY messages.at DESC, messages.id LIMIT ?
"""  # noqa: S608
OF_RECORDS = f"""
    SELECT {_COLUMNS} FROM records CROSS JOIN vectors
    ON vectors.scope = records.scope AND vectors.kind = 'record' AND vectors.id = records.id
    WHERE records.scope = ? AND status = 'active' AND vectors.model = ? AND length(vector) > 0
    ORDER BY records.updated_at DESC, records.id LIMIT ?
"""  # noqa: S608
NAMED = f"""
    SELECT {_COLUMNS} FROM vectors WHERE scope = ? AND kind = ? AND id IN (SELECT value FROM json_each(?))
    AND model = ? AND length(vector) > 0 ORDER BY id
"""  # noqa: S608
LACKING = {
    Embedded.MESSAGE: """
        SELECT id FROM messages WHERE scope = ? AND NOT EXISTS (
            SELECT 1 FROM vectors WHERE vectors.scope = messages.scope AND vectors.kind = 'message'
            AND vectors.id = messages.id AND vectors.model = ?
        ) ORDER BY at DESC, id LIMIT ?
    """,
    Embedded.RECORD: """
        SELECT id FROM records WHERE scope = ? AND status = 'active' AND NOT EXISTS (
            SELECT 1 FROM vectors WHERE vectors.scope = records.scope AND vectors.kind = 'record'
            AND vectors.id = records.id AND vectors.model = ?
        ) ORDER BY updated_at DESC, id LIMIT ?
    """,
}

# Only beside its text: what was erased meanwhile gets no vector any more.
_PUT = """
    INSERT INTO vectors (scope, kind, id, model, vector)
    SELECT scope, ?, id, ?, ? FROM {table} WHERE scope = ? AND id = ?
    ON CONFLICT (scope, kind, id) DO UPDATE SET model = excluded.model, vector = excluded.vector
"""
PUT = {
    Embedded.MESSAGE: _PUT.format(table="messages"),
    Embedded.RECORD: _PUT.format(table="records"),
}
DROP_MESSAGE = "DELETE FROM vectors WHERE scope = ? AND kind = 'message' AND id = ?"
DROP_RECORD = "DELETE FROM vectors WHERE scope = ? AND kind = 'record' AND id = ?"


def embedding_of(row: Row) -> Embedding:
    """Return the vector of a row."""
    kind, name, model, vector = row
    return Embedding(kind=Embedded(kind), id=name, model=model, vector=bytes(vector))


def embedding_row(one: Embedding, scope: int) -> Row:
    """Return the values of a statement that puts a vector."""
    return (one.kind.value, one.model, one.vector, scope, one.id)
