"""Decides on a proposed retraction: "actually I have no sister" ends what was believed, without a new value."""

from __future__ import annotations

import attrs

from cmemory.domain.admit.ground import Decided, Ground, check_source, decision, evidence_of, refuse
from cmemory.domain.model.bodies import Claim
from cmemory.domain.model.candidate import Admission, Outcome, Reason, RetractionCandidate
from cmemory.domain.model.changes import Changes
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.life import Event
from cmemory.domain.model.record import ClaimRecord
from cmemory.domain.predicates.values import normal_value

_ACTION = "retract"


def admit_retraction(
    candidate: RetractionCandidate, active: tuple[ClaimRecord, ...], ground: Ground, *, now: Instant
) -> Decided:
    """Decide on a retraction.

    Args:
        candidate: what is taken back.
        active: the live claims under any of the candidate's predicates.
        ground: the message that takes it back.
        now: when it was taken back. Claims stated after that moment stand.

    Returns:
        RETRACTED with the ended records, or a refusal with ``nothing_to_retract``. Who has no sister has none
        of a name or
        a trade either: all facts under the named predicates about a person that is taken back end together.
    """
    reason = check_source(ground, candidate.quote)
    if reason is not None:
        return refuse(ground, candidate.id, reason, now=now, action=_ACTION)
    earlier = [record for record in active if record.valid_from <= now]
    named = [record for record in earlier if _matches(record.body, candidate)]
    people = {record.body.entity_ref for record in named if _is_about_somebody(record.body)}
    reached = [record for record in earlier if record in named or record.body.entity_ref in people]
    if not reached:
        return refuse(ground, candidate.id, Reason.NOTHING_TO_RETRACT, now=now, action=_ACTION)
    proof = evidence_of(ground, candidate.quote)
    ended = tuple(
        attrs.evolve(record.after(Event.RETRACT, now), valid_until=now, evidence=(*record.evidence, proof))
        for record in reached
    )
    admission = Admission(
        candidate_id=candidate.id,
        outcome=Outcome.RETRACTED,
        reason=Reason.ADMITTED,
        detail="taken back",
        ended=tuple(record.id for record in ended),
    )
    return admission, Changes(
        messages=(ground.message,),
        records=ended,
        decisions=tuple(
            attrs.evolve(
                decision(ground, admission, now=now, action=_ACTION),
                record_id=record.id,
                id=f"d-{record.id}-{now}",
            )
            for record in ended
        ),
        revision_step=1,
    )


def _is_about_somebody(claim: Claim) -> bool:
    return claim.entity_ref is not None and claim.predicate.partition(".")[0] in ("person", "relationship")


def _matches(claim: Claim, candidate: RetractionCandidate) -> bool:
    """Tell whether a claim is what the person takes back; a narrowing that is absent narrows nothing."""
    wanted = {normal_value(text) for text in (candidate.entity_ref, candidate.value) if text is not None}
    own = {
        normal_value(text) for text in (claim.entity_ref, claim.value, claim.raw_value) if text is not None
    }
    if not wanted <= own:
        return False
    return candidate.qualifiers is None or dict(claim.qualifiers) == dict(candidate.qualifiers)
