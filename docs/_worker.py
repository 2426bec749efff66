"""Writes what the source already says about the worker: schemas, the list of operations, and real examples.

The examples are a conversation with the worker itself, so they cannot say what it does not.
Run it after changing an operation or a type that is answered::

    python docs/_worker.py           # rewrite the schemas and the page
    python docs/_worker.py --check   # only say which files are stale
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs

from cmemory import GOVERNED, Instant, Memory
from cmemory.adapters import schema
from cmemory.adapters.worker.protocol import ErrorCode, encode
from cmemory.adapters.worker.server import Exchange
from cmemory.app.catalogue import SCOPE, Authority, Kind, Operation, Param, Part, Presence
from cmemory.app.tools import OPERATIONS
from cmemory.testing.fakes import ScriptedEmbedder

FOLDER = Path(__file__).parent / "reference" / "worker"
PAGE = FOLDER / "index.md"

_REGION = re.compile(r"(<!-- generated: (?P<name>[a-z-]+) -->\n)(?P<body>.*?)(<!-- end -->)", re.DOTALL)

#: Whose memory the examples are about.
WHO = {"service_id": "my-app", "owner_user_id": "u-42", "companion_profile_id": "luna"}

#: Answers too long to be printed; of each list in them the first entry is shown.
_ABRIDGED = ("health", "capabilities")

_AUTHORITIES = {
    Authority.ANYONE: "anyone who reaches the memory",
    Authority.HOST: "the host",
    Authority.PERSON: "the person, by the current message",
}

_KINDS = {
    Kind.TEXT: "string",
    Kind.TRUTH: "boolean",
    Kind.NUMBER: "number",
    Kind.WHOLE: "whole number",
    Kind.COUNT: "whole number from 0",
    Kind.INSTANT: "instant",
    Kind.ANY: "anything",
    Kind.TEXTS: "list of strings",
    Kind.LABEL: "string, or object",
    Kind.SOURCE_FILE: "path",
    Kind.TARGET_FILE: "path",
    Kind.FIELDS: "object",
    Kind.LIST: "list of objects",
}


# -- schemas ----------------------------------------------------------------------------------------


def request_schema(operation: Operation) -> dict[str, Any]:
    """Return the schema of a whole request line."""
    params = schema.of_request(operation)
    free = not params["properties"]
    return {
        "$schema": schema.DIALECT,
        "title": f"Request {operation.name}",
        "description": sentence(operation.summary),
        "type": "object",
        "properties": {
            "version": {"const": 1},
            "id": {"type": "string"},
            "op": {"const": operation.name},
            "params": {} if free else params,
        },
        "required": ["version", "id", "op", *([] if free else ["params"])],
    }


def response_schema(operation: Operation) -> dict[str, Any]:
    """Return the schema of a whole answer line."""
    return {
        "$schema": schema.DIALECT,
        "title": f"Answer to {operation.name}",
        "type": "object",
        "properties": {"version": {"const": 1}, "id": {"type": "string"}, "ok": {"type": "boolean"}},
        "required": ["version", "id", "ok"],
        "oneOf": [
            {
                "properties": {"ok": {"const": True}, "result": schema.of_type(operation.result)},
                "required": ["result"],
            },
            {"properties": {"ok": {"const": False}, "error": _error()}, "required": ["error"]},
        ],
    }


def _error() -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {
            "code": {"enum": [code.value for code in ErrorCode]},
            "retryable": {"type": "boolean"},
            "summary": {"type": "string"},
        },
        "required": ["code", "retryable", "summary"],
    }


# -- examples ---------------------------------------------------------------------------------------


@attrs.define
class Talk:
    """A conversation with the worker, of which the last exchange about each operation is kept."""

    exchange: Exchange
    heard: dict[str, tuple[dict[str, Any], dict[str, Any]]] = attrs.field(factory=dict)

    def ask(self, op: str, **params: object) -> Any:
        operation = OPERATIONS[op]
        request: dict[str, Any] = {"version": 1, "id": str(len(self.heard) + 1), "op": op}
        if operation.needs_scope or params:
            request["params"] = {**({"scope": WHO} if operation.needs_scope else {}), **params}
        line = json.dumps(request, ensure_ascii=False).encode()
        answer = json.loads(encode(self.exchange.answer(line)))
        if not answer["ok"]:
            raise ValueError(f"the example of {op} fails: {answer['error']['summary']}")
        self.heard[op] = (request, answer)
        return answer["result"]


def examples() -> Mapping[str, tuple[dict[str, Any], dict[str, Any]]]:
    """Return a request and its answer for every operation, by its name."""
    with _elsewhere(), Memory.open(secret=bytes(32), policy=GOVERNED, zone="UTC", clock=_clock) as memory:
        talk = Talk(Exchange(memory, memory))
        _tell(talk)
        return talk.heard


def _clock() -> Instant:
    """Stand still, so that what an operation took is the same on every machine."""
    return Instant.parse("2026-03-01T09:00:00Z")


@contextlib.contextmanager
def _elsewhere() -> Iterator[None]:
    """Work in a folder of its own, so that relative paths leave nothing behind."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


def _tell(talk: Talk) -> None:
    day = "2026-03-0{}T09:00:00Z".format
    talk.ask("health")
    talk.ask("capabilities")
    said = "Please keep your answers short."
    quote = {"start_offset": 0, "end_offset": len(said.encode()), "quote": said}
    claim = {
        "id": "m2-1",
        "predicate": "communication.verbosity",
        "value": "short",
        **quote,
        "confidence": 0.9,
    }
    source = {"id": "m2", "session_id": "s1", "text": said}
    (style,) = talk.ask("admit", now=day(1), source=source, candidates=[claim])["accepted"]
    told = talk.ask(
        "remember",
        text="My brother Marco is a carpenter.",
        predicate="person.occupation",
        value="carpenter",
        entity_ref="Marco",
        session_id="s1",
        at=day(1),
    )
    work = told["admissions"][0]["recordId"]
    talk.ask("warm", current_message="Hello!", now=day(2), session_id="s2")
    talk.ask("prepare", current_message="Marco made us a table, he is such a carpenter.", now=day(2))
    talk.ask("query", action="search", terms="carpenter", current_message="Which carpenter?", now=day(2))
    talk.ask("search", terms="carpenter", current_message="Which carpenter was it?", now=day(2))
    talk.ask("feedback", record_id=work, signal="user_valued", now=day(2))
    talk.ask("history", record_id=work)
    talk.ask("explain", record_id=work)
    talk.ask("people", now=day(2))
    talk.ask("digest", day="2026-03-01", now=day(2))
    talk.ask("mute", record_id=work, now=day(3))
    talk.ask("list", kind="claim", predicate="person.occupation", now=day(3))
    talk.ask("mute", record_id=work, muted=False, now=day(3))
    talk.ask("delete", record_id=work, now=day(3))
    talk.ask("restore", record_id=work, now=day(3))
    talk.ask("export", path="luna.jsonl", now=day(3))
    talk.ask("import", path="luna.jsonl", format="export", now=day(3))
    token = talk.ask("preview_forget", meaning="carpenter")["token"]
    talk.ask("confirm_forget", meaning="carpenter", token=token, now=day(4))
    talk.ask("lift", label=work, now=day(5))
    asked = f"Please delete {style}."
    talk.ask("forget", action="forget", record_id=style, current_message=asked, now=day(5))
    talk.ask("verify_forgotten", text="a carpenter")
    talk.ask("observe", text="My name is Nora.", session_id="s3", at=day(6))
    talk.ask("window", current_message="What is my name?", session_id="s3", token_budget=150, now=day(6))
    talk.ask("compact", session_id="s3", token_budget=120, now=day(6))
    talk.ask("mood", now=day(6))
    talk.ask("stats")
    talk.ask("scopes")
    talk.ask("retry_dead", now=day(6))
    talk.ask("learn", now=day(6))
    talk.ask("session_closed", session_id="s3", now=day(6))
    _tell_vectors(talk, day)
    _tell_notes(talk, day)


def _tell_vectors(talk: Talk, day: Callable[[int], str]) -> None:
    plain = talk.exchange
    with Memory.open(embedder=ScriptedEmbedder(), clock=_clock) as memory:
        luna = memory.scope(
            service=WHO["service_id"], owner=WHO["owner_user_id"], profile=WHO["companion_profile_id"]
        )
        luna.observe("My name is Nora.", session="s3", at=day(6))
        talk.exchange = Exchange(memory, memory, extended=True)
        talk.ask("embed", limit=500, now=day(6))
    talk.exchange = plain


def _tell_notes(talk: Talk, day: Callable[[int], str]) -> None:
    said = "Remember that I love the sea. My concert is on Friday."
    talk.ask(
        "notes_write", text="Loves the sea.", said=said, quote="I love the sea", kind="preference", at=day(6)
    )
    talk.ask("notes_list", now=day(6))
    talk.ask("notes_search", terms="sea", current_message="Shall we go to the sea?", now=day(6))
    talk.ask("notes_brief", current_message="Shall we go to the sea?", max_chars=600, now=day(6))
    talk.ask("notes_exchange", said="I promised Ilse to call on Monday.", answered="Noted!", at=day(6))
    (task,) = talk.ask("consolidate_plan", force=True, now=day(6))["tasks"]
    quote = "I promised Ilse to call on Monday"
    item = {
        "kind": "promise",
        "note": "Promised Ilse to call",
        "exchange": 1,
        "quote": quote,
        "due": "2026-03-09",
    }
    talk.ask(
        "consolidate_commit", said=task["said"], answer=json.dumps([item]), model="some-model", now=day(6)
    )
    talk.ask("consolidate", now=day(7))
    talk.ask("maintain", now=day(8))
    talk.ask("act", action="search-memory", arguments={"query": "Ilse"}, current_message="Ilse?", now=day(7))


def abridged(value: object) -> object:
    """Return a value with only the first entry of every list."""
    if isinstance(value, dict):
        return {key: abridged(one) for key, one in value.items()}
    return [abridged(value[0])] if isinstance(value, list) and value else value


# -- the page ---------------------------------------------------------------------------------------


def contents() -> str:
    rows = [
        (
            f"[`{one.name}`](#{one.name})",
            one.part.value,
            sentence(one.summary),
            _AUTHORITIES[one.authority],
            "yes" if one.writes else "",
        )
        for one in OPERATIONS.values()
    ]
    return _table(("operation", "part", "what it does", "on whose authority", "writes"), rows)


def operations(part: Part) -> str:
    heard = examples()
    return "\n\n".join(_section(one, *heard[one.name]) for one in OPERATIONS.values() if one.part is part)


def _section(operation: Operation, request: dict[str, Any], answer: dict[str, Any]) -> str:
    name = operation.name
    shown = abridged(answer) if name in _ABRIDGED else answer
    blocks = [f"### {name}", "\n".join([sentence(operation.summary), *operation.notes])]
    if operation.params:
        blocks.append(_table(("parameter", "takes", "if left out", "meaning"), list(_rows(operation.params))))
    blocks += [_json(request), _json(shown)]
    if name in _ABRIDGED:
        blocks.append("Of each list only the first entry is shown.")
    blocks.append(f"Schemas: [request]({name}.request.json), [answer]({name}.response.json).")
    return "\n\n".join(blocks)


def _rows(params: tuple[Param, ...], prefix: str = "") -> Iterator[tuple[str, ...]]:
    for param in params:
        takes = " ".join(f"`{one}`" for one in param.choices) or _KINDS[param.kind]
        yield f"`{prefix}{param.name}`", takes, _absence(param), param.meaning
        mark = "[]." if param.kind is Kind.LIST else "."
        yield from _rows(param.fields, f"{prefix}{param.name}{mark}")


def _absence(param: Param) -> str:
    if param.presence is Presence.REQUIRED:
        return "refused"
    if param.presence is Presence.OPTIONAL:
        return "nothing; null too"
    return f"`{json.dumps(param.default)}`"


def scope() -> str:
    return _table(
        ("parameter", "takes", "if left out", "meaning"), list(_rows(SCOPE.fields, f"{SCOPE.name}."))
    )


def sentence(summary: str) -> str:
    """Return a summary as a sentence."""
    return f"{summary[0].upper()}{summary[1:]}."


def _json(value: object) -> str:
    return f"```json\n{_dump(value)}```"


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    escaped = ([cell.replace("|", "\\|") for cell in row] for row in rows)
    lines = [f"| {' | '.join(head)} |", f"|{'|'.join('---' for _ in head)}|"]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in escaped)])


PARTS: dict[str, Callable[[], str]] = {
    "contents": contents,
    "scope": scope,
    "original": lambda: operations(Part.ORIGINAL),
    "extended": lambda: operations(Part.EXTENDED),
}


# -- the files --------------------------------------------------------------------------------------


def files() -> Iterator[tuple[Path, str]]:
    """Yield every file as it should be."""
    for name, operation in OPERATIONS.items():
        yield FOLDER / f"{name}.request.json", _dump(request_schema(operation))
        yield FOLDER / f"{name}.response.json", _dump(response_schema(operation))
    page = PAGE.read_text(encoding="utf-8")
    yield PAGE, _REGION.sub(lambda found: f"{found[1]}\n{PARTS[found['name']]()}\n\n{found[4]}", page)


def stale() -> list[Path]:
    """Return the files that no longer say what the source says, and schemas of operations that are gone."""
    wanted = dict(files())
    wrong = [path for path, text in wanted.items() if not path.exists() or path.read_text("utf-8") != text]
    return wrong + [path for path in sorted(FOLDER.glob("*.json")) if path not in wanted]


def main(argv: list[str]) -> int:
    wanted = dict(files())
    old = stale()
    for path in old:
        print(path.relative_to(FOLDER.parents[2]))
        if "--check" not in argv:
            if path in wanted:
                path.write_text(wanted[path], encoding="utf-8")
            else:
                path.unlink()
    return 1 if old and "--check" in argv else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
