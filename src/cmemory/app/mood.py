"""Reads the companion's mood, and lets an exchange stir it in the transaction that writes the exchange down."""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from cmemory.app.observe import Intake
from cmemory.app.services import Services
from cmemory.domain.model.affect import Affect
from cmemory.domain.model.changes import Changes
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.message import Message, Speaker
from cmemory.domain.model.scope import Scope
from cmemory.domain.model.state import Mood
from cmemory.domain.reflect.mood import MoodReading, reading, stir
from cmemory.domain.text.mood import mood_of
from cmemory.ports.store import Unit, View


def read_mood(services: Services, scope: Scope, *, now: Instant) -> MoodReading:
    """Return the mood at a moment. Writes nothing."""
    with services.store.read(scope) as view:
        mood = view.state().mood
    return reading(mood, now, zone=services.zone, policy=services.policy.mood)


def stirred(services: Services, unit: Unit, heard: Iterable[tuple[Message, Intake]]) -> Changes:
    """Return what an exchange does to the mood; nothing when it was told before, or when there is no mood.

    Args:
        services: the policy.
        unit: the transaction in which the messages were taken in.
        heard: what was said and what was answered, each with what became of it.
    """
    policy = services.policy.mood
    if not policy.enabled:
        return Changes()
    state = unit.state()
    new = [one for one in (_news(unit, *each, mood=state.mood) for each in heard) if one is not None]
    if not new:
        return Changes()
    now = max(message.at for message in new)
    mood = stir(state.mood, _shown(new, Speaker.USER), _shown(new, Speaker.ASSISTANT), now, policy)
    return Changes(states=(attrs.evolve(state, mood=mood),))


def _news(unit: View, message: Message, intake: Intake, *, mood: Mood | None) -> Message | None:
    """Return the message as it is stored, if it has not stirred the mood yet.

    One that is known already counts when it is later than the mood: the host had it observed before the exchange. A
    replay is not, since its own time, not that of the replay, is compared.
    """
    if intake is Intake.FORGOTTEN:
        return None
    if intake is Intake.STORED:
        return message
    stored = unit.message(message.id)
    return stored if stored is not None and (mood is None or stored.at > mood.at) else None


def _shown(messages: Iterable[Message], speaker: Speaker) -> Affect | None:
    return next((mood_of(one.text) for one in messages if one.speaker is speaker), None)
