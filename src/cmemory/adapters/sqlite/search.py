"""Looks for a text in every column of every table.

A long text is spread over several pages of the file, so its bytes alone do not prove that it is absent.
"""

from __future__ import annotations

import json
import sqlite3

from cmemory.adapters.sqlite.errors import translated


def holds_text(connection: sqlite3.Connection, needle: str) -> bool:
    """Tell whether a text stands in any row, as it is or as a part of a JSON text."""
    escaped = json.dumps(needle, ensure_ascii=False)[1:-1]
    with translated("read"):
        return any(
            connection.execute(_in_column(table, column), (needle, escaped)).fetchone() is not None
            for table, column in connection.execute(_TEXT_COLUMNS).fetchall()
        )


_TEXT_COLUMNS = """
    SELECT tables.name, columns.name FROM sqlite_master AS tables, pragma_table_info(tables.name) AS columns
    WHERE tables.type = 'table' AND columns.type = 'TEXT' ORDER BY tables.name, columns.cid
"""


def _in_column(table: str, column: str) -> str:
    # Both names come from our own schema.
    where = f'instr("{column}", ?) OR instr("{column}", ?)'
    return f'SELECT 1 FROM "{table}" WHERE {where} LIMIT 1'  # noqa: S608
