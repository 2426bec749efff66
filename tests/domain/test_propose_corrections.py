"""What the offline rules read as a correction, form by form; which claim is meant is for admission to find."""

from __future__ import annotations

import time
from datetime import timedelta, timezone
from pathlib import Path

import pytest

from cmemory.bench.corrections import CORPUS, read_corpus
from cmemory.domain.model.candidate import ClaimCandidate, CorrectionCandidate
from proposing import assert_sound, proposed

SHANGHAI = timezone(timedelta(hours=8))

#: Sentence, subject, previous value, new value.
ORDERS = (
    ("将 Cedar 服务端口从 6389 改为 8247", "Cedar 服务端口", "6389", "8247"),
    ("Change the Cedar service port from 6389 to 8247", "Cedar service port", "6389", "8247"),
    ("把阿白的生日从三月改成四月。", "阿白的生日", "三月", "四月"),
    ("Update reading lamp value from cold to warm!", "reading lamp", "cold", "warm"),
    ("Replace the reading lamp value with warm", "reading lamp", None, "warm"),
    ("Replace the reading lamp setting with warm.", "reading lamp", None, "warm"),
    ("Change version to 1.5.2.", "version", None, "1.5.2"),
    ("Change the lamp to warm; thanks", "lamp", None, "warm"),
    ("Change the lamp to warm, please", "lamp", None, "warm"),
    ("Hey Luna, please change the lamp to “warm”, thanks a lot!", "lamp", None, "warm"),
    ("Change the cat's name to Milo.", "cat's name", None, "Milo"),
    ("Change the trip from April to May", "trip", "April", "May"),
    ("把灯改为暖色", "灯", None, "暖色"),
    ("把书房灯光改为暖色！明天见", "书房灯光", None, "暖色"),
    ("把端口从80改成81，谢谢", "端口", "80", "81"),
    ("请帮我把端口更新为 81", "端口", None, "81"),
    ("我把闹钟改成八点了", "闹钟", None, "八点"),
    ("把我的闹钟的时间替换为八点", "闹钟", None, "八点"),
    ("面试从周三推迟到周五", "面试", "周三", "周五"),
    ("The interview got moved to Friday", "interview", None, "Friday"),
    ("The interview was rescheduled from Monday to Friday", "interview", "Monday", "Friday"),
    ("The interview is on Thursday, not Wednesday.", "interview", "Wednesday", "Thursday"),
    ("The interview isn't on Wednesday, it's on Thursday", "interview", "Wednesday", "Thursday"),
    ("纠正一下：面试不是周三，是周四", "面试", "周三", "周四"),
    ("面试是周四，不是周三", "面试", "周三", "周四"),
)

#: Sentence, previous value, new value, and whether the previous one must be all that a claim says.
CONTRASTS = (
    ("It's Hanna, not Anna", "Anna", "Hanna", False),
    ("I meant Lisbon, not Porto", "Porto", "Lisbon", False),
    ("I said Porto, I meant Lisbon", "Porto", "Lisbon", False),
    ("Not Wednesday, Thursday", "Wednesday", "Thursday", False),
    ("it's not Wednesday but Thursday", "Wednesday", "Thursday", False),
    ("It isn't Anna, it's Hanna", "Anna", "Hanna", False),
    ("it's love, not work", "work", "love", True),
    ("typo: peaches, not peanuts", "peanuts", "peaches", False),
    ("I made a mistake. It's cashews, not peanuts.", "peanuts", "cashews", False),
    ("it's cashews, not peanuts, sorry", "peanuts", "cashews", False),
    ("不是周三，是周四", "周三", "周四", False),
    ("是周四不是周三", "周三", "周四", False),
    ("不是杭州而是上海", "杭州", "上海", True),
    ("打错了，是星河不是星野", "星野", "星河", False),
    ("打错字了。是星河不是星野。", "星野", "星河", False),
    ("不是花生，是腰果，我打错了", "花生", "腰果", False),
)

NOTHING = (
    "Please update Juniper port to 7 and Alder port to 9.",
    "Change the lamp to warm?",
    "You could change the lamp to warm.",
    "I changed the lamp from cold to warm.",
    "The lamp is warm.",
    "Never change the lamp to warm.",
    "Don't change the lamp to warm",
    "Set up the tent to sleep",
    "Replace Porto with Lisbon in the essay",
    "The essay is set to change to something",
    "Replace the value with warm it is, lol",
    "The interview got moved to the big hall",
    "The thesis deadline was pushed back to June 20",
    "The interview is maybe on Thursday, not Wednesday",
    "This is Thursday, not Wednesday",
    "She was moved to Porto",
    "可能把书房灯光改为暖色",
    "以后再把书房灯光改为暖色",
    "以后把书房灯光改为暖色",
    "将来把端口改为 80",
    "别把灯改成暖色",
    "他把灯改成暖色了",
    "不是周三就是周四",
    "把我的名字改成这样那样的东西吧",
    "她不是老师，是医生吗",
)


def corrections(text: str) -> list[CorrectionCandidate]:
    """Return the corrections that are proposed."""
    return [one for one in proposed(text, SHANGHAI) if isinstance(one, CorrectionCandidate)]


@pytest.mark.parametrize(("text", "subject", "previous", "new"), ORDERS)
def test_an_order_says_what_to_change(text: str, subject: str, previous: str | None, new: str) -> None:
    """Politeness and thanks around it do not matter."""
    found = [(one.subject, one.previous, one.new) for one in corrections(text)]
    assert found == [(subject, previous, new)]


@pytest.mark.parametrize(("text", "previous", "new", "whole"), CONTRASTS)
def test_a_contrast_sets_the_right_word_against_the_wrong_one(
    text: str, previous: str, new: str, whole: bool
) -> None:
    """Only a name, a number, a day or an admitted slip is looked for inside what is known."""
    found = [(one.subject, one.previous, one.new, one.whole) for one in corrections(text)]
    assert found == [(None, previous, new, whole)]


@pytest.mark.parametrize("text", NOTHING)
def test_what_is_not_meant_now_is_no_correction(text: str) -> None:
    """Negations, possibilities, conditions, questions, others, and two orders at once."""
    assert corrections(text) == []


@pytest.mark.parametrize("text", ["她叫周岑不叫周琴", "她不叫周琴，叫周岑"])
def test_she_is_whoever_bears_the_wrong_name(text: str) -> None:
    """Somebody else than the person speaking."""
    (found,) = corrections(text)
    assert (found.previous, found.new, found.predicates) == ("周琴", "周岑", ("person.name",))


@pytest.mark.parametrize(
    ("text", "name"), [("Change my name to Norah, please", "Norah"), ("把我的名字改成周岑", "周岑")]
)
def test_the_own_name_needs_no_search(text: str, name: str) -> None:
    """The key is named, and takes one value."""
    (found,) = proposed(text, SHANGHAI)
    assert isinstance(found, ClaimCandidate)
    assert (found.predicate, found.value) == ("identity.name", name)


def test_the_own_name_is_corrected_as_before() -> None:
    """When it was spoken of just before, it is nobody else's."""
    assert corrections("My name is wrong. It's Hanna, not Anna") == []


@pytest.mark.parametrize(
    "text", ["my sister's name is Hanna, not Anna", "change my name to whatever", "把我的名字改成不知道的"]
)
def test_relatives_and_no_names_are_left_to_other_rules(text: str) -> None:
    """The rules for people know whom they are about."""
    assert corrections(text) == []


def test_a_day_is_counted_from_the_day_it_is_said() -> None:
    """For claims that hold a date."""
    (found,) = corrections("不是周三，是周四")
    assert found.day == "2026-06-04"
    assert corrections("it's love, not work")[0].day is None


def test_every_sentence_of_the_corpus_is_read_soundly() -> None:
    """Quotes verify and answers never vary."""
    for case in read_corpus(Path(__file__).parents[2] / CORPUS):
        assert_sound(case.sentence, SHANGHAI)


@pytest.mark.parametrize(
    "text",
    [
        "change " + "a b " * 140 + "to",
        "it's " + "a not b " * 70,
        "the x is " + "a, not b " * 60 + "is",
        "把" + "从改为" * 180,
        "不是" + "是不是" * 190,
        "面试" + "从改到" * 190,
    ],
)
def test_no_sentence_is_slow_to_read(text: str) -> None:
    """All repetition is bounded."""
    proposed(text, SHANGHAI)
    start = time.perf_counter()
    proposed(text, SHANGHAI)
    assert time.perf_counter() - start < 1.0
