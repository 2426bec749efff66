"""The store in one SQLite file."""

from cmemory.adapters.sqlite.store import SqliteStore

__all__ = ["SqliteStore"]
