"""Which values a predicate takes, which may replace which, and when two mean the same."""

from __future__ import annotations

import math

import pytest

from cmemory.domain.predicates.registry import PREDICATES
from cmemory.domain.predicates.values import (
    accept,
    equivalent,
    expectation,
    is_coarser_date,
    is_iso_date,
    normal_value,
)

TEXT = PREDICATES["goal.current_focus"]
ENUM = PREDICATES["communication.verbosity"]
NUMBER = PREDICATES["identity.age"]
DATE = PREDICATES["open_loop.deadline"]
PLACE = PREDICATES["identity.location"]


@pytest.mark.parametrize("row", [TEXT, ENUM, NUMBER, DATE, PLACE])
@pytest.mark.parametrize(
    "value", [None, "", "   ", "\n\t", [], {}, [1], {"a": 1}, True, False, b"x", object()]
)
def test_nothing_takes_empty_or_structured_values(row: object, value: object) -> None:
    """Null, blank, lists, objects and booleans fit no kind."""
    assert accept(row, value) is None  # type: ignore[arg-type]


@pytest.mark.parametrize("row", [TEXT, PLACE])
def test_text_is_taken_as_it_is(row: object) -> None:
    """A non-blank text is neither trimmed nor folded."""
    assert accept(row, "  学大提琴 ") == "  学大提琴 "  # type: ignore[arg-type]


@pytest.mark.parametrize("value", [3, 3.5, math.nan])
def test_text_takes_no_numbers(value: float) -> None:
    """A number is not silently made a text."""
    assert accept(TEXT, value) is None


@pytest.mark.parametrize("value", ["short", "very_short"])
def test_enum_takes_its_tokens(value: str) -> None:
    """A token of the row's own list fits."""
    assert value == accept(ENUM, value)


@pytest.mark.parametrize("value", ["Short", " short", "short ", "brief", "warm", "简短", 1, "ｓｈｏｒｔ"])
def test_enum_takes_nothing_else(value: object) -> None:
    """Tokens are neither trimmed, folded nor guessed, and other rows' tokens do not count."""
    assert accept(ENUM, value) is None


@pytest.mark.parametrize("value", [0, -3, 28, 28.5, "28", "+28", "-1.5", " 1990 ", "0.0"])
def test_number_takes_finite_numbers(value: object) -> None:
    """Finite numbers and plain numeric texts fit and keep their type."""
    found = accept(NUMBER, value)
    assert (value, type(value)) == (found, type(found))


@pytest.mark.parametrize(
    "value",
    [math.nan, math.inf, -math.inf, True, "1e3", ".5", "5.", "1,000", "二十八", "28岁", "٢٨", "２８", "0x1f"],
)
def test_number_takes_nothing_else(value: object) -> None:
    """Booleans, NaN, infinities, exponents, bare dots and other scripts' digits are no numbers."""
    assert accept(NUMBER, value) is None


ISO_ACCEPTED = [
    "2026-06-10",
    "2026-06",
    "2026",
    "2026-06-10T14:00",
    "2026-06-10T14:00:00",
    "2026-06-10T14:00:00Z",
    "2026-06-10T14:00:00.123Z",
    "2026-06-10T14:00:00+08:00",
    "2026-06-10T14:00:00+0800",
    "2026-06-10 14:00",
    "2026-06-10t14:00z",
    "  2026-06-10  ",
    # Only the shape is tested.
    "2026-13-45",
    "2026-06-10T99:99",
    "2026T14:00",
    "2026-06-10T14:00:00:99",
    "2026-06-10T14:00-0530",
]
ISO_REJECTED = [
    "",
    "   ",
    "next Wednesday",
    "sometime next week",
    "下周三",
    "2026/06/10",
    "26-06-10",
    "2026-6-10",
    "2026-06-1",
    "2026-06-10T14",
    "2026-06-10T",
    "2026-06-10T14:00:00+08:0",
    "2026-06-10T-1:00",
    "2026-06-10T14:00+8",
    "2026-06-10T14:00ZZ",
    "2026-06-10T4:00",
    # A date part of seven or ten bytes that is not ASCII, and digits of other scripts.
    "下周三1",
    "周三1234",
    "２０２６-06-10",
    "٢٠٢٦",
]


@pytest.mark.parametrize("text", ISO_ACCEPTED)
def test_dates_that_are_taken(text: str) -> None:
    """Years, months, days and days with a time of day have the shape of a date."""
    assert is_iso_date(text)
    assert text == accept(DATE, text)


@pytest.mark.parametrize("text", ISO_REJECTED)
def test_dates_that_are_refused(text: str) -> None:
    """Prose, other notations and half a clock are no dates, and no text makes the check fail."""
    assert not is_iso_date(text)
    assert accept(DATE, text) is None


@pytest.mark.parametrize(
    ("incoming", "incumbent", "expected"),
    [
        ("2026-06", "2026-06-10", True),
        ("2026", "2026-06", True),
        ("2026-06-10", "2026-06-10T14:00", True),
        (" 2026-06 ", "2026-06-10", True),
        ("2026-06-10", "2026-06", False),
        ("2026-06-10", "2026-06-10", False),
        ("2026-07", "2026-06-10", False),
        ("2027", "2026-06-10", False),
    ],
)
def test_a_coarser_date_repeats_the_start_of_a_finer_one(
    incoming: str, incumbent: str, expected: bool
) -> None:
    """A month says less than a day of the same month, but a different month says something new."""
    assert expected is is_coarser_date(incoming, incumbent)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("  New   York ", "new york"),
        ("学\t大提琴\n", "学 大提琴"),
        ("Designer", "designer"),
        (2020, "2020"),
        (1990.0, "1990.0"),
        (None, "null"),
        ({"b": 1, "a": {"d": "咖啡", "c": 2}}, '{"a":{"c":2,"d":"咖啡"},"b":1}'),
    ],
)
def test_normal_value(value: object, expected: str) -> None:
    """Texts are folded; anything else is compact JSON with sorted keys and readable characters."""
    assert expected == normal_value(value)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("Designer", " designer ", True),
        ("designer", "design", False),
        ("猫", "猫咪", False),
        (1990, "1990", True),
        (1990.0, "1990", False),
        ("New York", "newyork", False),
    ],
)
def test_equal_values_without_guessing(one: object, other: object, expected: bool) -> None:
    """Values are equal after folding only: no stems, no synonyms."""
    assert expected is equivalent(one, other)


def test_every_kind_says_what_it_wants() -> None:
    """A refusal of a date tells the developer about ISO 8601."""
    assert "ISO 8601" in expectation(DATE)
    assert all(expectation(row) for row in PREDICATES.values())
