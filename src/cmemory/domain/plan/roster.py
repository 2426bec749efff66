"""The records of a scope, prepared for planning: built once, and then kept up with what changes.

To prepare a record costs far more than to look at it, and of the thousands a relationship holds a turn changes a few.
So a roster is a pile of blocks that never change. What changed goes into a new block on top, which hides what the
older ones say of the same records. A block is joined with the one below when it is not much smaller, so there are
never more than a few, and a record is indexed again only so often as the logarithm of their number.

Whatever way a roster came to be, it answers as one that was built from the same records at once.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Set
from heapq import merge
from itertools import chain
from typing import TypeGuard

import attrs

from cmemory.domain.evidence.graph import Holding, Sources, holding
from cmemory.domain.gates.boundary import Shield
from cmemory.domain.gates.mention import Cues
from cmemory.domain.gates.reading import Nature, Request, Statement
from cmemory.domain.gates.release import Release, release_all
from cmemory.domain.model.bodies import Claim, InferenceState
from cmemory.domain.model.ids import RecordId, Revision
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.life import Status
from cmemory.domain.model.message import Quote
from cmemory.domain.model.record import (
    AnyRecord,
    ClaimRecord,
    InferenceRecord,
    is_claim,
    is_inference,
    is_note,
)
from cmemory.domain.plan.block import Block, Pointers, quotes
from cmemory.domain.plan.entry import Entry, Order
from cmemory.domain.plan.place import Rank, Stand, place
from cmemory.domain.plan.plan import Channel, Item, Why
from cmemory.domain.policy import Policy
from cmemory.domain.predicates.registry import is_boundary
from cmemory.domain.recall.query import Query
from cmemory.domain.reflect.quality import CLOSED, Gate
from cmemory.domain.scoring.bm25 import shares_of_rarity
from cmemory.domain.text.tokens import contains_word

#: A block is left alone while the one above it is so many times smaller: less of it would index records again and
#: again, more of it would pile up blocks that every turn has to look into.
_TIMES_SMALLER = 4

#: The key under which a person's own name stands.
_OWN_NAME = "identity.name"

_NAMED = Cues(referenced=True)
_IMPLIED = Cues(implied=True)


@attrs.frozen
class Pointed:
    """What a message points at."""

    #: The records, and how it points at each: by a name, else by a shared topic.
    cues: Mapping[RecordId, Cues]
    #: How well each matches, above 0; 1 for the best.
    match: Mapping[RecordId, float]


#: What stands in a channel that is always shown, with its place in it.
Standing = tuple[Order, RecordId, Stand]


@attrs.frozen(kw_only=True, eq=False)
class Roster:
    """All live records of a scope: where each stands at rest, and to which of them a message may point."""

    revision: Revision
    #: The UTC day for which the records are placed.
    day: int
    #: From which moment, and before which, the same records are live; None without a bound.
    since: Instant | None
    until: Instant | None
    policy: Policy = attrs.field(repr=False)
    #: Whether conclusions may be used.
    promotion: Gate = attrs.field(repr=False)
    shield: Shield
    #: Newest first.
    blocks: tuple[Block, ...]
    #: The boundaries among the records, and how the person is called.
    fences: Mapping[RecordId, ClaimRecord] = attrs.field(repr=False)
    names: Mapping[RecordId, str] = attrs.field(repr=False)
    own_names: frozenset[str]
    #: What has an end, ended or not, and all conclusions, whether they may be used now or not.
    timed: Mapping[RecordId, AnyRecord] = attrs.field(repr=False)
    conclusions: Mapping[RecordId, InferenceRecord] = attrs.field(repr=False)
    #: What stands in the channels that are always shown, in store order.
    standing: tuple[Standing, ...] = attrs.field(repr=False)
    #: How many records rest withheld, by reason, and how many in the deep-recall pool.
    withheld: Mapping[Why, int]
    pooled: int
    #: How many records there are.
    count: int

    @classmethod
    def of(
        cls,
        records: Iterable[AnyRecord],
        *,
        revision: Revision,
        now: Instant,
        policy: Policy,
        promotion: Gate = CLOSED,
    ) -> Roster:
        """Prepare the records that are live at that moment.

        A conclusion takes part while promotion is open, once it was promoted, until it is overdue, and as long as it still
        has support that may carry it and was read by whom the measurement speaks for.

        Args:
            records: all that are active and not hidden; further ones do no harm.
            revision: of the scope.
            now: the moment of the turn.
            policy: how records are weighed and where they are placed.
            promotion: whether conclusions may be used.
        """
        held = {one.id: one for one in records if _takes_part(one, promotion)}
        live = [one for one in held.values() if one.live(now)]
        conclusions = {name: one for name, one in held.items() if is_inference(one)}
        if conclusions:
            sources = Sources.of(live)
            live = [one for one in live if not is_inference(one) or _useful(one, sources, promotion, now)]
        shield = Shield.of(one for one in live if is_claim(one))
        timed = {name: one for name, one in held.items() if _ends(one)}
        names = _names(live)
        since, until = _window(timed.values(), now)
        entries = {one.id: Entry.of(one, shield, now=now, policy=policy) for one in live}
        withheld, pooled = _counted(entries.values())
        return cls(
            revision=revision,
            day=now.day_number,
            since=since,
            until=until,
            policy=policy,
            promotion=promotion,
            shield=shield,
            blocks=(Block.of(entries, frozenset()),),
            fences={one.id: one for one in live if _is_fence(one)},
            names=names,
            own_names=frozenset(names.values()),
            timed=timed,
            conclusions=conclusions,
            standing=_in_order(_standing(entries.values())),
            withheld=withheld,
            pooled=pooled,
            count=len(entries),
        )

    def serves(self, revision: Revision, now: Instant) -> bool:
        """Tell whether the roster is as good as one that is made now, at that revision."""
        return self.revision == revision and self.day == now.day_number and self._same_live(now)

    def _same_live(self, now: Instant) -> bool:
        return (self.since is None or self.since <= now) and (self.until is None or now < self.until)

    def after(
        self,
        records: Iterable[AnyRecord],
        hidden: Iterable[RecordId] = (),
        *,
        revision: Revision,
        now: Instant,
    ) -> Roster:
        """Return the roster of a later revision or another moment.

        Once anything is hidden, no word is left in it of what is not in the records as they are.

        Args:
            records: at least those that changed since, of any status.
            hidden: those that may not be seen, or are erased.
            revision: of the scope.
            now: the moment of the turn.
        """
        changed: dict[RecordId, AnyRecord | None] = {} if self._same_live(now) else dict(self.timed)
        unseen = frozenset(hidden)
        changed.update(dict.fromkeys(unseen))
        changed.update((one.id, one if _takes_part(one, self.promotion) else None) for one in records)
        timed = {name: one for name, one in self.timed.items() if name not in changed}
        timed.update((name, one) for name, one in changed.items() if one and _ends(one))
        conclusions = {name: one for name, one in self.conclusions.items() if name not in changed}
        conclusions.update((name, one) for name, one in changed.items() if one and is_inference(one))
        live = {name: one for name, one in changed.items() if one and one.live(now)}
        self._conclude(conclusions, changed, live, now)
        fences = {name: one for name, one in self.fences.items() if name not in changed}
        fences.update((name, one) for name, one in live.items() if _is_fence(one))
        shield = Shield.of(fences.values())
        base = self
        if shield != self.shield or now.day_number != self.day:
            base = self._anew(shield, now)
        since, until = _window(timed.values(), now)
        names = {name: one for name, one in self.names.items() if name not in changed}
        names.update(_names(live.values()))
        moved = attrs.evolve(
            base,
            revision=revision,
            since=since,
            until=until,
            fences=fences,
            names=names,
            own_names=frozenset(names.values()),
            timed=timed,
            conclusions=conclusions,
        )
        entries = {name: Entry.of(one, shield, now=now, policy=self.policy) for name, one in live.items()}
        made = moved._with(entries, changed.keys() - live.keys())
        return made._bare() if unseen else made

    def _anew(self, shield: Shield, now: Instant) -> Roster:
        """Return the roster of the same records under other boundaries, or on another day."""
        blocks = tuple(
            block.anew(lambda one: Entry.of(one, shield, now=now, policy=self.policy))
            for block in self.blocks
        )
        moved = attrs.evolve(self, day=now.day_number, shield=shield, blocks=blocks)
        withheld, pooled = _counted(moved.entries())
        standing = _in_order(_standing(moved.entries()))
        return attrs.evolve(moved, standing=standing, withheld=withheld, pooled=pooled)

    def _bare(self) -> Roster:
        """Return the same roster without what newer blocks hide of older ones."""
        blocks: list[Block] = []
        told: set[RecordId] = set()
        for block in self.blocks:
            blocks.append(block.without(told))
            told |= block.entries.keys() | block.gone
        return attrs.evolve(self, blocks=tuple(blocks))

    def _conclude(
        self,
        conclusions: Mapping[RecordId, InferenceRecord],
        changed: dict[RecordId, AnyRecord | None],
        live: dict[RecordId, AnyRecord],
        now: Instant,
    ) -> None:
        """Leave among the live those conclusions alone that may be used, and note as changed which came or went.

        Whether one may be used depends on what it rests on, so all are looked at again.
        """
        if not conclusions:
            return
        support = {RecordId(proof.source_id) for one in conclusions.values() for proof in one.body.support}
        standing = (entry.record for entry in map(self.entry, support - changed.keys()) if entry is not None)
        sources = Sources.of((*(live[name] for name in support & live.keys()), *standing))
        for name, one in conclusions.items():
            useful = one.live(now) and _useful(one, sources, self.promotion, now)
            if name in changed or useful != (self.entry(name) is not None):
                changed[name] = one
                if useful:
                    live[name] = one
                else:
                    live.pop(name, None)

    def _with(self, entries: Mapping[RecordId, Entry], gone: Set[RecordId]) -> Roster:
        """Return the roster with a block on top."""
        if not entries and not gone:
            return self
        touched = entries.keys() | gone
        stood = [one for one in map(self.entry, touched) if one is not None]
        before, pooled_before = _counted(stood)
        withheld, pooled = _counted(entries.values())
        withheld.update(self.withheld)
        withheld.subtract(before)
        standing = chain((one for one in self.standing if one[1] not in touched), _standing(entries.values()))
        return attrs.evolve(
            self,
            blocks=_piled(Block.of(entries, gone), self.blocks),
            standing=_in_order(standing),
            withheld=+withheld,
            pooled=self.pooled + pooled - pooled_before,
            count=self.count + len(entries) - len(stood),
        )

    def entries(self) -> Iterator[Entry]:
        """Yield every entry, in no order."""
        for at, block in enumerate(self.blocks):
            for name in self._standing_for(block.entries.keys(), at):
                yield block.entries[name]

    def entry(self, record_id: RecordId) -> Entry | None:
        """Return the entry of a live record."""
        for block in self.blocks:
            entry = block.entries.get(record_id)
            if entry is not None or record_id in block.gone:
                return entry
        return None

    def record(self, record_id: RecordId) -> AnyRecord:
        """Return a live record.

        Raises:
            KeyError: there is no such record.
        """
        entry = self.entry(record_id)
        if entry is None:
            raise KeyError(record_id)
        return entry.record

    def statement(self, record_id: RecordId) -> Statement | None:
        """Return a live record as the release gate reads it, None where it holds no distilled statement."""
        block = self._block(record_id)
        return None if block is None else block.statement(record_id, self.own_names)

    def rests(self, among: Set[RecordId]) -> list[Stand]:
        """Return where those of some records that are live stand while nothing points at them, in no order."""
        return [
            block.entries[name].rest
            for at, block in enumerate(self.blocks)
            for name in self._standing_for(block.entries.keys() & among, at)
        ]

    def _block(self, record_id: RecordId) -> Block | None:
        for block in self.blocks:
            if record_id in block.entries:
                return block
            if record_id in block.gone:
                return None
        return None

    def _standing_for(self, found: Set[RecordId], at: int) -> Set[RecordId]:
        """Return which of a block's entries no newer block speaks for."""
        for newer in self.blocks[:at]:
            if found:
                found = {one for one in found if not newer.speaks_for(one)}
        return found

    def pointed(self, query: Query) -> Pointed:
        """Return the records a message points at.

        A match adds up what the shared pairs and words, and the names that stand in the message, tell: the fewer records
        have one, the more.
        """
        if query.blank:
            return Pointed({}, {})
        pointers = Pointers.of(query)
        cues: dict[RecordId, Cues] = {}
        bearers: defaultdict[str, list[RecordId]] = defaultdict(list)
        named: defaultdict[str, list[RecordId]] = defaultdict(list)
        for at, block in enumerate(self.blocks):
            found = block.topical(pointers)
            standing = self._standing_for(set(chain.from_iterable(found.values())), at)
            cues.update(dict.fromkeys(standing, _IMPLIED))
            for term, ids in found.items():
                bearers[term] += filter(standing.__contains__, ids)
            for record_id in self._standing_for(block.perhaps_named(pointers), at):
                for name in block.entries[record_id].names:
                    if contains_word(query.lowered, name):
                        cues[record_id] = _NAMED
                        named[name].append(record_id)
        shared = (ids for table in (bearers, named) for _, ids in sorted(table.items()))
        return Pointed(cues, shares_of_rarity(shared, self.count))

    def bearing(self, request: Request) -> frozenset[RecordId]:
        """Return the person's limits that an answer to a message has to respect, shared words or not."""
        release = self.policy.release
        # Only who asks for something can be met by a limit that they did not touch on.
        if not release.raise_limits or not (request.advice or request.shared_table):
            return frozenset()
        perhaps = [
            (name, one)
            for at, block in enumerate(self.blocks)
            for name in self._standing_for(set(block.perhaps_limits()), at)
            if (one := block.statement(name, self.own_names)) is not None and one.nature is Nature.LIMIT
        ]
        answers = release_all([one for _, one in perhaps], request, release)
        pairs = zip(perhaps, answers, strict=True)
        return frozenset(name for (name, _), answer in pairs if answer.release is Release.MUST)

    def notes(self, among: Set[RecordId]) -> list[Entry]:
        """Return those of some records that are live notes."""
        return [
            block.entries[one]
            for at, block in enumerate(self.blocks)
            for one in self._standing_for(block.notes & among, at)
        ]

    def due(self, day: str) -> list[RecordId]:
        """Return the notes that come up on a civil day."""
        return [
            one
            for at, block in enumerate(self.blocks)
            if day in block.due
            for one in self._standing_for(set(block.due[day]), at)
        ]

    def placed(
        self, cues: Mapping[RecordId, Cues], forced: Set[RecordId], *, now: Instant
    ) -> dict[RecordId, Stand]:
        """Return where live records stand in a turn.

        Args:
            cues: what in the turn speaks for each.
            forced: those on which an evaluation insists.
            now: the moment of the turn.
        """
        found: dict[RecordId, Stand] = {}
        for at, block in enumerate(self.blocks):
            for name in self._standing_for(block.entries.keys() & cues.keys(), at):
                implied = cues[name] is _IMPLIED and name not in forced
                if implied and (known := block.implied.get(name)) is not None:
                    found[name] = known
                    continue
                entry = block.entries[name]
                made = place(
                    entry.record, entry.shaded, cues[name], name in forced, now=now, policy=self.policy
                )
                found[name] = made
                # Freshness of a note is counted by the moment, of all others by the day.
                if implied and not is_note(entry.record):
                    block.implied[name] = made
        return found

    def pool(self, without: Set[RecordId]) -> Iterator[Item]:
        """Yield what rests in the deep-recall pool, best first."""
        ranked = merge(*(self._pool_of(at, without) for at in range(len(self.blocks))), key=_rank_of)
        return (one.rest.of(one.record) for one in ranked)

    def _pool_of(self, at: int, without: Set[RecordId]) -> Iterator[Entry]:
        newer = self.blocks[:at]
        for name in self.blocks[at].pool:
            if name not in without and not any(block.speaks_for(name) for block in newer):
                yield self.blocks[at].entries[name]

    def resting(self, without: Set[RecordId]) -> list[tuple[Order, Item]]:
        """Return what rests withheld, in no order."""
        return [
            (one.order, one.rest.of(one.record))
            for one in self.entries()
            if one.rest.channel is Channel.DO_NOT_SURFACE and one.record.id not in without
        ]

    def said_by(self, record_id: RecordId) -> Iterator[frozenset[RecordId]]:
        """Yield, for each proof of a note, the claims whose proving words hold it and whose own words say all of it.

        Where one of them is shown for every proof, the note says nothing more.
        """
        own = self._block(record_id)
        if own is None or not is_note(own.entries[record_id].record):
            return
        matter = own.matter(record_id)
        for source, quote in quotes(own.entries[record_id].record):
            yield frozenset(
                name
                for at, block in enumerate(self.blocks)
                if source in block.proven
                for name in self._standing_for(_proven(block, source, quote), at)
                if matter <= block.matter(name)
            )


def _takes_part(record: AnyRecord, promotion: Gate) -> bool:
    return record.status is Status.ACTIVE and (promotion.open or not is_inference(record))


def _useful(record: InferenceRecord, sources: Sources, promotion: Gate, now: Instant) -> bool:
    """Tell whether a conclusion may shape answers."""
    body = record.body
    overdue = body.expires_at is not None and now > body.expires_at
    return (
        body.state is InferenceState.ACTIVE
        and not overdue
        and holding(body, sources) is Holding.OK
        and promotion.covers(sources.provenances(body))
    )


def _names(records: Iterable[AnyRecord]) -> dict[RecordId, str]:
    """Return how the person is called, by the records that tell it."""
    return {one.id: one.body.shown for one in records if is_claim(one) and one.body.predicate == _OWN_NAME}


def _is_fence(record: AnyRecord) -> TypeGuard[ClaimRecord]:
    return isinstance(record.body, Claim) and is_boundary(record.body.predicate)


def _counted(entries: Iterable[Entry]) -> tuple[Counter[Why], int]:
    """Return how many records rest withheld, by reason, and how many in the pool."""
    stands = [one.rest for one in entries]
    withheld = Counter(one.reason for one in stands if one.channel is Channel.DO_NOT_SURFACE)
    return withheld, sum(one.channel is Channel.DEEP_RECALL for one in stands)


def _ends(record: AnyRecord) -> list[Instant]:
    """Return the moments from which a record takes part no more."""
    ends = [] if record.valid_until is None else [record.valid_until]
    if is_inference(record) and record.body.expires_at is not None:
        # At the very moment it is not overdue yet.
        ends.append(Instant(record.body.expires_at.microseconds + 1))
    return ends


def _window(timed: Iterable[AnyRecord], now: Instant) -> tuple[Instant | None, Instant | None]:
    """Return from which moment, and before which, the same records are live as now."""
    ends = [end for record in timed for end in _ends(record)]
    since = max((end for end in ends if end <= now), default=None)
    return since, min((end for end in ends if now < end), default=None)


def _piled(made: Block, blocks: tuple[Block, ...]) -> tuple[Block, ...]:
    """Return the blocks with one more on top, joined where they would be too many."""
    rest = list(blocks)
    while rest and made.size * _TIMES_SMALLER > rest[0].size:
        made = made.over(rest.pop(0), last=not rest)
    return (made, *rest)


def _standing(entries: Iterable[Entry]) -> Iterator[Standing]:
    back = (Channel.DEEP_RECALL, Channel.DO_NOT_SURFACE)
    shown = (one for one in entries if one.rest.channel not in back)
    return ((one.order, one.record.id, one.rest) for one in shown)


def _in_order(standing: Iterable[Standing]) -> tuple[Standing, ...]:
    return tuple(sorted(standing, key=lambda one: one[0]))


def _rank_of(entry: Entry) -> Rank:
    return entry.rank


def _proven(block: Block, source: str, quote: Quote) -> set[RecordId]:
    """Return the claims of a block that words of a message prove in which a quote of it stands."""
    return {
        name
        for name in block.proven[source]
        for message, wider in quotes(block.entries[name].record)
        if message == source and wider.start <= quote.start and quote.end <= wider.end
    }
