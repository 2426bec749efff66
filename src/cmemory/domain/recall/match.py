"""How well records match what is looked for. Knows neither what they weigh nor what may be told.

How rare a term is, is counted among the candidates, whether or not they may be told: everything that holds it is there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import attrs

from cmemory.domain.model.ids import RecordId
from cmemory.domain.model.record import AnyRecord
from cmemory.domain.policy import RecallPolicy
from cmemory.domain.recall.index import texts_of
from cmemory.domain.scoring.bm25 import bends, inverse_frequency, term_score
from cmemory.domain.text.tokens import content_terms

_HOUR = 3_600_000_000


@attrs.frozen(kw_only=True)
class Found:
    """A record that was found and may be told."""

    record: AnyRecord
    #: Whether the terms name it outright.
    named: bool = False


def match(
    terms: Mapping[str, float], found: Sequence[Found], candidates: Sequence[AnyRecord], policy: RecallPolicy
) -> Mapping[RecordId, float]:
    """Return how well each record matches, 0 to 1; all of them in full when there is nothing to compare by.

    Three parts, weighed by the policy: how well its own words match against the best, or in full where it is named
    outright; how much of what is looked for stands in it; and how much stands in what was learned along with it.

    Args:
        terms: what is looked for, and how much each term counts.
        found: records to compare, each once.
        candidates: all records with any of the terms, those among them.
        policy: the weights, and how long a sitting's pauses are.
    """
    counts = {one.id: _counts(one) for one in candidates}
    present = {name: sorted(terms.keys() & own.keys()) for name, own in counts.items()}
    held = {one.record.id: present[one.record.id] for one in found}
    parts = policy.record_own + policy.record_coverage + policy.record_sitting
    if not any(held.values()) or parts <= 0:
        return dict.fromkeys(held, 1.0)
    holding = Counter(term for some in present.values() for term in some)
    weights = {
        term: share * inverse_frequency(holding[term], len(counts)) for term, share in sorted(terms.items())
    }
    everything = sum(weights.values())
    average = max(1.0, sum(own.total() for own in counts.values()) / len(counts))
    own = {
        name: sum(
            term_score(
                weights[term],
                counts[name][term],
                bent=bends(term, policy),
                length=counts[name].total(),
                average=average,
            )
            for term in some
        )
        for name, some in held.items()
    }
    best = max(own.values())
    sittings = _sittings(found, policy)
    together: dict[int, set[str]] = {}
    for name, some in held.items():
        together.setdefault(sittings[name], set()).update(some)
    beside = {sitting: sum(weights[term] for term in sorted(all_of)) for sitting, all_of in together.items()}
    return {
        name: (
            policy.record_own * (1.0 if one.named else own[name] / best)
            + policy.record_coverage * sum(weights[term] for term in held[name]) / everything
            + policy.record_sitting * beside[sittings[name]] / everything
        )
        / parts
        for one in found
        for name in (one.record.id,)
    }


def _counts(record: AnyRecord) -> Counter[str]:
    return Counter(term for text in texts_of(record.body) for term in content_terms(text))


def _sittings(found: Sequence[Found], policy: RecallPolicy) -> Mapping[RecordId, int]:
    """Return by record in which sitting it was learned: a pause longer than the policy's begins another."""
    placed: dict[RecordId, int] = {}
    number, before = 0, None
    for one in sorted(found, key=lambda each: (each.record.created_at.microseconds, each.record.id)):
        at = one.record.created_at.microseconds
        if before is not None and at - before > policy.sitting_hours * _HOUR:
            number += 1
        placed[one.record.id] = number
        before = at
    return placed
