"""Boundary shielding: what the person asked not to hear about is withheld before ranking, whatever cues it.

The model must never see a rule and the forbidden text side by side and be left to sort them out.
"""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from cmemory.domain.model.bodies import Claim
from cmemory.domain.model.record import ClaimRecord
from cmemory.domain.predicates.registry import is_boundary
from cmemory.domain.text.normal import fold
from cmemory.domain.text.tokens import contains_word, topic_pairs, topic_words


@attrs.frozen(kw_only=True)
class Shield:
    """The topics one person fenced off."""

    phrases: tuple[str, ...] = ()
    pairs: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()

    @classmethod
    def of(cls, claims: Iterable[ClaimRecord]) -> Shield:
        """Return the shield that the active boundaries among the claims raise."""
        tokens = sorted(
            {
                token
                for record in claims
                if is_boundary(record.body.predicate)
                if (token := _token(record.body))
            }
        )
        return cls(
            phrases=tuple(tokens),
            pairs=frozenset().union(*map(topic_pairs, tokens)),
            words=frozenset().union(*map(topic_words, tokens)),
        )

    def covers(self, *texts: str) -> bool:
        """Tell whether a text touches a fenced topic: it holds a boundary's words, or shares a topic with one."""
        return bool(self.phrases) and any(self._touches(text) for text in texts)

    def _touches(self, text: str) -> bool:
        folded = fold(text)
        return (
            any(contains_word(folded, phrase) for phrase in self.phrases)
            or not self.pairs.isdisjoint(topic_pairs(folded))
            or not self.words.isdisjoint(topic_words(folded))
        )


def _token(claim: Claim) -> str:
    """Return what a boundary is about: its value, since the wording is usually a whole sentence."""
    value = claim.value if isinstance(claim.value, str) else ""
    return fold(value) or fold(claim.raw_value or "")
