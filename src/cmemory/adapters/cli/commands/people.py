"""`cmemory people`: who and what the records speak of."""

from __future__ import annotations

import argparse

from cmemory.adapters.cli.command import Call, Command
from cmemory.adapters.cli.exits import Exit
from cmemory.adapters.cli.output import Block, Line, Table
from cmemory.adapters.wire import to_json
from cmemory.app.tools import OPERATIONS
from cmemory.domain.plan.people import Entity, EntityKind


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--kind", choices=tuple(one.value for one in EntityKind), help="only this kind")
    parser.add_argument(
        "--all",
        action="store_true",
        help="also what is muted, fenced off, never spoken of or kept in the background, marked with the reason",
    )


def _run(call: Call) -> Exit:
    args = call.args
    with call.scope() as luna:
        found = luna.people(kind=args.kind, everything=args.all)
    blocks = [block for one in found for block in _blocks(one, call)]
    call.out.emit({"entities": to_json(found, tuple)}, blocks)
    return Exit.OK if found else Exit.NOTHING


def _blocks(one: Entity, call: Call) -> list[Block]:
    relations = ", ".join(f"{edge.source} —{edge.word}→ {edge.target}" for edge in one.relations)
    also = f" (also {', '.join(one.also)})" if one.also else ""
    seen = f"{call.moment(one.first_seen)[:10]} to {call.moment(one.last_seen)[:10]}"
    rows = tuple((said.text, said.untold.value if said.untold else "", said.record_id) for said in one.said)
    heading = Line(((one.name, "bold"), (f"{also}: {one.kind.value}, {seen}", "")))
    return [heading, *([relations] if relations else []), Table(("TEXT", "WITHHELD", "ID"), rows), ""]


COMMAND = Command(
    help=OPERATIONS["people"].summary,
    description="List who and what the records speak of, the most spoken of first, with what is said of each "
    "and how the person stands to them. Nothing of it is stored.",
    configure=_configure,
    run=_run,
    examples=("people", "people --kind place", "people --all --json"),
    json={
        "entities": [
            {
                "name": "Mara",
                "kind": "person",
                "also": ["mara"],
                "said": [
                    {
                        "record_id": "claim-c-8be…",
                        "kind": "claim",
                        "text": "person.relation_label: sister",
                        "at": "2026-03-01T09:00:00.000000Z",
                        "untold": None,
                    }
                ],
                "first_seen": "2026-03-01T09:00:00.000000Z",
                "last_seen": "2026-03-01T09:00:00.000000Z",
                "relations": [
                    {"source": "user", "word": "sister", "target": "Mara", "record_ids": ["claim-c-8be…"]}
                ],
            }
        ]
    },
)
