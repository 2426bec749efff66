"""`cmemory stats`: counts of a relationship."""

from __future__ import annotations

import argparse

from cmemory.adapters.cli.command import Call, Command
from cmemory.adapters.cli.exits import Exit
from cmemory.adapters.cli.output import Table
from cmemory.adapters.wire import to_json


def _configure(parser: argparse.ArgumentParser) -> None:
    del parser


def _run(call: Call) -> Exit:
    with call.memory() as memory:
        counts = call.scope_of(memory).stats()
        footprint = memory.footprint()
        scopes = memory.scopes()
    document = {
        **to_json(counts),
        "bytes": footprint.bytes,
        "files": list(footprint.files),
        "scopes": to_json(scopes, list),
    }
    rows = [
        *((name, str(count)) for name, count in sorted(counts.records.items())),
        *((f"status {name}", str(count)) for name, count in sorted(counts.statuses.items())),
        ("messages", str(counts.messages)),
        ("waiting to be learned", str(counts.waiting)),
        ("given up", str(counts.dead)),
        ("muted", str(counts.muted)),
        ("must not come back", str(counts.forgotten)),
        ("unclassified share", f"{counts.misc_share:.0%}"),
        ("bytes on disk", f"{footprint.bytes:,}"),
    ]
    relationships = tuple((one.service, one.owner, one.profile) for one in scopes)
    call.out.emit(
        document,
        [Table(("WHAT", "COUNT"), tuple(rows)), "", Table(("SERVICE", "OWNER", "PROFILE"), relationships)],
    )
    return Exit.OK


COMMAND = Command(
    help="count what is kept, and list the relationships of the database",
    description="Count what is kept of this relationship, and list the relationships the database holds.",
    configure=_configure,
    run=_run,
    examples=("stats", "stats --json"),
    json={
        "revision": 3,
        "records": {"claim": 2},
        "statuses": {"active": 2, "superseded": 1},
        "predicates": {"identity.name": 1},
        "messages": 5,
        "waiting": 0,
        "dead": 0,
        "forgotten": 0,
        "muted": 0,
        "misc_share": 0.0,
        "bytes": 81920,
        "files": ["/home/nora/cmemory.db"],
        "scopes": [{"service": "cmemory", "owner": "me", "profile": "companion"}],
    },
)
