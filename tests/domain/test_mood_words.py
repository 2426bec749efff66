"""The companion's mood by example: what moves it, which part of the day it is, and how the line is worded."""

from __future__ import annotations

from zoneinfo import ZoneInfo

import pytest

from builders import NOW
from cmemory import UsageError
from cmemory.domain.lexicon.moods import MOOD_WORDS
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.state import Mood
from cmemory.domain.policy import DayPart, Language, MoodPolicy, PartOfDay
from cmemory.domain.reflect.mood import part_of_day, reading, stir
from cmemory.domain.text.mood import mood_of

POLICY = MoodPolicy()
CHINESE = MoodPolicy(language=Language.ZH)
UTC = ZoneInfo("UTC")
NOON = "2026-03-01T12:00:00Z"


def mood(pleasure: float = 0.0, arousal: float = 0.0, dominance: float = 0.0, at: str = NOON) -> Mood:
    return Mood(pleasure=pleasure, arousal=arousal, dominance=dominance, at=Instant.parse(at))


def line(held: Mood | None, policy: MoodPolicy = POLICY, *, now: str = NOON) -> str:
    return reading(held, Instant.parse(now), zone=UTC, policy=policy).line


@pytest.mark.parametrize(
    ("said", "pleased", "stirred"),
    [
        ("I love it, thank you!", 0.18, 0.042),
        ("I hate this, it is broken and I am sad.", -0.18, 0.064),
        ("This is urgent, answer immediately.", 0.0, 0.093),
        ("谢谢，今天很开心", 0.18, 0.042),
        ("太烦了，马上崩溃", -0.18, 0.089),
        ("The bus leaves at nine.", 0.0, 0.0),
    ],
)
def test_what_is_said_moves_the_mood(said: str, pleased: float, stirred: float) -> None:
    """The person's words have six tenths of a step of 0.3; an answer without feeling adds nothing."""
    after = stir(None, mood_of(said), mood_of("I see."), NOW, POLICY)
    assert (pleased, stirred, 0.0) == pytest.approx(
        (after.pleasure, after.arousal, after.dominance), abs=1e-3
    )


def test_the_answer_moves_it_too() -> None:
    """What the companion itself says counts for the rest of the step."""
    after = stir(None, None, mood_of("I love it, great!"), NOW, POLICY)
    assert after.pleasure == pytest.approx(0.12)


def test_an_exchange_of_yesterday_hardly_counts() -> None:
    """A day late is four half-lives late: a sixteenth of the step is left, and the mood stays as late as it was."""
    held = mood(at="2026-03-02T12:00:00Z")
    after = stir(held, mood_of("I love it, great!"), None, Instant.parse(NOON), POLICY)
    assert (held.at, pytest.approx(0.18 / 16)) == (after.at, after.pleasure)


@pytest.mark.parametrize(
    ("zone", "moment", "expected"),
    [
        ("UTC", "2026-03-01T04:59:59Z", PartOfDay.LATE_NIGHT),
        ("UTC", "2026-03-01T05:00:00Z", PartOfDay.EARLY_MORNING),
        ("UTC", "2026-03-01T08:00:00Z", PartOfDay.MORNING),
        ("UTC", "2026-03-01T11:00:00Z", PartOfDay.NOON),
        ("UTC", "2026-03-01T14:00:00Z", PartOfDay.AFTERNOON),
        ("UTC", "2026-03-01T18:00:00Z", PartOfDay.EVENING),
        ("UTC", "2026-03-01T23:00:00Z", PartOfDay.LATE_NIGHT),
        ("UTC", "2026-03-01T00:00:00Z", PartOfDay.LATE_NIGHT),
        ("Asia/Shanghai", "2026-03-01T21:30:00Z", PartOfDay.EARLY_MORNING),
        ("Asia/Shanghai", "2026-07-01T21:30:00Z", PartOfDay.EARLY_MORNING),
        # The clocks of Berlin go from two to three on 29 March, so the same hour of UTC is another on the wall.
        ("Europe/Berlin", "2026-03-28T06:30:00Z", PartOfDay.EARLY_MORNING),
        ("Europe/Berlin", "2026-03-29T06:30:00Z", PartOfDay.MORNING),
        ("Europe/Berlin", "2026-03-29T03:30:00Z", PartOfDay.EARLY_MORNING),
        ("Europe/Berlin", "2026-10-24T21:30:00Z", PartOfDay.LATE_NIGHT),
        ("Europe/Berlin", "2026-10-25T21:30:00Z", PartOfDay.EVENING),
        # New York goes back on 1 November: what was eight in the morning is seven.
        ("America/New_York", "2026-10-31T12:30:00Z", PartOfDay.MORNING),
        ("America/New_York", "2026-11-01T12:30:00Z", PartOfDay.EARLY_MORNING),
        ("America/New_York", "2026-03-07T22:30:00Z", PartOfDay.AFTERNOON),
        ("America/New_York", "2026-03-08T22:30:00Z", PartOfDay.EVENING),
    ],
)
def test_the_part_of_the_day_is_that_of_the_person(zone: str, moment: str, expected: PartOfDay) -> None:
    """The clock on the person's wall decides, on days on which it is changed too."""
    assert expected is part_of_day(Instant.parse(moment), ZoneInfo(zone), POLICY).name


def test_a_day_of_ones_own() -> None:
    """Somebody who works at night may have a day of two parts."""
    day = (
        DayPart(name=PartOfDay.EVENING, from_hour=20, energy=0.5),
        DayPart(name=PartOfDay.LATE_NIGHT, from_hour=10, energy=-0.5),
    )
    policy = MoodPolicy(day=day)
    assert "background, never mention: evening, high energy" == line(None, policy, now="2026-03-01T03:00:00Z")
    assert "background, never mention: late night, low energy" == line(None, policy)
    with pytest.raises(UsageError, match="day: must name a part of the day"):
        MoodPolicy(day=())


@pytest.mark.parametrize(
    ("held", "now", "english", "chinese"),
    [
        (None, NOON, "noon", "中午"),
        (mood(0.09, -0.09, 0.09), NOON, "noon", "中午"),
        (None, "2026-03-01T06:00:00Z", "early morning, low energy", "清晨，精力偏低"),
        (None, "2026-03-01T01:00:00Z", "late night, low energy", "深夜，精力偏低"),
        (mood(0.2), NOON, "noon; mood slightly pleased", "中午；心情略愉快"),
        (mood(-0.5, -0.2), NOON, "noon; mood displeased, slightly calm", "中午；心情不快，略平静"),
        (
            mood(0.6, 0.5, -0.7),
            NOON,
            "noon, high energy; mood pleased, stirred, yielding",
            "中午，精力充沛；心情愉快，激动，顺从",
        ),
        (mood(0, 0, 0.3), NOON, "noon; mood slightly assertive", "中午；心情略主动"),
    ],
)
def test_the_line(held: Mood | None, now: str, english: str, chinese: str) -> None:
    """A neutral mood gives the part of the day alone; the rest is told in words of two degrees."""
    assert f"background, never mention: {english}" == line(held, now=now)
    assert f"仅作语气背景，切勿提起：{chinese}" == line(held, CHINESE, now=now)


def test_a_stirred_companion_is_not_tired_at_night() -> None:
    """Energy is what the hour makes of the arousal."""
    late = Instant.parse("2026-03-01T23:30:00Z")
    read = reading(mood(arousal=0.8, at=str(late)), late, zone=UTC, policy=POLICY)
    assert (PartOfDay.LATE_NIGHT, pytest.approx(0.2)) == (read.part_of_day, read.energy)
    assert read.line == "background, never mention: late night; mood stirred"


def test_switched_off_there_is_a_baseline_and_no_line() -> None:
    """A mood that was kept before is not told either."""
    policy = MoodPolicy(enabled=False, baseline_pleasure=0.3)
    read = reading(mood(-0.9), Instant.parse(NOON), zone=UTC, policy=policy)
    assert (0.3, 0.0, 0.0, "") == (read.pleasure, read.arousal, read.dominance, read.line)


def test_a_baseline_beyond_the_bounds_is_held() -> None:
    """A policy with a number too large breaks no conversation."""
    read = reading(
        None, NOW, zone=UTC, policy=MoodPolicy(baseline_pleasure=7.0, baseline_arousal=float("nan"))
    )
    assert (1.0, 0.0) == (read.pleasure, read.arousal)


def test_every_language_has_all_words() -> None:
    """Each part of the day has a name in each language, and each number its two poles."""
    assert {one.value for one in Language} == set(MOOD_WORDS)
    for words in MOOD_WORDS.values():
        assert {one.value for one in PartOfDay} == set(words.parts)
        assert len(words.poles) == 3
