"""How much a record weighs in a turn, and how observed reactions change that.

Silence is no signal: without feedback nothing changes, and being recalled is not feedback.
"""

from __future__ import annotations

import enum

import attrs

from cmemory.domain.model.bodies import Claim, Inference
from cmemory.domain.model.instant import Instant, age_in_days, days_between
from cmemory.domain.model.record import AnyRecord, NoteRecord, Salience, is_note
from cmemory.domain.policy import InferencePolicy, NotePolicy, Policy, SaliencePolicy
from cmemory.domain.predicates.registry import is_boundary
from cmemory.domain.scoring.decay import half_life


class Signal(enum.Enum):
    """What the person let us know about a memory."""

    USER_VALUED = "user_valued"
    USER_CORRECTED = "user_corrected"
    USER_RAISED_AGAIN = "user_raised_again"
    RESPONSE_WORKED = "response_worked"
    USER_ASKED_TO_STOP = "user_asked_to_stop"
    #: Nothing was observed.
    NONE = "none"


def note_weight(record: NoteRecord, *, now: Instant, policy: NotePolicy) -> float:
    """Return importance × freshness: what a note weighs while nothing is asked, 0 to 1.

    Freshness halves with every half-life since the note was last written or used, and importance and emotional weight
    make that longer.
    """
    importance, emotion = record.salience.importance, record.body.emotional_weight
    slowed = 1 + policy.importance_slows * importance + policy.emotion_slows * emotion
    touched = max(record.updated_at, record.last_seen)
    return importance * half_life(age_in_days(touched, now), policy.half_life_days * slowed)


def score(
    record: AnyRecord, *, relevance: float, now: Instant, policy: Policy, triggered: bool = False
) -> float | None:
    """Return relevance × importance × freshness × confidence, or None for a boundary, which is never ranked.

    Multiplicative, so what is irrelevant stays at 0. Episodes and their like carry no confidence and count it as 1.

    Args:
        record: what is weighed.
        relevance: 0 to 1.
        now: freshness counts the days since the record was last seen.
        policy: half-lives and trigger factor.
        triggered: whether an explicit trigger names the record.
    """
    factor = policy.salience.trigger_factor if triggered else 1.0
    if is_note(record):
        return relevance * note_weight(record, now=now, policy=policy.notes) * factor
    body = record.body
    confidence = 1.0
    if isinstance(body, (Claim, Inference)):
        if is_boundary(body.predicate):
            return None
        confidence = body.confidence
    freshness = half_life(days_between(record.last_seen, now), policy.salience.half_life_days)
    return relevance * record.salience.importance * freshness * confidence * factor


def found_score(record: AnyRecord, *, relevance: float, match: float, now: Instant, policy: Policy) -> float:
    """Return what a record weighs for somebody who looks for it: relevance × importance × confidence × match × recency.

    What is looked for may be old: unlike freshness in a turn, recency only adds to a record, and never takes it below a
    share. 0 to 1.

    Args:
        record: what is weighed.
        relevance: 0 to 1.
        match: how well its words match, 0 to 1.
        now: recency counts the days since the record was last seen.
        policy: how much recency adds, and for how long.
    """
    recall, body = policy.recall, record.body
    confidence = body.confidence if isinstance(body, (Claim, Inference)) else 1.0
    fresh = half_life(days_between(record.last_seen, now), recall.recent_days)
    recency = (1 + recall.record_recent * fresh) / (1 + recall.record_recent)
    return relevance * record.salience.importance * confidence * match * recency


def feel(salience: Salience, signal: Signal, policy: SaliencePolicy) -> Salience:
    """Return the salience after an observed reaction; `Signal.NONE` returns the very same value."""
    if signal is Signal.NONE:
        return salience
    if signal is Signal.USER_ASKED_TO_STOP:
        return attrs.evolve(salience, muted=True)
    return attrs.evolve(salience, importance=min(1.0, salience.importance + policy.feedback_step))


def recalled(salience: Salience, now: Instant) -> Salience:
    """Return the salience after the host reports that a memory was used; importance never moves."""
    return attrs.evolve(salience, recall_count=salience.recall_count + 1, last_recalled_at=now)


class Blocker(enum.Enum):
    """What still keeps an inference from promotion, in the order in which it is reported."""

    TOO_FEW_SESSIONS = "too_few_sessions"
    SPAN_TOO_SHORT = "span_too_short"
    INSUFFICIENT_DIVERSITY = "insufficient_diversity"
    COUNTER_EXAMPLES_NOT_CHECKED = "counter_examples_not_checked"


@attrs.frozen(kw_only=True)
class PromotionAudit:
    """What a batch counted about the evidence of a conclusion."""

    distinct_sessions: int
    span_days: int
    distinct_contexts: int
    #: How many counter-examples were looked for, not how many were found.
    counter_examples_checked: int

    def blockers(self, policy: InferencePolicy) -> tuple[Blocker, ...]:
        """Return what is missing; empty when the conclusion is ready."""
        checks = (
            (self.distinct_sessions < policy.min_sessions, Blocker.TOO_FEW_SESSIONS),
            (self.span_days < policy.min_span_days, Blocker.SPAN_TOO_SHORT),
            (self.distinct_contexts < policy.min_contexts, Blocker.INSUFFICIENT_DIVERSITY),
            (self.counter_examples_checked == 0, Blocker.COUNTER_EXAMPLES_NOT_CHECKED),
        )
        return tuple(blocker for missing, blocker in checks if missing)
