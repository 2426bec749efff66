"""The parts of BM25 that whatever ranks by words shares: how rare a term is, and how fast repeats of it stop counting."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TypeVar

from cmemory.domain.policy import RecallPolicy
from cmemory.domain.text.tokens import is_cjk

K = TypeVar("K", bound=str)


def inverse_frequency(holding: float, whole: int) -> float:
    """Return how much a term tells that so many of all texts hold; above 0, the rarer the more."""
    return math.log(1 + (whole - holding + 0.5) / (holding + 0.5))


def shares_of_rarity(holders: Iterable[Sequence[K]], whole: int) -> dict[K, float]:
    """Return how much of what is looked for each text shares, rare terms counting more, as a share of the best.

    For texts so short that repeats and lengths tell nothing.

    Args:
        holders: for each term that is looked for, the texts that hold it. Sums of fractions depend on their order, so
            the terms come in one that is always the same.
        whole: how many texts there are.
    """
    shared: defaultdict[K, float] = defaultdict(float)
    for names in holders:
        rare = inverse_frequency(len(names), whole)
        for name in names:
            shared[name] += rare
    best = max(shared.values(), default=1.0)
    return {name: told / best for name, told in shared.items()}


def bends(term: str, policy: RecallPolicy) -> tuple[float, float]:
    """Return the saturation of a term's repeats and the weight of a text's length, by the term's script."""
    return (policy.k1_chinese, policy.b_chinese) if is_cjk(term[0]) else (policy.k1, policy.b)


def term_score(
    weight: float, count: float, *, bent: tuple[float, float], length: float, average: float
) -> float:
    """Return what a term adds to a text's score.

    Args:
        weight: what the term counts.
        count: how often it stands in the text; a share where neighbours lend theirs.
        bent: what `bends` says of the term.
        length: of the text, in words.
        average: of all texts, above 0.
    """
    k1, b = bent
    norm = k1 * (1 - b + b * length / average)
    return weight * count * (k1 + 1) / (count + norm)
