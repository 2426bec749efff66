"""The companion's mood: returns to its baseline, is stirred by each exchange, and is told in one background line.

A hint for tone and nothing else: no gate, score or plan may know of it. The moment and the person's zone are handed in.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import tzinfo

import attrs

from cmemory.domain.lexicon.moods import MOOD_WORDS, MoodWords
from cmemory.domain.model.affect import Affect
from cmemory.domain.model.instant import Instant, age_in_days
from cmemory.domain.model.measure import clamp_signed_unit
from cmemory.domain.model.state import Mood
from cmemory.domain.policy import DayPart, MoodPolicy, PartOfDay
from cmemory.domain.scoring.decay import half_life
from cmemory.domain.text.mood import CALM

_HOURS_PER_DAY = 24

#: Pleasure, arousal and dominance, -1 to 1 each.
_Axes = tuple[float, ...]


@attrs.frozen(kw_only=True)
class MoodReading:
    """The companion's mood at one moment, and the line that hints at it."""

    at: Instant
    #: From displeased (-1) to pleased (1).
    pleasure: float
    #: From calm (-1) to stirred (1).
    arousal: float
    #: From led (-1) to leading (1).
    dominance: float
    #: On the person's clock.
    part_of_day: PartOfDay
    #: From tired (-1) to lively (1): what the part of the day makes of the arousal.
    energy: float
    #: For the prompt, at most 120 code points; empty when the mood is switched off.
    line: str


def settle(mood: Mood | None, now: Instant, policy: MoodPolicy) -> Mood:
    """Return what is left of a mood at a moment; the baseline when there was none.

    A moment before the mood's own changes nothing. Settling twice is settling once to the later moment.
    """
    baseline = (policy.baseline_pleasure, policy.baseline_arousal, policy.baseline_dominance)
    if mood is None:
        return _mood(baseline, now)
    if now <= mood.at:
        return mood
    left = half_life(age_in_days(mood.at, now) * _HOURS_PER_DAY, policy.half_life_hours)
    return _mood((rest + (held - rest) * left for held, rest in zip(_axes(mood), baseline, strict=True)), now)


def stir(
    mood: Mood | None, said: Affect | None, answered: Affect | None, now: Instant, policy: MoodPolicy
) -> Mood:
    """Return the mood after an exchange: settled, then moved by what was felt in it, ``policy.step`` at most.

    Args:
        mood: as it was kept, None when none was.
        said: what the person's words show; None when they are not to count.
        answered: what the answer shows; None when there was none.
        now: the moment of the exchange. One from before the mood's own moves it by what would be left of that by then.
        policy: how far an exchange moves it.
    """
    settled = settle(mood, now, policy)
    late = half_life(age_in_days(now, settled.at) * _HOURS_PER_DAY, policy.half_life_hours)
    axes = _axes(settled)
    for shown, share in ((said, policy.said_share), (answered, 1.0 - policy.said_share)):
        if shown is not None:
            step = policy.step * share * late
            axes = tuple(held + step * pull for held, pull in zip(axes, _pulls(shown), strict=True))
    return _mood(axes, settled.at)


def reading(mood: Mood | None, now: Instant, *, zone: tzinfo, policy: MoodPolicy) -> MoodReading:
    """Return how a mood reads at a moment: its numbers, the part of the day where the person lives, and the line.

    Switched off, it is the baseline, and the line is empty.
    """
    settled = settle(mood if policy.enabled else None, now, policy)
    part = part_of_day(now, zone, policy)
    energy = clamp_signed_unit(settled.arousal + part.energy)
    return MoodReading(
        at=now,
        pleasure=settled.pleasure,
        arousal=settled.arousal,
        dominance=settled.dominance,
        part_of_day=part.name,
        energy=energy,
        line=_line(settled, part.name, energy, policy) if policy.enabled else "",
    )


def part_of_day(now: Instant, zone: tzinfo, policy: MoodPolicy) -> DayPart:
    """Return the part of the day in a zone: the last that has begun, or that went on over midnight."""
    hour = now.civil(zone).hour
    parts = sorted(policy.day, key=lambda part: part.from_hour)
    return next((part for part in reversed(parts) if part.from_hour <= hour), parts[-1])


def _axes(mood: Mood) -> _Axes:
    return mood.pleasure, mood.arousal, mood.dominance


def _mood(axes: Iterable[float], at: Instant) -> Mood:
    pleasure, arousal, dominance = map(clamp_signed_unit, axes)
    return Mood(pleasure=pleasure, arousal=arousal, dominance=dominance, at=at)


def _pulls(shown: Affect) -> _Axes:
    """Return which way a text pulls each number, -1 to 1: an `Affect` has two of the three from 0 to 1.

    Its dominance is neutral in the middle. Its arousal begins at rest, so a text can stir and never calm: calm comes with
    time.
    """
    return shown.valence, max(0.0, (shown.arousal - CALM) / (1.0 - CALM)), 2.0 * shown.dominance - 1.0


def _line(mood: Mood, part: PartOfDay, energy: float, policy: MoodPolicy) -> str:
    words = MOOD_WORDS[policy.language.value]
    day = [words.parts[part.value]]
    if abs(energy) >= policy.energy_from:
        day.append(words.energy[energy > 0])
    hints = [words.comma.join(day)]
    if told := words.comma.join(_told(mood, words, policy)):
        hints.append(words.mood.format(words=told))
    return words.frame.format(hints=words.semicolon.join(hints))


def _told(mood: Mood, words: MoodWords, policy: MoodPolicy) -> Iterator[str]:
    """Yield the words for the numbers that are far enough from neutral."""
    for held, poles in zip(_axes(mood), words.poles, strict=True):
        if abs(held) >= policy.outright_from:
            yield poles[held > 0]
        elif abs(held) >= policy.told_from:
            yield words.slightly.format(word=poles[held > 0])
