"""`cmemory wechat install`: put the plug-in for WeChatAgent-style hosts into a folder."""

from __future__ import annotations

import argparse
import os
import sys
from importlib import resources
from pathlib import Path

from cmemory.adapters.cli.command import Call, Command, file_path
from cmemory.adapters.cli.exits import Exit
from cmemory.adapters.files.bundle import install
from cmemory.assembly import IN_MEMORY
from cmemory.domain.errors import UsageError

_SHIPPED = "cmemory.adapters.hosts.wechat"

#: Written beside the plug-in, which reads how to start the worker from it.
_CONFIG = "cmemory.config.json"
_WRITER = "cmemory wechat install"


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", choices=("install",), help="what is done")
    parser.add_argument("folder", metavar="DIR", type=file_path, help="the folder of the plug-in")
    parser.add_argument(
        "--python",
        metavar="FILE",
        type=file_path,
        default=sys.executable,
        help="the Python that runs the worker; the one that runs this command unless given",
    )


def _run(call: Call) -> Exit:
    if call.database == IN_MEMORY:
        raise UsageError(field="--database", problem="must be a file, or the plug-in would forget everything")
    settings: dict[str, object] = {
        "command": [call.args.python, "-m", "cmemory", "worker"],
        "database": os.path.abspath(call.database),
    }
    if call.args.trace is not None:
        settings["trace"] = os.path.abspath(call.args.trace)
    done = install(Path(call.args.folder), _files(), receipt=_CONFIG, writer=_WRITER, settings=settings)
    document = {
        "folder": done.folder,
        "written": list(done.written),
        "unchanged": list(done.unchanged),
        **settings,
    }
    words = f"{len(done.written)} files written, {len(done.unchanged)} unchanged in {done.folder}."
    call.out.emit(document, [words, f"The memory is kept in {settings['database']}."])
    return Exit.OK


def _files() -> dict[str, bytes]:
    folder = resources.files(_SHIPPED) / "js"
    return {one.name: one.read_bytes() for one in sorted(folder.iterdir(), key=lambda one: one.name)}


COMMAND = Command(
    help="put the plug-in for WeChatAgent into a folder",
    description=(
        "Copy the plug-in for WeChatAgent-style hosts into a folder, and write beside it how the worker is started. "
        "Running it again brings the plug-in up to date. "
        "Files of the same name that it did not write, or that somebody changed, stop it before anything is written. "
        "With --trace, the plug-in appends what it could not do to that file."
    ),
    configure=_configure,
    run=_run,
    examples=("wechat install plugins/cmemory --database luna.db",),
    json={
        "folder": "plugins/cmemory",
        "written": ["contract.json", "index.mjs", "cmemory.config.json"],
        "unchanged": [],
        "command": ["/usr/bin/python3", "-m", "cmemory", "worker"],
        "database": "/home/nora/luna.db",
    },
)
