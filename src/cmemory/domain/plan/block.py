"""Some records of a scope with their indexes, prepared once and never changed.

A roster is a few of these, one over the other: a newer block stands for what changed since the older ones were made.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Set
from itertools import chain
from typing import TypeVar

import attrs

from cmemory.domain.gates.reading import Statement
from cmemory.domain.model.ids import RecordId
from cmemory.domain.model.message import Quote
from cmemory.domain.model.record import AnyRecord, NoteRecord, is_claim, is_note
from cmemory.domain.pattern import lazy_pattern
from cmemory.domain.plan.entry import Entry
from cmemory.domain.plan.place import Stand
from cmemory.domain.plan.plan import Channel
from cmemory.domain.recall.query import Query
from cmemory.domain.text.tokens import cjk_characters, topic_words

_NUMBER = lazy_pattern(r"[0-9]+")

#: Lengths of the beginnings by which names are looked up, each name by the longest it has. Every name has the shortest;
#: the longer ones keep a message from being compared with every name that begins with the same two letters.
_BEGINNINGS = (2, 4, 8, 16)

#: Keys to the records that stand under them.
Index = Mapping[str, tuple[RecordId, ...]]

T = TypeVar("T")


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
    """Entries, and what leads to them."""

    entries: Mapping[RecordId, Entry]
    #: Records of older blocks that are no longer live.
    gone: frozenset[RecordId]
    #: The deep-recall pool, best first.
    pool: tuple[RecordId, ...] = attrs.field(repr=False)
    by_pair: Index = attrs.field(repr=False)
    by_word: Index = attrs.field(repr=False)
    by_name: Index = attrs.field(repr=False)
    #: Civil days to the notes that come up on them and were not used on them yet.
    due: Index = attrs.field(repr=False)
    notes: frozenset[RecordId] = attrs.field(repr=False)
    #: Messages to the claims they prove.
    proven: Index = attrs.field(repr=False)
    #: Where entries stand once the topic is theirs, what they are about, and how the release gate reads them for the
    #: latest own names, as far as it was asked for: all dear, and the same every time.
    implied: dict[RecordId, Stand] = attrs.field(factory=dict, repr=False)
    matters: dict[RecordId, frozenset[str]] = attrs.field(factory=dict, repr=False)
    statements: dict[RecordId, tuple[frozenset[str], Statement | None]] = attrs.field(
        factory=dict, repr=False
    )
    #: What may be a limit of the person, once that was asked for.
    _limits: list[tuple[RecordId, ...]] = attrs.field(factory=list, init=False, repr=False)

    @classmethod
    def of(cls, entries: Mapping[RecordId, Entry], gone: Set[RecordId]) -> Block:
        """Index entries; the arguments are the fields of the same names."""
        indexes: tuple[dict[str, list[RecordId]], ...] = ({}, {}, {}, {}, {})
        for record_id, entry in entries.items():
            for index, keys in zip(indexes, _keys(entry), strict=True):
                for key in keys:
                    if key in index:
                        index[key].append(record_id)
                    else:
                        index[key] = [record_id]
        by_pair, by_word, by_name, due, proven = (
            # As tuples they take half the room.
            {key: tuple(found) for key, found in index.items()}
            for index in indexes
        )
        return cls(
            entries=entries,
            gone=frozenset(gone),
            pool=_pooled(entries),
            notes=frozenset(name for name, one in entries.items() if is_note(one.record)),
            by_pair=by_pair,
            by_word=by_word,
            by_name=by_name,
            due=due,
            proven=proven,
        )

    def anew(self, prepare: Callable[[AnyRecord], Entry]) -> Block:
        """Return the block with every entry prepared again; what leads to them stays as it is."""
        entries = {record_id: prepare(entry.record) for record_id, entry in self.entries.items()}
        return attrs.evolve(self, entries=entries, pool=_pooled(entries), implied={})

    def without(self, names: Set[RecordId]) -> Block:
        """Return the block as if it had never held these records: no word of theirs is left in it."""
        names = names & self.entries.keys()
        if not names:
            return self
        indexes = [dict(one) for one in (self.by_pair, self.by_word, self.by_name, self.due, self.proven)]
        for touched, index in zip(
            zip(*(_keys(self.entries[name]) for name in names), strict=True), indexes, strict=True
        ):
            for key in set(chain.from_iterable(touched)):
                left = tuple(one for one in index.pop(key) if one not in names)
                if left:
                    index[key] = left
        by_pair, by_word, by_name, due, proven = indexes
        return Block(
            entries=_lacking(self.entries, names),
            gone=self.gone,
            pool=tuple(one for one in self.pool if one not in names),
            notes=self.notes - names,
            by_pair=by_pair,
            by_word=by_word,
            by_name=by_name,
            due=due,
            proven=proven,
            implied=_lacking(self.implied, names),
            matters=_lacking(self.matters, names),
            statements=_lacking(self.statements, names),
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
        entries = {name: one for name, one in older.entries.items() if not self.speaks_for(name)}
        entries.update(self.entries)
        gone = frozenset() if last else (older.gone | self.gone) - entries.keys()
        return Block.of(entries, gone)

    def topical(self, pointers: Pointers) -> Index:
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

    def statement(self, record_id: RecordId, own_names: frozenset[str]) -> Statement | None:
        """Return an entry as the release gate reads it, None where it holds no distilled statement."""
        known = self.statements.get(record_id)
        if known is None or known[0] != own_names:
            known = own_names, self.entries[record_id].statement(own_names)
            self.statements[record_id] = known
        return known[1]


def quotes(record: AnyRecord) -> list[tuple[str, Quote]]:
    """Return the words that prove a record, each with the message they stand in."""
    return [(one.source_id, one.quote) for one in record.evidence if one.quote is not None]


def _keys(entry: Entry) -> tuple[Collection[str], ...]:
    """Return under what an entry stands in each index of a block, each key once."""
    profile, record = entry.profile, entry.record
    beginnings = frozenset(map(_beginning, profile.names))
    due = (str(record.body.due_on),) if is_note(record) and _comes_up(record) else ()
    proven = frozenset(source for source, _ in quotes(record)) if is_claim(record) else ()
    return profile.pairs, profile.words, beginnings, due, proven


def _pooled(entries: Mapping[RecordId, Entry]) -> tuple[RecordId, ...]:
    pool = [name for name, one in entries.items() if one.rest.channel is Channel.DEEP_RECALL]
    return tuple(sorted(pool, key=lambda name: entries[name].rank))


def _lacking(held: Mapping[RecordId, T], names: Set[RecordId]) -> dict[RecordId, T]:
    return {name: one for name, one in held.items() if name not in names}


def _beginning(name: str) -> str:
    return next(name[:size] for size in reversed(_BEGINNINGS) if size <= len(name))


def _comes_up(note: NoteRecord) -> bool:
    """Tell whether a note has a day on which it was not used yet; the day of its use is told in UTC."""
    day, recalled = note.body.due_on, note.salience.last_recalled_at
    return day is not None and (recalled is None or str(recalled)[:10] < day)
