"""Reversible acts on a record: mute and unmute, delete and restore."""

from __future__ import annotations

import attrs

from cmemory.domain.model.changes import Changes, Decision
from cmemory.domain.model.ids import derive_id
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.life import Event
from cmemory.domain.model.record import AnyRecord
from cmemory.domain.model.scope import Scope


def set_muted(record: AnyRecord, muted: bool, *, scope: Scope, now: Instant) -> Changes:
    """Return what muting or unmuting writes; nothing when the record already stands that way."""
    if record.salience.muted is muted:
        return Changes()
    changed = attrs.evolve(record, salience=attrs.evolve(record.salience, muted=muted))
    return _written(changed, "mute" if muted else "unmute", scope=scope, now=now)


def delete(record: AnyRecord, *, scope: Scope, now: Instant) -> Changes:
    """Return what a soft delete writes. The record can be restored; to erase it for good is another act."""
    return _written(record.after(Event.DELETE, now), "delete", scope=scope, now=now)


def restore(record: AnyRecord, *, scope: Scope, now: Instant) -> Changes:
    """Return what undoing a soft delete writes."""
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
