"""`cmemory search`: find what may be told."""

from __future__ import annotations

import argparse

from cmemory.adapters.cli import shapes
from cmemory.adapters.cli.command import Call, Command
from cmemory.adapters.cli.exits import Exit
from cmemory.adapters.wire import to_json
from cmemory.app.tools import OPERATIONS

_LIMIT = 10


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("terms", metavar="TERMS", help="what is looked for")
    parser.add_argument(
        "--message",
        metavar="TEXT",
        help="what the person just said, which alone gives leave to tell; the terms unless given",
    )
    parser.add_argument(
        "--limit", type=int, default=_LIMIT, metavar="N", help="hits at most (default: %(default)s)"
    )


def _run(call: Call) -> Exit:
    args = call.args
    with call.scope() as luna:
        hits = luna.search(args.terms, message=args.message, limit=args.limit)
    call.out.emit({"hits": to_json(hits, tuple)}, [shapes.hit_table(hits)])
    return Exit.OK if hits else Exit.NOTHING


COMMAND = Command(
    help=OPERATIONS["search"].summary,
    description="Find records by words. Muted records, boundaries and what they cover are never found.",
    configure=_configure,
    run=_run,
    examples=('search "cello"', 'search "体检" --message "我的体检结果出来了吗？"'),
    json={
        "hits": [
            {
                "id": "claim-c-9ab…",
                "kind": "claim",
                "text": "goal.current_focus: learning the cello",
                "score": 0.81,
                "updated_at": "2026-03-01T09:00:00.000000Z",
            }
        ]
    },
)
