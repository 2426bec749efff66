"""The life of an inference: gathered slowly, capped until the person confirms it, and expiring by itself.

Every function takes the moment and returns a new value or the reason why not; nothing here happens automatically.
"""

from __future__ import annotations

import enum

import attrs

from cmemory.domain.model.bodies import Axis, Inference, InferenceState
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.measure import clamp_unit
from cmemory.domain.policy import InferencePolicy
from cmemory.domain.scoring.salience import PromotionAudit


class Transition(enum.Enum):
    """What may happen to an inference."""

    PROMOTE = "promote"
    HOLD = "hold"
    REJECT = "reject"
    EXPIRE = "expire"
    REVIVE = "revive"


class Obstacle(enum.Enum):
    """Why a transition does not take place."""

    ALREADY_IN_STATE = "already_in_state"
    PROMOTION_NOT_READY = "promotion_not_ready"
    #: What the person rejected stays rejected.
    REJECTED_IS_TERMINAL = "rejected_is_terminal"


_ACCUMULATING, _ACTIVE = InferenceState.ACCUMULATING, InferenceState.ACTIVE
_REJECTED, _EXPIRED = InferenceState.REJECTED, InferenceState.EXPIRED

#: What each transition leads to, or what stands in its way. Promotion from ACCUMULATING also asks for readiness.
TRANSITIONS: dict[Transition, dict[InferenceState, InferenceState | Obstacle]] = {
    Transition.PROMOTE: {
        _ACCUMULATING: _ACTIVE,
        _ACTIVE: Obstacle.ALREADY_IN_STATE,
        _EXPIRED: Obstacle.PROMOTION_NOT_READY,
        _REJECTED: Obstacle.REJECTED_IS_TERMINAL,
    },
    Transition.HOLD: {
        _ACCUMULATING: _ACCUMULATING,
        _ACTIVE: Obstacle.ALREADY_IN_STATE,
        _EXPIRED: Obstacle.ALREADY_IN_STATE,
        _REJECTED: Obstacle.REJECTED_IS_TERMINAL,
    },
    Transition.REJECT: {
        _ACCUMULATING: _REJECTED,
        _ACTIVE: _REJECTED,
        _EXPIRED: _REJECTED,
        _REJECTED: Obstacle.ALREADY_IN_STATE,
    },
    Transition.EXPIRE: {
        _ACCUMULATING: _EXPIRED,
        _ACTIVE: _EXPIRED,
        _EXPIRED: Obstacle.ALREADY_IN_STATE,
        _REJECTED: Obstacle.REJECTED_IS_TERMINAL,
    },
    Transition.REVIVE: {
        _ACCUMULATING: Obstacle.ALREADY_IN_STATE,
        _ACTIVE: Obstacle.ALREADY_IN_STATE,
        _EXPIRED: _ACCUMULATING,
        _REJECTED: Obstacle.REJECTED_IS_TERMINAL,
    },
}


def capped(confidence: float, *, acknowledged: bool, policy: InferencePolicy) -> float:
    """Return the confidence an inference may carry: at most the cap until the person acknowledged it."""
    unit = clamp_unit(confidence)
    return unit if acknowledged else min(unit, policy.unacknowledged_cap)


def apply(
    inference: Inference,
    transition: Transition,
    *,
    now: Instant,
    policy: InferencePolicy,
    readiness: PromotionAudit | None = None,
) -> Inference | Obstacle:
    """Return the inference after a transition, or what stands in its way.

    A rejection by the person always succeeds unless it already happened. Promotion needs an audit without blockers; an
    active pattern then has a review deadline, every other axis none.
    """
    target = TRANSITIONS[transition][inference.state]
    if isinstance(target, Obstacle):
        return target
    if transition is Transition.PROMOTE and (readiness is None or readiness.blockers(policy)):
        return Obstacle.PROMOTION_NOT_READY
    confidence = capped(
        inference.confidence, acknowledged=inference.acknowledged_at is not None, policy=policy
    )
    deadline = inference.expires_at
    if transition is Transition.PROMOTE:
        deadline = now.plus(days=policy.review_days) if inference.axis is Axis.PATTERN else None
    elif transition is Transition.EXPIRE:
        confidence *= policy.expiry_factor
    elif transition is Transition.REVIVE:
        deadline = None
    return attrs.evolve(inference, state=target, confidence=confidence, expires_at=deadline)


def review(inference: Inference, *, now: Instant, policy: InferencePolicy) -> Inference:
    """Return the inference after its deadline was looked at: an overdue pattern loses confidence and expires, once."""
    waiting = inference.state in (_ACCUMULATING, _ACTIVE)
    overdue = (
        inference.axis is Axis.PATTERN and inference.expires_at is not None and now > inference.expires_at
    )
    if not (waiting and overdue):
        return inference
    expired = apply(inference, Transition.EXPIRE, now=now, policy=policy)
    return inference if isinstance(expired, Obstacle) else expired


def acknowledge(inference: Inference, *, now: Instant) -> Inference:
    """Return the inference as the person confirmed it: the cap is lifted, the confidence is not raised."""
    return attrs.evolve(inference, acknowledged_at=now)
