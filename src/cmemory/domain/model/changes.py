"""What a decision wants written.

The domain never writes. It returns `Changes`, and the application hands them to the store, which applies all
of them or nothing.
"""

from __future__ import annotations

import enum

import attrs

from cmemory.domain.model.association import Edge
from cmemory.domain.model.embedding import Embedding
from cmemory.domain.model.ids import MessageId, RecordId
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.message import Message
from cmemory.domain.model.record import AnyRecord
from cmemory.domain.model.state import Exchange, RuntimeState
from cmemory.domain.policy import InboxPolicy


class SuppressionKind(enum.Enum):
    """What a suppression hides."""

    RECORD = "record"
    PREDICATE = "predicate"
    #: The target is a keyed digest of the name, so that forgetting a person leaves no name behind.
    ENTITY = "entity"
    ALL = "all"


@attrs.frozen(kw_only=True)
class Suppression:
    """Something that must neither be shown nor written again."""

    kind: SuppressionKind
    #: A record id, a predicate, the digest of an entity, or ``*`` for everything.
    target: str
    created_at: Instant


@attrs.frozen(kw_only=True)
class Fingerprint:
    """A keyed hash of forgotten content."""

    digest: str
    #: The forgotten record it came from; also the handle by which the user lifts it.
    label: RecordId
    created_at: Instant


class ThreadStatus(enum.Enum):
    OPEN = "open"
    #: Its claim was replaced or taken back.
    CLOSED = "closed"
    #: Its session ended or its own time passed.
    EXPIRED = "expired"


@attrs.frozen(kw_only=True)
class OpenThread:
    """An unresolved matter that one greeting may pick up."""

    id: str
    record_id: RecordId
    summary: str
    entity_ref: str | None = None
    status: ThreadStatus = ThreadStatus.OPEN
    opened_at: Instant
    updated_at: Instant
    expires_at: Instant | None = None
    #: The session that last offered it.
    followup_session: str | None = None


@attrs.frozen(kw_only=True)
class Pending:
    """A stored pointer to material that waits for its quality gate."""

    id: str
    kind: str
    message_id: MessageId
    reason: str
    created_at: Instant


@attrs.frozen(kw_only=True)
class Decision:
    """One line of the audit: what was decided, in codes, ids and hashes, never in the person's words."""

    id: str
    at: Instant
    #: For example ``admit_claim``, ``forget``, ``mute``.
    action: str
    #: The stable code of the outcome.
    outcome: str
    reason: str
    record_id: RecordId | None = None
    candidate_id: str | None = None
    message_id: MessageId | None = None


@attrs.frozen(kw_only=True)
class Job:
    """A message that waits for extraction."""

    message_id: MessageId
    enqueued_at: Instant
    attempts: int = 0
    #: Not before this moment; of a dead job, the moment it was given up.
    due_at: Instant
    #: Set aside after too many failures.
    dead: bool = False

    def failed(self, *, now: Instant, policy: InboxPolicy, retryable: bool = True) -> Job:
        """Return the job after a failed attempt: it waits twice as long each time, and is dead after the last."""
        attempts = self.attempts + 1
        if attempts >= policy.max_attempts or not retryable:
            return attrs.evolve(self, attempts=attempts, due_at=now, dead=True)
        # The exponent is held where no pause is that long, since a float has an end.
        pause = policy.first_retry_seconds * 2.0 ** min(attempts - 1, 64)
        return attrs.evolve(self, attempts=attempts, due_at=_later(now, pause, policy))

    def deferred(self, *, now: Instant, policy: InboxPolicy) -> Job:
        """Return the job as it waits for its time, which is no failure.

        Each pause is as long as all the waiting before it and the first pause together, so they double as well.
        """
        waited = (now.microseconds - self.enqueued_at.microseconds) / 1_000_000
        return attrs.evolve(self, due_at=_later(now, policy.first_retry_seconds + max(0.0, waited), policy))

    def woken(self, *, now: Instant) -> Job:
        """Return the job as it is due at once; a dead one begins anew."""
        return attrs.evolve(self, attempts=0 if self.dead else self.attempts, due_at=now, dead=False)


def _later(now: Instant, pause: float, policy: InboxPolicy) -> Instant:
    return now.plus(seconds=min(pause, policy.longest_retry_seconds))


@attrs.frozen(kw_only=True)
class Changes:
    """A write-set for one scope. Tuples are applied in the order of the fields below."""

    #: Records that disappear with their evidence, index entries, threads, decisions and vectors.
    erase_records: tuple[RecordId, ...] = ()
    #: Messages that disappear, with their jobs, exchanges, pending pointers, edges and vectors.
    erase_messages: tuple[MessageId, ...] = ()
    #: Messages to add, or to replace when forgetting masked a part of their text. The vector of another text goes.
    messages: tuple[Message, ...] = ()
    #: Records to add or replace by id. The vector of another body goes.
    records: tuple[AnyRecord, ...] = ()
    threads: tuple[OpenThread, ...] = ()
    suppressions: tuple[Suppression, ...] = ()
    fingerprints: tuple[Fingerprint, ...] = ()
    #: Suppressions and fingerprints that the user lifted.
    lift_suppressions: tuple[Suppression, ...] = ()
    lift_labels: tuple[RecordId, ...] = ()
    pending: tuple[Pending, ...] = ()
    decisions: tuple[Decision, ...] = ()
    #: Jobs to add or update, and messages whose job is done.
    jobs: tuple[Job, ...] = ()
    done: tuple[MessageId, ...] = ()
    #: Exchanges to add or replace by what was said, and messages whose exchange is consolidated.
    exchanges: tuple[Exchange, ...] = ()
    consolidated: tuple[MessageId, ...] = ()
    #: The scope's state; the last one counts.
    states: tuple[RuntimeState, ...] = ()
    #: Edges to take away, of which only the pair counts, and edges to add or replace by their pair.
    prune_edges: tuple[Edge, ...] = ()
    edges: tuple[Edge, ...] = ()
    #: Vectors to add or replace by what they belong to; those of what is not there are passed over.
    embeddings: tuple[Embedding, ...] = ()
    #: How far the scope's revision moves: one for every decision that can change a plan.
    revision_step: int = 0

    def __bool__(self) -> bool:
        return self != _NOTHING

    @property
    def hides(self) -> bool:
        """Whether records are erased, hidden, or seen again that neither its records nor its suppressions name."""
        named = {one.target for one in self.suppressions if one.kind is SuppressionKind.RECORD}
        unnamed = any(one.kind is not SuppressionKind.RECORD for one in self.suppressions)
        return unnamed or bool(self.lift_suppressions) or not named.issuperset(self.erase_records)

    def then(self, later: Changes) -> Changes:
        """Return both write-sets as one; the later one wins where both name the same thing."""
        return Changes(
            **{
                field.name: getattr(self, field.name) + getattr(later, field.name)
                for field in attrs.fields(Changes)
            }
        )


_NOTHING = Changes()
