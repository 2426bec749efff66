"""What still resembles a forgotten text: reported to the person, never deleted behind their back.

The scan runs while the forgotten text is still at hand. Once only its keyed hash is left, no later scan can find a
paraphrase; that is the price of keeping nothing.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Sequence

import attrs

from cmemory.domain.model.ids import RecordId
from cmemory.domain.model.record import AnyRecord, is_claim
from cmemory.domain.policy import ForgettingPolicy
from cmemory.domain.predicates.values import normal_value
from cmemory.domain.text.normal import fold
from cmemory.domain.text.tokens import jaccard, residue_tokens


class ResidueKind(enum.Enum):
    """How sure the scan is."""

    #: The surviving record contains the forgotten text.
    EXACT = "exact"
    #: It shares much of its wording.
    SUSPECTED = "suspected"


@attrs.frozen(kw_only=True)
class Residue:
    """One surviving record that resembles what was forgotten."""

    kind: ResidueKind
    record_id: RecordId
    #: The forgotten record it contains; for exact finds.
    matched_id: RecordId | None = None
    #: Token overlap, 0 to 1; for suspected finds.
    similarity: float | None = None


def scan(
    forgotten: Sequence[AnyRecord], survivors: Iterable[AnyRecord], policy: ForgettingPolicy
) -> tuple[Residue, ...]:
    """Return exact finds in survivor order, then suspected ones, loudest first."""
    texts = compared(forgotten)
    tokens = [residue_tokens(text) for _, text in texts]
    exact: list[Residue] = []
    suspected: list[Residue] = []
    for survivor in survivors:
        shown = fold(_line(survivor))
        found = [
            Residue(kind=ResidueKind.EXACT, record_id=survivor.id, matched_id=label)
            for label, text in texts
            if text in shown
        ]
        exact += found
        if not found:
            # What does not so much as contain the tokens cannot share them, and to cut it into tokens takes longer.
            near = [one for one in tokens if share_held(one, shown) >= policy.residue_similarity]
            own = residue_tokens(shown) if near else frozenset()
            likeness = max((jaccard(own, one) for one in near), default=0.0)
            if likeness > 0 and likeness >= policy.residue_similarity:
                suspected.append(
                    Residue(kind=ResidueKind.SUSPECTED, record_id=survivor.id, similarity=likeness)
                )
    suspected.sort(key=lambda one: (-(one.similarity or 0.0), one.record_id))
    return (*exact, *suspected)


def compared(forgotten: Iterable[AnyRecord]) -> list[tuple[RecordId, str]]:
    """Return what is looked for in the survivors, by the forgotten records it comes from."""
    return [(label, text) for label, text in sorted((one.id, _normal(one)) for one in forgotten) if text]


def share_held(tokens: frozenset[str], text: str) -> float:
    """Return the share of the tokens that the text contains: never less than what it can have in common with them."""
    return sum(token in text for token in tokens) / len(tokens) if tokens else 0.0


def _normal(record: AnyRecord) -> str:
    return normal_value(record.body.value) if is_claim(record) else fold(record.body.shown)


def _line(record: AnyRecord) -> str:
    return f"{record.body.predicate}: {record.body.shown}" if is_claim(record) else record.body.shown
