"""`cmemory history`: all versions of a fact."""

from __future__ import annotations

import argparse

from cmemory.adapters.cli import shapes
from cmemory.adapters.cli.command import Call, Command
from cmemory.adapters.cli.commands import listing
from cmemory.adapters.cli.exits import Exit
from cmemory.adapters.cli.output import Table
from cmemory.app.tools import OPERATIONS


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help="the id of any version")


def _run(call: Call) -> Exit:
    with call.scope() as luna:
        versions = luna.history(call.args.id)
    rows = tuple(
        (
            call.moment(one.valid_from),
            call.moment(one.valid_until) if one.valid_until else "",
            shapes.standing(one),
            str(shapes.record(one)["text"]),
            one.id,
        )
        for one in versions
    )
    call.out.emit(
        {"versions": [shapes.record(one) for one in versions]},
        [Table(("FROM", "UNTIL", "STATUS", "TEXT", "ID"), rows)],
    )
    return Exit.OK


COMMAND = Command(
    help=OPERATIONS["history"].summary,
    description="Show every version of the fact a record states, oldest first.",
    configure=_configure,
    run=_run,
    examples=("history claim-c-1f0…",),
    json={"versions": [listing.RECORD]},
)
