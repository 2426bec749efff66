"""How a record is worded where it is shown, and in which of its texts a fenced topic would be betrayed."""

from __future__ import annotations

from cmemory.domain.model.bodies import Claim, Note
from cmemory.domain.model.record import AnyRecord


def line_of(record: AnyRecord) -> str:
    """Return the line by which a record is shown: a claim under its predicate, anything else in its own words."""
    body = record.body
    return f"{body.predicate}: {body.shown}" if isinstance(body, Claim) else body.shown


def spoken_texts(record: AnyRecord) -> tuple[str, ...]:
    """Return the texts in which a fenced topic would be betrayed."""
    body = record.body
    if isinstance(body, Claim):
        return tuple(text for text in (body.shown, str(body.value), body.entity_ref) if text)
    return (body.text, *body.tags) if isinstance(body, Note) else (body.shown,)
