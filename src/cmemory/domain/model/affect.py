"""A mood in three numbers: a hint of low weight for ranking, never a diagnosis and never a fact about the person."""

from __future__ import annotations

import enum
import math
from collections.abc import Mapping
from typing import Any

import attrs

from cmemory.domain.errors import UsageError
from cmemory.domain.model.measure import clamp_unit

#: Labels at most.
MAX_LABELS = 3


class AffectSource(enum.Enum):
    """Where a mood was read from."""

    #: Given by the host, who may have asked a model.
    HOST = "host"
    #: Counted from a few words.
    HEURISTIC = "heuristic"
    #: Read by a language model.
    MODEL = "model"


class AffectFailure(enum.Enum):
    """Why a mood was counted from words although a model should have read it."""

    #: None is configured.
    NO_MODEL = "no_model"
    #: It gave no answer.
    MODEL_FAILED = "model_failed"
    #: Its answer told no mood.
    UNREADABLE_ANSWER = "unreadable_answer"


def _between(lowest: float, highest: float) -> Any:
    def check(_: object, attribute: attrs.Attribute[float], value: float) -> None:
        if not lowest <= value <= highest:
            raise UsageError(field=attribute.name, problem=f"must be a number from {lowest:g} to {highest:g}")

    return check


@attrs.frozen(kw_only=True)
class Affect:
    """Pleasure, arousal and dominance. Confidence and labels are told, and weigh nothing."""

    #: How pleasant, from -1 to 1.
    valence: float = attrs.field(default=0.0, validator=_between(-1, 1))
    #: How stirred, from 0 to 1.
    arousal: float = attrs.field(default=0.0, validator=_between(0, 1))
    #: How much in control, from 0 to 1; 0.5 when unknown.
    dominance: float = attrs.field(default=0.5, validator=_between(0, 1))
    #: At most three short words.
    labels: tuple[str, ...] = ()
    confidence: float = attrs.field(default=0.0, validator=_between(0, 1))
    source: AffectSource = AffectSource.HOST

    @classmethod
    def read(cls, given: Mapping[str, object], *, source: AffectSource = AffectSource.HOST) -> Affect:
        """Return what somebody else's analysis says, made safe: numbers are held in their ranges.

        What is missing or no finite number counts as neutral, never as the end of a range.

        >>> Affect.read({"arousal": 7, "labels": [" Calm ", 5]})
        Affect(valence=0.0, arousal=1.0, dominance=0.5, labels=('calm',), confidence=0.0, source=<AffectSource.HOST: 'host'>)
        """
        valence, arousal = _number(given.get("valence"), 0.0), _number(given.get("arousal"), 0.0)
        labels = given.get("labels")
        texts = labels if isinstance(labels, (list, tuple)) else ()
        words = (text.strip().lower() for text in texts if isinstance(text, str))
        return cls(
            valence=max(-1.0, min(1.0, valence)),
            arousal=clamp_unit(arousal),
            dominance=clamp_unit(_number(given.get("dominance"), 0.5)),
            labels=tuple(word for word in words if word)[:MAX_LABELS],
            confidence=clamp_unit(_number(given.get("confidence"), 0.0)),
            source=source,
        )


def _number(given: object, neutral: float) -> float:
    if isinstance(given, bool) or not isinstance(given, (int, float)):
        return neutral
    try:
        number = float(given)
    except OverflowError:
        return neutral
    return number if math.isfinite(number) else neutral
