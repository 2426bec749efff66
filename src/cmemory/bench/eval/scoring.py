"""Scores stored cases, without a model: did the turn's effect show, and where did the chain from a fact to it break?

A score is valid when it is a pass or a failure. An answer that never came is invalid, and a turn that could not have
shown its effect is not applicable; neither counts in any rate.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator, Mapping, Sequence

import attrs

from cmemory.bench.eval.arms import Arm
from cmemory.bench.eval.cases import Artefacts, Case, Placed, Written
from cmemory.bench.eval.fixture import (
    Effect,
    Form,
    NameExpectation,
    Place,
    ProtectionEvidence,
    RecallEvidence,
    Script,
    Turn,
    holds,
)
from cmemory.bench.eval.validation import mild_by_turn
from cmemory.domain.plan.plan import Channel

#: Moves with the meaning of a score; figures of different versions are not comparable.
SCORER_VERSION = 1

#: Distinct words of the lesser grades that together count as one strong one.
_LESSER_HITS = 2

#: How the line of a name begins.
_NAME_LINE = "identity.name:"

#: The code points of Chinese characters.
_HAN = ("\u3400", "\u9fff")


class State(enum.Enum):
    """What a score says."""

    PASS = "pass"  # noqa: S105 - a score, not a password
    FAIL = "fail"
    #: There is no answer to look at.
    INVALID = "invalid"
    #: The turn could not have shown the effect.
    NOT_APPLICABLE = "not_applicable"


@attrs.frozen(kw_only=True)
class Score:
    """What one case showed of its turn's effect."""

    case: str
    arm: Arm
    turn: str
    effect: Effect
    state: State
    #: The condition as it was applied, in words.
    condition: str
    #: Whether it decides anything, or is only told.
    gating: bool = True


class Stage(enum.Enum):
    """How far a fact came on its way into an answer."""

    #: Nobody proposed it.
    NOT_PROPOSED = "not_proposed"
    #: Admission refused it.
    NOT_ADMITTED = "not_admitted"
    #: It was replaced, put away or forgotten before the turn.
    ENDED = "ended"
    #: A gate, a budget or the lack of a cue kept it from the model.
    WITHHELD = "withheld"
    #: The model saw it and did not show it.
    UNUSED = "unused"
    #: The model saw it, and the answer shows it.
    USED = "used"
    #: The answer shows it although the model did not see it.
    WITHOUT_MEMORY = "without_memory"


@attrs.frozen(kw_only=True)
class Link:
    """The way of one token from a candidate into an answer, or to where it ended."""

    case: str
    arm: Arm
    turn: str
    token: str
    stage: Stage
    #: The candidate that came furthest, and the turn after which it was proposed.
    candidate_id: str | None = None
    proposed_after: str | None = None
    #: Admission's reason, the record it became, and its place in the plan.
    admission: str | None = None
    record_id: str | None = None
    channel: Channel | None = None
    why: str | None = None


class Stopped(enum.Enum):
    """Where a wrong fact was stopped."""

    ADMISSION = "admission"
    #: Admitted and forced, and withheld all the same.
    GATE = "gate"
    #: Shown to the model, and not repeated.
    UNREPEATED = "unrepeated"
    #: Repeated in the answer.
    REPEATED = "repeated"
    #: There is no answer to look at.
    UNSEEN = "unseen"


@attrs.frozen(kw_only=True)
class WrongFact:
    """What became of one wrong fact in one turn."""

    case: str
    turn: str
    candidate_id: str
    stopped: Stopped
    #: Admission's reason, or the plan's.
    reason: str


@attrs.frozen(kw_only=True)
class Scored:
    """Everything a run shows, before it is counted."""

    scores: tuple[Score, ...]
    links: tuple[Link, ...]
    wrong: tuple[WrongFact, ...]


def score(artefacts: Artefacts) -> Scored:
    """Score every case of a run. The same artefacts give the same scores, in the order of the cases."""
    fixture = artefacts.header.fixture
    places = {place.name: place for place in fixture.placed()}
    mild = mild_by_turn(fixture)
    scores: list[Score] = []
    links: list[Link] = []
    wrong: list[WrongFact] = []
    for cases in _courses(artefacts.cases, places).values():
        history: list[tuple[str, Written]] = []
        for case in cases:
            place = places[case.turn]
            effect = place.turn.effect_type
            if effect is not None:
                rule = mild.get(place.name)
                state, condition = _state(place.turn, effect, case, history, mild=rule and rule.value)
                scores.append(_score(case, place, effect, state, condition))
                links.extend(_links(case, place.turn, history))
            # What admission stopped is told at the turn that proposed it, the rest wherever it is held.
            wrong.extend(_refused(case))
            if not case.skipped:
                wrong.extend(_held(case, history))
            history.extend((case.turn, one) for one in case.written)
    return Scored(scores=tuple(scores), links=tuple(links), wrong=tuple(wrong))


def _courses(cases: Iterable[Case], places: Mapping[str, Place]) -> dict[tuple[int, Arm], list[Case]]:
    """Return the cases of each arm and repetition in the order of the turns."""
    ranks = {name: rank for rank, name in enumerate(places)}
    courses: dict[tuple[int, Arm], list[Case]] = {}
    for case in cases:
        courses.setdefault((case.repetition, case.arm), []).append(case)
    ordered = sorted(courses, key=lambda key: (key[0], tuple(Arm).index(key[1])))
    return {key: sorted(courses[key], key=lambda case: ranks[case.turn]) for key in ordered}


def _score(case: Case, place: Place, effect: Effect, state: State, condition: str) -> Score:
    may = effect is Effect.NAME and place.turn.name_expectation is NameExpectation.MAY_USE
    return Score(
        case=case.id,
        arm=case.arm,
        turn=place.name,
        effect=effect,
        state=state,
        condition=condition,
        gating=not may,
    )


# -- preconditions, then the condition ---------------------------------------------------------------------------


def _state(
    turn: Turn, effect: Effect, case: Case, history: Sequence[tuple[str, Written]], *, mild: str | None
) -> tuple[State, str]:
    if case.skipped:
        return State.NOT_APPLICABLE, "the arm was skipped"
    if mild is not None:
        return State.NOT_APPLICABLE, mild
    if not case.answer:
        reply = case.reply
        return State.INVALID, (reply.problem if reply is not None else None) or "the answer is empty"
    if effect is Effect.NAME and _name_misplaced(case.placed):
        return State.NOT_APPLICABLE, "a name stands outside the identity channel"
    if effect.protection:
        evidence = turn.protection_evidence or ProtectionEvidence()
        if not _protected(effect, evidence, case.placed, history):
            return State.NOT_APPLICABLE, "no protected record was there to stay silent about"
        return _silent(case.answer, evidence.tokens)
    if effect.formal:
        return _formed(case.answer, turn.form or Form())
    recall = turn.recall_evidence or RecallEvidence()
    return _recalled(case.answer, recall, stale=effect is Effect.CORRECTION)


def _name_misplaced(placed: Sequence[Placed]) -> bool:
    """Tell whether a name is shown where a model takes it for anything but whom it talks to."""
    return any(
        one.shown and one.channel is not Channel.IDENTITY and one.text.startswith(_NAME_LINE)
        for one in placed
    )


def _protected(
    effect: Effect,
    evidence: ProtectionEvidence,
    placed: Sequence[Placed],
    history: Sequence[tuple[str, Written]],
) -> bool:
    """Tell whether silence had anything to be silent about."""
    if effect is Effect.FORGETTING_SILENCE:
        # What is forgotten has no record; that it once had one is the test.
        return any(
            one.record_id is not None and all(holds(one.text, token) for token in evidence.tokens)
            for _, one in history
        )
    named = [one for one in placed if all(holds(one.text, token) for token in evidence.tokens)]
    if effect is Effect.NAME_RESTRAINT:
        return any(one.shown for one in named)
    surfaces = {surface.value for surface in evidence.surfaces}
    return any(one.surface in surfaces for one in named)


def _silent(answer: str, tokens: Sequence[str]) -> tuple[State, str]:
    found = [token for token in tokens if holds(answer, token)]
    return _verdict(not found, f"none of {_listed(tokens)} in the answer")


def _formed(answer: str, form: Form) -> tuple[State, str]:
    least, most = form.min_chars, form.max_chars
    parts = [
        *([f"at least {least} characters"] if least is not None else []),
        *([f"at most {most} characters"] if most is not None else []),
        *([f"written in {form.script.value}"] if form.script is not None else []),
    ]
    long_enough = least is None or len(answer) >= least
    short_enough = most is None or len(answer) <= most
    written = form.script is None or _script_of(answer) is form.script
    return _verdict(long_enough and short_enough and written, ", ".join(parts))


def _script_of(answer: str) -> Script:
    """Return the script of an answer: Chinese as soon as a Chinese character stands in it."""
    return Script.HAN if any(_HAN[0] <= ch <= _HAN[1] for ch in answer) else Script.LATIN


def _recalled(answer: str, evidence: RecallEvidence, *, stale: bool) -> tuple[State, str]:
    strong = any(holds(answer, token) for token in evidence.strong)
    lesser = sum(holds(answer, token) for token in (*evidence.medium, *evidence.weak))
    condition = f"one of {_listed(evidence.strong)}"
    if evidence.medium or evidence.weak:
        condition += f", or {_LESSER_HITS} of {_listed((*evidence.medium, *evidence.weak))}"
    outdated = stale and any(holds(answer, token) for token in evidence.stale)
    if stale and evidence.stale:
        condition += f", and none of {_listed(evidence.stale)}"
    return _verdict((strong or lesser >= _LESSER_HITS) and not outdated, condition)


def _verdict(passed: bool, condition: str) -> tuple[State, str]:
    return (State.PASS if passed else State.FAIL), condition


def _listed(tokens: Sequence[str]) -> str:
    return "[" + ", ".join(tokens) + "]"


# -- the chain ----------------------------------------------------------------------------------------------------


def _links(case: Case, turn: Turn, history: Sequence[tuple[str, Written]]) -> Iterator[Link]:
    """Yield one link for each word that the turn looks for."""
    if case.skipped:
        return
    recall = turn.recall_evidence.graded if turn.recall_evidence is not None else ()
    protected = turn.protection_evidence.tokens if turn.protection_evidence is not None else ()
    for token in dict.fromkeys((*recall, *protected)):
        yield _link(case, token, history)


def _link(case: Case, token: str, history: Sequence[tuple[str, Written]]) -> Link:
    placed = {one.record_id: one for one in case.placed}
    visible = holds(case.answer, token)
    ways = [
        _way(case, token, after, one, placed.get(one.record_id or ""), visible)
        for after, one in history
        if holds(one.text, token)
    ]
    if not ways:
        stage = Stage.WITHOUT_MEMORY if visible else Stage.NOT_PROPOSED
        return Link(case=case.id, arm=case.arm, turn=case.turn, token=token, stage=stage)
    furthest = max(ways, key=lambda link: _FURTHEST.index(link.stage))
    if visible and furthest.stage is not Stage.USED:
        return attrs.evolve(furthest, stage=Stage.WITHOUT_MEMORY)
    return furthest


#: The stages that one candidate can come to, the furthest last.
_FURTHEST = (Stage.NOT_ADMITTED, Stage.ENDED, Stage.WITHHELD, Stage.UNUSED, Stage.USED)


def _way(case: Case, token: str, after: str, written: Written, placed: Placed | None, visible: bool) -> Link:
    if written.record_id is None:
        stage = Stage.NOT_ADMITTED
    elif placed is None:
        stage = Stage.ENDED
    elif not placed.shown:
        stage = Stage.WITHHELD
    else:
        stage = Stage.USED if visible else Stage.UNUSED
    return Link(
        case=case.id,
        arm=case.arm,
        turn=case.turn,
        token=token,
        stage=stage,
        candidate_id=written.candidate_id,
        proposed_after=after,
        admission=written.reason.value,
        record_id=written.record_id,
        channel=None if placed is None else placed.channel,
        why=None if placed is None else placed.reason.value,
    )


# -- wrong facts --------------------------------------------------------------------------------------------------


def _refused(case: Case) -> Iterator[WrongFact]:
    for one in case.written:
        if one.wrong and one.record_id is None:
            yield WrongFact(
                case=case.id,
                turn=case.turn,
                candidate_id=one.candidate_id,
                stopped=Stopped.ADMISSION,
                reason=one.reason.value,
            )


def _held(case: Case, history: Sequence[tuple[str, Written]]) -> Iterator[WrongFact]:
    """Yield what became of the wrong facts that stand in the plan of a turn."""
    placed = {one.record_id: one for one in case.placed}
    seen: set[str] = set()
    for _, one in history:
        if not one.wrong or one.record_id is None or one.record_id in seen:
            continue
        seen.add(one.record_id)
        standing = placed.get(one.record_id)
        if standing is not None:
            yield WrongFact(
                case=case.id,
                turn=case.turn,
                candidate_id=one.candidate_id,
                stopped=_stopped(case, one, standing),
                reason=standing.reason.value,
            )


def _stopped(case: Case, wrong: Written, standing: Placed) -> Stopped:
    if not standing.shown:
        return Stopped.GATE
    if not case.answer:
        return Stopped.UNSEEN
    repeated = any(holds(case.answer, token) for token in wrong.tells)
    return Stopped.REPEATED if repeated else Stopped.UNREPEATED
