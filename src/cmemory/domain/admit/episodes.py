"""Decides on one proposed episode."""

from __future__ import annotations

import math

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
)
from cmemory.domain.model.bodies import ArcPoint, Episode, Participant
from cmemory.domain.model.candidate import Admission, EpisodeCandidate, Outcome, Reason
from cmemory.domain.model.changes import Changes
from cmemory.domain.model.ids import RecordId
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.measure import clamp_unit
from cmemory.domain.model.record import EpisodeRecord, Record, Salience, is_episode
from cmemory.domain.predicates.values import equivalent

_ACTION = "admit_episode"


def episode_record_id(candidate_id: str) -> RecordId:
    """Return the id of the record that an episode candidate becomes."""
    return RecordId(f"episode-{candidate_id}")


def admit_episode(
    candidate: EpisodeCandidate, known: tuple[EpisodeRecord, ...], ground: Ground, *, now: Instant
) -> Decided:
    """Decide on a candidate; the same event told again in the same words merges into the episode that is known.

    Args:
        candidate: what was proposed.
        known: the live episodes of the scope whose narrative may be the same.
        ground: message, guard and who holds the id.
        now: when it was told; the episode counts from then.
    """
    episode = Episode(
        narrative=candidate.narrative,
        occurred_from=now,
        participants=candidate.participants,
        emotional_arc=candidate.emotional_arc,
        user_reaction=candidate.user_reaction,
        response_ref=candidate.response_ref,
    )
    reason = _objection(candidate, episode, ground)
    if reason is not None:
        detail = "id and narrative must not be blank" if reason is Reason.MISSING_IDENTIFIER else ""
        return refuse(ground, candidate.id, reason, now=now, action=_ACTION, detail=detail)
    holder = ground.holder
    if holder is not None:
        if is_episode(holder) and equivalent(holder.body.narrative, episode.narrative):
            return merged(ground, candidate.id, holder, candidate.quote, now=now, action=_ACTION)
        return refuse(ground, candidate.id, Reason.ID_CONFLICT, now=now, action=_ACTION)
    for one in known:
        if equivalent(one.body.narrative, episode.narrative):
            return merged(ground, candidate.id, one, candidate.quote, now=now, action=_ACTION)
    return _create(candidate, episode, ground, now=now)


def _objection(candidate: EpisodeCandidate, episode: Episode, ground: Ground) -> Reason | None:
    if not candidate.id.strip() or not candidate.narrative.strip():
        return Reason.MISSING_IDENTIFIER
    reason = check_source(ground, candidate.quote)
    if reason is not None:
        return reason
    if not _fields_hold(episode, ground.message.text):
        return Reason.STRUCTURED_FIELDS
    reason = check_content(ground, *_texts(episode), candidate.quote.text)
    if reason is not None:
        return reason
    if (
        ground.guard.ban(episode, record_id=episode_record_id(candidate.id), quotes=(candidate.quote.text,))
        is not None
    ):
        return Reason.RESURRECTION
    return check_owner(ground)


def _texts(episode: Episode) -> tuple[str | None, ...]:
    """Return every free text an episode carries."""
    people = (text for one in episode.participants for text in (one.role, one.entity_ref))
    feelings = (label for point in episode.emotional_arc for label in point.labels)
    return (episode.narrative, episode.user_reaction, episode.response_ref, *people, *feelings)


def _fields_hold(episode: Episode, source_text: str) -> bool:
    """Tell whether the optional fields are well-formed, and the reaction is in the person's own words."""
    reaction = episode.user_reaction
    return (
        all(_participant_holds(one) for one in episode.participants)
        and all(_arc_point_holds(point) for point in episode.emotional_arc)
        and (reaction is None or (bool(reaction.strip()) and reaction.strip() in source_text))
        and (episode.response_ref is None or bool(episode.response_ref.strip()))
    )


def _participant_holds(participant: Participant) -> bool:
    return participant.entity_ref is None or bool(participant.entity_ref.strip())


def _arc_point_holds(point: ArcPoint) -> bool:
    labelled = bool(point.labels) and all(label.strip() for label in point.labels)
    strength = point.intensity
    return labelled and (strength is None or (math.isfinite(strength) and 0.0 <= strength <= 1.0))


def _create(candidate: EpisodeCandidate, episode: Episode, ground: Ground, *, now: Instant) -> Decided:
    importance = max(clamp_unit(candidate.confidence), ground.policy.admission.importance_floor)
    record = Record(
        id=episode_record_id(candidate.id),
        body=episode,
        evidence=(evidence_of(ground, candidate.quote),),
        created_at=now,
        updated_at=now,
        valid_from=now,
        salience=Salience(importance=importance),
        provenance=ground.provenance,
    )
    admission = Admission(
        candidate_id=candidate.id,
        outcome=Outcome.ACCEPTED,
        reason=Reason.ADMITTED,
        detail="stored",
        record_id=record.id,
    )
    return admission, Changes(
        messages=(ground.message,),
        records=(record,),
        decisions=(decision(ground, admission, now=now, action=_ACTION),),
        revision_step=1,
    )
