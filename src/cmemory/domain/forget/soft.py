"""Reversible acts on a record: mute and unmute, delete and restore."""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from cmemory.domain.errors import UsageError
from cmemory.domain.model.changes import Changes, Decision
from cmemory.domain.model.ids import derive_id
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.life import Event
from cmemory.domain.model.record import AnyRecord, ClaimRecord, is_claim
from cmemory.domain.model.scope import Scope
from cmemory.domain.predicates.registry import find
from cmemory.domain.predicates.values import equivalent


def set_muted(record: AnyRecord, muted: bool, *, scope: Scope, now: Instant) -> Changes:
    """Return what muting or unmuting writes; nothing when the record already stands that way."""
    if record.salience.muted is muted:
        return Changes()
    changed = attrs.evolve(record, salience=attrs.evolve(record.salience, muted=muted))
    return _written(changed, "mute" if muted else "unmute", scope=scope, now=now)


def delete(record: AnyRecord, *, scope: Scope, now: Instant) -> Changes:
    """Return what a soft delete writes. The record can be restored; to erase it for good is another act."""
    return _written(record.after(Event.DELETE, now), "delete", scope=scope, now=now)


def restore(record: AnyRecord, rivals: Iterable[ClaimRecord] = (), *, scope: Scope, now: Instant) -> Changes:
    """Return what undoing a soft delete writes.

    Args:
        record: what comes back.
        rivals: the live claims of its slot; one that says the same, or any where only one may stand, is in the way.
        scope: whose record it is.
        now: when it comes back.

    Raises:
        UsageError: it was not deleted, or something is in the way.
    """
    if is_claim(record):
        row = find(record.body.predicate)
        alone = row is not None and row.single
        if any(
            alone or equivalent(one.body.value, record.body.value) for one in rivals if one.id != record.id
        ):
            raise UsageError(
                field="record_id", problem="another value has taken its place; delete that one first"
            )
    return _written(record.after(Event.RESTORE, now), "restore", scope=scope, now=now)


def _written(record: AnyRecord, action: str, *, scope: Scope, now: Instant) -> Changes:
    line = Decision(
        id=derive_id("d", scope.key, str(now), action, record.id),
        at=now,
        action=action,
        outcome="done",
        reason=action,
        record_id=record.id,
    )
    return Changes(records=(record,), decisions=(line,), revision_step=1)
