"""`cmemory prepare`: what the model may know in this turn."""

from __future__ import annotations

import argparse

from cmemory.adapters.cli import shapes
from cmemory.adapters.cli.command import Call, Command
from cmemory.adapters.cli.exits import Exit
from cmemory.app.tools import OPERATIONS


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("message", metavar="MESSAGE", help="what the person just said; may be empty")
    parser.add_argument("--session", metavar="NAME", default="", help="the conversation")
    parser.add_argument(
        "--new-session",
        action="store_true",
        default=None,
        help="the conversation begins here; told from the log unless given",
    )


def _run(call: Call) -> Exit:
    args = call.args
    with call.scope() as luna:
        plan = luna.prepare(args.message, session=args.session, new_session=args.new_session)
    call.out.emit(shapes.plan(plan), [plan.text])
    return Exit.OK


COMMAND = Command(
    help=OPERATIONS["prepare"].summary,
    description=(
        "Print the block that goes into the model's prompt for this message. "
        "With --json, print the plan behind it."
    ),
    configure=_configure,
    run=_run,
    examples=('prepare "Still no word from the clinic." --session s2', 'prepare "Hi!" --json'),
    json={
        "revision": 3,
        "channels": {
            "identity": [
                {
                    "record_id": "claim-c-1f0…",
                    "text": "identity.name: Nora",
                    "surface": "freely_mentionable",
                    "reason": "policy_memory",
                    "score": None,
                }
            ]
        },
        "withheld": {"mention_gate_denied": 2},
        "text": "<companion_memory revision=…",
    },
)
