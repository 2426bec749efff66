"""What makes a message a hit, and what moves it up."""

from __future__ import annotations

from collections import Counter
from datetime import timezone

import pytest

from cmemory.domain.model.ids import MessageId
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.message import Message, Speaker
from cmemory.domain.policy import RecallPolicy
from cmemory.domain.recall.asked import Asked
from cmemory.domain.recall.rank import Ranked, rank
from cmemory.domain.recall.said import Among, Said, Statistics

NAMES = {Speaker.USER: frozenset({"nora", "周眠"}), Speaker.ASSISTANT: frozenset({"luna"})}


def ranked(terms: str, *talk: tuple[str, str]) -> list[Ranked]:
    """Rank one session of messages by who said them."""
    said = tuple(
        Said.of(
            Message(
                id=MessageId(f"m-{at}"),
                session="s1",
                speaker=Speaker(speaker),
                text=text,
                at=Instant.parse(f"2026-03-01T09:{at:02d}:00Z"),
            )
        )
        for at, (speaker, text) in enumerate(talk)
    )
    statistics = Statistics(
        messages=100,
        places=1000,
        holding=dict(Counter(term for one in said for term in one.terms)),
    )
    return rank(
        Asked.of(terms, NAMES),
        [said],
        statistics,
        among=Among(),
        policy=RecallPolicy(),
        zone=timezone.utc,
    )


def ids(found: list[Ranked]) -> list[str]:
    return [one.said.message.id for one in found]


@pytest.mark.parametrize(
    ("terms", "talk"),
    [
        (
            "What does Nora grow?",
            (
                ("assistant", "A plot to grow things on, lovely."),
                ("user", "Mostly beans, and a few pumpkins."),
                ("assistant", "Delicious."),
            ),
        ),
        (
            "周眠种了什么",
            (("assistant", "阳台上还能种东西呀。"), ("user", "番茄和薄荷。"), ("assistant", "真香。")),
        ),
    ],
)
def test_the_one_who_is_named_is_heard_beside_a_match(terms: str, talk: tuple[tuple[str, str], ...]) -> None:
    """Though the message shares no word with the question, as people rarely repeat what they speak of."""
    found = ids(ranked(terms, *talk))
    assert "m-1" in found
    assert "m-2" not in found


def test_nobody_is_heard_beside_a_match_when_nobody_is_named() -> None:
    """Neither are messages far from it."""
    talk = (("user", "I grow things."), ("user", "Beans."), ("user", "Tea?"), ("user", "Salt."))
    assert ["m-0"] == ids(ranked("growing", *talk))
    assert "m-3" not in ids(ranked("What does Nora grow?", *talk))


@pytest.mark.parametrize(
    ("terms", "better", "worse"),
    [
        ("What did Nora paint?", "We painted the lake", "Paint the lake"),
        ("How many cellos does Nora own?", "Cellos: three", "Cellos: plenty"),
        ("周眠画过什么", "画过湖", "画湖"),
        ("周眠有几只猫", "猫有两只", "猫有好些"),
    ],
)
def test_the_kind_of_answer_moves_a_message_up(terms: str, better: str, worse: str) -> None:
    """Something that happened where that is asked for, a number where one is."""
    first, second = sorted(
        ranked(terms, ("user", worse), ("user", better)), key=lambda one: -one.parts.answer
    )
    assert ("m-1", 0.25, 0.0) == (first.said.message.id, first.parts.answer, second.parts.answer)


@pytest.mark.parametrize(
    ("terms", "oneself", "otherwise"),
    [("Nora's cello", "My cello is old", "The cello is old"), ("周眠的琴", "我的琴很旧", "琴很旧")],
)
def test_who_tells_of_themselves_counts_in_full(terms: str, oneself: str, otherwise: str) -> None:
    """Others of their words count two thirds, the other one's nothing."""
    talk = (("user", oneself), ("user", otherwise), ("assistant", oneself))
    parts = {one.said.message.id: one.parts.speaker for one in ranked(terms, *talk)}
    assert {"m-0": 1.0, "m-1": pytest.approx(2 / 3), "m-2": 0.0} == parts


def test_a_kind_of_answer_counts_at_most_one() -> None:
    """A moment is what was asked for; that it lies in the past adds nothing to it."""
    (hit,) = ranked("When did Nora paint?", ("user", "I painted yesterday"))
    assert 1.0 == hit.parts.answer
