"""What a record that moves in from an export may bring along."""

from __future__ import annotations

import attrs
import pytest

from builders import NOW, claim, days, episode, inference, message, quote
from cmemory.domain.admit.moved import candidate_of, ended, proposal_of, standing_again, weighed
from cmemory.domain.model.candidate import ClaimCandidate, EpisodeCandidate, ThreadProposal
from cmemory.domain.model.changes import OpenThread
from cmemory.domain.model.ids import RecordId
from cmemory.domain.model.life import Status
from cmemory.domain.model.record import AnyRecord, Salience

SOURCE = message("我家在上海。")
QUOTE = quote(SOURCE.text, "我家在上海")
PLACE = claim("identity.location", "上海", raw="上海", entity="上海", context="home", confidence=0.7)


def test_a_claim_asks_to_be_admitted_again() -> None:
    """All a claim says becomes a candidate, proved by the one quote."""
    thread = ThreadProposal(id="t-1", summary="浇花")
    expected = ClaimCandidate(
        id="c-9",
        predicate="identity.location",
        value="上海",
        quote=QUOTE,
        raw_value="上海",
        entity_ref="上海",
        qualifiers={"context": "home"},
        confidence=0.7,
        valid_until=days(3),
        thread=thread,
    )
    moving = attrs.evolve(PLACE, valid_until=days(3))
    assert expected == candidate_of(moving, QUOTE, candidate_id="c-9", thread=thread)


@pytest.mark.parametrize("status", [Status.SUPERSEDED, Status.RETRACTED])
def test_an_end_that_cut_it_short_is_not_part_of_what_it_said(status: Status) -> None:
    """What was replaced or taken back was open-ended before."""
    moving = attrs.evolve(PLACE, status=status, valid_until=NOW)
    made = candidate_of(moving, QUOTE, candidate_id="c-9")
    assert isinstance(made, ClaimCandidate)
    assert made.valid_until is None


def test_an_episode_asks_with_its_importance() -> None:
    """An episode carries no confidence, so its importance speaks for it; a conclusion does not move."""
    made = candidate_of(episode("用户去看海。", importance=0.8), QUOTE, candidate_id="e-9")
    assert isinstance(made, EpisodeCandidate)
    assert ("用户去看海。", 0.8, QUOTE) == (made.narrative, made.confidence, made.quote)
    assert candidate_of(inference(), QUOTE, candidate_id="x") is None


@pytest.mark.parametrize("muted", [True, False])
def test_weight_comes_along_but_not_silence(muted: bool) -> None:
    """Importance and use are taken over; whether it is muted is not decided by the weight."""
    there = Salience(importance=0.9, recall_count=4, last_recalled_at=NOW, muted=not muted)
    here = attrs.evolve(PLACE, salience=Salience(muted=muted))
    found = weighed(here, attrs.evolve(PLACE, salience=there))
    assert attrs.evolve(there, muted=muted) == found.salience


@pytest.mark.parametrize("status", [status for status in Status if status is not Status.ACTIVE])
def test_an_end_comes_along(status: Status) -> None:
    """A record that had ended ends here too, at the same moment."""
    original = attrs.evolve(PLACE, status=status, updated_at=days(2), valid_until=days(2))
    found = ended(PLACE, original)
    assert (status, days(2), days(2)) == (found.status, found.updated_at, found.valid_until)


@pytest.mark.parametrize(
    ("here", "original"),
    [
        (PLACE, PLACE),
        (PLACE, attrs.evolve(PLACE, status=Status.DELETED, updated_at=days(-1))),
        (attrs.evolve(PLACE, status=Status.EXPIRED), attrs.evolve(PLACE, status=Status.DELETED)),
    ],
)
def test_the_later_word_holds(here: AnyRecord, original: AnyRecord) -> None:
    """A standing original, an earlier end, or a record that has ended already change nothing."""
    assert here is ended(here, original)


def test_a_replaced_record_can_be_replaced_anew() -> None:
    """It stands as it did before, for its successor to replace it in the same write."""
    replaced = attrs.evolve(PLACE, status=Status.SUPERSEDED, updated_at=days(5), valid_until=days(5))
    assert PLACE == standing_again(replaced)


@pytest.mark.parametrize(
    ("stored", "expected"),
    [("water t-0a1b", "water"), ("water", "water"), ("a b c", "a b c"), (" t-0a", " t-0a")],
)
def test_a_thread_goes_back_to_its_proposal(stored: str, expected: str) -> None:
    """The digest of the old scope is left behind."""
    thread = OpenThread(
        id=stored,
        record_id=RecordId("claim-1"),
        summary="浇花",
        opened_at=NOW,
        updated_at=NOW,
        expires_at=days(1),
    )
    assert ThreadProposal(id=expected, summary="浇花", expires_at=days(1)) == proposal_of(thread)
