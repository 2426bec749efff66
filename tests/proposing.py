"""What the tests of the offline rules share: reading one message, and what holds for whatever is found."""

from __future__ import annotations

from datetime import tzinfo

from cmemory.domain.evidence.quote import check
from cmemory.domain.model.candidate import Candidate, ClaimCandidate, CorrectionCandidate, RetractionCandidate
from cmemory.domain.model.ids import MessageId
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.message import Message, Speaker
from cmemory.domain.predicates.identity import read_qualifiers
from cmemory.domain.predicates.registry import PREDICATES
from cmemory.domain.predicates.values import accept
from cmemory.domain.propose.rules import propose

#: Every message is spoken on Wednesday, 3 June 2026, at noon in Shanghai.
AT = Instant.parse("2026-06-03T04:00:00Z")


def proposed(text: str, zone: tzinfo) -> tuple[Candidate, ...]:
    """Return what is proposed for a message of the user."""
    message = Message(id=MessageId("m-1"), session="s1", speaker=Speaker.USER, text=text, at=AT)
    return propose(message, zone=zone)


def assert_sound(text: str, zone: tzinfo) -> None:
    """Check that every quote verifies, every claim fits the vocabulary, and the answer never varies."""
    found = proposed(text, zone)
    assert found == proposed(text, zone)
    for one in found:
        assert isinstance(one, (ClaimCandidate, RetractionCandidate, CorrectionCandidate))
        assert check(text, one.quote) is None
        if isinstance(one, ClaimCandidate):
            row = PREDICATES[one.predicate]
            assert accept(row, one.value) is not None
            assert read_qualifiers(row, one.qualifiers) is not None
            assert one.entity_ref or not row.requires_entity
            assert one.raw_value is None or one.raw_value in text
