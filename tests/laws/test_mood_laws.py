"""Laws of the companion's mood: it returns to its baseline, stays within bounds, and only feeling moves it."""

from __future__ import annotations

from zoneinfo import ZoneInfo

import attrs
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from builders import NOW
from cmemory.domain.model.affect import Affect
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.state import Mood
from cmemory.domain.policy import DAY, Language, MoodPolicy, PartOfDay
from cmemory.domain.reflect.mood import part_of_day, reading, settle, stir
from cmemory.domain.text.mood import mood_of
from strategies import INSTANTS, TEXTS, UNIT

SIGNED = st.floats(-1, 1)
MOODS = st.builds(Mood, pleasure=SIGNED, arousal=SIGNED, dominance=SIGNED, at=st.just(NOW))
POLICIES = st.builds(
    MoodPolicy,
    baseline_pleasure=SIGNED,
    baseline_arousal=SIGNED,
    baseline_dominance=SIGNED,
    half_life_hours=st.floats(0.1, 100),
    step=UNIT,
    said_share=UNIT,
    language=st.sampled_from(Language),
)
AFFECTS = st.none() | st.builds(Affect, valence=SIGNED, arousal=UNIT, dominance=UNIT)
#: Up to some weeks.
SECONDS = st.integers(0, 5_000_000)
ZONES = st.sampled_from(
    ["Europe/Berlin", "America/New_York", "Asia/Shanghai", "Pacific/Kiritimati", "UTC"]
).map(ZoneInfo)
#: Texts whose words say nothing of a mood, in both languages.
NEUTRAL = st.sampled_from(
    ["The bus leaves at nine.", "Marco is a carpenter.", "我住在杭州。", "明天下午三点见面。", "ok", "嗯"]
)


def axes(mood: Mood) -> tuple[float, float, float]:
    return mood.pleasure, mood.arousal, mood.dominance


def baseline(policy: MoodPolicy) -> tuple[float, float, float]:
    return policy.baseline_pleasure, policy.baseline_arousal, policy.baseline_dominance


def later(hours: float) -> Instant:
    return NOW.plus(seconds=hours * 3600)


@given(MOODS, POLICIES)
def test_a_mood_returns_to_its_baseline(mood: Mood, policy: MoodPolicy) -> None:
    """After one half-life half the distance is left, after forty nothing that counts."""
    half = axes(settle(mood, later(policy.half_life_hours), policy))
    for held, rest, after in zip(axes(mood), baseline(policy), half, strict=True):
        assert after == pytest.approx((held + rest) / 2, abs=1e-6)
    gone = axes(settle(mood, later(40 * policy.half_life_hours), policy))
    assert gone == pytest.approx(baseline(policy), abs=1e-9)


@given(MOODS, POLICIES, SECONDS, SECONDS)
def test_it_only_comes_closer(mood: Mood, policy: MoodPolicy, first: int, more: int) -> None:
    """The later, the nearer to the baseline, and never past it."""
    sooner = axes(settle(mood, NOW.plus(seconds=first), policy))
    last = axes(settle(mood, NOW.plus(seconds=first + more), policy))
    for start, near, nearer, rest in zip(axes(mood), sooner, last, baseline(policy), strict=True):
        assert abs(nearer - rest) <= abs(near - rest) + 1e-12
        assert min(start, rest) - 1e-12 <= nearer <= max(start, rest) + 1e-12


@given(MOODS, POLICIES, SECONDS, SECONDS)
def test_settling_twice_is_settling_once(mood: Mood, policy: MoodPolicy, first: int, more: int) -> None:
    """Looking in between changes nothing."""
    between = settle(mood, NOW.plus(seconds=first), policy)
    end = NOW.plus(seconds=first + more)
    assert axes(settle(between, end, policy)) == pytest.approx(axes(settle(mood, end, policy)), abs=1e-9)


@given(MOODS, POLICIES, SECONDS)
def test_looking_back_changes_nothing(mood: Mood, policy: MoodPolicy, before: int) -> None:
    """A moment from before the mood's own leaves it as it is, to the last bit."""
    assert mood == settle(mood, NOW.plus(seconds=-before), policy)


@given(MOODS)
def test_without_a_half_life_nothing_fades(mood: Mood) -> None:
    """A half-life of 0 keeps the mood as it is."""
    after = settle(mood, later(1_000), MoodPolicy(half_life_hours=0))
    assert axes(after) == pytest.approx(axes(mood))


@given(
    st.none() | MOODS,
    st.lists(st.tuples(AFFECTS, AFFECTS, st.integers(-90_000, 90_000)), max_size=30),
    POLICIES,
)
def test_it_stays_within_bounds_whatever_is_said(
    mood: Mood | None, talk: list[tuple[Affect | None, Affect | None, int]], policy: MoodPolicy
) -> None:
    """Each exchange moves each number by one step at most, in whatever order exchanges come in, and time goes on."""
    for said, answered, seconds in talk:
        now = NOW.plus(seconds=seconds)
        settled = settle(mood, now, policy)
        after = stir(mood, said, answered, now, policy)
        assert settled.at == after.at
        assert all(-1.0 <= held <= 1.0 for held in axes(after))
        for held, moved in zip(axes(settled), axes(after), strict=True):
            assert abs(moved - held) <= policy.step + 1e-12
        mood = after


@given(st.none() | MOODS, NEUTRAL, NEUTRAL, SECONDS, POLICIES)
def test_neutral_words_only_let_it_fade(
    mood: Mood | None, said: str, answered: str, seconds: int, policy: MoodPolicy
) -> None:
    """Talk that shows no feeling leaves what time leaves; so does silence, and so does the neutral `Affect`."""
    now = NOW.plus(seconds=seconds)
    left = settle(mood, now, policy)
    assert left == stir(mood, mood_of(said), mood_of(answered), now, policy)
    assert left == stir(mood, None, None, now, policy)
    assert left == stir(mood, Affect(), Affect(), now, policy)


@given(MOODS, AFFECTS, AFFECTS, SECONDS, POLICIES)
def test_a_late_exchange_moves_less(
    mood: Mood, said: Affect | None, answered: Affect | None, before: int, policy: MoodPolicy
) -> None:
    """What comes in late neither turns time back nor moves more than if it came in now."""
    late = stir(mood, said, answered, NOW.plus(seconds=-before), policy)
    prompt = stir(mood, said, answered, NOW, policy)
    assert mood.at == late.at
    for held, moved, most in zip(axes(mood), axes(late), axes(prompt), strict=True):
        assert abs(moved - held) <= abs(most - held) + 1e-12


@given(MOODS, SIGNED, SECONDS)
def test_pleasant_words_please(mood: Mood, valence: float, seconds: int) -> None:
    """Pleasure moves the way the words point."""
    now = NOW.plus(seconds=seconds)
    before = settle(mood, now, MoodPolicy()).pleasure
    after = stir(mood, Affect(valence=valence), None, now, MoodPolicy()).pleasure
    assert (after - before) * valence >= 0


@given(st.none() | MOODS, INSTANTS, ZONES, POLICIES)
def test_the_line_is_one_short_line_and_always_the_same(
    mood: Mood | None, now: Instant, zone: ZoneInfo, policy: MoodPolicy
) -> None:
    """At most 120 code points, no break in it, and the same bytes for the same question."""
    read = reading(mood, now, zone=zone, policy=policy)
    assert read == reading(mood, now, zone=zone, policy=policy)
    assert 0 < len(read.line) <= 120
    assert read.line == " ".join(read.line.split())
    assert -1.0 <= read.energy <= 1.0


@given(INSTANTS, ZONES, st.permutations(DAY))
def test_every_moment_has_one_part_of_the_day(now: Instant, zone: ZoneInfo, day: list[object]) -> None:
    """The order in which the parts are listed says nothing."""
    policy = attrs.evolve(MoodPolicy(), day=tuple(day))
    part = part_of_day(now, zone, policy)
    assert part == part_of_day(now, zone, MoodPolicy())
    assert part.name in PartOfDay


@given(TEXTS, TEXTS)
def test_any_text_can_be_said(said: str, answered: str) -> None:
    """Whatever is written, a mood comes of it."""
    assume(said or answered)
    after = stir(None, mood_of(said), mood_of(answered), NOW, MoodPolicy())
    assert all(abs(held) <= 0.3 + 1e-12 for held in axes(after))
