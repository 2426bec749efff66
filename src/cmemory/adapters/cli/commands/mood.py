"""`cmemory mood`: the companion's mood, and the line that hints at it."""

from __future__ import annotations

import argparse

from cmemory.adapters.cli.command import Call, Command
from cmemory.adapters.cli.exits import Exit
from cmemory.adapters.cli.output import Table
from cmemory.adapters.wire import to_json
from cmemory.app.tools import OPERATIONS


def _configure(parser: argparse.ArgumentParser) -> None:
    del parser


def _run(call: Call) -> Exit:
    with call.scope() as luna:
        mood = luna.mood()
    numbers = {
        "pleasure": mood.pleasure,
        "arousal": mood.arousal,
        "dominance": mood.dominance,
        "energy": mood.energy,
    }
    rows = (
        *((name, f"{number:+.2f}") for name, number in numbers.items()),
        ("part of the day", mood.part_of_day.value.replace("_", " ")),
        ("line", mood.line),
    )
    call.out.emit(to_json(mood), [Table(("WHAT", "NOW"), rows)])
    return Exit.OK


COMMAND = Command(
    help=OPERATIONS["mood"].summary,
    description=(
        "Print the companion's mood as it is now and the line that hints at it, which is for the model's tone and not "
        "for mentioning. --zone decides which part of the day it is."
    ),
    configure=_configure,
    run=_run,
    examples=("mood", "mood --zone Asia/Shanghai --json"),
    json={
        "at": "2026-03-01T09:00:00.000000Z",
        "pleasure": 0.15,
        "arousal": 0.04,
        "dominance": 0.0,
        "part_of_day": "morning",
        "energy": 0.24,
        "line": "background, never mention: morning; mood slightly pleased",
    },
)
