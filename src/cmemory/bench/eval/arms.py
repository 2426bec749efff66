"""The arms: the same turns, played with different things remembered and different things shown.

An arm decides what is written after a turn and which records count as named before it. Everything else is the library as
a host uses it, gates included; a forced record that a gate denies stays withheld.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from types import MappingProxyType

import attrs

from cmemory.bench.eval.fixture import GoldClaim, GoldEpisode, GoldNote, Turn
from cmemory.domain.policy import Policy
from cmemory.domain.predicates.registry import is_boundary

#: Records that a forced arm may show; more than any fixture makes.
_NO_CAP = 10_000


class Arm(enum.Enum):
    """One way to play a fixture."""

    #: What the extractor reads is admitted; recall as usual.
    NORMAL = "normal"
    #: What is true is admitted; recall as usual.
    GOLD_RETRIEVED = "gold_retrieved"
    #: What is true is admitted, and all of it counts as named in every turn.
    GOLD_FORCED = "gold_forced"
    #: What is wrong is admitted, and all of it counts as named, while any of it is held.
    COUNTERFACTUAL_FORCED = "counterfactual_forced"
    #: Nothing is ever remembered.
    ZERO_MEMORY = "zero_memory"


class Source(enum.Enum):
    """What an arm writes after a turn."""

    EXTRACTOR = "extractor"
    GOLD = "gold"
    #: Wrong facts, with the boundaries and episodes that a gate holds against them.
    COUNTERFACTUAL = "counterfactual"
    NOTHING = "nothing"


@attrs.frozen(kw_only=True)
class Conduct:
    """How an arm is played."""

    writes: Source
    #: Whether every record written so far counts as named. A note with a day is left to its day, which forcing would hide.
    forces: bool = False

    def policy(self, policy: Policy) -> Policy:
        """Return the policy of the arm: where everything is forced, nothing is crowded out; gates are as ever."""
        if not self.forces:
            return policy
        return attrs.evolve(policy, plan=attrs.evolve(policy.plan, topic_cap=_NO_CAP, max_tokens=None))


CONDUCT: Mapping[Arm, Conduct] = MappingProxyType(
    {
        Arm.NORMAL: Conduct(writes=Source.EXTRACTOR),
        Arm.GOLD_RETRIEVED: Conduct(writes=Source.GOLD),
        Arm.GOLD_FORCED: Conduct(writes=Source.GOLD, forces=True),
        Arm.COUNTERFACTUAL_FORCED: Conduct(writes=Source.COUNTERFACTUAL, forces=True),
        Arm.ZERO_MEMORY: Conduct(writes=Source.NOTHING),
    }
)


@attrs.frozen(kw_only=True)
class Writing:
    """What is put to admission after a turn."""

    claims: tuple[GoldClaim, ...] = ()
    episodes: tuple[GoldEpisode, ...] = ()
    notes: tuple[GoldNote, ...] = ()
    #: Wrong facts.
    wrong: tuple[GoldClaim, ...] = ()


def writing(source: Source, turn: Turn) -> Writing:
    """Return what an arm writes of a turn by itself; what an extractor reads is not known here.

    Wrong facts never fall back to the true ones: a turn without any gives none.
    """
    match source:
        case Source.GOLD:
            return Writing(claims=turn.gold, episodes=turn.gold_episodes, notes=turn.gold_notes)
        case Source.COUNTERFACTUAL:
            boundaries = tuple(claim for claim in turn.gold if is_boundary(claim.predicate))
            return Writing(
                claims=boundaries, episodes=turn.gold_episodes, wrong=tuple(turn.counterfactual or ())
            )
        case Source.EXTRACTOR | Source.NOTHING:
            return Writing()


def order(repetition: int) -> tuple[Arm, ...]:
    """Return the arms in the order of a repetition: each goes first in its turn."""
    arms = tuple(Arm)
    first = repetition % len(arms)
    return (*arms[first:], *arms[:first])
