"""The chores of a relationship, for whoever has a scheduler: the night, conclusions whose time is up, lacking vectors."""

from __future__ import annotations

import attrs

from cmemory.app import consolidate, embed
from cmemory.app.consolidate import NightReport
from cmemory.app.services import Services
from cmemory.domain.model.changes import Changes
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.record import InferenceRecord, is_inference
from cmemory.domain.model.scope import Scope
from cmemory.domain.reflect.fade import crowd_out
from cmemory.domain.reflect.inference import review
from cmemory.ports.store import Unit


@attrs.frozen(kw_only=True)
class MaintainReport:
    """What came of the chores."""

    night: NightReport
    #: Notes that gave way, as after a lower limit was set.
    faded: int = 0
    #: Conclusions that nobody confirmed in time.
    expired: int = 0
    #: Texts that have a vector now, where there is an embedder; that it gives no answer is no error.
    embedded: int = 0


def maintain(services: Services, scope: Scope, *, now: Instant, at: str | None) -> MaintainReport:
    """Do what is due, and nothing twice; each chore in a transaction of its own.

    Args:
        now: the present.
        at: the hour at which a day ends; the policy's unless given.

    Raises:
        UsageError: the hour is no time of day.
    """
    night = consolidate.consolidate(services, scope, now=now, at=at, force=False)
    with services.store.write(scope) as unit:
        fading = crowd_out(unit.notes(), scope=scope, now=now, policy=services.policy.notes)
        overdue = _overdue(services, unit, now)
        unit.apply(fading)
        unit.apply(Changes(records=overdue, revision_step=1) if overdue else Changes())
    made = None if services.embedder is None else embed.embed(services, scope, now=now, limit=None)
    return MaintainReport(
        night=night,
        faded=len(fading.records),
        expired=len(overdue),
        embedded=0 if made is None else made.embedded,
    )


def _overdue(services: Services, unit: Unit, now: Instant) -> tuple[InferenceRecord, ...]:
    """Return the conclusions that expire, as they stand afterwards."""
    drawn = (record for record in unit.records() if is_inference(record))
    reviewed = ((one, review(one.body, now=now, policy=services.policy.inference)) for one in drawn)
    return tuple(attrs.evolve(one, body=body, updated_at=now) for one, body in reviewed if body != one.body)
