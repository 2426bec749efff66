"""What a process loads and compiles for what it does, counted instead of timed."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import attrs

#: Counts the patterns that the library compiles, from before its first import to the end, and tells all that is loaded.
_WATCHED = """
import json, re, sys

compiled, compile_now = set(), re.compile

def watch(source, flags=0):
    if sys._getframe(1).f_globals["__name__"].startswith("cmemory"):
        compiled.add((source, flags))
    return compile_now(source, flags)

re.compile = watch
{script}
print(json.dumps([sorted(sys.modules), len(compiled)]))
"""

_OPEN = """
from cmemory import Memory
luna = Memory.open().scope(service="my-app", owner="u-42", profile="luna")
"""

_OBSERVE = """
luna.observe("My name is Nora, and I love jasmine tea. 我住在苏州。", session="s1", at="2026-03-01T09:00:00Z")
"""

_PREPARE = """
luna.prepare("Which tea should I buy? 周末去哪儿？", session="s1", now="2026-03-01T09:00:00Z")
"""

_EVERY_MODULE = """
import importlib, pkgutil
for layer in ("domain", "ports", "app", "adapters"):
    inside = importlib.import_module(f"cmemory.{layer}")
    for one in pkgutil.walk_packages(inside.__path__, f"{inside.__name__}."):
        importlib.import_module(one.name)
"""

#: What no host needs that only talks: other ways in and out, measurements, chores, and the libraries behind them.
_ELSEWHERE = frozenset(
    {"asyncio", "cattrs", "sqlite3", "openai", "httpx", "zoneinfo", "numpy"}
    | {
        f"cmemory.adapters.{one}"
        for one in ("cli", "files", "hosts", "mcp", "openai", "sqlite", "wire", "worker")
    }
    | {
        f"cmemory.app.{one}"
        for one in ("actions", "compact", "consolidate", "forget", "tools", "transfer", "views")
    }
    | {f"cmemory.domain.{one}" for one in ("archive", "audit", "forget")}
    | {"cmemory.bench", "cmemory.testing"}
)

#: What reading a message into facts needs, and nothing before that.
_LEARNING = frozenset(
    {"cmemory.app.admit", "cmemory.app.learn"}
    | {f"cmemory.domain.{one}" for one in ("admit", "prompts", "propose")}
)

#: What a turn needs, and nothing before that.
_PLANNING = frozenset(
    {
        "snowballstemmer",
        "cmemory.app.prepare",
        "cmemory.domain.plan",
        "cmemory.domain.gates",
        "cmemory.domain.scoring",
    }
)

#: What a store needs, and nothing before one is opened.
_STORING = frozenset(
    {"cmemory.app.services", "cmemory.adapters", "cmemory.ports"}
    | {f"cmemory.domain.{one}" for one in ("evidence", "predicates", "recall", "reflect", "text")}
)


@attrs.frozen
class Loaded:
    """What a process held after a script."""

    modules: frozenset[str]
    #: Patterns of the library that were compiled.
    patterns: int

    def of(self, families: Iterable[str]) -> list[str]:
        """Return which modules belong to the families, in order."""
        wanted = tuple(families)
        return sorted(
            name
            for name in self.modules
            if name in wanted or name.startswith(tuple(f"{one}." for one in wanted))
        )


def loaded_by(script: str) -> Loaded:
    command = [sys.executable, "-c", _WATCHED.format(script=script)]
    modules, patterns = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return Loaded(frozenset(modules), patterns)


def test_importing_the_facade_loads_no_use_case_and_compiles_nothing() -> None:
    """Who has imported `Memory` has not opened one yet."""
    loaded = loaded_by("from cmemory import Memory")
    assert [] == loaded.of(_ELSEWHERE | _LEARNING | _PLANNING | _STORING)
    assert 0 == loaded.patterns


def test_writing_down_what_was_said_loads_no_rule_that_reads_it() -> None:
    """Opening and observing need a store and the forgetting guard; what learns and plans is not there yet."""
    loaded = loaded_by(_OPEN + _OBSERVE)
    assert [] == loaded.of(_ELSEWHERE | _LEARNING | _PLANNING)
    assert loaded.patterns < 5


def test_a_database_file_is_opened_without_what_spells_records(tmp_path: Path) -> None:
    """Messages are plain columns: converters, and what looks the file over or moves it, wait for their use."""
    path = str(tmp_path / "luna.db")
    loaded = loaded_by(_OPEN.replace("open()", f"open({path!r})") + _OBSERVE)
    kept = {"sqlite3", "cmemory.adapters.sqlite", "cmemory.adapters.wire"}
    later = {"cmemory.adapters.wire.converter"} | {
        f"cmemory.adapters.sqlite.{one}" for one in ("backup", "restore", "survey")
    }
    assert [] == loaded.of(_ELSEWHERE - kept | later | _LEARNING)
    assert [] == loaded.of(_PLANNING - {"snowballstemmer"})


def test_a_turn_loads_no_rule_that_learns() -> None:
    """Planning an answer needs the gates and the words of both languages here, and none of what makes records."""
    loaded = loaded_by(_OPEN + _OBSERVE + _PREPARE)
    assert [] == loaded.of(_ELSEWHERE | _LEARNING)
    assert [] != loaded.of(_PLANNING)
    assert loaded.patterns < 100


def test_learning_loads_what_it_needs() -> None:
    """The families above are those that are really waited for: with the first `learn` they are there."""
    loaded = loaded_by(_OPEN + _OBSERVE + 'luna.learn(now="2026-03-01T09:01:00Z")')
    assert [] != loaded.of({"cmemory.domain.propose"})
    assert [] != loaded.of({"cmemory.domain.admit"})


def test_no_module_compiles_its_patterns_when_it_is_loaded() -> None:
    """Patterns wait for their first use, wherever they stand; two are used to spell out others and tables."""
    loaded = loaded_by(_EVERY_MODULE)
    assert "cmemory.domain.propose.en_habits" in loaded.modules
    assert loaded.patterns <= 2


def test_every_pattern_can_be_compiled() -> None:
    """A mistake in a pattern shows here, not when somebody first says what it is for."""
    at_once = "import cmemory.domain.pattern\ncmemory.domain.pattern.lazy_pattern = re.compile\n"
    assert loaded_by(at_once + _EVERY_MODULE).patterns > 300
