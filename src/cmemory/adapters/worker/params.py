"""Scopes, moments and candidates in the words of a request."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from cmemory.domain.errors import UsageError
from cmemory.domain.model.bodies import ArcPoint, Participant
from cmemory.domain.model.candidate import (
    ClaimCandidate,
    CorrectionCandidate,
    EpisodeCandidate,
    PendingCandidate,
    RetractionCandidate,
    ThreadProposal,
)
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.message import Quote
from cmemory.domain.model.scope import Scope

#: A moment, as hosts hold it.
Moment = str | datetime | Instant

#: What version 1 of the protocol can propose.
SpokenCandidate = ClaimCandidate | EpisodeCandidate


def moment(now: Moment) -> str:
    """Return a moment as text.

    Raises:
        UsageError: the value is a `datetime` without a zone, or nothing that means a moment.
    """
    match now:
        case str():
            return now
        case datetime():
            return str(Instant.of(now))
        case Instant():
            return str(now)
    raise UsageError(field="now", problem="must be text, an aware datetime or an Instant")


def scope_data(scope: Scope) -> Mapping[str, object]:
    """Return a scope under the names of the protocol."""
    return {
        "service_id": scope.service,
        "owner_user_id": scope.owner,
        "companion_profile_id": scope.profile,
    }


def claim_data(one: ClaimCandidate) -> Mapping[str, object]:
    """Return a proposed claim.

    Raises:
        UsageError: it says something that the protocol has no word for; unsaid, it would mean something else.
    """
    if one.valid_until is not None or one.replaces is not None:
        raise UsageError(field="candidates", problem="valid_until and replaces have no place in version 1")
    return {
        "id": one.id,
        "predicate": one.predicate,
        "value": one.value,
        **_quote(one.quote),
        "raw_value": one.raw_value,
        "entity_ref": one.entity_ref,
        "qualifiers": one.qualifiers,
        "confidence": one.confidence,
        "open_thread": None if one.thread is None else _thread(one.thread),
    }


def episode_data(one: EpisodeCandidate) -> Mapping[str, object]:
    """Return a proposed episode."""
    return {
        "id": one.id,
        "narrative": one.narrative,
        **_quote(one.quote),
        "confidence": one.confidence,
        "participants": [_participant(each) for each in one.participants],
        "emotional_arc": [_arc_point(each) for each in one.emotional_arc],
        "user_reaction": one.user_reaction,
        "response_ref": one.response_ref,
    }


def pending_data(one: PendingCandidate) -> Mapping[str, object]:
    """Return a pointer to something that may become a record later."""
    return {"id": one.id, "kind": one.kind, "reason": one.reason}


def spoken(one: SpokenCandidate | RetractionCandidate | CorrectionCandidate) -> SpokenCandidate:
    """Return a candidate that version 1 can propose.

    Raises:
        UsageError: it is a retraction or a correction.
    """
    if isinstance(one, (ClaimCandidate, EpisodeCandidate)):
        return one
    raise UsageError(field="candidates", problem="version 1 takes claims and episodes only")


def _quote(quote: Quote) -> Mapping[str, object]:
    return {"start_offset": quote.start, "end_offset": quote.end, "quote": quote.text}


def _thread(one: ThreadProposal) -> Mapping[str, object]:
    expires = None if one.expires_at is None else str(one.expires_at)
    return {"id": one.id, "summary": one.summary, "entity_ref": one.entity_ref, "expires_at": expires}


def _participant(one: Participant) -> Mapping[str, object]:
    return {"role": one.role, "entity_ref": one.entity_ref}


def _arc_point(one: ArcPoint) -> Mapping[str, object]:
    return {
        "at_turn": one.at_turn,
        "labels": list(one.labels),
        "intensity": one.intensity,
        "source": one.source,
    }
