"""Texts as bags of tokens: a hashed vector, its cosine, and the weight of shared words in a small corpus.

No training and no network: the same text has the same vector on every machine.
"""

from __future__ import annotations

import math
import re
import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache

import attrs

#: White space as ECMAScript has it, which is what the retrieval protocol was measured with.
_SPACE = re.compile("[\t-\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+")

_PRIME = 0x01000193
_MASK = 0xFFFFFFFF
#: The two bases of the hash: the first picks the bucket, the second the sign.
_BUCKET_BASIS = 0x811C9DC5
_SIGN_BASIS = 0x9E3779B9

#: ASCII characters that hold a token together beside letters and numbers: ``v1.5``, ``a@b.c``, ``/usr/lib``.
_JOINERS = frozenset("_./:@\\-")
#: Joiners that a sentence may put behind its last word. Left on, "port" and "port." were two words.
_STOPS = ".:-"

#: What one single Chinese character counts beside a pair or a word.
_SINGLE_HAN = 0.25


def compact(text: str) -> str:
    """Return the text in NFKC with every run of white space as one space, trimmed: the form all comparing starts from.

    >>> compact("  Ａ，b\\n c ")
    'A,b c'
    """
    return _SPACE.sub(" ", unicodedata.normalize("NFKC", text)).strip(" ")


def bag_tokens(text: str, *, final_stops: bool = False) -> list[str]:
    """Return the tokens of a text in order, repeats kept.

    A run of letters, numbers and joiners is one token; where it holds any Chinese, Japanese or Korean character, each of
    its characters is one, and each pair of neighbours.

    Args:
        text: any text.
        final_stops: whether a stop, colon or hyphen behind a word belongs to it, as the original protocol has it.

    >>> bag_tokens("Rex住在3楼。 Yes."), bag_tokens("Yes.", final_stops=True)
    (['r', 're', 'e', 'ex', 'x', 'x住', '住', '住在', '在', '在3', '3', '3楼', '楼', 'yes'], ['yes.'])
    """
    tokens: list[str] = []
    for run in _runs(compact(text).lower()):
        word = run if final_stops else run.rstrip(_STOPS)
        if any(map(_is_ideographic, word)):
            for at, ch in enumerate(word):
                tokens.append(ch)
                tokens.extend([word[at : at + 2]] if at + 1 < len(word) else [])
        elif word:
            tokens.append(word)
    return tokens


def _runs(text: str) -> Iterable[str]:
    run = ""
    for ch in text:
        if ch in _JOINERS or unicodedata.category(ch)[0] in "LN":
            run += ch
        elif run:
            yield run
            run = ""
    if run:
        yield run


#: Han, Hiragana, Katakana and Hangul by their scripts, as ends of ranges: first, last, first, last …
_RANGES = (
    "1100-11ff 2e80-2e99 2e9b-2ef3 2f00-2fd5 3005-3005 3007-3007 3021-302f 3031-3035 3038-303b 3041-3096 309d-309f "
    "30a1-30fa 30fd-30ff 3131-318e 31f0-31ff 3200-321e 3260-327e 32d0-32fe 3300-3357 3400-4dbf 4e00-9fff a960-a97c "
    "ac00-d7a3 d7b0-d7c6 d7cb-d7fb f900-fa6d fa70-fad9 ff66-ff6f ff71-ff9d ffa0-ffbe ffc2-ffc7 ffca-ffcf ffd2-ffd7 "
    "ffda-ffdc 16fe2-16fe3 16ff0-16ff6 1aff0-1b167 1f200-1f200 20000-2a6df 2a700-2b81d 2b820-2cead 2ceb0-2ebe0 "
    "2ebf0-2ee5d 2f800-2fa1d 30000-3134a 31350-33479"
)
_EDGES = tuple(
    edge
    for pair in _RANGES.split()
    for first, last in [pair.split("-")]
    for edge in (int(first, 16), int(last, 16) + 1)
)
_HAN = re.compile(
    "[\u2e80-\u2e99\u2e9b-\u2ef3\u2f00-\u2fd5\u3005\u3007\u3021-\u3029\u3038-\u303b\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufa6d"
    "\ufa70-\ufad9\U00016fe2-\U00016ff6\U00020000-\U00033479]"
)


def _is_ideographic(ch: str) -> bool:
    return ch > "\u10ff" and bisect_right(_EDGES, ord(ch)) % 2 == 1


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
    raw: Counter[int] = Counter()
    for token in tokens:
        place, sign = _placed(token)
        raw[place % dimensions] += sign
    norm = math.sqrt(sum(value * value for value in raw.values()))
    return {place: value / norm for place, value in raw.items() if value} if norm else {}


@lru_cache(maxsize=65_536)
def _placed(token: str) -> tuple[int, int]:
    return hash32(token, _BUCKET_BASIS), -1 if hash32(token, _SIGN_BASIS) & 1 else 1


def cosine(one: Vector, other: Vector) -> float:
    """Return how alike two vectors of length 1 or 0 point, held within 0 and 1."""
    few, many = (one, other) if len(one) <= len(other) else (other, one)
    return min(1.0, max(0.0, sum(value * many.get(place, 0.0) for place, value in sorted(few.items()))))


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
        holding = Counter(token for tokens in texts for token in tokens)
        return cls(len(texts), {token: _rarity(token, len(texts), among) for token, among in holding.items()})

    def weight(self, token: str) -> float:
        """Return (1 + ln((N + 1) / (n + 1))), a quarter of it for one single Chinese character."""
        held = self.weights.get(token)
        return _rarity(token, self.size, 0) if held is None else held

    def total(self, tokens: Iterable[str]) -> float:
        """Return the weight of several tokens; summed in one order, so that a sum is the same everywhere."""
        return math.fsum(map(self.weight, tokens))

    def coverage(self, asked: frozenset[str], held: frozenset[str]) -> float:
        """Return which share of what is asked a text holds, 0 to 1; 0 when nothing is asked."""
        whole = self.total(asked)
        return self.total(asked & held) / whole if whole else 0.0

    def overlap(self, asked: frozenset[str], held: frozenset[str]) -> float:
        """Return the shared weight over all weight (Jaccard), 0 to 1; 0 when both are empty."""
        shared = self.total(asked & held)
        union = self.total(asked) + self.total(held) - shared
        return shared / union if union > 0 else 0.0


def _rarity(token: str, size: int, holding: int) -> float:
    factor = _SINGLE_HAN if len(token) == 1 and _HAN.match(token) else 1.0
    return factor * (1.0 + math.log((size + 1) / (holding + 1)))


def shortened(text: str, limit: int, *, head: float) -> str:
    """Return the text cut to a number of code points, its head and its tail kept and joined by an ellipsis.

    Args:
        text: what is cut.
        limit: code points at most.
        head: share of what is kept that stands before the ellipsis, 0 to 1.

    >>> shortened("abcdefghij", 6, head=0.72)
    'abcd…j'
    """
    if len(text) <= limit:
        return text
    front = math.ceil((limit - 1) * head)
    back = limit - 1 - front
    return text[:front] + "…" + (text[-back:] if back else "")
