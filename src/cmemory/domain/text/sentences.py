"""Cuts a text into sentences and clauses that rejoin to the original, character for character."""

from __future__ import annotations

import re
from collections.abc import Iterator

import attrs

from cmemory.domain.pattern import lazy_pattern

# A full stop ends a sentence only before white space or the end, so that 3.5 and a.b stay whole.
_SENTENCE_END = lazy_pattern(r"(?:[。！？!?；;…\n]+|\.(?=\s|$))[”’\"'」』)）\]】\s]*")
# A mark inside a number (10:30, 1,000, 3~5) ends nothing, nor does 、, which parts the items of one list.
# Chinese writers also part clauses by a bare space.
_CLAUSE_END = lazy_pattern(
    r"(?:[，：—]|(?<![0-9])[,:~～]|[,:~～](?![0-9]))+\s*"
    r"|(?<=[\u4e00-\u9fff])\s+(?=[\u4e00-\u9fff])"
    r"|\s+(?=(?:but|and|because|though|although)\s)"
    # "so" opens a clause only before somebody who acts; "so harsh" is a degree.
    r"|\s+(?=so\s(?:i|we|it|you|he|she|they|that|this|my|please|don['’]?t|can|could|let)\b)",
    re.IGNORECASE,
)
# Titles and the like whose full stop ends nothing.
_ABBREVIATION = lazy_pattern(r"\b(?:mr|mrs|ms|dr|st|prof|jr|sr|vs|etc|e\.g|i\.e|a\.m|p\.m)\.$", re.IGNORECASE)
_CLOSING = {"“": "”", "「": "」", "『": "』", "《": "》", '"': '"'}
_QUOTE_MARK = lazy_pattern("[" + "".join({*_CLOSING, *_CLOSING.values()}) + "]")


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


def quoted(text: str) -> tuple[Piece, ...]:
    """Return the stretches between quotation marks or title brackets, in order; they may span sentences.

    A mark without its partner quotes nothing.

    >>> [piece.text for piece in quoted("他写道：“我叫阿橙。”我喜欢《活着》")]
    ['我叫阿橙。', '活着']
    """
    found: list[Piece] = []
    opened: tuple[str, int] | None = None
    for mark in _QUOTE_MARK.finditer(text):
        if opened is not None and mark[0] == opened[0]:
            found.append(Piece(opened[1], mark.start(), text[opened[1] : mark.start()]))
            opened = None
        elif opened is None and mark[0] in _CLOSING:
            opened = _CLOSING[mark[0]], mark.end()
    return tuple(found)


def _pieces(text: str, ends: Iterator[int]) -> Iterator[Piece]:
    start = 0
    for end in (*ends, len(text)):
        if end > start:
            yield Piece(start, end, text[start:end])
            start = end
