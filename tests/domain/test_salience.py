"""How much a record weighs, and what changes that."""

from __future__ import annotations

import sys

import pytest

from builders import NOW, claim, days, episode, inference, plan
from cmemory.domain.model.record import Salience
from cmemory.domain.policy import GOVERNED
from cmemory.domain.scoring.decay import half_life
from cmemory.domain.scoring.salience import Blocker, PromotionAudit, Signal, feel, recalled, score

POLICY = GOVERNED.salience
POSITIVE = (Signal.USER_VALUED, Signal.USER_CORRECTED, Signal.USER_RAISED_AGAIN, Signal.RESPONSE_WORKED)


@pytest.mark.parametrize(
    ("age", "half", "expected"),
    [
        (0, 90, 1.0),
        (90, 90, 0.5),
        (180, 90, 0.25),
        (45, 90, 2**-0.5),
        (5, 0, 1.0),
        (1e9, 1, sys.float_info.min),
    ],
)
def test_half_life(age: float, half: float, expected: float) -> None:
    """Weight halves with each half-life, is never quite nothing, and does not fall when decay is off."""
    assert expected == pytest.approx(half_life(age, half), rel=1e-12)
    assert half_life(1e9, 1) > 0


def test_a_score_is_a_product() -> None:
    """Relevance, importance, freshness and confidence multiply; a trigger adds a quarter."""
    record = claim("goal.current_focus", "学琴", confidence=0.8, importance=0.5, at=days(-90))
    assert 0.8 * 0.5 * 0.5 * 0.8 == pytest.approx(score(record, relevance=0.8, now=NOW, policy=GOVERNED))
    expected = 1.25 * score(record, relevance=0.8, now=NOW, policy=GOVERNED)  # type: ignore[operator]
    assert expected == pytest.approx(score(record, relevance=0.8, now=NOW, policy=GOVERNED, triggered=True))


def test_what_is_irrelevant_stays_at_zero() -> None:
    """No weight and no trigger lifts what has nothing to do with the turn."""
    record = claim("goal.current_focus", "学琴", importance=1.0)
    assert 0.0 == score(record, relevance=0.0, now=NOW, policy=GOVERNED, triggered=True)


@pytest.mark.parametrize("key", ["boundary.topic_avoid", "boundary.made_up"])
def test_obligations_are_not_scored(key: str) -> None:
    """A boundary is refused, not weighed at zero."""
    assert score(claim(key, "前任"), relevance=1.0, now=NOW, policy=GOVERNED) is None


def test_episodes_carry_no_confidence() -> None:
    """An episode weighs relevance, importance and freshness alone; an inference its confidence too."""
    told = episode("用户去看海。", importance=0.7, at=days(-90))
    assert 0.35 == pytest.approx(score(told, relevance=1.0, now=NOW, policy=GOVERNED))
    concluded = inference(confidence=0.6, importance=0.5)
    assert 0.3 == pytest.approx(score(concluded, relevance=1.0, now=NOW, policy=GOVERNED))


def test_freshness_counts_from_the_last_recall() -> None:
    """A record that was used yesterday is as fresh as yesterday."""
    record = claim("goal.current_focus", "学琴", at=days(-400), last_recalled_at=days(-90), importance=1.0)
    assert 0.45 == pytest.approx(score(record, relevance=1.0, now=NOW, policy=GOVERNED))


@pytest.mark.parametrize(
    ("confidence", "last_day"), [(0.5, 0), (0.6, 47), (0.7, 87), (0.8, 122), (0.9, 152), (1.0, 180)]
)
def test_how_long_an_uncued_claim_shapes_answers(confidence: float, last_day: int) -> None:
    """A freely mentionable claim stays in deep recall for as many days as its confidence earns it."""
    record = claim("goal.current_focus", "学琴", confidence=confidence, importance=max(confidence, 0.5))
    assert [record.id] == [one.record_id for one in plan("", record, now=days(last_day)).deep_recall]
    assert () == plan("", record, now=days(last_day + 1)).deep_recall


@pytest.mark.parametrize("signal", POSITIVE)
def test_observed_reactions_add_importance(signal: Signal) -> None:
    """Each positive signal adds a tenth, up to one, and moves nothing else."""
    before = Salience(importance=0.5, recall_count=3, last_recalled_at=NOW)
    assert Salience(importance=0.6, recall_count=3, last_recalled_at=NOW) == feel(before, signal, POLICY)
    assert 1.0 == feel(Salience(importance=0.95), signal, POLICY).importance


def test_asked_to_stop_mutes_and_keeps_the_history() -> None:
    """The record is silenced; importance and counts stay as they were."""
    before = Salience(importance=0.8, recall_count=2, last_recalled_at=NOW)
    expected = Salience(importance=0.8, recall_count=2, last_recalled_at=NOW, muted=True)
    assert expected == feel(before, Signal.USER_ASKED_TO_STOP, POLICY)


def test_silence_changes_nothing() -> None:
    """Without a reaction the very same value comes back."""
    before = Salience(importance=0.37)
    assert before is feel(before, Signal.NONE, POLICY)


def test_recall_counts_and_never_weighs() -> None:
    """Being used is noted; importance never moves."""
    after = recalled(recalled(Salience(importance=0.4), NOW), days(1))
    assert Salience(importance=0.4, recall_count=2, last_recalled_at=days(1)) == after


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ((3, 14, 2, 1), ()),
        ((2, 14, 2, 1), (Blocker.TOO_FEW_SESSIONS,)),
        ((3, 13, 2, 1), (Blocker.SPAN_TOO_SHORT,)),
        ((3, 14, 1, 1), (Blocker.INSUFFICIENT_DIVERSITY,)),
        ((3, 14, 2, 0), (Blocker.COUNTER_EXAMPLES_NOT_CHECKED,)),
        ((0, 0, 0, 0), tuple(Blocker)),
    ],
)
def test_promotion_readiness(counts: tuple[int, int, int, int], expected: tuple[Blocker, ...]) -> None:
    """Each missing kind of evidence is reported, in a fixed order."""
    names = ("distinct_sessions", "span_days", "distinct_contexts", "counter_examples_checked")
    audit = PromotionAudit(**dict(zip(names, counts, strict=True)))
    assert expected == audit.blockers(GOVERNED.inference)
