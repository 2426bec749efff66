"""Boundary shielding: what the person fenced off is withheld, whatever cues it."""

from __future__ import annotations

import pytest

from builders import claim, plan
from cmemory.domain.gates.boundary import Shield
from cmemory.domain.plan.plan import Why


def shield(*topics: str, key: str = "boundary.topic_avoid") -> Shield:
    return Shield.of(claim(key, topic, id=f"claim-{at}") for at, topic in enumerate(topics))


@pytest.mark.parametrize(
    ("topic", "text", "expected"),
    [
        ("前任", "用户昨天被前任找上门，心情很乱。", True),
        ("前任", "用户昨天去爬山。", False),
        ("my ex", "Ran into MY  EX at the station", True),
        ("工作压力", "最近的工作让人喘不过气", True),
        ("divorce", "the divorces in her family", True),
        ("divorce", "the weather", False),
        ("ex", "an exam next week", False),
        ("ex", "saw my ex today", True),
        ("钱", "存了点钱", True),
        ("我们什么", "我们，什么", False),
    ],
)
def test_a_topic_covers_its_words_and_its_pairs(topic: str, text: str, expected: bool) -> None:
    """A text is covered when it holds the topic's words, or shares a topic; Latin words count whole."""
    assert expected is shield(topic).covers(text)


def test_any_of_several_texts_is_enough() -> None:
    """A record is covered when any text that would betray it is."""
    assert shield("前任").covers("无关", "我的前任")
    assert not shield("前任").covers()


def test_without_boundaries_nothing_is_covered() -> None:
    """An empty shield covers nothing, and other claims raise none."""
    assert not Shield().covers("前任")
    assert not shield("前任", key="goal.current_focus").covers("前任")


@pytest.mark.parametrize("key", ["boundary.prohibition", "boundary.refusal", "boundary.made_up"])
def test_every_boundary_shields(key: str) -> None:
    """Any obligation fences its words off, a retired key included."""
    assert shield("前任", key=key).covers("前任来了")


def test_the_value_says_what_a_boundary_is_about() -> None:
    """The bare topic counts; the whole sentence only where there is no other word."""
    both = Shield.of([claim("boundary.topic_avoid", "前任", raw="别提我的猫和前任")])
    assert ("前任",) == both.phrases
    wording = Shield.of([claim("boundary.topic_avoid", " ", raw="前任")])
    assert ("前任",) == wording.phrases
    assert () == Shield.of([claim("boundary.topic_avoid", 7)]).phrases


def test_a_plan_never_holds_rule_and_forbidden_text_together() -> None:
    """Claims naming a fenced topic are withheld even when the person's message cues them."""
    made = plan(
        "前任又来找我了",
        claim("boundary.topic_avoid", "前任", id="claim-b"),
        claim("goal.current_focus", "忘掉前任", id="claim-g"),
        claim("goal.aspiration", "学琴", id="claim-a"),
    )
    assert ["claim-b"] == [item.record_id for item in made.constraints]
    assert {"claim-g": Why.BOUNDARY_POLICY, "claim-a": Why.MENTION_GATE_DENIED} == {
        item.record_id: item.reason for item in made.do_not_surface
    }
