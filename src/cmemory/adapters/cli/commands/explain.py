"""`cmemory explain`: why a record is believed."""

from __future__ import annotations

import argparse

from cmemory.adapters.cli import shapes
from cmemory.adapters.cli.command import Call, Command
from cmemory.adapters.cli.commands import listing
from cmemory.adapters.cli.exits import Exit
from cmemory.adapters.cli.output import Block
from cmemory.adapters.wire import to_json
from cmemory.app.inspect import Explanation
from cmemory.app.tools import OPERATIONS
from cmemory.domain.model.message import Message


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help="the record's id")


def _run(call: Call) -> Exit:
    with call.scope() as luna:
        explanation = luna.explain(call.args.id)
    call.out.emit(_document(explanation), _blocks(call, explanation))
    return Exit.OK


def _document(one: Explanation) -> dict[str, object]:
    denial = one.at_rest.denial
    return {
        "record": shapes.record(one.record),
        "messages": [to_json(message) for message in one.messages],
        "decisions": [to_json(decision) for decision in one.decisions],
        "at_rest": {"level": one.at_rest.level.token, "denial": denial.value if denial else None},
        "versions": list(one.versions),
    }


def _blocks(call: Call, one: Explanation) -> list[Block]:
    denial = one.at_rest.denial
    return [
        f"{one.text}",
        f"  {one.record.id}, {shapes.standing(one.record)}",
        "",
        "Said in",
        *(f"  {call.moment(message.at)}  {_marked(message, one)}" for message in one.messages),
        "",
        "Decided",
        *(
            f"  {call.moment(line.at)}  {line.action}: {line.outcome} ({line.reason})"
            for line in one.decisions
        ),
        "",
        "May be spoken of",
        f"  {one.at_rest.level.token}"
        + (f"; while nothing points at it: silent ({denial.value})" if denial else ""),
        "",
        "Versions, oldest first",
        *(f"  {version}{'  (this one)' if version == one.record.id else ''}" for version in one.versions),
    ]


def _marked(message: Message, one: Explanation) -> str:
    """Return the message with the proving words between marks."""
    raw = message.text.encode("utf-8")
    quotes = {
        (proof.quote.start, proof.quote.end)
        for proof in one.record.evidence
        if proof.source_id == message.id and proof.quote is not None
    }
    # From the back, so that the offsets of the earlier quotes stay right.
    for start, end in sorted(quotes, reverse=True):
        raw = raw[:start] + "»".encode() + raw[start:end] + "«".encode() + raw[end:]
    return " ".join(raw.decode("utf-8").split())


COMMAND = Command(
    help=OPERATIONS["explain"].summary,
    description=(
        "Show why a record is believed: the words that prove it, marked in their messages, what was decided "
        "about it, how openly it may be spoken of, and its earlier and later versions."
    ),
    configure=_configure,
    run=_run,
    examples=("explain claim-c-1f0…",),
    json={
        "record": listing.RECORD,
        "messages": [
            {
                "id": "m-0c4…",
                "session": "s1",
                "speaker": "user",
                "text": "My name is Nora.",
                "at": "2026-03-01T09:00:00.000000Z",
            }
        ],
        "decisions": [
            {
                "id": "d-77a…",
                "at": "2026-03-01T09:00:00.000000Z",
                "action": "admit_claim",
                "outcome": "accepted",
                "reason": "admitted",
                "record_id": "claim-c-1f0…",
                "candidate_id": "c-1f0…",
                "message_id": "m-0c4…",
            }
        ],
        "at_rest": {"level": "freely_mentionable", "denial": None},
        "versions": ["claim-c-1f0…"],
    },
)
