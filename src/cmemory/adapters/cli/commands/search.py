"""`cmemory search`: find what may be told."""

from __future__ import annotations

import argparse

from cmemory.adapters.cli import shapes
from cmemory.adapters.cli.command import Call, Command
from cmemory.adapters.cli.exits import Exit
from cmemory.adapters.wire import to_json
from cmemory.app.tools import OPERATIONS
from cmemory.app.utterances import Utterances
from cmemory.domain.model.message import Speaker

_LIMIT = 10


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("terms", metavar="TERMS", help="what is looked for")
    parser.add_argument(
        "--message",
        metavar="TEXT",
        help="what the person just said, which alone gives leave to tell; the terms unless given",
    )
    parser.add_argument(
        "--kind",
        choices=("record", "utterance"),
        default="record",
        help="what is believed, or what was said, word for word (default: %(default)s)",
    )
    parser.add_argument("--session", metavar="ID", help="utterances of this conversation only")
    parser.add_argument(
        "--speaker",
        choices=tuple(one.value for one in Speaker),
        help="utterances by this side only; by the user and the assistant unless given",
    )
    parser.add_argument("--since", metavar="WHEN", help="utterances of this moment or later")
    parser.add_argument("--until", metavar="WHEN", help="utterances before this moment")
    parser.add_argument(
        "--limit", type=int, default=_LIMIT, metavar="N", help="hits at most (default: %(default)s)"
    )


def _run(call: Call) -> Exit:
    args = call.args
    with call.scope(embedder=call.embedder()) as luna:
        found = luna.search(
            args.terms,
            kind=args.kind,
            message=args.message,
            session=args.session,
            speaker=args.speaker,
            since=args.since,
            until=args.until,
            limit=args.limit,
        )
    if isinstance(found, Utterances):
        call.out.emit(to_json(found), shapes.utterance_blocks(found))
    else:
        call.out.emit({"hits": to_json(found, tuple)}, [shapes.hit_table(found)])
    return Exit.OK if len(found) else Exit.NOTHING


COMMAND = Command(
    help=OPERATIONS["search"].summary,
    description="Find records, or what was said, by words. Muted records, boundaries and what they cover are never found. "
    "With CMEMORY_EMBEDDER and after `embed`, words of one meaning are found by one another as well.",
    configure=_configure,
    run=_run,
    examples=(
        'search "cello"',
        'search "体检" --message "我的体检结果出来了吗？"',
        'search "train to Kyoto" --kind utterance --since 2026-03-01T00:00:00Z',
    ),
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
