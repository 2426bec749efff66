"""Cuts a text into sentences and clauses that rejoin to the original, character for character."""

from __future__ import annotations

import re
from collections.abc import Iterator

import attrs

# A full stop ends a sentence only before white space or the end, so that 3.5 and a.b stay whole.
_SENTENCE_END = re.compile(r"(?:[。！？!?；;…\n]+|\.(?=\s|$))[”’\"'」』)）\]】\s]*")
_CLAUSE_END = re.compile(r"[，,：:、—]+\s*|\s+(?=(?:but|and|because|so|though|although)\s)", re.IGNORECASE)
# Titles and the like whose full stop ends nothing.
_ABBREVIATION = re.compile(r"\b(?:mr|mrs|ms|dr|st|prof|jr|sr|vs|etc|e\.g|i\.e|a\.m|p\.m)\.$", re.IGNORECASE)


@attrs.frozen
class Piece:
    """A stretch of a text in code points; ``text`` includes its closing marks."""

    start: int
    end: int
    text: str


def sentences(text: str) -> tuple[Piece, ...]:
    """Return the sentences in order; together they are the whole text.

    >>> [piece.text for piece in sentences("我叫周眠。You? 3.5 km.")]
    ['我叫周眠。', 'You? ', '3.5 km.']
    """
    ends = (
        found.end()
        for found in _SENTENCE_END.finditer(text)
        if not _ABBREVIATION.search(text, max(0, found.start() - 8), found.start() + 1)
    )
    return tuple(_pieces(text, ends))


def clauses(sentence: Piece) -> tuple[Piece, ...]:
    """Return the clauses of a sentence, offsets counted in the text the sentence came from."""
    ends = (found.end() for found in _CLAUSE_END.finditer(sentence.text))
    return tuple(
        Piece(sentence.start + piece.start, sentence.start + piece.end, piece.text)
        for piece in _pieces(sentence.text, ends)
    )


def _pieces(text: str, ends: Iterator[int]) -> Iterator[Piece]:
    start = 0
    for end in (*ends, len(text)):
        if end > start:
            yield Piece(start, end, text[start:end])
            start = end
