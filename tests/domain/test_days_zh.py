"""Chinese names of days, seen from Wednesday 2026-06-03."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cmemory.domain.time.dates import resolve_day
from cmemory.domain.time.phrases_zh import numeral

WEDNESDAY = date(2026, 6, 3)


@pytest.mark.parametrize(
    ("phrase", "day"),
    [
        ("今天", "2026-06-03"),
        ("今晚", "2026-06-03"),
        ("明天", "2026-06-04"),
        ("明早", "2026-06-04"),
        ("明天下午", "2026-06-04"),
        ("后天", "2026-06-05"),
        ("大后天", "2026-06-06"),
        ("昨天", "2026-06-02"),
        ("前天", "2026-06-01"),
        ("周五", "2026-06-05"),
        ("周三", "2026-06-10"),
        ("周日", "2026-06-07"),
        ("周天", "2026-06-07"),
        ("星期一", "2026-06-08"),
        ("礼拜二", "2026-06-09"),
        ("这周五", "2026-06-05"),
        ("本周五", "2026-06-05"),
        ("这周三", "2026-06-03"),
        ("这周一", "2026-06-01"),
        ("下周三", "2026-06-10"),
        ("下周日", "2026-06-14"),
        ("下下周一", "2026-06-15"),
        ("上周五", "2026-05-29"),
        ("6月10号", "2026-06-10"),
        ("6月10日", "2026-06-10"),
        ("六月十日", "2026-06-10"),
        ("十二月三十一号", "2026-12-31"),
        ("5月1号", "2027-05-01"),
        ("6月3号", "2026-06-03"),
        ("明年3月8号", "2027-03-08"),
        ("2026年6月10日", "2026-06-10"),
        ("2027年1月5号", "2027-01-05"),
        ("2026-06-10", "2026-06-10"),
        ("2026/6/10", "2026-06-10"),
        ("10号", "2026-06-10"),
        ("2号", "2026-07-02"),
        ("下个月5号", "2026-07-05"),
        ("下月5号", "2026-07-05"),
        ("这个月15号", "2026-06-15"),
        ("月底", "2026-06-30"),
        ("下个月底", "2026-07-31"),
        ("年底", "2026-12-31"),
        ("三天后", "2026-06-06"),
        ("10天之后", "2026-06-13"),
        ("两周后", "2026-06-17"),
        ("一个月后", "2026-07-03"),
        ("国庆节", "2026-10-01"),
        ("元旦", "2027-01-01"),
        ("圣诞", "2026-12-25"),
        (" 明天 ", "2026-06-04"),
    ],
)
def test_a_phrase_names_one_day(phrase: str, day: str) -> None:
    """Each way of naming a day means exactly that day."""
    assert date.fromisoformat(day) == resolve_day(phrase, WEDNESDAY)


@pytest.mark.parametrize(
    "phrase",
    ["", "周末", "最近", "改天", "2月30号", "13月1号", "周八", "明天的事", "40号", "2026-13-01", "以后"],
)
def test_what_names_no_existing_day_is_refused(phrase: str) -> None:
    """Neither more than one day nor an impossible one is guessed."""
    assert resolve_day(phrase, WEDNESDAY) is None


def test_the_end_of_a_month_survives_short_months() -> None:
    """下个月31号 does not exist in a month of 30 days, and 一个月后 ends with it."""
    assert resolve_day("下个月31号", date(2026, 5, 31)) is None
    assert date(2026, 2, 28) == resolve_day("一个月后", date(2026, 1, 31))


_LETTERS = "今明后天下周星期一二三四五六日月号底年0123456789个上这本-/"


@given(st.text(alphabet=_LETTERS, max_size=12), st.dates())
def test_no_phrase_raises(phrase: str, today: date) -> None:
    """Every text is a day or None."""
    assert isinstance(resolve_day(phrase, today), date | None)


@pytest.mark.parametrize(
    ("text", "number"),
    [("二十", 20), ("十", 10), ("十九", 19), ("九十九", 99), ("一百", 100), ("007", 7), ("零", 0)],
)
def test_numerals_read_as_spoken(text: str, number: int) -> None:
    """Arabic and Chinese digits mean the same number."""
    assert number == numeral(text)


@pytest.mark.parametrize("text", ["", "两三", "很多", "1a"])
def test_other_words_are_no_numerals(text: str) -> None:
    """What spells no number is refused."""
    with pytest.raises(ValueError):
        numeral(text)
