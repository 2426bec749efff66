"""Where memory lives: one unit of work per scope, all of it or nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Protocol

import attrs

from cmemory.domain.model.association import Edge
from cmemory.domain.model.changes import Changes, Decision, Fingerprint, Job, OpenThread, Pending, Suppression
from cmemory.domain.model.embedding import Embedded, Embedding
from cmemory.domain.model.ids import MessageId, RecordId, Revision
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.life import Status
from cmemory.domain.model.message import Message, Speaker
from cmemory.domain.model.record import AnyRecord, ClaimRecord, EpisodeRecord, NoteRecord
from cmemory.domain.model.scope import Scope
from cmemory.domain.model.state import Exchange, RuntimeState
from cmemory.domain.recall.said import Among, Statistics, Stretch

# Only a selfcheck looks a store over.
if TYPE_CHECKING:
    from cmemory.domain.audit.finding import Finding
    from cmemory.domain.audit.rows import Medium, Snapshot
    from cmemory.domain.evidence.outline import Outline

#: Every status a record can have.
ANY_STATUS = frozenset(Status)
ACTIVE = frozenset({Status.ACTIVE})


@attrs.frozen(kw_only=True)
class Since:
    """What became of the records of a scope since a revision."""

    #: Those that were written, of any status, in the order of `View.records`.
    records: Sequence[AnyRecord]
    #: Ids that were suppressed, those of erased records among them.
    suppressed: frozenset[str] = frozenset()


class View(Protocol):
    """One consistent state of one scope. Nothing written by others during its life is visible in it.

    The store binds every read to the scope and adds no rule of its own: suppression and validity are the
    domain's affair.
    """

    def revision(self) -> Revision:
        """Return the scope's watermark, 0 before anything was written."""
        ...

    def record(self, record_id: str) -> AnyRecord | None:
        """Return the record of this scope with that id, whatever its status."""
        ...

    def named(self, record_ids: Sequence[str]) -> Sequence[AnyRecord]:
        """Return the records of this scope with these ids, whatever their status, each once and in no order.

        Ids that name no record are left out. A store that can read many at once does so here.
        """
        found = map(self.record, dict.fromkeys(record_ids))
        return [one for one in found if one is not None]

    def records(self, statuses: frozenset[Status] = ACTIVE) -> Sequence[AnyRecord]:
        """Return the records with one of the statuses: newest ``updated_at`` first, then by id.

        Episodes never change after they were told, so for them this is the order of telling.
        """
        ...

    def outlines(self) -> Sequence[Outline]:
        """Return as much of every record, whatever its status, as tells whether it has to do with another.

        In the order of `records`.
        """
        ...

    def changes_since(self, revision: Revision) -> Since | None:
        """Return which records were written or suppressed at that revision or later.

        With that, whoever has read `records` at that revision knows what they are now. None where that cannot be told,
        since records went or came back meanwhile that no suppression names (`Changes.hides`); then everything has to be
        read again. A store may answer None whenever it likes, and tell of records that did not change.
        """
        ...

    def slot(
        self, key: str, *, meaning: str | None = None, limit: int | None = None
    ) -> Sequence[ClaimRecord]:
        """Return the active claims of one slot (`predicates.identity.slot_of`), in the order of `records`.

        With ``meaning`` only those whose value has that normal form (`predicates.values.normal_value`); with
        ``limit`` so many of them at most.
        """
        ...

    def stories(self, narrative: str) -> Sequence[EpisodeRecord]:
        """Return the active episodes that tell the same in the same words, in the order of `records`.

        The same is what has one normal form (`predicates.values.normal_value`).
        """
        ...

    def under(self, predicates: Sequence[str]) -> Sequence[ClaimRecord]:
        """Return the active claims under any of the predicates, in the order of `records`."""
        ...

    def notes(self, statuses: frozenset[Status] = ACTIVE) -> Sequence[NoteRecord]:
        """Return the notes with one of the statuses, in the order of `records`."""
        ...

    def proven(
        self, message_ids: Sequence[str], *, without: Sequence[str] | None = None
    ) -> Sequence[AnyRecord]:
        """Return the records of any status that any of the messages proves, in the order of `records`.

        With ``without`` a record that is neither muted nor soft-deleted is left out if it is no claim, or a claim under
        one of these predicates.
        """
        ...

    def find(self, terms: Sequence[str], *, limit: int) -> Sequence[RecordId]:
        """Return active records with any of the terms: most distinct terms first, then newest, then by id."""
        ...

    def foreign(self, record_id: str) -> bool:
        """Tell whether another scope owns that record id."""
        ...

    def bearers(self, record_ids: Sequence[str]) -> Mapping[str, AnyRecord | None]:
        """Return, for each of the ids that is taken, the record of this scope; None where another scope owns it.

        It tells of many ids at once what `record` and `foreign` tell of one.
        """
        ...

    def message(self, message_id: str) -> Message | None:
        """Return a message of this scope."""
        ...

    def messages(
        self, *, session: str | None = None, speaker: Speaker | None = None, last: int | None = None
    ) -> Sequence[Message]:
        """Return the messages, oldest first, then by id; with ``last`` only so many of them at the end."""
        ...

    def statistics(self, terms: Sequence[str]) -> Statistics:
        """Return how common terms are in the messages; see `recall.said.message_terms`."""
        ...

    def utterances(self, weights: Mapping[str, int], *, among: Among, limit: int) -> Sequence[MessageId]:
        """Return messages with any of the terms: most weight first, then newest, then by id.

        The weight of a message is the sum over its distinct terms; repeats do not count.
        """
        ...

    def around(self, message_ids: Sequence[str], *, reach: int) -> Sequence[Stretch]:
        """Return each message with so many before and after it in its session, in the order of the ids.

        Ids that name no message are left out. In a session messages are ordered as in `messages`.
        """
        ...

    def threads(self) -> Sequence[OpenThread]:
        """Return the threads, newest ``updated_at`` first, then by id."""
        ...

    def thread_owner(self, thread_id: str) -> Scope | None:
        """Return the scope that holds a thread of that id, this one or another."""
        ...

    def suppressions(self) -> Sequence[Suppression]:
        """Return what must not be shown or written, in the order of kind and target."""
        ...

    def fingerprints(self) -> Sequence[Fingerprint]:
        """Return the hashes of forgotten content, in the order of digest and label."""
        ...

    def decisions(self, *, record_id: str | None = None) -> Sequence[Decision]:
        """Return the audit, oldest first, then by id; only the lines about one record when it is named."""
        ...

    def pending(self) -> Sequence[Pending]:
        """Return the pointers that wait for review, oldest first, then by id."""
        ...

    def job(self, message_id: str) -> Job | None:
        """Return the extraction job of a message."""
        ...

    def jobs(self, *, due: Instant | None = None, limit: int | None = None) -> Sequence[Job]:
        """Return jobs, first in first out, then by message id.

        With ``due`` only those that are not dead and whose time has come; otherwise all, dead ones included.
        """
        ...

    def exchanges(self, *, limit: int | None = None) -> Sequence[Exchange]:
        """Return what waits to be consolidated, first in first out, then by message id.

        An exchange goes with the person's message; of an erased answer only the name is gone.
        """
        ...

    def state(self) -> RuntimeState:
        """Return what the relationship is in the middle of; the empty one when nothing was kept."""
        ...

    def edges(
        self, session: str, ids: Sequence[str] | None = None, *, limit: int | None = None
    ) -> Sequence[Edge]:
        """Return the edges of a conversation: the heaviest first, then the last updated, then by their ids.

        With ``ids`` only those that touch any of these messages; with ``limit`` so many of them at most.
        """
        ...

    def message_vectors(self, model: str, *, among: Among, limit: int | None = None) -> Sequence[Embedding]:
        """Return the vectors that a model made of messages: newest message first, then by id.

        Texts that have none, though they were looked at, are left out here and in the next two.
        """
        ...

    def record_vectors(self, model: str, *, limit: int | None = None) -> Sequence[Embedding]:
        """Return the vectors that a model made of active records, in the order of `records`."""
        ...

    def vectors(self, kind: Embedded, ids: Sequence[str], *, model: str) -> Sequence[Embedding]:
        """Return the vectors that a model made of these, by id; what has none is left out."""
        ...

    def unembedded(self, kind: Embedded, *, model: str, limit: int | None = None) -> Sequence[str]:
        """Return the ids of messages or active records that this model has not looked at: newest first, then by id."""
        ...


class Unit(View, Protocol):
    """A write transaction: sees its own changes, and no other writer exists until it ends."""

    def apply(self, changes: Changes) -> Revision:
        """Write a change set and return the scope's new revision.

        Replacing a record or message by an equal one is harmless. Index entries follow the records by
        themselves.

        Raises:
            StoreError: the id of a record, thread or pending pointer belongs to another scope (never
                retryable), or the medium failed. Nothing of the unit survives: when the caller goes on, the
                unit ends with an error.
        """
        ...


class Survey(Protocol):
    """One consistent state of the whole store as plain rows, for a check that believes nothing.

    It is read by another way than views are, so that a mistake of theirs shows.
    """

    def medium(self) -> Medium:
        """Return what the medium says of its own health."""
        ...

    def snapshots(self) -> Iterator[Snapshot]:
        """Yield the rows of every scope, one scope after the other, in the order of their keys.

        Raises:
            StoreError: the medium cannot be read.
        """
        ...


@attrs.frozen(kw_only=True)
class Footprint:
    """What a store takes up."""

    #: Files on disk, main file first; empty for a store in memory.
    files: tuple[str, ...]
    #: Bytes of all files together.
    bytes: int


@attrs.frozen(kw_only=True)
class BackupReport:
    """A copy of a store that was written and looked over."""

    #: The file.
    path: str
    bytes: int
    #: What is wrong with the copy, and so with the store it was taken from; empty when all is well.
    findings: tuple[Finding, ...] = ()


class Store(Protocol):
    """A home for any number of scopes.

    Implementations are safe to share between threads; several processes may open the same file.
    """

    @property
    def secret(self) -> bytes:
        """Key of the forgetting hashes: random, at least 32 bytes, made with the store and never exported."""
        ...

    def read(self, scope: Scope) -> AbstractContextManager[View]:
        """Open a consistent view.

        Raises:
            StoreError: the medium failed.
        """
        ...

    def write(self, scope: Scope) -> AbstractContextManager[Unit]:
        """Open a write transaction: committed durably when the block ends, undone entirely when it raises.

        Raises:
            StoreError: another writer kept the store busy too long (retryable), this thread is inside a unit
                of the store already, it is read-only, or the disk is full.
        """
        ...

    def scopes(self) -> Sequence[Scope]:
        """Return every scope that holds anything, in the order of their keys."""
        ...

    def reindex(self, scope: Scope) -> int:
        """Rebuild the full-text indexes of a scope, of messages too; return how many records were indexed."""
        ...

    def contains(self, needle: str) -> bool:
        """Tell whether a text is left in anything this store has written, deleted pages and logs included.

        Words of the store's own making, such as names of its tables, are found as well.
        """
        ...

    def footprint(self) -> Footprint:
        """Return what the store takes up."""
        ...

    def survey(self) -> AbstractContextManager[Survey]:
        """Open the stored state to a check; nothing written by others during its life is visible in it.

        Raises:
            StoreError: the medium failed.
        """
        ...

    def back_up(self, path: str, *, overwrite: bool = False) -> BackupReport:
        """Write a copy of one state of the store into a file, while others go on reading and writing.

        The copy is checked before it takes its place, so the file is there whole or not at all. Only its owner may read
        it, and it holds nothing that was forgotten before. What contradicts itself in the store does so in the
        copy, and
        is told.

        Args:
            path: the file.
            overwrite: whether a file that is there may be replaced.

        Raises:
            UsageError: the file is there already, is the store itself, or this store keeps nothing on a medium.
            StoreError: the file cannot be written, or the copy is damaged.
        """
        ...

    def close(self) -> None:
        """Release everything; further calls fail. Closing twice is harmless."""
        ...
