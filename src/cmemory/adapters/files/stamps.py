"""Times as other programs write them. A time without a zone is read where the person lives."""

from __future__ import annotations

import math
import re
from datetime import datetime, tzinfo

from cmemory.domain.errors import UsageError
from cmemory.domain.model.instant import Instant
from cmemory.domain.pattern import lazy_pattern

#: A day, year first, in the shapes people and programs use: 2024-05-01, 2024/5/1, 2024.5.1, 2024年5月1日.
DAY = (
    r"(?P<year>[0-9]{4})(?P<sep>[-/.年])(?P<month>[0-9]{1,2})(?:(?P=sep)|(?<=[0-9])月)(?P<day>[0-9]{1,2})日?"
)
#: A time of day, with an optional half of the day before or after it.
CLOCK = (
    r"(?P<half>上午|下午|晚上|中午|凌晨)?\s*(?P<hour>[0-9]{1,2})[:：](?P<minute>[0-9]{2})(?:[:：](?P<second>[0-9]{2}))?"
    r"(?:[.,][0-9]{1,9})?(?:\s*(?P<meridiem>[AaPp][Mm])(?![A-Za-z]))?"
)
ZONE = r"(?P<zone>[Zz]|[+-][0-9]{2}:?[0-9]{2})"

_NAIVE = lazy_pattern(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}(?::[0-9]{2})?(?:\.[0-9]{1,9})?")

_NO_SUCH_TIME = "names a day or an hour that does not exist"
_AFTERNOON = frozenset({"下午", "晚上", "pm"})
_MORNING = frozenset({"上午", "凌晨", "am"})


def moment(text: str, *, zone: tzinfo, field: str) -> Instant:
    """Return the instant of an ISO 8601 stamp, with or without a zone.

    Raises:
        UsageError: the text is no such stamp.
    """
    plain = text.strip()
    if _NAIVE.fullmatch(plain) is None:
        return Instant.parse(plain, field=field)
    utc = Instant.parse(plain + "Z", field=field).as_datetime()
    return _at(utc.replace(tzinfo=zone), field)


def from_epoch(seconds: float, *, field: str) -> Instant:
    """Return the instant of a Unix time.

    Raises:
        UsageError: it is not finite, or lies outside the years 1 to 9999.
    """
    if not math.isfinite(seconds) or abs(seconds) > _FAR_SECONDS:
        raise UsageError(field=field, problem="lies outside the years 1 to 9999")
    return _EPOCH.plus(seconds=seconds)


def civil(found: re.Match[str], *, zone: tzinfo, day: tuple[int, int, int] | None = None) -> Instant:
    """Return the instant of a matched `DAY` and `CLOCK`; midnight without a clock.

    Args:
        found: the match.
        zone: used when the text names none.
        day: year, month and day when the text names none.

    Raises:
        UsageError: there is no such day or hour.
    """
    groups = found.groupdict()
    date = day_of(found) or day
    if date is None:
        raise UsageError(field="at", problem="names an hour and no day")
    hour = _hour(int(groups.get("hour") or 0), (groups.get("half") or groups.get("meridiem") or "").lower())
    minute, second = int(groups.get("minute") or 0), int(groups.get("second") or 0)
    try:
        plain = datetime(*date, hour, minute, second)
    except ValueError:
        raise UsageError(field="at", problem=_NO_SUCH_TIME) from None
    written = groups.get("zone")
    if written:
        return Instant.parse(plain.isoformat() + written, field="at")
    return _at(plain.replace(tzinfo=zone), "at")


def day_of(found: re.Match[str]) -> tuple[int, int, int] | None:
    """Return year, month and day of a match, or None when it holds no day."""
    groups = found.groupdict()
    if not groups.get("year"):
        return None
    return int(groups["year"]), int(groups["month"]), int(groups["day"])


def _hour(hour: int, half: str) -> int:
    if half in _AFTERNOON and hour < 12:
        return hour + 12
    if half in _MORNING and hour == 12:
        return 0
    return hour


def _at(local: datetime, field: str) -> Instant:
    try:
        return Instant.of(local, field=field)
    except (OverflowError, ValueError):
        raise UsageError(field=field, problem=_NO_SUCH_TIME) from None


_EPOCH = Instant(0)
#: Seconds from 1970 to the year 9999.
_FAR_SECONDS = 253_402_300_799
