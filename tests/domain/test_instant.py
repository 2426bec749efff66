"""Moments: what can be read as one, how they are written, and how days are counted."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from cmemory.domain.errors import UsageError
from cmemory.domain.model.instant import EARLIEST, LATEST, Instant, days_between


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-03-01T09:00:00Z", "2026-03-01T09:00:00.000000Z"),
        ("2026-03-01T17:00:00+08:00", "2026-03-01T09:00:00.000000Z"),
        ("2026-03-01T17:00:00+0800", "2026-03-01T09:00:00.000000Z"),
        ("2026-03-01 09:00z", "2026-03-01T09:00:00.000000Z"),
        ("  2026-03-01t09:00:00.5Z ", "2026-03-01T09:00:00.500000Z"),
        ("2026-03-01T09:00:00.123456789Z", "2026-03-01T09:00:00.123456Z"),
        ("2026-02-28T20:30:00-05:30", "2026-03-01T02:00:00.000000Z"),
        ("2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000000Z"),
        ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000000Z"),
        ("9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999999Z"),
    ],
)
def test_iso_stamps_with_a_zone_are_read(text: str, expected: str) -> None:
    """Any ISO stamp that names its zone becomes the same moment in UTC, at a fixed width."""
    assert expected == str(Instant.parse(text))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "now",
        "2026-03-01",
        "2026-03-01T09:00:00",
        "2026-02-30T09:00:00Z",
        "2026-03-01T25:00:00Z",
        "2026-03-01T23:59:60Z",
        "2026-03-01T09Z",
        "2026-3-1T09:00:00Z",
        "0000-01-01T00:00:00Z",
        "2026-03-01T09:00:00+99:00",
        "2026-03-01T09:00:00.1234567890Z",
        "２０２６-03-01T09:00:00Z",
        "2026-03-01T09:00:00Z\nDROP",
    ],
)
def test_other_texts_are_refused_by_field(text: str) -> None:
    """A stamp without zone, an impossible day or prose is the caller's mistake, named by its field."""
    with pytest.raises(UsageError) as caught:
        Instant.parse(text, field="at")
    assert "at" == caught.value.field


@pytest.mark.parametrize("text", ["9999-12-31T23:59:59-12:00", "0001-01-01T00:00:00+08:00"])
def test_a_zone_cannot_push_a_moment_over_the_edge(text: str) -> None:
    """What lies outside the years 1 to 9999 in UTC could not be written down, so it is refused."""
    with pytest.raises(UsageError, match="outside the years"):
        Instant.parse(text)


def test_naive_datetimes_are_refused() -> None:
    """Without a zone nobody can tell which moment is meant."""
    with pytest.raises(UsageError, match="no time zone"):
        Instant.of(datetime(2026, 3, 1, 9, 0))


def test_aware_datetimes_round_trip() -> None:
    """The same moment comes back, in UTC."""
    moment = datetime(2026, 3, 1, 17, 0, tzinfo=timezone(timedelta(hours=8)))
    assert moment == Instant.of(moment).as_datetime()
    assert Instant.of(moment).as_datetime().tzinfo is timezone.utc


def test_moments_can_be_moved() -> None:
    """Days and seconds add up, in both directions."""
    start = Instant.parse("2026-01-01T00:00:00Z")
    assert "2026-04-01T00:00:00.000000Z" == str(start.plus(days=90))
    assert "2025-12-31T23:59:30.000000Z" == str(start.plus(seconds=-30))
    assert "2026-01-02T12:00:00.500000Z" == str(start.plus(days=1.5, seconds=0.5))


def test_moving_stops_at_the_edges() -> None:
    """However far a deadline lies ahead or back, it can be written down."""
    assert LATEST == EARLIEST.plus(days=10_000_000)
    assert EARLIEST == LATEST.plus(days=-10_000_000)
    assert ("0001-01-01T00:00:00.000000Z", "9999-12-31T23:59:59.999999Z") == (str(EARLIEST), str(LATEST))


def test_clocks_of_a_zone() -> None:
    """A moment can be read on the clocks of a zone; at the ends of the calendar, on those of UTC."""
    east = timezone(timedelta(hours=8))
    moment = Instant.parse("2026-03-01T20:00:00Z")
    assert (2, 4) == (moment.civil(east).day, moment.civil(east).hour)
    assert LATEST.as_datetime() == LATEST.civil(east)
    assert timezone.utc is LATEST.civil(east).tzinfo


@pytest.mark.parametrize(
    ("earlier", "later", "expected"),
    [
        ("2026-01-31T00:00:00Z", "2026-02-02T00:00:00Z", 2),
        ("2024-02-28T23:59:59Z", "2024-03-01T00:00:00Z", 2),
        ("2026-03-01T00:00:00Z", "2026-03-01T23:59:59Z", 0),
        ("2026-03-02T00:00:00Z", "2026-03-01T00:00:00Z", 0),
        ("1969-12-31T23:00:00Z", "1970-01-01T01:00:00Z", 1),
        ("2026-03-01T07:00:00+08:00", "2026-03-01T09:00:00+08:00", 1),
    ],
)
def test_days_are_counted_by_the_calendar_in_utc(earlier: str, later: str, expected: int) -> None:
    """Whole dates count, not hours; a reversed order counts as no time at all."""
    assert expected == days_between(Instant.parse(earlier), Instant.parse(later))
