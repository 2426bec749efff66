"""Cuts into sentences, clauses and quoted stretches."""

from __future__ import annotations

import pytest

from cmemory.domain.text.sentences import clauses, quoted, sentences


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我叫周眠。住在杭州！", ["我叫周眠。", "住在杭州！"]),
        ("You? 3.5 km.", ["You? ", "3.5 km."]),
        ("See a.b for it. Fine", ["See a.b for it. ", "Fine"]),
        ("Dr. Lin called. Mrs. Wu too.", ["Dr. Lin called. ", "Mrs. Wu too."]),
        ("真的吗？！好。", ["真的吗？！", "好。"]),
        ("他说：“走吧。”我没走。", ["他说：“走吧。”", "我没走。"]),
        ("one\ntwo\n\nthree", ["one\n", "two\n\n", "three"]),
        ("等等……再说", ["等等……", "再说"]),
        ("", []),
        ("no end", ["no end"]),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    """A sentence ends at its mark or line, with closing quotes; numbers and titles end nothing."""
    assert expected == [piece.text for piece in sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我叫周眠，住在杭州", ["我叫周眠，", "住在杭州"]),
        ("10:30 到 1,000 人", ["10:30 到 1,000 人"]),
        ("喜欢苹果、梨", ["喜欢苹果、梨"]),
        ("我住杭州 在银行上班", ["我住杭州 ", "在银行上班"]),
        ("I like tea but not coffee", ["I like tea ", "but not coffee"]),
        ("well, I moved, again", ["well, ", "I moved, ", "again"]),
    ],
)
def test_clauses(text: str, expected: list[str]) -> None:
    """A clause ends at a comma or a linking word, not inside a number or a list."""
    (sentence,) = sentences(text)
    assert expected == [piece.text for piece in clauses(sentence)]


def test_clause_offsets_count_in_the_whole_text() -> None:
    """A clause knows where it stands in the message, not only in its sentence."""
    text = "第一句。我叫周眠，住在杭州。"
    pieces = [piece for sentence in sentences(text) for piece in clauses(sentence)]
    assert ["第一句。", "我叫周眠，", "住在杭州。"] == [text[piece.start : piece.end] for piece in pieces]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("他写道：“我叫阿橙。”我喜欢《活着》", ["我叫阿橙。", "活着"]),
        ('she wrote "call me Jo" once', ["call me Jo"]),
        ("「没有关上", []),
        ("”反了“", []),
        ("“外『内』外”", ["外『内』外"]),
        ('""', [""]),
    ],
)
def test_quoted(text: str, expected: list[str]) -> None:
    """What stands between a pair of marks is quoted; a mark without its partner quotes nothing."""
    assert expected == [piece.text for piece in quoted(text)]
