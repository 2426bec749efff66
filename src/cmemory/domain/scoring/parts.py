"""The parts a window's score is made of, each from 0 to 1."""

from __future__ import annotations

from cmemory.domain.lexicon import window_en as en
from cmemory.domain.lexicon import window_zh as zh
from cmemory.domain.model.affect import Affect
from cmemory.domain.model.measure import clamp_unit
from cmemory.domain.model.message import Speaker
from cmemory.domain.pattern import lazy_pattern
from cmemory.domain.policy import WindowPolicy
from cmemory.domain.text.view import any_of, whole

#: Shares of the three numbers of a mood in how close two are.
_VALENCE, _AROUSAL, _DOMINANCE = 0.5, 0.3, 0.2
#: Closeness where one mood is unknown.
_UNKNOWN = 0.5

_SIGNALS = (whole(en.SIGNALS), lazy_pattern(any_of(zh.SIGNALS)))


def heuristic_importance(text: str, speaker: Speaker, policy: WindowPolicy) -> float:
    """Return how much an utterance weighs by who said it and whether a signal word stands in it. 0 to 1.

    Args:
        text: compacted.
        speaker: who said it.
        policy: the numbers.
    """
    base = {
        Speaker.USER: policy.user_importance,
        Speaker.ASSISTANT: policy.assistant_importance,
        Speaker.TOOL: policy.other_importance,
    }[speaker]
    signalled = any(pattern.search(text) for pattern in _SIGNALS)
    return clamp_unit(base + policy.signal_bonus * signalled)


def closeness(one: Affect | None, other: Affect | None) -> float:
    """Return how alike two moods are; one half where either is unknown. Confidence and labels do not count."""
    if one is None or other is None:
        return _UNKNOWN
    distance = (
        _VALENCE * abs(one.valence - other.valence) / 2
        + _AROUSAL * abs(one.arousal - other.arousal)
        + _DOMINANCE * abs(one.dominance - other.dominance)
    )
    return clamp_unit(1 - distance)


def similarity(cosine: float, lexical: float, *, cosine_share: float) -> float:
    """Return the blend of the two ways in which texts are alike."""
    return cosine_share * cosine + (1 - cosine_share) * lexical
