"""`cmemory consolidate`: make notes of the day's exchanges."""

from __future__ import annotations

import argparse
from typing import Any

from cmemory.adapters.cli import shapes
from cmemory.adapters.cli.command import Call, Command
from cmemory.adapters.cli.exits import Exit
from cmemory.app.consolidate import NightReport
from cmemory.app.tools import OPERATIONS
from cmemory.domain.model.candidate import Outcome
from cmemory.memory import ScopedMemory


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--at", metavar="HH:MM", help="the hour at which a day ends; 23:50 unless given")
    parser.add_argument(
        "--force", action="store_true", help="take all that waits, though its day is not over"
    )


def _run(call: Call) -> Exit:
    with call.scope(model=call.model()) as luna:
        report = luna.notes.consolidate(at=call.args.at, force=call.args.force)
        told = document(report, luna)
    call.out.emit(told, [shapes.admission_table(told["admissions"])])
    kept = report.count(Outcome.ACCEPTED, Outcome.SUPERSEDING, Outcome.MERGED)
    call.out.say(f"{kept} kept or confirmed; {report.left} exchange(s) still wait.")
    if report.failed or report.unreadable:
        return Exit.PARTLY
    return Exit.OK if report.admissions else Exit.NOTHING


def document(report: NightReport, luna: ScopedMemory) -> dict[str, Any]:
    """Return what a night brought, as JSON has it."""
    return {
        "day": report.day,
        "admissions": [shapes.admission(one, luna) for one in report.admissions],
        "rejections": {reason.value: count for reason, count in report.rejections.items()},
        "dropped": report.dropped,
        "failed": report.failed,
        "unreadable": report.unreadable,
        "left": report.left,
    }


COMMAND = Command(
    help=OPERATIONS["consolidate"].summary,
    description=(
        "Make notes of the exchanges that wait, when their day is due where the person lives (--zone). Running late or "
        "twice is harmless. The model that CMEMORY_MODEL, CMEMORY_BASE_URL and CMEMORY_API_KEY name makes them, else the "
        "offline rules; what a failing model leaves waits on."
    ),
    configure=_configure,
    run=_run,
    examples=("consolidate --zone Asia/Shanghai", "consolidate --force --json"),
    json={
        "day": "2026-03-01",
        "admissions": [dict(shapes.ADMISSION_EXAMPLE)],
        "rejections": {},
        "dropped": 0,
        "failed": 0,
        "unreadable": 0,
        "left": 0,
    },
)
