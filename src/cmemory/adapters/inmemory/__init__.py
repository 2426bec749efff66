"""The reference store: dictionaries and no cleverness."""

from cmemory.adapters.inmemory.store import InMemoryStore

__all__ = ["InMemoryStore"]
