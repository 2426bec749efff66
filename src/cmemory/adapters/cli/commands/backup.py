"""`cmemory backup`: copy the database while it is in use."""

from __future__ import annotations

import argparse

from cmemory.adapters.cli.command import Call, Command, file_path
from cmemory.adapters.cli.commands.selfcheck import exit_of_findings, findings_document, findings_table
from cmemory.adapters.cli.exits import Exit


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", type=file_path, help="the file to write")
    parser.add_argument("--force", action="store_true", help="replace a file that is there")


def _run(call: Call) -> Exit:
    with call.memory() as memory:
        report = memory.backup(call.args.file, overwrite=call.args.force)
    document = {
        "path": report.path,
        "bytes": report.bytes,
        "findings": findings_document(report.findings),
    }
    words = f"{report.bytes:,} bytes in {report.path}, looked over."
    call.out.emit(document, [findings_table(report.findings), words])
    return exit_of_findings(report.findings)


COMMAND = Command(
    help="copy the whole database while it is in use",
    description=(
        "Copy the whole database, as it is at one moment, into one file, while others go on using it. "
        "The copy is looked over before it takes its place; only its owner may read it. "
        "Exit code 1 means that the copy was written and repeats what `cmemory selfcheck` finds wrong in the database."
    ),
    configure=_configure,
    run=_run,
    examples=("backup luna-2026-03-01.db", "backup latest.db --force"),
    json={"path": "/home/nora/luna-2026-03-01.db", "bytes": 151552, "findings": []},
)
