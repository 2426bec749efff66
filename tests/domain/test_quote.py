"""Quotes: verbatim, at their place, and nowhere else."""

from __future__ import annotations

import pytest

from cmemory.domain.evidence.quote import check, locate, quote_at
from cmemory.domain.model.candidate import Reason
from cmemory.domain.model.message import Quote


@pytest.mark.parametrize(
    ("text", "words", "start", "end"),
    [
        ("猫现在好多了，能吃东西了。", "能吃东西", 21, 33),
        ("明天记得给花浇水。", "给花浇水", 12, 24),
        ("My name is Xiaolin.", "Xiaolin", 11, 18),
        ("🙂 Nora", "Nora", 5, 9),
        ("café au lait", "lait", 9, 13),
    ],
)
def test_quotes_are_found_in_bytes(text: str, words: str, start: int, end: int) -> None:
    """Offsets count UTF-8 bytes, and what was found verifies."""
    found = locate(text, words)
    assert Quote(start=start, end=end, text=words) == found
    assert check(text, found) is None


def test_a_quote_is_trimmed_before_it_is_looked_for() -> None:
    """White space around a quote is the proposer's, not the person's."""
    assert Quote(start=11, end=18, text="Xiaolin") == locate("My name is Xiaolin.", "  Xiaolin\n")


@pytest.mark.parametrize(
    ("text", "words", "expected"),
    [
        ("我叫周眠", "周棉", Reason.SPAN_MISMATCH),
        ("我叫周眠", "", Reason.SPAN_MISMATCH),
        ("我叫周眠", "  ", Reason.SPAN_MISMATCH),
        ("Nora, not nora", "NORA", Reason.SPAN_MISMATCH),
        ("猫和猫", "猫", Reason.AMBIGUOUS_QUOTE),
        ("哈哈哈", "哈哈", Reason.AMBIGUOUS_QUOTE),
        ("abab ab", "ab", Reason.AMBIGUOUS_QUOTE),
    ],
)
def test_quotes_that_prove_nothing(text: str, words: str, expected: Reason) -> None:
    """A quote that is absent, blank, or stands in two places, overlapping ones too, is refused."""
    assert expected is locate(text, words)


@pytest.mark.parametrize(
    ("start", "end", "words"),
    [
        (-1, 3, "我"),
        (-3, 12, "眠"),
        (0, 2, "我"),
        (1, 4, "我"),
        (3, 0, ""),
        (0, 0, ""),
        (0, 99, "我叫周眠"),
        (3, 6, "周"),
        (6, 12, "周棉"),
        (12, 15, " "),
    ],
)
def test_spans_that_do_not_hold_their_words(start: int, end: int, words: str) -> None:
    """Negative, reversed, empty or overlong ranges, cuts inside a character and other words do not match."""
    assert Reason.SPAN_MISMATCH is check("我叫周眠", Quote(start=start, end=end, text=words))


def test_the_right_place_of_repeated_words_is_still_ambiguous() -> None:
    """Even an exact span proves no particular place when the words stand elsewhere too."""
    assert Reason.AMBIGUOUS_QUOTE is check("猫和猫", Quote(start=0, end=3, text="猫"))
    assert Reason.AMBIGUOUS_QUOTE is check("哈哈哈", Quote(start=0, end=6, text="哈哈"))


def test_a_quote_that_cannot_be_encoded_is_a_mismatch() -> None:
    """Half a character, as a model may produce it, stands nowhere."""
    assert Reason.SPAN_MISMATCH is check("a🙂", Quote(start=1, end=4, text="\ud83d"))


def test_quote_at_counts_code_points() -> None:
    """A stretch given in characters becomes one in bytes."""
    assert Quote(start=4, end=10, text="周眠") == quote_at("🙂周眠。", 1, 3)
