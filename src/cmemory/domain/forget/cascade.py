"""Recomputes what was derived from forgotten material. Losing evidence never raises confidence."""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from cmemory.domain.model.message import Evidence
from cmemory.domain.model.record import AnyRecord, InferenceRecord, is_inference


def recompute(
    records: Iterable[AnyRecord], gone: frozenset[str]
) -> tuple[tuple[InferenceRecord, ...], tuple[InferenceRecord, ...]]:
    """Return the inferences that lost all support and those that lost some.

    The first kind has nothing left to rest on and its wording came from what was forgotten, so it goes too. The second
    keeps what is left, with its confidence scaled by the share of support that remains.
    """
    collapsed: list[InferenceRecord] = []
    weakened: list[InferenceRecord] = []
    for record in records:
        if not is_inference(record):
            continue
        support = _left(record.body.support, gone)
        counter = _left(record.body.counter, gone)
        lost = len(record.body.support) - len(support)
        if lost and not support:
            collapsed.append(record)
        elif lost or len(counter) < len(record.body.counter):
            share = len(support) / len(record.body.support) if record.body.support else 1.0
            body = attrs.evolve(
                record.body, support=support, counter=counter, confidence=record.body.confidence * share
            )
            weakened.append(attrs.evolve(record, body=body))
    return tuple(collapsed), tuple(weakened)


def _left(evidence: tuple[Evidence, ...], gone: frozenset[str]) -> tuple[Evidence, ...]:
    return tuple(one for one in evidence if one.source_id not in gone)
