"""`cmemory maintain`: the chores of a relationship, for a scheduler."""

from __future__ import annotations

import argparse

from cmemory.adapters.cli.command import Call, Command
from cmemory.adapters.cli.commands.consolidate import document
from cmemory.adapters.cli.exits import Exit
from cmemory.adapters.cli.output import Table
from cmemory.app.tools import OPERATIONS


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--at", metavar="HH:MM", help="the hour at which a day ends; 23:50 unless given")


def _run(call: Call) -> Exit:
    with call.scope(model=call.model(), embedder=call.embedder()) as luna:
        report = luna.maintain(at=call.args.at)
        night = document(report.night, luna)
    told = {"night": night, "faded": report.faded, "expired": report.expired, "embedded": report.embedded}
    rows = (
        ("exchanges that still wait", str(report.night.left)),
        ("notes that faded", str(report.faded)),
        ("conclusions that expired", str(report.expired)),
        ("texts that have a vector now", str(report.embedded)),
    )
    call.out.emit(told, [Table(("WHAT", "COUNT"), rows)])
    return Exit.PARTLY if report.night.failed or report.night.unreadable else Exit.OK


COMMAND = Command(
    help=OPERATIONS["maintain"].summary,
    description=(
        "Do what is due and nothing twice: make notes of the day's exchanges, let notes beyond the limit fade, let "
        "conclusions expire that nobody confirmed, and give vectors to what lacks one where an embedder is named. Meant "
        "for a scheduler, once a day or as often as it likes."
    ),
    configure=_configure,
    run=_run,
    examples=("maintain --zone Asia/Shanghai",),
    json={
        "night": {
            "day": "2026-03-01",
            "admissions": [],
            "rejections": {},
            "dropped": 0,
            "failed": 0,
            "unreadable": 0,
            "left": 0,
        },
        "faded": 0,
        "expired": 0,
        "embedded": 0,
    },
)
