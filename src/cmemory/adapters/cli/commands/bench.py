"""`cmemory bench`: measurements anyone can repeat."""

from __future__ import annotations

import argparse
from importlib import import_module

from cmemory.adapters.cli.command import Call, Command
from cmemory.adapters.cli.exits import Exit

#: What can be measured, and the module that does; nothing of it is loaded before it is asked for.
_MODULES = {"worker": "worker", "real-input": "real_input"}

#: The options that each measurement takes.
_OPTIONS = {
    "worker": {
        "records": ("N,N", "sizes; 100,1000,10000 unless given"),
        "seconds": ("N", "for each operation; 1 unless given"),
    },
    "real-input": {
        "memorybank": ("DIR", "folder of the MemoryBank set"),
        "locomo": ("FILE", "file of the LoCoMo set"),
        "sample": ("N", "how many admitted records to list for reading"),
    },
}


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", choices=tuple(_MODULES), help="what is measured")
    for measurement, options in _OPTIONS.items():
        for name, (metavar, meaning) in options.items():
            parser.add_argument(f"--{name}", metavar=metavar, help=f"{measurement}: {meaning}")


def _run(call: Call) -> Exit:
    what = call.args.what
    given = {name: getattr(call.args, name) for name in _OPTIONS[what]}
    argv = [part for name, text in given.items() if text is not None for part in (f"--{name}", text)]
    if call.out.as_json and what == "worker":
        argv.append("--json")
    try:
        done: int = import_module(f"cmemory.bench.{_MODULES[what]}").main(argv)
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
    json={
        "rows": [
            {
                "records": 1000,
                "operation": "warm",
                "requests": 412,
                "p50_ms": 2.1,
                "p95_ms": 3.4,
                "per_second": 450.2,
            }
        ]
    },
)
