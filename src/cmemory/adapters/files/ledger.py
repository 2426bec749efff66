"""The lines of a journal, and what they add up to.

``docs/explanation/inbox.md`` describes the form. Lines only ever follow one another; the last word on a
message counts. What cannot be read is passed over and counted: one bad line spoils no other.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, BinaryIO

import attrs

from cmemory.adapters import wire
from cmemory.adapters.files.lines import MAX_LINE_BYTES
from cmemory.domain.errors import UsageError, WireError
from cmemory.domain.model.changes import Job
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.message import Message
from cmemory.domain.model.scope import Scope
from cmemory.domain.text.normal import is_well_formed
from cmemory.ports.inbox import Waiting

#: What every line says of itself.
VERSION = 1

#: Bytes of a new line at most: as much as is read, less what the line may grow by while the message waits.
MOST_LINE_BYTES = MAX_LINE_BYTES - 1_024

_CHUNK_BYTES = 1_048_576
_SURROGATE = "holds a lone surrogate and cannot be encoded as UTF-8"


@attrs.frozen(kw_only=True)
class Standing:
    """How a message stands, as a line has it."""

    attempts: int = 0
    due_at: Instant
    dead: bool = False


@attrs.frozen(kw_only=True)
class Entry:
    """A message in the journal."""

    #: Scope and message id together; names the message in every line about it.
    id: str
    scope: Scope
    message: Message
    enqueued_at: Instant
    standing: Standing

    @classmethod
    def of(cls, scope: Scope, message: Message, *, now: Instant) -> Entry:
        """Return the entry of a message that comes in."""
        return cls(
            id=name_of(scope, message.id),
            scope=scope,
            message=message,
            enqueued_at=now,
            standing=Standing(due_at=now),
        )

    @property
    def waiting(self) -> Waiting:
        """The same, as the port has it."""
        job = Job(
            message_id=self.message.id,
            enqueued_at=self.enqueued_at,
            attempts=self.standing.attempts,
            due_at=self.standing.due_at,
            dead=self.standing.dead,
        )
        return Waiting(message=self.message, job=job)

    def standing_as(self, job: Job) -> Entry:
        """Return the entry as a job stands."""
        standing = Standing(attempts=job.attempts, due_at=job.due_at, dead=job.dead)
        return attrs.evolve(self, standing=standing)


def name_of(scope: Scope, message_id: str) -> str:
    """Return the name of a message among those of all relationships."""
    return f"{scope.key}:{message_id}"


# -- out -----------------------------------------------------------------------------------------------------


def enqueue_line(entry: Entry) -> bytes:
    """Return the line that lets a message wait.

    Raises:
        UsageError: the message cannot be encoded.
    """
    try:
        return _line(type="enqueue", job=wire.to_json(entry))
    except UnicodeEncodeError:
        raise UsageError(field="message", problem=_SURROGATE) from None


def standing_line(entry: Entry) -> bytes:
    """Return the line that says how a message stands now."""
    return _line(type="standing", id=entry.id, standing=wire.to_json(entry.standing))


def complete_line(name: str) -> bytes:
    """Return the line that lets a message go."""
    return _line(type="complete", id=name)


def _line(**content: object) -> bytes:
    return wire.dump({"version": VERSION, **content}).encode("utf-8") + b"\n"


# -- in ------------------------------------------------------------------------------------------------------


@attrs.define
class Ledger:
    """What the lines of a journal add up to, as far as they were read."""

    #: What waits, by name, in the order in which it came in.
    entries: dict[str, Entry] = attrs.field(factory=dict)
    #: Messages that went and whose words still stand in the file.
    gone: set[str] = attrs.field(factory=set)
    #: Lines that could not be read.
    skipped: int = 0
    #: Whether anything stands in the file that writing it anew would leave out.
    slack: bool = False
    #: Bytes that were read, and whether they end within a line.
    end: int = 0
    torn: bool = False

    def read(self, file: BinaryIO) -> None:
        """Read on from where the last reading ended.

        An end without a line feed is what a dying process left. When it makes sense it counts, since only the
        line feed is missing; otherwise it is left for the next reading: somebody without our lock may still
        be writing it.
        """
        file.seek(self.end)
        for raw, size in _lines(file):
            whole = raw is None or raw.endswith(b"\n")
            understood = self._take(raw)
            self.torn = not whole
            if whole or understood:
                self.end += size
                self.skipped += not understood
                self.slack = self.slack or not understood

    def _take(self, raw: bytes | None) -> bool:
        """Take in one line and tell whether it could be read; blank ones can."""
        if raw is None:
            return False
        if not raw.strip():
            return True
        try:
            line = _parsed(raw)
            match line["type"]:
                case "enqueue":
                    self._enqueue(_entry(line.get("job"), escaped=b"\\u" in raw))
                case "complete":
                    self._complete(line.get("id"))
                case "standing":
                    self._stand(line.get("id"), wire.from_json(line.get("standing"), Standing))
                case _:
                    return False
        except (WireError, UsageError):
            return False
        return True

    def _enqueue(self, entry: Entry) -> None:
        # A second line about a message that waits adds nothing; how it stands has moved on since the first.
        self.entries.setdefault(entry.id, entry)

    def _complete(self, name: object) -> None:
        if not isinstance(name, str):
            raise WireError(path="$.id", problem="must be a string")
        if self.entries.pop(name, None) is not None:
            self.gone.add(name)

    def _stand(self, name: object, standing: Standing) -> None:
        if not isinstance(name, str):
            raise WireError(path="$.id", problem="must be a string")
        self.slack = True
        if name in self.entries:
            self.entries[name] = attrs.evolve(self.entries[name], standing=standing)


def _lines(file: BinaryIO) -> Iterator[tuple[bytes | None, int]]:
    """Yield the lines with their ends and sizes; None for one that is too long to be ours."""
    while raw := file.readline(MAX_LINE_BYTES + 1):
        size = len(raw)
        if size <= MAX_LINE_BYTES:
            yield raw, size
            continue
        while not raw.endswith(b"\n") and (raw := file.readline(_CHUNK_BYTES)):
            size += len(raw)
        yield None, size


def _parsed(raw: bytes) -> dict[str, Any]:
    try:
        line = wire.parse(raw.decode("utf-8"))
    except UnicodeDecodeError:
        raise WireError(path="$", problem="is not valid UTF-8") from None
    if not isinstance(line, dict) or line.get("version") != VERSION or isinstance(line["version"], bool):
        raise WireError(path="$.version", problem=f"must be {VERSION}")
    if not isinstance(line.get("type"), str):
        raise WireError(path="$.type", problem="must be a string")
    return line


def _entry(data: object, *, escaped: bool) -> Entry:
    entry = wire.from_json(data, Entry, path="$.job")
    # Only an escape can bring a lone surrogate past the decoding of the line.
    if escaped and not is_well_formed(wire.dump(wire.to_json(entry))):
        raise WireError(path="$.job", problem=_SURROGATE)
    if entry.id != name_of(entry.scope, entry.message.id):
        raise WireError(path="$.job.id", problem="must be made of scope and message id")
    return entry
