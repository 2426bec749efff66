"""The inbox in the database: jobs beside the messages, in the transaction that is open."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from typing_extensions import override

from cmemory.app.services import Services
from cmemory.domain.errors import UsageError
from cmemory.domain.model.changes import Changes, Job
from cmemory.domain.model.ids import MessageId
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.message import Message
from cmemory.domain.model.scope import Scope
from cmemory.ports.inbox import Inbox, Queued, Waiting
from cmemory.ports.store import Unit, View


class StoredInbox(Inbox):
    """Works inside one unit, so that what became of a message is written together with its job or not at all.

    Args:
        unit: the transaction; with its end the inbox ends.
    """

    def __init__(self, unit: Unit) -> None:
        self._unit = unit

    @override
    def enqueue(self, message: Message, *, now: Instant) -> Queued:
        stored = self._unit.message(message.id)
        if stored is not None and stored.text != message.text:
            raise UsageError(field="message_id", problem="already names a message with another text")
        if self._unit.job(message.id) is not None:
            return Queued.KNOWN
        job = Job(message_id=message.id, enqueued_at=now, due_at=now)
        self._unit.apply(Changes(messages=(message,), jobs=(job,)))
        return Queued.ACCEPTED

    @override
    def find(self, message_id: str) -> Waiting | None:
        job, message = self._unit.job(message_id), self._unit.message(message_id)
        return None if job is None or message is None else Waiting(message=message, job=job)

    @override
    def held(self) -> Sequence[Waiting]:
        return _with_messages(self._unit, self._unit.jobs())

    @override
    def due(self, now: Instant, *, limit: int | None = None) -> Sequence[Waiting]:
        return _with_messages(self._unit, self._unit.jobs(due=now, limit=limit))

    @override
    def update(self, jobs: Iterable[Job]) -> None:
        self._unit.apply(
            Changes(jobs=tuple(job for job in jobs if self._unit.job(job.message_id) is not None))
        )

    @override
    def done(self, message_ids: Iterable[str]) -> None:
        self._unit.apply(Changes(done=tuple(MessageId(one) for one in message_ids)))


def jobs(services: Services, scope: Scope) -> tuple[Job, ...]:
    """Return what waits, dead ones included, in the database and the attached journal together: oldest first.

    A message that stands in both, as after a crash between the two, stands as in the database, unless the
    journal gave it up.
    """
    found = {one.job.message_id: one.job for one in services.queued(scope)}
    with services.store.read(scope) as view:
        for job in view.jobs():
            queued = found.get(job.message_id)
            if queued is None or not queued.dead:
                found[job.message_id] = job
    return tuple(sorted(found.values(), key=lambda job: (job.enqueued_at, job.message_id)))


def retry_dead(services: Services, scope: Scope, *, now: Instant) -> int:
    """Put what was given up back to work, as after a wrong key was mended; returns how many."""
    with services.store.write(scope) as unit:
        revived = StoredInbox(unit).revive(now=now)
    if services.journal is not None:
        revived += services.journal.inbox(scope).revive(now=now)
    return revived


def _with_messages(view: View, jobs: Sequence[Job]) -> list[Waiting]:
    found = ((view.message(job.message_id), job) for job in jobs)
    return [Waiting(message=message, job=job) for message, job in found if message is not None]
