"""Whether what was forgotten is gone, and whether what keeps it away is whole."""

from __future__ import annotations

from collections.abc import Iterator

from cmemory.domain.audit.finding import Code
from cmemory.domain.audit.form import Found
from cmemory.domain.audit.rows import RecordRow, Snapshot
from cmemory.domain.errors import UsageError
from cmemory.domain.evidence.redaction import BLOT
from cmemory.domain.evidence.suppression import Guard, entities_of
from cmemory.domain.model.changes import Suppression, SuppressionKind
from cmemory.domain.model.instant import EARLIEST
from cmemory.domain.model.scope import Scope
from cmemory.domain.pattern import lazy_pattern
from cmemory.domain.policy import COMPANION

_DIGEST = lazy_pattern(r"[0-9a-f]{64}")
_KINDS = {kind.value: kind for kind in SuppressionKind}


def guard_of(snapshot: Snapshot, secret: bytes) -> Guard | None:
    """Return the guard that the rows of a scope make; None when they name no scope."""
    row = snapshot.scope
    try:
        scope = Scope(service=row.service, owner=row.owner, profile=row.profile)
    except UsageError:
        return None
    held = (
        Suppression(kind=_KINDS[one.kind], target=one.target, created_at=EARLIEST)
        for one in snapshot.suppressions
        if one.kind in _KINDS
    )
    return Guard.of(held, (), scope=scope, secret=secret, policy=COMPANION.forgetting)


def suppressed(snapshot: Snapshot, guard: Guard) -> Iterator[Found]:
    """Yield what is there although it was forgotten.

    A forgotten message may stay for what else it proves; then the forgotten part of it is blotted out, unless every
    byte of it proves something that stays.
    """
    for record in snapshot.records:
        if _covered(record, guard):
            yield Code.SUPPRESSED_PRESENT, record.id
    proving = {proof.source_id for proof in snapshot.evidence}
    for message in snapshot.messages:
        forgotten = message.id in guard.records and BLOT not in message.text and message.id not in proving
        if guard.everything or forgotten:
            yield Code.SUPPRESSED_PRESENT, message.id


def _covered(record: RecordRow, guard: Guard) -> bool:
    if guard.everything or record.id in guard.records:
        return True
    if getattr(record.body, "predicate", None) in guard.predicates:
        return True
    return any(guard.entity_digest(name) in guard.entities for name in entities_of(record.body)) and bool(
        guard.entities
    )


def fingerprints(snapshot: Snapshot) -> Iterator[Found]:
    """Yield the labels of hashes that nobody could lift, since no suppression bears that id, or that are no hashes."""
    targets = {one.target for one in snapshot.suppressions if one.kind == SuppressionKind.RECORD.value}
    for fingerprint in snapshot.fingerprints:
        if fingerprint.label not in targets or _DIGEST.fullmatch(fingerprint.digest) is None:
            yield Code.FINGERPRINT_LOOSE, fingerprint.label
