"""A journal on disk: one file of JSON lines, for hosts that take messages in before the database is up.

What it promises beyond the port:

* `enqueue` returns when the line is on the medium.
* A message that is done leaves no bytes: the file is written anew without it.
* The file is made for its owner alone (mode 0600), and so is what takes its place.
* Beside it lies an empty ``.lock``, and for moments a ``.tmp``; one that a dying process left is removed by
  whoever comes next.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType

from typing_extensions import Self, override

from cmemory.adapters.files import durable
from cmemory.adapters.files.ledger import (
    MOST_LINE_BYTES,
    Entry,
    Ledger,
    complete_line,
    enqueue_line,
    name_of,
    standing_line,
)
from cmemory.domain.errors import StoreError, UsageError
from cmemory.domain.model.changes import Job
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.message import Message
from cmemory.domain.model.scope import Scope
from cmemory.ports.inbox import Inbox, Journal, Queued, Waiting

#: How large the file may become by new messages. Nothing that waits is ever dropped for it.
DEFAULT_MAX_BYTES = 64 * 1_048_576


class FileJournal(Journal):
    """Keeps what waits in one file. Made by `open`."""

    def __init__(self, path: str | os.PathLike[str], *, max_bytes: int) -> None:
        # Links resolved once: the draft must lie beside the real file to take its place.
        self._path = Path(os.path.realpath(path))
        self._draft = self._path.with_name(self._path.name + ".tmp")
        self._lock = self._path.with_name(self._path.name + ".lock")
        self._max_bytes = max_bytes
        self._threads = threading.RLock()
        self._descriptor: int | None = None
        self._ledger = Ledger()
        self._closed = False

    @classmethod
    def open(cls, path: str | os.PathLike[str], *, max_bytes: int = DEFAULT_MAX_BYTES) -> Self:
        """Open a journal, making it when it does not exist, and finish what a dying process had begun.

        Args:
            path: the file.
            max_bytes: size from which new messages are refused.

        Raises:
            StoreError: the path is no regular file, or it or its folder may not be written to.
            UsageError: the size is less than 1.
        """
        if max_bytes < 1:
            raise UsageError(field="max_bytes", problem="must be at least 1")
        journal = cls(path, max_bytes=max_bytes)
        with journal._turn("open"):
            pass
        return journal

    @override
    def inbox(self, scope: Scope) -> Inbox:
        return _JournalInbox(self, scope)

    @override
    def scopes(self) -> Sequence[Scope]:
        with self._turn("read") as ledger:
            return sorted({entry.scope for entry in ledger.entries.values()}, key=lambda scope: scope.key)

    @property
    def skipped(self) -> int:
        """Lines that could not be read; they are passed over, and gone with the next message that is done.

        Raises:
            StoreError: the file cannot be read.
        """
        with self._turn("read") as ledger:
            return ledger.skipped

    @override
    def contains(self, needle: str) -> bool:
        with self._turn("read"), durable.translated("read"):
            data = self._path.read_bytes()
        return any(form in data for form in _spellings(needle))

    @property
    @override
    def files(self) -> tuple[str, ...]:
        return tuple(str(path) for path in (self._path, self._draft) if path.exists())

    @override
    def close(self) -> None:
        with self._threads:
            self._closed = True
            self._let_go()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.close()

    # -- what an inbox does ----------------------------------------------------------------------------------

    def entries(self, scope: Scope) -> list[Entry]:
        """Return what waits in a relationship: first come first, then by message id."""
        with self._turn("read") as ledger:
            found = [entry for entry in ledger.entries.values() if entry.scope == scope]
        return sorted(found, key=lambda entry: (entry.enqueued_at, entry.message.id))

    def find(self, name: str) -> Entry | None:
        """Return one entry by its name."""
        with self._turn("read") as ledger:
            return ledger.entries.get(name)

    def add(self, entry: Entry) -> Queued:
        """Let a message wait.

        Raises:
            UsageError: its name is that of another message that waits, or it does not fit into a line.
        """
        line = enqueue_line(entry)
        if len(line) > MOST_LINE_BYTES:
            raise UsageError(field="text", problem=f"takes more than {MOST_LINE_BYTES} bytes in a line")
        with self._turn("enqueue") as ledger:
            known = ledger.entries.get(entry.id)
            if known is not None:
                if known.message.text != entry.message.text:
                    raise UsageError(field="message_id", problem="already names a message with another text")
                return Queued.KNOWN
            if not self._fits(line) and ledger.slack:
                self._compact("enqueue")
            if not self._fits(line):
                return Queued.FULL
            self._append(line, "enqueue")
            return Queued.ACCEPTED

    def alter(self, entries: Callable[[Ledger], Iterable[Entry]]) -> None:
        """Replace entries by the ones that are returned for the present state."""
        with self._turn("update") as ledger:
            altered = [entry for entry in entries(ledger) if ledger.entries[entry.id] != entry]
            lines = b"".join(standing_line(entry) for entry in altered)
            if lines and not self._noted(lines, "update"):
                ledger.entries.update((entry.id, entry) for entry in altered)
                self._compact("update")

    def remove(self, names: Iterable[str]) -> None:
        """Let entries go, and see that nothing is left of any that went.

        The marker keeps a message gone should the file not be written anew, as when the disk is full.
        """
        with self._turn("complete") as ledger:
            going = [name for name in dict.fromkeys(names) if name in ledger.entries]
            lines = b"".join(complete_line(name) for name in going)
            if lines and not self._noted(lines, "complete"):
                for name in going:
                    ledger.gone.add(name)
                    del ledger.entries[name]
            if ledger.gone:
                self._compact("complete")

    # -- the file --------------------------------------------------------------------------------------------

    @contextmanager
    def _turn(self, action: str) -> Iterator[Ledger]:
        """Be the only one at the file during the block, with everything read that stands in it."""
        with self._threads:
            if self._closed:
                raise StoreError(action=action, problem="the journal is closed")
            with durable.locked(self._lock, action=action):
                with durable.translated(action):
                    self._draft.unlink(missing_ok=True)
                    self._catch_up()
                if self._ledger.gone:
                    # Somebody died or had no room before the words were gone. Now is the next opportunity;
                    # who depends on it asks for it himself.
                    with suppress(StoreError):
                        self._compact(action)
                yield self._ledger

    def _catch_up(self) -> None:
        """Read what was written since the last turn, by whomever."""
        if self._descriptor is None or not self._is_current(self._descriptor):
            self._let_go()
            self._descriptor = durable.open_appending(self._path)
        with open(self._descriptor, "rb", closefd=False) as file:
            self._ledger.read(file)

    def _is_current(self, descriptor: int) -> bool:
        """Tell whether the file is still the one that was read; while it is open no other gets its number."""
        try:
            found = os.stat(self._path)
        except FileNotFoundError:
            return False
        own = os.fstat(descriptor)
        same = (found.st_dev, found.st_ino) == (own.st_dev, own.st_ino)
        return same and own.st_size >= self._ledger.end

    def _let_go(self) -> None:
        """Close the file; the next turn reads it from its beginning."""
        if self._descriptor is not None:
            os.close(self._descriptor)
        self._descriptor = None
        self._ledger = Ledger()

    def _fits(self, lines: bytes) -> bool:
        size = os.fstat(self._open_file).st_size + self._ledger.torn
        return size + len(lines) <= self._max_bytes

    def _noted(self, lines: bytes, action: str) -> bool:
        """Append lines where there is room for them, and tell whether there was."""
        if not self._fits(lines):
            return False
        try:
            self._append(lines, action)
        except StoreError:
            return False
        return True

    def _append(self, lines: bytes, action: str) -> None:
        """Append whole lines, ending first what a dying process left of one, so that it takes none along."""
        with durable.translated(action):
            durable.append(self._open_file, b"\n" + lines if self._ledger.torn else lines)
            self._catch_up()

    def _compact(self, action: str) -> None:
        """Write the file anew with nothing but what waits.

        Raises:
            StoreError: there is no room or no leave for that; the file is as it was, and has been read anew.
        """
        lines = [enqueue_line(entry) for entry in self._ledger.entries.values()]
        # An open file could not be replaced on every system.
        self._let_go()
        with durable.translated(action):
            try:
                durable.replace(self._path, self._draft, lines)
            finally:
                self._catch_up()

    @property
    def _open_file(self) -> int:
        if self._descriptor is None:
            raise StoreError(action="write", problem="the journal is not open")
        return self._descriptor


class _JournalInbox(Inbox):
    """One relationship's part of a journal."""

    def __init__(self, journal: FileJournal, scope: Scope) -> None:
        self._journal = journal
        self._scope = scope

    @override
    def enqueue(self, message: Message, *, now: Instant) -> Queued:
        return self._journal.add(Entry.of(self._scope, message, now=now))

    @override
    def find(self, message_id: str) -> Waiting | None:
        found = self._journal.find(name_of(self._scope, message_id))
        return None if found is None else found.waiting

    @override
    def held(self) -> Sequence[Waiting]:
        return [entry.waiting for entry in self._journal.entries(self._scope)]

    @override
    def update(self, jobs: Iterable[Job]) -> None:
        standing = {name_of(self._scope, job.message_id): job for job in jobs}
        self._journal.alter(
            lambda ledger: [
                ledger.entries[name].standing_as(job)
                for name, job in standing.items()
                if name in ledger.entries
            ]
        )

    @override
    def done(self, message_ids: Iterable[str]) -> None:
        self._journal.remove(name_of(self._scope, message_id) for message_id in message_ids)


def _spellings(needle: str) -> frozenset[bytes]:
    """Return how a text can stand in a line: as we spell it, and as writers who escape all but ASCII do."""
    forms = (needle, json.dumps(needle, ensure_ascii=False)[1:-1], json.dumps(needle)[1:-1])
    return frozenset(form.encode("utf-8", "surrogatepass") for form in forms)
