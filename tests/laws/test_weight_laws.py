"""Weight falls with age and moves with feedback alone."""

from __future__ import annotations

import functools
import sys

import attrs
from hypothesis import given
from hypothesis import strategies as st

from builders import NOW, claim, days
from cmemory.domain.model.record import Salience
from cmemory.domain.policy import Policy
from cmemory.domain.scoring.decay import half_life
from cmemory.domain.scoring.salience import Signal, feel, recalled, score
from strategies import UNIT, active, records

AGES = st.floats(0, 1e6)
HALVES = st.floats(0.01, 1e6)
POLICY = Policy()
SALIENCES = st.builds(Salience, importance=UNIT, recall_count=st.integers(0, 99), muted=st.booleans())


@given(AGES, AGES, HALVES)
def test_decay_falls_with_age(one: float, other: float, half: float) -> None:
    """Decay is 1 at age 0, never rises with age, and never reaches 0."""
    younger, older = sorted((one, other))
    assert 1.0 == half_life(0, half)
    assert sys.float_info.min <= half_life(older, half) <= half_life(younger, half) <= 1.0


@given(AGES, st.floats(-1e6, 0))
def test_decay_can_be_switched_off(age: float, half: float) -> None:
    """Without a half-life nothing falls."""
    assert 1.0 == half_life(age, half)


@given(records(), UNIT, UNIT, st.booleans())
def test_a_score_grows_with_relevance_and_falls_with_time(
    record: object, one: float, other: float, triggered: bool
) -> None:
    """More relevance never weighs less, more time never weighs more, and a trigger never weighs less."""
    live = active(record)  # type: ignore[arg-type]
    low, high = sorted((one, other))

    def weight(relevance: float, later: float = 0, forced: bool = triggered) -> float:
        found = score(live, relevance=relevance, now=days(later), policy=POLICY, triggered=forced)
        return 0.0 if found is None else found

    assert 0.0 <= weight(low) <= weight(high)
    assert weight(high, later=500) <= weight(high)
    assert weight(high, forced=False) <= weight(high, forced=True)


@given(SALIENCES, st.lists(st.sampled_from(Signal), max_size=20))
def test_feedback_only_adds_or_mutes(before: Salience, signals: list[Signal]) -> None:
    """Importance never falls and never exceeds one; only the wish to stop mutes; the history is untouched."""
    after = functools.reduce(lambda kept, signal: feel(kept, signal, POLICY.salience), signals, before)
    assert before.importance <= after.importance <= 1.0
    assert after.muted is (before.muted or Signal.USER_ASKED_TO_STOP in signals)
    assert (before.recall_count, before.last_recalled_at) == (after.recall_count, after.last_recalled_at)


@given(SALIENCES, st.integers(1, 50))
def test_silence_is_the_identity(before: Salience, times: int) -> None:
    """However often nothing is observed, the very same value comes back."""
    after = before
    for _ in range(times):
        after = feel(after, Signal.NONE, POLICY.salience)
    assert before is after


@given(SALIENCES, st.lists(st.integers(0, 1_000), max_size=20))
def test_recall_never_moves_importance(before: Salience, moments: list[int]) -> None:
    """Use is counted and dated; importance stays bit for bit."""
    after = functools.reduce(lambda kept, at: recalled(kept, days(at)), moments, before)
    assert (before.importance, before.muted) == (after.importance, after.muted)
    assert before.recall_count + len(moments) == after.recall_count


@given(UNIT, UNIT)
def test_confidence_only_scales(confidence: float, importance: float) -> None:
    """A more confident claim of equal importance never weighs less."""
    sure = claim("goal.current_focus", "学琴", confidence=1.0, importance=importance)
    unsure = attrs.evolve(sure, body=attrs.evolve(sure.body, confidence=confidence))
    one = score(unsure, relevance=1.0, now=NOW, policy=POLICY)
    other = score(sure, relevance=1.0, now=NOW, policy=POLICY)
    assert one is not None
    assert other is not None
    assert one <= other
