"""The worker's protocol as plain requests and answers, which a host in any language can replay.

Each of ``governed/*.json`` holds ``{area, vectors: [{id, note, differs, steps}]}``, and a step is
``{request | raw | raw_base64, response}``. Each vector runs on a fresh database; a step may pad its line to a
length with ``pad_line_to``, and ``differs`` names why the original protocol would answer otherwise.

Here they are replayed without a pipe, on every store, and each answer is held against its published schema.
"""

from __future__ import annotations

import base64
import json
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from matching import differences

from cmemory import COMPANION, GOVERNED, Memory
from cmemory.adapters.worker.protocol import encode
from cmemory.adapters.worker.server import Exchange
from cmemory.app.tools import OPERATIONS
from cmemory.assembly import open_store

FOLDER = Path(__file__).parent / "governed"
SCHEMAS = Path(__file__).parents[2] / "docs" / "reference" / "worker"
VECTORS = [
    vector
    for file in sorted(FOLDER.glob("*.json"))
    for vector in json.loads(file.read_text("utf-8"))["vectors"]
]

SECRET = bytes(range(32))


@pytest.fixture(params=["memory", "sqlite"])
def exchange(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Exchange]:
    """A client of a fresh database, as the worker would serve it."""
    path = ":memory:" if request.param == "memory" else tmp_path / "mira.db"
    store = open_store(path, secret=SECRET)
    with Memory.open(store=store, policy=GOVERNED) as memory:
        yield Exchange(memory, Memory.open(store=store, policy=COMPANION))


@cache
def validator(op: str, kind: str) -> Draft202012Validator:
    """Return what checks requests or answers of an operation; no key may be there that is not described."""
    return Draft202012Validator(closed(json.loads((SCHEMAS / f"{op}.{kind}.json").read_text("utf-8"))))


def closed(schema: Any) -> Any:
    """Return a schema whose objects hold nothing that it does not describe."""
    if isinstance(schema, list):
        return [closed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {key: closed(one) for key, one in schema.items()}
    if inner.get("type") == "object" and "properties" in inner and "oneOf" not in inner:
        inner.setdefault("additionalProperties", False)
    return inner


def line_of(step: dict[str, Any]) -> bytes:
    """Return the bytes that a step sends."""
    if "raw_base64" in step:
        return base64.b64decode(step["raw_base64"])
    if "raw" in step:
        raw: str = step["raw"]
        return raw.encode()
    request = step["request"]
    if "pad_line_to" in step:
        request = {**request, "pad": ""}
        request["pad"] = "x" * (step["pad_line_to"] - len(dumped(request)))
    return dumped(request)


def dumped(request: object) -> bytes:
    return json.dumps(request, ensure_ascii=False, separators=(",", ":")).encode()


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: str(vector["id"]))
def test_the_worker_answers_as_recorded(
    vector: dict[str, Any], exchange: Exchange, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every step gets the answer the vector gives for it."""
    monkeypatch.chdir(tmp_path)
    for number, step in enumerate(vector["steps"], 1):
        answer = json.loads(encode(exchange.answer(line_of(step))))
        assert list(differences(step["response"], answer)) == [], f"step {number}"


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: str(vector["id"]))
def test_answers_are_what_their_schemas_say(
    vector: dict[str, Any], exchange: Exchange, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A request that is carried out fits its schema, and every answer fits its own to the last key."""
    monkeypatch.chdir(tmp_path)
    for step in vector["steps"]:
        answer = json.loads(encode(exchange.answer(line_of(step))))
        op = step.get("request", {}).get("op")
        if op in OPERATIONS:
            validator(op, "response").validate(answer)
            if answer["ok"]:
                opened = json.loads((SCHEMAS / f"{op}.request.json").read_text("utf-8"))
                Draft202012Validator(opened).validate(step["request"])


@pytest.mark.parametrize(
    "name",
    [
        "continuity-greeting",
        "extended-gate",
        "extended-observe-learn-prepare",
        "forgetting-resurrection",
        "protocol-broken-lines",
        "protocol-length",
        "rejections-ids",
    ],
)
def test_a_worker_process_answers_as_recorded(name: str, tmp_path: Path) -> None:
    """The same through the pipes of a real worker, all requests at once."""
    (vector,) = (one for one in VECTORS if one["id"] == name)
    done = subprocess.run(
        [sys.executable, "-m", "cmemory", "worker", "--database", "mira.db"],
        input=b"".join(line_of(step) + b"\n" for step in vector["steps"]),
        capture_output=True,
        cwd=tmp_path,
        timeout=60,
        check=True,
    )
    answers = [json.loads(line) for line in done.stdout.split(b"\n")[:-1]]
    expected = [step["response"] for step in vector["steps"]]
    assert list(differences(expected, answers)) == []


def test_there_are_enough_of_them() -> None:
    """Every operation but those that need a file or a token occurs in some vector that carries it out."""
    carried_out = {
        step["request"]["op"]
        for vector in VECTORS
        for step in vector["steps"]
        if "request" in step and step["response"]["ok"]
    }
    assert set(OPERATIONS) - carried_out == {"confirm_forget", "embed", "export", "import"}
    assert len(VECTORS) >= 60
    assert len({vector["id"] for vector in VECTORS}) == len(VECTORS)
