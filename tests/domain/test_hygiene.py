"""What kind of thing was said, and what hygiene keeps out."""

from __future__ import annotations

import itertools

import pytest

from cmemory.domain.gates.hygiene import (
    ContentKind,
    Exclusion,
    Look,
    asks_for_history,
    exclusion,
    focus_overlap,
    focus_terms,
    kind_of,
    unsettled,
    utility_of,
)

ACK, ASK, PLAN, SAY = ContentKind


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("约定已收到", ACK),
        ("素材12已收到。", ACK),
        ("Got it!", ACK),
        ("收到 ACK", ACK),
        ("▶ 回复 ACK ACK", ACK),
        ("- > 收到 remi 测试指令 ACK.", ACK),
        ("回复ACK", SAY),
        ("thanks for the tea", SAY),
        ("请回忆一下我的猫", ASK),
        ("查询端口", ASK),
        ("我们住在哪里来着,什么街", ASK),
        ("之前的颜色是什么", ASK),
        ("please tell me the port", ASK),
        ("The port is what ?", ASK),
        ("你喜欢茶吗？只回复是或否", ASK),
        ("whatever you say", SAY),
        ("We plan to move.", PLAN),
        ("也许周末去看海", PLAN),
        ("The lamp is warm. Only reply if you may.", SAY),
        ("只回复可能", SAY),
        ("我打算搬家", PLAN),
        ("The port is 4410.", SAY),
        ("Is it 5? Reply only ACK.", SAY),
        ("", SAY),
    ],
)
def test_kinds_as_published(text: str, kind: ContentKind) -> None:
    assert kind is kind_of(text, original=True)
    assert kind is kind_of(text)


@pytest.mark.parametrize(
    ("text", "original", "ours"),
    [
        ("The meeting is on May 5.", PLAN, SAY),
        ("I was born in May.", PLAN, SAY),
        ("We may move soon.", PLAN, PLAN),
        ("我不可能喜欢香菜", PLAN, SAY),
        ("这种可能性很小", PLAN, SAY),
        ("可能会下雨", PLAN, PLAN),
        ("我的计划书放在桌上", PLAN, SAY),
        ("我计划去西藏", PLAN, PLAN),
        ("我还在考虑换工作", PLAN, PLAN),
        ("What a great day.", ASK, SAY),
        ("When I was 5 I broke my arm.", ASK, SAY),
        ("好的", SAY, ACK),
        ("嗯。", SAY, ACK),
    ],
)
def test_kinds_that_we_read_otherwise(text: str, original: ContentKind, ours: ContentKind) -> None:
    """Decision 6: months, impossibilities and nouns are settled; and a nod is no statement."""
    assert original is kind_of(text, original=True)
    assert ours is kind_of(text)


@pytest.mark.parametrize(
    ("query", "original", "ours"),
    [
        ("What was the original colour?", True, True),
        ("What did it used to be?", True, True),
        ("从什么改过来的", True, True),
        ("我之前住哪里", True, True),
        ("Before breakfast, what do I drink?", True, False),
        ("睡觉之前我喝什么", True, False),
        ("What is the port?", False, False),
        ("prehistorical", False, False),
    ],
)
def test_history_is_asked_for(query: str, original: bool, ours: bool) -> None:
    """Decision 6: a bare "before" is a time of day, not of life."""
    assert original is asks_for_history(query, original=True)
    assert ours is asks_for_history(query)


@pytest.mark.parametrize(
    ("query", "original", "ours"),
    [
        (
            "What is the current Juniper gateway port? Reply with only the number.",
            "juniper number.",
            "juniper",
        ),
        ("what is my name?", "", ""),
        ("Tell me about my dog.", "dog.", ""),
        ("Who is my sister?", "who", ""),
        ("Can I eat peanut butter?", "can", ""),
        ("Does Rex like walks?", "does rex", "rex"),
        ("帮我查 Juniper 端口", "juniper", "juniper"),
        ("我的猫叫什么名字？", "", ""),
        ("Is v1.5 on A1?", "v1.5", "v1.5"),
    ],
)
def test_names_a_query_insists_on(query: str, original: str, ours: str) -> None:
    """Decision 2: neither a stop nor the first word of a sentence makes a name; and boundaries are those of ASCII."""
    assert set(original.split()) == focus_terms(query, original=True)
    assert set(ours.split()) == focus_terms(query)


def test_one_name_of_several_is_enough() -> None:
    assert focus_overlap(frozenset({"juniper", "alder"}), "The JUNIPER port") == 0.5
    assert focus_overlap(frozenset({"juniper"}), "The port") == 0
    assert focus_overlap(frozenset(), "anything") == 1


def test_ascii_boundaries_beside_chinese() -> None:
    """Decision 1: a Chinese character ends an English word."""
    assert unsettled("也maybe或might吧", original=True)
    assert unsettled("我might去")
    assert not unsettled("mighty")


@pytest.mark.parametrize(
    ("kind", "echo", "plans", "overlap"),
    list(itertools.product(ContentKind, (True, False), (True, False), (0.0, 0.5))),
)
def test_the_first_reason_stands(kind: ContentKind, echo: bool, plans: bool, overlap: float) -> None:
    """Echo, use, plan, name: in this order."""
    rules = (
        (echo, Exclusion.CURRENT_QUERY),
        (kind in (ASK, ACK), Exclusion.LOW_UTILITY),
        (kind is PLAN and not plans, Exclusion.CONDITIONAL),
        (overlap == 0, Exclusion.FOCUS_MISMATCH),
    )
    expected = next((reason for fires, reason in rules if fires), None)
    assert expected is exclusion(Look(kind=kind, echo=echo, plans_wanted=plans, overlap=overlap))


def test_utility_by_kind() -> None:
    assert [utility_of(kind, plans_wanted=False) for kind in ContentKind] == [0.08, 0.2, 0.15, 1.0]
    assert [utility_of(kind, plans_wanted=True) for kind in ContentKind] == [0.08, 0.2, 1.0, 1.0]
