"""Chinese names of days.

A weekday without more is the coming one and never today; 这周 and 本周 stay inside the calendar week, which
starts on Monday; 下周 is the next one. A date without a year is the coming one, today included. What names
more than one day, such as 周末, has no rule.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable
from datetime import date, timedelta

from cmemory.domain.lexicon.zh_numbers import DIGITS, FEASTS, WEEKDAYS
from cmemory.domain.pattern import lazy_pattern

Day = Callable[[re.Match[str], date], date]

_NUMERAL = r"(?:[0-9]{1,3}|[〇零一二两三四五六七八九十百]{1,5})"
_WEEK = r"(?:周|星期|礼拜)"
_FEAST = "(?:" + "|".join(sorted(FEASTS, key=len, reverse=True)) + ")"
_HOUR = r"(?:一?早|早上|上午|中午|下午|傍晚|晚上|夜里|凌晨)?"

#: Any name of a day, for rules that find one inside a statement; carries no groups.
ANY_DAY = (
    rf"(?:大后天|后天|明天|明早|明晚|今天|今晚|昨天|前天"
    rf"|(?:下下个?|下个?|这个?|本|上个?)?{_WEEK}[一二三四五六日天](?![一二三四五六])"
    rf"|(?:[0-9]{{4}}年|今年|明年)?{_NUMERAL}月{_NUMERAL}[日号]|[0-9]{{4}}[-/][0-9]{{1,2}}[-/][0-9]{{1,2}}"
    f"|(?:下个?月|这个月|本月)(?:{_NUMERAL}[日号]|底)|月底|年底|{_NUMERAL}[日号]|{_NUMERAL}(?:天|周|"
    f"个星期|个月)(?:之|以)?后|{_FEAST})"
    rf"{_HOUR}"
)


def numeral(text: str) -> int:
    """Return the number that Arabic or Chinese digits below a thousand spell.

    >>> [numeral(text) for text in ("28", "三十七", "十二", "一百零五", "两")]
    [28, 37, 12, 105, 2]

    Raises:
        ValueError: the text spells no number.
    """
    if text.isdecimal():
        return int(text)
    total, digit = 0, -1
    for char in text:
        if char in DIGITS:
            if digit > 0:
                raise ValueError(text)
            digit = DIGITS[char]
        elif char in "十百":
            total += (1 if digit < 0 else digit) * (10 if char == "十" else 100)
            digit = -1
        else:
            raise ValueError(text)
    if not text:
        raise ValueError(text)
    return total + max(digit, 0)


def _after(days: int) -> Day:
    return lambda match, today: today + timedelta(days=days)


def _coming_weekday(match: re.Match[str], today: date) -> date:
    return today + timedelta(days=(WEEKDAYS[match["weekday"]] - today.weekday() - 1) % 7 + 1)


def _weekday_in(weeks: int) -> Day:
    def day(match: re.Match[str], today: date) -> date:
        return today + timedelta(days=7 * weeks + WEEKDAYS[match["weekday"]] - today.weekday())

    return day


def _calendar_day(match: re.Match[str], today: date) -> date:
    month, day = numeral(match["month"]), numeral(match["day"])
    if match["year"] is None:
        return _coming(month, day, today)
    years = {"今年": today.year, "明年": today.year + 1}
    return date(years.get(match["year"]) or int(match["year"][:4]), month, day)


def _numeric(match: re.Match[str], today: date) -> date:
    return date(int(match["year"]), int(match["month"]), int(match["day"]))


def _coming(month: int, day: int, today: date) -> date:
    this_year = date(today.year, month, day)
    return this_year if this_year >= today else date(today.year + 1, month, day)


def _feast(match: re.Match[str], today: date) -> date:
    return _coming(*FEASTS[match["feast"]], today)


def _months_later(day: date, months: int) -> date:
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def _day_of_month(months: int) -> Day:
    return lambda match, today: _months_later(today.replace(day=1), months).replace(day=numeral(match["day"]))


def _coming_day_of_month(match: re.Match[str], today: date) -> date:
    return _day_of_month(0 if numeral(match["day"]) >= today.day else 1)(match, today)


def _end_of_month(months: int) -> Day:
    def day(match: re.Match[str], today: date) -> date:
        month = _months_later(today.replace(day=1), months)
        return month.replace(day=calendar.monthrange(month.year, month.month)[1])

    return day


def _counted(match: re.Match[str], today: date) -> date:
    count = numeral(match["count"])
    if match["unit"] == "个月":
        return _months_later(today, count)
    return today + timedelta(days=count if match["unit"] == "天" else 7 * count)


_WEEKDAY = rf"{_WEEK}(?P<weekday>[一二三四五六日天])"
_MONTH = rf"(?P<month>{_NUMERAL})月"
_DAY = rf"(?P<day>{_NUMERAL})[日号]"

DAY_RULES: tuple[tuple[re.Pattern[str], Day], ...] = tuple(
    (lazy_pattern(f"(?:{source}){_HOUR}"), day)
    for source, day in (
        (r"今[天日晚早]|今儿", _after(0)),
        (r"明[天日晚早]|明儿", _after(1)),
        (r"后天", _after(2)),
        (r"大后天", _after(3)),
        (r"昨[天日晚]", _after(-1)),
        (r"前天", _after(-2)),
        (_WEEKDAY, _coming_weekday),
        (rf"(?:这个?|本){_WEEKDAY}", _weekday_in(0)),
        (rf"下个?{_WEEKDAY}", _weekday_in(1)),
        (rf"下下个?{_WEEKDAY}", _weekday_in(2)),
        (rf"上个?{_WEEKDAY}", _weekday_in(-1)),
        (rf"(?P<year>[0-9]{{4}}年|今年|明年)?{_MONTH}{_DAY}", _calendar_day),
        (r"(?P<year>[0-9]{4})[-/](?P<month>[0-9]{1,2})[-/](?P<day>[0-9]{1,2})", _numeric),
        (rf"(?:这个?|本)月{_DAY}", _day_of_month(0)),
        (rf"下个?月{_DAY}", _day_of_month(1)),
        (_DAY, _coming_day_of_month),
        (r"(?:这个?|本)?月[底末]", _end_of_month(0)),
        (r"下个?月[底末]", _end_of_month(1)),
        (r"(?:今年)?年[底末]|今年年底", lambda _, today: date(today.year, 12, 31)),
        (rf"再?过?(?P<count>{_NUMERAL})(?P<unit>天|周|个星期|个月)(?:之|以)?后", _counted),
        (rf"(?P<feast>{_FEAST})", _feast),
    )
)
