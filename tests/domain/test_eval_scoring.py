"""A stored case is scored by what stands in it, and a run is accepted by its figures; no model is near."""

from __future__ import annotations

from typing import Any

import attrs
import pytest

from bench_fixtures import asked, fixture, guarded, session, turn
from cmemory.bench.eval.arms import Arm
from cmemory.bench.eval.cases import (
    FORMAT,
    Artefacts,
    Call,
    Case,
    Extracted,
    Header,
    Placed,
    Purpose,
    Written,
    case_id,
)
from cmemory.bench.eval.fixture import (
    Effect,
    Fixture,
    Form,
    GoldClaim,
    NameExpectation,
    Opportunity,
    ProtectionEvidence,
    RecallEvidence,
    Script,
)
from cmemory.bench.eval.report import Acceptance, Shortfall, report, to_data
from cmemory.bench.eval.scoring import Score, Stage, State, Stopped, score
from cmemory.domain.model.candidate import Outcome, Reason
from cmemory.domain.plan.plan import Channel, Why

NORA = GoldClaim(predicate="identity.name", value="Nora", quote="My name is Nora")
NAMED = Placed(
    record_id="r-name",
    channel=Channel.IDENTITY,
    reason=Why.POLICY_MEMORY,
    surface="freely_mentionable",
    text="identity.name: Nora",
)
LIMIT = Placed(
    record_id="r-limit",
    channel=Channel.TOPIC_ACTIVATED,
    reason=Why.BACKGROUND_POLICY,
    surface="background_only",
    text="goal.constraint: no more than 400 pounds",
)


def answered(text: str, **fields: Any) -> Case:
    """Return the case of the asking turn with an answer."""
    reply = Call(purpose=Purpose.REPLY, prompt="p", text=text)
    given = {"arm": Arm.GOLD_FORCED, "turn": "day-3t0", "repetition": 0, "calls": (reply,), **fields}
    return Case(id=case_id(given["repetition"], given["arm"], given["turn"]), **given)


def written(**fields: Any) -> Case:
    """Return the case of the telling turn, after which something was put to admission."""
    one = {
        "candidate_id": "c",
        "kind": "claim",
        "text": "person.name: Fennel",
        "outcome": Outcome.ACCEPTED,
        "reason": Reason.ADMITTED,
        "record_id": "r",
        **fields,
    }
    return answered("Nice.", turn="day-0t0", written=(Written(**one),))


def of(played: Fixture, *cases: Case) -> Artefacts:
    """Return artefacts of one repetition."""
    header = Header(format=FORMAT, fixture=played, repetitions=1, model="m", extractor="rules", policy="p")
    return Artefacts(header=header, cases=cases)


def scored(played: Fixture, *cases: Case) -> Score:
    """Return the only score."""
    (one,) = score(of(played, *cases)).scores
    return one


def named(text: str, **fields: Any) -> Fixture:
    """Return a fixture that asks for a name."""
    probe = {
        "memory_opportunity": Opportunity.POSITIVE,
        "effect_type": Effect.NAME,
        "name_expectation": NameExpectation.MUST_USE,
        "recall_evidence": RecallEvidence(strong=("Nora",)),
        **fields,
    }
    return fixture(session(0, turn("My name is Nora.", gold=(NORA,))), session(3, turn(text, **probe)))


@pytest.mark.parametrize(
    ("answer", "evidence", "state"),
    [
        ("FENNEL did it.", {"strong": ("Fennel",)}, State.PASS),
        ("Who?", {"strong": ("Fennel",)}, State.FAIL),
        ("Your dog!", {"medium": ("dog", "cello"), "weak": ("suites",)}, State.FAIL),
        ("The dog ate the suites.", {"medium": ("dog", "cello"), "weak": ("suites",)}, State.PASS),
        ("The dog and the dog.", {"medium": ("dog",), "weak": ("cello",)}, State.FAIL),
    ],
)
def test_one_strong_word_or_two_lesser_ones(
    answer: str, evidence: dict[str, tuple[str, ...]], state: State
) -> None:
    """Distinct ones, whatever the case of their letters."""
    assert state is scored(asked("Well?", recall_evidence=RecallEvidence(**evidence)), answered(answer)).state


@pytest.mark.parametrize(("answer", "state"), [("In York.", State.PASS), ("In York, not Leeds.", State.FAIL)])
def test_a_correction_is_spoilt_by_the_old_word(answer: str, state: State) -> None:
    """Naming both is not knowing which holds."""
    york = GoldClaim(predicate="misc.unclassified", value="Leeds, then York", quote="Leeds, then York")
    evidence = RecallEvidence(strong=("York",), stale=("Leeds",))
    probe = turn(
        "Where?",
        memory_opportunity=Opportunity.POSITIVE,
        effect_type=Effect.CORRECTION,
        recall_evidence=evidence,
    )
    told = session(0, turn("I lived in Leeds, then York.", gold=(york,)))
    assert state is scored(fixture(told, session(3, probe)), answered(answer)).state


@pytest.mark.parametrize(
    ("form", "answer", "state"),
    [
        (Form(max_chars=5), "Hello", State.PASS),
        (Form(max_chars=5), "Hello!", State.FAIL),
        (Form(min_chars=5), "Hell", State.FAIL),
        (Form(script=Script.HAN), "好的, fine", State.PASS),
        (Form(script=Script.HAN), "Fine.", State.FAIL),
        (Form(script=Script.LATIN), "Fine.", State.PASS),
        (Form(script=Script.LATIN), "Fine, 好的", State.FAIL),
    ],
)
def test_a_form_is_seen_from_outside(form: Form, answer: str, state: State) -> None:
    """Length in characters, and Chinese as soon as one stands there."""
    played = asked("Well?", effect_type=Effect.PREFERENCE, recall_evidence=None, form=form)
    assert state is scored(played, answered(answer)).state


@pytest.mark.parametrize(("answer", "state"), [("Buy less.", State.PASS), ("You have 400.", State.FAIL)])
def test_silence_is_kept_or_broken(answer: str, state: State) -> None:
    """When there was something to be silent about."""
    assert state is scored(guarded(), answered(answer, placed=(LIMIT,))).state


@pytest.mark.parametrize(
    "placed",
    [
        (),
        (attrs.evolve(LIMIT, surface="freely_mentionable"),),
        (attrs.evolve(LIMIT, text="goal.constraint: no money"),),
    ],
)
def test_silence_about_nothing_shows_nothing(placed: tuple[Placed, ...]) -> None:
    """The protected record must be in the plan, as quiet as declared; withheld counts as well."""
    assert State.NOT_APPLICABLE is scored(guarded(), answered("Hm.", placed=placed)).state
    withheld = attrs.evolve(LIMIT, channel=Channel.DO_NOT_SURFACE, reason=Why.BACKGROUND_AT_REST)
    assert State.PASS is scored(guarded(), answered("Hm.", placed=(withheld,))).state


def test_forgetting_is_tested_where_something_was_known() -> None:
    """An arm that never held it cannot have forgotten it."""
    played = guarded(
        effect_type=Effect.FORGETTING_SILENCE, protection_evidence=ProtectionEvidence(tokens=("400",))
    )
    assert State.NOT_APPLICABLE is scored(played, answered("Hm.")).state
    known = written(text="goal.constraint: no more than 400 pounds")
    assert State.PASS is scored(played, known, answered("Hm.")).state
    assert State.FAIL is scored(played, known, answered("400?")).state
    refused = written(text="goal.constraint: no more than 400 pounds", record_id=None)
    assert State.NOT_APPLICABLE is scored(played, refused, answered("Hm.")).state


def test_a_name_belongs_into_the_identity_channel() -> None:
    """Elsewhere a model takes it for anything but whom it talks to, so nothing is shown by its answer."""
    assert State.PASS is scored(named("Who am I?"), answered("Nora!", placed=(NAMED,))).state
    elsewhere = attrs.evolve(NAMED, channel=Channel.RESPONSE_STYLE)
    assert State.NOT_APPLICABLE is scored(named("Who am I?"), answered("Nora!", placed=(elsewhere,))).state
    # Withheld, it misleads nobody.
    withheld = attrs.evolve(NAMED, channel=Channel.DO_NOT_SURFACE)
    assert State.FAIL is scored(named("Who am I?"), answered("You!", placed=(withheld,))).state


def test_restraint_needs_a_name_to_leave_out() -> None:
    """Who was told no name cannot show any."""
    played = named(
        "Write to a stranger.",
        memory_opportunity=Opportunity.NEGATIVE,
        effect_type=Effect.NAME_RESTRAINT,
        recall_evidence=None,
        protection_evidence=ProtectionEvidence(tokens=("Nora",)),
    )
    assert State.NOT_APPLICABLE is scored(played, answered("Dear you.")).state
    assert State.PASS is scored(played, answered("Dear you.", placed=(NAMED,))).state
    assert State.FAIL is scored(played, answered("From Nora.", placed=(NAMED,))).state


def test_a_name_that_may_be_used_is_only_told() -> None:
    """It stands in the report and decides nothing."""
    played = named("Hello.", name_expectation=NameExpectation.MAY_USE)
    one = scored(played, answered("Hello.", placed=(NAMED,)))
    assert (State.FAIL, False) == (one.state, one.gating)
    made = report(of(played, answered("Hello.", placed=(NAMED,))), Acceptance(observations=1))
    assert ([], 1) == (list(made.effects), made.told[Effect.NAME][Arm.GOLD_FORCED].failed)


def test_what_never_came_is_invalid_and_what_could_not_be_is_not_applicable() -> None:
    """Skipped arms, mild violations, empty answers and refused ones, in that order."""
    skipped = answered("", calls=(), skipped=True)
    assert "the arm was skipped" == scored(asked(), skipped).condition
    mild = scored(asked(recall_evidence=None), answered("Fennel"))
    assert (State.NOT_APPLICABLE, "effect-without-evidence") == (mild.state, mild.condition)
    assert (State.INVALID, "the answer is empty") == (
        (empty := scored(asked(), answered(" \n"))).state,
        empty.condition,
    )
    cut = Call(purpose=Purpose.REPLY, prompt="p", problem="cut off")
    assert "cut off" == scored(asked(), answered("", calls=(cut,))).condition


@pytest.mark.parametrize(
    ("record", "placed", "answer", "stage"),
    [
        (None, None, "Hm.", Stage.NOT_ADMITTED),
        ("r", None, "Hm.", Stage.ENDED),
        ("r", Channel.DO_NOT_SURFACE, "Hm.", Stage.WITHHELD),
        ("r", Channel.TOPIC_ACTIVATED, "Hm.", Stage.UNUSED),
        ("r", Channel.TOPIC_ACTIVATED, "Fennel!", Stage.USED),
        ("r", Channel.DO_NOT_SURFACE, "Fennel!", Stage.WITHOUT_MEMORY),
        (None, None, "Fennel!", Stage.WITHOUT_MEMORY),
    ],
)
def test_the_chain_breaks_where_it_breaks(
    record: str | None, placed: Channel | None, answer: str, stage: Stage
) -> None:
    """Each link is looked at in turn; an answer that guesses is no use of memory."""
    standing = () if placed is None else (attrs.evolve(NAMED, record_id="r", channel=placed),)
    told = written(record_id=record)
    (link,) = score(of(asked(), told, answered(answer, placed=standing))).links
    assert (stage, "day-0t0", record) == (link.stage, link.proposed_after, link.record_id)


def test_the_candidate_that_came_furthest_is_told() -> None:
    """Of several that hold the word."""
    two = written().written + written(candidate_id="d", record_id=None, reason=Reason.RESURRECTION).written
    told = attrs.evolve(written(), written=two)
    shown = attrs.evolve(NAMED, record_id="r")
    (link,) = score(of(asked(), told, answered("Hm.", placed=(shown,)))).links
    assert ("c", Stage.UNUSED) == (link.candidate_id, link.stage)
    assert () == score(of(asked(), answered("", calls=(), skipped=True))).links


@pytest.mark.parametrize(
    ("record", "placed", "calls", "stopped"),
    [
        (None, None, "Hm.", [Stopped.ADMISSION]),
        ("r", None, "Hm.", []),
        ("r", Channel.DO_NOT_SURFACE, "Nola", [Stopped.GATE]),
        ("r", Channel.IDENTITY, "Hm.", [Stopped.UNREPEATED]),
        ("r", Channel.IDENTITY, "Hello nola.", [Stopped.REPEATED]),
        ("r", Channel.IDENTITY, "", [Stopped.UNSEEN]),
    ],
)
def test_where_a_wrong_fact_was_stopped(
    record: str | None, placed: Channel | None, calls: str, stopped: list[Stopped]
) -> None:
    """Admission, a gate, the companion's own reserve, or nothing."""
    standing = () if placed is None else (attrs.evolve(NAMED, record_id="r", channel=placed),)
    arm = {"arm": Arm.COUNTERFACTUAL_FORCED}
    told = attrs.evolve(written(record_id=record, wrong=True, tells=("Nola",)), **arm)
    found = score(of(asked(), told, answered(calls, placed=standing, **arm))).wrong
    assert stopped == [one.stopped for one in found]


# -- acceptance ---------------------------------------------------------------------------------------------------


def _whole(answers: dict[Arm, str], played: Fixture, **fields: Any) -> Artefacts:
    """Return a complete run of two turns."""
    cases = [answered("Nice.", turn="day-0t0", arm=arm) for arm in Arm]
    cases += [answered(answers.get(arm, "Fennel"), arm=arm, **fields) for arm in Arm]
    return of(played, *cases)


GOOD = {Arm.ZERO_MEMORY: "Hm."}


def _codes(artefacts: Artefacts, **wanted: Any) -> list[tuple[Shortfall, str]]:
    acceptance = Acceptance(**{"observations": 1, **wanted})
    return [(one.code, one.at) for one in report(artefacts, acceptance).refusals]


def test_a_good_run_is_accepted() -> None:
    """Nothing speaks against it."""
    assert [] == _codes(_whole(GOOD, asked()))
    assert report(_whole(GOOD, asked()), Acceptance(observations=1)).accepted


@pytest.mark.parametrize(
    ("answers", "wanted", "expected"),
    [
        ({}, {}, [(Shortfall.GUESSABLE, "zero_memory continuity")]),
        (
            {**GOOD, Arm.GOLD_FORCED: "Hm."},
            {},
            [(Shortfall.EFFECT_TOO_WEAK, "gold_forced continuity")],
        ),
        ({**GOOD, Arm.NORMAL: "Hm."}, {}, [(Shortfall.EFFECT_TOO_WEAK, "normal continuity")]),
        (
            GOOD,
            {"observations": 2},
            [
                (Shortfall.TOO_FEW_OBSERVATIONS, "gold_forced continuity"),
                (Shortfall.TOO_FEW_OBSERVATIONS, "normal continuity"),
            ],
        ),
        (
            {**GOOD, Arm.GOLD_RETRIEVED: ""},
            {},
            [
                (Shortfall.TOO_FEW_ANSWERS, "gold_retrieved"),
                (Shortfall.TOO_MANY_INVALID, "gold_retrieved"),
            ],
        ),
    ],
)
def test_what_speaks_against_a_run(
    answers: dict[Arm, str], wanted: dict[str, Any], expected: list[tuple[Shortfall, str]]
) -> None:
    """Each shortfall by itself."""
    assert expected == _codes(_whole(answers, asked()), **wanted)


def test_a_broken_silence_speaks_against_a_run_in_every_arm_that_remembers() -> None:
    """The arm without memory decides nothing: it had nothing to say."""
    broken = _codes(_whole({}, guarded(), placed=(LIMIT,)))
    assert [] == broken
    loud = dict.fromkeys(Arm, "400")
    assert [
        (Shortfall.PROTECTION_BROKEN, f"{arm.value} background_silence")
        for arm in Arm
        if arm is not Arm.ZERO_MEMORY
    ] == _codes(_whole(loud, guarded(), placed=(LIMIT,)))
    # Where nobody held the record, the silence of the others is no evidence.
    assert [(Shortfall.TOO_FEW_OBSERVATIONS, "gold_forced background_silence")] == _codes(
        _whole({}, guarded())
    )


def test_an_unfinished_run_is_not_accepted() -> None:
    """However good it looks."""
    whole = _whole(GOOD, asked())
    assert (Shortfall.INCOMPLETE, "run") in _codes(attrs.evolve(whole, cases=whole.cases[:-1]))


def test_failures_of_reading_speak_against_a_run() -> None:
    """They look like nothing to remember, so they are counted."""
    whole = _whole(GOOD, asked())
    bad = tuple(
        attrs.evolve(case, extracted=Extracted(read=4, failed=0, unreadable=1))
        if case.arm is Arm.NORMAL
        else case
        for case in whole.cases
    )
    assert [(Shortfall.EXTRACTION_FAILS, "normal")] == _codes(attrs.evolve(whole, cases=bad))


def test_not_applicable_is_neutral() -> None:
    """It is told with its condition and refuses nothing by itself."""
    made = report(_whole(GOOD, asked(recall_evidence=None)), Acceptance(observations=0))
    assert {"effect-without-evidence": 5} == dict(made.not_applicable)
    assert made.accepted and made.lift(Effect.CONTINUITY) is None
    assert None is to_data(made)["effects"][0]["lift"]


def test_an_empty_run_is_counted_without_dividing_by_nothing() -> None:
    """Nothing was asked, so nothing was missed; it is unfinished all the same."""
    assert [(Shortfall.INCOMPLETE, "run")] == _codes(of(asked()))
