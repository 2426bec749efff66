"""`cmemory compact`: what to carry on of a conversation."""

from __future__ import annotations

import argparse

import attrs

from cmemory.adapters.cli.command import Call, Command
from cmemory.adapters.cli.exits import Exit
from cmemory.app import views
from cmemory.app.tools import OPERATIONS


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--session", metavar="NAME", required=True, help="the conversation")
    parser.add_argument(
        "--budget", metavar="TOKENS", type=int, default=900, help="tokens at most, heading included; 900"
    )
    parser.add_argument(
        "--carry-known", action="store_true", help="carry also what an active claim says already"
    )


def _run(call: Call) -> Exit:
    args = call.args
    with call.scope() as luna:
        made = luna.compact(args.session, token_budget=args.budget, carry_known=args.carry_known)
    data = attrs.asdict(views.compacted(made))
    data["trace"]["started_at"] = str(made.trace.started_at)
    call.out.emit(data, [made.text] if made.text else ["Nothing of it fits, or nothing may be carried."])
    return Exit.OK


COMMAND = Command(
    help=OPERATIONS["compact"].summary,
    description=(
        "Print the extracts of a conversation that are worth carrying on when it leaves the context window. "
        "With --json, print the lines with their reasons and scores, and the trace."
    ),
    configure=_configure,
    run=_run,
    examples=("compact --session s1", "compact --session s1 --budget 400 --json"),
    json={
        "text": "## Earlier in this conversation…",
        "lines": [
            {
                "message_id": "m-1f0…",
                "speaker": "user",
                "text": "We decided on Friday.",
                "day": "2026-03-01",
                "whole": True,
                "reasons": ["decision", "date"],
                "score": 0.42,
                "parts": {"news": 2.1, "reasons": 0.9, "factor": 1.1, "tokens": 12.0},
            }
        ],
        "kept_ids": ["m-1f0…"],
        "trace": {
            "trace_id": "ct-5d2…",
            "session_id": "s1",
            "started_at": "2026-03-01T09:00:00.000000Z",
            "duration_ms": 3.1,
            "input_entries": 40,
            "input_estimated_tokens": 2100,
            "selected_entries": 12,
            "selected_input_indexes": [0, 3],
            "output_estimated_tokens": 388,
            "token_budget": 400,
            "dropped": {"budget": 20, "noise": 9},
        },
    },
)
