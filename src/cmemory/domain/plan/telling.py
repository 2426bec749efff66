"""What may be told to somebody who asks for all of it: the person looking back, or a host that lists what is known.

Asking outright is the cue that a record waits for, so only silence is left to decide: what is muted, put away, fenced
off, never spoken of, or kept in the background. It sees levels and words, never a score.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable

import attrs

from cmemory.domain.evidence.suppression import Guard
from cmemory.domain.gates.boundary import Shield
from cmemory.domain.gates.mention import level_of
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.life import Status
from cmemory.domain.model.record import AnyRecord, is_claim, is_inference
from cmemory.domain.plan.lines import spoken_texts
from cmemory.domain.predicates.registry import Visibility, is_boundary


class Untold(enum.Enum):
    """Why a record is not told, in the order in which it is tested."""

    #: The person asked not to hear of it.
    MUTED = "do_not_surface"
    #: It was put away, and can be restored.
    DELETED = "deleted"
    #: Nothing under its key is ever spoken.
    NEVER_SURFACE = "never_surface"
    #: A boundary of the person covers it, or it is the boundary itself.
    BOUNDARY = "boundary_shielded"
    #: It may shape an answer and is never recited.
    BACKGROUND_ONLY = "background_only"


@attrs.frozen(kw_only=True)
class Telling:
    """The records that are left to tell at one moment, and what keeps each of them untold."""

    #: What forgetting hides is not among them, and neither are conclusions, which are not spoken.
    records: tuple[AnyRecord, ...]
    guard: Guard
    shield: Shield
    now: Instant

    @classmethod
    def of(cls, records: Iterable[AnyRecord], *, guard: Guard, now: Instant) -> Telling:
        """Return the telling of a scope.

        Args:
            records: all its active records, and those of another status that are asked for.
            guard: what it must not see again.
            now: what stands at this moment, boundaries too.
        """
        left = tuple(one for one in records if not (is_inference(one) or guard.hides(one)))
        shield = Shield.of(one for one in left if is_claim(one) and one.live(now))
        return cls(records=left, guard=guard, shield=shield, now=now)

    def untold(self, record: AnyRecord, *texts: str) -> Untold | None:
        """Return why a record is not told, or None.

        Args:
            record: one of the records.
            texts: what else would be told with it, such as a name.
        """
        level = level_of(record)
        if record.salience.muted:
            return Untold.MUTED
        if record.status is Status.DELETED:
            return Untold.DELETED
        if level is Visibility.NEVER_SURFACE:
            return Untold.NEVER_SURFACE
        boundary = is_claim(record) and is_boundary(record.body.predicate)
        if boundary or self.shield.covers(*spoken_texts(record), *texts):
            return Untold.BOUNDARY
        return Untold.BACKGROUND_ONLY if level < Visibility.MENTION_IF_USER_CUES else None
