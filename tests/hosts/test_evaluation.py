"""Companions that answer by rule, played through every arm: what memory adds, and what it holds back."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import attrs
import pytest
from typing_extensions import override

from bench_fixtures import TOLD, asked, fixture, session, turn
from cmemory.adapters.cli.command import Call
from cmemory.adapters.cli.exits import Exit
from cmemory.adapters.cli.main import main
from cmemory.bench.eval.arms import Arm, order
from cmemory.bench.eval.cases import Artefacts, Purpose
from cmemory.bench.eval.files import read_artefacts, read_fixture
from cmemory.bench.eval.fixture import Act, ActKind, Effect, Fixture, GoldClaim
from cmemory.bench.eval.report import Acceptance, Report, Shortfall, report, to_text
from cmemory.bench.eval.run import run
from cmemory.bench.eval.scoring import Stage, State, Stopped, score
from cmemory.domain.errors import ModelError, StoreError, UsageError, WireError
from cmemory.domain.model.candidate import Outcome, Reason
from cmemory.domain.plan.plan import Channel, Why
from cmemory.domain.policy import GOVERNED
from cmemory.domain.prompts.prompt import Prompt
from cmemory.ports.model import Model
from companions import Parrot, PerfectCompanion, Stranger

LANGUAGES = ("zh", "en")
COMPANIONS: dict[str, Callable[[], Model]] = {
    "perfect": PerfectCompanion,
    "parrot": Parrot,
    "stranger": Stranger,
}

#: One repetition gives one or two observations of each effect.
ONCE = Acceptance(observations=1)

NORA = GoldClaim(predicate="identity.name", value="Nora", quote="My name is Nora")
NOLA = attrs.evolve(NORA, value="Nola")

#: A few turns that make every arm write, force and skip.
SHORT = fixture(
    session(0, turn("Good morning."), turn("My name is Nora.", gold=(NORA,), counterfactual=(NOLA,))),
    session(2, turn("What is my name?"), turn("Good night.")),
)

REMEMBERING = (Arm.GOLD_RETRIEVED, Arm.GOLD_FORCED)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], Artefacts]:
    """Return one repetition of a shipped fixture with a companion; each is played once."""
    kept: dict[tuple[str, str], Artefacts] = {}

    def play(language: str, companion: str) -> Artefacts:
        if (language, companion) not in kept:
            path = tmp_path_factory.mktemp("eval") / "run.jsonl"
            kept[language, companion] = run(
                read_fixture(language), COMPANIONS[companion](), path, repetitions=1, by_rules=True
            )
        return kept[language, companion]

    return play


def small(path: Path, model: Model, played: Fixture | None = None, **fields: object) -> Artefacts:
    """Play a few turns once."""
    return run(played or asked(), model, path, repetitions=1, by_rules=True, **fields)  # type: ignore[arg-type]


def rate(made: Report, effect: Effect, arm: Arm) -> float | None:
    return made.effects[effect][arm].rate


# -- what memory adds ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_perfect_companion_owes_everything_to_memory(
    played: Callable[[str, str], Artefacts], language: str
) -> None:
    """Every effect shows with gold, found or forced, none without, and nothing protected is said in any arm."""
    made = report(played(language, "perfect"), ONCE)
    for effect, tallies in made.effects.items():
        assert [1.0, 1.0] == [tallies[arm].rate for arm in REMEMBERING], effect
        if effect.protection:
            assert made.lift(effect) is None
            assert {None, 1.0} >= {tally.rate for tally in tallies.values()}
        else:
            assert made.lift(effect) == 1.0, effect
    # What the offline rules miss is all that stands against it.
    assert {Shortfall.EFFECT_TOO_WEAK} == {one.code for one in made.refusals}
    assert all(one.at.startswith(Arm.NORMAL.value) for one in made.refusals)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_parrot_is_caught_by_what_it_may_not_recite(
    played: Callable[[str, str], Artefacts], language: str
) -> None:
    """It recalls as well as anybody, and recites what was meant to stay in the background; gates held the rest back."""
    made = report(played(language, "parrot"), ONCE)
    for effect in (Effect.NAME, Effect.CONTINUITY, Effect.CORRECTION, Effect.DUE, Effect.LANGUAGE):
        assert made.lift(effect) == 1.0, effect
    assert made.lift(Effect.PREFERENCE) == 0.0
    for arm in REMEMBERING:
        assert rate(made, Effect.BACKGROUND_SILENCE, arm) == 0.0
        assert rate(made, Effect.NAME_RESTRAINT, arm) == 0.0
        for effect in (Effect.BOUNDARY_SILENCE, Effect.MUTE_SILENCE, Effect.FORGETTING_SILENCE):
            assert rate(made, effect, arm) == 1.0, effect
    broken = {one.at for one in made.refusals if one.code is Shortfall.PROTECTION_BROKEN}
    assert {"gold_retrieved background_silence", "gold_forced background_silence"} <= broken


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_stranger_gains_nothing(played: Callable[[str, str], Artefacts], language: str) -> None:
    """Who uses nothing shows no lift anywhere, and says nothing it should not."""
    made = report(played(language, "stranger"), ONCE)
    for effect, tallies in made.effects.items():
        assert made.lift(effect) == (None if effect.protection else 0.0)
        if effect.protection:
            assert {None, 1.0} >= {tally.rate for tally in tallies.values()}
    assert not made.accepted


def test_the_counterfactual_arm_shows_who_follows_wrong_facts(
    played: Callable[[str, str], Artefacts],
) -> None:
    """The right name never comes from wrong facts; the parrot repeats what it is shown, the stranger nothing."""
    stopped = {
        who: {key: sum(reasons.values()) for key, reasons in report(played("en", who)).wrong.items()}
        for who in COMPANIONS
    }
    assert stopped["parrot"][Stopped.REPEATED] > stopped["perfect"][Stopped.REPEATED] > 0
    assert (0, 0) == (stopped["parrot"][Stopped.UNREPEATED], stopped["stranger"][Stopped.REPEATED])
    # What admission and the gates stop has nothing to do with who answers.
    for stage in (Stopped.ADMISSION, Stopped.GATE):
        assert 1 == len({counts[stage] for counts in stopped.values()})
    name = report(played("en", "perfect")).effects[Effect.NAME]
    assert (0.0, 0.0) == (name[Arm.COUNTERFACTUAL_FORCED].rate, name[Arm.ZERO_MEMORY].rate)


@pytest.mark.parametrize("language", LANGUAGES)
def test_gates_stop_wrong_facts_that_are_forced(
    played: Callable[[str, str], Artefacts], language: str
) -> None:
    """One is fenced off, one is never spoken of, and one gives orders to a model and is not even admitted."""
    wrong = report(played(language, "parrot")).wrong
    assert {"instruction": 1} == wrong[Stopped.ADMISSION]
    assert {"boundary_policy", "mention_gate_denied"} == set(wrong[Stopped.GATE])
    # It was shown once, in the turn in which the person fenced the topic off.
    told = [case.turn for case in played(language, "parrot").cases if _of_the_former(case.answer)]
    assert ["day-9t1"] == told


def _of_the_former(answer: str) -> bool:
    return "Lisbon" in answer or "深圳" in answer


@pytest.mark.parametrize("language", LANGUAGES)
def test_force_opens_no_gate(played: Callable[[str, str], Artefacts], language: str) -> None:
    """Everything is forced in every turn, and what is muted, fenced off or never spoken of stays withheld."""
    for case in played(language, "perfect").cases:
        if case.arm not in (Arm.GOLD_FORCED, Arm.COUNTERFACTUAL_FORCED):
            assert () == case.forced
            continue
        for one in case.placed:
            if one.record_id in case.forced and not one.shown:
                assert one.reason in (Why.MUTED, Why.BOUNDARY_POLICY, Why.MENTION_GATE_DENIED)


def test_what_is_forgotten_does_not_come_back(played: Callable[[str, str], Artefacts]) -> None:
    """Said again, it is refused; asked for, it is nowhere, however forced."""
    cases = [case for case in played("zh", "parrot").cases if case.arm is Arm.GOLD_FORCED]
    (again,) = [case for case in cases if case.turn == "day-35t0"]
    assert [(Outcome.REJECTED, Reason.RESURRECTION)] == [(one.outcome, one.reason) for one in again.written]
    later = [case for case in cases if int(case.turn.split("-")[1].split("t")[0]) >= 28]
    assert not any("顾言" in one.text for case in later for one in case.placed)


# -- the chain ----------------------------------------------------------------------------------------------------


def test_the_chain_tells_every_link(played: Callable[[str, str], Artefacts]) -> None:
    """From the candidate to the answer: who proposed it when, what admission and plan said, and whether it showed."""
    links = {(link.arm, link.turn, link.token): link for link in score(played("en", "perfect")).links}
    used = links[Arm.GOLD_RETRIEVED, "day-7t0", "Fennel"]
    assert (Stage.USED, "day-2t0", "admitted") == (used.stage, used.proposed_after, used.admission)
    assert (Channel.TOPIC_ACTIVATED, "current_turn_cue") == (used.channel, used.why)
    assert used.record_id is not None and used.candidate_id is not None
    fenced = links[Arm.GOLD_FORCED, "day-14t0", "Whitby"]
    assert (Stage.WITHHELD, "boundary_policy") == (fenced.stage, fenced.why)
    assert Stage.ENDED is links[Arm.GOLD_FORCED, "day-45t1", "Magnus Thorne"].stage
    assert Stage.UNUSED is links[Arm.GOLD_FORCED, "day-23t2", "400"].stage
    assert Stage.NOT_PROPOSED is links[Arm.NORMAL, "day-40t0", "snapped"].stage
    assert {Stage.NOT_PROPOSED} == {link.stage for link in links.values() if link.arm is Arm.ZERO_MEMORY}


class Listening(Stranger):
    """Keeps what it was asked."""

    def __init__(self) -> None:
        super().__init__()
        self.prompts: list[Prompt] = []

    @override
    def complete(self, prompt: Prompt) -> str:
        self.prompts.append(prompt)
        return super().complete(prompt)


def test_the_arms_differ_in_their_records_alone(tmp_path: Path) -> None:
    """Without memory the model gets the same instructions and an empty block, and the same lines in every arm."""
    model = Listening()
    small(tmp_path / "run.jsonl", model, SHORT)
    for said in ("What is my name?", "Good night."):
        asked_so = [prompt for prompt in model.prompts if prompt.user.endswith(f"Person: {said}\nYou:")]
        assert (5, 1) == (len(asked_so), len({prompt.user for prompt in asked_so}))
    bare = [prompt for prompt in model.prompts if "<record " not in prompt.system]
    assert any('<companion_memory revision="0">' in prompt.system for prompt in bare)
    assert all(prompt.system.startswith("You are a companion.\n\n<companion_memory") for prompt in bare)
    # The arm that skipped the greeting has heard it all the same.
    named = {prompt.user for prompt in model.prompts if "My name is Nora." in prompt.user}
    assert {True} == {user.startswith("Person: Good morning.") for user in named}


def test_the_counterfactual_arm_is_skipped_while_it_holds_nothing_wrong(tmp_path: Path) -> None:
    """It runs where a wrong fact is declared, and after that while one is held; gold never stands in for it."""
    turns = (
        turn("Good morning."),
        turn("My name is Nora.", gold=(NORA,), counterfactual=(NOLA,)),
        turn("Nice day."),
    )
    artefacts = small(tmp_path / "run.jsonl", Parrot(), fixture(session(0, *turns)))
    cases = [case for case in artefacts.cases if case.arm is Arm.COUNTERFACTUAL_FORCED]
    assert [True, False, False] == [case.skipped for case in cases]
    assert ["identity.name: Nola"] == [one.text for case in cases for one in case.written]
    assert (0, ()) == (cases[0].revision, cases[0].calls)
    assert "Nola" in cases[2].answer


def test_each_arm_goes_first_in_its_turn() -> None:
    """Five repetitions favour nobody."""
    assert list(Arm) == [order(repetition)[0] for repetition in range(5)]
    assert all(set(Arm) == set(order(repetition)) for repetition in range(5))


# -- resuming, scoring again --------------------------------------------------------------------------------------


class Stopping(PerfectCompanion):
    """Answers a few times, then is gone."""

    def __init__(self, answers: int, error: BaseException) -> None:
        super().__init__()
        self._left = answers
        self._error = error

    @override
    def complete(self, prompt: Prompt) -> str:
        if self._left == 0:
            raise self._error
        self._left -= 1
        return super().complete(prompt)


def test_the_same_run_leaves_the_same_bytes(tmp_path: Path) -> None:
    """Ids, order and figures depend on nothing but fixture, model and policy."""
    for name in ("one", "two"):
        run(read_fixture("zh"), PerfectCompanion(), tmp_path / name, repetitions=1, by_rules=True)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_scoring_again_gives_the_same_report(tmp_path: Path) -> None:
    """Without a model, from the file alone, byte for byte."""
    path = tmp_path / "run.jsonl"
    made = report(run(read_fixture("en"), PerfectCompanion(), path, repetitions=1, by_rules=True))
    assert to_text(made) == to_text(report(read_artefacts(path)))
    assert json.loads(to_text(made))["cases"] == 350


@pytest.mark.parametrize("error", [KeyboardInterrupt(), ModelError(problem="out", retryable=True)])
@pytest.mark.parametrize("answers", [0, 1, 7, 18, 25])
def test_a_run_that_stopped_goes_on(tmp_path: Path, answers: int, error: BaseException) -> None:
    """It ends with the bytes of an uninterrupted run, and nothing that was finished is asked again."""
    whole, stopped = tmp_path / "whole", tmp_path / "stopped"
    model = PerfectCompanion()
    run(SHORT, model, whole, repetitions=2, by_rules=True)
    with pytest.raises(type(error)):
        run(SHORT, Stopping(answers, error), stopped, repetitions=2, by_rules=True)
    assert answers == sum(len(case.calls) for case in read_artefacts(stopped).cases)
    again = PerfectCompanion()
    run(SHORT, again, stopped, repetitions=2, by_rules=True)
    assert whole.read_bytes() == stopped.read_bytes()
    assert model.asked == again.asked + answers


def test_a_killed_process_loses_nothing_that_was_finished(tmp_path: Path) -> None:
    """Killed outright, wherever that is; a line it left half written falls away."""
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    run(read_fixture("en"), PerfectCompanion(), whole, repetitions=1, by_rules=True)
    tests = Path(__file__).parents[1]
    paths = os.pathsep.join([str(tests), str(tests.parent / "src")])
    child = subprocess.Popen(
        [sys.executable, str(tests / "hosts" / "eval_child.py"), str(killed)],
        env={**os.environ, "PYTHONPATH": paths},
    )
    try:
        deadline = time.monotonic() + 60
        while not killed.exists() or killed.stat().st_size < 60_000:
            assert child.poll() is None and time.monotonic() < deadline
            time.sleep(0.005)
    finally:
        child.send_signal(signal.SIGKILL)
        child.wait()
    with killed.open("ab") as file:
        file.write('{"case": {"id": "半'.encode()[:-1])
    kept = len(read_artefacts(killed).cases)
    assert 0 < kept < 350
    again = PerfectCompanion()
    run(read_fixture("en"), again, killed, repetitions=1, by_rules=True)
    assert whole.read_bytes() == killed.read_bytes()
    assert again.asked < 350


def test_a_finished_run_asks_nothing(tmp_path: Path) -> None:
    """Its report is there again for the asking."""
    path = tmp_path / "run.jsonl"
    first = small(path, PerfectCompanion())
    model = PerfectCompanion()
    assert first == small(path, model)
    assert 0 == model.asked


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"played": asked("What did the dog do?")}, "fixture"),
        ({"model": Parrot()}, "model"),
        ({"policy": GOVERNED}, "policy"),
    ],
)
def test_a_file_of_another_run_is_refused(tmp_path: Path, change: dict[str, object], named: str) -> None:
    """Nothing is mixed: fixture, model, extractor, repetitions and policy must be the same."""
    small(tmp_path / "run.jsonl", PerfectCompanion())
    with pytest.raises(UsageError, match=f"different .*{named}"):
        small(tmp_path / "run.jsonl", **{"model": PerfectCompanion(), **change})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("old", "new"),
    [('"prompt":"prompt-', '"prompt":"promptx'), ('"revision":2', '"revision":3')],
)
def test_cases_of_another_version_are_refused(tmp_path: Path, old: str, new: str) -> None:
    """What is kept must come out again, prompts and plans included, or the run would mix two libraries."""
    path = tmp_path / "run.jsonl"
    with pytest.raises(KeyboardInterrupt):
        small(path, Stopping(7, KeyboardInterrupt()))
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(UsageError, match="another version"):
        small(path, PerfectCompanion())


@pytest.mark.parametrize(
    ("content", "where"),
    [
        (b"", "line 1"),
        (b"{}\n", "line 1"),
        (b'{"run": {}}\n', "line 1"),
        (b"nonsense\n", "line 1"),
        (b"\xff\n", "UTF-8"),
    ],
)
def test_what_is_no_artefact_file_is_refused(tmp_path: Path, content: bytes, where: str) -> None:
    """The line at fault is told."""
    path = tmp_path / "run.jsonl"
    path.write_bytes(content)
    with pytest.raises(WireError, match=where):
        read_artefacts(path)


def test_a_damaged_case_is_refused_with_its_line(tmp_path: Path) -> None:
    """It is not passed over: a report over some of the cases would look like one over all."""
    path = tmp_path / "run.jsonl"
    small(path, PerfectCompanion())
    lines = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join([*lines[:3], b'{"case": {"id": 1}}', *lines[4:]]))
    with pytest.raises(WireError, match=r"line 4: \$\.case"):
        read_artefacts(path)


@pytest.mark.parametrize(
    ("old", "new"), [("r0/normal/day-0t0", "r1/normal/day-0t0"), ('"turn":"day-0t0"', '"turn":"day-1t0"')]
)
def test_a_case_of_no_run_is_refused(tmp_path: Path, old: str, new: str) -> None:
    """Its name, its place and its neighbours must agree; a case that stands twice would count twice."""
    path = tmp_path / "run.jsonl"
    small(path, PerfectCompanion())
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(WireError, match=r"line 2: \$\.case\.id"):
        read_artefacts(path)
    lines = text.splitlines(keepends=True)
    path.write_text("".join([*lines, lines[1]]), encoding="utf-8")
    with pytest.raises(WireError, match=r"line 12: \$\.case\.id"):
        read_artefacts(path)


def test_two_runs_do_not_share_a_file(tmp_path: Path) -> None:
    """Who finds that somebody else wrote stops."""
    path = tmp_path / "run.jsonl"

    class Meddling(PerfectCompanion):
        @override
        def complete(self, prompt: Prompt) -> str:
            with path.open("ab") as file:
                file.write(b"\n")
            return super().complete(prompt)

    with pytest.raises(StoreError, match="another run"):
        small(path, Meddling())


# -- models that fail ---------------------------------------------------------------------------------------------


class Scripted(PerfectCompanion):
    """Gives scripted answers to one of the prompts, by a piece of it."""

    def __init__(self, piece: str, *answers: str | ModelError) -> None:
        super().__init__()
        self._piece = piece
        self._scripted = answers
        self.at = 0

    @override
    def complete(self, prompt: Prompt) -> str:
        if self._piece not in prompt.system + prompt.user:
            return super().complete(prompt)
        answer = self._scripted[self.at % len(self._scripted)]
        self.at += 1
        if isinstance(answer, ModelError):
            raise answer
        return answer


def _states(artefacts: Artefacts) -> set[tuple[State, str]]:
    return {(one.state, one.condition) for one in score(artefacts).scores if one.arm is Arm.GOLD_FORCED}


def test_an_empty_answer_is_asked_for_once_more(tmp_path: Path) -> None:
    """Then it is invalid: silence is no boundary that held."""
    model = Scripted("Guess what the dog did!", "", "It was Fennel.", "", " ")
    artefacts = small(tmp_path / "run.jsonl", model)
    asked_twice = [case for case in artefacts.cases if case.turn == "day-3t0" and not case.skipped]
    assert {2} == {len(case.calls) for case in asked_twice}
    assert {"It was Fennel.", ""} == {case.answer for case in asked_twice}
    invalid = [one for one in score(artefacts).scores if one.state is State.INVALID]
    assert {"the answer is empty"} == {one.condition for one in invalid}


def test_an_answer_that_was_refused_is_invalid_and_not_asked_for_again(tmp_path: Path) -> None:
    """The run goes on; the report says why."""
    cut = ModelError(problem="the model's answer was cut off at the token limit", retryable=False)
    artefacts = small(tmp_path / "run.jsonl", Scripted("Guess what the dog did!", cut))
    assert {(State.INVALID, cut.problem)} == _states(artefacts)
    codes = {one.code for one in report(artefacts, ONCE).refusals}
    assert {Shortfall.TOO_FEW_ANSWERS, Shortfall.TOO_MANY_INVALID} <= codes


_EXTRACTION = "list what in it deserves to be remembered"


def _read(found: list[dict[str, object]]) -> str:
    return json.dumps(found)


def test_the_model_reads_in_the_normal_arm(tmp_path: Path) -> None:
    """Its candidates pass admission like everybody's, and its failures are counted, not swallowed."""
    dog = {
        "kind": "claim",
        "predicate": "person.name",
        "value": "Fennel",
        "quote": "My dog is called Fennel",
        "entityRef": "dog",
        "confidence": 0.9,
    }
    bad = {**dog, "predicate": "hobby.any", "quote": "the cello suites"}
    model = Scripted(_EXTRACTION, _read([dog, bad]), "I would rather not.")
    artefacts = run(asked(), model, tmp_path / "run.jsonl", repetitions=1)
    normal = [case for case in artefacts.cases if case.arm is Arm.NORMAL]
    assert [
        ("person.name: Fennel", Reason.ADMITTED),
        ("hobby.any: Fennel", Reason.UNKNOWN_PREDICATE),
    ] == [(one.text, one.reason) for one in normal[0].written if one.kind == "claim"]
    assert {Purpose.REPLY, Purpose.EXTRACT} <= {call.purpose for case in normal for call in case.calls}
    made = report(artefacts, ONCE)
    assert 1 <= made.extraction.unreadable < made.extraction.read
    assert Shortfall.EXTRACTION_FAILS in {one.code for one in made.refusals}
    assert rate(made, Effect.CONTINUITY, Arm.NORMAL) == 1.0


def test_an_outage_while_reading_is_a_failure_that_is_tried_again(tmp_path: Path) -> None:
    """As with a host: the message waits in the inbox, and the next turn reads it."""
    out = ModelError(problem="the model server is out", retryable=True)
    artefacts = run(asked(), Scripted(_EXTRACTION, out, "[]", "[]"), tmp_path / "run.jsonl", repetitions=1)
    normal = [case.extracted for case in artefacts.cases if case.arm is Arm.NORMAL]
    assert [1, 0] == [one.failed for one in normal]
    assert normal[1].read >= 2


class Reading(PerfectCompanion):
    """Reads one name, and writes nothing down at night."""

    @override
    def complete(self, prompt: Prompt) -> str:
        if _EXTRACTION not in prompt.system:
            return super().complete(prompt)
        self.asked += 1
        found = {"kind": "claim", "predicate": "identity.name", "value": "Nora", "quote": "My name is Nora"}
        return _read([found] if "My name is Nora" in prompt.user else [])


def test_a_run_that_read_by_model_goes_on_too(tmp_path: Path) -> None:
    """What was read is kept with the case, so that the memory comes out the same without reading again."""
    whole, stopped = tmp_path / "whole", tmp_path / "stopped"
    model = Reading()
    made = report(run(SHORT, model, whole, repetitions=1), ONCE)
    assert made.extraction.read > 4
    cases = read_artefacts(whole).cases
    for count in range(len(cases)):
        lines = whole.read_bytes().split(b"\n")
        stopped.write_bytes(b"\n".join([*lines[: 1 + count], b""]))
        again = Reading()
        run(SHORT, again, stopped, repetitions=1)
        assert whole.read_bytes() == stopped.read_bytes()
        assert model.asked == again.asked + sum(len(case.calls) for case in cases[:count])


def test_the_night_is_the_models_too(tmp_path: Path) -> None:
    """Between two sessions the exchanges become notes; what the model wrote is kept with the case."""
    model = Scripted("Return JSON only", "nothing to see")
    artefacts = run(asked(), model, tmp_path / "run.jsonl", repetitions=1)
    nights = [call for case in artefacts.cases for call in case.calls if call.purpose is Purpose.NIGHT]
    assert 1 == len(nights)


def test_a_night_without_an_answer_is_a_failure_and_the_exchanges_wait(tmp_path: Path) -> None:
    """The next night has them again."""
    out = ModelError(problem="out", retryable=True)
    days = fixture(*(session(day, turn(f"Good morning, day {day}.")) for day in (0, 1, 2)))
    model = Scripted("keep the diary", out, "[]")
    artefacts = run(days, model, tmp_path / "run.jsonl", repetitions=1)
    normal = [case for case in artefacts.cases if case.arm is Arm.NORMAL]
    nights = [[call for call in case.calls if call.purpose is Purpose.NIGHT] for case in normal]
    assert [0, 1, 1] == [len(calls) for calls in nights]
    assert [0, 1, 0] == [case.extracted.failed for case in normal]


def test_what_the_person_puts_away_is_put_away_in_every_arm_that_has_it(tmp_path: Path) -> None:
    """An act reaches the records that hold its words, whoever wrote them."""
    dropped = turn("Drop the cello.", acts=(Act(do=ActKind.DELETE, tokens=("cello",)),))
    played = fixture(TOLD, session(2, dropped), session(3, turn("The cello suites again?")))
    artefacts = small(tmp_path / "run.jsonl", Parrot(), played)
    acted = {case.arm: case.acted[0].record_ids for case in artefacts.cases if case.acted}
    assert {Arm.GOLD_RETRIEVED, Arm.GOLD_FORCED} == {arm for arm in acted if acted[arm]} - {Arm.NORMAL}
    for case in artefacts.cases:
        if case.turn == "day-3t0":
            assert not any("cello" in one.text for one in case.placed)


def test_the_normal_arm_tells_whatever_is_proposed(tmp_path: Path) -> None:
    """Corrections and what is taken back are candidates as well, and stand in the chain as such."""
    turns = (
        turn("My sister is called Anna."),
        turn("It's Hanna, not Anna."),
        turn("I live in Leeds."),
        turn("I no longer live in Leeds."),
    )
    artefacts = small(tmp_path / "run.jsonl", Stranger(), fixture(session(0, *turns)))
    kinds = {one.kind for case in artefacts.cases if case.arm is Arm.NORMAL for one in case.written}
    assert {"claim", "correction", "retraction"} == kinds


# -- on the command line ------------------------------------------------------------------------------------------


def test_a_run_from_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`run` and `score` print the same JSON; `--accept` decides the exit code."""
    monkeypatch.setattr(Call, "model", lambda _: PerfectCompanion())
    path = str(tmp_path / "run.jsonl")
    argv = ["eval", "run", "zh", "--artefacts", path, "--repetitions", "1", "--rules", "--json"]
    assert Exit.OK == main(argv)
    first = capsys.readouterr().out
    monkeypatch.setattr(Call, "model", lambda _: None)
    assert Exit.OK == main(["eval", "score", path, "--json"])
    assert first == capsys.readouterr().out
    assert Exit.NOTHING == main(["eval", "score", path, "--accept"])
    told = capsys.readouterr()
    assert "continuity" in told.out and "LIFT" in told.out
    assert "too_few_observations: gold_forced due: 1.00, wanted 5.00" in told.err
    assert "and " in told.err or told.err.endswith("not accepted\n")


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["run", "zh", "--artefacts", "x"], "CMEMORY_MODEL"),
        (["run", "zh"], "--artefacts"),
        (["run"], "SOURCE"),
        (["check"], "SOURCE"),
        (["score", "nothing.jsonl"], "cannot be read"),
        (["run", "zh", "--artefacts", "x", "--repetitions", "0"], "CMEMORY_MODEL"),
    ],
)
def test_mistakes_of_the_command_line(
    argv: list[str],
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """What is missing is named, and nothing is written."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CMEMORY_MODEL", raising=False)
    assert Exit.USAGE == main(["eval", *argv])
    assert words in capsys.readouterr().err
    assert [] == list(tmp_path.iterdir())


def test_repetitions_are_at_least_one(tmp_path: Path) -> None:
    """None at all would be a run that shows nothing and is accepted."""
    with pytest.raises(UsageError, match="1 or more"):
        run(asked(), PerfectCompanion(), tmp_path / "x", repetitions=0)


def test_a_fixture_is_checked_from_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every violation with its place, and an exit code for scripts."""
    assert Exit.OK == main(["eval", "check", "en"])
    assert "70 turns, 0 refusals" in capsys.readouterr().err
    text = (Path(__file__).parents[2] / "src/cmemory/bench/eval/data/companion.en.json").read_text("utf-8")
    (tmp_path / "f.json").write_text(text.replace("Guess which rascal", "Guess which Fennel"), "utf-8")
    assert Exit.NOTHING == main(["eval", "check", str(tmp_path / "f.json"), "--json"])
    assert [{"place": "day-7t0", "rule": "evidence-in-user-text", "detail": "Fennel", "fatal": True}] == (
        json.loads(capsys.readouterr().out)["violations"]
    )
