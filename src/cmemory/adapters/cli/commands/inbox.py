"""`cmemory inbox`: what waits to be learned, and what was given up."""

from __future__ import annotations

import argparse

from cmemory.adapters.cli.command import Call, Command
from cmemory.adapters.cli.exits import Exit
from cmemory.adapters.cli.output import Table
from cmemory.adapters.wire import to_json
from cmemory.domain.model.changes import Job


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--drain", action="store_true", help="first move what waits in the journal into the database"
    )
    parser.add_argument(
        "--retry-dead", action="store_true", help="first let what was given up be tried again"
    )


def _run(call: Call) -> Exit:
    with call.scope() as luna:
        revived = luna.retry_dead() if call.args.retry_dead else 0
        moved = len(luna.drain().receipts) if call.args.drain else 0
        jobs = luna.inbox()
    document = {"jobs": [to_json(job) for job in jobs], "revived": revived, "moved": moved}
    rows = tuple(_row(call, job) for job in jobs)
    call.out.emit(document, [Table(("MESSAGE", "STANDING", "SINCE", "ATTEMPTS"), rows)])
    if revived or moved:
        call.out.say(f"{revived} message(s) will be tried again; {moved} moved into the database.")
    return Exit.OK if jobs or revived or moved else Exit.NOTHING


def _row(call: Call, job: Job) -> tuple[str, ...]:
    when = call.moment(job.due_at)
    standing = (
        f"given up {when}" if job.dead else "waits" if job.due_at <= call.now else f"waits until {when}"
    )
    return job.message_id, standing, call.moment(job.enqueued_at), str(job.attempts)


COMMAND = Command(
    help="list what waits to be learned, and what was given up",
    description=(
        "List the messages that wait to be learned and those that were given up after too many failures, in "
        "the database and in the journal. What is due is worked by learn."
    ),
    configure=_configure,
    run=_run,
    examples=("inbox", "inbox --retry-dead", "inbox --drain --journal inbox.jsonl"),
    json={
        "jobs": [
            {
                "message_id": "m-3e1…",
                "enqueued_at": "2026-03-01T09:00:00.000000Z",
                "attempts": 1,
                "due_at": "2026-03-01T09:00:00.500000Z",
                "dead": False,
            }
        ],
        "revived": 0,
        "moved": 0,
    },
)
