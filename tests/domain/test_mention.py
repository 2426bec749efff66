"""The mention gate: every combination of level, flags and cues against the table of the protocol."""

from __future__ import annotations

import itertools

import pytest

from builders import claim, episode, inference
from cmemory.domain.gates.mention import NO_CUES, Cues, Denial, Verdict, decide, decide_record, level_of
from cmemory.domain.gates.visibility import meet
from cmemory.domain.model.bodies import Axis, InferenceState
from cmemory.domain.predicates.registry import PREDICATES, Visibility

NEVER, BACKGROUND, CUED, FREE = Visibility


def oracle(level: int, cues: dict[str, bool], *, muted: bool, shared_world: bool) -> Denial | None:
    """Restate the rules of the protocol; a private word counts from level 2 on, and before a trigger."""
    topical = cues["referenced"] or cues["implied"]
    if level == 0:
        return Denial.DO_NOT_SURFACE if muted else Denial.NEVER_SURFACE
    if cues["time_trigger"] and not cues["time_trigger_authorised"]:
        return Denial.TIME_TRIGGER_NOT_AUTHORISED
    if shared_world and level in (2, 3) and not cues["shared_term"]:
        return Denial.USES_UNLICENSED_SHARED_TERM
    if cues["time_trigger_authorised"] and not topical:
        return None
    if level == 2 and not topical:
        return Denial.AWAITING_USER_CUE
    return None


def test_every_input_follows_the_table() -> None:
    """All 512 combinations of level, flags and cues give the verdict of the first rule that fits."""
    names = ("referenced", "implied", "time_trigger", "time_trigger_authorised", "shared_term")
    checked = 0
    for level, muted, shared_world, *flags in itertools.product(
        Visibility, *[(False, True)] * (2 + len(names))
    ):
        cues = dict(zip(names, flags, strict=True))
        denial = oracle(int(level), cues, muted=muted, shared_world=shared_world)
        verdict = decide(level, Cues(**cues), muted=muted, shared_world=shared_world)
        assert Verdict(level=level, denial=denial) == verdict, (level, muted, shared_world, cues)
        assert (denial is None) is verdict.allowed
        assert (denial is None and level is BACKGROUND) is verdict.background_only
        checked += 1
    assert 512 == checked


@pytest.mark.parametrize(
    ("level", "cues", "expected"),
    [
        (NEVER, Cues(referenced=True, time_trigger_authorised=True), Denial.NEVER_SURFACE),
        (FREE, Cues(referenced=True, time_trigger=True), Denial.TIME_TRIGGER_NOT_AUTHORISED),
        (CUED, Cues(time_trigger=True, time_trigger_authorised=True), None),
        (CUED, NO_CUES, Denial.AWAITING_USER_CUE),
        (CUED, Cues(implied=True), None),
        (CUED, Cues(referenced=True), None),
        (BACKGROUND, NO_CUES, None),
        (FREE, NO_CUES, None),
    ],
)
def test_the_rules_one_by_one(level: Visibility, cues: Cues, expected: Denial | None) -> None:
    """Silence outweighs any cue, a trigger needs leave, and a cue opens what waits for one."""
    assert expected is decide(level, cues).denial


@pytest.mark.parametrize("key", tuple(PREDICATES))
def test_a_claims_level_is_its_keys(key: str) -> None:
    """A claim may be used as openly as its key says, and not at all once it is muted."""
    assert PREDICATES[key].visibility is level_of(claim(key, "x"))
    muted = decide_record(claim(key, "x", muted=True), Cues(referenced=True))
    assert Verdict(level=NEVER, denial=Denial.DO_NOT_SURFACE) == muted


def test_unknown_keys_stay_in_the_background() -> None:
    """A claim under a retired key is never recited."""
    assert BACKGROUND is level_of(claim("hobby.chess", "x"))


@pytest.mark.parametrize(
    ("cues", "expected"),
    [(NO_CUES, Denial.AWAITING_USER_CUE), (Cues(implied=True), None), (Cues(referenced=True), None)],
)
def test_episodes_wait_for_a_cue(cues: Cues, expected: Denial | None) -> None:
    """What somebody lived through is brought up by them first."""
    assert Verdict(level=CUED, denial=expected) == decide_record(episode("用户去看海。"), cues)


@pytest.mark.parametrize("state", [state for state in InferenceState if state is not InferenceState.ACTIVE])
def test_an_unpromoted_conclusion_is_silent(state: InferenceState) -> None:
    """Whatever the cues, a conclusion that was not promoted is not used."""
    verdict = decide_record(inference(state=state), Cues(referenced=True))
    assert Verdict(level=BACKGROUND, denial=Denial.INFERENCE_NOT_ACTIVE) == verdict


@pytest.mark.parametrize("axis", Axis)
def test_a_promoted_conclusion_stays_in_the_background(axis: Axis) -> None:
    """Even a promoted conclusion may only shape an answer."""
    verdict = decide_record(inference(axis=axis, state=InferenceState.ACTIVE), NO_CUES)
    assert Verdict(level=BACKGROUND) == verdict
    assert verdict.background_only


def test_meet_is_the_quietest() -> None:
    """The quietest level wins; without any level nothing is held back."""
    assert NEVER is meet(FREE, NEVER, CUED)
    assert FREE is meet()
