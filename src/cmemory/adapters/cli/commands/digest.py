"""`cmemory digest`: what a day or a week brought."""

from __future__ import annotations

import argparse

from cmemory.adapters.cli.command import Call, Command
from cmemory.adapters.cli.exits import Exit
from cmemory.adapters.wire import to_json
from cmemory.app.tools import OPERATIONS
from cmemory.domain.lexicon.digest import Language
from cmemory.domain.time.calendar import SpanKind


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--day", metavar="DAY", help="such as 2026-03-01; the day of the call unless given")
    parser.add_argument(
        "--span",
        choices=tuple(one.value for one in SpanKind),
        default=SpanKind.DAY.value,
        help="that day, or the week from Monday to Sunday around it (default: %(default)s)",
    )
    parser.add_argument(
        "--language",
        choices=tuple(one.value for one in Language),
        default=Language.EN.value,
        help="of the words around the person's own (default: %(default)s)",
    )


def _run(call: Call) -> Exit:
    args = call.args
    with call.scope() as luna:
        made = luna.digest(args.day, span=args.span, language=args.language)
    call.out.emit(to_json(made), [made.text] if made.text else [])
    if made.withheld and not call.out.as_json:
        call.out.say(f"Withheld: {', '.join(f'{count} {why}' for why, count in made.withheld.items())}.")
    return Exit.OK if made.text else Exit.NOTHING


_TOLD = {
    "record_id": "claim-c-1f0…",
    "text": "identity.location: Hamburg",
    "about": None,
    "at": "2026-03-01T09:00:00.000000Z",
    "due_on": None,
}

COMMAND = Command(
    help=OPERATIONS["digest"].summary,
    description="Tell what a day or a week brought, in the person's own words: what was learned and what changed, what "
    "happened, what lies ahead, how it felt. What is muted, fenced off or never spoken of is only counted.",
    configure=_configure,
    run=_run,
    examples=("digest", "digest --day 2026-03-01 --span week", "digest --language zh"),
    json={
        "first": "2026-03-01",
        "last": "2026-03-01",
        "learned": [_TOLD],
        "changed": [{"before": _TOLD, "after": _TOLD}],
        "happened": [],
        "ahead": [],
        "felt": [],
        "messages": {"user": 4, "assistant": 3},
        "withheld": {"boundary_shielded": 1},
        "text": "2026-03-01\nMessages: 4 from you, 3 from the companion\n\nLearned\n- identity.location: Hamburg",
    },
)
