"""Counts what several processes acknowledged and what of it is there afterwards, kills included.

``python -m cmemory.bench.shared_file [--writes 100] [--kills 12] [--json]``

Two processes open one new file at the same time and remember a hundred facts each, one call and one acknowledgement at a
time. Then, again and again, two processes write to one file and one of them is killed without warning (SIGKILL) after a
number of acknowledgements that a fixed seed draws; the other goes on. Whatever a process acknowledged must be there when the
file is opened again, and nothing may contradict itself.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import attrs

from cmemory.bench.figures import markdown
from cmemory.memory import Memory, ScopedMemory

WRITES = 100
KILLS = 12
_NOW = "2026-03-01T09:00:00Z"
_LATER = "2026-03-02T09:00:00Z"
#: Acknowledgements after which a process is killed, at most.
_LONGEST = 40
#: More writes than anybody waits for.
_ENDLESS = 10**6


@attrs.frozen(kw_only=True)
class Shared:
    """What was acknowledged, and what is there."""

    #: Of two processes that both came to their end.
    acknowledged: int
    stored: int
    #: Of processes that were killed and those beside them: acknowledged, and of these missing.
    kills: int
    acknowledged_around_kills: int
    lost: int
    #: Findings of `Memory.selfcheck` over all files.
    findings: int


def measure(writes: int = WRITES, kills: int = KILLS) -> Shared:
    """Return what came of two processes on one file, and of killing one of two."""
    with tempfile.TemporaryDirectory(prefix="cmemory-shared-") as folder:
        file = Path(folder) / "memory.db"
        both = [_begun(file, name, writes) for name in ("one", "two")]
        told = {line for process in both for line in _rest(process)}
        stored, findings = _held(file)
        around, lost = 0, 0
        rng = random.Random(0)  # noqa: S311 - the same moments on every run
        for number in range(kills):
            file = Path(folder) / f"killed-{number}.db"
            acknowledged = _killed(file, rng.randint(1, _LONGEST), writes)
            held, found = _held(file)
            around += len(acknowledged)
            lost += len(acknowledged - held)
            findings += found
        return Shared(
            acknowledged=len(told),
            stored=len(told & stored),
            kills=kills,
            acknowledged_around_kills=around,
            lost=lost,
            findings=findings,
        )


def _begun(file: Path, name: str, writes: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "cmemory.bench.shared_file", "--inside", str(file)]
    options = ["--name", name, "--writes", str(writes)]
    return subprocess.Popen([*command, *options], stdout=subprocess.PIPE, text=True)  # noqa: S603 - our own program


def _rest(process: subprocess.Popen[str]) -> list[str]:
    """Return what a process acknowledges until it ends."""
    told, _ = process.communicate()
    return told.split()


def _killed(file: Path, after: int, writes: int) -> set[str]:
    """Return what two processes acknowledged, one of which was killed after so many acknowledgements."""
    beside = _begun(file, "beside", writes)
    doomed = _begun(file, "doomed", _ENDLESS)
    assert doomed.stdout is not None  # noqa: S101 - it was opened with a pipe
    heard = [doomed.stdout.readline().strip() for _ in range(after)]
    doomed.send_signal(signal.SIGKILL)
    # What it had acknowledged and nobody had read yet is acknowledged as well; a line that was cut short is not.
    heard += [line.strip() for line in doomed.stdout if line.endswith("\n")]
    doomed.stdout.close()
    doomed.wait()
    return {line for line in (*heard, *_rest(beside)) if line}


def _held(file: Path) -> tuple[set[str], int]:
    """Return the facts a file holds, and how many findings a look over it gives."""
    with Memory.open(file) as memory:
        values = {record.body.shown.rpartition(" ")[2] for record in _luna(memory).list(now=_LATER)}
        return values, len(memory.selfcheck(now=_LATER).findings)


def _luna(memory: Memory) -> ScopedMemory:
    return memory.scope(service="bench", owner="u-1", profile="luna")


def inside(file: Path, name: str, writes: int) -> None:
    """Remember facts one by one, and print the name of each once the library has acknowledged it."""
    with Memory.open(file) as memory:
        luna = _luna(memory)
        for number in range(writes):
            fact = f"{name}-{number}"
            (answer,) = luna.remember(f"I sort {fact}.", predicate="goal.current_focus", value=fact, at=_NOW)
            if answer.stored:
                print(fact, flush=True)


def report(found: Shared) -> str:
    """Return the counts as Markdown."""
    return markdown(
        ("two processes, one file", "count", "of"),
        (
            ("acknowledged writes that are there", found.stored, found.acknowledged),
            (
                f"acknowledged writes lost around {found.kills} kills",
                found.lost,
                found.acknowledged_around_kills,
            ),
            ("findings of a self-check over all files", found.findings, found.kills + 1),
        ),
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Count and print; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m cmemory.bench.shared_file", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--writes", type=int, default=WRITES, help=f"of each process; {WRITES} unless given")
    parser.add_argument("--kills", type=int, default=KILLS, help=f"{KILLS} unless given")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--inside", metavar="FILE", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--name", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.inside:
        inside(options.inside, options.name, options.writes)
        return 0
    found = measure(options.writes, options.kills)
    print(json.dumps(attrs.asdict(found), indent=2) if options.json else report(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
