"""Fading: which notes give way when there are too many. A faded note is kept, and comes back when it is said again."""

from __future__ import annotations

from collections.abc import Sequence

from cmemory.domain.model.changes import Changes, Decision
from cmemory.domain.model.ids import RecordId, derive_id
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.life import Event, Status
from cmemory.domain.model.record import NoteRecord
from cmemory.domain.model.scope import Scope
from cmemory.domain.policy import NotePolicy
from cmemory.domain.scoring.salience import note_weight

_ACTION = "fade_note"


def crowd_out(
    notes: Sequence[NoteRecord],
    *,
    scope: Scope,
    now: Instant,
    policy: NotePolicy,
    newest: RecordId | None = None,
) -> Changes:
    """Return what fades so that no more notes are active than there may be: the lightest, then the oldest.

    What is still to come up on its day gives way last.

    Args:
        notes: the notes of the scope; those that are not active take no room.
        scope: whose they are.
        now: weights count to this moment.
        policy: how many may be active, and how weight is lost.
        newest: a note that is not crowded out by itself.
    """
    active = [note for note in notes if note.status is Status.ACTIVE]
    excess = len(active) - policy.max_active
    if excess <= 0:
        return Changes()
    yielding = sorted(
        (note for note in active if note.id != newest),
        key=lambda note: (
            _still_due(note, now),
            note_weight(note, now=now, policy=policy),
            note.created_at,
            note.id,
        ),
    )
    faded = tuple(note.after(Event.FADE, now) for note in yielding[:excess])
    lines = tuple(_line(note, scope, now) for note in faded)
    return Changes(records=faded, decisions=lines, revision_step=1)


def _still_due(note: NoteRecord, now: Instant) -> bool:
    # A day early, since the person's day may begin before that of UTC.
    return note.body.due_on is not None and note.body.due_on >= str(now.plus(days=-1))[:10]


def _line(note: NoteRecord, scope: Scope, now: Instant) -> Decision:
    return Decision(
        id=derive_id("d", scope.key, str(now), _ACTION, note.id),
        at=now,
        action=_ACTION,
        outcome="done",
        reason="crowded_out",
        record_id=note.id,
    )
