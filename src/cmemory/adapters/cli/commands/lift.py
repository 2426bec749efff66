"""`cmemory lift`: let a forgotten thing be remembered again."""

from __future__ import annotations

import argparse

from cmemory.adapters.cli.command import Call, Command
from cmemory.adapters.cli.exits import Exit
from cmemory.app.tools import OPERATIONS


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "label", metavar="LABEL", help="the id of what was forgotten, a predicate, or * for everything"
    )


def _run(call: Call) -> Exit:
    with call.scope() as luna:
        lifted = luna.lift(call.args.label)
    words = (
        "It may be remembered again when it is said again."
        if lifted
        else "Nothing of that name was forgotten."
    )
    call.out.emit({"lifted": lifted}, [words])
    return Exit.OK if lifted else Exit.NOTHING


COMMAND = Command(
    help=OPERATIONS["lift"].summary,
    description=(
        "Let a forgotten thing be remembered again when the person says it again. "
        "Nothing comes back by itself: the words are gone."
    ),
    configure=_configure,
    run=_run,
    examples=("lift claim-c-9ab…", "lift identity.age", "lift '*'"),
    json={"lifted": True},
)
