"""How near texts are in meaning to what is looked for, by vectors that a model made of both.

Vectors of one model share most of their direction, whatever the texts say: unrelated Chinese texts have a cosine of 0.84
with some. What they share is therefore taken off first, as the mean of what was said lately, and no fixed number is
compared with a cosine as it is. Nearness reorders and proposes; it gives leave to nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from operator import mul, sub

import attrs

from cmemory.domain.model.embedding import Embedding, unpacked
from cmemory.domain.policy import EmbeddingPolicy
from cmemory.domain.recall.said import Stretch
from cmemory.domain.text.tokens import is_cjk

Vector = Sequence[float]


@attrs.frozen(kw_only=True)
class Nearness:
    """How near texts are, by id, and what that counts in a score."""

    #: 0 to 1; what is absent is not near at all.
    near: Mapping[str, float] = attrs.field(factory=dict)
    weight: float = 0.0

    def of(self, name: str) -> float:
        """Return how near a text is, 0 to 1."""
        return self.near.get(name, 0.0)

    def outstanding(self, policy: EmbeddingPolicy) -> list[str]:
        """Return the ids of texts that are near enough to be found without a word in common, the nearest first."""
        found = sorted((-near, name) for name, near in self.near.items() if near >= policy.floor)
        return [name for _, name in found]


#: What there is where nobody makes vectors.
NOTHING_NEAR = Nearness()


@attrs.frozen(kw_only=True)
class Compass:
    """What somebody looks for as a vector, with what all vectors share taken off."""

    asked: Vector
    shared: Vector
    #: Length of ``shared``, squared.
    square: float
    #: Product of ``asked`` and ``shared``.
    offset: float
    norm: float

    @classmethod
    def of(cls, asked: Vector, known: Mapping[str, Vector], policy: EmbeddingPolicy) -> Compass | None:
        """Return where to look, None where too few vectors are known to tell what they share.

        Args:
            asked: the vector of what is looked for, of length 1.
            known: vectors by the same model, such as those of the newest texts; see `vectors_of`.
            policy: how many vectors are enough.
        """
        if len(known) < policy.min_vectors:
            return None
        shared = [sum(column) / len(known) for column in zip(*known.values(), strict=True)]
        left = list(map(sub, asked, shared))
        square, norm = _dot(shared, shared), math.sqrt(_dot(left, left))
        if not norm:
            return None
        return cls(asked=left, shared=shared, square=square, offset=_dot(left, shared), norm=norm)

    def near(self, known: Mapping[str, Vector]) -> Mapping[str, float]:
        """Return how near each of these is, by id."""
        found = ((name, self._near(vector)) for name, vector in known.items())
        return {name: near for name, near in found if near > 0}

    def _near(self, vector: Vector) -> float:
        square = _dot(vector, vector) - 2 * _dot(vector, self.shared) + self.square
        if square <= 0:
            return 0.0
        return min(1.0, (_dot(vector, self.asked) - self.offset) / (math.sqrt(square) * self.norm))


def vectors_of(known: Iterable[Embedding], *, places: int) -> Mapping[str, Vector]:
    """Return vectors by id; those of another length are left out."""
    found = ((one.id, unpacked(one.vector)) for one in known)
    return {name: vector for name, vector in found if len(vector) == places}


def with_surroundings(
    near: Mapping[str, float], stretches: Iterable[Stretch], share: float
) -> Mapping[str, float]:
    """Return the nearness of messages in which what stands beside them counts so much of the whole."""
    found = dict(near)
    for stretch in stretches:
        ids = [one.message.id for one in stretch]
        for at, name in enumerate(ids):
            beside = ids[max(0, at - 2) : at] + ids[at + 1 : at + 3]
            if beside:
                mean = sum(near.get(one, 0.0) for one in beside) / len(beside)
                found[name] = max(found.get(name, 0.0), (1 - share) * near.get(name, 0.0) + share * mean)
    return found


def weight_of(terms: Iterable[str], policy: EmbeddingPolicy) -> float:
    """Return what nearness counts for these terms: between the weights of the two scripts, by their shares."""
    chinese = [is_cjk(term[0]) for term in terms]
    share = sum(chinese) / len(chinese) if chinese else 0.0
    return policy.weight + share * (policy.weight_chinese - policy.weight)


def _dot(one: Vector, other: Vector) -> float:
    return math.fsum(map(mul, one, other))
