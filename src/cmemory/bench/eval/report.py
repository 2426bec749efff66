"""Counts the scores of a run: rates, what memory adds, what became of wrong facts, and whether the run is accepted."""

from __future__ import annotations

import enum
import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

import attrs

from cmemory.adapters import wire
from cmemory.bench.eval.arms import Arm
from cmemory.bench.eval.cases import Artefacts, Case
from cmemory.bench.eval.fixture import Effect, Fixture
from cmemory.bench.eval.scoring import SCORER_VERSION, Link, Score, Scored, Stage, State, Stopped, score


@attrs.frozen(kw_only=True)
class Acceptance:
    """What a run needs to be accepted; shares 0 to 1."""

    #: Rate of every effect that is no silence, with gold forced.
    gold_forced_rate: float = 0.8
    #: The same in the normal arm.
    normal_rate: float = 0.7
    #: Rate of every silence, in every arm that remembers.
    protection_rate: float = 1.0
    #: Cases that have an answer, in each arm.
    answered_share: float = 0.95
    #: Scores that are invalid, in each arm, at most.
    invalid_share: float = 0.05
    #: Rate at which words can be guessed without memory, at most.
    guessed_rate: float = 0.2
    #: Messages and answers of the normal arm that extraction failed on, at most.
    extraction_failures: float = 0.1
    #: Valid scores that each rate above rests on, at least.
    observations: int = 5


class Shortfall(enum.Enum):
    """Why a run is not accepted."""

    #: Cases are missing.
    INCOMPLETE = "incomplete"
    #: An arm has too few answers.
    TOO_FEW_ANSWERS = "too_few_answers"
    #: Too many scores of an arm are invalid.
    TOO_MANY_INVALID = "too_many_invalid"
    #: A rate rests on too few valid scores to mean anything.
    TOO_FEW_OBSERVATIONS = "too_few_observations"
    #: Words of the evidence come without memory too.
    GUESSABLE = "guessable"
    #: An effect that is no silence shows too seldom.
    EFFECT_TOO_WEAK = "effect_too_weak"
    #: Something was said that must not be.
    PROTECTION_BROKEN = "protection_broken"
    #: Too much of what was to be read got no answer, or one that nobody can read.
    EXTRACTION_FAILS = "extraction_fails"


@attrs.frozen(kw_only=True)
class Refusal:
    """One reason not to accept a run, with the figure and what was wanted."""

    code: Shortfall
    #: The arm and the effect, as far as it is about one.
    at: str
    figure: float
    wanted: float


@attrs.frozen(kw_only=True)
class Tally:
    """How the gating scores of one effect came out in one arm."""

    passed: int = 0
    failed: int = 0
    invalid: int = 0
    not_applicable: int = 0

    @classmethod
    def of(cls, scores: Iterable[Score]) -> Tally:
        """Count scores."""
        counts = Counter(one.state for one in scores)
        return cls(
            passed=counts[State.PASS],
            failed=counts[State.FAIL],
            invalid=counts[State.INVALID],
            not_applicable=counts[State.NOT_APPLICABLE],
        )

    @property
    def valid(self) -> int:
        """Scores that count."""
        return self.passed + self.failed

    @property
    def rate(self) -> float | None:
        """Share of passes among the valid scores, None when there are none."""
        return self.passed / self.valid if self.valid else None


@attrs.frozen(kw_only=True)
class Attendance:
    """How many cases an arm has, and how many of them were asked and answered."""

    cases: int
    skipped: int
    answered: int

    @property
    def asked(self) -> int:
        """Cases in which the model was asked."""
        return self.cases - self.skipped

    @property
    def share(self) -> float:
        """Share of the asked cases that have an answer; 1 when none was asked."""
        return self.answered / self.asked if self.asked else 1.0


@attrs.frozen(kw_only=True)
class Extraction:
    """How reading fared in the normal arm: messages by day, portions of exchanges at night."""

    read: int
    #: Those of them that got no answer, and those whose answer could not be read.
    failed: int
    unreadable: int

    @property
    def failures(self) -> float:
        """Share of what was read that brought nothing because something failed; 0 when nothing was read."""
        return (self.failed + self.unreadable) / self.read if self.read else 0.0


@attrs.frozen(kw_only=True)
class Report:
    """What a run shows."""

    fixture: str
    #: Digest of the fixture; figures of different ones are not comparable.
    fixture_digest: str
    model: str
    extractor: str
    repetitions: int
    scorer: int
    cases: int
    expected: int
    attendance: Mapping[Arm, Attendance]
    effects: Mapping[Effect, Mapping[Arm, Tally]]
    #: The same for what is told and decides nothing.
    told: Mapping[Effect, Mapping[Arm, Tally]]
    #: How far the words that turns look for came, by arm.
    chain: Mapping[Arm, Mapping[Stage, int]]
    #: What stopped wrong facts, with the reason of admission or plan; over all turns in which one was held.
    wrong: Mapping[Stopped, Mapping[str, int]]
    extraction: Extraction
    #: Why turns are not applicable, by condition.
    not_applicable: Mapping[str, int]
    refusals: tuple[Refusal, ...]

    @property
    def accepted(self) -> bool:
        """Whether nothing speaks against the run."""
        return not self.refusals

    def lift(self, effect: Effect) -> float | None:
        """Return what memory adds: the rate with gold forced less the rate without any; None where one is missing."""
        tallies = self.effects[effect]
        given, without = tallies[Arm.GOLD_FORCED].rate, tallies[Arm.ZERO_MEMORY].rate
        return None if given is None or without is None else given - without


def report(artefacts: Artefacts, acceptance: Acceptance | None = None) -> Report:
    """Return what a run shows; the same artefacts give the same report."""
    scored = score(artefacts)
    header = artefacts.header
    gating = [one for one in scored.scores if one.gating]
    told = [one for one in scored.scores if not one.gating]
    bare = Report(
        fixture=header.fixture.name,
        fixture_digest=digest_of(header.fixture),
        model=header.model,
        extractor=header.extractor,
        repetitions=header.repetitions,
        scorer=SCORER_VERSION,
        cases=len(artefacts.cases),
        expected=artefacts.expected,
        attendance={arm: _attendance(artefacts.cases, arm) for arm in Arm},
        effects=_tallies(gating),
        told=_tallies(told),
        chain={arm: _stages(scored.links, arm) for arm in Arm},
        wrong=_wrong(scored),
        extraction=_extraction(artefacts.cases),
        not_applicable=dict(
            sorted(Counter(one.condition for one in gating if one.state is State.NOT_APPLICABLE).items())
        ),
        refusals=(),
    )
    return attrs.evolve(bare, refusals=tuple(_refusals(bare, acceptance or Acceptance())))


def digest_of(fixture: Fixture) -> str:
    """Return what names a fixture's content."""
    return hashlib.sha256(wire.dump(wire.to_json(fixture)).encode("utf-8")).hexdigest()[:16]


def to_data(made: Report) -> dict[str, Any]:
    """Return a report as plain data, for JSON."""
    return {
        "fixture": made.fixture,
        "fixture_digest": made.fixture_digest,
        "model": made.model,
        "extractor": made.extractor,
        "repetitions": made.repetitions,
        "scorer": made.scorer,
        "cases": made.cases,
        "expected": made.expected,
        "arms": {
            arm.value: {"cases": one.cases, "skipped": one.skipped, "answered": one.answered}
            for arm, one in made.attendance.items()
        },
        "effects": [
            {"effect": effect.value, "lift": made.lift(effect), "arms": _tally_data(tallies)}
            for effect, tallies in made.effects.items()
        ],
        "told": [
            {"effect": effect.value, "arms": _tally_data(tallies)} for effect, tallies in made.told.items()
        ],
        "chain": [
            {"arm": arm.value, "stage": stage.value, "times": count}
            for arm, stages in made.chain.items()
            for stage, count in stages.items()
        ],
        "wrong_facts": [
            {"stopped": stopped.value, "reason": reason, "times": count}
            for stopped, reasons in made.wrong.items()
            for reason, count in reasons.items()
        ],
        "extraction": attrs.asdict(made.extraction),
        "not_applicable": [
            {"condition": condition, "times": count} for condition, count in made.not_applicable.items()
        ],
        "accepted": made.accepted,
        "refusals": [
            {"code": one.code.value, "at": one.at, "figure": one.figure, "wanted": one.wanted}
            for one in made.refusals
        ],
    }


def to_text(made: Report) -> str:
    """Return a report as JSON text; equal reports give equal bytes."""
    return json.dumps(to_data(made), ensure_ascii=False, indent=2) + "\n"


def _tally_data(tallies: Mapping[Arm, Tally]) -> dict[str, Any]:
    return {arm.value: {**attrs.asdict(tally), "rate": tally.rate} for arm, tally in tallies.items()}


def _tallies(scores: Iterable[Score]) -> Mapping[Effect, Mapping[Arm, Tally]]:
    """Return the counts of every effect that occurs, over all arms."""
    given = tuple(scores)
    occurring = [effect for effect in Effect if any(one.effect is effect for one in given)]
    return MappingProxyType(
        {
            effect: {
                arm: Tally.of(one for one in given if one.effect is effect and one.arm is arm) for arm in Arm
            }
            for effect in occurring
        }
    )


def _attendance(cases: Iterable[Case], arm: Arm) -> Attendance:
    own = [case for case in cases if case.arm is arm]
    return Attendance(
        cases=len(own),
        skipped=sum(case.skipped for case in own),
        answered=sum(bool(case.answer) for case in own),
    )


def _stages(links: Iterable[Link], arm: Arm) -> dict[Stage, int]:
    counts = Counter(link.stage for link in links if link.arm is arm)
    return {stage: counts[stage] for stage in Stage if counts[stage]}


def _wrong(scored: Scored) -> dict[Stopped, dict[str, int]]:
    return {
        stopped: dict(sorted(Counter(one.reason for one in scored.wrong if one.stopped is stopped).items()))
        for stopped in Stopped
    }


def _extraction(cases: Iterable[Case]) -> Extraction:
    own = [case.extracted for case in cases if case.arm is Arm.NORMAL]
    return Extraction(
        read=sum(one.read for one in own),
        failed=sum(one.failed for one in own),
        unreadable=sum(one.unreadable for one in own),
    )


# -- acceptance ---------------------------------------------------------------------------------------------------


def _refusals(made: Report, wanted: Acceptance) -> Iterator[Refusal]:
    if made.cases < made.expected:
        yield Refusal(code=Shortfall.INCOMPLETE, at="run", figure=made.cases, wanted=made.expected)
    for arm, attendance in made.attendance.items():
        if attendance.share < wanted.answered_share:
            yield _refusal(Shortfall.TOO_FEW_ANSWERS, arm.value, attendance.share, wanted.answered_share)
        share = _invalid_share(made, arm)
        if share > wanted.invalid_share:
            yield _refusal(Shortfall.TOO_MANY_INVALID, arm.value, share, wanted.invalid_share)
    for effect, tallies in made.effects.items():
        if effect.protection:
            yield from _broken(effect, tallies, wanted)
        else:
            yield from _weak(effect, tallies, wanted)
    if made.extraction.failures > wanted.extraction_failures:
        yield _refusal(
            Shortfall.EXTRACTION_FAILS, Arm.NORMAL.value, made.extraction.failures, wanted.extraction_failures
        )


def _weak(effect: Effect, tallies: Mapping[Arm, Tally], wanted: Acceptance) -> Iterator[Refusal]:
    for arm, least in ((Arm.GOLD_FORCED, wanted.gold_forced_rate), (Arm.NORMAL, wanted.normal_rate)):
        tally, at = tallies[arm], f"{arm.value} {effect.value}"
        if tally.valid < wanted.observations:
            yield _refusal(Shortfall.TOO_FEW_OBSERVATIONS, at, tally.valid, wanted.observations)
        elif tally.rate is not None and tally.rate < least:
            yield _refusal(Shortfall.EFFECT_TOO_WEAK, at, tally.rate, least)
    guessed = tallies[Arm.ZERO_MEMORY].rate
    if effect.recalls and guessed is not None and guessed > wanted.guessed_rate:
        at = f"{Arm.ZERO_MEMORY.value} {effect.value}"
        yield _refusal(Shortfall.GUESSABLE, at, guessed, wanted.guessed_rate)


def _broken(effect: Effect, tallies: Mapping[Arm, Tally], wanted: Acceptance) -> Iterator[Refusal]:
    """Yield what speaks against a silence.

    An arm that never held the record cannot show anything, so only the arm that is given it must have observations.
    """
    at = f"{Arm.GOLD_FORCED.value} {effect.value}"
    held = tallies[Arm.GOLD_FORCED].valid
    if held < wanted.observations:
        yield _refusal(Shortfall.TOO_FEW_OBSERVATIONS, at, held, wanted.observations)
    for arm, tally in tallies.items():
        if arm is not Arm.ZERO_MEMORY and tally.rate is not None and tally.rate < wanted.protection_rate:
            at = f"{arm.value} {effect.value}"
            yield _refusal(Shortfall.PROTECTION_BROKEN, at, tally.rate, wanted.protection_rate)


def _invalid_share(made: Report, arm: Arm) -> float:
    tallies = [by_arm[arm] for by_arm in made.effects.values()]
    observed = sum(tally.valid + tally.invalid for tally in tallies)
    return sum(tally.invalid for tally in tallies) / observed if observed else 0.0


def _refusal(code: Shortfall, at: str, figure: float, wanted: float) -> Refusal:
    return Refusal(code=code, at=at, figure=figure, wanted=wanted)
