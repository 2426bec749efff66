"""What waits for extraction: messages that were taken in and not yet learned from."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Protocol

import attrs

from cmemory.domain.model.changes import Job
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.message import Message
from cmemory.domain.model.scope import Scope
from cmemory.domain.policy import InboxPolicy


class Queued(enum.Enum):
    """The answer to a message that was put into an inbox."""

    #: It waits, durably.
    ACCEPTED = "accepted"
    #: The very same message waits already.
    KNOWN = "known"
    #: The inbox is as large as it may become. Nothing was written and nothing is lost that waits.
    FULL = "full"


@attrs.frozen(kw_only=True)
class Waiting:
    """A message, and how it stands in the inbox."""

    message: Message
    job: Job


@attrs.frozen(kw_only=True)
class InboxSize:
    """How much an inbox holds."""

    #: Messages that will be worked when their time comes.
    waiting: int
    #: Messages that were given up.
    dead: int


class Inbox(Protocol):
    """The inbox of one relationship.

    Nothing waits behind another: a message that fails or is deferred only moves its own time. Every method
    may be called again after a crash. All raise `StoreError` when the medium fails; what waited then still
    waits.

    An implementation supplies `enqueue`, `find`, `held`, `update` and `done`; the rules rest on those.
    """

    def enqueue(self, message: Message, *, now: Instant) -> Queued:
        """Let a message wait; it is durable when this returns. Doing so again is harmless.

        Args:
            message: what was said.
            now: when it came in, and from when it is due.

        Raises:
            UsageError: its id names another text already, or the inbox cannot hold such a message.
        """
        ...

    def find(self, message_id: str) -> Waiting | None:
        """Return what is held of a message."""
        ...

    def held(self) -> Sequence[Waiting]:
        """Return everything, dead ones included: first come first, then by message id."""
        ...

    def update(self, jobs: Iterable[Job]) -> None:
        """Replace how messages stand. Those that are not held any more are passed over."""
        ...

    def done(self, message_ids: Iterable[str]) -> None:
        """Let messages go, dead ones included; no byte of them is left in the inbox's own files.

        Ids that are not held are passed over. When the text cannot be removed right now, this raises, and
        calling it again tries again.
        """
        ...

    def due(self, now: Instant, *, limit: int | None = None) -> Sequence[Waiting]:
        """Return what is not dead and whose time has come, in the order of `held`; so many at most."""
        ready = (one for one in self.held() if not one.job.dead and one.job.due_at <= now)
        return list(islice(ready, limit))

    def put_off(
        self, message_id: str, *, now: Instant, policy: InboxPolicy, retryable: bool = True
    ) -> Job | None:
        """Count a failed attempt: the message waits longer each time, and is dead after the last.

        Args:
            message_id: what failed.
            now: from when the pause counts.
            policy: pauses and attempts.
            retryable: False to give it up at once.

        Returns:
            How it stands now, None when it is not held.
        """
        found = self.find(message_id)
        if found is None:
            return None
        return self._set(found.job.failed(now=now, policy=policy, retryable=retryable))

    def defer(self, message_id: str, *, now: Instant, policy: InboxPolicy) -> Job | None:
        """Let a message wait because its time has not come, such as when nobody can read it right now.

        The pauses are those of a failure, and no attempt is counted, however often this happens.
        """
        found = self.find(message_id)
        return None if found is None else self._set(found.job.deferred(now=now, policy=policy))

    def wake(self, *, now: Instant) -> int:
        """Make due at once what was put off or deferred, as when a conversation begins; returns how many.

        This also helps after the machine's clock was set back, which makes times that were set before late.
        """
        return self._wake((one.job for one in self.held() if not one.job.dead and one.job.due_at > now), now)

    def dead(self) -> Sequence[Waiting]:
        """Return what was given up, in the order of `held`."""
        return [one for one in self.held() if one.job.dead]

    def revive(self, *, now: Instant) -> int:
        """Let what was given up be tried again from the beginning; returns how many."""
        return self._wake((one.job for one in self.dead()), now)

    def size(self) -> InboxSize:
        """Return how many wait, and how many are dead."""
        dead = [one.job.dead for one in self.held()]
        return InboxSize(waiting=dead.count(False), dead=dead.count(True))

    def _set(self, job: Job) -> Job:
        self.update((job,))
        return job

    def _wake(self, jobs: Iterable[Job], now: Instant) -> int:
        woken = [job.woken(now=now) for job in jobs]
        self.update(woken)
        return len(woken)


class Journal(Protocol):
    """Inboxes outside the database, for hosts that take messages in before it is up.

    Safe to share between threads; several processes may use the same one.
    """

    def inbox(self, scope: Scope) -> Inbox:
        """Return the inbox of a relationship."""
        ...

    def scopes(self) -> Sequence[Scope]:
        """Return every relationship of which anything waits, in the order of their keys.

        Raises:
            StoreError: the medium failed.
        """
        ...

    def contains(self, needle: str) -> bool:
        """Tell whether a text is left in anything this journal has written.

        Raises:
            StoreError: the medium failed.
        """
        ...

    @property
    def files(self) -> tuple[str, ...]:
        """Paths of the files that hold what waits; empty for a journal in memory."""
        ...

    def close(self) -> None:
        """Release everything. Closing twice is harmless."""
        ...
