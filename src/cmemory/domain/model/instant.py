"""Points in time: aware, UTC, to the microsecond, and always handed in by the caller."""

from __future__ import annotations

from datetime import date, datetime, timedelta, timezone, tzinfo
from functools import lru_cache

import attrs
from typing_extensions import Self

from cmemory.domain.errors import UsageError
from cmemory.domain.pattern import lazy_pattern

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_DAY = lazy_pattern(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_STAMP = lazy_pattern(
    r"(?P<date>[0-9]{4}-[0-9]{2}-[0-9]{2})[Tt ]"
    r"(?P<time>[0-9]{2}:[0-9]{2}(?::[0-9]{2})?)(?P<fraction>\.[0-9]{1,9})?"
    r"(?P<zone>[Zz]|[+-][0-9]{2}:?[0-9]{2})"
)
_SECONDS_PER_DAY = 86_400
_MICROSECONDS = 1_000_000
_FIRST, _LAST = (
    (edge.replace(tzinfo=timezone.utc) - _EPOCH) // timedelta(microseconds=1)
    for edge in (datetime.min, datetime.max)
)


@attrs.frozen(order=True)
class Instant:
    """One moment. ``str(instant)`` has a fixed width, so text order is time order.

    >>> str(Instant.parse("2026-03-01T17:00:00+08:00"))
    '2026-03-01T09:00:00.000000Z'
    """

    #: Microseconds since 1970-01-01T00:00:00Z; years 1 to 9999.
    microseconds: int

    @classmethod
    def of(cls, moment: datetime, *, field: str = "now") -> Self:
        """Return the instant of an aware `datetime`.

        Raises:
            UsageError: the value is naive, so nobody can tell which moment it means.
        """
        if moment.tzinfo is None or moment.utcoffset() is None:
            raise UsageError(field=field, problem="has no time zone; pass an aware datetime")
        elapsed = (moment - _EPOCH) // timedelta(microseconds=1)
        # A zone can push the first and the last hours of the calendar over its edge.
        if not _FIRST <= elapsed <= _LAST:
            raise UsageError(field=field, problem="lies outside the years 1 to 9999 in UTC")
        return cls(elapsed)

    @classmethod
    def parse(cls, text: str, *, field: str = "now") -> Self:
        """Return the instant of an ISO 8601 stamp with a zone (``Z`` or ``+08:00``).

        Digits beyond the microsecond are cut.

        Raises:
            UsageError: the text is not such a stamp, names no zone, or no such day exists.
        """
        found = _STAMP.fullmatch(text.strip())
        if found is None:
            raise UsageError(
                field=field, problem="must be an ISO 8601 instant with a zone, like 2026-03-01T09:00:00Z"
            )
        fraction = (found["fraction"] or ".0")[1:7].ljust(6, "0")
        # Many are read with a scope, and to read them by a pattern of the library takes more than twice as long.
        year, month, day = map(int, found["date"].split("-"))
        hour, minute, *rest = map(int, found["time"].split(":"))
        try:
            zone = _zone(found["zone"])
            moment = datetime(year, month, day, hour, minute, sum(rest), int(fraction), zone)
        except ValueError:
            raise UsageError(field=field, problem="names a day or an hour that does not exist") from None
        return cls.of(moment, field=field)

    def as_datetime(self) -> datetime:
        """Return the same moment as an aware `datetime` in UTC."""
        return _EPOCH + timedelta(microseconds=self.microseconds)

    def civil(self, zone: tzinfo) -> datetime:
        """Return the same moment on the clocks of a zone; at the very ends of the calendar, on those of UTC."""
        moment = self.as_datetime()
        try:
            return moment.astimezone(zone)
        except OverflowError:
            return moment

    def plus(self, *, days: float = 0, seconds: float = 0) -> Instant:
        """Return the moment that much later (earlier when negative), held within the years 1 to 9999."""
        moved = self.microseconds + round((days * _SECONDS_PER_DAY + seconds) * _MICROSECONDS)
        return Instant(min(max(moved, EARLIEST.microseconds), LATEST.microseconds))

    @property
    def day_number(self) -> int:
        """Days from 1970-01-01 to this moment's day in UTC; negative before."""
        return self.microseconds // (_SECONDS_PER_DAY * _MICROSECONDS)

    def __str__(self) -> str:
        return _spelt(self.microseconds)


@lru_cache(maxsize=64)
def _zone(text: str) -> timezone:
    """Return how far a clock is off, from ``Z`` or ``+08:00``.

    Raises:
        ValueError: no clock is.
    """
    if text in "Zz":
        return timezone.utc
    minutes = int(text[-2:])
    if minutes >= 60:
        raise ValueError
    off = timedelta(hours=int(text[1:3]), minutes=minutes)
    return timezone(-off if text[0] == "-" else off)


@lru_cache(maxsize=1024)
def _spelt(microseconds: int) -> str:
    """Return the text of a moment; what is written at once has the same few moments many times."""
    moment = _EPOCH + timedelta(microseconds=microseconds)
    return moment.strftime("%m-%dT%H:%M:%S.%f").join((f"{moment.year:04d}-", "Z"))


#: The bounds of what can be written down.
EARLIEST = Instant(_FIRST)
LATEST = Instant(_LAST)


def days_between(earlier: Instant, later: Instant) -> int:
    """Return whole UTC days from one date to the other; 0 when the order is reversed.

    >>> days_between(Instant.parse("2024-02-28T23:59:59Z"), Instant.parse("2024-03-01T00:00:00Z"))
    2
    """
    return max(0, later.day_number - earlier.day_number)


def age_in_days(earlier: Instant, later: Instant) -> float:
    """Return the days from one moment to another, with fractions; 0 when the order is reversed."""
    return max(0, later.microseconds - earlier.microseconds) / (_SECONDS_PER_DAY * _MICROSECONDS)


def is_day(text: str) -> bool:
    """Tell whether a text is a civil day that exists, written as ``2026-03-01``.

    >>> is_day("2026-03-01"), is_day("2026-02-30"), is_day("20260301")
    (True, False, False)
    """
    if _DAY.fullmatch(text) is None:
        return False
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True
