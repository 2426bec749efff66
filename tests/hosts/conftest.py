"""What end-to-end tests share: memories to talk to on every store, and worker processes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from nursery import Nursery, nursery

from cmemory import Memory, ScopedMemory

#: Injected so that everything a test writes is the same on every run.
SECRET = bytes(range(32))


@pytest.fixture(params=["memory", "sqlite"])
def memory(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Memory]:
    """A fresh memory, once without a file and once in SQLite."""
    path = ":memory:" if request.param == "memory" else tmp_path / "luna.db"
    with Memory.open(path, secret=SECRET, zone="Asia/Shanghai") as opened:
        yield opened


@pytest.fixture
def luna(memory: Memory) -> ScopedMemory:
    """One relationship in it."""
    return memory.scope(service="lamplight", owner="u-42", profile="luna")


@pytest.fixture(scope="module")
def workers() -> Iterator[Nursery]:
    """A process that starts workers on a database."""
    with nursery() as started:
        yield started
