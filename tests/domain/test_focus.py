"""What is really asked in a longer text."""

from __future__ import annotations

from collections import Counter
from datetime import timezone

import pytest

from cmemory.domain.model.ids import MessageId
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.message import Message, Speaker
from cmemory.domain.policy import RecallPolicy
from cmemory.domain.recall.asked import Asked
from cmemory.domain.recall.focus import focus_of
from cmemory.domain.recall.rank import rank
from cmemory.domain.recall.said import Among, Said, Statistics

POLICY = RecallPolicy()


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("今天好累。我真正想问的是，周眠的猫叫什么？", "周眠的猫叫什么？"),
        ("想问一下天气。算了。我想问的其实是：猫在哪？", "猫在哪？"),
        ("Long day. What I actually want to ask is: where is the cat?", "where is the cat?"),
        ("Long day. Where is the cat?", "Where is the cat?"),
        ("外卖涨价了。猫在哪？", "猫在哪？"),
    ],
)
def test_what_is_asked_in_the_end_counts_and_talk_hardly(text: str, asked: str) -> None:
    """Behind the last words that announce it, else in the last sentence."""
    focus = focus_of(text, POLICY)
    assert [asked] == [one.strip() for one in focus.questions]
    assert {POLICY.beside_statement} == {share for share, _ in focus.beside}


def test_an_earlier_question_counts_more_than_talk() -> None:
    """It often leads up to the last one."""
    focus = focus_of("You met Ann? We ate. Where does she live?", POLICY)
    assert [POLICY.beside_question, POLICY.beside_statement] == [share for share, _ in focus.beside]


@pytest.mark.parametrize(
    "text", ["moss garden. cello", "苔藓。大提琴", "I went to Kyoto. It rained.", "cello?", "我想知道", ""]
)
def test_what_does_not_end_by_asking_is_taken_as_it_stands(text: str) -> None:
    """So is what announces a question and asks none."""
    focus = focus_of(text, POLICY)
    assert (text,) == focus.questions
    assert () == focus.beside


@pytest.mark.parametrize(
    "text",
    [
        "猫叫什么，另外琴在哪？",
        "猫叫什么？另外，琴在哪？",
        "猫的名字以及琴的位置",
        "Where is the cat? Also, who took the cello?",
        "Where is the cat, and also who took the cello?",
    ],
)
def test_several_questions_are_told_apart(text: str) -> None:
    """In one sentence or two."""
    assert 2 == len(focus_of(text, POLICY).questions)
    assert 2 == len(Asked.of(text, {}).parts)


def test_each_of_two_questions_finds_its_answer() -> None:
    """Though one is asked with many rare words and the other with a common one."""
    texts = [
        "The blue ceramic heron from Lisbon stands on the shelf",
        "The blue ceramic owl from Lisbon broke",
        "The blue ceramic fox from Lisbon is gone",
        "My cello is at Teo's",
        *("Bread and salt", "Tea with rum", "Nothing but rain"),
    ]
    said = [
        Said.of(
            Message(
                id=MessageId(f"m-{at}"),
                session=f"s-{at}",
                speaker=Speaker.USER,
                text=text,
                at=Instant.parse(f"2026-03-01T09:{at:02d}:00Z"),
            )
        )
        for at, text in enumerate(texts)
    ]
    statistics = Statistics(
        messages=len(said),
        places=sum(one.length for one in said),
        holding=Counter(term for one in said for term in one.terms),
    )
    asked = Asked.of("Where is the blue ceramic heron from Lisbon? Also, where is the cello?", {})
    found = rank(asked, [(one,) for one in said], statistics, among=Among(), policy=POLICY, zone=timezone.utc)
    own = {one.said.message.id: one.parts.own for one in found}
    assert 1.0 == own["m-0"] == own["m-3"]
    assert own["m-1"] < 1.0
