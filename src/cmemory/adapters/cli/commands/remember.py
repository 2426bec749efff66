"""`cmemory remember`: take in one statement and decide on it at once."""

from __future__ import annotations

import argparse

from cmemory.adapters.cli import shapes
from cmemory.adapters.cli.command import Call, Command
from cmemory.adapters.cli.exits import Exit
from cmemory.app.tools import OPERATIONS
from cmemory.domain.model.candidate import Outcome

#: How sure a person is of what they type in themselves; the same as `ScopedMemory.remember` takes.
_STATED = 0.9


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("text", metavar="TEXT", help="the person's own words")
    parser.add_argument(
        "--predicate", metavar="KEY", help="the fact these words prove; read by the rules unless given"
    )
    parser.add_argument("--value", help="the value of the fact; the text itself unless given")
    parser.add_argument("--quote", help="the proving stretch of the text; all of it unless given")
    parser.add_argument("--entity", metavar="NAME", help="whom or what the fact is about")
    parser.add_argument("--context", metavar="NAME", help="a qualifier, such as home or work")
    parser.add_argument(
        "--confidence", type=float, default=_STATED, metavar="0-1", help="how sure (default: %(default)s)"
    )
    parser.add_argument("--session", metavar="NAME", default="", help="the conversation it was said in")


def _run(call: Call) -> Exit:
    args = call.args
    with call.scope(create=True, model=None if args.predicate else call.model()) as luna:
        admissions = luna.remember(
            args.text,
            predicate=args.predicate,
            value=args.value,
            quote=args.quote,
            entity=args.entity,
            qualifiers={"context": args.context} if args.context else None,
            confidence=args.confidence,
            session=args.session,
        )
        spelt = [shapes.admission(one, luna) for one in admissions]
    call.out.emit({"admissions": spelt}, [shapes.admission_table(spelt)])
    if not admissions:
        call.out.say("Nothing in it states a lasting fact.")
    kept = any(one.outcome is not Outcome.REJECTED for one in admissions)
    return Exit.OK if kept else Exit.NOTHING


COMMAND = Command(
    help=OPERATIONS["remember"].summary,
    description=(
        "Take in one statement of the person and decide on it at once. "
        "With only a text, the rules read it; with a predicate, the text proves exactly that fact."
    ),
    configure=_configure,
    run=_run,
    examples=(
        'remember "Please keep your answers short."',
        'remember "The vet said Biscuit is nine." --predicate person.age --value 9 --entity Biscuit',
    ),
    json={"admissions": [dict(shapes.ADMISSION_EXAMPLE)]},
)
