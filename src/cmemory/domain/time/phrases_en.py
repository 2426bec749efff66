"""English names of days.

A weekday without more, or with "on", is the coming one and never today; "this" may be today; "next" lies in
the next calendar week, which starts on Monday. A date without a year is the coming one, today included. What
two readers would put on different days, such as 6/10, has no rule.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable, Iterable
from datetime import date, timedelta

from cmemory.domain.lexicon.en_time import FEASTS, MONTHS, NUMBERS, WEEKDAYS
from cmemory.domain.pattern import lazy_pattern

Day = Callable[[re.Match[str], date], date]


def _one_of(words: Iterable[str]) -> str:
    return "(?:" + "|".join(sorted(words, key=len, reverse=True)) + ")"


_WEEKDAY = rf"(?P<weekday>{_one_of(WEEKDAYS)})\.?"
_MONTH = rf"(?P<month>{_one_of(MONTHS)})\.?"
_DAY = r"(?P<day>[0-9]{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?:,? (?P<year>[0-9]{4}))?"
_COUNT = rf"(?P<count>[0-9]{{1,3}}|{_one_of(NUMBERS)})(?: of)?"
_FEAST = _one_of(FEASTS).replace("years", "year's").replace("valentines", "valentine's")
#: The hour does not change which day it is.
_HOUR = (
    "(?: (?:morning|afternoon|evening|night|noon))?(?: (?:at|by|before"
    "|around) [0-9]{1,2}(?::[0-9]{2})? ?(?:am|pm)?)?"
)


def _pattern(source: str) -> re.Pattern[str]:
    # ASCII, so that no foreign look-alike of a letter passes for a word of the tables.
    return lazy_pattern(
        source.replace("'", "['’]?").replace(" ?", r"\s{0,3}").replace(" ", r"\s{1,3}"),
        re.IGNORECASE | re.ASCII,
    )


def _after(days: int) -> Day:
    return lambda match, today: today + timedelta(days=days)


def _weekday_from(first: int) -> Day:
    """The first such weekday that is at least ``first`` days away."""

    def day(match: re.Match[str], today: date) -> date:
        start = today + timedelta(days=first)
        return start + timedelta(days=(WEEKDAYS[match["weekday"].lower()] - start.weekday()) % 7)

    return day


def _weekday_of_next_week(match: re.Match[str], today: date) -> date:
    return today + timedelta(days=7 - today.weekday() + WEEKDAYS[match["weekday"].lower()])


def _last_weekday(match: re.Match[str], today: date) -> date:
    return today - timedelta(days=(today.weekday() - WEEKDAYS[match["weekday"].lower()] - 1) % 7 + 1)


def _calendar_day(match: re.Match[str], today: date) -> date:
    month, day = MONTHS[match["month"].lower()], int(match["day"])
    return date(int(match["year"]), month, day) if match["year"] else _coming(month, day, today)


def _numeric(match: re.Match[str], today: date) -> date:
    return date(int(match["year"]), int(match["month"]), int(match["day"]))


def _coming(month: int, day: int, today: date) -> date:
    this_year = date(today.year, month, day)
    return this_year if this_year >= today else date(today.year + 1, month, day)


def _feast(match: re.Match[str], today: date) -> date:
    return _coming(*FEASTS[re.sub("['’]", "", match["feast"].lower())], today)


def _day_of_month(match: re.Match[str], today: date) -> date:
    day = int(match["day"])
    return (
        today.replace(day=day)
        if day >= today.day
        else _months_later(today.replace(day=1), 1).replace(day=day)
    )


def _counted(match: re.Match[str], today: date) -> date:
    count = match["count"].lower()
    number = NUMBERS[count] if count in NUMBERS else int(count)
    unit = match["unit"].lower()
    if unit == "month":
        return _months_later(today, number)
    return today + timedelta(days=number * (7 if unit == "week" else 1))


def _months_later(day: date, months: int) -> date:
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def _end_of_month(months: int) -> Day:
    def day(match: re.Match[str], today: date) -> date:
        month = _months_later(today, months)
        return month.replace(day=calendar.monthrange(month.year, month.month)[1])

    return day


DAY_RULES: tuple[tuple[re.Pattern[str], Day], ...] = tuple(
    (_pattern(source), day)
    for source, day in (
        (r"today|tonight|this (?:morning|afternoon|evening)|(?:the )?end of (?:the |this )?day", _after(0)),
        (rf"tomorrow{_HOUR}", _after(1)),
        (rf"(?:the )?day after tomorrow{_HOUR}", _after(2)),
        (r"yesterday(?: (?:morning|afternoon|evening))?|last night", _after(-1)),
        (r"(?:the )?day before yesterday", _after(-2)),
        (rf"(?:on |(?:this |the )?(?:up)?coming )?{_WEEKDAY}{_HOUR}", _weekday_from(1)),
        (rf"this {_WEEKDAY}{_HOUR}", _weekday_from(0)),
        (rf"next {_WEEKDAY}{_HOUR}", _weekday_of_next_week),
        (rf"(?:on )?{_WEEKDAY} next week", _weekday_of_next_week),
        (rf"last {_WEEKDAY}", _last_weekday),
        (
            f"(?:on )?(?:{_one_of(WEEKDAYS)},? )?(?:the )?{_MONTH} (?:the )?{_DAY}{_YEAR}{_HOUR}",
            _calendar_day,
        ),
        (rf"(?:on )?(?:the )?{_DAY} (?:of )?{_MONTH}{_YEAR}{_HOUR}", _calendar_day),
        (r"(?:on )?(?P<year>[0-9]{4})[-/](?P<month>[0-9]{1,2})[-/](?P<day>[0-9]{1,2})", _numeric),
        (rf"(?:on )?(?P<feast>{_FEAST})", _feast),
        (r"(?:on )?the (?P<day>[0-9]{1,2})(?:st|nd|rd|th)(?: of (?:the|this) month)?", _day_of_month),
        (rf"in (?:a )?{_COUNT} (?P<unit>day|week|month)s?", _counted),
        (rf"(?:a )?{_COUNT} (?P<unit>day|week|month)s? from (?:now|today)", _counted),
        (r"(?:the )?end of (?:the|this) month", _end_of_month(0)),
        (r"(?:the )?end of next month", _end_of_month(1)),
        (r"(?:the )?end of (?:the|this) week", lambda _, today: today + timedelta(days=6 - today.weekday())),
        (r"(?:the )?end of (?:the|this) year", lambda _, today: date(today.year, 12, 31)),
    )
)
