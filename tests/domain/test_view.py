"""What a text is about, once the orders around it are gone."""

from __future__ import annotations

import pytest

from cmemory.domain.text.view import Features, scoring_view


@pytest.mark.parametrize(
    ("text", "view"),
    [
        ("For this drill, reply only ACK. The Lyra relay port is 7001.", "Lyra relay port 7001."),
        ("The Lyra relay port is 7001. Reply exactly ACK, nothing else.", "Lyra relay port 7001."),
        ("Return as JSON. Lamp is warm.", "Lamp warm."),
        ("Reply politely. Lamp is warm.", "Reply politely. Lamp warm."),
        ("灯是暖色。只回复好。", "灯是暖色。"),
        ("之前的约定是什么", ""),
        ("storage used in-memory", "store use -memory"),
        ("The lamp glows; only output the colour", "lamp glows;"),
        ("The lamp glows, do not guess", "lamp glows,"),
        ("请记住必须保留的虚构约定 灯是暖色", "灯是暖色"),
        ("", ""),
    ],
)
def test_views_as_published(text: str, view: str) -> None:
    assert view == scoring_view(text, original=True)
    assert view == scoring_view(text)


@pytest.mark.parametrize(
    ("text", "original", "ours"),
    [
        ("回复OK 灯是暖色", "", "灯是暖色"),
        ("请只回复ACK。灯是暖色", "", ""),
        ("只输出JSON 灯是暖色", "", "灯是暖色"),
        ("回复 OK 灯是暖色", "回复 OK 灯是暖色", "回复 OK 灯是暖色"),
    ],
)
def test_a_chinese_order_takes_no_fact_along(text: str, original: str, ours: str) -> None:
    """Decision 8: only the order and its word go, unless no space parts it from the rest."""
    assert original == scoring_view(text, original=True)
    assert ours == scoring_view(text)


def test_without_awareness_the_text_itself_is_compared() -> None:
    features = Features.of(" What  is the port? ", aware=False, original=False, dimensions=16)
    assert features.view == features.plain == "What is the port?"
    assert features.terms == {"what", "is", "the", "port"}
