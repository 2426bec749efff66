"""Decides on pointers to material that no quality gate has opened yet. They are kept for review and never recalled."""

from __future__ import annotations

from cmemory.domain.admit.ground import Decided
from cmemory.domain.model.candidate import Admission, Outcome, PendingCandidate, Reason
from cmemory.domain.model.changes import Changes, Pending
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.message import Message

#: What may wait for review: a state of the moment, or a conclusion.
KINDS = frozenset({"runtime_state", "inference"})


def admit_pending(candidate: PendingCandidate, message: Message, *, now: Instant) -> Decided:
    """Return the answer to a pointer. Its reason is a label of the proposer's, so it is kept only as long as the message."""
    if not candidate.id.strip() or candidate.kind not in KINDS:
        refusal = Admission(
            candidate_id=candidate.id,
            outcome=Outcome.REJECTED,
            reason=Reason.UNSUPPORTED_PENDING,
            detail="a pending pointer needs an id and the kind runtime_state or inference",
        )
        return refusal, Changes()
    kept = Admission(
        candidate_id=candidate.id,
        outcome=Outcome.PENDING,
        reason=Reason.PENDING_REVIEW,
        detail="waits for review",
    )
    pointer = Pending(
        id=candidate.id, kind=candidate.kind, message_id=message.id, reason=candidate.reason, created_at=now
    )
    return kept, Changes(pending=(pointer,))
