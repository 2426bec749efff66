"""Decides on one proposed claim: create, merge, append, supersede or reject.

The order of the checks is part of the contract (``docs/explanation/governed-memory.md``): who may speak and what may
be said comes first, then whether it was forgotten, then how it relates to what is already believed.
"""

from __future__ import annotations

import attrs

from cmemory.domain.admit.ground import (
    Decided,
    Ground,
    check_content,
    check_owner,
    check_source,
    decision,
    evidence_of,
    merged,
    refuse,
    repeats_forgotten,
)
from cmemory.domain.model.bodies import Claim, Value
from cmemory.domain.model.candidate import Admission, ClaimCandidate, Outcome, Reason
from cmemory.domain.model.changes import Changes, OpenThread
from cmemory.domain.model.ids import RecordId, derive_id
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.life import Event
from cmemory.domain.model.measure import clamp_unit
from cmemory.domain.model.record import ClaimRecord, Record, Salience, is_claim
from cmemory.domain.predicates.identity import read_qualifiers, slot_of
from cmemory.domain.predicates.registry import Predicate, Sensitivity, ValueKind, Visibility, find
from cmemory.domain.predicates.values import accept, equivalent, expectation, is_coarser_date

_ACTION = "admit_claim"


def claim_record_id(candidate_id: str) -> RecordId:
    """Return the id of the record that a claim candidate becomes."""
    return RecordId(f"claim-{candidate_id}")


def read_claim(candidate: ClaimCandidate, source_text: str) -> Claim | Reason:
    """Return the claim a candidate states, or why it states none. Looks at nothing but the candidate and its source."""
    if not candidate.id.strip() or not candidate.predicate.strip():
        return Reason.MISSING_IDENTIFIER
    predicate = find(candidate.predicate)
    if predicate is None:
        return Reason.UNKNOWN_PREDICATE
    qualifiers = read_qualifiers(predicate, candidate.qualifiers)
    if qualifiers is None:
        return Reason.QUALIFIER_CONTRACT
    if predicate.requires_entity and not (candidate.entity_ref or "").strip():
        return Reason.REQUIRES_ENTITY_REF
    value = accept(predicate, candidate.value)
    if value is None:
        return Reason.INVALID_VALUE
    return Claim(
        predicate=predicate.key,
        value=value,
        raw_value=_verified_wording(candidate.raw_value, source_text),
        entity_ref=candidate.entity_ref,
        qualifiers=qualifiers,
        confidence=clamp_unit(candidate.confidence),
    )


def admit_claim(
    candidate: ClaimCandidate,
    claim: Claim | Reason,
    incumbents: tuple[ClaimRecord, ...],
    ground: Ground,
    *,
    now: Instant,
    predecessors: tuple[ClaimRecord, ...] = (),
) -> Decided:
    """Decide on a candidate.

    Args:
        candidate: what was proposed.
        claim: what `read_claim` made of it.
        incumbents: the live claims of the same slot, in store order.
        ground: message, guard and who holds the id.
        now: the moment the fact counts from.
        predecessors: the live claims of other slots that a candidate which takes over brings to an end.
    """
    reason = _objection(candidate, claim, ground)
    if reason is not None:
        return refuse(
            ground, candidate.id, reason, now=now, action=_ACTION, detail=_invalid_value(candidate, reason)
        )
    assert isinstance(claim, Claim)  # noqa: S101 - an unreadable candidate was refused above
    holder = ground.holder
    if holder is not None:
        return _again(candidate, claim, holder, ground, now=now)
    for incumbent in incumbents:
        if equivalent(incumbent.body.value, claim.value):
            corrected = (one for one in incumbents if one.id == candidate.replaces and one is not incumbent)
            return _known_already(candidate, incumbent, (*corrected, *predecessors), ground, now=now)
    predicate = find(claim.predicate)
    assert predicate is not None  # noqa: S101 - read_claim only returns registered keys
    newest = max(incumbents, key=lambda one: (one.updated_at, one.id), default=None)
    clash = _clash(predicate, claim.value, newest, now)
    if clash is not None:
        return refuse(ground, candidate.id, clash, now=now, action=_ACTION)
    replaced = _replaced(candidate, predicate, newest, incumbents)
    ended = (*((replaced,) if replaced else ()), *(one for one in predecessors if one.valid_from <= now))
    return _create(candidate, claim, predicate, ended, ground, now=now)


def _known_already(
    candidate: ClaimCandidate,
    known: ClaimRecord,
    ending: tuple[ClaimRecord, ...],
    ground: Ground,
    *,
    now: Instant,
) -> Decided:
    """Merge into the claim that says the same; what was corrected to it, or gave way to it, ends nevertheless."""
    admission, changes = merged(ground, candidate.id, known, candidate.quote, now=now, action=_ACTION)
    if not ending:
        return admission, changes
    ended = tuple(_superseded(one, now) for one in ending)
    changes = attrs.evolve(changes, records=(*ended, *changes.records), revision_step=1)
    return attrs.evolve(admission, ended=tuple(one.id for one in ended)), changes


def _superseded(record: ClaimRecord, now: Instant) -> ClaimRecord:
    return attrs.evolve(record.after(Event.SUPERSEDE, now), valid_until=now)


def _replaced(
    candidate: ClaimCandidate,
    predicate: Predicate,
    newest: ClaimRecord | None,
    incumbents: tuple[ClaimRecord, ...],
) -> ClaimRecord | None:
    """Return the incumbent that gives way: the only one of a single slot, the corrected one of a set, none of ``misc``."""
    if predicate.domain == "misc":
        return None
    if predicate.single:
        return newest
    return next((one for one in incumbents if one.id == candidate.replaces), None)


def _objection(candidate: ClaimCandidate, claim: Claim | Reason, ground: Ground) -> Reason | None:
    """Return the first reason against the candidate by itself, in contract order."""
    early = (Reason.MISSING_IDENTIFIER, Reason.UNKNOWN_PREDICATE, Reason.QUALIFIER_CONTRACT)
    if isinstance(claim, Reason) and claim in early:
        return claim
    reason = check_source(ground, candidate.quote)
    if reason is not None:
        return reason
    if isinstance(claim, Reason):
        return claim
    value = claim.value if isinstance(claim.value, str) else None
    summary = candidate.thread.summary if candidate.thread else None
    reason = check_content(ground, value, claim.raw_value, claim.entity_ref, summary, candidate.quote.text)
    if reason is not None:
        return reason
    record_id = claim_record_id(candidate.id)
    if ground.guard.ban(claim, record_id=record_id, quotes=(candidate.quote.text,)) is not None:
        return Reason.RESURRECTION
    if repeats_forgotten(ground, candidate.quote, claim.predicate):
        return Reason.RESURRECTION
    return check_owner(ground)


def _again(
    candidate: ClaimCandidate, claim: Claim, holder: object, ground: Ground, *, now: Instant
) -> Decided:
    """Answer a candidate whose id is taken in its own scope: a replay is harmless, anything else is a conflict."""
    same = (
        isinstance(holder, Record)
        and is_claim(holder)
        and slot_of(holder.body) == slot_of(claim)
        and equivalent(holder.body.value, claim.value)
    )
    if same and isinstance(holder, Record):
        return merged(ground, candidate.id, holder, candidate.quote, now=now, action=_ACTION)
    return refuse(ground, candidate.id, Reason.ID_CONFLICT, now=now, action=_ACTION)


def _clash(predicate: Predicate, value: Value, newest: ClaimRecord | None, now: Instant) -> Reason | None:
    """Return why the value may not join or replace the newest incumbent, or None."""
    if newest is None:
        return None
    # What can no longer be checked is not displaced, and nothing is appended to it.
    if accept(predicate, newest.body.value) is None:
        return Reason.TYPE_INCOMPATIBLE
    if not predicate.single or predicate.domain == "misc":
        return None
    if predicate.kind is ValueKind.DATE and is_coarser_date(str(value), str(newest.body.value)):
        return Reason.COARSER_DATE
    return Reason.OUTDATED if now < newest.updated_at else None


def _create(
    candidate: ClaimCandidate,
    claim: Claim,
    predicate: Predicate,
    ending: tuple[ClaimRecord, ...],
    ground: Ground,
    *,
    now: Instant,
) -> Decided:
    record = Record(
        id=claim_record_id(candidate.id),
        body=claim,
        evidence=(evidence_of(ground, candidate.quote),),
        created_at=now,
        updated_at=now,
        valid_from=now,
        valid_until=candidate.valid_until,
        salience=Salience(importance=max(claim.confidence, ground.policy.admission.importance_floor)),
        provenance=ground.provenance,
        supersedes=ending[0].id if ending else None,
    )
    admission = Admission(
        candidate_id=candidate.id,
        outcome=Outcome.SUPERSEDING if ending else Outcome.ACCEPTED,
        reason=Reason.ADMITTED,
        detail="stored",
        record_id=record.id,
        ended=tuple(one.id for one in ending),
    )
    ended = tuple(_superseded(one, now) for one in ending)
    changes = Changes(
        messages=(ground.message,),
        records=(*ended, record),
        threads=_thread(candidate, predicate, record, ground, now),
        decisions=(decision(ground, admission, now=now, action=_ACTION),),
        revision_step=1,
    )
    return admission, changes


def _thread(
    candidate: ClaimCandidate, predicate: Predicate, record: ClaimRecord, ground: Ground, now: Instant
) -> tuple[OpenThread, ...]:
    """Return the follow-up a candidate may open: only for low-sensitivity open loops that may be spoken of.

    The stored id carries the scope, so no two relationships can ever share or steal a thread.
    """
    proposal = candidate.thread
    allowed = (
        predicate.domain == "open_loop"
        and predicate.sensitivity is Sensitivity.LOW
        and predicate.visibility >= Visibility.MENTION_IF_USER_CUES
    )
    if proposal is None or not allowed:
        return ()
    return (
        OpenThread(
            id=f"{proposal.id} {derive_id('t', ground.guard.scope.key, proposal.id)}",
            record_id=record.id,
            summary=proposal.summary,
            entity_ref=proposal.entity_ref,
            opened_at=now,
            updated_at=now,
            expires_at=proposal.expires_at,
        ),
    )


def _verified_wording(raw: str | None, source_text: str) -> str | None:
    """Return the proposed wording when the person really said it; it is what gets shown and what creates cues."""
    return raw if raw and raw.strip() and raw in source_text else None


def _invalid_value(candidate: ClaimCandidate, reason: Reason) -> str:
    predicate = find(candidate.predicate)
    if reason is not Reason.INVALID_VALUE or predicate is None:
        return ""
    if candidate.value is None:
        return "value: must not be empty"
    return f"value: {predicate.key} takes {expectation(predicate)}"
