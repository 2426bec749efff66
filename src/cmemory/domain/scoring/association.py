"""Bounded co-activation: utterances that were of use together lend one another a little score.

State in, state out: edges are handed in, and what should be written is handed back. Edges only re-order what may be
chosen anyway; nothing ineligible ever gains from one.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence

import attrs

from cmemory.domain.model.association import Edge, pair_of
from cmemory.domain.model.ids import MessageId
from cmemory.domain.model.instant import Instant, age_in_days
from cmemory.domain.model.measure import clamp_unit
from cmemory.domain.policy import AssociationPolicy
from cmemory.domain.scoring.decay import half_life


@attrs.frozen(kw_only=True)
class Spread:
    """What edges lend to candidates."""

    #: By candidate; only those that are lent something.
    scores: Mapping[MessageId, float] = attrs.field(factory=dict)
    #: Edges that were read, and those of them that counted.
    read: int = 0
    applied: int = 0


def seeds_of(eligible: Mapping[MessageId, float], policy: AssociationPolicy) -> tuple[MessageId, ...]:
    """Return the candidates whose edges are looked at: the first ones of a ranking of base scores.

    Args:
        eligible: base scores, the best first; of equal ones the newer first.
        policy: how many.
    """
    return tuple(itertools.islice(eligible, policy.seed_limit))


def spread(
    edges: Sequence[Edge],
    eligible: Mapping[MessageId, float],
    *,
    now: Instant,
    policy: AssociationPolicy,
    turn: str | None = None,
) -> Spread:
    """Return what each eligible candidate is lent: the strongest of its edges from a seed, times the seed's score.

    Args:
        edges: those that touch a seed.
        eligible: base scores, as for `seeds_of`.
        now: edges decay to this moment.
        policy: half-life and number of seeds.
        turn: digest of the turn; what it taught itself does not count in it.
    """
    known = [edge for edge in edges if edge.seen_by(turn) > 0]
    seeds = frozenset(seeds_of(eligible, policy))
    lent: dict[MessageId, float] = {}
    applied = 0
    for edge in known:
        if not (edge.source in eligible and edge.target in eligible and seeds.intersection(edge.pair)):
            continue
        applied += 1
        strength = clamp_unit(edge.seen_by(turn) * _decay(edge, now, policy))
        for giver, taker in (edge.pair, edge.pair[::-1]):
            if giver in seeds:
                lent[taker] = max(lent.get(taker, 0.0), strength * eligible[giver])
    return Spread(
        scores={taker: score for taker, score in lent.items() if score > 0},
        read=len(known),
        applied=applied,
    )


@attrs.frozen(kw_only=True)
class Learned:
    """What using several utterances together teaches."""

    #: Edges to put and edges to take away.
    put: tuple[Edge, ...] = ()
    prune: tuple[Edge, ...] = ()
    #: Pairs that were used together, those of them that this turn strengthened, edges that gave way (new ones among
    #: them), and edges there are now.
    proposed: int = 0
    reinforced: int = 0
    pruned: int = 0
    stored: int = 0


def learn(
    activations: Mapping[MessageId, float],
    held: Iterable[Edge],
    *,
    session: str,
    turn: str,
    now: Instant,
    policy: AssociationPolicy,
) -> Learned:
    """Return what one turn teaches; a pair learns from a turn once, however often the turn is assembled.

    Args:
        activations: final scores of what was used.
        held: every edge of the conversation.
        session: the conversation.
        turn: digest of the turn.
        now: the moment of the turn.
        policy: rate, ceiling, half-life and capacity.
    """
    before = {edge.pair: edge for edge in held}
    pairs = sorted(itertools.starmap(pair_of, itertools.combinations(activations, 2)))
    fresh = {
        pair: _strengthened(pair, before.get(pair), activations, session, turn, now, policy)
        for pair in pairs
        if pair not in before or before[pair].turn != turn
    }
    after = {**before, **fresh}
    excess = len(after) - max(1, policy.max_edges)
    pruned = _cheapest_first(after.values())[:excess] if excess > 0 and fresh else []
    gone = {edge.pair for edge in pruned}
    return Learned(
        put=tuple(edge for pair, edge in fresh.items() if pair not in gone),
        prune=tuple(edge for edge in pruned if edge.pair in before),
        proposed=len(pairs),
        reinforced=len(fresh),
        pruned=len(pruned),
        stored=len(after) - len(pruned),
    )


def _strengthened(
    pair: tuple[MessageId, MessageId],
    before: Edge | None,
    activations: Mapping[MessageId, float],
    session: str,
    turn: str,
    now: Instant,
    policy: AssociationPolicy,
) -> Edge:
    one, other = (clamp_unit(activations[end]) for end in pair)
    kept = 0.0 if before is None else before.weight * _decay(before, now, policy)
    weight = min(policy.max_weight, kept + policy.learning_rate * math.sqrt(one * other))
    if before is not None:
        return attrs.evolve(
            before, weight=weight, count=before.count + 1, updated_at=now, turn=turn, before=kept
        )
    source, target = pair
    return Edge(
        session=session,
        source=source,
        target=target,
        weight=weight,
        created_at=now,
        updated_at=now,
        turn=turn,
    )


def _decay(edge: Edge, now: Instant, policy: AssociationPolicy) -> float:
    return half_life(age_in_days(edge.updated_at, now), policy.half_life_days)


def _cheapest_first(edges: Iterable[Edge]) -> list[Edge]:
    """Return the edges in the order in which they give way; of equal ones the larger ids go first."""
    backwards = sorted(edges, key=lambda edge: edge.pair, reverse=True)
    return sorted(backwards, key=lambda edge: (edge.weight, edge.updated_at, edge.count))
