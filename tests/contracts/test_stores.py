"""Every store of ours against the contract."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cmemory.adapters.inmemory import InMemoryStore
from cmemory.adapters.sqlite import SqliteStore
from cmemory.ports.store import Store
from cmemory.testing.contracts import StoreContract


class TestInMemoryStore(StoreContract):
    """The reference, in dictionaries."""

    @pytest.fixture
    def store(self) -> Iterator[Store]:
        store = InMemoryStore(secret=b"s" * 32)
        yield store
        store.close()


class TestSqliteFile(StoreContract):
    """One file on disk."""

    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[Store]:
        store = SqliteStore.open(tmp_path / "memory.db")
        yield store
        store.close()


class TestSqliteInMemory(StoreContract):
    """The same tables without a file."""

    @pytest.fixture
    def store(self) -> Iterator[Store]:
        store = SqliteStore.open(":memory:")
        yield store
        store.close()
