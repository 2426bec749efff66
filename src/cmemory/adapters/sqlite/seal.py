"""Checksums of the rows that hold what a person said, or what is told from it.

SQLite notices a page whose structure is broken, and not a letter that became another one. So each such row carries the
CRC-32 of its columns, taken when it is written; `cmemory selfcheck` compares. It tells accidents, not forgers.
"""

from __future__ import annotations

import zlib

_TABLES = {
    "messages": "id, session, speaker, text, at",
    "records": (
        "id, kind, status, predicate, slot, meaning, body, created_at, updated_at, valid_from, valid_until, "
        "supersedes, importance, recall_count, last_recalled_at, muted, proposer, version, model"
    ),
    "threads": (
        "id, record_id, summary, entity_ref, status, opened_at, updated_at, expires_at, followup_session"
    ),
}

MESSAGE_COLUMNS, RECORD_COLUMNS, THREAD_COLUMNS = _TABLES.values()

#: Statements that seal every row as it stands; the SQL function ``seal`` is `seal`.
SEAL_ALL = tuple(f"UPDATE {table} SET seal = seal({columns})" for table, columns in _TABLES.items())  # noqa: S608


def seal(*columns: object) -> int:
    """Return the checksum of a row's columns, in the order of the table above."""
    spelt = [one if type(one) is str else _spelt(one) for one in columns]
    return zlib.crc32("\x00".join(spelt).encode("utf-8", "surrogatepass"))


def _spelt(value: object) -> str:
    if value is None:
        return "\x01"
    if isinstance(value, bool):
        return str(int(value))
    return value if isinstance(value, str) else repr(value)
