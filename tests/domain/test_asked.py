"""What the terms of a search over the conversation tell."""

from __future__ import annotations

import pytest

from cmemory.domain.model.instant import Instant
from cmemory.domain.model.message import Speaker
from cmemory.domain.recall.asked import Asked, Day
from cmemory.domain.recall.said import Statistics

NAMES = {Speaker.USER: frozenset({"nora"}), Speaker.ASSISTANT: frozenset({"luna"})}


@pytest.mark.parametrize(
    ("text", "speaker"),
    [
        ("What did Nora paint?", Speaker.USER),
        ("What did Luna say about Nora?", Speaker.ASSISTANT),
        ("Did Nora's sister meet Luna?", Speaker.ASSISTANT),
        ("Nora's sister", Speaker.USER),
        ("What did you recommend to me?", Speaker.ASSISTANT),
        ("你推荐的那本书", Speaker.ASSISTANT),
        ("my sister", Speaker.USER),
        ("我的体检", Speaker.USER),
        ("moss garden", None),
    ],
)
def test_whose_words_are_looked_for(text: str, speaker: Speaker | None) -> None:
    """The first name that is no possessive, else the first name, else a pronoun."""
    assert speaker is Asked.of(text, NAMES).speaker


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("on 7 may 2023", Day(year=2023, month=5, day=7)),
        ("on may 7", Day(month=5, day=7)),
        ("in june", Day(month=6)),
        ("2023年5月7日", Day(year=2023, month=5, day=7)),
        ("5月", Day(month=5)),
        ("in 1999", Day(year=1999)),
        ("some day", Day()),
    ],
)
def test_which_day_is_named(text: str, day: Day) -> None:
    """In both languages, as much of it as is named."""
    assert day == Day.named_in(text)


def test_how_far_a_day_fits() -> None:
    """By the share of what is named, on the person's clocks."""
    zone = Instant.parse("2023-05-07T00:00:00Z").as_datetime().tzinfo
    assert zone is not None
    moment = Instant.parse("2023-05-08T09:00:00Z")
    assert Day(year=2023, month=5).likeness(moment, zone) == 1.0
    assert Day(month=5, day=7).likeness(moment, zone) == 0.5
    assert Day().likeness(moment, zone) == 0.0


def test_the_rarest_terms_are_looked_up_first() -> None:
    """Until the limit of index entries; the rarest one whatever it costs, and unknown ones not at all."""
    statistics = Statistics(messages=100, places=500, holding={"cello": 3, "garden": 30, "moss": 10})
    asked = Asked.of("moss garden cello walnut", {})
    assert list(asked.weights(statistics, max_postings=1000)) == ["cello", "moss", "garden"]
    assert list(asked.weights(statistics, max_postings=13)) == ["cello", "moss"]
    assert list(asked.weights(statistics, max_postings=0)) == ["cello"]


def test_a_speakers_name_counts_a_fifth() -> None:
    """It tells whose words are looked for; in what was said it is mostly spoken to the one who bears it."""
    assert {"nora": 0.2, "paint": 1.0} == Asked.of("What did Nora paint?", NAMES).terms
    assert {"周": 0.2, "眠": 0.2, "周眠": 0.2, "画": 1.0, "眠画": 1.0, "画了": 1.0} == Asked.of(
        "周眠画了", {Speaker.USER: frozenset({"周眠"})}
    ).terms


@pytest.mark.parametrize(
    ("text", "past", "number"),
    [
        ("What did Nora paint?", True, False),
        ("How many cellos does Nora own?", False, True),
        ("她去过哪里", True, False),
        ("你有几只猫", False, True),
        ("多大了", False, True),
        ("moss garden", False, False),
    ],
)
def test_which_answer_is_looked_for(text: str, past: bool, number: bool) -> None:
    """Something that happened, or a number."""
    asked = Asked.of(text, NAMES)
    assert (past, number) == (asked.wants_past, asked.wants_number)
