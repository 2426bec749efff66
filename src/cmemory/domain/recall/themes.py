"""What themes of everyday life somebody looks for, as index terms. Knows nothing of ranking."""

from __future__ import annotations

from functools import cache

import attrs

from cmemory.domain.lexicon.en_forms import IRREGULAR
from cmemory.domain.lexicon.en_short import SAME
from cmemory.domain.lexicon.themes import THEMES
from cmemory.domain.text.tokens import content_terms, index_terms, is_cjk, stem


@attrs.frozen(kw_only=True)
class Theme:
    """A theme that is looked for."""

    #: Whether it was named ("pets"); otherwise something that belongs to it was ("turtle").
    named: bool
    #: The index terms of its words.
    terms: frozenset[str]


def themes_in(text: str) -> tuple[Theme, ...]:
    """Return the themes of what is looked for, in the order of the lexicon.

    >>> [sorted(theme.terms & {"turtl", "猫", "violin"}) for theme in themes_in("Do I have pets?")]
    [['turtl', '猫']]
    """
    every, content = frozenset(index_terms(text)), frozenset(content_terms(text))
    found = (
        Theme(named=named, terms=names | members)
        for names, members in _themes()
        for named in (not names.isdisjoint(every),)
        if named or not members.isdisjoint(content)
    )
    return tuple(found)


@cache
def same_words() -> dict[str, frozenset[str]]:
    """Return for each index term that has others of the same meaning all of them, itself included."""
    return {term: group for words in SAME for group in (frozenset(map(_term, words)),) for term in group}


@cache
def _themes() -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
    # Stems take a while, so they wait until somebody looks for something.
    return tuple((_terms(names), _terms(members)) for names, members in THEMES)


def _terms(words: str) -> frozenset[str]:
    return frozenset(map(_term, words.split()))


def _term(word: str) -> str:
    """Return the index term by which a word is told; of a long Chinese one its first pair."""
    return word[:2] if is_cjk(word[0]) else stem(IRREGULAR.get(word, word))
