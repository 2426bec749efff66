"""English names of days, seen from Wednesday, 3 June 2026."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cmemory.domain.lexicon.en_time import FEASTS, MONTHS, WEEKDAYS
from cmemory.domain.time.dates import resolve_day

TODAY = date(2026, 6, 3)

DAYS = (
    ("today", "2026-06-03"),
    ("Tonight", "2026-06-03"),
    ("this evening", "2026-06-03"),
    ("tomorrow", "2026-06-04"),
    ("tomorrow morning", "2026-06-04"),
    ("tomorrow at 5pm", "2026-06-04"),
    ("the day after tomorrow", "2026-06-05"),
    ("yesterday", "2026-06-02"),
    ("the day before yesterday", "2026-06-01"),
    ("Friday", "2026-06-05"),
    ("friday", "2026-06-05"),
    ("on Fri.", "2026-06-05"),
    ("Friday at 5 pm", "2026-06-05"),
    ("this Friday", "2026-06-05"),
    ("this Wednesday", "2026-06-03"),
    ("Wednesday", "2026-06-10"),
    ("on Monday", "2026-06-08"),
    ("coming Sunday", "2026-06-07"),
    ("next Friday", "2026-06-12"),
    ("next Monday", "2026-06-08"),
    ("Tuesday next week", "2026-06-09"),
    ("last Friday", "2026-05-29"),
    ("last Wednesday", "2026-05-27"),
    ("June 10", "2026-06-10"),
    ("10 June", "2026-06-10"),
    ("the 10th of June", "2026-06-10"),
    ("June 10th, 2026", "2026-06-10"),
    ("10 June 2027", "2027-06-10"),
    ("Friday, June 12", "2026-06-12"),
    ("Jun. 3", "2026-06-03"),
    ("May 5", "2027-05-05"),
    ("the 20th", "2026-06-20"),
    ("the 2nd", "2026-07-02"),
    ("in three days", "2026-06-06"),
    ("in 10 days", "2026-06-13"),
    ("in a week", "2026-06-10"),
    ("in a couple of weeks", "2026-06-17"),
    ("in two months", "2026-08-03"),
    ("three days from now", "2026-06-06"),
    ("a week from today", "2026-06-10"),
    ("end of the week", "2026-06-07"),
    ("end of the month", "2026-06-30"),
    ("the end of next month", "2026-07-31"),
    ("the end of the year", "2026-12-31"),
    ("2026-06-10", "2026-06-10"),
    ("2026/6/10", "2026-06-10"),
    ("Christmas", "2026-12-25"),
    ("New Year’s Eve", "2026-12-31"),
    ("valentines day", "2027-02-14"),
)


@pytest.mark.parametrize(("phrase", "day"), DAYS)
def test_a_phrase_names_its_day(phrase: str, day: str) -> None:
    """White space around the phrase does not matter."""
    assert date.fromisoformat(day) == resolve_day(f" {phrase} ", TODAY)


@pytest.mark.parametrize(
    "phrase",
    (
        "", "6/10", "10/6/2026", "June", "June 31", "the 31st", "February 30", "next month", "next week",
        "soon", "someday", "Friday the report", "in some days", "in 0.5 days", "2026-13-01",
        "the weekend", "ſunday",
        "in 999 months and a day",
    ),
)  # fmt: skip
def test_what_names_no_single_existing_day_gives_none(phrase: str) -> None:
    """Ambiguous, vague and impossible names are refused."""
    assert resolve_day(phrase, TODAY) is None


@given(today=st.dates(), weekday=st.sampled_from(sorted(WEEKDAYS)))
def test_a_bare_weekday_lies_in_the_coming_seven_days(today: date, weekday: str) -> None:
    """It is never today, and "this" may be; the last days of time have no next week."""
    if today > date.max - timedelta(days=14):
        return
    bare, this = resolve_day(weekday, today), resolve_day(f"this {weekday}", today)

    assert bare is not None
    assert this is not None
    assert 1 <= (bare - today).days <= 7
    assert 0 <= (this - today).days <= 6
    assert bare.weekday() == this.weekday() == WEEKDAYS[weekday]


@given(
    today=st.dates(max_value=date(9998, 12, 31)),
    month=st.sampled_from(sorted(MONTHS)),
    day=st.integers(1, 28),
)
def test_a_date_without_a_year_is_the_coming_one(today: date, month: str, day: int) -> None:
    """It lies within the year ahead, today included."""
    found = resolve_day(f"{month} {day}", today)

    assert found is not None
    assert today <= found <= today + timedelta(days=366)
    assert (found.month, found.day) == (MONTHS[month], day)


@given(phrase=st.text(max_size=40), today=st.dates())
def test_any_phrase_is_read_without_failing(phrase: str, today: date) -> None:
    """Whatever is typed gives a day or nothing."""
    found = resolve_day(phrase, today)

    assert found is None or isinstance(found, date)


@pytest.mark.parametrize("feast", FEASTS)
def test_every_feast_of_the_table_is_understood(feast: str) -> None:
    """The table spells names without apostrophes, people with and without."""
    assert resolve_day(feast, TODAY) is not None
