"""As much of a record as tells whether it may have to do with another: whom it follows, what proves it, and its words.

Stores make outlines of thousands of records where the records themselves would take too long.
"""

from __future__ import annotations

import attrs

from cmemory.domain.model.bodies import Body, Claim, Note, kind_name
from cmemory.domain.model.ids import RecordId
from cmemory.domain.model.record import AnyRecord
from cmemory.domain.predicates.wording import own_words


@attrs.frozen
class Outline:
    """As much of a record as tells whether it has to do with another."""

    id: RecordId
    #: See `bodies.kind_name`.
    kind: str
    supersedes: RecordId | None
    #: A text in which the key and all texts of the body stand, each of them whole, and perhaps more; see `words_of`.
    words: str
    #: Whatever proves it, and the words of each proof.
    sources: tuple[str, ...]
    quotes: tuple[str, ...]

    @classmethod
    def of(cls, record: AnyRecord) -> Outline:
        """Return the outline of a record."""
        return cls(
            record.id,
            kind_name(record.body),
            record.supersedes,
            words_of(record.body),
            tuple(one.source_id for one in record.evidence),
            tuple(one.quote.text for one in record.evidence if one.quote is not None),
        )


def words_of(body: Body) -> str:
    """Return all that a body says, one text for each line."""
    texts: tuple[str, ...] = (body.shown,)
    if isinstance(body, Claim):
        texts = (body.predicate, body.shown, *own_words(body))
    if isinstance(body, Note):
        texts = (body.text, *body.tags)
    return "\n".join(texts)
