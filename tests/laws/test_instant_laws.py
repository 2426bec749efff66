"""Moments: text order is time order."""

from __future__ import annotations

from datetime import timedelta, timezone

from hypothesis import given
from hypothesis import strategies as st

from cmemory.domain.model.instant import EARLIEST, LATEST, Instant, days_between
from strategies import INSTANTS

NEARBY = st.integers(-(10**15), 10**15).map(Instant)
OFFSETS = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))


@given(INSTANTS, INSTANTS)
def test_text_order_is_time_order(one: Instant, other: Instant) -> None:
    """Two moments compare as their texts do, which all have one width."""
    assert (one < other) is (str(one) < str(other))
    assert len(str(one)) == len(str(other)) == 27


@given(INSTANTS)
def test_a_moment_is_read_back_from_its_text(instant: Instant) -> None:
    """Writing and reading lose nothing."""
    assert instant == Instant.parse(str(instant)) == Instant.of(instant.as_datetime())


@given(NEARBY, OFFSETS)
def test_the_zone_of_a_stamp_does_not_matter(instant: Instant, zone: timezone) -> None:
    """The same moment written in any zone is the same instant."""
    local = instant.as_datetime().astimezone(zone)
    assert instant == Instant.of(local) == Instant.parse(local.isoformat())


@given(NEARBY, st.integers(-10_000, 10_000), st.integers(-(10**6), 10**6))
def test_plus_and_minus_cancel_out(instant: Instant, days: int, seconds: int) -> None:
    """Moving there and back again arrives at the start, and moving keeps the order."""
    there = instant.plus(days=days, seconds=seconds)
    assert instant == there.plus(days=-days, seconds=-seconds)
    assert (days * 86_400 + seconds > 0) is (there > instant)


@given(INSTANTS, st.floats(-1e7, 1e7))
def test_moving_stays_within_the_calendar(instant: Instant, days: float) -> None:
    """However far it is moved, a moment can be written down."""
    moved = instant.plus(days=days)
    assert EARLIEST <= moved <= LATEST
    assert moved == Instant.parse(str(moved))


@given(NEARBY, st.integers(0, 5_000), st.integers(0, 5_000))
def test_days_add_up(start: Instant, first: int, second: int) -> None:
    """Days from one date over another to a third are their sum, and none lead back."""
    middle, end = start.plus(days=first), start.plus(days=first + second)
    assert first == days_between(start, middle)
    assert days_between(start, end) == days_between(start, middle) + days_between(middle, end)
    assert 0 == days_between(end, start) or end == start
