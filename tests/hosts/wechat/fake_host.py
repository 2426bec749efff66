"""A host that plays the contract from the other side, in memory, as unpleasantly as a test asks."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from cmemory.adapters.hosts.wechat.contract import REVISION_CONFLICT, Capability, Permission
from cmemory.domain.model.instant import Instant
from cmemory.domain.trace import Trace

#: What a model may be told to do instead of answering.
HANG = object()


class RudeError(Exception):
    """What a host raises, with the person's words in it."""


class RevisionConflictError(Exception):
    """The document store's refusal."""

    code = REVISION_CONFLICT


class FakeModel:
    """Answers in turn: a text, any value, an exception to raise, or `HANG`; the last one for ever."""

    def __init__(self, *answers: object) -> None:
        self.answers = list(answers)
        self.asked: list[Mapping[str, Any]] = []

    def generate(self, request: Mapping[str, Any], /) -> Any:
        """Raise at once where told so, as a service that is no coroutine does."""
        self.asked.append(request)
        answer = self.answers[0] if len(self.answers) == 1 else self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return self._later(answer, request)

    async def _later(self, answer: object, request: Mapping[str, Any]) -> object:
        if answer is HANG:
            await asyncio.get_running_loop().create_future()
        return answer(request) if callable(answer) else answer


def notes_answer(*notes: tuple[str, str]) -> Callable[[Mapping[str, Any]], dict[str, str]]:
    """Return an answer that makes a note of each exchange that holds a quote: ``(quote, note)``."""

    def answer(request: Mapping[str, Any]) -> dict[str, str]:
        lines = re.findall(r"^\[(\d+)\].*\nperson: (.*)$", request["prompt"], re.MULTILINE)
        items = [
            {"kind": "preference", "note": note, "exchange": int(number), "quote": quote}
            for number, line in lines
            for quote, note in notes
            if quote in line
        ]
        return {"text": json.dumps(items, ensure_ascii=False)}

    return answer


class FakeDocuments:
    """A document store with revisions, pages of two, and strangers who write in between."""

    def __init__(self) -> None:
        self.held: dict[tuple[str, str], tuple[int, Any]] = {}
        self.conflicts = 0
        self.failure: Exception | None = None
        self.lists = 0

    async def get(self, collection: str, name: str, /) -> dict[str, Any] | None:
        """Return one document."""
        found = self.held.get((collection, name))
        return None if found is None else {"json": found[1], "revision": found[0]}

    async def put(self, collection: str, name: str, json: Any, options: Mapping[str, Any], /) -> Any:
        """Write one, unless its revision is another."""
        if self.failure is not None:
            raise self.failure
        revision = self.held.get((collection, name), (None, None))[0]
        if self.conflicts:
            self.conflicts -= 1
            self.held[(collection, name)] = ((revision or 0) + 1, {"stranger": True})
            raise RevisionConflictError
        if options["ifRevision"] != revision:
            raise RevisionConflictError
        self.held[(collection, name)] = ((revision or 0) + 1, json)
        return {"revision": (revision or 0) + 1}

    async def delete(self, collection: str, name: str, /) -> None:
        """Drop one."""
        del self.held[(collection, name)]

    async def list(self, collection: str, options: Mapping[str, Any], /) -> dict[str, Any]:
        """Return a page of two."""
        self.lists += 1
        names = sorted(
            name for where, name in self.held if where == collection and name.startswith(options["prefix"])
        )
        start = int(options.get("cursor", 0))
        page = names[start : start + 2]
        items = [
            {
                "id": name,
                "revision": self.held[(collection, name)][0],
                "json": self.held[(collection, name)][1],
            }
            for name in page
        ]
        more = start + 2 < len(names)
        return {"items": items, **({"cursor": str(start + 2)} if more else {})}

    @property
    def texts(self) -> list[str]:
        """The texts of all documents, sorted."""
        return sorted(str(document.get("text")) for _, document in self.held.values())


class FakeSchedule:
    """Remembers what was asked of it."""

    def __init__(self) -> None:
        self.daily_calls: list[Mapping[str, Any]] = []
        self.cancelled: list[str] = []
        self.failure: Exception | None = None

    async def daily(self, request: Mapping[str, Any], /) -> None:
        """Take a daily call on."""
        if self.failure is not None:
            raise self.failure
        self.daily_calls.append(request)

    async def cancel(self, name: str, /) -> None:
        """Drop it."""
        self.cancelled.append(name)


class FakeHost:
    """Everything granted, unless a test takes it away."""

    def __init__(
        self,
        *,
        model: FakeModel | None = None,
        without: Iterable[Capability | Permission] = (),
        **settings: object,
    ) -> None:
        self.api_version = 2
        missing = set(without)
        self.capabilities = [one.value for one in Capability if one not in missing]
        self.permissions = [one.value for one in Permission if one not in missing]
        self.owner = "host-owner"
        self.persona: str | None = None
        self.settings: dict[str, object] = settings
        self.model: FakeModel | None = model or FakeModel({"text": "[]"})
        self.documents: FakeDocuments | None = FakeDocuments()
        self.schedule: FakeSchedule | None = FakeSchedule()
        self.traced: list[tuple[str, str]] = []

    def trace(self, call: str, at: Instant, trace: Trace) -> None:
        """Keep what could not be done: subject and reason."""
        self.traced += [(step.subject, step.reason) for step in trace.steps]


def turn(
    text: str,
    *,
    number: int = 1,
    chat: str = "wechat:private:nora",
    kind: str = "private",
    sender: str = "nora",
    at: str = "2026-03-01T20:00:00+08:00",
) -> dict[str, Any]:
    """Return the part of an input that every call has."""
    return {
        "chat": {"key": chat, "kind": kind, "title": "Nora"},
        "message": {
            "id": f"{chat}-{number}",
            "text": text,
            "senderId": sender,
            "senderName": "Nora",
            "at": at,
        },
    }


def said(text: str, answer: str = "好的。", *, silent: bool = False, **where: Any) -> dict[str, Any]:
    """Return the input of `after-response`."""
    before = turn(text, **where)
    return {**before, "response": {"text": answer, "at": before["message"]["at"], "silent": silent}}


def asked(text: str, budget: int = 1_200, **where: Any) -> dict[str, Any]:
    """Return the input of `before-context`."""
    return {**turn(text, **where), "budgetChars": budget}


def act(text: str, arguments: object, **where: Any) -> dict[str, Any]:
    """Return the input of an action."""
    return {**turn(text, **where), "arguments": arguments}


#: After the hour of 1 March has struck, in Shanghai.
NIGHT = {"firedAt": "2026-03-01T23:51:00+08:00", "dueFor": "2026-03-01"}
