"""What a relationship is in the middle of: a mood, and exchanges that wait for the night."""

from __future__ import annotations

import attrs

from cmemory.domain.model.ids import MessageId
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.measure import in_signed_unit


@attrs.frozen(kw_only=True)
class Exchange:
    """What the person said and what was answered, until it is consolidated."""

    #: The person's message; names the exchange.
    said: MessageId
    #: The companion's answer, None when it stayed silent.
    answered: MessageId | None = None
    queued_at: Instant
    #: How often somebody tried to make notes of it in vain.
    attempts: int = 0


@attrs.frozen(kw_only=True)
class Mood:
    """The companion's mood at one moment; a hint for its tone, and never a fact about anybody."""

    #: From displeased (-1) to pleased (1).
    pleasure: float = attrs.field(validator=in_signed_unit)
    #: From calm (-1) to stirred (1).
    arousal: float = attrs.field(validator=in_signed_unit)
    #: From led (-1) to leading (1).
    dominance: float = attrs.field(validator=in_signed_unit)
    at: Instant


@attrs.frozen(kw_only=True)
class RuntimeState:
    """What is kept of a relationship beside its records; all of it may be lost without a fact being lost."""

    mood: Mood | None = None
    #: The last civil day whose consolidation is done, as in ``2026-03-01``.
    consolidated_on: str | None = None
