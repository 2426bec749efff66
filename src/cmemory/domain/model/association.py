"""Edges between utterances that were of use together: co-retrieval, neither truth nor cause."""

from __future__ import annotations

import attrs

from cmemory.domain.model.ids import MessageId
from cmemory.domain.model.instant import Instant


@attrs.frozen(kw_only=True)
class Edge:
    """One undirected edge. There is at most one for a pair, and it lives in one conversation."""

    session: str
    #: The smaller id of the pair; ``target`` is the larger one.
    source: MessageId
    target: MessageId
    #: 0 or more, as of ``updated_at``; it decays from there.
    weight: float
    #: How often the two were of use together.
    count: int = 1
    created_at: Instant
    updated_at: Instant
    #: The turn that strengthened it last, as a digest, and what it weighed just before, at that moment; 0 when it was new.
    #: So a turn that is assembled again sees what it saw the first time.
    turn: str
    before: float = 0.0

    @property
    def pair(self) -> tuple[MessageId, MessageId]:
        """Its two ends, in order of id."""
        return self.source, self.target

    def seen_by(self, turn: str | None) -> float:
        """Return its weight as of ``updated_at``, without what the given turn itself has added."""
        return self.before if self.turn == turn else self.weight


def pair_of(one: MessageId, other: MessageId) -> tuple[MessageId, MessageId]:
    """Return two ids in the order in which an edge holds them."""
    return (one, other) if one < other else (other, one)
