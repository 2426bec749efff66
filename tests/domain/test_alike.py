"""When two notes say the same: by the words alone, and never by less than all of them."""

from __future__ import annotations

from datetime import date

import pytest

from cmemory.domain.admit.alike import Meaning
from cmemory.domain.model.bodies import Note, NoteKind

TODAY = date(2026, 3, 1)  # a Sunday

SAME = (
    ("用户喜欢海边", "她很喜爱海边。"),
    ("喜欢海边，讨厌吵闹", "非常喜欢海边、不喜欢吵闹！"),
    ("喜欢在海边散步", "也喜欢海边散步"),
    ("搬到上海了", "搬到了上海"),
    ("爱吃辣", "特别喜欢吃辣的"),
    ("周三要复查", "要复查，周三"),
    ("3月4日要复查", "周三要复查"),
    ("母亲是老师", "妈妈是老师"),
    ("Likes the sea", "The user loves the sea."),
    ("She doesn't like noise", "Hates noise"),
    ("Enjoys the sea and really hates noise", "Loves the sea and dislikes noise!"),
    ("Has an exam on Friday", "On Friday she has an exam"),
    ("明天她要体检", "明天要体检"),
    ("Her mom is a nurse", "His mother is a nurse"),
    ("Has two cats", "has TWO cats"),
    ("喜欢 jazz 🎷", "很喜欢Jazz🎷"),
)

DIFFERENT = (
    ("喜欢海边", "不喜欢海边"),
    ("喜欢海边", "喜欢海鲜"),
    ("喜欢海边", "最喜欢海边"),
    ("去了北京", "去北京"),
    ("小雨喜欢小林", "小林喜欢小雨"),
    ("周三要复查", "周四要复查"),
    ("有2只猫", "有3只猫"),
    ("想养猫", "养猫"),
    ("周三还书", "周三买书"),
    ("去超市", "去市里"),
    ("喜欢茶", "喜欢茶和咖啡"),
    ("Likes the sea", "Does not like the sea"),
    ("Anna likes Ben", "Ben likes Anna"),
    ("Walked the dog", "Walks the dog"),
    ("Used to like tea", "Likes tea"),
    ("Wants a cat", "Has a cat"),
    ("Comes from Oslo", "Goes to Oslo"),
    ("Has 2 cats", "Has 3 cats"),
    ("Might move to Oslo", "Will move to Oslo"),
    ("喜欢 jazz 🎷", "喜欢 jazz 🎸"),
)


def meaning(text: str, **fields: object) -> Meaning:
    note = Note(**{"note_kind": NoteKind.FACT, "text": text, **fields})  # type: ignore[arg-type]
    return Meaning.of(note, today=TODAY)


@pytest.mark.parametrize(("one", "other"), SAME)
def test_other_words_for_the_same(one: str, other: str) -> None:
    """Subject, emphasis, a few words of one meaning, and where a day stands make no difference."""
    assert meaning(one) == meaning(other)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_what_may_mean_something_else_is_kept_apart(one: str, other: str) -> None:
    """Merging loses a sentence for good, so doubt keeps both."""
    assert meaning(one) != meaning(other)


def test_kind_and_day_count() -> None:
    """A feeling about the sea is no preference, and two promises for two days are two."""
    assert meaning("海边") != meaning("海边", note_kind=NoteKind.FEELING)
    assert meaning("还书", due_on="2026-03-02") != meaning("还书", due_on="2026-03-03")


def test_tomorrow_is_another_day_tomorrow() -> None:
    """A day is told from when the note was written."""
    note = Note(note_kind=NoteKind.EVENT, text="明天体检")
    assert Meaning.of(note, today=TODAY) != Meaning.of(note, today=date(2026, 3, 2))
