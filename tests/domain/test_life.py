"""The life of a record: which events it may meet, and when it is believed."""

from __future__ import annotations

import itertools

import pytest

from builders import NOW, claim, days
from cmemory.domain.errors import UsageError
from cmemory.domain.model.bodies import Claim
from cmemory.domain.model.ids import ID_DIGITS, derive_id
from cmemory.domain.model.life import TRANSITIONS, Event, Status, step
from cmemory.domain.model.measure import clamp_unit
from cmemory.domain.model.record import Salience

ALLOWED = {
    (Status.ACTIVE, Event.SUPERSEDE): Status.SUPERSEDED,
    (Status.ACTIVE, Event.RETRACT): Status.RETRACTED,
    (Status.ACTIVE, Event.EXPIRE): Status.EXPIRED,
    (Status.ACTIVE, Event.FADE): Status.FADED,
    (Status.ACTIVE, Event.DELETE): Status.DELETED,
    (Status.FADED, Event.RESTORE): Status.ACTIVE,
    (Status.FADED, Event.DELETE): Status.DELETED,
    (Status.DELETED, Event.RESTORE): Status.ACTIVE,
}


@pytest.mark.parametrize(("status", "event"), list(itertools.product(Status, Event)))
def test_only_listed_events_happen(status: Status, event: Event) -> None:
    """An event that the table does not list is refused, so no state is reached by accident."""
    if (status, event) in ALLOWED:
        assert ALLOWED[status, event] is step(status, event)
    else:
        with pytest.raises(UsageError, match=f"{status.value} cannot {event.value}"):
            step(status, event)


def test_the_table_knows_every_state() -> None:
    """No state is missing from the table."""
    assert set(Status) == set(TRANSITIONS)


def test_an_event_moves_status_and_stamp_only() -> None:
    """What a record says and why it is believed outlive any event."""
    before = claim("identity.name", "阿橙")
    after = before.after(Event.DELETE, days(1))
    assert (Status.DELETED, days(1)) == (after.status, after.updated_at)
    assert (before.body, before.created_at, before.salience) == (after.body, after.created_at, after.salience)


@pytest.mark.parametrize(
    ("ends", "expected"), [(None, True), (days(1), True), (NOW, False), (days(-1), False)]
)
def test_validity_ends_at_its_moment(ends: object, expected: bool) -> None:
    """A record is believed until just before its stated end."""
    assert expected is claim("open_loop.pending_action", "还书", valid_until=ends).live(NOW)


@pytest.mark.parametrize("status", [status for status in Status if status is not Status.ACTIVE])
def test_only_active_records_are_believed(status: Status) -> None:
    """History is kept, not believed."""
    assert not claim("identity.name", "阿橙", status=status).live(NOW)


def test_freshness_counts_from_the_last_recall_or_change() -> None:
    """A recalled record was last seen then; any other when it last changed."""
    assert claim("identity.name", "Nora").last_seen == NOW
    assert claim("identity.name", "Nora", last_recalled_at=days(5)).last_seen == days(5)


@pytest.mark.parametrize(
    ("value", "expected"), [(float("nan"), 0.0), (-1, 0.0), (0.4, 0.4), (1.5, 1.0), (float("inf"), 1.0)]
)
def test_measures_are_held_within_bounds(value: float, expected: float) -> None:
    """Whatever a model claims, a confidence ends up between 0 and 1."""
    assert expected == clamp_unit(value)


@pytest.mark.parametrize("value", [-0.1, 1.1, float("nan"), True, "0.5", None])
def test_stored_measures_are_checked(value: object) -> None:
    """A measure outside 0 to 1, or no number at all, cannot be stored."""
    with pytest.raises(UsageError, match="number from 0 to 1"):
        Salience(importance=value)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="confidence"):
        Claim(predicate="identity.name", value="Nora", confidence=value)  # type: ignore[arg-type]


def test_ids_tell_their_kind_and_content() -> None:
    """A derived id names its kind, has a fixed length, and is the same every time."""
    made = derive_id("m", "s1", "你好")
    assert made == derive_id("m", "s1", "你好")
    assert made.startswith("m-")
    assert len("m-") + ID_DIGITS == len(made)
    assert derive_id("m", "ab", "c") != derive_id("m", "a", "bc")


def test_a_claim_shows_the_persons_own_words() -> None:
    """The wording wins over the value; a number is shown as it is."""
    assert "二十八岁" == Claim(predicate="identity.age", value=28, raw_value="二十八岁").shown
    assert "28" == Claim(predicate="identity.age", value=28).shown
