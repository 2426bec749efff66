"""What competes for the topic of a turn: thousands of records may, and only those that are looked at are made.

It orders and counts; whether a record may compete was decided before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from heapq import nsmallest

import attrs

from cmemory.domain.model.ids import RecordId
from cmemory.domain.model.record import AnyRecord
from cmemory.domain.plan.place import Rank, Stand, rank
from cmemory.domain.plan.plan import Channel, Item

#: Where a turn puts records, by id.
Moved = Mapping[RecordId, Stand]


@attrs.frozen
class Over:
    """What competes and is not shown."""

    count: int
    #: Makes them, the heaviest first.
    items: Callable[[], Iterator[Item]]


@attrs.frozen(kw_only=True)
class Topic:
    """The records that compete."""

    #: As heavy as if it matched in full.
    placed: Moved
    #: How well each matches, 0 to 1; in full where nothing is said of it.
    match: Mapping[RecordId, float]
    #: What the answer has to respect, which stands before what may colour it.
    bearing: Set[RecordId]
    #: Returns a record that competes.
    record: Callable[[RecordId], AnyRecord]

    @classmethod
    def of(
        cls,
        moved: Moved,
        *,
        match: Mapping[RecordId, float],
        bearing: Set[RecordId],
        record: Callable[[RecordId], AnyRecord],
    ) -> Topic:
        """Return what competes of all that was put somewhere; the other arguments are fields."""
        topic = Channel.TOPIC_ACTIVATED
        return cls(
            placed={name: one for name, one in moved.items() if one.channel is topic},
            match=match,
            bearing=bearing,
            record=record,
        )

    def item(self, name: RecordId) -> Item:
        """Return a record with its weight taken times its match."""
        stand = self.placed[name]
        score = None if stand.score is None else stand.score * self.match.get(name, 1.0)
        return attrs.evolve(stand, score=score).of(self.record(name))

    def place(self, item: Item) -> tuple[bool, Rank]:
        """Return where a record stands among the others."""
        return item.record_id not in self.bearing, rank(item)

    def first(self, count: int, without: Set[str] = frozenset()) -> list[Item]:
        """Return the first so many that are not to be left out."""
        return [self.item(name) for name in nsmallest(count, self._names(without), key=self._place)]

    def over(self, shown: Sequence[Item], moved: Moved) -> Over:
        """Return what is neither shown nor was put elsewhere meanwhile."""
        topic, seen = Channel.TOPIC_ACTIVATED, {item.record_id for item in shown}
        left = [name for name in self.placed if name not in seen and moved[name].channel is topic]
        return Over(len(left), lambda: map(self.item, sorted(left, key=self._place)))

    def _names(self, without: Set[str]) -> Iterator[RecordId]:
        return (name for name in self.placed if name not in without)

    def _place(self, name: RecordId) -> tuple[bool, float, str]:
        weight = (self.placed[name].score or 0.0) * self.match.get(name, 1.0)
        return name not in self.bearing, -weight, name
