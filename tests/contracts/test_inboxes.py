"""Every inbox of ours against the contract."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cmemory.adapters.files.journal import FileJournal
from cmemory.adapters.inmemory import InMemoryStore
from cmemory.adapters.sqlite import SqliteStore
from cmemory.app.inbox import StoredInbox
from cmemory.ports.inbox import Inbox
from cmemory.testing.builders import SCOPE
from cmemory.testing.contracts import InboxContract


class TestInboxInMemory(InboxContract):
    """Beside the messages, in dictionaries."""

    @pytest.fixture
    def inbox(self) -> Iterator[Inbox]:
        with InMemoryStore(secret=b"s" * 32).write(SCOPE) as unit:
            yield StoredInbox(unit)


class TestInboxInSqlite(InboxContract):
    """Beside the messages, in a file."""

    @pytest.fixture
    def inbox(self, tmp_path: Path) -> Iterator[Inbox]:
        store = SqliteStore.open(tmp_path / "memory.db")
        with store.write(SCOPE) as unit:
            yield StoredInbox(unit)
        store.close()


class TestJournal(InboxContract):
    """In a file of its own."""

    @pytest.fixture
    def inbox(self, tmp_path: Path) -> Iterator[Inbox]:
        with FileJournal.open(tmp_path / "inbox.jsonl") as journal:
            yield journal.inbox(SCOPE)


class TestJournalReadAnew(InboxContract):
    """The same, with a second reader that has to find out everything from the file."""

    @pytest.fixture
    def inbox(self, tmp_path: Path) -> Iterator[Inbox]:
        path = tmp_path / "inbox.jsonl"
        with FileJournal.open(path) as journal:
            own = journal.inbox(SCOPE)
            yield own
            with FileJournal.open(path) as other:
                assert list(own.held()) == list(other.inbox(SCOPE).held())
                assert other.skipped == 0


class TestJournalWithoutRoom(InboxContract):
    """The same, where no line fits but that of a new message: the file is written anew for every change."""

    @pytest.fixture
    def inbox(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Inbox]:
        monkeypatch.setattr(FileJournal, "_noted", lambda *_: False)
        with FileJournal.open(tmp_path / "inbox.jsonl") as journal:
            yield journal.inbox(SCOPE)
