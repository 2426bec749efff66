"""`cmemory export`: write everything into one file."""

from __future__ import annotations

import argparse

from cmemory.adapters.cli.command import Call, Command, file_path
from cmemory.adapters.cli.exits import Exit
from cmemory.adapters.wire import to_json
from cmemory.app.tools import OPERATIONS


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", type=file_path, help="the file to write, as JSON lines")


def _run(call: Call) -> Exit:
    with call.scope() as luna:
        report = luna.export(call.args.file)
    words = (
        f"{report.messages} messages, {report.records} records, {report.bytes:,} bytes in {call.args.file}"
    )
    call.out.emit(to_json(report), [words])
    return Exit.OK


COMMAND = Command(
    help=OPERATIONS["export"].summary,
    description=(
        "Write the messages and records of this relationship into one file of JSON lines. "
        "`cmemory import --format export` reads it back, here or elsewhere."
    ),
    configure=_configure,
    run=_run,
    examples=("export luna.jsonl",),
    json={"at": "2026-03-01T09:00:00.000000Z", "messages": 12, "records": 3, "threads": 1, "bytes": 4096},
)
