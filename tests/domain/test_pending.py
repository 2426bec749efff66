"""Pointers that wait for a quality gate."""

from __future__ import annotations

import pytest

from builders import NOW, message
from cmemory.domain.admit.pending import admit_pending
from cmemory.domain.model.candidate import Outcome, PendingCandidate, Reason
from cmemory.domain.model.changes import Changes, Pending

SOURCE = message("今天好累", id="m-7")


@pytest.mark.parametrize("kind", ["runtime_state", "inference"])
def test_known_kinds_wait(kind: str) -> None:
    """A pointer keeps its id, kind, reason and message, and changes no plan."""
    admission, changes = admit_pending(PendingCandidate(id="p-1", kind=kind, reason="mood"), SOURCE, now=NOW)
    assert (Outcome.PENDING, Reason.PENDING_REVIEW) == (admission.outcome, admission.reason)
    kept = Pending(id="p-1", kind=kind, message_id=SOURCE.id, reason="mood", created_at=NOW)
    assert Changes(pending=(kept,)) == changes


@pytest.mark.parametrize(
    ("name", "kind"), [("p-1", "claim"), ("p-1", ""), (" ", "inference"), ("", "runtime_state")]
)
def test_other_pointers_are_refused(name: str, kind: str) -> None:
    """A blank id or another kind stores nothing."""
    admission, changes = admit_pending(PendingCandidate(id=name, kind=kind, reason=""), SOURCE, now=NOW)
    assert (Outcome.REJECTED, Reason.UNSUPPORTED_PENDING) == (admission.outcome, admission.reason)
    assert not changes
