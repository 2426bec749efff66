"""Writes a note, recalls a few, and queues exchanges for the night."""

from __future__ import annotations

import attrs

from cmemory.app.admit import Desk
from cmemory.app.extract import RuleExtractor
from cmemory.app.mood import stirred
from cmemory.app.observe import Intake, take_in
from cmemory.app.services import Services
from cmemory.app.warm import Planner
from cmemory.domain.errors import UsageError
from cmemory.domain.evidence.quote import locate
from cmemory.domain.gates.hygiene import is_small_talk
from cmemory.domain.model.bodies import NoteKind
from cmemory.domain.model.candidate import Admission, NoteCandidate, Reason
from cmemory.domain.model.changes import Changes
from cmemory.domain.model.ids import derive_id
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.message import Message
from cmemory.domain.model.record import Provenance
from cmemory.domain.model.scope import Scope
from cmemory.domain.model.state import Exchange
from cmemory.domain.plan.render.brief import Brief, render_brief

#: Proposed by the host itself, on the person's behalf.
_HOST = Provenance(proposer="host")


@attrs.frozen(kw_only=True)
class Queued:
    """What became of an exchange."""

    said: Intake
    #: None when the companion stayed silent.
    answered: Intake | None = None
    #: Whether it waits for the night; what was forgotten does not.
    queued: bool = False


def stated_note(
    message: Message,
    *,
    text: str,
    note_kind: NoteKind,
    quote: str | None,
    tags: tuple[str, ...],
    importance: float,
    emotional_weight: float,
    due_on: str | None,
) -> NoteCandidate:
    """Return the candidate for a note, borne out by the message or a stretch of it.

    Raises:
        UsageError: the quote does not stand in the message exactly once.
    """
    found = locate(message.text, message.text if quote is None else quote)
    if isinstance(found, Reason):
        raise UsageError(field="quote", problem="must stand in what was said exactly once")
    return NoteCandidate(
        id=derive_id("n", message.id, note_kind.value, text, found.text),
        note_kind=note_kind,
        text=text,
        quote=found,
        tags=tags,
        importance=importance,
        emotional_weight=emotional_weight,
        due_on=due_on,
    )


def write(
    services: Services, scope: Scope, message: Message, candidate: NoteCandidate
) -> tuple[Admission, ...]:
    """Decide on a note; what its message states of the person is proposed as claims beside it.

    Returns:
        The answer to the note first, then one to each claim that the offline rules proposed.
    """
    with services.store.write(scope) as unit:
        desk = Desk.open(services, scope, unit)
        take_in(unit, desk.guard, message, queue=True)
        answered = desk.admit(message, (candidate,), provenance=_HOST, now=message.at)
        if answered[0].record_id is None:
            return answered
        stated = RuleExtractor(services.zone)(message)
        claims = desk.admit(message, stated.candidates, provenance=stated.provenance, now=message.at)
        return (*answered, *claims)


def brief(
    planner: Planner,
    services: Services,
    scope: Scope,
    message: str,
    *,
    session: str,
    now: Instant,
    max_chars: int | None,
    mood: str = "",
) -> Brief:
    """Return what a reply may draw on, in so many characters; small talk recalls nothing but what is due."""
    plan = planner.prepare(scope, message, now=now, session=session)
    policy = services.policy.brief
    return render_brief(
        plan,
        max_chars=policy.max_chars if max_chars is None else max_chars,
        standing=policy.standing,
        small_talk=is_small_talk(message),
        mood=mood,
    )


def queue_exchange(services: Services, scope: Scope, said: Message, answered: Message | None) -> Queued:
    """Write down what was said and what was answered, and let both wait for the night. It stirs the mood, once.

    Doing so again is harmless.

    Raises:
        UsageError: an id names another text already; nothing is written.
    """
    with services.store.write(scope) as unit:
        guard = services.guard(scope, unit)
        first = take_in(unit, guard, said, queue=True)
        second = None if answered is None else take_in(unit, guard, answered, queue=False)
        if first is Intake.FORGOTTEN:
            return Queued(said=first, answered=second)
        kept = None if answered is None or second is Intake.FORGOTTEN else answered.id
        exchange = Exchange(said=said.id, answered=kept, queued_at=said.at)
        heard: list[tuple[Message, Intake]] = [(said, first)]
        if answered is not None and second is not None:
            heard.append((answered, second))
        unit.apply(Changes(exchanges=(exchange,)).then(stirred(services, unit, heard)))
        return Queued(said=first, answered=second, queued=True)
