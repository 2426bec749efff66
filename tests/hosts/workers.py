"""Talks to the worker: in this process without a pipe, or as a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import attrs

from cmemory import COMPANION, GOVERNED, Memory
from cmemory.adapters.worker.protocol import encode
from cmemory.adapters.worker.server import Exchange
from cmemory.assembly import open_store

SECRET = bytes(range(32))

#: Two companions of one person.
MIRA = {"service_id": "lamplight", "owner_user_id": "u-7", "companion_profile_id": "mira"}
OTTO = {**MIRA, "companion_profile_id": "otto"}


@attrs.define
class Talk:
    """One client's view of a worker without a pipe."""

    exchange: Exchange

    def ask(self, op: str, scope: Mapping[str, str] | None = MIRA, **params: object) -> dict[str, Any]:
        """Return the whole answer to a request."""
        given = params if scope is None else {"scope": scope, **params}
        line = json.dumps({"version": 1, "id": op, "op": op, "params": given}, ensure_ascii=False)
        answer: dict[str, Any] = json.loads(encode(self.exchange.answer(line.encode())))
        return answer

    def result(self, op: str, scope: Mapping[str, str] | None = MIRA, **params: object) -> Any:
        """Return the result of a request that must succeed."""
        answer = self.ask(op, scope, **params)
        assert answer["ok"], answer
        return answer["result"]

    def refused(self, op: str, scope: Mapping[str, str] | None = MIRA, **params: object) -> tuple[str, str]:
        """Return the code and the summary of a request that must fail."""
        answer = self.ask(op, scope, **params)
        assert not answer["ok"], answer
        return answer["error"]["code"], answer["error"]["summary"]


@contextmanager
def talk(path: str | Path = ":memory:", **settings: Any) -> Iterator[Talk]:
    """Open a database and yield a client that has asked for everything the worker speaks."""
    store = open_store(path, secret=SECRET)
    with Memory.open(store=store, policy=GOVERNED) as memory:
        client = Talk(Exchange(memory, Memory.open(store=store, policy=COMPANION, **settings)))
        client.result("capabilities", None)
        yield client


def start(*arguments: str, cwd: Path, **env: str) -> subprocess.Popen[bytes]:
    """Start ``cmemory worker`` with these arguments in a folder."""
    return subprocess.Popen(
        [sys.executable, "-m", "cmemory", "worker", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=cwd,
        env={**os.environ, **env},
    )


def request(op: str, request_id: str = "1", **params: object) -> bytes:
    """Return a request line, line feed included."""
    line = {"version": 1, "id": request_id, "op": op, "params": {"scope": MIRA, **params}}
    return json.dumps(line, ensure_ascii=False).encode() + b"\n"
