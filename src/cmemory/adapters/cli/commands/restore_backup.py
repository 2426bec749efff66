"""`cmemory restore-backup`: put a backup in the place of the database."""

from __future__ import annotations

import argparse

from cmemory.adapters.cli.command import Call, Command, file_path
from cmemory.adapters.cli.exits import Exit
from cmemory.adapters.cli.output import Block
from cmemory.adapters.wire import to_json
from cmemory.app.carry import RestoreReport
from cmemory.assembly import IN_MEMORY
from cmemory.domain.errors import UsageError
from cmemory.memory import Memory


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", type=file_path, help="a file that `cmemory backup` wrote")
    parser.add_argument(
        "--keep-forgetting",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="keep forgotten what was forgotten since the backup; the default",
    )


def _run(call: Call) -> Exit:
    if call.database == IN_MEMORY:
        raise UsageError(field="--database", problem="must name a file")
    report = Memory.restore_backup(
        call.args.file,
        call.database,
        keep_forgetting=call.args.keep_forgetting,
        now=call.now,
    )
    call.out.emit(to_json(report), _blocks(call, report))
    return Exit.OK


def _blocks(call: Call, report: RestoreReport) -> list[Block]:
    blocks: list[Block] = [f"Restored {call.database}."]
    if report.kept_forgetting:
        blocks.append(
            f"Forgotten since, and erased again: {report.records} record(s), {report.messages} message(s)."
        )
    return blocks


COMMAND = Command(
    help="put a backup in the place of the database",
    description=(
        "Put a backup in the place of the database, which nobody may have open. "
        "The backup is looked over first and stays as it is. Everything since it was made is lost, but for one thing: "
        "what was forgotten since stays forgotten, and is erased from the restored database. "
        "This is not `cmemory restore`, which brings one record back."
    ),
    configure=_configure,
    run=_run,
    examples=("restore-backup luna-2026-03-01.db", "restore-backup old.db --no-keep-forgetting"),
    json={
        "kept_forgetting": True,
        "records": 1,
        "messages": 1,
        "suppressions": 2,
        "fingerprints": 3,
    },
)
