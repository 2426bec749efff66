"""`cmemory note`: write a note, or strengthen the one that says the same."""

from __future__ import annotations

import argparse

from cmemory.adapters.cli import shapes
from cmemory.adapters.cli.command import Call, Command
from cmemory.adapters.cli.exits import Exit
from cmemory.app.tools import OPERATIONS
from cmemory.domain.model.bodies import NoteKind
from cmemory.domain.model.candidate import Outcome


def _configure(parser: argparse.ArgumentParser) -> None:
    kinds = tuple(kind.value for kind in NoteKind)
    parser.add_argument("text", metavar="TEXT", help="the note, a sentence")
    parser.add_argument("--said", metavar="TEXT", help="the person's words that bear it out; the note itself")
    parser.add_argument("--quote", help="the stretch of them that does; all of it unless given")
    parser.add_argument("--kind", choices=kinds, default=NoteKind.FACT.value, help="what it is about")
    parser.add_argument("--tag", action="append", default=[], metavar="NAME", help="a label; may be repeated")
    parser.add_argument("--importance", type=float, default=0.5, metavar="0-1", help="default: %(default)s")
    parser.add_argument(
        "--feeling", type=float, default=0.0, metavar="0-1", help="how much feeling it carries"
    )
    parser.add_argument("--due", metavar="DAY", help="when it comes up by itself, as in 2026-03-01")
    parser.add_argument("--session", metavar="NAME", default="", help="the conversation it was said in")


def _run(call: Call) -> Exit:
    args = call.args
    with call.scope(create=True) as luna:
        admissions = luna.notes.write(
            args.text,
            said=args.said,
            kind=args.kind,
            quote=args.quote,
            tags=args.tag,
            importance=args.importance,
            emotional_weight=args.feeling,
            due_on=args.due,
            session=args.session,
        )
        spelt = [shapes.admission(one, luna) for one in admissions]
    call.out.emit({"admissions": spelt}, [shapes.admission_table(spelt)])
    return Exit.NOTHING if admissions[0].outcome is Outcome.REJECTED else Exit.OK


COMMAND = Command(
    help=OPERATIONS["notes_write"].summary,
    description=(
        "Write a note: a sentence worth keeping that is no fact under a key. The answer to the note comes first, then one "
        "to each fact that the words state. `list --kind note` shows notes; `delete`, `restore` and `forget` take their ids."
    ),
    configure=_configure,
    run=_run,
    examples=(
        'note "Loves the sea." --said "I love the sea" --kind preference --tag sea',
        'note "给妈妈打电话" --said "周五提醒我给妈妈打电话" --kind promise --due 2026-03-06',
    ),
    json={"admissions": [dict(shapes.ADMISSION_EXAMPLE)]},
)
