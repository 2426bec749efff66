"""`cmemory list`: the records."""

from __future__ import annotations

import argparse

from cmemory.adapters.cli import shapes
from cmemory.adapters.cli.command import Call, Command
from cmemory.adapters.cli.exits import Exit
from cmemory.app.tools import OPERATIONS
from cmemory.domain.model.bodies import BODY_KINDS


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--kind", choices=tuple(BODY_KINDS), help="only this kind")
    parser.add_argument("--predicate", metavar="KEY", help="only this key, such as identity.name")
    parser.add_argument(
        "--all", action="store_true", help="also what was replaced, taken back, expired or deleted"
    )


def _run(call: Call) -> Exit:
    args = call.args
    with call.scope() as luna:
        records = luna.list(kind=args.kind, predicate=args.predicate, everything=args.all)
    call.out.emit({"records": [shapes.record(one) for one in records]}, [shapes.record_table(records)])
    return Exit.OK if records else Exit.NOTHING


#: One record, by example.
RECORD: dict[str, object] = {
    "text": "identity.name: Nora",
    "id": "claim-c-1f0…",
    "body": {
        "kind": "claim",
        "predicate": "identity.name",
        "value": "Nora",
        "raw_value": "Nora",
        "entity_ref": None,
        "qualifiers": [],
        "confidence": 0.9,
    },
    "evidence": [
        {
            "source": "message",
            "source_id": "m-0c4…",
            "speaker": "user",
            "role": "user_assertion",
            "quote": {"start": 0, "end": 15, "text": "My name is Nora"},
        }
    ],
    "created_at": "2026-03-01T09:00:00.000000Z",
    "updated_at": "2026-03-01T09:00:00.000000Z",
    "status": "active",
    "salience": {"importance": 0.9, "recall_count": 0, "last_recalled_at": None, "muted": False},
    "provenance": {"proposer": "rules", "version": "1", "model": None},
    "valid_from": "2026-03-01T09:00:00.000000Z",
    "valid_until": None,
    "supersedes": None,
}

COMMAND = Command(
    help=OPERATIONS["list"].summary,
    description="List what is remembered, newest first.",
    configure=_configure,
    run=_run,
    examples=("list", "list --predicate open_loop.deadline --all"),
    json={"records": [RECORD]},
)
