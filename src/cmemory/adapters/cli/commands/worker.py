"""`cmemory worker`: answer JSON lines. `cmemory.__main__` runs it; here is what help says of it."""

from __future__ import annotations

import argparse

from cmemory.adapters.cli.command import Call, Command
from cmemory.adapters.cli.exits import Exit


def _configure(parser: argparse.ArgumentParser) -> None:
    del parser


def _run(call: Call) -> Exit:
    call.out.say("usage: cmemory worker --database PATH")
    return Exit.USAGE


COMMAND = Command(
    help="answer requests on standard input, one JSON line each",
    description=(
        "Answer requests on standard input, one line each on standard output, for a host in any language. "
        "Takes exactly --database PATH, right after its name; anything else ends with exit code 2. "
        "The operations are described in docs/reference/worker/index.md."
    ),
    configure=_configure,
    run=_run,
    examples=("worker --database luna.db",),
    json={"version": 1, "id": "1", "ok": True, "result": {"revision": 0, "plan": {}}},
)
