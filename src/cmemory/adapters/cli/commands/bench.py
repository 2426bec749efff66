"""`cmemory bench`: measurements anyone can repeat."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from importlib import import_module

import attrs

from cmemory.adapters.cli.command import Call, Command
from cmemory.adapters.cli.exits import Exit

#: What can be measured, and the module that does; nothing of it is loaded before it is asked for.
_MODULES = {
    "speed": "speed",
    "worker": "worker",
    "real-input": "real_input",
    "window": "window",
    "silence": "silence",
    "retrieval": "retrieval",
    "targets": "targets",
}

#: Measurements that can print JSON.
_WITH_JSON = frozenset({"speed", "worker", "window", "silence", "retrieval", "targets"})


@attrs.frozen(kw_only=True)
class _Option:
    """An option that is passed on."""

    name: str
    #: What stands for its value in the help; None for a switch.
    metavar: str | None
    #: What it means, by measurement that takes it.
    meaning: Mapping[str, str]

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Add the option to a parser."""
        told = "; ".join(f"{what}: {meaning}" for what, meaning in self.meaning.items())
        if self.metavar is None:
            parser.add_argument(f"--{self.name}", action="store_true", help=told)
        else:
            parser.add_argument(f"--{self.name}", metavar=self.metavar, help=told)

    def given(self, args: argparse.Namespace) -> list[str]:
        """Return the option as it was given, nothing where it was not."""
        value = getattr(args, self.name)
        if self.metavar is None:
            return [f"--{self.name}"] if value else []
        return [] if value is None else [f"--{self.name}", value]


_OPTIONS = (
    _Option(
        name="records",
        metavar="N,N",
        meaning={
            "worker": "sizes; 100,1000,10000 unless given",
            "speed": "sizes; 1000,10000 unless given",
            "targets": "the same",
        },
    ),
    _Option(
        name="seconds",
        metavar="N",
        meaning={
            "worker": "for each operation; 1 unless given",
            "speed": "the same; 2 unless given",
            "targets": "as for speed",
        },
    ),
    _Option(
        name="vs",
        metavar="NAME,NAME",
        meaning={
            "speed": "other memories to measure beside ours: fts5, agentrecall, chroma, langgraph, "
            "langgraph-memory, mem0, mnemosyne, mnemosyne-os"
        },
    ),
    _Option(
        name="envs",
        metavar="DIR",
        meaning={"speed": "keep the environments of other memories here for the next time"},
    ),
    _Option(
        name="memorybank",
        metavar="DIR",
        meaning={
            "real-input": "folder of the MemoryBank set",
            "window": "the same, for --cost",
            "targets": "the same",
        },
    ),
    _Option(
        name="locomo",
        metavar="FILE",
        meaning={
            "real-input": "file of the LoCoMo set",
            "window": "the same",
            "retrieval": "the same",
            "targets": "the same",
        },
    ),
    _Option(
        name="sample",
        metavar="N",
        meaning={"real-input": "how many admitted records to list for reading"},
    ),
    _Option(
        name="madial",
        metavar="DIR",
        meaning={
            "window": "folder of MADial-Bench; its Chinese part is used",
            "retrieval": "the same, both parts",
            "targets": "the same, its Chinese part",
        },
    ),
    _Option(
        name="realtalk",
        metavar="DIR",
        meaning={"retrieval": "folder of the REALTALK set", "targets": "the same"},
    ),
    _Option(
        name="memdaily",
        metavar="FILE",
        meaning={"retrieval": "file of the MemDaily set", "targets": "the same"},
    ),
    _Option(name="diary", metavar=None, meaning={"retrieval": "the Chinese diaries of our own"}),
    _Option(
        name="realmem", metavar="DIR", meaning={"retrieval": "folder of RealMemBench", "targets": "the same"}
    ),
    _Option(
        name="precision",
        metavar="DIR",
        meaning={"silence": "folder of PrecisionMemBench", "retrieval": "the same", "targets": "the same"},
    ),
    _Option(
        name="ablate",
        metavar=None,
        meaning={
            "silence": "leave each rule out in turn",
            "retrieval": "leave each part of the ranking out in turn",
        },
    ),
    _Option(
        name="feedback",
        metavar=None,
        meaning={"retrieval": "ask for records once more, while the host reports which were used"},
    ),
    _Option(
        name="out",
        metavar="DIR",
        meaning={
            "retrieval": "write Markdown, JSON and a picture here as well",
            "targets": "Markdown and JSON",
        },
    ),
    _Option(
        name="messages",
        metavar="N",
        meaning={"retrieval": "time searches over so many made-up messages instead"},
    ),
    _Option(
        name="zh", metavar=None, meaning={"retrieval": "with --messages: Chinese characters instead of words"}
    ),
    _Option(name="named", metavar=None, meaning={"window": "begin LoCoMo's lines with the speaker's name"}),
    _Option(name="cost", metavar=None, meaning={"window": "tell the tokens of each turn instead"}),
    _Option(
        name="questions", metavar="N", meaning={"window": "questions of each conversation; 40 unless given"}
    ),
    _Option(
        name="limit",
        metavar="N",
        meaning={
            "window": "conversations of each set; all unless given",
            "retrieval": "the same",
            "targets": "the same",
        },
    ),
    _Option(
        name="half",
        metavar="HALF",
        meaning={"silence": "tune or report, of our own set; both unless given"},
    ),
    _Option(
        name="rpeval", metavar="FILE", meaning={"silence": "file of the RPEval set", "targets": "the same"}
    ),
    _Option(
        name="persistbench",
        metavar="FILE",
        meaning={"silence": "file of the PersistBench set", "targets": "the same"},
    ),
    _Option(
        name="only",
        metavar="AREA,AREA",
        meaning={
            "targets": "of recall, recall-zh, silence, precision, forgetting, isolation, concurrency, speed, "
            "context; all unless given"
        },
    ),
    _Option(name="date", metavar="DAY", meaning={"targets": "when it is measured; today unless given"}),
    _Option(name="show", metavar=None, meaning={"silence": "tell the texts of what came out wrong"}),
)


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", choices=tuple(_MODULES), help="what is measured")
    for option in _OPTIONS:
        option.configure(parser)


def _passed_on(call: Call) -> Iterator[str]:
    for option in _OPTIONS:
        if call.args.what in option.meaning:
            yield from option.given(call.args)
    if call.out.as_json and call.args.what in _WITH_JSON:
        yield "--json"


def _run(call: Call) -> Exit:
    module = import_module(f"cmemory.bench.{_MODULES[call.args.what]}")
    try:
        done: int = module.main(list(_passed_on(call)))
    except SystemExit as told:
        # The measurement's own parser has said what there is to say.
        done = told.code if isinstance(told.code, int) else Exit.USAGE
    return Exit(done)


COMMAND = Command(
    help="measure speed, the search, the worker, the window, when a memory speaks, or all that is aimed at",
    description=(
        "Measure on this machine, with made-up data or with public sets that you have. "
        "Nothing of your own database is touched. "
        "`speed` times turns, searches, admissions, forgetting, opening and importing, each in a fresh database; "
        "`worker` starts a worker and times each operation over its pipe; "
        "`real-input` imports, learns and plans public dialogues and tells what came of them; "
        "`window` tells what the adaptive window finds, with each of its parts left out, and what a turn costs; "
        "`silence` tells when a memory speaks and when it keeps silent, with three controls beside each figure; "
        "`retrieval` tells how much of what would answer a question is found, and how fast; "
        "`targets` fills the table of everything that is aimed at, from the sets that are named, and counts what a "
        "person may rely on: forgetting, isolation, several processes."
    ),
    configure=_configure,
    run=_run,
    examples=(
        "bench speed --records 1000 --vs fts5",
        "bench worker --records 100,1000",
        "bench real-input --memorybank MemoryBank --sample 50",
        "bench window --locomo locomo10.json --limit 2",
        "bench window --cost --memorybank MemoryBank",
        "bench silence --half report --rpeval single.json --precision precisionmembench",
        "bench retrieval --locomo locomo10.json --ablate --out figures",
        "bench retrieval --messages 100000 --zh",
        "bench targets --locomo locomo10.json --rpeval single.json --out figures",
    ),
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
