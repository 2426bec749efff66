"""By which terms a record is found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from cmemory.domain.model.bodies import Body, Claim, Note
from cmemory.domain.model.record import AnyRecord
from cmemory.domain.predicates.wording import own_words
from cmemory.domain.text.tokens import index_terms


def record_terms(record: AnyRecord) -> Mapping[str, int]:
    """Return the index terms of a record and how often each stands in it; see `body_terms`."""
    return body_terms(record.body)


def body_terms(body: Body) -> Mapping[str, int]:
    """Return the index terms of what a record says and how often each stands in it.

    A claim is found by its wording, its value and whom it is about; a note by its words and tags; anything else by its
    own words. Keys and tokens of
    ours are not indexed: nobody says them.
    """
    return Counter(term for text in texts_of(body) for term in index_terms(text))


def texts_of(body: Body) -> tuple[str, ...]:
    """Return the texts by which a record is found."""
    if isinstance(body, Note):
        return (body.text, *body.tags)
    return own_words(body) if isinstance(body, Claim) else (body.shown,)
