"""`cmemory observe`: write down one message."""

from __future__ import annotations

import argparse

from cmemory.adapters.cli.command import Call, Command
from cmemory.adapters.cli.exits import Exit
from cmemory.adapters.wire import to_json
from cmemory.app.tools import OPERATIONS


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("text", metavar="TEXT", help="what was said")
    parser.add_argument("--session", metavar="NAME", default="", help="the conversation it was said in")
    parser.add_argument(
        "--speaker",
        choices=("user", "assistant", "tool"),
        default="user",
        help="who said it; only the user is learned from",
    )
    parser.add_argument(
        "--message-id", metavar="ID", help="the host's id of the message; derived from it unless given"
    )


def _run(call: Call) -> Exit:
    args = call.args
    with call.scope(create=True) as luna:
        receipt = luna.observe(
            args.text, session=args.session, speaker=args.speaker, message_id=args.message_id
        )
    call.out.emit(to_json(receipt), [f"{receipt.intake.value}  {receipt.message_id}"])
    return Exit.OK


COMMAND = Command(
    help=OPERATIONS["observe"].summary,
    description="Write one message into the log. What it says is believed only after `cmemory learn`.",
    configure=_configure,
    run=_run,
    examples=('observe "My name is Nora." --session s1',),
    json={"message_id": "m-0c4…", "intake": "stored"},
)
