"""Texts as bags of tokens: a hashed vector, its cosine, and the weight of shared words in a small corpus.

No training and no network: the same text has the same vector on every machine.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from itertools import chain

import attrs

from cmemory.domain.pattern import lazy_pattern

_PRIME = 0x01000193
_MASK = 0xFFFFFFFF
#: The two bases of the hash: the first picks the bucket, the second the sign.
_BUCKET_BASIS = 0x811C9DC5
_SIGN_BASIS = 0x9E3779B9

#: What one single Chinese character counts beside a pair or a word.
_SINGLE_HAN = 0.25


_HAN = lazy_pattern(
    "[\u2e80-\u2e99\u2e9b-\u2ef3\u2f00-\u2fd5\u3005\u3007\u3021-\u3029\u3038-\u303b\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufa6d"
    "\ufa70-\ufad9\U00016fe2-\U00016ff6\U00020000-\U00033479]"
)


def hash32(text: str, basis: int) -> int:
    """Return the FNV-1a variant over code points: 32 bits, not cryptographic."""
    value = basis
    for ch in text:
        value = ((value ^ ord(ch)) * _PRIME) & _MASK
    return value


def stable_hash(text: str) -> str:
    """Return 16 hexadecimal digits that tell texts apart by accident, not by malice.

    >>> stable_hash("cedar")
    '711cce3c2fb12ba8'
    """
    return f"{hash32(text, _BUCKET_BASIS):08x}{hash32(text, _SIGN_BASIS):08x}"


#: A vector by its non-zero places, of length 1 unless it is empty.
Vector = Mapping[int, float]


def vector_of(tokens: Iterable[str], *, dimensions: int) -> Vector:
    """Return the hashed bag of the tokens, counted, each with a sign, at length 1.

    With an even number of dimensions the sign only tells even places from odd ones, since both hashes end in the same
    bit; it never cancels a collision then.
    """
    raw: dict[int, int] = {}
    for token in tokens:
        # The sign is the last bit of a second hash, which is the last bit of this one: bases and prime are odd.
        hashed = hash32(token, _BUCKET_BASIS)
        place = hashed % dimensions
        raw[place] = raw.get(place, 0) + (-1 if hashed & 1 else 1)
    norm = math.sqrt(sum(value * value for value in raw.values()))
    return {place: value / norm for place, value in raw.items() if value} if norm else {}


def cosine(one: Vector, other: Vector) -> float:
    """Return how alike two vectors of length 1 or 0 point, held within 0 and 1."""
    shared = sorted(one.keys() & other.keys())
    return min(1.0, max(0.0, sum(one[place] * other[place] for place in shared)))


@attrs.frozen
class Rarity:
    """How much each token tells in a corpus: rare ones more, single Chinese characters less."""

    #: How many texts there are.
    size: int
    #: Weights of the tokens that stand in any of them.
    weights: Mapping[str, float] = attrs.field(repr=False)

    @classmethod
    def of(cls, texts: Collection[frozenset[str]]) -> Rarity:
        """Return the rarity in a corpus given as the sets of its texts' tokens."""
        size, holding = len(texts), Counter(chain.from_iterable(texts))
        # Most tokens share their number with many others.
        common = {among: _rarity("", size, among) for among in set(holding.values())}
        return cls(
            size,
            {
                token: common[among] if len(token) > 1 else _rarity(token, size, among)
                for token, among in holding.items()
            },
        )

    def weight(self, token: str) -> float:
        """Return (1 + ln((N + 1) / (n + 1))), a quarter of it for one single Chinese character."""
        held = self.weights.get(token)
        return _rarity(token, self.size, 0) if held is None else held

    def total(self, tokens: Iterable[str]) -> float:
        """Return the weight of several tokens; summed exactly, so that their order does not matter."""
        try:
            return math.fsum(map(self.weights.__getitem__, tokens))
        except KeyError:
            return math.fsum(map(self.weight, tokens))

    def coverage(self, asked: frozenset[str], held: frozenset[str]) -> float:
        """Return which share of what is asked a text holds, 0 to 1; 0 when nothing is asked."""
        shared = asked & held
        return self.total(shared) / self.total(asked) if shared else 0.0

    def overlap(self, asked: frozenset[str], held: frozenset[str]) -> float:
        """Return the shared weight over all weight (Jaccard), 0 to 1; 0 when both are empty."""
        common = asked & held
        if not common:
            return 0.0
        shared = self.total(common)
        return shared / (self.total(asked) + self.total(held) - shared)


def _rarity(token: str, size: int, holding: int) -> float:
    factor = _SINGLE_HAN if len(token) == 1 and _HAN.match(token) else 1.0
    return factor * (1.0 + math.log((size + 1) / (holding + 1)))
