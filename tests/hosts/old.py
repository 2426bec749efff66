"""Databases as the first version of the schema made them, with what a present one holds."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from cmemory.adapters.sqlite.migrations import APPLICATION_ID, MIGRATIONS


def make_old(path: Path) -> None:
    """Put in the place of a database one that has taken the first step only and holds the same."""
    old = path.with_name(path.name + ".old")
    connection = sqlite3.connect(old)
    MIGRATIONS[0](connection)
    connection.execute("ATTACH ? AS present", (str(path),))
    for (table,) in connection.execute("SELECT name FROM main.sqlite_master WHERE type = 'table'").fetchall():
        rows = connection.execute(f"SELECT * FROM pragma_table_info('{table}', 'main')").fetchall()
        columns = ", ".join(row[1] for row in rows)
        connection.execute(f"INSERT INTO main.{table} ({columns}) SELECT {columns} FROM present.{table}")
    connection.execute("DELETE FROM main.migrations WHERE number > 1")
    connection.execute(f"PRAGMA main.application_id={APPLICATION_ID}")
    connection.execute("PRAGMA main.user_version=1")
    connection.commit()
    connection.close()
    for side in ("-wal", "-shm"):
        path.with_name(path.name + side).unlink(missing_ok=True)
    old.chmod(path.stat().st_mode)
    os.replace(old, path)
