"""What is decided and not written yet, so that the candidates of a message are written together.

Each candidate is decided on what those before it did, as if that were in the store; but a store has much to do for each
change set, whatever its size, and little more for a large one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter
from typing import TypeVar

import attrs

from cmemory.domain.model.bodies import Body
from cmemory.domain.model.changes import Changes, Decision, OpenThread, Pending
from cmemory.domain.model.life import Status
from cmemory.domain.model.message import Message
from cmemory.domain.model.record import (
    AnyRecord,
    ClaimRecord,
    EpisodeRecord,
    NoteRecord,
    Record,
    is_claim,
    is_episode,
    is_note,
)
from cmemory.domain.predicates.identity import slot_of
from cmemory.domain.predicates.values import normal_value
from cmemory.ports.store import ANY_STATUS, Unit

B = TypeVar("B", bound=Body, covariant=True)

#: What may wait, since it can be told from the draft. Anything else is written at once, and all that waits before it.
_WAITING = frozenset({"messages", "records", "threads", "pending", "decisions", "revision_step"})
_at_once = attrgetter(*(field.name for field in attrs.fields(Changes) if field.name not in _WAITING))


class Draft:
    """A unit as it will be once all that waits is written; see `ports.store` for what the reads return.

    Whoever writes to the unit past a draft writes out the draft before, and begins another one.
    """

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._begin()

    def _begin(self) -> None:
        self._messages: dict[str, Message] = {}
        self._records: dict[str, AnyRecord] = {}
        self._threads: list[OpenThread] = []
        self._pending: list[Pending] = []
        self._decisions: list[Decision] = []
        self._steps = 0
        # Where the active records among those that wait are looked for; by id, as one may be changed again.
        self._said: dict[tuple[str, str], dict[str, ClaimRecord]] = defaultdict(dict)
        self._slots: dict[str, dict[str, ClaimRecord]] = defaultdict(dict)
        self._told: dict[str, dict[str, EpisodeRecord]] = defaultdict(dict)
        #: The first of each slot in the order of the store, among those that wait.
        self._first: dict[str, ClaimRecord] = {}
        #: How many records wait that the unit may have in another form.
        self._changed = 0
        # What the unit answered; nothing of it changes before the draft is written out.
        self._bearers: Mapping[str, AnyRecord | None] = {}
        self._expected: frozenset[str] = frozenset()
        self._newest: dict[str, Sequence[ClaimRecord]] = {}
        self._notes: Sequence[NoteRecord] | None = None

    def expect(self, ids: Iterable[str]) -> None:
        """Look up at once who bears these ids; they will be asked for one by one."""
        self._expected = frozenset(ids)
        self._bearers = self._unit.bearers(sorted(self._expected))

    def record(self, record_id: str) -> AnyRecord | None:
        """Return the record of this scope with that id."""
        waiting = self._records.get(record_id)
        if waiting is not None:
            return waiting
        if record_id in self._expected:
            return self._bearers.get(record_id)
        return self._unit.record(record_id)

    def foreign(self, record_id: str) -> bool:
        """Tell whether another scope owns that record id."""
        if record_id in self._expected:
            return record_id in self._bearers and self._bearers[record_id] is None
        return self._unit.foreign(record_id)

    def message(self, message_id: str) -> Message | None:
        """Return a message of this scope."""
        waiting = self._messages.get(message_id)
        return waiting if waiting is not None else self._unit.message(message_id)

    def saying(self, slot: str, meaning: str) -> list[ClaimRecord]:
        """Return the active claims of a slot whose value has that normal form."""
        return self._merged(self._unit.slot(slot, meaning=meaning), self._said.get((slot, meaning)))

    def newest(self, slot: str) -> list[ClaimRecord]:
        """Return the first active claim of a slot, as a list of at most one."""
        held = self._newest.get(slot)
        if held is None:
            # So many that one is left when all that changed are taken out.
            held = self._newest[slot] = self._unit.slot(slot, limit=1 + self._changed)
        standing = next((one for one in held if one.id not in self._records), None)
        found = [one for one in (standing, self._first.get(slot)) if one is not None]
        return [min(found, key=_order)] if found else []

    def stories(self, narrative: str) -> list[EpisodeRecord]:
        """Return the active episodes that tell the same in the same words."""
        return self._merged(self._unit.stories(narrative), self._told.get(normal_value(narrative)))

    def notes(self) -> list[NoteRecord]:
        """Return the notes of any status."""
        if self._notes is None:
            self._notes = self._unit.notes(ANY_STATUS)
        waiting = {key: record for key, record in self._records.items() if is_note(record)}
        return self._merged(self._notes, waiting)

    def under(self, predicates: Sequence[str]) -> Sequence[ClaimRecord]:
        """Return the active claims under any of the predicates."""
        self.write()
        return self._unit.under(predicates)

    def apply(self, changes: Changes) -> None:
        """Take in a change set."""
        if any(_at_once(changes)):
            self.write()
            self._unit.apply(changes)
            self._begin()
            return
        for message in changes.messages:
            self._messages[message.id] = message
        for record in changes.records:
            self._put(record)
        self._threads += changes.threads
        self._pending += changes.pending
        self._decisions += changes.decisions
        self._steps += changes.revision_step

    def write(self) -> None:
        """Write what waits."""
        changes = Changes(
            messages=tuple(self._messages.values()),
            records=tuple(self._records.values()),
            threads=tuple(self._threads),
            pending=tuple(self._pending),
            decisions=tuple(self._decisions),
            revision_step=self._steps,
        )
        if changes:
            self._unit.apply(changes)
            self._begin()

    def _put(self, record: AnyRecord) -> None:
        before = self._records.get(record.id)
        self._records[record.id] = record
        if before is not None:
            self._take_out(before)
        elif record.id not in self._expected or record.id in self._bearers:
            self._changed += 1
            self._newest.clear()
        if record.status is not Status.ACTIVE:
            return
        if is_claim(record):
            slot = slot_of(record.body)
            self._said[slot, normal_value(record.body.value)][record.id] = record
            self._slots[slot][record.id] = record
            first = self._first.get(slot)
            if first is None or _order(record) < _order(first):
                self._first[slot] = record
        elif is_episode(record):
            self._told[normal_value(record.body.narrative)][record.id] = record

    def _take_out(self, record: AnyRecord) -> None:
        """Let a record that waits be found no more."""
        if is_claim(record):
            slot = slot_of(record.body)
            self._said[slot, normal_value(record.body.value)].pop(record.id, None)
            self._slots[slot].pop(record.id, None)
            first = self._first.get(slot)
            if first is not None and first.id == record.id:
                left = self._slots[slot].values()
                del self._first[slot]
                if left:
                    self._first[slot] = min(left, key=_order)
        elif is_episode(record):
            self._told[normal_value(record.body.narrative)].pop(record.id, None)

    def _merged(self, held: Sequence[Record[B]], waiting: dict[str, Record[B]] | None) -> list[Record[B]]:
        """Return what the unit holds and what waits as one, in the order of the store."""
        if not self._records:
            return list(held)
        standing = [one for one in held if one.id not in self._records]
        return sorted((*standing, *waiting.values()), key=_order) if waiting else standing


def _order(record: AnyRecord) -> tuple[int, str]:
    """Return what the store sorts records by."""
    return (-record.updated_at.microseconds, record.id)
