"""What a stretch of speech does: only statements can become facts."""

from __future__ import annotations

import pytest

from cmemory.domain.text.intent import Intent, intent_of, is_joke


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我叫周眠", Intent.STATEMENT),
        ("My name is Nora", Intent.STATEMENT),
        ("你叫什么名字", Intent.QUESTION),
        ("do you like jazz?", Intent.QUESTION),
        ("如果我住在海边", Intent.HYPOTHETICAL),
        ("if I lived by the sea", Intent.HYPOTHETICAL),
        ("她说她叫小敏", Intent.REPORTED),
        ("she said her name is Mia", Intent.REPORTED),
        ("今天好累", Intent.MOOD),
        ("I'm so tired", Intent.MOOD),
        ("开玩笑的", Intent.JOKE),
        ("just kidding", Intent.JOKE),
    ],
)
def test_kinds_of_speech(text: str, expected: Intent) -> None:
    """Questions, suppositions, others' words, passing moods and jokes are told from statements."""
    assert expected is intent_of(text)


@pytest.mark.parametrize("text", ["Could you call me Jo?", "can you please stop mentioning my ex?"])
def test_a_request_in_the_shape_of_a_question_is_a_statement(text: str) -> None:
    """What somebody asks of the companion for good is a wish, whatever its grammar."""
    assert Intent.STATEMENT is intent_of(text)


@pytest.mark.parametrize(
    ("text", "expected"), [("骗你的，我不叫这个", True), ("我叫周眠", False), ("jk, I live on Mars", True)]
)
def test_a_joke_says_so(text: str, expected: bool) -> None:
    """A message that says it is not meant means nothing it says."""
    assert expected is is_joke(text)
