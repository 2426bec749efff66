"""Which texts of a claim are the person's own, as against the tokens, numbers and dates we wrote for them."""

from __future__ import annotations

from cmemory.domain.model.bodies import Claim
from cmemory.domain.predicates.registry import ValueKind, find

#: Kinds whose values are words that somebody said.
_WORDED = frozenset({ValueKind.TEXT, ValueKind.ENTITY_REF})


def worded_value(claim: Claim) -> str | None:
    """Return the value when it is in words: nobody who says "warm" means our token for a tone.

    Under a key that has left the vocabulary a text counts as words, so that it can still be found and masked.
    """
    row = find(claim.predicate)
    worded = isinstance(claim.value, str) and (row is None or row.kind in _WORDED)
    return str(claim.value) if worded else None


def own_words(claim: Claim) -> tuple[str, ...]:
    """Return the wording, the worded value and whom the claim is about, each once and none blank.

    >>> own_words(Claim(predicate="communication.tone", value="warm", raw_value="温柔一点"))
    ('温柔一点',)
    """
    texts = (claim.raw_value, worded_value(claim), claim.entity_ref)
    return tuple(dict.fromkeys(text for text in texts if text is not None and text.strip()))
