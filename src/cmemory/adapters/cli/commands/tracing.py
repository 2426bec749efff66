"""`cmemory trace`: what the last calls decided, read back from a trace file."""

from __future__ import annotations

import argparse
import json
from collections import deque
from collections.abc import Iterable
from typing import Any

from cmemory.adapters.cli.command import Call, Command, file_path
from cmemory.adapters.cli.exits import Exit
from cmemory.adapters.cli.output import Block, Table
from cmemory.domain.errors import UsageError


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", type=file_path, help="a file that --trace has written")
    parser.add_argument(
        "--last", metavar="N", type=int, default=1, help="how many of the last calls; 1 unless given"
    )
    parser.add_argument("--call", metavar="NAME", help="only calls of this kind, such as prepare or window")


def _run(call: Call) -> Exit:
    args = call.args
    if args.last < 0:
        raise UsageError(field="last", problem="must be 0 or more")
    found = _last(args.file, args.last, args.call)
    call.out.emit({"calls": found}, [block for one in found for block in _blocks(one)])
    return Exit.OK if found else Exit.NOTHING


def _last(path: str, most: int, kind: str | None) -> list[dict[str, Any]]:
    """Return the last calls of a file, oldest first. A line that is cut off or not ours is passed over."""
    with open(path, encoding="utf-8", errors="replace") as file:
        read = (_read(line) for line in file)
        fits = (one for one in read if one is not None and kind in (None, one.get("call")))
        return list(deque(fits, maxlen=most))


def _read(line: str) -> dict[str, Any] | None:
    try:
        document = json.loads(line)
    except ValueError:
        return None
    return document if isinstance(document, dict) and isinstance(document.get("steps"), list) else None


def _blocks(one: dict[str, Any]) -> Iterable[Block]:
    steps = [step for step in one["steps"] if isinstance(step, dict)]
    rows = tuple(
        (
            str(step.get("subject")),
            str(step.get("outcome")),
            str(step.get("reason")),
            _shown(step.get("score")),
        )
        for step in steps
    )
    return (f"{one.get('call')} at {one.get('at')}", Table(("SUBJECT", "OUTCOME", "REASON", "SCORE"), rows))


def _shown(score: object) -> str:
    return f"{score:.4f}" if isinstance(score, float) else ""


COMMAND = Command(
    help="show what the last calls decided, from a trace file",
    description=(
        "Print the last lines of a file that --trace has written: which record or message went where, and why. "
        "There are ids, scores and codes in it, and no words. With --json, print the whole of each line; for a window, "
        "`retrieval` is the `trace` that `cmemory window --json` prints."
    ),
    configure=_configure,
    run=_run,
    examples=("trace trace.jsonl", "trace trace.jsonl --last 3 --call window --json"),
    json={
        "calls": [
            {
                "call": "window",
                "at": "2026-03-01T09:00:00.000000Z",
                "steps": [
                    {
                        "name": "window",
                        "subject": "m-1f0…",
                        "outcome": "shown",
                        "reason": "selected",
                        "score": 0.59,
                    }
                ],
                "retrieval": None,
            }
        ]
    },
)
