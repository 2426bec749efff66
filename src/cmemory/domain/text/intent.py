"""What a stretch of speech does: state, ask, suppose, report others, joke, or pass a mood.

Only statements can become facts. The words that mark the other kinds live in `cmemory.domain.lexicon`.
"""

from __future__ import annotations

import enum

from cmemory.domain.lexicon import marks_en, marks_zh


class Intent(enum.Enum):
    """The kinds, in the order in which they are tested."""

    #: "开玩笑的", "just kidding": nothing in the message is meant.
    JOKE = "joke"
    #: "如果我叫…", "if I lived in…": nothing of it is the case.
    HYPOTHETICAL = "hypothetical"
    #: "他说他…", "she said …": somebody else's words.
    REPORTED = "reported"
    QUESTION = "question"
    #: "今天好烦", "I'm so tired today": true now, gone tomorrow.
    MOOD = "mood"
    STATEMENT = "statement"


_MARKS = (marks_zh.MARKS, marks_en.MARKS)
#: "Could you call me Jo?" has the shape of a question and states a wish all the same.
_REQUESTS = tuple(marks["request"] for marks in _MARKS)


def is_joke(text: str) -> bool:
    """Tell whether a message says of itself that it is not meant."""
    return any(marks["joke"].search(text) for marks in _MARKS)


def supposes(stretch: str) -> bool:
    """Tell whether a hypothetical stretch is a condition; a dream or a tale colours all around it."""
    return any(marks["condition"].search(stretch) for marks in _MARKS)


def depends(stretch: str) -> bool:
    """Tell whether what a stretch says may hang on a condition: "I would live in Rome, if …"."""
    return any(marks["dependent"].search(stretch) for marks in _MARKS)


def intent_of(stretch: str) -> Intent:
    """Return what one clause or sentence does.

    >>> [intent_of(text).value for text in ("如果我叫小明就好了", "do you like jazz?", "我叫周眠")]
    ['hypothetical', 'question', 'statement']
    """
    for intent in (Intent.JOKE, Intent.HYPOTHETICAL, Intent.REPORTED, Intent.QUESTION, Intent.MOOD):
        if any(marks[intent.value].search(stretch) for marks in _MARKS):
            wish = intent is Intent.QUESTION and any(pattern.search(stretch) for pattern in _REQUESTS)
            return Intent.STATEMENT if wish else intent
    return Intent.STATEMENT
