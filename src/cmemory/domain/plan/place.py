"""Where one record stands: through gate and shield to exactly one channel.

It looks at the record, the cues and the day, and at no other record.
"""

from __future__ import annotations

from functools import lru_cache

import attrs

from cmemory.domain.gates.mention import Cues, Denial, Verdict, decide_record
from cmemory.domain.model.bodies import Claim, Episode, Note
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.record import AnyRecord
from cmemory.domain.plan.lines import line_of
from cmemory.domain.plan.plan import Channel, Item, Why
from cmemory.domain.policy import Policy
from cmemory.domain.predicates.registry import Visibility
from cmemory.domain.scoring.salience import found_score, score

#: Domains that always shape how the companion speaks, cue or no cue. ``preference`` is reserved by the protocol.
_STYLE_DOMAINS = frozenset({"communication", "preference", "support", "advice"})

_FORCED = Cues(referenced=True)

#: Best first: by weight, then by id.
Rank = tuple[float, str]


@attrs.frozen(kw_only=True)
class Stand:
    """Where a record stands, without its words: many share one, and most are only counted."""

    channel: Channel
    surface: Visibility
    reason: Why
    #: The weight, where records compete.
    score: float | None = None

    def of(self, record: AnyRecord) -> Item:
        """Return the record in that place."""
        return Item(
            record_id=record.id,
            text=line_of(record),
            surface=self.surface,
            reason=self.reason,
            score=self.score,
        )

    @classmethod
    def back(cls, surface: Visibility, reason: Why, score: float | None = None) -> Stand:
        """Return the place of what is withheld."""
        return cls(channel=Channel.DO_NOT_SURFACE, surface=surface, reason=reason, score=score)


def rank(item: Item) -> Rank:
    """Return where an item stands among those that compete with it."""
    return -(item.score or 0.0), item.record_id


def place(
    record: AnyRecord, shaded: bool, cues: Cues, forced: bool, *, now: Instant, policy: Policy
) -> Stand:
    """Route one record. Force overrides activation, never authorisation.

    Args:
        record: what is routed.
        shaded: whether a boundary of the person covers it.
        cues: what in the turn speaks for it.
        forced: whether an evaluation insists on it.
        now: freshness is counted to this moment.
        policy: how records are weighed and where they are placed.
    """
    verdict = decide_record(record, _FORCED if forced and not cues.any else cues)
    body = record.body
    domain = body.predicate.partition(".")[0] if isinstance(body, Claim) else ""
    if domain == "boundary":
        # The level of the key, not of the record: an obligation stands even when its record is muted.
        return _stand(Channel.CONSTRAINTS, Visibility.BACKGROUND_ONLY, Why.CONSTRAINT_POLICY)
    if domain in _STYLE_DOMAINS and verdict.level > Visibility.NEVER_SURFACE:
        return _stand(Channel.RESPONSE_STYLE, verdict.level, _standing_reason(verdict, cues, forced))
    if shaded and not (isinstance(body, (Episode, Note)) and verdict.denial is Denial.AWAITING_USER_CUE):
        return _stand(Channel.DO_NOT_SURFACE, Visibility.NEVER_SURFACE, Why.BOUNDARY_POLICY)
    if domain == "identity" and verdict.level > Visibility.NEVER_SURFACE:
        if verdict.allowed or not policy.plan.identity_needs_cue:
            return _stand(Channel.IDENTITY, verdict.level, _standing_reason(verdict, cues, forced))
        return _stand(Channel.DO_NOT_SURFACE, verdict.level, Why.MENTION_GATE_DENIED)
    if not verdict.allowed:
        return _stand(Channel.DO_NOT_SURFACE, verdict.level, _denial_reason(record, verdict))
    return _compete(record, verdict, cues, forced, now=now, policy=policy)


def _compete(
    record: AnyRecord, verdict: Verdict, cues: Cues, forced: bool, *, now: Instant, policy: Policy
) -> Stand:
    """Place a record that is allowed and has to earn its place by weight."""
    salience = policy.salience
    named = cues.referenced or forced or not (cues.implied or cues.bears)
    relevance = salience.relevance_named if named else salience.relevance_implied
    weight: float | None
    if policy.plan.by_match and (cues.any or forced):
        weight = found_score(record, relevance=relevance, match=1.0, now=now, policy=policy)
    else:
        weight = score(record, relevance=relevance, now=now, policy=policy, triggered=forced)
    if cues.time_trigger and not (cues.any or forced):
        return _stand(Channel.CONTINUITY, verdict.level, Why.DUE_TODAY, weight)
    if cues.any or forced:
        # Hardly two weigh the same, so none is looked up.
        return Stand(
            channel=Channel.TOPIC_ACTIVATED,
            surface=verdict.level,
            reason=_standing_reason(verdict, cues, forced),
            score=weight,
        )
    if verdict.level is not Visibility.FREELY_MENTIONABLE:
        return _stand(Channel.DO_NOT_SURFACE, verdict.level, Why.BACKGROUND_AT_REST)
    if weight is not None and weight >= policy.plan.deep_recall_threshold:
        return _stand(Channel.DEEP_RECALL, verdict.level, Why.POLICY_MEMORY, weight)
    return _stand(Channel.DO_NOT_SURFACE, verdict.level, Why.BELOW_RECALL_THRESHOLD, weight)


@lru_cache(maxsize=4096)
def _stand(channel: Channel, surface: Visibility, reason: Why, score: float | None = None) -> Stand:
    return Stand(channel=channel, surface=surface, reason=reason, score=score)


def _standing_reason(verdict: Verdict, cues: Cues, forced: bool) -> Why:
    if not verdict.allowed:
        return Why.MENTION_GATE_DENIED
    if verdict.background_only:
        return Why.BACKGROUND_POLICY
    if cues.referenced:
        return Why.CURRENT_TURN_CUE
    if cues.implied:
        return Why.TOPIC_IMPLIED
    if cues.bears:
        return Why.BEARS
    return Why.FORCED_ORACLE_INJECTION if forced else Why.POLICY_MEMORY


def _denial_reason(record: AnyRecord, verdict: Verdict) -> Why:
    if verdict.denial is Denial.DO_NOT_SURFACE:
        return Why.MUTED
    if isinstance(record.body, Claim):
        return Why.MENTION_GATE_DENIED
    if verdict.denial is not Denial.AWAITING_USER_CUE:
        return Why.MENTION_GATE
    return Why.NOTE_AT_REST if isinstance(record.body, Note) else Why.EPISODE_AT_REST
