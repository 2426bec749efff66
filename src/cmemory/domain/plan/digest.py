"""What one day or week brought, in the person's own words: picked from the records, never rewritten, never stored.

It is told to the person, so it says what may be said: what is muted, fenced off, put away or never spoken of is only
counted. What was forgotten leaves no trace in it, and what was taken back since is told as taken back, not as learned.
"""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, tzinfo

import attrs

from cmemory.domain.model.bodies import Body, Claim, Episode, Note, NoteKind
from cmemory.domain.model.changes import OpenThread, ThreadStatus
from cmemory.domain.model.ids import RecordId
from cmemory.domain.model.instant import Instant, is_day
from cmemory.domain.model.life import Status
from cmemory.domain.model.message import Message, Speaker
from cmemory.domain.model.record import AnyRecord
from cmemory.domain.plan.lines import line_of
from cmemory.domain.plan.telling import Telling, Untold
from cmemory.domain.predicates.registry import ValueKind, find
from cmemory.domain.text.normal import fold
from cmemory.domain.time.calendar import CivilSpan, civil_day


@attrs.frozen(kw_only=True)
class Told:
    """One record, by the line in which it is told."""

    record_id: RecordId
    text: str
    #: Whom or what a claim is about, where its line does not say so.
    about: str | None = None
    #: When it was said; of an episode, when it happened.
    at: Instant
    #: The civil day on which it is due.
    due_on: str | None = None


@attrs.frozen(kw_only=True)
class Change:
    """One fact that became another, or that no longer holds."""

    before: Told
    #: None when it was taken back, or ended without a successor.
    after: Told | None = None


@attrs.frozen(kw_only=True)
class Digest:
    """What a day or a week brought."""

    #: Civil days, both included.
    first: str
    last: str
    #: New claims, and notes of facts, tastes and lessons.
    learned: tuple[Told, ...] = ()
    #: What was replaced, corrected or taken back.
    changed: tuple[Change, ...] = ()
    #: Episodes, and notes of events.
    happened: tuple[Told, ...] = ()
    #: What was promised, what is due in these days or as many after them, and follow-ups still open: the soonest first.
    ahead: tuple[Told, ...] = ()
    #: Notes of feelings, as they were told.
    felt: tuple[Told, ...] = ()
    #: Messages by speaker; only speakers who said something.
    messages: Mapping[str, int] = attrs.field(factory=dict)
    #: How much stays untold, by reason; neither ids nor texts of it are told.
    withheld: Mapping[str, int] = attrs.field(factory=dict)
    #: The same as plain text, empty when nothing was said and nothing is told.
    text: str = ""


class _Part(enum.Enum):
    LEARNED = "learned"
    HAPPENED = "happened"
    AHEAD = "ahead"
    FELT = "felt"


_NOTES = {
    NoteKind.FACT: _Part.LEARNED,
    NoteKind.PREFERENCE: _Part.LEARNED,
    NoteKind.LESSON: _Part.LEARNED,
    NoteKind.EVENT: _Part.HAPPENED,
    NoteKind.PROMISE: _Part.AHEAD,
    NoteKind.FEELING: _Part.FELT,
}
_ENDED = frozenset({Status.SUPERSEDED, Status.RETRACTED})


@attrs.frozen(kw_only=True)
class _Days:
    """The days that are told of, and as many after them."""

    span: CivilSpan
    coming: CivilSpan
    zone: tzinfo

    def hold(self, moment: Instant) -> bool:
        return self.span.holds(civil_day(moment, self.zone))

    def concern(self, day: date) -> bool:
        return self.span.holds(day) or self.coming.holds(day)


def digest(
    telling: Telling,
    threads: Iterable[OpenThread],
    messages: Iterable[Message],
    *,
    span: CivilSpan,
    zone: tzinfo,
) -> Digest:
    """Return what the days of a span brought, without its text.

    Args:
        telling: the records of every status, and what keeps them untold.
        threads: the follow-ups of the scope.
        messages: its messages.
        span: which days.
        zone: where the person lives, so that a moment falls on their day.
    """
    days = _Days(span=span, coming=span.following(), zone=zone)
    family = _Family.of(telling.records)
    withheld: Counter[Untold] = Counter()
    parts: dict[_Part, list[Told]] = {part: [] for part in _Part}
    changed: list[Change] = []
    gone: set[RecordId] = set()
    for thread, record in _follow_ups(threads, family, telling.now, days):
        gone.add(record.id)
        if (why := telling.untold(record, thread.summary, thread.entity_ref or "")) is not None:
            withheld[why] += 1
        else:
            told = Told(record_id=record.id, text=thread.summary, at=thread.opened_at)
            parts[_Part.AHEAD].append(told)
    for before, after in _changes(family, days):
        if (why := family.untold(before, telling)) is not None:
            withheld[why] += 1
        else:
            changed.append(Change(before=_told(before), after=None if after is None else _told(after)))
        # What only its predecessor keeps back is told by itself, as something learned.
        if after is not None and (why is None or family.untold(after, telling) is not None):
            gone.add(after.id)
    for record in telling.records:
        part = _part(record, days) if record.live(telling.now) and record.id not in gone else None
        if part is None:
            continue
        if (why := telling.untold(record)) is not None:
            withheld[why] += 1
        else:
            parts[part].append(_told(record))
    counts = Counter(message.speaker for message in messages if days.hold(message.at))
    return Digest(
        first=str(span.first),
        last=str(span.last),
        learned=_in_order(parts[_Part.LEARNED]),
        changed=tuple(sorted(changed, key=_when)),
        happened=_in_order(parts[_Part.HAPPENED]),
        ahead=tuple(sorted(parts[_Part.AHEAD], key=lambda one: (one.due_on or "~", one.at, one.record_id))),
        felt=_in_order(parts[_Part.FELT]),
        messages={speaker.value: counts[speaker] for speaker in Speaker if counts[speaker]},
        withheld={why.value: withheld[why] for why in Untold if withheld[why]},
    )


@attrs.frozen
class _Family:
    """The records by their ids, and which one took the place of which."""

    by_id: Mapping[RecordId, AnyRecord]
    later: Mapping[RecordId, AnyRecord]

    @classmethod
    def of(cls, records: Iterable[AnyRecord]) -> _Family:
        by_id = {record.id: record for record in records}
        later = {one.supersedes: one for one in by_id.values() if one.supersedes is not None}
        return cls(by_id, later)

    def untold(self, record: AnyRecord, telling: Telling) -> Untold | None:
        """Return why a fact is not told: whoever silenced a later version of it silenced the earlier ones."""
        version: AnyRecord | None = record
        while version is not None:
            if (why := telling.untold(version)) is not None:
                return why
            version = self.later.get(version.id)
        return None


def _follow_ups(
    threads: Iterable[OpenThread], family: _Family, now: Instant, days: _Days
) -> Iterator[tuple[OpenThread, AnyRecord]]:
    """Yield what was left open in these days, or lapses in them or soon after, each with its record."""
    for thread in threads:
        record, end = family.by_id.get(thread.record_id), thread.expires_at
        if thread.status is not ThreadStatus.OPEN or record is None or not record.live(now):
            continue
        lapses = end is not None and days.concern(civil_day(end, days.zone))
        if (end is None or now < end) and (days.hold(thread.opened_at) or lapses):
            yield thread, record


def _changes(family: _Family, days: _Days) -> Iterator[tuple[AnyRecord, AnyRecord | None]]:
    """Yield what gave way in these days, and to what."""
    for record in family.by_id.values():
        after = family.later.get(record.id)
        end = record.valid_until if after is None else after.valid_from
        if record.status in _ENDED and end is not None and days.hold(end):
            yield record, after


def _part(record: AnyRecord, days: _Days) -> _Part | None:
    """Return under which heading a record is told, None when these days are not its days."""
    body = record.body
    if isinstance(body, Episode):
        return _Part.HAPPENED if days.hold(body.occurred_from) else None
    said, due = days.hold(record.valid_from), _due_on(body)
    if due is not None and (days.concern(due) or (said and due > days.span.last)):
        event = isinstance(body, Note) and body.note_kind is NoteKind.EVENT
        return _Part.HAPPENED if event and days.span.holds(due) else _Part.AHEAD
    if not said:
        return None
    return _NOTES[body.note_kind] if isinstance(body, Note) else _Part.LEARNED


def _due_on(body: Body) -> date | None:
    """Return the day of a note that comes up by itself, or of a claim whose value is a day."""
    day = body.due_on if isinstance(body, Note) else None
    if isinstance(body, Claim):
        row = find(body.predicate)
        day = str(body.value) if row is not None and row.kind is ValueKind.DATE else None
    return date.fromisoformat(day) if day is not None and is_day(day) else None


def _told(record: AnyRecord) -> Told:
    body = record.body
    due = _due_on(body)
    return Told(
        record_id=record.id,
        text=line_of(record),
        about=_about(body),
        at=body.occurred_from if isinstance(body, Episode) else record.valid_from,
        due_on=None if due is None else str(due),
    )


def _about(body: Body) -> str | None:
    entity = body.entity_ref if isinstance(body, Claim) else None
    return None if entity is None or fold(entity) == fold(body.shown) else entity


def _in_order(told: list[Told]) -> tuple[Told, ...]:
    return tuple(sorted(told, key=lambda one: (one.at, one.record_id)))


def _when(change: Change) -> tuple[Instant, RecordId]:
    newest = change.after or change.before
    return newest.at, newest.record_id
