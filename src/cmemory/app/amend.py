"""Changes how a record stands without touching what it says: mute, soft delete, feedback."""

from __future__ import annotations

from collections.abc import Callable

import attrs

from cmemory.app.inspect import known
from cmemory.app.services import Services
from cmemory.domain.forget.soft import delete, restore, set_muted
from cmemory.domain.model.changes import Changes
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.record import AnyRecord, is_claim
from cmemory.domain.model.scope import Scope
from cmemory.domain.predicates.identity import slot_of
from cmemory.domain.scoring.salience import Signal, feel, recalled


def mute(services: Services, scope: Scope, record_id: str, muted: bool, *, now: Instant) -> AnyRecord:
    """Keep a record but never mention it, or let it be mentioned again."""
    return _amend(services, scope, record_id, lambda record: set_muted(record, muted, scope=scope, now=now))


def soft_delete(services: Services, scope: Scope, record_id: str, *, now: Instant) -> AnyRecord:
    """Put a record away so that `undelete` can bring it back."""
    return _amend(services, scope, record_id, lambda record: delete(record, scope=scope, now=now))


def undelete(services: Services, scope: Scope, record_id: str, *, now: Instant) -> AnyRecord:
    """Bring a soft-deleted record back.

    Raises:
        UsageError: it was not deleted, or another value has taken its place since.
    """
    with services.store.write(scope) as unit:
        record = known(unit, record_id)
        rivals = unit.slot(slot_of(record.body)) if is_claim(record) else ()
        unit.apply(restore(record, [one for one in rivals if one.live(now)], scope=scope, now=now))
        return known(unit, record_id)


def feedback(services: Services, scope: Scope, record_id: str, signal: Signal, *, now: Instant) -> AnyRecord:
    """Note how the person reacted to a memory; no reaction changes nothing."""

    def change(record: AnyRecord) -> Changes:
        if signal is Signal.USER_ASKED_TO_STOP:
            return set_muted(record, True, scope=scope, now=now)
        felt = feel(record.salience, signal, services.policy.salience)
        unchanged = felt == record.salience
        return (
            Changes()
            if unchanged
            else Changes(records=(attrs.evolve(record, salience=felt),), revision_step=1)
        )

    return _amend(services, scope, record_id, change)


def note_recall(services: Services, scope: Scope, record_id: str, *, now: Instant) -> AnyRecord:
    """Note that an answer really used a memory. Being injected is not being used, so nobody but the host can tell."""

    def change(record: AnyRecord) -> Changes:
        used = attrs.evolve(record, salience=recalled(record.salience, now))
        return Changes(records=(used,), revision_step=1)

    return _amend(services, scope, record_id, change)


def _amend(
    services: Services, scope: Scope, record_id: str, change: Callable[[AnyRecord], Changes]
) -> AnyRecord:
    with services.store.write(scope) as unit:
        unit.apply(change(known(unit, record_id)))
        return known(unit, record_id)
