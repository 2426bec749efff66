"""Measures what comes with the library: the size of the core as it is installed, and the tokens of a turn.

``python -m cmemory.bench.weight [--json]``
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import attrs

import cmemory
from cmemory.bench import speed, window_cost, window_sets
from cmemory.bench.dataset import Dialogue
from cmemory.bench.figures import markdown, quantile
from cmemory.bench.speed_talk import asked
from cmemory.domain.plan.budget import estimate_tokens
from cmemory.memory import Memory

_NAME = re.compile(r"[\w.-]+")
#: Records of the made-up relationship, and turns in it.
RECORDS, TURNS = 1_000, 200
_NOW = "2026-03-02T09:00:00Z"


def core_sizes() -> Mapping[str, int]:
    """Return the bytes of each package that an installation without extras brings, compiled files left out.

    Raises:
        importlib.metadata.PackageNotFoundError: the library runs from its source and was not installed.
    """
    home = Path(cmemory.__file__).parent
    sizes = {"cmemory": sum(path.stat().st_size for path in _files(home))}
    for name in _required("cmemory"):
        files = importlib.metadata.files(name) or ()
        sizes[name] = sum(
            path.stat().st_size
            for file in files
            if (path := Path(str(file.locate()))).suffix != ".pyc" and path.is_file()
        )
    return sizes


def _files(home: Path) -> Iterator[Path]:
    return (path for path in home.rglob("*") if path.is_file() and path.suffix != ".pyc")


def _required(name: str) -> tuple[str, ...]:
    """Return the names of what a package requires, and of what that requires; this machine may need less."""
    found: list[str] = []
    waiting = [name]
    while waiting:
        for line in importlib.metadata.requires(waiting.pop()) or ():
            match = _NAME.match(line)
            if match is None or "extra ==" in line or match[0] in found:
                continue
            try:
                importlib.metadata.distribution(match[0])
            except importlib.metadata.PackageNotFoundError:
                continue
            found.append(match[0])
            waiting.append(match[0])
    return tuple(found)


@attrs.frozen(kw_only=True)
class Tokens:
    """What the plans of some turns put into the prompt, in estimated tokens."""

    name: str
    turns: int
    p50: int
    p95: int
    max: int


def own_talk() -> Tokens:
    """Return the tokens of each turn of our own conversation in two languages, learned from as it goes."""
    (case,) = window_sets.builtin()
    return dialogues("our own conversation", [Dialogue(name=case.name, language="", lines=case.lines)])


def dialogues(name: str, played: Sequence[Dialogue]) -> Tokens:
    """Return the tokens of each turn of at least one dialogue, learned from as it goes."""
    return _tokens(name, [turn.plan.tokens for one in played for turn in window_cost.play(one)])


def made_up(records: int = RECORDS, turns: int = TURNS) -> Tokens:
    """Return the tokens of turns in a relationship with so many made-up records."""
    with tempfile.TemporaryDirectory(prefix="cmemory-weight-") as folder:
        database = Path(folder) / "memory.db"
        speed.fill(database, records)
        with Memory.open(database) as memory:
            luna = speed.scope_of(memory)
            tokens = [estimate_tokens(luna.prepare(asked(turn), now=_NOW).text) for turn in range(turns)]
    return _tokens(f"{records:,} made-up records", tokens)


def _tokens(name: str, tokens: Sequence[int]) -> Tokens:
    return Tokens(
        name=name,
        turns=len(tokens),
        p50=quantile(tokens, 0.50),
        p95=quantile(tokens, 0.95),
        max=max(tokens),
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m cmemory.bench.weight", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args(arguments)
    sizes, turns = core_sizes(), (own_talk(), made_up())
    if options.json:
        print(json.dumps({"core": sizes, "turns": list(map(attrs.asdict, turns))}, indent=2))
        return 0
    print(markdown(("package", "MB"), [(name, f"{size / 1e6:.2f}") for name, size in sizes.items()]))
    print()
    print(markdown(("tokens of a turn", "turns", "p50", "p95", "max"), map(attrs.astuple, turns)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
