"""`cmemory learn`: work off what was observed."""

from __future__ import annotations

import argparse
from typing import Any

from cmemory.adapters.cli import shapes
from cmemory.adapters.cli.command import Call, Command
from cmemory.adapters.cli.exits import Exit
from cmemory.app.learn import LearnReport
from cmemory.app.tools import OPERATIONS
from cmemory.domain.model.candidate import Outcome
from cmemory.memory import ScopedMemory

#: Messages between two looks at the progress bar.
_STEP = 32


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--limit", type=int, metavar="N", help="messages at most; all that are due unless given"
    )


def _run(call: Call) -> Exit:
    with call.scope(model=call.model()) as luna:
        report = work(call, luna, limit=call.args.limit)
        told = document(report, luna)
    call.out.emit(told, [shapes.admission_table(told["admissions"])])
    call.out.say(summary(report))
    if report.postponed or report.dead:
        return Exit.PARTLY
    return Exit.OK if report.learned else Exit.NOTHING


def work(call: Call, luna: ScopedMemory, *, limit: int | None = None) -> LearnReport:
    """Learn in steps, so that a person can see how far it is; what fails is not tried again at once."""
    now = call.now
    waiting = luna.stats().waiting
    total = waiting if limit is None else min(limit, waiting)
    report, done = LearnReport(), 0
    with call.out.progress("learning") as progress:
        while True:
            step = luna.learn(now=now, limit=min(_STEP, total - done))
            worked = len(step.learned) + len(step.postponed) + len(step.dead)
            report, done = report.then(step), done + worked
            progress(done, total)
            if worked == 0 or done >= total:
                return report


def document(report: LearnReport, luna: ScopedMemory) -> dict[str, Any]:
    """Return what learning brought, as JSON has it."""
    return {
        "messages": len(report.learned),
        "counts": {outcome.value: report.count(outcome) for outcome in Outcome},
        "rejections": {reason.value: count for reason, count in report.rejections.items()},
        "admissions": [shapes.admission(one, luna) for one in report.admissions],
        "postponed": list(report.postponed),
        "dead": list(report.dead),
    }


def summary(report: LearnReport) -> str:
    """Return what learning brought in one line."""
    counts = [f"{count} {outcome.value}" for outcome in Outcome if (count := report.count(outcome))]
    failed = f"; {len(report.postponed)} will be tried again, {len(report.dead)} were given up"
    unread = failed if report.postponed or report.dead else ""
    return f"{len(report.learned)} message(s) read: {', '.join(counts) or 'nothing to keep'}{unread}."


COMMAND = Command(
    help=OPERATIONS["learn"].summary,
    description=(
        "Work off the inbox: propose facts from what was observed, and admit, merge or reject each with its "
        "reason. The offline rules for Chinese and English propose, or the model that CMEMORY_MODEL, "
        "CMEMORY_BASE_URL and CMEMORY_API_KEY name."
    ),
    configure=_configure,
    run=_run,
    examples=("learn", "learn --json"),
    json={
        "messages": 1,
        "counts": {"accepted": 1, "superseding": 0, "merged": 0, "retracted": 0, "rejected": 0},
        "rejections": {},
        "admissions": [dict(shapes.ADMISSION_EXAMPLE)],
        "postponed": [],
        "dead": [],
    },
)
