"""Cuts messages into the stretches that are weighed one by one, and says what each of them is."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import attrs

from cmemory.domain.archive.entry import Drop, Entry, Keep
from cmemory.domain.lexicon.continuity import (
    ASKING,
    CORRECTING,
    EVADING,
    FLOOD,
    KEEPING,
    NAMES_EN,
    NAMES_ZH,
    NO_NAMES,
    NOISE,
    VALUES,
)
from cmemory.domain.model.message import Speaker
from cmemory.domain.pattern import lazy_pattern
from cmemory.domain.policy import CompactionPolicy
from cmemory.domain.text.normal import shortened, visible
from cmemory.domain.text.sentences import Piece, clauses, sentences
from cmemory.domain.text.tokens import stem, topic_pairs, words

_FENCE = lazy_pattern(r"```.*?(?:```|\Z)", re.DOTALL)
_LINES = lazy_pattern(r"[^\n]*\n|[^\n]+\Z")


@attrs.frozen(kw_only=True)
class Stretch:
    """A sentence or clause of an entry, with what can be told from its words alone."""

    #: Position of the entry, and of the stretch among all stretches.
    entry: int
    at: int
    start: int
    end: int
    text: str
    speaker: Speaker
    #: Stems, Chinese character pairs and figures that can name something.
    terms: frozenset[str]
    reasons: frozenset[Keep]
    #: Values by their kind, and names.
    values: Mapping[str, frozenset[str]]
    asks: bool
    #: ``strong``, ``weak`` or nothing.
    corrects: str
    carried: bool = False
    drop: Drop | None = None

    @property
    def all_values(self) -> frozenset[str]:
        """All values of all kinds."""
        return frozenset().union(*self.values.values())

    @property
    def topics(self) -> frozenset[str]:
        """What it is about, beside its values."""
        return self.terms - self.all_values


def cut(entries: Sequence[Entry], policy: CompactionPolicy) -> tuple[Stretch, ...]:
    """Return the stretches of all entries in order, those included that must not be carried."""
    known = _names(entries)
    found: list[Stretch] = []
    for number, entry in enumerate(entries):
        for piece in pieces(entry, policy):
            found.append(_described(piece, entry, number, len(found), known, policy))
    return tuple(found)


def pieces(entry: Entry, policy: CompactionPolicy) -> tuple[Piece, ...]:
    """Return the places at which an entry is cut; a line of an earlier checkpoint stays whole."""
    if entry.carried:
        return (Piece(0, len(entry.text), entry.text),) if entry.text.strip() else ()
    found = (
        one for sentence in sentences(entry.text) for one in _cut_long(sentence, policy.max_stretch_chars)
    )
    return tuple(one for one in found if any(ch.isalnum() for ch in one.text))


def terms_of(text: str) -> frozenset[str]:
    """Return what in a text can name something.

    >>> sorted(terms_of("We moved 3 boxes to 南京"))
    ['3', 'box', 'move', '南京']
    """
    latin = (
        word if word[0].isdigit() else stem(word) for word in words(text) if len(word) > 1 or word.isdigit()
    )
    return frozenset(latin) | topic_pairs(text)


def shown(text: str) -> str:
    """Return a text as a line may show it; showing it again changes nothing."""
    # What cannot be seen may have stood between two spaces.
    return visible(visible(text))


def asks(text: str) -> bool:
    """Tell whether a stretch is a question."""
    return any(pattern.search(text) for pattern in ASKING)


def evades(text: str) -> bool:
    """Tell whether an answer leaves the question open."""
    return any(pattern.search(text) for pattern in EVADING)


def _cut_long(sentence: Piece, limit: int) -> Iterator[Piece]:
    """Yield a sentence, or as many clauses at a time as stay within the limit."""
    if len(sentence.text) <= limit:
        yield sentence
        return
    start, text = sentence.start, ""
    for clause in clauses(sentence):
        if text and len(text) + len(clause.text) > limit:
            yield Piece(start, start + len(text), text)
            start, text = clause.start, ""
        text += clause.text
    if text:
        yield Piece(start, start + len(text), text)


def _described(
    piece: Piece, entry: Entry, number: int, at: int, known: frozenset[str], policy: CompactionPolicy
) -> Stretch:
    text = shown(piece.text)
    if not entry.carried:
        text = shortened(text, policy.max_stretch_chars, head=policy.head_share)
    names = _named(text, known)
    values = {kind: _found(patterns, text) for kind, patterns in VALUES.items()}
    reasons = {Keep(name) for name, patterns in KEEPING.items() if any(one.search(text) for one in patterns)}
    if names:
        reasons.add(Keep.NAME)
    if entry.carried:
        reasons.add(Keep.CARRIED)
    return Stretch(
        entry=number,
        at=at,
        start=piece.start,
        end=piece.end,
        text=text,
        speaker=entry.speaker,
        terms=terms_of(text),
        reasons=frozenset(reasons),
        values={**values, "name": names},
        asks=asks(text),
        corrects=_corrects(text),
        carried=entry.carried,
        drop=_barred(piece, entry, policy),
    )


def _barred(piece: Piece, entry: Entry, policy: CompactionPolicy) -> Drop | None:
    for bar in entry.bars:
        if bar.start < piece.end and piece.start < bar.end:
            return bar.reason
    if entry.carried:
        return None
    if _flooded(piece, entry, policy):
        return Drop.FLOOD
    return Drop.NOISE if NOISE.fullmatch(piece.text) else None


def _flooded(piece: Piece, entry: Entry, policy: CompactionPolicy) -> bool:
    if entry.speaker is Speaker.TOOL and piece.start >= policy.max_tool_chars:
        return True
    if any(found.start() < piece.end and piece.start < found.end() for found in _FENCE.finditer(entry.text)):
        return True
    return any(FLOOD.match(line) for line in _LINES.findall(piece.text))


def _corrects(text: str) -> str:
    for strength, patterns in CORRECTING.items():
        if any(pattern.search(text) for pattern in patterns):
            return strength
    return ""


def _found(patterns: Sequence[re.Pattern[str]], text: str) -> frozenset[str]:
    return frozenset(found.group().lower() for pattern in patterns for found in pattern.finditer(text))


def _names(entries: Sequence[Entry]) -> frozenset[str]:
    """Return the stems of words that stand with a capital inside sentences at least as often as without."""
    capital: Counter[str] = Counter()
    small: Counter[str] = Counter()
    for entry in entries:
        capital.update(found.group().lower() for found in NAMES_EN.finditer(entry.text))
        small.update(word for word in re.findall(r"(?<![\w'’])[a-z][\w'’-]*", entry.text))
    return frozenset(word for word, count in capital.items() if word not in NO_NAMES and count >= small[word])


def _named(text: str, known: frozenset[str]) -> frozenset[str]:
    latin = (found.lower() for found in re.findall(r"(?<![\w'’])[A-Z][\w&'’-]*\w", text))
    stems = {stem(part) for word in latin if word in known for part in words(word)}
    return frozenset(stems | {found.group().strip().lower() for found in NAMES_ZH.finditer(text)})
