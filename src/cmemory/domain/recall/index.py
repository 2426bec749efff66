"""By which terms a record is found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from cmemory.domain.model.bodies import Claim
from cmemory.domain.model.record import AnyRecord
from cmemory.domain.text.tokens import index_terms


def record_terms(record: AnyRecord) -> Mapping[str, int]:
    """Return the index terms of a record and how often each stands in it.

    A claim is found by its wording, its value and whom it is about; anything else by its own words. Keys and tokens of
    ours are not indexed: nobody says them.
    """
    body = record.body
    texts = {body.shown}
    if isinstance(body, Claim):
        texts.update(text for text in (body.value, body.entity_ref) if isinstance(text, str))
    return Counter(term for text in sorted(texts) for term in index_terms(text))
