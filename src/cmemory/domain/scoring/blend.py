"""Blends named parts into one score, so that a trace can tell what a score is made of."""

from __future__ import annotations

import math

import attrs

from cmemory.domain.errors import UsageError
from cmemory.domain.policy import WindowWeights


def normalised(weights: WindowWeights) -> WindowWeights:
    """Return the weights divided by their sum.

    Raises:
        UsageError: one is negative or no number, or all are 0.
    """
    shares: tuple[float, ...] = attrs.astuple(weights)
    total = math.fsum(shares)
    if not (all(share >= 0 for share in shares) and 0 < total < math.inf):
        raise UsageError(field="weights", problem="must be 0 or more each, and more than 0 together")
    return WindowWeights(**{name: share / total for name, share in attrs.asdict(weights).items()})


@attrs.frozen(kw_only=True)
class ScoreCard:
    """What one utterance scored. Every part is from 0 to 1."""

    #: Cosine of the hashed vectors, and the shared words; both are in ``similarity``.
    cosine: float
    lexical: float
    similarity: float
    recency: float
    importance: float
    affect: float
    #: What associated utterances lend it.
    association: float = 0.0
    #: Factor on everything but the association.
    utility: float
    #: Normalised.
    weights: WindowWeights = attrs.field(repr=False)
    #: The score without associations.
    base: float = attrs.field(init=False)
    #: The score that ranks.
    final: float = attrs.field(init=False)

    @base.default
    def _base(self) -> float:
        weights = self.weights
        parts = (
            weights.similarity * self.similarity,
            weights.recency * self.recency,
            weights.importance * self.importance,
            weights.affect * self.affect,
        )
        return math.fsum(parts) * self.utility

    @final.default
    def _final(self) -> float:
        return self.base + self.weights.association * self.association

    def lent(self, association: float) -> ScoreCard:
        """Return the card with what associated utterances lend."""
        return attrs.evolve(self, association=association)
