"""`cmemory delete`: put a record away, restorably."""

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
        record = luna.delete(call.args.id)
    call.out.emit(shapes.record(record), [shapes.record_table([record])])
    return Exit.OK


COMMAND = Command(
    help=OPERATIONS["delete"].summary,
    description=(
        "Put a record away so that `cmemory restore` can bring it back. "
        "To erase it for good, `cmemory forget` it."
    ),
    configure=_configure,
    run=_run,
    examples=("delete claim-c-9ab…",),
    json=listing.RECORD,
)
