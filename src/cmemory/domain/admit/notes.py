"""Decides on one proposed note: new, the same as one that is known, or not to be kept."""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from cmemory.domain.admit.alike import meaning_of
from cmemory.domain.admit.ground import (
    Decided,
    Ground,
    check_content,
    check_owner,
    check_source,
    decision,
    evidence_of,
    refuse,
)
from cmemory.domain.model.bodies import Note
from cmemory.domain.model.candidate import Admission, NoteCandidate, Outcome, Reason
from cmemory.domain.model.changes import Changes
from cmemory.domain.model.ids import RecordId
from cmemory.domain.model.instant import Instant, is_day
from cmemory.domain.model.life import Event, Status
from cmemory.domain.model.measure import clamp_unit
from cmemory.domain.model.message import Evidence
from cmemory.domain.model.record import AnyRecord, NoteRecord, Record, Salience, is_note
from cmemory.domain.pattern import lazy_pattern
from cmemory.domain.text.normal import fold

_ACTION = "admit_note"

_NUMBER = lazy_pattern(r"[0-9]+")
#: Days as people and models write them; they are told from the message, and need not stand in it.
_DATE = lazy_pattern(
    r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}|(?:[0-9]{4}年)?[0-9]{1,2}月[0-9]{1,2}[日号]|\b20[0-9]{2}\b"
)


def note_record_id(candidate_id: str) -> RecordId:
    """Return the id of the record that a note candidate becomes."""
    return RecordId(f"note-{candidate_id}")


def label(tag: str) -> str:
    """Return the normal form of a tag."""
    return fold(tag).lstrip("#").strip()


def admit_note(
    candidate: NoteCandidate, known: Iterable[NoteRecord], ground: Ground, *, now: Instant
) -> Decided:
    """Decide on a candidate.

    The same thing said again merges, however it is worded: the note weighs more, gains the new proof and tags, and
    comes back when it had faded. One that the person put away comes back only when they said it again since.

    Args:
        candidate: what was proposed.
        known: the notes of the scope, faded and deleted ones among them.
        ground: message, guard and who holds the id.
        now: when it was said.
    """
    note = Note(
        note_kind=candidate.note_kind,
        text=candidate.text.strip(),
        tags=tuple(sorted({label(tag) for tag in candidate.tags} - {""})),
        emotional_weight=clamp_unit(candidate.emotional_weight),
        due_on=candidate.due_on if candidate.due_on and is_day(candidate.due_on) else None,
    )
    reason = _objection(candidate, note, ground)
    if reason is not None:
        return refuse(ground, candidate.id, reason, now=now, action=_ACTION)
    record = Record(
        id=note_record_id(candidate.id),
        body=note,
        evidence=(evidence_of(ground, candidate.quote),),
        created_at=now,
        updated_at=now,
        valid_from=now,
        salience=Salience(importance=clamp_unit(candidate.importance)),
        provenance=ground.provenance,
    )
    meaning = meaning_of(record)
    twin = next((one for one in _candidates(ground.holder, known) if meaning_of(one) == meaning), None)
    if twin is not None:
        return _merge(candidate, record, twin, ground, now=now)
    if ground.holder is not None:
        return refuse(ground, candidate.id, Reason.ID_CONFLICT, now=now, action=_ACTION)
    return _answer(candidate, record, Outcome.ACCEPTED, ground, now=now)


def merged_note(known: NoteRecord, again: NoteRecord, *, now: Instant) -> NoteRecord:
    """Return one note for two that say the same; a note that brings no new proof changes nothing.

    The wording of the older one stays. What is said twice is more important than either: neither half was chance.
    """
    new = tuple(one for one in again.evidence if one not in known.evidence)
    if not new:
        return known
    older, younger = sorted((known, again), key=lambda one: (one.created_at, one.id))
    missing = (1 - known.salience.importance) * (1 - again.salience.importance)
    standing = known if known.status is Status.ACTIVE else known.after(Event.RESTORE, now)
    return attrs.evolve(
        standing,
        body=attrs.evolve(
            older.body,
            tags=tuple(sorted({*known.body.tags, *again.body.tags})),
            emotional_weight=max(known.body.emotional_weight, again.body.emotional_weight),
        ),
        evidence=tuple(sorted((*known.evidence, *new), key=_place)),
        created_at=older.created_at,
        valid_from=min(known.valid_from, again.valid_from),
        updated_at=max(known.updated_at, younger.updated_at, now),
        salience=attrs.evolve(known.salience, importance=clamp_unit(1 - missing)),
    )


def _place(proof: Evidence) -> tuple[str, int]:
    return proof.source_id, -1 if proof.quote is None else proof.quote.start


def _objection(candidate: NoteCandidate, note: Note, ground: Ground) -> Reason | None:
    if not candidate.id.strip() or not note.text:
        return Reason.MISSING_IDENTIFIER
    if candidate.due_on is not None and note.due_on is None:
        return Reason.INVALID_VALUE
    reason = check_source(ground, candidate.quote)
    if reason is not None:
        return reason
    if len(note.text) > ground.policy.notes.max_chars:
        return Reason.TOO_LONG
    reason = check_content(ground, note.text, candidate.quote.text, *note.tags)
    if reason is not None:
        return reason
    if _invents_numbers(note.text, ground.message.text):
        return Reason.UNSUPPORTED
    guard, quotes = ground.guard, (candidate.quote.text,)
    banned = guard.ban(note, record_id=note_record_id(candidate.id), quotes=quotes) is not None
    if banned or guard.speaks_of_forgotten(" \n ".join((note.text, *note.tags))):
        return Reason.RESURRECTION
    return check_owner(ground)


def _invents_numbers(text: str, source: str) -> bool:
    """Tell whether a text has a number, dates aside, that its source has not."""
    return not set(_NUMBER.findall(_DATE.sub(" ", text))) <= set(_NUMBER.findall(source))


def _candidates(holder: AnyRecord | None, known: Iterable[NoteRecord]) -> Iterable[NoteRecord]:
    """Return the notes to compare with: the one of the same id first, then those that stand, then the others."""
    if holder is not None and is_note(holder):
        yield holder
    yield from sorted(known, key=lambda one: (one.status is not Status.ACTIVE, one.created_at, one.id))


def _merge(
    candidate: NoteCandidate, record: NoteRecord, twin: NoteRecord, ground: Ground, *, now: Instant
) -> Decided:
    again = not any(one.source_id == ground.message.id for one in twin.evidence)
    if twin.status is Status.DELETED and not (again and ground.message.at > twin.updated_at):
        return refuse(ground, candidate.id, Reason.PUT_AWAY, now=now, action=_ACTION)
    return _answer(
        candidate, merged_note(twin, record, now=now), Outcome.MERGED, ground, now=now, before=twin
    )


def _answer(
    candidate: NoteCandidate,
    record: NoteRecord,
    outcome: Outcome,
    ground: Ground,
    *,
    now: Instant,
    before: NoteRecord | None = None,
) -> Decided:
    fresh = outcome is Outcome.ACCEPTED
    admission = Admission(
        candidate_id=candidate.id,
        outcome=outcome,
        reason=Reason.ADMITTED if fresh else Reason.MERGED,
        detail="stored" if fresh else "merged: a note that says the same is already stored",
        record_id=record.id,
    )
    line = decision(ground, admission, now=now, action=_ACTION)
    if record == before:
        return admission, Changes(decisions=(line,))
    return admission, Changes(
        messages=(ground.message,), records=(record,), decisions=(line,), revision_step=1
    )
