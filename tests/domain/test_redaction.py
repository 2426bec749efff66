"""Blotting words out of a message without moving anything else."""

from __future__ import annotations

import pytest

from cmemory.domain.evidence.redaction import blot_spans, blot_words


@pytest.mark.parametrize(
    ("text", "spans", "protected", "expected"),
    [
        ("我叫周眠。", [(6, 12)], [], "我叫******。"),
        ("abc", [], [], "abc"),
        ("abcdef", [(0, 4)], [(2, 3)], "**c*ef"),
        ("abcdef", [(0, 2), (1, 4)], [], "****ef"),
        ("abcdef", [(1, 3)], [(0, 6)], "abcdef"),
        ("🙂x", [(0, 4)], [], "****x"),
    ],
)
def test_spans_are_blotted_byte_for_byte(
    text: str, spans: list[tuple[int, int]], protected: list[tuple[int, int]], expected: str
) -> None:
    """Each byte of a span becomes one mark, except where something that stays is quoted."""
    assert expected == blot_spans(text, spans, protected)
    assert len(text.encode()) == len(expected.encode())


@pytest.mark.parametrize(
    ("text", "words", "expected"),
    [
        ("Ann went to Annecy. ANN!", ["ann"], "*** went to Annecy. ***!"),
        ("周眠和小周眠", ["周眠"], "******和小******"),
        ("a+b a+b1", ["a+b"], "*** a+b1"),
        ("学琴，学习", ["学琴", "学"], "******，***习"),
        ("nothing here", [], "nothing here"),
        ("叫Nora呀", ["nora"], "叫****呀"),
    ],
)
def test_words_are_blotted_wherever_they_stand(text: str, words: list[str], expected: str) -> None:
    """Any case is found; a Latin word counts whole, a Chinese one anywhere."""
    assert expected == blot_words(text, words)
