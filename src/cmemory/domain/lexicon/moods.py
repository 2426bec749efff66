"""Words for the companion's mood and for the part of the day, in English and in Chinese."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import attrs


@attrs.frozen(kw_only=True)
class MoodWords:
    """How one language tells a mood."""

    #: The whole line around ``{hints}``.
    frame: str
    #: The parts of the day by their tokens.
    parts: Mapping[str, str]
    #: Energy below and above the usual.
    energy: tuple[str, str]
    #: What stands before the mood, around ``{words}``.
    mood: str
    #: The poles of pleasure, arousal and dominance, the negative one first.
    poles: tuple[tuple[str, str], ...]
    #: A pole that is only just reached, around ``{word}``.
    slightly: str
    #: Between hints about the day and between words of a mood; between the two.
    comma: str
    semicolon: str


#: By the token of the language.
MOOD_WORDS: Mapping[str, MoodWords] = MappingProxyType(
    {
        "en": MoodWords(
            frame="background, never mention: {hints}",
            parts=MappingProxyType(
                {
                    "early_morning": "early morning",
                    "morning": "morning",
                    "noon": "noon",
                    "afternoon": "afternoon",
                    "evening": "evening",
                    "late_night": "late night",
                }
            ),
            energy=("low energy", "high energy"),
            mood="mood {words}",
            poles=(("displeased", "pleased"), ("calm", "stirred"), ("yielding", "assertive")),
            slightly="slightly {word}",
            comma=", ",
            semicolon="; ",
        ),
        "zh": MoodWords(
            frame="仅作语气背景，切勿提起：{hints}",
            parts=MappingProxyType(
                {
                    "early_morning": "清晨",
                    "morning": "上午",
                    "noon": "中午",
                    "afternoon": "下午",
                    "evening": "晚上",
                    "late_night": "深夜",
                }
            ),
            energy=("精力偏低", "精力充沛"),
            mood="心情{words}",
            poles=(("不快", "愉快"), ("平静", "激动"), ("顺从", "主动")),
            slightly="略{word}",
            comma="，",
            semicolon="；",
        ),
    }
)
