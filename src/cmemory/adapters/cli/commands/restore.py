"""`cmemory restore`: bring a deleted record back."""

from __future__ import annotations

import argparse

from cmemory.adapters.cli import shapes
from cmemory.adapters.cli.command import Call, Command
from cmemory.adapters.cli.commands import listing
from cmemory.adapters.cli.exits import Exit
from cmemory.app.tools import OPERATIONS


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help="the record's id")


def _run(call: Call) -> Exit:
    with call.scope() as luna:
        record = luna.restore(call.args.id)
    call.out.emit(shapes.record(record), [shapes.record_table([record])])
    return Exit.OK


COMMAND = Command(
    help=OPERATIONS["restore"].summary,
    description="Bring back a record that `cmemory delete` put away. What was forgotten cannot be restored.",
    configure=_configure,
    run=_run,
    examples=("restore claim-c-9ab…",),
    json=listing.RECORD,
)
