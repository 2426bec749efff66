"""`cmemory brief`: the few lines that a reply may draw on."""

from __future__ import annotations

import argparse

from cmemory.adapters.cli.command import Call, Command
from cmemory.adapters.cli.exits import Exit
from cmemory.adapters.wire import to_json
from cmemory.app.tools import OPERATIONS
from cmemory.app.views import briefed


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("message", metavar="MESSAGE", help="what the person just said")
    parser.add_argument("--session", metavar="NAME", default="", help="the conversation")
    parser.add_argument("--max-chars", type=int, metavar="N", help="code points at most; 900 unless given")
    parser.add_argument("--mood", action="store_true", help="tell the line on the companion's mood as well")


def _run(call: Call) -> Exit:
    args = call.args
    with call.scope() as luna:
        found = luna.notes.brief(args.message, session=args.session, max_chars=args.max_chars, mood=args.mood)
    call.out.emit(to_json(briefed(found)), [found.text])
    call.out.say(f"{found.chars} characters; {found.withheld} record(s) stay back.")
    return Exit.OK if found.text else Exit.NOTHING


COMMAND = Command(
    help=OPERATIONS["notes_brief"].summary,
    description=(
        "Print what `prepare` plans for a message in a few lines, for hosts that count characters. "
        "Small talk recalls nothing but what is due."
    ),
    configure=_configure,
    run=_run,
    examples=('brief "Shall we go to the sea?"', 'brief "去海边吗" --max-chars 600 --mood'),
    json={"text": "<memory_brief>…", "chars": 139, "record_ids": ["note-n-6d9…"], "withheld": 4},
)
