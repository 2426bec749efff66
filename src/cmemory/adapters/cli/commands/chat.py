"""`cmemory chat`: talk, and watch what memory does with it.

A language model answers when the environment names one; otherwise each turn shows what memory would hand to a
model and what it learned. Whatever goes wrong with memory is said in one line and the conversation goes on.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from cmemory.adapters.cli import shapes
from cmemory.adapters.cli.command import Call, Command
from cmemory.adapters.cli.commands import forget, listing
from cmemory.adapters.cli.exits import Exit
from cmemory.adapters.cli.output import Block
from cmemory.domain.errors import CMemoryError, ModelError
from cmemory.domain.model.message import Speaker
from cmemory.domain.model.record import AnyRecord
from cmemory.domain.plan.plan import Plan
from cmemory.memory import ScopedMemory
from cmemory.ports.model import Model, Prompt

_INSTRUCTIONS = (
    "You are a warm, attentive companion in a long-running conversation. Answer the person's last message in "
    "their language, naturally and briefly. What you remember of them stands below; it may be empty."
)
#: Lines of the conversation the model sees again, both sides counted.
_LINES_KEPT = 24
#: Tokens an answer may take.
_ANSWER_TOKENS = 600

_HELP = "/list shows what is remembered, /forget ID erases a record, /quit ends."

_T = TypeVar("_T")


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--session", metavar="NAME", help="the conversation; a new one unless given")


def _run(call: Call) -> Exit:
    model = call.model()
    with call.scope(create=True, model=model) as luna:
        session = call.args.session or f"chat {call.now}"
        return _Chat(call, luna, session=session, model=model).hold(_lines())


def _lines() -> Iterator[str]:
    """Return what the person types, line by line, until they end it."""
    if not sys.stdin.isatty():
        yield from (line.rstrip("\n") for line in sys.stdin)
        return
    while True:
        try:
            yield input("you> ")
        except EOFError:
            return


class _Chat:
    """One conversation."""

    def __init__(self, call: Call, luna: ScopedMemory, *, session: str, model: Model | None) -> None:
        self._out = call.out
        self._luna = luna
        self._session = session
        self._model = model
        self._said: list[str] = []
        self._ended = Exit.OK

    def hold(self, lines: Iterator[str]) -> Exit:
        """Answer line after line; the exit code tells whether the model ever failed to."""
        who = (
            self._model.name if self._model else "no model (CMEMORY_MODEL is not set): showing memory at work"
        )
        self._out.say(f"{who}. {_HELP}")
        for line in lines:
            name, _, rest = line.strip().partition(" ")
            if name == "/quit":
                break
            if name in _COMMANDS:
                _COMMANDS[name](self, rest.strip())
            elif line.strip():
                self._turn(line)
            self._out.flush()
        return self._ended

    def _turn(self, text: str) -> None:
        self._attempt(lambda: self._luna.observe(text, session=self._session))
        plan = self._attempt(lambda: self._luna.prepare(text, session=self._session))
        answer = self._answer(text, plan)
        if answer:
            self._attempt(
                lambda: self._luna.observe(answer, session=self._session, speaker=Speaker.ASSISTANT)
            )
        learned = self._attempt(self._learn) or []
        document = {
            "message": text,
            "plan": shapes.plan(plan) if plan else None,
            "answer": answer,
            "learned": learned,
        }
        shown = [answer] if answer is not None else _memory_at_work(plan)
        self._out.emit_line(document, [*shown, *(_learned_line(one) for one in learned)])

    def _learn(self) -> list[dict[str, Any]]:
        return [shapes.admission(one, self._luna) for one in self._luna.learn().admissions]

    def _answer(self, text: str, plan: Plan | None) -> str | None:
        """Return the model's answer, None when there is no model or it gives none."""
        if self._model is None:
            return None
        self._said = [*self._said, f"Person: {text}"][-_LINES_KEPT:]
        system = f"{_INSTRUCTIONS}\n\n{plan.text if plan else ''}"
        prompt = Prompt(system=system, user="\n".join([*self._said, "You:"]), max_tokens=_ANSWER_TOKENS)
        try:
            answer = self._model.complete(prompt).strip()
        except ModelError as error:
            self._ended = Exit.MODEL
            self._out.say(f"cmemory: {error}")
            return None
        self._said.append(f"You: {answer}")
        return answer

    def _attempt(self, step: Callable[[], _T]) -> _T | None:
        """Do something with memory; a failure is said, and the conversation goes on without."""
        try:
            return step()
        except CMemoryError as error:
            self._out.say(f"cmemory: {error}")
            return None

    def list(self, _: str) -> None:
        records: tuple[AnyRecord, ...] = self._attempt(self._luna.list) or ()
        self._out.emit_line(
            {"records": [shapes.record(one) for one in records]}, [shapes.record_table(records)]
        )

    def forget(self, record_id: str) -> None:
        report = self._attempt(lambda: self._luna.forget(record_id))
        if report is not None:
            self._out.emit_line(shapes.forget_report(report), shapes.forget_blocks(report))

    def help(self, _: str) -> None:
        self._out.say(_HELP)


_COMMANDS: dict[str, Callable[[_Chat, str], None]] = {
    "/list": _Chat.list,
    "/forget": _Chat.forget,
    "/help": _Chat.help,
}


def _memory_at_work(plan: Plan | None) -> list[Block]:
    """Return what a model would have been told in this turn."""
    if plan is None:
        return []
    withheld = ", ".join(f"{why.value} {count}" for why, count in plan.withheld.items())
    told: list[Block] = [f"  {channel.value:<15} {item.text}" for channel, item in plan.shown]
    return [*told, *([f"  {'stays silent':<15} {withheld}"] if withheld else [])] or ["  (nothing to tell)"]


def _learned_line(one: dict[str, Any]) -> str:
    return f"  {one['outcome']:<15} {one['text'] or ''} ({one['reason']})"


COMMAND = Command(
    help="talk, and watch what memory does with it",
    description=(
        "Talk line by line. A model answers when CMEMORY_MODEL, CMEMORY_BASE_URL and CMEMORY_API_KEY name "
        "one; without a model, each turn shows what memory would hand to one and what it learned. "
        f"{_HELP} With --json, each turn is one line of JSON."
    ),
    configure=_configure,
    run=_run,
    examples=("chat", "chat --session evening"),
    json={
        "message": "My name is Nora.",
        "plan": {"revision": 0, "channels": {}, "withheld": {}, "text": "<companion_memory revision=…"},
        "answer": None,
        "learned": [dict(shapes.ADMISSION_EXAMPLE)],
    },
    more_json={"`/list`": {"records": [listing.RECORD]}, "`/forget ID`": forget.COMMAND.json},
)
