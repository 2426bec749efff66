"""Reads a mood from a few words, in Chinese and English. Negation is not seen: the result is a hint and no more."""

from __future__ import annotations

import re

from cmemory.domain.lexicon import window_en as en
from cmemory.domain.lexicon import window_zh as zh
from cmemory.domain.model.affect import Affect, AffectSource
from cmemory.domain.model.measure import clamp_unit
from cmemory.domain.pattern import lazy_pattern
from cmemory.domain.text.normal import compact
from cmemory.domain.text.view import any_of, whole

_Words = tuple[re.Pattern[str], re.Pattern[str]]

_PLEASED: _Words = (whole(en.POSITIVE), lazy_pattern(any_of(zh.POSITIVE)))
_DISPLEASED: _Words = (whole(en.NEGATIVE), lazy_pattern(any_of(zh.NEGATIVE)))
_URGENT: _Words = (whole(en.URGENT), lazy_pattern(any_of(zh.URGENT)))

#: How sure a count of words can be.
_CONFIDENCE = 0.35
#: Arousal of a text without any of the words.
CALM = 0.15
#: What each urgent and each other word adds to it.
_PER_URGENT, _PER_FEELING = 0.22, 0.10


def mood_of(text: str) -> Affect:
    """Return the mood that the words of a text suggest.

    >>> mood = mood_of("太烦了，马上崩溃")
    >>> mood.valence, round(mood.arousal, 2), mood.labels
    (-1.0, 0.57, ('negative', 'urgent'))
    """
    plain = compact(text)
    pleased, displeased, urgent = (_count(words, plain) for words in (_PLEASED, _DISPLEASED, _URGENT))
    balance = pleased - displeased
    tone = "positive" if balance > 0 else "negative" if balance < 0 else "neutral"
    return Affect(
        valence=2 * clamp_unit((balance + 2) / 4) - 1,
        arousal=clamp_unit(CALM + _PER_URGENT * urgent + _PER_FEELING * (pleased + displeased)),
        labels=(tone, "urgent") if urgent else (tone,),
        confidence=_CONFIDENCE,
        source=AffectSource.HEURISTIC,
    )


def _count(words: _Words, text: str) -> int:
    return sum(len(pattern.findall(text)) for pattern in words)
