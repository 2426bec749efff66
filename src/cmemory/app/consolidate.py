"""The night: makes notes of what waits. What a portion leaves is stored, and the portion taken away, in one transaction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import attrs

from cmemory.app.admit import Desk
from cmemory.app.extract import RuleExtractor
from cmemory.app.services import Services
from cmemory.domain.errors import ModelError
from cmemory.domain.evidence.quote import overlap
from cmemory.domain.model.candidate import (
    Admission,
    ClaimCandidate,
    NoteCandidate,
    Outcome,
    Reason,
    count_of,
    rejections_of,
)
from cmemory.domain.model.changes import Changes, Decision
from cmemory.domain.model.ids import MessageId, derive_id
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.message import Message, Quote
from cmemory.domain.model.record import Provenance
from cmemory.domain.model.scope import Scope
from cmemory.domain.model.state import Exchange
from cmemory.domain.prompts.consolidate import PROMPT_VERSION, NoteAnswer, consolidation_prompt, read_notes
from cmemory.domain.prompts.prompt import Prompt
from cmemory.domain.reflect.night import DISTILLED, Told, distil, due_day, of_day, portions
from cmemory.ports.store import Unit, View


@attrs.frozen(kw_only=True)
class NightTask:
    """One portion of exchanges, for a model that the host calls."""

    #: The person's messages, by which the portion is named when its answer is handed in.
    said: tuple[MessageId, ...]
    prompt: Prompt


@attrs.frozen(kw_only=True)
class NightPlan:
    """What the night has to do."""

    #: The civil day that is due, as in ``2026-03-01``; None when the last one is done.
    day: str | None
    #: Portions in the order of the exchanges; empty when nothing is due or nothing waits.
    tasks: tuple[NightTask, ...] = ()


@attrs.frozen(kw_only=True)
class NightReport:
    """What came of it."""

    #: The day that was due, None when none was and nobody insisted.
    day: str | None = None
    #: Answers to notes and to the claims beside them, in order.
    admissions: tuple[Admission, ...] = ()
    #: Items of answers that could not be used.
    dropped: int = 0
    #: Portions whose model failed, and those whose answer could not be read; their exchanges wait on.
    failed: int = 0
    unreadable: int = 0
    #: Exchanges that still wait.
    left: int = 0

    def count(self, *outcomes: Outcome) -> int:
        """Return how many candidates had one of the outcomes."""
        return count_of(self.admissions, *outcomes)

    @property
    def rejections(self) -> dict[Reason, int]:
        """How many candidates were rejected, by reason, in the order of the reasons."""
        return rejections_of(self.admissions)

    def then(self, later: NightReport) -> NightReport:
        """Return both reports as one; what is left is what the later one left."""
        return NightReport(
            day=self.day or later.day,
            admissions=self.admissions + later.admissions,
            dropped=self.dropped + later.dropped,
            failed=self.failed + later.failed,
            unreadable=self.unreadable + later.unreadable,
            left=later.left,
        )


def plan(services: Services, scope: Scope, *, now: Instant, at: str | None, force: bool) -> NightPlan:
    """Return what is due, in portions that a model can read at once. Writes nothing.

    Raises:
        UsageError: the hour is no time of day.
    """
    policy = services.policy.night
    with services.store.read(scope) as view:
        day = _due(services, view, now, at)
        if day is None and not force:
            return NightPlan(day=None)
        told = _told(view, _due_ones(services, view, None if force else day))
    return NightPlan(
        day=day,
        tasks=tuple(
            NightTask(
                said=tuple(one.said.id for one in portion),
                prompt=consolidation_prompt(portion, zone=services.zone, policy=policy),
            )
            for portion in portions(told, policy)
        ),
    )


def consolidate(
    services: Services, scope: Scope, *, now: Instant, at: str | None, force: bool
) -> NightReport:
    """Make notes of what waits, when its day is due: by the model, or by the offline rules where there is none.

    A failure loses nothing: what was not made into notes waits on.

    Args:
        now: the present.
        at: the hour at which a day ends; the policy's unless given.
        force: whether to take all that waits, though its day may not be over.
    """
    due = plan(services, scope, now=now, at=at, force=force)
    report = NightReport(day=due.day, left=waiting(services, scope))
    if not due.tasks and due.day is not None:
        return report.then(commit(services, scope, (), None, now=now, at=at))
    for task in due.tasks:
        if services.model is None:
            report = report.then(_by_rules(services, scope, task.said, now=now, at=at))
            continue
        try:
            answer = services.model.complete(task.prompt)
        except ModelError:
            return report.then(commit(services, scope, task.said, None, now=now, at=at))
        report = report.then(
            commit(services, scope, task.said, answer, now=now, at=at, model=services.model.name)
        )
    return report


def commit(
    services: Services,
    scope: Scope,
    said: Sequence[str],
    answer: str | None,
    *,
    now: Instant,
    at: str | None,
    model: str | None = None,
) -> NightReport:
    """Store what an answer proposes about a portion and take the portion away, in one transaction.

    Handing an answer in twice changes nothing. An answer that cannot be read leaves the portion waiting; after a few of
    them the offline rules make its notes, so that nothing waits forever.

    Args:
        said: the portion, as `plan` named it.
        answer: what the model wrote; None when it failed.
        now: the present.
        at: as in `plan`.
        model: which model it was.
    """
    with services.store.write(scope) as unit:
        portion = _portion(unit, said)
        if answer is None:
            report = NightReport(failed=1 if portion else 0)
        else:
            told = _told(unit, portion)
            read = read_notes(answer, told)
            provenance = Provenance(proposer="model", version=PROMPT_VERSION, model=model)
            report = (
                _store(services, scope, unit, told, portion, read, provenance)
                if read.readable
                else _unreadable(services, scope, unit, portion, now)
            )
        return _closed(services, unit, report, now, at)


def waiting(services: Services, scope: Scope) -> int:
    """Return how many exchanges wait."""
    with services.store.read(scope) as view:
        return len(view.exchanges())


def _by_rules(
    services: Services, scope: Scope, said: Sequence[str], *, now: Instant, at: str | None
) -> NightReport:
    with services.store.write(scope) as unit:
        portion = _portion(unit, said)
        report = _ruled(services, scope, unit, portion)
        return _closed(services, unit, report, now, at)


def _closed(services: Services, unit: Unit, report: NightReport, now: Instant, at: str | None) -> NightReport:
    """Mark the due day as done once nothing of it waits any more."""
    left = len(unit.exchanges())
    day = _due(services, unit, now, at)
    if day is not None and not _due_ones(services, unit, day):
        unit.apply(Changes(states=(attrs.evolve(unit.state(), consolidated_on=day),)))
    return attrs.evolve(report, day=day, left=left)


def _due_ones(services: Services, view: View, day: str | None) -> Sequence[Exchange]:
    """Return what waits up to a day, or all that waits."""
    held = view.exchanges()
    return held if day is None else of_day(held, day, zone=services.zone)


def _due(services: Services, view: View, now: Instant, at: str | None) -> str | None:
    hour = services.policy.night.at if at is None else at
    return due_day(now, zone=services.zone, at=hour, done=view.state().consolidated_on)


def _portion(unit: Unit, said: Iterable[str]) -> tuple[Exchange, ...]:
    """Return those of the named exchanges that still wait, in the order of the names."""
    held = {one.said: one for one in unit.exchanges()}
    return tuple(held[MessageId(name)] for name in dict.fromkeys(said) if name in held)


def _told(view: View, exchanges: Iterable[Exchange]) -> tuple[Told, ...]:
    found = []
    for one in exchanges:
        said = view.message(one.said)
        answered = None if one.answered is None else view.message(one.answered)
        if said is not None:
            found.append(Told(said=said, answered=answered))
    return tuple(found)


def _store(
    services: Services,
    scope: Scope,
    unit: Unit,
    told: Sequence[Told],
    portion: Sequence[Exchange],
    read: NoteAnswer,
    provenance: Provenance,
) -> NightReport:
    messages = {one.said.id: one.said for one in told}
    admissions: list[Admission] = []
    for name, message in messages.items():
        notes = [candidate for proves, candidate in read.candidates if proves == name]
        if notes:
            admissions += _admit(services, scope, unit, message, notes, provenance)
    unit.apply(Changes(consolidated=tuple(one.said for one in portion)))
    return NightReport(admissions=tuple(admissions), dropped=read.dropped)


def _ruled(services: Services, scope: Scope, unit: Unit, portion: Sequence[Exchange]) -> NightReport:
    """Let the offline rules make the notes of a portion, and take it away."""
    told = _told(unit, portion)
    found = (
        (one.said.id, note)
        for one in told
        for note in distil(one.said, zone=services.zone, facts=tuple(_facts(services, one.said)))
    )
    return _store(services, scope, unit, told, portion, NoteAnswer(candidates=tuple(found)), DISTILLED)


def _unreadable(
    services: Services, scope: Scope, unit: Unit, portion: Sequence[Exchange], now: Instant
) -> NightReport:
    most = services.policy.night.max_attempts
    tried = [attrs.evolve(one, attempts=one.attempts + 1) for one in portion]
    unit.apply(
        Changes(
            exchanges=tuple(one for one in tried if one.attempts < most),
            decisions=tuple(_line(scope, one.said, now) for one in tried[:1]),
        )
    )
    given_up = [one for one in tried if one.attempts >= most]
    ruled = _ruled(services, scope, unit, given_up) if given_up else NightReport()
    return attrs.evolve(ruled, unreadable=1)


def _admit(
    services: Services,
    scope: Scope,
    unit: Unit,
    message: Message,
    notes: Sequence[NoteCandidate],
    provenance: Provenance,
) -> tuple[Admission, ...]:
    """Decide on the notes of one message, and on the claims that the words of those that were taken state."""
    desk = Desk.open(services, scope, unit)
    answers = desk.admit(message, notes, provenance=provenance, now=message.at)
    taken = [note.quote for note, answer in zip(notes, answers, strict=True) if answer.record_id is not None]
    if not taken:
        return answers
    stated = RuleExtractor(services.zone)(message)
    claims = [one for one in stated.candidates if any(overlap(one.quote, quote) for quote in taken)]
    return (*answers, *desk.admit(message, claims, provenance=stated.provenance, now=message.at))


def _facts(services: Services, message: Message) -> Iterator[Quote]:
    found = RuleExtractor(services.zone)(message).candidates
    return (one.quote for one in found if isinstance(one, ClaimCandidate))


def _line(scope: Scope, said: MessageId, now: Instant) -> Decision:
    return Decision(
        id=derive_id("d", scope.key, str(now), "consolidate", said),
        at=now,
        action="consolidate",
        outcome="empty",
        reason="unreadable_answer",
        message_id=said,
    )
