"""Moods: read from words, given by a host, compared."""

from __future__ import annotations

import math

import pytest

from cmemory.domain.errors import UsageError
from cmemory.domain.model.affect import Affect, AffectSource
from cmemory.domain.scoring.parts import closeness
from cmemory.domain.text.mood import mood_of


@pytest.mark.parametrize(
    ("text", "valence", "arousal", "labels"),
    [
        ("Thanks, this is great and it works!", 1, 0.45, ("positive",)),
        ("This is broken and I am sad.", -1, 0.35, ("negative",)),
        ("urgent: must finish before the deadline", 0, 0.81, ("neutral", "urgent")),
        ("太烦了，马上崩溃", -1, 0.57, ("negative", "urgent")),
        ("ok then", 0, 0.15, ("neutral",)),
        ("must must must must must", 0, 1, ("neutral", "urgent")),
    ],
)
def test_moods_as_published(text: str, valence: float, arousal: float, labels: tuple[str, ...]) -> None:
    mood = mood_of(text)
    assert (mood.valence, mood.arousal, mood.labels) == (valence, pytest.approx(arousal), labels)
    assert (mood.dominance, mood.confidence, mood.source) == (0.5, 0.35, AffectSource.HEURISTIC)


def test_closeness() -> None:
    """Valence counts most, and an unknown mood is half close."""
    assert closeness(mood_of("great"), mood_of("bad")) == pytest.approx(0.75)
    assert closeness(mood_of("great"), mood_of("great")) == 1
    assert closeness(None, mood_of("great")) == closeness(mood_of("great"), None) == 0.5
    worlds_apart = (Affect(valence=-1, arousal=0, dominance=0), Affect(valence=1, arousal=1, dominance=1))
    assert closeness(*worlds_apart) == 0


def test_what_a_host_gives_is_made_safe() -> None:
    """Ranges hold, at most three short labels stay."""
    given = {
        "valence": 9,
        "dominance": -3,
        "confidence": 0.5,
        "labels": [" Calm ", "TIRED", 5, "", "warm", "late"],
    }
    assert Affect.read(given) == Affect(
        valence=1, arousal=0, dominance=0, confidence=0.5, labels=("calm", "tired", "warm")
    )


@pytest.mark.parametrize("odd", [None, "0.5", True, math.nan, math.inf, 10**400, [1]])
def test_what_is_no_number_counts_as_neutral(odd: object) -> None:
    """Decision 9: a missing valence is no misery."""
    assert Affect.read({"valence": odd, "arousal": odd, "dominance": odd, "labels": "calm"}) == Affect()


def test_a_mood_out_of_range_is_refused() -> None:
    with pytest.raises(UsageError, match="valence"):
        Affect(valence=1.5)
    with pytest.raises(UsageError, match="arousal"):
        Affect(arousal=math.nan)
