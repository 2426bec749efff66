"""Civil days and weeks: which of them a moment falls on depends on where the person lives."""

from __future__ import annotations

import enum
from datetime import date, tzinfo

import attrs

from cmemory.domain.model.instant import Instant

_DAYS_PER_WEEK = 7


class SpanKind(enum.Enum):
    """How long a stretch of the calendar is."""

    #: One civil day.
    DAY = "day"
    #: An ISO week, Monday to Sunday.
    WEEK = "week"


@attrs.frozen
class CivilSpan:
    """Days of the calendar, both ends included."""

    first: date
    last: date

    @classmethod
    def around(cls, day: date, kind: SpanKind) -> CivilSpan:
        """Return the day, or the week that holds it; at the very ends of the calendar, what exists of it.

        >>> week = CivilSpan.around(date(2026, 3, 1), SpanKind.WEEK)
        >>> str(week.first), str(week.last)
        ('2026-02-23', '2026-03-01')
        """
        if kind is SpanKind.DAY:
            return cls(day, day)
        monday = day.toordinal() - day.weekday()
        return cls(_existing(monday), _existing(monday + _DAYS_PER_WEEK - 1))

    def following(self) -> CivilSpan:
        """Return as many days right after these."""
        after = self.last.toordinal() + 1
        return CivilSpan(_existing(after), _existing(after + (self.last - self.first).days))

    def holds(self, day: date) -> bool:
        """Tell whether a day is one of these."""
        return self.first <= day <= self.last


def civil_day(moment: Instant, zone: tzinfo) -> date:
    """Return the day that the calendar in a zone shows at a moment."""
    return moment.civil(zone).date()


def _existing(number: int) -> date:
    return date.fromordinal(min(max(number, date.min.toordinal()), date.max.toordinal()))
