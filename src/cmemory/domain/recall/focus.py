"""What is really asked in a longer text. Knows nothing of ranking."""

from __future__ import annotations

import re

import attrs

from cmemory.domain.lexicon.asking import ASKS_ALSO, REALLY_ASKS
from cmemory.domain.pattern import lazy_pattern
from cmemory.domain.policy import RecallPolicy
from cmemory.domain.text.intent import Intent, intent_of
from cmemory.domain.text.sentences import sentences

_REALLY_ASKS = lazy_pattern(REALLY_ASKS, re.IGNORECASE)
_ASKS_ALSO = lazy_pattern(ASKS_ALSO, re.IGNORECASE)


@attrs.frozen(kw_only=True)
class Focus:
    """A text parted into what is asked and what is said beside it."""

    #: What is asked, each question by itself; at least one.
    questions: tuple[str, ...]
    #: Everything else, with what it counts.
    beside: tuple[tuple[float, str], ...] = ()


def focus_of(text: str, policy: RecallPolicy) -> Focus:
    """Return what is asked in a text: what stands behind the last "what I want to ask is", else the last sentence.

    A text that does not end by asking is looked for as it stands, as are the terms of whoever just names things.

    >>> focus = focus_of("今天好累。我想问的是，周眠的猫叫什么？另外，她住在哪？", RecallPolicy())
    >>> focus.questions, [text for _, text in focus.beside]
    (('周眠的猫叫什么？', '她住在哪？'), ['今天好累。'])
    """
    asks = None
    for found in _REALLY_ASKS.finditer(text):
        if text[found.end() :].strip(" 。？?！!，,.：:"):
            asks = found
    if asks is not None:
        before = text[: asks.start()]
        return Focus(
            questions=_each(text[asks.end() :]),
            beside=((policy.beside_statement, before),) if before.strip() else (),
        )
    pieces = [piece.text for piece in sentences(text) if piece.text.strip()]
    last = len(pieces) - 1
    # A further question that begins with "also" belongs to the one before it.
    while last > 0 and _asks(pieces[last - 1]) and _ASKS_ALSO.match(pieces[last].lstrip()):
        last -= 1
    if last <= 0 or not _asks(pieces[-1]):
        return Focus(questions=_each(text))
    shares = (policy.beside_question if _asks(one) else policy.beside_statement for one in pieces[:last])
    return Focus(
        questions=_each("".join(pieces[last:])), beside=tuple(zip(shares, pieces[:last], strict=True))
    )


def _asks(sentence: str) -> bool:
    return sentence.rstrip().endswith(("?", "？")) or intent_of(sentence) is Intent.QUESTION


def _each(text: str) -> tuple[str, ...]:
    parts = [part for part in _ASKS_ALSO.split(text) if part.strip(" 。？?！!，,.;；：:\n")]
    return tuple(parts) or (text,)
