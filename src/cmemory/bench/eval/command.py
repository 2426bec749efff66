"""Does what `cmemory eval` asks for."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from cmemory.adapters import wire
from cmemory.adapters.cli.command import Call
from cmemory.adapters.cli.exits import Exit
from cmemory.adapters.cli.output import Block, Table
from cmemory.adapters.files.quality import write_quality
from cmemory.assembly import promotion
from cmemory.bench.eval.arms import Arm
from cmemory.bench.eval.extraction import Read, measure, read_labels
from cmemory.bench.eval.files import read_artefacts, read_fixture
from cmemory.bench.eval.report import Report, report, to_data
from cmemory.bench.eval.run import ACCEPTANCE_REPETITIONS, REPETITIONS
from cmemory.bench.eval.run import run as play
from cmemory.bench.eval.validation import violations
from cmemory.bench.eval.watched import reader
from cmemory.domain.errors import UsageError
from cmemory.domain.policy import COMPANION
from cmemory.domain.reflect.quality import Gate, Quality
from cmemory.ports.model import Model

#: Refusals that a person is shown of one report.
_SHOWN = 20


def run(call: Call) -> Exit:
    """Do what the command line asks for, and tell what came of it."""
    return _ACTIONS[call.args.what](call)


def _check(call: Call) -> Exit:
    fixture = read_fixture(_source(call, "a fixture"))
    found = violations(fixture)
    turns = sum(len(session.turns) for session in fixture.sessions)
    document = {
        "fixture": fixture.name,
        "turns": turns,
        "days": max((session.day for session in fixture.sessions), default=0) + 1,
        "violations": [
            {"place": one.place, "rule": one.rule.value, "detail": one.detail, "fatal": one.fatal}
            for one in found
        ],
    }
    rows = tuple(
        (one.place, one.rule.value, "refused" if one.fatal else "not scored", one.detail) for one in found
    )
    call.out.emit(document, [Table(("PLACE", "RULE", "EFFECT", "DETAIL"), rows)])
    fatal = sum(one.fatal for one in found)
    call.out.say(f"{fixture.name}: {turns} turns, {fatal} refusals, {len(found) - fatal} turns not scored")
    return Exit.NOTHING if fatal else Exit.OK


def _play(call: Call) -> Exit:
    args = call.args
    fixture = read_fixture(_source(call, "a fixture"))
    if args.artefacts is None:
        raise UsageError(field="--artefacts", problem="must name the file where the cases are kept")
    usual = ACCEPTANCE_REPETITIONS if args.accept else REPETITIONS
    with call.out.progress("evaluating") as progress:
        artefacts = play(
            fixture,
            _model(call),
            args.artefacts,
            repetitions=usual if args.repetitions is None else args.repetitions,
            by_rules=args.rules,
            on_progress=progress,
        )
    return _tell(call, report(artefacts))


def _score(call: Call) -> Exit:
    return _tell(call, report(read_artefacts(_source(call, "an artefact file"))))


def _extraction(call: Call) -> Exit:
    model = None if call.args.rules else call.model()
    with call.out.progress("reading") as progress:
        quality, read = measure(
            read_labels(call.args.source), reader(model, zone=call.zone), on_progress=progress
        )
    if call.args.record is not None:
        write_quality(call.args.record, quality)
    gate = promotion(quality, policy=COMPANION)
    call.out.emit(_quality_document(quality, read, gate), [_quality_table(quality)])
    short = ", ".join(one.value for one in gate.shortages)
    call.out.say(
        "This opens the promotion of conclusions." if gate.open else f"Promotion stays closed: {short}."
    )
    return Exit.OK if gate.open or not call.args.accept else Exit.NOTHING


_ACTIONS: Mapping[str, Callable[[Call], Exit]] = {
    "check": _check,
    "run": _play,
    "score": _score,
    "extraction": _extraction,
}


def _source(call: Call, what: str) -> str:
    source: str | None = call.args.source
    if source is None:
        raise UsageError(field="SOURCE", problem=f"must name {what}")
    return source


def _model(call: Call) -> Model:
    model = call.model()
    if model is None:
        raise UsageError(field="CMEMORY_MODEL", problem="must name the model that answers")
    return model


# -- what is told -------------------------------------------------------------------------------------------------


def _tell(call: Call, made: Report) -> Exit:
    call.out.emit(to_data(made), _report_blocks(made))
    for refusal in made.refusals[:_SHOWN]:
        call.out.say(f"{refusal.code.value}: {refusal.at}: {refusal.figure:.2f}, wanted {refusal.wanted:.2f}")
    if len(made.refusals) > _SHOWN:
        call.out.say(f"and {len(made.refusals) - _SHOWN} more")
    call.out.say("accepted" if made.accepted else "not accepted")
    return Exit.NOTHING if call.args.accept and not made.accepted else Exit.OK


def _report_blocks(made: Report) -> list[Block]:
    effects = tuple(
        (effect.value, *(_share(tallies[arm].rate) for arm in Arm), _share(made.lift(effect)))
        for effect, tallies in made.effects.items()
    )
    wrong = tuple(
        (stopped.value, reason, str(count))
        for stopped, reasons in made.wrong.items()
        for reason, count in reasons.items()
    )
    stages = tuple(
        (arm.value, stage.value, str(count))
        for arm, counts in made.chain.items()
        for stage, count in counts.items()
    )
    return [
        Table(("EFFECT", *(arm.value for arm in Arm), "LIFT"), effects),
        "",
        Table(("ARM", "HOW FAR FACTS CAME", "TIMES"), stages),
        "",
        Table(("WRONG FACTS", "REASON", "TIMES"), wrong),
    ]


def _quality_document(quality: Quality, read: tuple[Read, ...], gate: Gate) -> dict[str, object]:
    return {
        "quality": wire.to_json(quality),
        "open": gate.open,
        "shortages": [one.value for one in gate.shortages],
        "mistakes": [
            {
                "id": one.message.id,
                "text": one.message.text,
                "wrong": list(one.wrong),
                "missed": list(one.missed),
            }
            for one in read
            if one.wrong or one.missed
        ],
    }


def _quality_table(quality: Quality) -> Table:
    rows = tuple(
        (
            one.name,
            str(one.expected),
            str(one.proposed),
            str(one.right),
            _share(one.precision),
            _share(one.recall),
        )
        for one in (quality.overall, *quality.languages, *quality.predicates)
    )
    return Table(("OF", "STATED", "ADMITTED", "RIGHT", "PRECISION", "RECALL"), rows)


def _share(share: float | None) -> str:
    return "-" if share is None else f"{share:.2f}"
