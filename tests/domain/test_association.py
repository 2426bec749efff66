"""Edges lend a little to what is eligible anyway, learn once for each turn, and keep to their number."""

from __future__ import annotations

import attrs
import pytest

from builders import NOW, days
from cmemory.domain.model.association import Edge, pair_of
from cmemory.domain.model.ids import MessageId
from cmemory.domain.policy import AssociationPolicy, WindowWeights
from cmemory.domain.scoring.association import Learned, learn, seeds_of, spread
from cmemory.domain.scoring.blend import normalised

A, B, C, D = map(MessageId, "abcd")
POLICY = AssociationPolicy(seed_limit=2)


def edge(
    one: MessageId, other: MessageId, weight: float, *, age: float = 0, turn: str = "t-0", count: int = 1
) -> Edge:
    source, target = pair_of(one, other)
    return Edge(
        session="s",
        source=source,
        target=target,
        weight=weight,
        count=count,
        created_at=days(-age),
        updated_at=days(-age),
        turn=turn,
    )


def taught(
    activations: dict[MessageId, float], held: tuple[Edge, ...] = (), *, turn: str = "t-1", **limits: float
) -> Learned:
    policy = attrs.evolve(POLICY, **limits)
    return learn(activations, held, session="s", turn=turn, now=NOW, policy=policy)


def test_seeds_are_the_first_ones() -> None:
    assert seeds_of({C: 0.9, A: 0.5, B: 0.1}, POLICY) == (C, A)


def test_an_edge_lends_both_ways_between_seeds_and_one_way_from_a_seed() -> None:
    """Weight times the giver's score; the strongest edge counts; C is no seed and gives nothing."""
    edges = (edge(A, B, 0.5), edge(B, C, 0.5), edge(A, C, 0.1))
    found = spread(edges, {A: 0.8, B: 0.4, C: 0.2}, now=NOW, policy=POLICY)
    assert found.scores == {A: 0.2, B: 0.4, C: 0.2}
    assert (found.read, found.applied) == (3, 3)


def test_an_edge_counts_only_between_eligible_ends_with_a_seed() -> None:
    """D is not eligible, and B and C are no seeds."""
    edges = (edge(A, D, 0.9), edge(B, C, 0.9))
    found = spread(edges, {A: 0.8, B: 0.4, C: 0.2}, now=NOW, policy=attrs.evolve(POLICY, seed_limit=1))
    assert found.scores == {}
    assert (found.read, found.applied) == (2, 0)


def test_edges_fade_by_half_in_a_half_life() -> None:
    found = spread(
        (edge(A, B, 0.8, age=45),), {A: 0.5, B: 0.1}, now=NOW, policy=attrs.evolve(POLICY, seed_limit=1)
    )
    assert found.scores == {B: pytest.approx(0.2)}


def test_learning_adds_to_what_is_left() -> None:
    """Half of 0.4 after a half-life, and the rate times the root of both activations; never more than the most."""
    old = edge(A, B, 0.4, age=45, count=3)
    learned = taught({B: 0.9, A: 0.4}, (old,), learning_rate=0.5)
    (new,) = learned.put
    assert new == attrs.evolve(
        old, weight=pytest.approx(0.5), count=4, updated_at=NOW, turn="t-1", before=pytest.approx(0.2)
    )
    (capped,) = taught({B: 0.9, A: 0.4}, (old,), learning_rate=0.5, max_weight=0.3).put
    assert capped.weight == 0.3
    (nothing,) = taught({B: -1.0, A: 0.4}).put
    assert nothing.weight == 0


def test_a_pair_learns_from_a_turn_once() -> None:
    """Decision 10: assembling the turn again neither teaches nor lets what it taught count; the next turn does."""
    first = taught({A: 0.9, B: 0.4})
    again = taught({A: 0.9, B: 0.4}, first.put)
    assert (first.reinforced, first.stored) == (1, 1)
    assert (again.put, again.prune, again.reinforced, again.stored) == ((), (), 0, 1)
    eligible = {A: 0.9, B: 0.4}
    assert spread(first.put, eligible, now=NOW, policy=POLICY, turn="t-1") == spread(
        (), eligible, now=NOW, policy=POLICY
    )
    assert spread(first.put, eligible, now=NOW, policy=POLICY, turn="t-2").applied == 1


def test_the_lightest_edges_give_way() -> None:
    """By weight, then age, then count, then the larger ids; and doing it again changes nothing."""
    held = (edge(A, D, 0.05, count=2), edge(B, D, 0.05), edge(C, D, 0.9))
    learned = taught({A: 1.0, B: 1.0}, held, max_edges=2)
    assert (held[1], held[0]) == learned.prune
    assert (learned.proposed, learned.reinforced, learned.pruned, learned.stored) == (1, 1, 2, 2)
    kept = (held[2], *learned.put)
    again = taught({A: 1.0, B: 1.0}, kept, max_edges=2)
    assert (again.put, again.prune) == ((), ())


def test_of_equal_edges_the_larger_ids_give_way() -> None:
    learned = taught({A: 1.0, B: 1.0, C: 1.0}, max_edges=2)
    assert [(A, B), (A, C)] == [one.pair for one in learned.put]
    assert (learned.proposed, learned.reinforced, learned.pruned, learned.stored) == (3, 3, 1, 2)


def test_room_for_one_edge_at_least() -> None:
    assert taught({A: 1.0, B: 1.0}, max_edges=0).stored == 1


def test_weights_are_shares() -> None:
    shares = attrs.astuple(
        normalised(WindowWeights(similarity=1, recency=3, importance=0, association=0, affect=0))
    )
    assert shares == (0.25, 0.75, 0, 0, 0)
