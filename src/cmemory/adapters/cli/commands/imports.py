"""`cmemory import`: take in conversations and exports."""

from __future__ import annotations

import argparse

from cmemory.adapters.cli.command import Call, Command, file_path
from cmemory.adapters.cli.commands import learn
from cmemory.adapters.cli.exits import Exit
from cmemory.adapters.cli.output import Block, Progress, Table
from cmemory.adapters.wire import to_json
from cmemory.app.transfer import ImportReport
from cmemory.memory import ScopedMemory

#: The format of our own exports; all others are dialogues.
_EXPORT = "export"
_FORMATS = ("auto", "jsonl", "chatgpt", "claude", "chat", _EXPORT)

#: Counts that are shown to a person, in this order, where they are not 0.
_COUNTS = (
    ("stored", "messages written"),
    ("known", "messages known already"),
    ("forgotten", "messages refused, since they were forgotten"),
    ("skipped", "things nobody said"),
    ("accepted", "records accepted"),
    ("merged", "records known already"),
    ("superseding", "records that replaced another"),
)


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", type=file_path, help="the file to read")
    parser.add_argument("--format", choices=_FORMATS, default="auto", help="what the file is (default: auto)")
    parser.add_argument("--user", metavar="NAME", help="who in a plain chat is the person who is remembered")
    parser.add_argument("--start", metavar="ISO", help="when a plain chat without times began")
    parser.add_argument(
        "--learn", action="store_true", help="also read what was imported, as `cmemory learn` does"
    )


def _run(call: Call) -> Exit:
    args = call.args
    with call.scope(create=True, model=call.model() if args.learn else None) as luna:
        with call.out.progress("importing") as progress:
            report = _take_in(luna, args, progress)
        learned = learn.work(call, luna) if args.learn else None
        document = {**to_json(report), "learned": learn.document(learned, luna) if learned else None}
        call.out.emit(document, _blocks(report))
        for error in report.errors:
            call.out.say(f"{error.path}: {error.problem}")
        if learned:
            call.out.say(learn.summary(learned))
    if report.errors:
        return Exit.PARTLY
    return Exit.OK if report.stored or report.accepted or report.superseding else Exit.NOTHING


def _take_in(luna: ScopedMemory, args: argparse.Namespace, progress: Progress) -> ImportReport:
    if args.format == _EXPORT:
        return luna.import_records(args.file, on_progress=progress)
    return luna.import_dialogue(
        args.file, format=args.format, user=args.user, start=args.start, on_progress=progress
    )


def _blocks(report: ImportReport) -> list[Block]:
    counted = [(meaning, str(count)) for name, meaning in _COUNTS if (count := getattr(report, name))]
    refused = [(f"refused: {reason}", str(count)) for reason, count in report.rejected.items()]
    unread = [("places that could not be read", str(len(report.errors)))] if report.errors else []
    return [Table(("WHAT", "COUNT"), (*counted, *refused, *unread))]


COMMAND = Command(
    help="take in conversations: JSONL, ChatGPT, Claude, plain chat, or an export of ours",
    description=(
        "Take in a dialogue from elsewhere, or a file that `cmemory export` wrote. "
        "Messages are written to the log and wait to be learned from. What was forgotten stays forgotten. "
        "What cannot be read is named with its line, and the rest is taken in."
    ),
    configure=_configure,
    run=_run,
    examples=(
        "import conversations.json --format chatgpt --learn",
        "import chat.txt --format chat --user Nora",
        "import luna.jsonl --format export",
    ),
    json={
        "stored": 12,
        "known": 0,
        "forgotten": 0,
        "skipped": 1,
        "accepted": 0,
        "merged": 0,
        "superseding": 0,
        "rejected": {},
        "ended": 0,
        "muted": 0,
        "threads": 0,
        "errors": [{"path": "line 7", "problem": "is not valid JSON"}],
        "learned": None,
    },
)
