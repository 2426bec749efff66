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
    talk = (
        ("user", "I grow things."),
        ("user", "Beans."),
        ("user", "Good stuff."),
        ("user", "Lots."),
        ("user", "Salt."),
    )
    assert ["m-0"] == ids(ranked("growing", *talk))
    assert "m-4" not in ids(ranked("What does Nora grow?", *talk))


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


def test_kinds_of_answers_add_up() -> None:
    """A moment that lies in the past answers better than one that is still to come."""
    told, planned = ranked(
        "When did Nora paint?", ("user", "I painted yesterday"), ("user", "I paint tomorrow")
    )
    assert ("m-0", 0.75) == (told.said.message.id, told.parts.answer)
    assert 0.5 == planned.parts.answer


@pytest.mark.parametrize(
    ("terms", "question"),
    [("What is the moss garden called?", "A moss garden? Do tell."), ("苔藓花园在哪", "苔藓花园？快说说。")],
)
def test_a_question_anywhere_lends_to_the_answer(terms: str, question: str) -> None:
    """However the message that asks goes on; to each later message of the answer less."""
    talk = (("assistant", question), *(("user", word) for word in ("Saihoji", "Mm", "Ah", "So")))
    lent = {one.said.message.id: one.parts.reply for one in ranked(terms, *talk)}
    assert [1.0, 0.7, 0.5] == [lent[name] for name in ("m-1", "m-2", "m-3")]


@pytest.mark.parametrize(
    ("reacting", "plain"), [("Wow, a cello!", "A cello, wow"), ("哇，大提琴", "大提琴，哇")]
)
def test_a_mere_reaction_counts_less(reacting: str, plain: str) -> None:
    """Who begins with "wow" tells little of their own."""
    found = ranked("cello 大提琴", ("user", reacting), ("assistant", plain))
    assert {"m-0": 1.0, "m-1": 0.0} == {one.said.message.id: one.parts.reaction for one in found}
    assert "m-1" == found[0].said.message.id


@pytest.mark.parametrize(
    ("terms", "told"),
    [
        ("Does Nora have any pets?", "My turtle is called Ada"),
        ("周眠养了什么宠物", "我的乌龟叫阿达"),
        ("what pets", "我的乌龟叫阿达"),
    ],
)
def test_a_theme_that_is_named_finds_what_belongs_to_it(terms: str, told: str) -> None:
    """In either language, and without a word in common; what belongs to no theme of it stays away."""
    talk = (
        ("user", "Good evening"),
        ("assistant", "Evening"),
        ("assistant", "Hm"),
        ("assistant", "So"),
        ("user", told),
    )
    (hit,) = ranked(terms, *talk)
    assert "m-4" == hit.said.message.id
    assert 0.0 < hit.parts.theme <= 1.0


def test_a_thing_finds_no_others_of_its_theme() -> None:
    """Who looks for a cello does not look for pianos; those only move up beside one."""
    assert ["m-0"] == ids(ranked("cello", ("user", "I own a cello"), ("user", "I own a piano")))


def test_short_forms_are_found_by_the_word() -> None:
    """And the word by them."""
    talk = (("user", "My fam is big"), ("user", "Salt"))
    assert ["m-0"] == ids(ranked("family", *talk))
    assert 1.0 == ranked("mother", ("user", "Mom sings"))[0].parts.own
    assert 1.0 == ranked("mum", ("user", "Mother sings"))[0].parts.own
