"""`cmemory exchange`: write down what was said and answered, and let it wait for the night."""

from __future__ import annotations

import argparse

from cmemory.adapters.cli.command import Call, Command
from cmemory.adapters.cli.exits import Exit
from cmemory.adapters.cli.output import Table
from cmemory.adapters.wire import to_json
from cmemory.app.tools import OPERATIONS


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("said", metavar="SAID", help="the person's words")
    parser.add_argument(
        "answered", metavar="ANSWERED", nargs="?", help="the companion's; left out when it stayed silent"
    )
    parser.add_argument("--session", metavar="NAME", default="", help="the conversation")


def _run(call: Call) -> Exit:
    args = call.args
    with call.scope(create=True) as luna:
        queued = luna.notes.exchange(args.said, args.answered, session=args.session)
    answered = "" if queued.answered is None else queued.answered.value
    rows = [(queued.said.value, answered, "yes" if queued.queued else "no")]
    call.out.emit(to_json(queued), [Table(("SAID", "ANSWERED", "WAITS"), tuple(rows))])
    return Exit.OK if queued.queued else Exit.NOTHING


COMMAND = Command(
    help=OPERATIONS["notes_exchange"].summary,
    description=(
        "Write down one exchange, durably. `learn` reads the person's words for facts, `consolidate` makes notes of them at "
        "night, and both sides stir the mood a little."
    ),
    configure=_configure,
    run=_run,
    examples=('exchange "I love the sea." "So do I."', 'exchange "周五提醒我复查" "好的" --session wechat'),
    json={"said": "stored", "answered": "stored", "queued": True},
)
