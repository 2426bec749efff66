"""`cmemory bench`: measurements anyone can repeat."""

from __future__ import annotations

import argparse
from importlib import import_module

from cmemory.adapters.cli.command import Call, Command
from cmemory.adapters.cli.exits import Exit

#: What can be measured, and the module that does; nothing of it is loaded before it is asked for.
_MEASUREMENTS = {"worker": "worker", "real-input": "real_input"}


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", choices=tuple(_MEASUREMENTS), help="what is measured")
    parser.add_argument(
        "options",
        metavar="OPTION",
        nargs=argparse.REMAINDER,
        help="worker: --records 100,1000,10000 --seconds 1 --json; real-input: --memorybank DIR --locomo FILE --sample N",
    )


def _run(call: Call) -> Exit:
    call.out.flush()
    options = list(call.args.options)
    if call.out.as_json and call.args.what == "worker":
        options.append("--json")
    try:
        done: int = import_module(f"cmemory.bench.{_MEASUREMENTS[call.args.what]}").main(options)
    except SystemExit as told:
        # The measurement's own parser has said what there is to say.
        done = told.code if isinstance(told.code, int) else Exit.USAGE
    return Exit(done)


COMMAND = Command(
    help="measure the worker, or a run over real conversations",
    description=(
        "Measure on this machine, with made-up data or with public sets that you have. "
        "Nothing of your own database is touched. "
        "`worker` starts a worker and times each operation over its pipe; "
        "`real-input` imports, learns and plans public dialogues and tells what came of them."
    ),
    configure=_configure,
    run=_run,
    examples=("bench worker --records 100,1000", "bench real-input --memorybank MemoryBank --sample 50"),
    json=[
        {
            "records": 1000,
            "operation": "warm",
            "requests": 412,
            "p50_ms": 2.1,
            "p95_ms": 3.4,
            "per_second": 450.2,
        }
    ],
)
