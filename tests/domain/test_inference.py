"""The life of a conclusion."""

from __future__ import annotations

import itertools
from typing import Any

import attrs
import pytest

from builders import NOW, days, inference, ref
from cmemory.domain.evidence.graph import Holding, Sources, Violation, objections
from cmemory.domain.model.bodies import Axis, Inference, InferenceState
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.message import SourceKind, Speaker
from cmemory.domain.policy import GOVERNED
from cmemory.domain.reflect.inference import (
    Obstacle,
    Transition,
    acknowledge,
    apply,
    capped,
    review,
)
from cmemory.domain.scoring.salience import PromotionAudit

POLICY = GOVERNED.inference
READY = PromotionAudit(distinct_sessions=3, span_days=14, distinct_contexts=2, counter_examples_checked=1)
ACCUMULATING, ACTIVE, REJECTED, EXPIRED = InferenceState
ALREADY, UNREADY, FINAL = Obstacle

TABLE = {
    Transition.PROMOTE: {ACCUMULATING: ACTIVE, ACTIVE: ALREADY, EXPIRED: UNREADY, REJECTED: FINAL},
    Transition.HOLD: {ACCUMULATING: ACCUMULATING, ACTIVE: ALREADY, EXPIRED: ALREADY, REJECTED: FINAL},
    Transition.REJECT: {ACCUMULATING: REJECTED, ACTIVE: REJECTED, EXPIRED: REJECTED, REJECTED: ALREADY},
    Transition.EXPIRE: {ACCUMULATING: EXPIRED, ACTIVE: EXPIRED, EXPIRED: ALREADY, REJECTED: FINAL},
    Transition.REVIVE: {ACCUMULATING: ALREADY, ACTIVE: ALREADY, EXPIRED: ACCUMULATING, REJECTED: FINAL},
}


def body(**fields: Any) -> Inference:
    return inference(**fields).body


def moved(before: Inference, transition: Transition, **fields: Any) -> Any:
    return apply(before, transition, **{"now": NOW, "policy": POLICY, "readiness": READY, **fields})


@pytest.mark.parametrize(("transition", "state"), list(itertools.product(Transition, InferenceState)))
def test_the_transition_table(transition: Transition, state: InferenceState) -> None:
    """Each transition from each state leads where the protocol says, or names what stands in its way."""
    expected = TABLE[transition][state]
    after = moved(body(state=state), transition)
    assert expected is (after if isinstance(after, Obstacle) else after.state)


@pytest.mark.parametrize(
    "readiness",
    [
        None,
        attrs.evolve(READY, distinct_sessions=2),
        attrs.evolve(READY, span_days=13),
        attrs.evolve(READY, distinct_contexts=1),
        attrs.evolve(READY, counter_examples_checked=0),
    ],
)
def test_promotion_needs_a_clean_audit(readiness: PromotionAudit | None) -> None:
    """Without an audit, or with anything missing in it, a conclusion is not promoted."""
    assert UNREADY is moved(body(), Transition.PROMOTE, readiness=readiness)


@pytest.mark.parametrize("state", [ACCUMULATING, ACTIVE, EXPIRED])
def test_a_persons_rejection_always_succeeds(state: InferenceState) -> None:
    """Even a conclusion whose stored confidence is above the cap can be rejected."""
    assert REJECTED is moved(body(state=state, confidence=0.9), Transition.REJECT).state


@pytest.mark.parametrize(
    ("axis", "deadline"), [(axis, days(90) if axis is Axis.PATTERN else None) for axis in Axis]
)
def test_only_a_pattern_must_be_confirmed(axis: Axis, deadline: Instant | None) -> None:
    """A promoted pattern has ninety days; every other axis no deadline."""
    assert deadline == moved(body(axis=axis, expires_at=days(1)), Transition.PROMOTE).expires_at


def test_ninety_days_by_the_calendar() -> None:
    """A pattern promoted on New Year's Day is due on the first of April."""
    after = moved(body(), Transition.PROMOTE, now=Instant.parse("2026-01-01T00:00:00Z"))
    assert "2026-04-01T00:00:00.000000Z" == str(after.expires_at)


def test_revival_clears_the_deadline() -> None:
    """A revived conclusion gathers evidence anew."""
    after = moved(body(state=EXPIRED, expires_at=days(-1)), Transition.REVIVE)
    assert (ACCUMULATING, None) == (after.state, after.expires_at)


@pytest.mark.parametrize(
    ("confidence", "acknowledged", "expected"),
    [
        (0.8, False, 0.65),
        (0.8, True, 0.8),
        (0.3, False, 0.3),
        (float("nan"), True, 0.0),
        (2.0, True, 1.0),
        (-1.0, False, 0.0),
    ],
)
def test_the_cap_holds_until_acknowledged(confidence: float, acknowledged: bool, expected: float) -> None:
    """An unconfirmed conclusion is believed to 0.65 at most."""
    assert expected == capped(confidence, acknowledged=acknowledged, policy=POLICY)


def test_every_transition_applies_the_cap() -> None:
    """A stored confidence above the cap is cut on the next move."""
    assert 0.65 == moved(body(confidence=0.9), Transition.HOLD).confidence
    assert 0.9 == moved(body(confidence=0.9, acknowledged_at=NOW), Transition.HOLD).confidence


@pytest.mark.parametrize("state", [ACCUMULATING, ACTIVE])
def test_an_overdue_pattern_expires_once(state: InferenceState) -> None:
    """Past its deadline it loses a fifth of its capped confidence, and a second review changes nothing."""
    late = body(state=state, confidence=0.8, expires_at=NOW)
    after = review(late, now=days(1), policy=POLICY)
    assert EXPIRED is after.state
    assert 0.52 == pytest.approx(after.confidence)
    assert after == review(after, now=days(2), policy=POLICY)


@pytest.mark.parametrize(
    ("fields", "now"),
    [
        ({"expires_at": NOW}, NOW),
        ({"expires_at": None}, days(999)),
        ({"expires_at": NOW, "axis": Axis.DISPOSITION}, days(999)),
        ({"expires_at": NOW, "state": EXPIRED}, days(1)),
        ({"expires_at": NOW, "state": REJECTED}, days(1)),
    ],
)
def test_what_is_not_overdue_stays(fields: dict[str, Any], now: Instant) -> None:
    """The deadline itself, no deadline, another axis or an ended state leave the very same value."""
    before = body(**fields)
    assert before is review(before, now=now, policy=POLICY)


def test_acknowledging_lifts_the_cap_without_raising() -> None:
    """The person's confirmation is stamped; confidence stays as it was."""
    before = body(confidence=0.5)
    assert attrs.evolve(before, acknowledged_at=NOW) == acknowledge(before, now=NOW)


SOURCES = Sources(claims={}, episodes={}, suppressed=frozenset({"m-gone"}))
MESSAGE = SourceKind.MESSAGE


@pytest.mark.parametrize(
    ("support", "predicate", "expected"),
    [
        ([ref(MESSAGE, "m-1")], "goal.current_focus", []),
        (
            [ref(MESSAGE, "m-1"), ref(MESSAGE, "m-2", Speaker.ASSISTANT)],
            "goal.current_focus",
            [Violation.ASSISTANT_SPEAKER],
        ),
        ([], "goal.current_focus", [Holding.NO_LIVE_SUPPORT]),
        (
            [ref(MESSAGE, "m-gone")],
            "goal.current_focus",
            [Violation.SUPPRESSED_SOURCE, Holding.NO_LIVE_SUPPORT],
        ),
        ([ref(MESSAGE, "m-1")], "boundary.refusal", [Holding.PREDICATE_DISALLOWS_INFERENCE]),
    ],
)
def test_a_write_needs_a_clean_audit_and_a_hold(
    support: list[Any], predicate: str, expected: list[Any]
) -> None:
    """A single inadmissible support is enough to refuse, and so is a conclusion that does not hold."""
    assert expected == list(objections(body(support=support, predicate=predicate), SOURCES))
