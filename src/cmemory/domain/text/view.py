"""The scoring view: what a text is about, without the orders, courtesies and question words around it.

Used for weighing only; it is never stored and never shown. The order of the steps is part of the protocol.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import attrs

from cmemory.domain.lexicon import window_en as en
from cmemory.domain.lexicon import window_zh as zh
from cmemory.domain.pattern import lazy_pattern
from cmemory.domain.text.normal import compact
from cmemory.domain.text.tokens import bag_tokens
from cmemory.domain.text.vectors import Vector, vector_of

_FLAGS = re.IGNORECASE | re.ASCII
_CLAUSE_END = lazy_pattern(r"(?<=[.!?。！？]) ")


def any_of(words: Iterable[str]) -> str:
    """Return a pattern for any of the words or phrases, the longest first so that none hides another."""
    ordered = sorted(words, key=lambda word: (-len(word), word))
    return "(?:" + "|".join(map(re.escape, ordered)) + ")"


def whole(words: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern for any of the words as a whole one, in any case; word boundaries are those of ASCII."""
    return lazy_pattern(rf"\b{any_of(words)}\b", _FLAGS)


#: A clause that begins so says how to answer, and nothing else.
_ORDER = lazy_pattern(
    rf"(?:for [^.!?。！？]*?, ?)?(?:please )?{any_of(en.ORDERS)} {any_of(en.MANNERS)}\b|请?[只仅]?(?:回复|输出)\b",
    _FLAGS,
)
#: The same as the original, where the Chinese order is cut out and the fact behind it stays: "回复OK 灯是暖色".
_ZH_ORDER = lazy_pattern(r"请?[只仅]?(?:回复|输出)[A-Za-z0-9_]+[。.!]?(?: |\Z)")

#: Orders that end a text: everything from here on is taken away.
_TAILS = (
    lazy_pattern(any_of(zh.ORDERS)),
    lazy_pattern(rf"\b(?:only {any_of(en.ONLY_ORDERS)}|do not {any_of(en.DO_NOT)})", _FLAGS),
)

#: What is put in the place of what, one after the other.
_REPLACED: tuple[tuple[re.Pattern[str], str], ...] = (
    (lazy_pattern(f"请?{any_of(zh.FILLERS)}"), " "),
    (lazy_pattern("|".join(zh.CLICHES)), " "),
    (whole(en.FILLERS), " "),
    *((whole((word,)), same) for word, same in en.SAME.items()),
    (lazy_pattern("|".join(zh.QUESTION_WORDS)), " "),
)


def scoring_view(text: str, *, original: bool = False) -> str:
    """Return the part of a text that says what it is about; empty when nothing does.

    Args:
        text: in any form.
        original: whether a Chinese order without a sentence end takes the fact behind it along, as it once did.

    >>> scoring_view("For this drill, reply only ACK. The Lyra relay port is 7001.")
    'Lyra relay port 7001.'
    >>> scoring_view("回复OK 灯是暖色"), scoring_view("回复OK 灯是暖色", original=True)
    ('灯是暖色', '')
    """
    kept = (_matter(clause, original) for clause in _CLAUSE_END.split(compact(text)))
    view = " ".join(clause for clause in kept if clause)
    for tail in _TAILS:
        found = tail.search(view)
        view = view[: found.start()] if found else view
    for pattern, put in _REPLACED:
        view = pattern.sub(put, view)
    return compact(view)


def _matter(clause: str, original: bool) -> str:
    if not original and (found := _ZH_ORDER.match(clause)):
        return clause[found.end() :]
    return "" if _ORDER.match(clause) else clause


@attrs.frozen
class Features:
    """A text in the forms in which texts are compared."""

    #: The compacted text.
    plain: str
    #: What it is about.
    view: str
    #: Tokens of the view, as a set.
    terms: frozenset[str]
    #: Hashed tokens of the view.
    vector: Vector = attrs.field(repr=False)

    @classmethod
    def of(cls, text: str, *, aware: bool, original: bool, dimensions: int) -> Features:
        """Return the features of a text.

        Args:
            text: in any form.
            aware: whether the view is what is compared; otherwise the text itself.
            original: final stops and orders as the original protocol reads them.
            dimensions: of the vector.
        """
        plain = compact(text)
        view = scoring_view(plain, original=original) if aware else plain
        tokens = bag_tokens(view, final_stops=original)
        return cls(plain, view, frozenset(tokens), vector_of(tokens, dimensions=dimensions))
