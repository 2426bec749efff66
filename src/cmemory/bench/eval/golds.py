"""What a fixture holds true, as the candidates that are put to admission."""

from __future__ import annotations

from cmemory.adapters.system import zone_of
from cmemory.bench.eval.fixture import Fixture, GoldClaim, GoldEpisode, GoldNote, Place
from cmemory.domain.errors import UsageError
from cmemory.domain.evidence.quote import locate
from cmemory.domain.model.candidate import ClaimCandidate, EpisodeCandidate, NoteCandidate, Reason
from cmemory.domain.model.ids import derive_id
from cmemory.domain.model.message import Quote


def claim_candidate(place: Place, claim: GoldClaim) -> ClaimCandidate:
    """Return the candidate for a fact of a turn, right or wrong.

    Raises:
        UsageError: its quote does not stand in the turn exactly once.
    """
    stated = isinstance(claim.value, str) and claim.value in place.turn.text
    raw = claim.raw_value if claim.raw_value is not None else str(claim.value) if stated else None
    return ClaimCandidate(
        id=derive_id(
            "c", place.name, claim.predicate, claim.entity or "", claim.context or "", str(claim.value)
        ),
        predicate=claim.predicate,
        value=claim.value,
        quote=_quote(place, claim.quote),
        raw_value=raw,
        entity_ref=claim.entity,
        qualifiers=None if claim.context is None else {"context": claim.context},
        confidence=claim.confidence,
        takes_over=claim.takes_over,
    )


def episode_candidate(place: Place, episode: GoldEpisode) -> EpisodeCandidate:
    """Return the candidate for something that a turn tells.

    Raises:
        UsageError: its quote does not stand in the turn exactly once.
    """
    return EpisodeCandidate(
        id=derive_id("c", place.name, "episode", episode.narrative),
        narrative=episode.narrative,
        quote=_quote(place, episode.quote),
        confidence=episode.confidence,
    )


def note_candidate(fixture: Fixture, place: Place, note: GoldNote) -> NoteCandidate:
    """Return the candidate for a note of a turn, due on the civil day that the fixture counts to.

    Raises:
        UsageError: its quote does not stand in the turn exactly once.
    """
    due = None
    if note.due_day is not None:
        due = str(fixture.starts.plus(days=note.due_day).civil(zone_of(fixture.zone)).date())
    return NoteCandidate(
        id=derive_id("c", place.name, "note", note.text),
        note_kind=note.kind,
        text=note.text,
        quote=_quote(place, note.quote),
        tags=note.tags,
        due_on=due,
    )


def _quote(place: Place, words: str) -> Quote:
    found = locate(place.turn.text, words)
    if isinstance(found, Reason):
        raise UsageError(
            field="fixture", problem=f"{place.name}: a quote must stand in the turn exactly once"
        )
    return found
