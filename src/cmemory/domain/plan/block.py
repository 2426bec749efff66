"""Some records of a scope with their indexes, prepared once and never changed.

A roster is a few of these, one over the other: a newer block stands for what changed since the older ones were made.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Set

import attrs

from cmemory.domain.model.ids import RecordId
from cmemory.domain.model.message import Quote
from cmemory.domain.model.record import AnyRecord, NoteRecord, is_claim, is_note
from cmemory.domain.pattern import lazy_pattern
from cmemory.domain.plan.entry import Entry
from cmemory.domain.plan.place import Placed, Rank, rank
from cmemory.domain.plan.plan import Channel, Item
from cmemory.domain.recall.query import Query
from cmemory.domain.text.tokens import cjk_characters, topic_words

_NUMBER = lazy_pattern(r"[0-9]+")

#: Lengths of the beginnings by which names are looked up, each name by the longest it has. Every name has the shortest;
#: the longer ones keep a message from being compared with every name that begins with the same two letters.
_BEGINNINGS = (2, 4, 8, 16)


@attrs.frozen(kw_only=True)
class Pointers:
    """What of a message may point at a record."""

    pairs: frozenset[str]
    words: frozenset[str]
    #: Every piece of it that is as long as a beginning of a name.
    pieces: frozenset[str]

    @classmethod
    def of(cls, query: Query) -> Pointers:
        """Return the pointers of a message."""
        text = query.lowered
        pieces = frozenset(text[at : at + size] for size in _BEGINNINGS for at in range(len(text) - size + 1))
        return cls(pairs=query.pairs, words=query.words, pieces=pieces)


@attrs.frozen(kw_only=True, eq=False)
class Block:
    """Entries, where each of them stands at rest, and what leads to them."""

    entries: Mapping[RecordId, Entry]
    #: Records of older blocks that are no longer live.
    gone: frozenset[RecordId]
    #: Where each entry stands while nothing points at it.
    rest: Mapping[RecordId, Placed]
    #: The deep-recall pool, best first.
    pool: tuple[tuple[Rank, Item], ...] = attrs.field(repr=False)
    by_pair: Mapping[str, list[RecordId]] = attrs.field(repr=False)
    by_word: Mapping[str, list[RecordId]] = attrs.field(repr=False)
    by_name: Mapping[str, list[RecordId]] = attrs.field(repr=False)
    #: Civil days to the notes that come up on them and were not used on them yet.
    due: Mapping[str, list[RecordId]] = attrs.field(repr=False)
    #: Messages to the claims they prove, with the words that do.
    proven: Mapping[str, list[tuple[Quote, RecordId]]] = attrs.field(repr=False)
    #: Where entries stand once the topic is theirs, and what they are about, as far as it was asked for.
    implied: dict[RecordId, Placed] = attrs.field(factory=dict, repr=False)
    matters: dict[RecordId, frozenset[str]] = attrs.field(factory=dict, repr=False)
    #: What may be a limit of the person, once that was asked for.
    _limits: list[tuple[RecordId, ...]] = attrs.field(factory=list, init=False, repr=False)

    @classmethod
    def of(
        cls,
        entries: Mapping[RecordId, Entry],
        rest: Mapping[RecordId, Placed],
        gone: Set[RecordId],
    ) -> Block:
        """Index entries; the arguments are the fields of the same names."""
        by_pair: defaultdict[str, list[RecordId]] = defaultdict(list)
        by_word: defaultdict[str, list[RecordId]] = defaultdict(list)
        by_name: defaultdict[str, list[RecordId]] = defaultdict(list)
        due: defaultdict[str, list[RecordId]] = defaultdict(list)
        proven: defaultdict[str, list[tuple[Quote, RecordId]]] = defaultdict(list)
        for record_id, entry in entries.items():
            profile, record = entry.profile, entry.record
            for pair in profile.pairs:
                by_pair[pair].append(record_id)
            for word in profile.words:
                by_word[word].append(record_id)
            for beginning in set(map(_beginning, profile.names)):
                by_name[beginning].append(record_id)
            if is_claim(record):
                for source, quote in quotes(record):
                    proven[source].append((quote, record_id))
            elif is_note(record) and _comes_up(record):
                due[str(record.body.due_on)].append(record_id)
        pool = [(rank(one.item), one.item) for one in rest.values() if one.channel is Channel.DEEP_RECALL]
        return cls(
            entries=entries,
            gone=frozenset(gone),
            rest=rest,
            pool=tuple(sorted(pool, key=lambda ranked: ranked[0])),
            # Plain dictionaries, since to look into a defaultdict would change it.
            by_pair=dict(by_pair),
            by_word=dict(by_word),
            by_name=dict(by_name),
            due=dict(due),
            proven=dict(proven),
        )

    @property
    def size(self) -> int:
        """How many records it speaks for."""
        return len(self.entries) + len(self.gone)

    def speaks_for(self, record_id: RecordId) -> bool:
        """Tell whether older blocks have nothing to say about a record."""
        return record_id in self.entries or record_id in self.gone

    def over(self, older: Block, *, last: bool) -> Block:
        """Return this block and the one below it as one.

        Args:
            older: the block below.
            last: whether there is none below that, so that nothing is left of what is gone.
        """
        kept = [one for one in older.entries if not self.speaks_for(one)]
        entries = {one: older.entries[one] for one in kept} | dict(self.entries)
        rest = {one: older.rest[one] for one in kept} | dict(self.rest)
        gone = frozenset() if last else (older.gone | self.gone) - entries.keys()
        return Block.of(entries, rest, gone)

    def topical(self, pointers: Pointers) -> dict[str, list[RecordId]]:
        """Return the pairs and words of a message that stand in entries, with those entries; no word is a pair."""
        found = {pair: self.by_pair[pair] for pair in pointers.pairs & self.by_pair.keys()}
        found.update((word, self.by_word[word]) for word in pointers.words & self.by_word.keys())
        return found

    def perhaps_named(self, pointers: Pointers) -> set[RecordId]:
        """Return the entries with a name whose beginning stands in a message."""
        found: set[RecordId] = set()
        for piece in pointers.pieces & self.by_name.keys():
            found.update(self.by_name[piece])
        return found

    def perhaps_limits(self) -> tuple[RecordId, ...]:
        """Return the entries whose words may tell what the person must not, cannot or will not."""
        if not self._limits:
            self._limits.append(tuple(name for name, entry in self.entries.items() if entry.perhaps_limit()))
        return self._limits[0]

    def matter(self, record_id: RecordId) -> frozenset[str]:
        """Return what of an entry's words says anything: words, characters that are not mere grammar, and numbers."""
        known = self.matters.get(record_id)
        if known is None:
            text = self.entries[record_id].record.body.shown.lower()
            known = topic_words(text) | cjk_characters(text) | frozenset(_NUMBER.findall(text))
            self.matters[record_id] = known
        return known


def quotes(record: AnyRecord) -> list[tuple[str, Quote]]:
    """Return the words that prove a record, each with the message they stand in."""
    return [(one.source_id, one.quote) for one in record.evidence if one.quote is not None]


def _beginning(name: str) -> str:
    return name[: max(size for size in _BEGINNINGS if size <= len(name))]


def _comes_up(note: NoteRecord) -> bool:
    """Tell whether a note has a day on which it was not used yet; the day of its use is told in UTC."""
    day, recalled = note.body.due_on, note.salience.last_recalled_at
    return day is not None and (recalled is None or str(recalled)[:10] < day)
