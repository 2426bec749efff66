"""`cmemory forget`: erase for good."""

from __future__ import annotations

import argparse

from cmemory.adapters.cli import shapes
from cmemory.adapters.cli.command import Call, Command
from cmemory.adapters.cli.exits import Exit
from cmemory.adapters.cli.output import Table
from cmemory.domain.errors import UsageError
from cmemory.domain.forget.erase import ByEntity, ByPredicate, Everything, ForgetReport, Records, Target
from cmemory.memory import ScopedMemory


def _configure(parser: argparse.ArgumentParser) -> None:
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("ids", metavar="ID", nargs="*", default=[], help="ids of records or messages")
    what.add_argument(
        "--matching",
        metavar="TEXT",
        help="what this describes; prints the list and the token that confirms it",
    )
    what.add_argument("--predicate", metavar="KEY", help="everything under a key, now and later")
    what.add_argument("--entity", metavar="NAME", help="everything about a person or thing, now and later")
    what.add_argument(
        "--everything", action="store_true", help="the whole relationship; remember nothing more in it"
    )
    parser.add_argument("--confirm", metavar="TOKEN", type=_token, help="erase what --matching listed")
    parser.add_argument("--yes", action="store_true", help="confirms --everything")


def _token(text: str) -> str:
    if not text.isascii():
        raise argparse.ArgumentTypeError("is no token")
    return text


def _run(call: Call) -> Exit:
    args = call.args
    if args.everything and not args.yes:
        raise UsageError(
            field="--everything", problem="erases the whole relationship; add --yes if that is wanted"
        )
    if args.matching is not None and args.confirm is None:
        return _preview(call)
    with call.scope() as luna:
        report = _erase(luna, args)
    call.out.emit(shapes.forget_report(report), shapes.forget_blocks(report))
    return Exit.OK if report.forgotten else Exit.NOTHING


def _preview(call: Call) -> Exit:
    with call.scope() as luna:
        preview = luna.preview_forget(call.args.matching)
    document = {"items": [{"id": name, "text": text} for name, text in preview.items], "token": preview.token}
    call.out.emit(document, [Table(("ID", "TEXT"), preview.items), f"token {preview.token}"])
    call.out.say(
        "Nothing is erased yet. Run the same command with --confirm and this token to erase the list."
    )
    return Exit.OK if preview.items else Exit.NOTHING


def _erase(luna: ScopedMemory, args: argparse.Namespace) -> ForgetReport:
    if args.matching is not None:
        return luna.confirm_forget(args.matching, args.confirm)
    return luna.forget(_target(args))


def _target(args: argparse.Namespace) -> Target:
    if args.predicate is not None:
        return ByPredicate(args.predicate)
    if args.entity is not None:
        return ByEntity(args.entity)
    return Everything.EVERYTHING if args.everything else Records(tuple(args.ids))


COMMAND = Command(
    help="erase for good, and keep it from coming back",
    description=(
        "Erase for good: records, index, log, and what was derived. A keyed hash keeps it from coming back. "
        "By description it takes two steps: the first prints what matches and a token, the second erases "
        "exactly that."
    ),
    configure=_configure,
    run=_run,
    examples=(
        "forget claim-c-9ab…",
        'forget --matching "biopsy"',
        'forget --matching "biopsy" --confirm 5f0c…',
        "forget --entity Tom",
        "forget --everything --yes",
    ),
    json={
        "forgotten": True,
        "record_ids": ["claim-c-9ab…"],
        "message_ids": ["m-3e1…"],
        "residue": [
            {"kind": "suspected", "record_id": "claim-c-2c8…", "matched_id": None, "similarity": 0.6}
        ],
        "recomputed": [],
    },
    more_json={
        "With `--json` and `--matching`, before it is confirmed": {
            "items": [{"id": "claim-c-9ab…", "text": "open_loop.waiting_on: biopsy results"}],
            "token": "5f0c…",
        }
    },
)
