"""`cmemory eval`: what memory adds to a companion's answers, and how well messages are read."""

from __future__ import annotations

import argparse
from importlib import import_module

from cmemory.adapters.cli.command import Call, Command, file_path
from cmemory.adapters.cli.exits import Exit

#: What can be done; `cmemory.bench.eval.command` does it, and is not loaded before it is asked for.
_ACTIONS = ("check", "run", "score", "extraction")


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "what",
        choices=_ACTIONS,
        help="check a fixture; run it; score what a run left, without a model; or measure extraction",
    )
    parser.add_argument(
        "source",
        nargs="?",
        metavar="SOURCE",
        type=file_path,
        help="check, run: a fixture file, or zh or en for the shipped ones; score: an artefact file; "
        "extraction: a file of labelled messages, the shipped ones unless given",
    )
    parser.add_argument(
        "--artefacts",
        metavar="FILE",
        type=file_path,
        help="run: where every case is kept; a run that stopped goes on from it",
    )
    parser.add_argument("--repetitions", type=int, metavar="N", help="run: 5 unless given, 10 with --accept")
    parser.add_argument(
        "--accept",
        action="store_true",
        help="run, score: fail unless the run meets every threshold; extraction: unless it opens promotion",
    )
    parser.add_argument(
        "--rules",
        action="store_true",
        help="run, extraction: let the offline rules propose facts, though a model is configured",
    )
    parser.add_argument(
        "--record", metavar="FILE", type=file_path, help="extraction: where the measurement is stored"
    )


def _run(call: Call) -> Exit:
    module = import_module("cmemory.bench.eval.command")
    return Exit(module.run(call))


_TALLY = {"passed": 5, "failed": 0, "invalid": 0, "not_applicable": 0, "rate": 1.0}
_ARMS = ("normal", "gold_retrieved", "gold_forced", "counterfactual_forced", "zero_memory")
_REPORT = {
    "fixture": "companion-en",
    "fixture_digest": "3f0c…",
    "model": "qwen3:8b",
    "extractor": "model",
    "repetitions": 5,
    "scorer": 1,
    "cases": 1750,
    "expected": 1750,
    "arms": {arm: {"cases": 350, "skipped": 0, "answered": 350} for arm in _ARMS},
    "effects": [{"effect": "due", "lift": 1.0, "arms": dict.fromkeys(_ARMS, _TALLY)}],
    "told": [{"effect": "name", "arms": dict.fromkeys(_ARMS, _TALLY)}],
    "chain": [{"arm": "gold_forced", "stage": "used", "times": 70}],
    "wrong_facts": [{"stopped": "gate", "reason": "boundary_policy", "times": 265}],
    "extraction": {"read": 455, "failed": 0, "unreadable": 2},
    "not_applicable": [{"condition": "no protected record was there to stay silent about", "times": 110}],
    "accepted": False,
    "refusals": [{"code": "effect_too_weak", "at": "normal name", "figure": 0.6, "wanted": 0.7}],
}
_FIGURES = {"name": "all", "expected": 110, "proposed": 85, "right": 82}

COMMAND = Command(
    help="tell what memory adds to a companion's answers, and how well messages are read",
    description=(
        "Play weeks of a person's turns in five arms, and tell where memory shows in the answers. "
        "`check` tells what a fixture contradicts itself in, without a model; "
        "`run` asks the model that CMEMORY_MODEL, CMEMORY_BASE_URL and CMEMORY_API_KEY name, and goes on where it was "
        "stopped; `score` counts a finished run again, without a model; "
        "`extraction` measures precision and recall on labelled messages. "
        "Nothing of your own database is touched."
    ),
    configure=_configure,
    run=_run,
    examples=(
        "eval check zh",
        "eval run zh --artefacts zh.jsonl --accept",
        "eval score zh.jsonl --json",
        "eval extraction --rules --record quality.json",
    ),
    json=_REPORT,
    more_json={
        "`eval check`": {
            "fixture": "companion-en",
            "turns": 70,
            "days": 48,
            "violations": [
                {"place": "day-7t0", "rule": "evidence-in-user-text", "detail": "Fennel", "fatal": True}
            ],
        },
        "`eval extraction`": {
            "quality": {
                "proposer": "rules",
                "version": "2",
                "model": None,
                "reader": "9a41…",
                "labels": "c07e…",
                "messages": 150,
                "failed": 0,
                "overall": _FIGURES,
                "languages": [_FIGURES],
                "predicates": [_FIGURES],
            },
            "open": False,
            "shortages": ["recall_too_low"],
            "mistakes": [
                {
                    "id": "en-002",
                    "text": "Call me Joss from now on.",
                    "wrong": [],
                    "missed": ["identity.name: Joss"],
                }
            ],
        },
    },
)
