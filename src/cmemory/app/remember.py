"""Takes in one statement and decides on it at once, instead of leaving it to the inbox."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from cmemory.app.admit import Desk
from cmemory.app.inspect import known
from cmemory.app.services import Services
from cmemory.domain.errors import UsageError
from cmemory.domain.evidence.quote import locate
from cmemory.domain.model.candidate import (
    Admission,
    Candidate,
    ClaimCandidate,
    PendingCandidate,
    Reason,
    RetractionCandidate,
)
from cmemory.domain.model.changes import Changes
from cmemory.domain.model.ids import derive_id
from cmemory.domain.model.message import Message
from cmemory.domain.model.record import ClaimRecord, Provenance, is_claim
from cmemory.domain.model.scope import Scope
from cmemory.domain.predicates.registry import PREDICATES, find

#: Proposed by the host itself, on the person's behalf.
_HOST = Provenance(proposer="host")


def remember(services: Services, scope: Scope, message: Message) -> tuple[Admission, ...]:
    """Let the extractor read a message now and decide on what it proposes.

    Raises:
        ModelError: the extractor has no answer; the message is not written.
    """
    extraction = services.extractor(message)
    with services.store.write(scope) as unit:
        desk = Desk.open(services, scope, unit)
        if (
            unit.message(message.id) is None
            and not desk.guard.everything
            and message.id not in desk.guard.records
        ):
            unit.apply(Changes(messages=(message,)))
        return desk.admit(
            message,
            extraction.candidates,
            provenance=extraction.provenance,
            now=message.at,
            pending=extraction.pending,
        )


def admit(
    services: Services,
    scope: Scope,
    message: Message,
    candidates: Sequence[Candidate],
    *,
    pending: Sequence[PendingCandidate] = (),
) -> tuple[Admission, ...]:
    """Decide on candidates that the host brings; the message is written with the first record it proves."""
    with services.store.write(scope) as unit:
        desk = Desk.open(services, scope, unit)
        return desk.admit(message, candidates, provenance=_HOST, now=message.at, pending=pending)


def stated_claim(
    message: Message,
    *,
    predicate: str,
    value: object,
    quote: str | None,
    entity: str | None,
    qualifiers: object,
    confidence: float,
) -> ClaimCandidate:
    """Return the candidate for a fact the host names outright, proved by the message or a stretch of it.

    Raises:
        UsageError: the quote does not stand in the message exactly once.
    """
    found = locate(message.text, quote if quote is not None else message.text)
    if isinstance(found, Reason):
        raise UsageError(field="quote", problem="must stand in the text exactly once")
    raw = value if isinstance(value, str) and value in message.text else None
    return ClaimCandidate(
        id=derive_id("c", message.id, predicate, entity or "", str(value), found.text),
        predicate=predicate,
        value=value,
        quote=found,
        raw_value=raw,
        entity_ref=entity,
        qualifiers=qualifiers,
        confidence=confidence,
    )


def update(
    services: Services, scope: Scope, record_id: str, message: Message, *, value: object, quote: str | None
) -> tuple[Admission, ...]:
    """Replace a claim's value by what the message states: the old one is taken back, the new one admitted.

    Raises:
        UsageError: there is no such claim, or the quote does not stand in the message exactly once.
    """
    with services.store.write(scope) as unit:
        record = known(unit, record_id)
        if not is_claim(record):
            raise UsageError(field="record_id", problem="only a claim can be given another value")
        old = record.body
        new = stated_claim(
            message,
            predicate=old.predicate,
            value=value,
            quote=quote,
            entity=old.entity_ref,
            qualifiers=dict(old.qualifiers),
            confidence=old.confidence,
        )
        correction = attrs.evolve(new, replaces=record.id)
        return Desk.open(services, scope, unit).admit(
            message, (*_taken_back(record, new), correction), provenance=_HOST, now=message.at
        )


def _taken_back(record: ClaimRecord, new: ClaimCandidate) -> tuple[RetractionCandidate, ...]:
    """Return the retraction that makes room where the key never replaces anything by itself."""
    if find(record.body.predicate) is not PREDICATES["misc.unclassified"]:
        return ()
    retraction = RetractionCandidate(
        id=derive_id("r", new.id, record.id),
        predicates=(record.body.predicate,),
        quote=new.quote,
        value=str(record.body.value),
    )
    return (retraction,)
