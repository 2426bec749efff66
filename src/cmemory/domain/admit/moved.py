"""What a record that moves in from an export may bring along.

The record itself is believed only through admission, like everything else: here it becomes a candidate. Once
admitted it takes over what the person and time did to it where it came from. Nothing can become louder by
moving: an end is carried over, a beginning is not.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import attrs

from cmemory.domain.model.bodies import Claim, Episode, Note
from cmemory.domain.model.candidate import ClaimCandidate, EpisodeCandidate, NoteCandidate, ThreadProposal
from cmemory.domain.model.changes import OpenThread
from cmemory.domain.model.ids import RecordId
from cmemory.domain.model.life import Event, Status
from cmemory.domain.model.message import Quote
from cmemory.domain.model.record import AnyRecord

#: What ended a record, told from what it has become.
ENDS: Mapping[Status, Event] = MappingProxyType(
    {
        Status.SUPERSEDED: Event.SUPERSEDE,
        Status.RETRACTED: Event.RETRACT,
        Status.EXPIRED: Event.EXPIRE,
        Status.FADED: Event.FADE,
        Status.DELETED: Event.DELETE,
    }
)

#: Ends that set ``valid_until``; before them the record was open-ended, as far as anybody still knows.
_CUT_SHORT = frozenset({Status.SUPERSEDED, Status.RETRACTED})


def candidate_of(
    original: AnyRecord,
    quote: Quote,
    *,
    candidate_id: str,
    replaces: RecordId | None = None,
    thread: ThreadProposal | None = None,
) -> ClaimCandidate | EpisodeCandidate | NoteCandidate | None:
    """Return the candidate that asks for a record again, proved by a quote; None for an inference.

    Args:
        original: the record as it was.
        quote: the proof, which must still stand in its message.
        candidate_id: what to call the candidate.
        replaces: what the value that it replaced is called now.
        thread: the follow-up it asks for.
    """
    body = original.body
    if isinstance(body, Claim):
        return ClaimCandidate(
            id=candidate_id,
            predicate=body.predicate,
            value=body.value,
            quote=quote,
            raw_value=body.raw_value,
            entity_ref=body.entity_ref,
            qualifiers=dict(body.qualifiers),
            confidence=body.confidence,
            valid_until=None if original.status in _CUT_SHORT else original.valid_until,
            replaces=replaces,
            thread=thread,
        )
    if isinstance(body, Episode):
        return EpisodeCandidate(
            id=candidate_id,
            narrative=body.narrative,
            quote=quote,
            confidence=original.salience.importance,
            participants=body.participants,
            emotional_arc=body.emotional_arc,
            user_reaction=body.user_reaction,
            response_ref=body.response_ref,
        )
    if isinstance(body, Note):
        return NoteCandidate(
            id=candidate_id,
            note_kind=body.note_kind,
            text=body.text,
            quote=quote,
            tags=body.tags,
            importance=original.salience.importance,
            emotional_weight=body.emotional_weight,
            due_on=body.due_on,
        )
    return None


def proposal_of(thread: OpenThread) -> ThreadProposal:
    """Return the proposal a thread came from; admission stores it under ``<proposal> <scope's digest>``."""
    name, _, digest = thread.id.rpartition(" ")
    return ThreadProposal(
        id=name if name and digest.startswith("t-") else thread.id,
        summary=thread.summary,
        entity_ref=thread.entity_ref,
        expires_at=thread.expires_at,
    )


def weighed(admitted: AnyRecord, original: AnyRecord) -> AnyRecord:
    """Return a record that was just admitted with the weight it had: its importance and how it was used."""
    return attrs.evolve(admitted, salience=attrs.evolve(original.salience, muted=admitted.salience.muted))


def ended(here: AnyRecord, original: AnyRecord) -> AnyRecord:
    """Return the record with the end the original came to.

    The very same record comes back when the original still stands, when this one has ended already, or when
    something happened to this one after the original had ended, such as being restored: the later word holds.
    """
    event = ENDS.get(original.status)
    if event is None or here.status is not Status.ACTIVE or original.updated_at < here.updated_at:
        return here
    return attrs.evolve(here.after(event, original.updated_at), valid_until=original.valid_until)


def standing_again(replaced: AnyRecord) -> AnyRecord:
    """Return a replaced record as it stood before, for its successor to replace it in one transaction."""
    return attrs.evolve(replaced, status=Status.ACTIVE, updated_at=replaced.created_at, valid_until=None)
