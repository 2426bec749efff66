"""The records of a scope, prepared for planning: built once for a revision, used for every turn until it moves."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping

import attrs

from cmemory.domain.evidence.graph import Holding, Sources, holding
from cmemory.domain.gates.boundary import Shield
from cmemory.domain.gates.mention import Cues
from cmemory.domain.gates.reading import Statement
from cmemory.domain.model.bodies import Claim, InferenceState, Note, NoteKind
from cmemory.domain.model.changes import OpenThread
from cmemory.domain.model.ids import Revision
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.message import Quote
from cmemory.domain.model.record import (
    AnyRecord,
    InferenceRecord,
    NoteRecord,
    is_claim,
    is_inference,
    is_note,
)
from cmemory.domain.recall.query import Profile, Query, cue
from cmemory.domain.reflect.quality import CLOSED, Gate
from cmemory.domain.text.tokens import cjk_characters, topic_words

_NUMBER = re.compile(r"[0-9]+")

#: The key under which a person's own name stands.
_OWN_NAME = "identity.name"

#: The one goal that is a limit.
_CONSTRAINT = "goal.constraint"

#: Domains and kinds whose records tell what is so or is to be done; what the others hold their words must tell.
_FACTUAL = frozenset({"goal", "open_loop", "person", "relationship", "identity"})
_FACTUAL_NOTES = frozenset({NoteKind.EVENT, NoteKind.PROMISE})
#: Domains whose records tie people to the person.
_TIES = frozenset({"person", "relationship"})

#: Length of the piece by which names are looked up; every name is at least this long.
_NAME_PIECE = 2


@attrs.frozen(kw_only=True)
class Entry:
    """One record with what planning needs to know of it."""

    record: AnyRecord
    #: The line shown to a model.
    text: str
    profile: Profile
    #: Whether a boundary of the person covers it.
    shaded: bool
    #: Of a note: for each of its proofs, the positions of the claims whose proving words hold it and whose own words say
    #: all of it. Where one of them is shown for every proof, the note says nothing more.
    said_by: tuple[frozenset[int], ...] = ()


@attrs.frozen(kw_only=True)
class Roster:
    """All live records of a scope, in store order, with an index from what a message may say to whom it means."""

    revision: Revision
    entries: tuple[Entry, ...]
    threads: tuple[OpenThread, ...]
    shield: Shield
    #: Topic pairs and words to positions in ``entries``.
    by_topic: Mapping[str, tuple[int, ...]] = attrs.field(repr=False)
    #: The first two characters of a name to positions.
    by_name: Mapping[str, tuple[int, ...]] = attrs.field(repr=False)
    #: How the person is called.
    own_names: frozenset[str]
    #: Civil days to the positions of the notes that come up on them and were not used on them yet.
    due: Mapping[str, tuple[int, ...]] = attrs.field(repr=False)
    #: Reading a statement is dear and gives the same every time, so what was read is kept.
    _statements: dict[int, Statement | None] = attrs.field(factory=dict, init=False, eq=False, repr=False)

    @classmethod
    def of(
        cls,
        records: Iterable[AnyRecord],
        threads: Iterable[OpenThread],
        *,
        revision: Revision,
        now: Instant,
        promotion: Gate = CLOSED,
    ) -> Roster:
        """Prepare the records that are live at that moment. Claims come before the others, each in the order given.

        A conclusion takes part while promotion is open, once it was promoted, until it is overdue, and as long as it still
        has support that may carry it and was read by whom the measurement speaks for.

        Args:
            records: of the scope.
            threads: its open follow-ups.
            revision: of the scope.
            now: what is live at this moment.
            promotion: whether conclusions may be used.
        """
        live = [record for record in records if record.live(now)]
        if promotion.open:
            sources = Sources.of(live)
            live = [one for one in live if not is_inference(one) or _useful(one, sources, promotion, now)]
        else:
            live = [record for record in live if not is_inference(record)]
        live.sort(key=lambda record: not is_claim(record))
        shield = Shield.of(record for record in live if is_claim(record))
        entries = _with_repeats([_entry(record, shield) for record in live])
        by_topic: dict[str, list[int]] = defaultdict(list)
        by_name: dict[str, list[int]] = defaultdict(list)
        due: dict[str, list[int]] = defaultdict(list)
        for at, entry in enumerate(entries):
            for topic in entry.profile.pairs | entry.profile.words:
                by_topic[topic].append(at)
            for piece in {name[:_NAME_PIECE] for name in entry.profile.names}:
                by_name[piece].append(at)
            if is_note(entry.record) and _comes_up(entry.record):
                due[str(entry.record.body.due_on)].append(at)
        return cls(
            revision=revision,
            entries=entries,
            threads=tuple(threads),
            shield=shield,
            by_topic={topic: tuple(found) for topic, found in by_topic.items()},
            by_name={piece: tuple(found) for piece, found in by_name.items()},
            due={day: tuple(found) for day, found in due.items()},
            own_names=frozenset(
                one.body.shown for one in live if is_claim(one) and one.body.predicate == _OWN_NAME
            ),
        )

    def statement(self, at: int) -> Statement | None:
        """Return the record at a position as the release gate reads it, None where it holds no distilled statement."""
        if at not in self._statements:
            entry = self.entries[at]
            self._statements[at] = _statement(entry.record, entry.profile, self.own_names)
        return self._statements[at]

    def cued(self, query: Query) -> dict[int, Cues]:
        """Return the positions a message points at, and how."""
        found: set[int] = set()
        for topic in query.pairs | query.words:
            found.update(self.by_topic.get(topic, ()))
        pieces = {query.lowered[at : at + _NAME_PIECE] for at in range(len(query.lowered) - 1)}
        for piece in pieces:
            found.update(self.by_name.get(piece, ()))
        cues = ((at, cue(query, self.entries[at].profile)) for at in sorted(found))
        return {at: one for at, one in cues if one.any}


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


def line_of(record: AnyRecord) -> str:
    """Return the line by which a record is shown: a claim under its predicate, anything else in its own words."""
    body = record.body
    return f"{body.predicate}: {body.shown}" if isinstance(body, Claim) else body.shown


def _statement(record: AnyRecord, profile: Profile, own_names: frozenset[str]) -> Statement | None:
    body = record.body
    if isinstance(body, Note):
        fact = body.note_kind in _FACTUAL_NOTES
        return Statement.of(body.shown, fact=fact, aliases=body.tags, own_names=own_names)
    if not isinstance(body, Claim):
        return None
    domain = body.predicate.partition(".")[0]
    fact = domain in _FACTUAL and body.predicate != _CONSTRAINT
    aliases = profile.names if fact else (body.entity_ref or "",)
    return Statement.of(body.shown, fact=fact, aliases=aliases, own_names=own_names, tie=domain in _TIES)


def _entry(record: AnyRecord, shield: Shield) -> Entry:
    return Entry(
        record=record,
        text=line_of(record),
        profile=Profile.of(record),
        shaded=shield.covers(*spoken_texts(record)),
    )


def _comes_up(note: NoteRecord) -> bool:
    """Tell whether a note has a day on which it was not used yet; the day of its use is told in UTC."""
    day, recalled = note.body.due_on, note.salience.last_recalled_at
    return day is not None and (recalled is None or str(recalled)[:10] < day)


def _with_repeats(entries: list[Entry]) -> tuple[Entry, ...]:
    proven: dict[str, list[tuple[Quote, int]]] = defaultdict(list)
    for at, entry in enumerate(entries):
        if is_claim(entry.record):
            for source, quote in _quotes(entry.record):
                proven[source].append((quote, at))

    def said_by(entry: Entry) -> tuple[frozenset[int], ...]:
        matter = _matter(entry.record)
        return tuple(
            frozenset(
                at
                for wider, at in proven[source]
                if _holds(wider, quote) and matter <= _matter(entries[at].record)
            )
            for source, quote in _quotes(entry.record)
        )

    return tuple(
        attrs.evolve(entry, said_by=said_by(entry)) if is_note(entry.record) else entry for entry in entries
    )


def _matter(record: AnyRecord) -> frozenset[str]:
    """Return what of a record's words says anything: words, characters that are not mere grammar, and numbers."""
    text = record.body.shown.lower()
    return topic_words(text) | cjk_characters(text) | frozenset(_NUMBER.findall(text))


def _quotes(record: AnyRecord) -> list[tuple[str, Quote]]:
    return [(one.source_id, one.quote) for one in record.evidence if one.quote is not None]


def _holds(wider: Quote, quote: Quote) -> bool:
    return wider.start <= quote.start and quote.end <= wider.end


def spoken_texts(record: AnyRecord) -> tuple[str, ...]:
    """Return the texts in which a fenced topic would be betrayed."""
    body = record.body
    if isinstance(body, Claim):
        return tuple(text for text in (body.shown, str(body.value), body.entity_ref) if text)
    return (body.text, *body.tags) if isinstance(body, Note) else (body.shown,)
