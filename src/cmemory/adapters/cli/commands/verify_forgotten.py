"""`cmemory verify-forgotten`: look for a text in every byte of the database."""

from __future__ import annotations

import argparse

from cmemory.adapters.cli.command import Call, Command
from cmemory.adapters.cli.exits import Exit
from cmemory.adapters.wire import to_json
from cmemory.app.tools import OPERATIONS


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("text", metavar="TEXT", help="the words that should be gone")


def _run(call: Call) -> Exit:
    with call.memory() as memory:
        found = memory.verify_forgotten(call.args.text)
    verdict = "Clean: no byte of it is left." if found.clean else "Still there."
    call.out.emit(to_json(found), [verdict, *(f"  read {name}" for name in found.files)])
    return Exit.OK if found.clean else Exit.NOTHING


COMMAND = Command(
    help=OPERATIONS["verify_forgotten"].summary,
    description=(
        "Look for a text in every byte of the database files, deleted pages and logs included. "
        "Exit code 0 means that it is gone, 1 that it is still there."
    ),
    configure=_configure,
    run=_run,
    examples=('verify-forgotten "biopsy"',),
    json={"clean": True, "files": ["/home/nora/cmemory.db", "/home/nora/cmemory.db-wal"]},
)
