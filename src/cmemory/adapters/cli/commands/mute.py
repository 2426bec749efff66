"""`cmemory mute`: keep a record but never mention it."""

from __future__ import annotations

import argparse

from cmemory.adapters.cli import shapes
from cmemory.adapters.cli.command import Call, Command
from cmemory.adapters.cli.commands import listing
from cmemory.adapters.cli.exits import Exit
from cmemory.app.tools import OPERATIONS


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help="the record's id")
    parser.add_argument("--off", action="store_true", help="let it be mentioned again")


def _run(call: Call) -> Exit:
    with call.scope() as luna:
        change = luna.unmute if call.args.off else luna.mute
        record = change(call.args.id)
    call.out.emit(shapes.record(record), [shapes.record_table([record])])
    return Exit.OK


COMMAND = Command(
    help=OPERATIONS["mute"].summary,
    description="Keep a record but never mention it. --off lets it be mentioned again where it may be.",
    configure=_configure,
    run=_run,
    examples=("mute claim-c-9ab…", "mute claim-c-9ab… --off"),
    json=listing.RECORD,
)
