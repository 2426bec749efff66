"""Works off the extraction inbox: propose outside any transaction, admit and retire the job inside one."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from cmemory.app.admit import Desk
from cmemory.app.inbox import StoredInbox
from cmemory.app.services import Services
from cmemory.domain.errors import ModelError
from cmemory.domain.model.candidate import Admission, Outcome, Reason, count_of, rejections_of
from cmemory.domain.model.changes import Changes, Decision, Job
from cmemory.domain.model.ids import MessageId, derive_id
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.message import Message
from cmemory.domain.model.scope import Scope
from cmemory.ports.extractor import Extraction

#: Messages that share one transaction when the extractor answers at once. A crash repeats at most these, harmlessly.
_BATCH = 128


@attrs.frozen(kw_only=True)
class Learned:
    """What became of one message."""

    message_id: MessageId
    admissions: tuple[Admission, ...] = ()
    #: False when the proposer's answer could not be read; it then counts as having proposed nothing.
    readable: bool = True
    #: Items of the answer that were no candidates, or quoted nothing that was said.
    dropped: int = 0


@attrs.frozen(kw_only=True)
class LearnReport:
    """What working the inbox brought."""

    learned: tuple[Learned, ...] = ()
    #: Messages whose extraction failed and will be tried again, and those given up for now.
    postponed: tuple[MessageId, ...] = ()
    dead: tuple[MessageId, ...] = ()

    @property
    def admissions(self) -> tuple[Admission, ...]:
        """All answers, in the order of the messages."""
        return tuple(admission for one in self.learned for admission in one.admissions)

    def count(self, *outcomes: Outcome) -> int:
        """Return how many candidates had one of the outcomes."""
        return count_of(self.admissions, *outcomes)

    @property
    def rejections(self) -> dict[Reason, int]:
        """How many candidates were rejected, by reason, in the order of the reasons."""
        return rejections_of(self.admissions)

    def then(self, later: LearnReport) -> LearnReport:
        """Return both reports as one."""
        return LearnReport(
            learned=self.learned + later.learned,
            postponed=self.postponed + later.postponed,
            dead=self.dead + later.dead,
        )


def learn(services: Services, scope: Scope, *, now: Instant, limit: int | None = None) -> LearnReport:
    """Work off the jobs that are due, oldest first, and return what came of them.

    Facts count from the moment they were said, not from when they were learned. A message that fails is put off and
    does not hold up the ones behind it; one that keeps failing is set aside.

    Args:
        now: jobs due by then are worked; retries are counted from then.
        limit: messages at most, None for all.
    """
    report = LearnReport()
    left = limit
    while left is None or left > 0:
        size = min(_BATCH if services.extractor.immediate else 1, _BATCH if left is None else left)
        with services.store.read(scope) as view:
            jobs = view.jobs(due=now, limit=size)
            messages = [view.message(job.message_id) for job in jobs]
        if not jobs:
            break
        report = report.then(_work(services, scope, jobs, messages, now=now))
        left = None if left is None else left - len(jobs)
    return report


def _work(
    services: Services, scope: Scope, jobs: Sequence[Job], messages: Sequence[Message | None], *, now: Instant
) -> LearnReport:
    proposed: dict[MessageId, Extraction | ModelError] = {}
    for message in messages:
        if message is not None:
            proposed[message.id] = _propose(services, message)
    learned: list[Learned] = []
    failed: list[Job] = []
    with services.store.write(scope) as unit:
        desk, inbox = Desk.open(services, scope, unit), StoredInbox(unit)
        for job in jobs:
            message = unit.message(job.message_id)
            answer = proposed.get(job.message_id)
            if unit.job(job.message_id) is None:
                continue  # Another process was faster.
            if isinstance(answer, ModelError):
                failed.append(job.failed(now=now, policy=services.policy.inbox, retryable=answer.retryable))
                continue
            if message is not None and answer is not None:
                learned.append(_admit(desk, message, answer, now=now))
            inbox.done((job.message_id,))
        inbox.update(failed)
    return LearnReport(
        learned=tuple(learned),
        postponed=tuple(job.message_id for job in failed if not job.dead),
        dead=tuple(job.message_id for job in failed if job.dead),
    )


def _propose(services: Services, message: Message) -> Extraction | ModelError:
    try:
        return services.extractor(message)
    except ModelError as error:
        return error


def _admit(desk: Desk, message: Message, extraction: Extraction, *, now: Instant) -> Learned:
    admissions = desk.admit(
        message,
        extraction.candidates,
        provenance=extraction.provenance,
        now=message.at,
        pending=extraction.pending,
    )
    if not extraction.readable:
        desk.unit.apply(Changes(decisions=(_unreadable(desk.scope, message, now),)))
    return Learned(
        message_id=message.id, admissions=admissions, readable=extraction.readable, dropped=extraction.dropped
    )


def _unreadable(scope: Scope, message: Message, now: Instant) -> Decision:
    return Decision(
        id=derive_id("d", scope.key, str(now), "extract", message.id),
        at=now,
        action="extract",
        outcome="empty",
        reason="unreadable_answer",
        message_id=message.id,
    )
