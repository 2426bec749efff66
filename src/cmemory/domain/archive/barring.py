"""What of a conversation may not be carried on: what was forgotten, silenced, fenced off, replaced, or is known anyway.

A message is barred as a whole where the person asked for silence about it, else in the stretches that say so. It sees
records and words, never a weight.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

import attrs

from cmemory.domain.archive.entry import Bar, Drop, Entry
from cmemory.domain.archive.stretches import pieces
from cmemory.domain.evidence.echo import Echoes
from cmemory.domain.evidence.redaction import BLOT
from cmemory.domain.evidence.suppression import Guard
from cmemory.domain.gates.boundary import Shield
from cmemory.domain.model.candidate import Reason
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.life import Status
from cmemory.domain.model.message import Evidence, Message, SourceKind
from cmemory.domain.model.record import AnyRecord, is_claim
from cmemory.domain.pattern import lazy_pattern
from cmemory.domain.policy import CompactionPolicy
from cmemory.domain.predicates.wording import own_words
from cmemory.domain.text.normal import fold
from cmemory.domain.text.screening import screen
from cmemory.domain.text.tokens import contains_word

#: A masked word: blots that are no Markdown emphasis, whose marks touch what they embrace.
_MASK = lazy_pattern(rf"{re.escape(BLOT)}{{3,}}|(?<![*\w]){re.escape(BLOT)}{{2}}(?![*\w])")
#: Share of a stretch that must be the proof of a claim for the claim to say it all.
_MOSTLY = 0.6
_GONE = frozenset({Status.SUPERSEDED, Status.RETRACTED})
_SCREENED = {Reason.INSTRUCTION: Drop.INSTRUCTION, Reason.SECRET: Drop.SECRET}
#: Opens a block that a plan rendered; what was recalled is no news.
_PLAN_BLOCK = lazy_pattern(r"<\s*companion_memory\b", re.IGNORECASE)


@attrs.frozen(kw_only=True)
class Barring:
    """What of any message must stay out, as the records of the scope have it."""

    guard: Guard
    echoes: Echoes
    shield: Shield
    policy: CompactionPolicy
    #: Messages that prove a silenced record, and the wordings of such records, folded.
    silent: frozenset[str]
    wordings: tuple[str, ...]
    #: Quoted byte ranges by message, with why they stay out.
    quoted: Mapping[str, tuple[tuple[int, int, Drop], ...]]

    @classmethod
    def of(
        cls,
        records: Sequence[AnyRecord],
        *,
        guard: Guard,
        now: Instant,
        carry_known: bool,
        policy: CompactionPolicy,
    ) -> Barring:
        """Return what the records of a scope keep out.

        Args:
            records: those of every status.
            guard: what must not be seen again.
            now: records stand, or are over, at this moment.
            carry_known: whether what a believed claim says already may be carried too.
            policy: how an entry is cut.
        """
        silenced = [one for one in records if _silenced(one, guard)]
        live = [one for one in records if one.live(now) and not guard.hides(one)]
        quoted: dict[str, list[tuple[int, int, Drop]]] = {}
        held = {_place(one) for record in live for one in _quotes(record)}
        for record in records:
            why = _why_quoted(record, now, carry_known)
            if why is None:
                continue
            for one in _quotes(record):
                if why is Drop.KNOWN or _place(one) not in held:
                    quoted.setdefault(one.source_id, []).append((*_place(one)[1:], why))
        least = guard.policy.mask_min_chars
        return cls(
            guard=guard,
            echoes=Echoes(guard),
            shield=Shield.of(one for one in live if is_claim(one)),
            policy=policy,
            silent=frozenset(one.source_id for record in silenced for one in record.evidence),
            wordings=tuple(sorted({text for record in silenced for text in _wordings(record, least)})),
            quoted={message: tuple(found) for message, found in quoted.items()},
        )

    def bars(self, message: Message, entry: Entry) -> tuple[Bar, ...]:
        """Return what of an entry stays out."""
        whole = self._whole(message.id, entry.text)
        if whole is not None:
            return (Bar(start=0, end=len(entry.text), reason=whole),)
        return tuple(self._partial(message, entry))

    def _whole(self, message_id: str, text: str) -> Drop | None:
        if self.guard.everything or message_id in self.guard.records:
            return Drop.FORGOTTEN
        if self.shield.covers(text):
            return Drop.BOUNDARY
        folded = fold(text)
        if message_id in self.silent or any(contains_word(folded, words) for words in self.wordings):
            return Drop.MUTED
        return Drop.RECALLED if _PLAN_BLOCK.search(text) else None

    def _partial(self, message: Message, entry: Entry) -> Iterator[Bar]:
        for piece in pieces(entry, self.policy):
            refused = screen((piece.text,))
            if _MASK.search(piece.text) or self.echoes.found_in(piece.text):
                yield Bar(start=piece.start, end=piece.end, reason=Drop.FORGOTTEN)
            elif refused is not None:
                yield Bar(start=piece.start, end=piece.end, reason=_SCREENED[refused])
        if not entry.carried:
            yield from self._proven(message, entry)

    def _proven(self, message: Message, entry: Entry) -> Iterator[Bar]:
        """Yield what proved a record; what is known only where next to nothing else is said."""
        encoded = message.text.encode("utf-8")
        for first, last, why in self.quoted.get(message.id, ()):
            start, end = _chars(encoded[:first]), _chars(encoded[:last])
            for piece in pieces(entry, self.policy):
                shared = min(end, piece.end) - max(start, piece.start)
                if shared > 0 and (why is Drop.OUTDATED or shared >= _MOSTLY * len(piece.text.strip())):
                    yield Bar(start=piece.start, end=piece.end, reason=why)


def _silenced(record: AnyRecord, guard: Guard) -> bool:
    """Tell whether nothing of a record may be heard: it is muted, put away, or suppressed."""
    return record.salience.muted or record.status is Status.DELETED or guard.hides(record)


def _why_quoted(record: AnyRecord, now: Instant, carry_known: bool) -> Drop | None:
    """Return why the words that proved a record stay out, or None where they may be carried."""
    if record.status in _GONE:
        return Drop.OUTDATED
    known = not carry_known and is_claim(record) and record.live(now)
    return Drop.KNOWN if known else None


def _quotes(record: AnyRecord) -> tuple[Evidence, ...]:
    return tuple(one for one in record.evidence if one.source is SourceKind.MESSAGE and one.quote is not None)


def _place(evidence: Evidence) -> tuple[str, int, int]:
    quote = evidence.quote
    return (evidence.source_id, quote.start, quote.end) if quote is not None else (evidence.source_id, 0, 0)


def _wordings(record: AnyRecord, least: int) -> Iterator[str]:
    if is_claim(record):
        yield from (folded for text in own_words(record.body) if len(folded := fold(text)) >= least)


def _chars(encoded: bytes) -> int:
    return len(encoded.decode("utf-8", "ignore"))
