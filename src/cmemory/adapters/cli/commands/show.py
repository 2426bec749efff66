"""`cmemory show`: one record."""

from __future__ import annotations

import argparse

from cmemory.adapters.cli import shapes
from cmemory.adapters.cli.command import Call, Command
from cmemory.adapters.cli.commands import listing
from cmemory.adapters.cli.exits import Exit
from cmemory.adapters.cli.output import Table
from cmemory.domain.model.record import AnyRecord


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help="the record's id, as list and search print it")


def _run(call: Call) -> Exit:
    with call.scope() as luna:
        record = luna.show(call.args.id)
    call.out.emit(shapes.record(record), [_fields(call, record)])
    return Exit.OK


def _fields(call: Call, record: AnyRecord) -> Table:
    spelt = shapes.record(record)
    rows = [
        ("id", record.id),
        ("text", spelt["text"]),
        ("status", shapes.standing(record)),
        *((name, str(value)) for name, value in spelt["body"].items() if value not in (None, [], "")),
        ("importance", f"{record.salience.importance:.2f}"),
        ("since", call.moment(record.valid_from)),
        ("until", call.moment(record.valid_until) if record.valid_until else "open"),
        ("proposed by", record.provenance.proposer),
    ]
    return Table(("FIELD", "VALUE"), tuple(rows))


COMMAND = Command(
    help="show one record",
    description="Show one record, whatever its status.",
    configure=_configure,
    run=_run,
    examples=("show claim-c-1f0…",),
    json=listing.RECORD,
)
