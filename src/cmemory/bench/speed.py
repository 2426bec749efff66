"""Measures the library in its own process: turns, searches, admissions, forgetting, opening, memory and import.

``python -m cmemory.bench.speed [--records 1000,10000] [--seconds 2] [--vs fts5,chroma] [--envs DIR] [--json]``

For each size a fresh database is filled with made-up records, every one admitted like any other; a fresh process opens
it and asks. The records are ours and the same on every run; only the times differ. With ``--vs`` other memories are
given the same words; see `cmemory.bench.speed_peers`.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import attrs

from cmemory.bench.figures import markdown, quantile
from cmemory.bench.speed_harness import rss_mb
from cmemory.bench.speed_peers import PEERS, Outcome, compare, table
from cmemory.bench.speed_talk import Told, asked, told
from cmemory.domain.model.candidate import Admission
from cmemory.domain.model.instant import Instant
from cmemory.memory import Memory, ScopedMemory

T = TypeVar("T")

#: Facts of one message while a database is filled.
_FILLED_AT_ONCE = 5

#: Candidates of the large admission.
BATCH = 50

#: Candidates of a very large one, such as an import brings; only where it is a small part of what is there.
LARGE_BATCH = 500

#: Most requests of one operation, however fast it is.
_MOST = 5_000

#: Requests before any is timed.
_WARM_UP = 3

_START = Instant.parse("2026-03-01T09:00:00Z")

#: Processes that are timed for importing.
_IMPORTS = 7

_IMPORT = "import time; began = time.perf_counter(); {}; print(time.perf_counter() - began)"

#: What is imported: the package, and the class most hosts begin with.
_IMPORTED = ("import cmemory", "from cmemory import Memory")


@attrs.frozen(kw_only=True)
class Row:
    """What one operation took at one size."""

    records: int
    operation: str
    #: How often it was asked.
    times: int
    best_ms: float
    p50_ms: float
    p95_ms: float
    #: Time the processor worked on it, p50: less moved by what else runs on the machine.
    cpu_ms: float
    #: Requests each second; records each second where several are admitted at once.
    per_second: float


@attrs.frozen(kw_only=True)
class Size:
    """What a database of one size weighs."""

    records: int
    #: Records admitted each second while it was filled, five to a message.
    filled_per_second: float
    open_ms: float
    #: The first plan of a process, which reads every record.
    first_prepare_ms: float
    #: Resident memory once it is open, and once plans were made.
    rss_open_mb: float
    rss_mb: float
    file_mb: float


@attrs.frozen(kw_only=True)
class Report:
    """Everything that was measured."""

    #: Milliseconds of an import in a fresh process, the compiled files there already: the least, and half of them.
    imports: Mapping[str, tuple[float, float]]
    sizes: tuple[Size, ...]
    rows: tuple[Row, ...]
    peers: tuple[Outcome, ...] = ()

    def text(self) -> str:
        """Return the report in Markdown."""
        weights = markdown(
            ("records", "filled/s", "open ms", "first prepare ms", "RSS open MB", "RSS MB", "file MB"),
            (
                (
                    f"{one.records:,}",
                    f"{one.filled_per_second:,.0f}",
                    *(f"{figure:.1f}" for figure in attrs.astuple(one)[2:]),
                )
                for one in self.sizes
            ),
        )
        times = markdown(
            ("operation", "records", "times", "best ms", "p50 ms", "p95 ms", "CPU ms", "per second"),
            (
                (
                    one.operation,
                    f"{one.records:,}",
                    one.times,
                    *(f"{figure:.2f}" for figure in (one.best_ms, one.p50_ms, one.p95_ms, one.cpu_ms)),
                    f"{one.per_second:,.0f}",
                )
                for one in self.rows
            ),
        )
        told = (
            f"`{what}`: {best:.0f} ms at best, {p50:.0f} ms p50."
            for what, (best, p50) in self.imports.items()
        )
        parts = [" ".join(told), weights, times]
        if self.peers:
            parts.append(table(self.peers))
        return "\n\n".join(parts)


def import_times(what: str, folder: Path) -> tuple[float, float]:
    """Return the milliseconds of an import, each time in a process of its own: the least, and half of them."""
    # Compiled files go where they can be written, and the first process writes them.
    settings = {**os.environ, "PYTHONPYCACHEPREFIX": str(folder / "compiled")}
    settings.pop("PYTHONDONTWRITEBYTECODE", None)
    command = (sys.executable, "-c", _IMPORT.format(what))
    taken = [float(subprocess.check_output(command, env=settings)) * 1000 for _ in range(_IMPORTS + 1)]  # noqa: S603 - our own program
    return min(taken[1:]), quantile(taken[1:], 0.50)


def fill(database: Path, records: int) -> float:
    """Make a database with so many records, and return the seconds it took."""
    began = time.perf_counter()
    with Memory.open(database) as memory:
        luna = scope_of(memory)
        for first in range(0, records, _FILLED_AT_ONCE):
            admit(luna, range(first, min(first + _FILLED_AT_ONCE, records)))
    return time.perf_counter() - began


def scope_of(memory: Memory) -> ScopedMemory:
    """Return the relationship that is measured."""
    return memory.scope(service="bench", owner="u-1", profile="luna")


def admit(luna: ScopedMemory, numbers: Sequence[int]) -> None:
    """Put facts before admission.

    Raises:
        RuntimeError: one was refused.
    """
    admit_said(luna, told(numbers), second=numbers[0])


def admit_said(luna: ScopedMemory, said: Told, *, second: int) -> tuple[Admission, ...]:
    """Put what a message proposes before admission, and return the answers.

    Raises:
        RuntimeError: one was refused.
    """
    answers = luna.admit(said.text, list(said.candidates), at=_START.plus(seconds=second), message_id=said.id)
    if not all(answer.stored for answer in answers):
        raise RuntimeError("a made-up fact was refused")
    return answers


def measure(records: int, seconds: float, folder: Path) -> tuple[Size, list[Row]]:
    """Return what a database of so many records takes, as a fresh process sees it."""
    database = folder / f"{records}.db"
    filled = fill(database, records)
    command = [sys.executable, "-m", "cmemory.bench.speed", "--inside", str(database)]
    options = ["--records", str(records), "--seconds", str(seconds)]
    found = json.loads(subprocess.check_output([*command, *options]))  # noqa: S603 - our own program
    size = Size(filled_per_second=records / filled, **found["size"])
    return size, [Row(**row) for row in found["rows"]]


def inside(database: Path, records: int, seconds: float) -> dict[str, object]:
    """Return what is measured in one process on a database that is filled."""
    file_mb = os.path.getsize(database) / 1e6
    opened, memory = _timed(lambda: Memory.open(database))
    rss_open = rss_mb()
    luna = scope_of(memory)
    clock = iter(range(records, 10**9))

    def now() -> Instant:
        return _START.plus(seconds=next(clock) + 1)

    first, _ = _timed(lambda: luna.prepare(asked(0), now=now()))
    moved = iter(range(records, 10**9))
    forgotten = iter(range(0, records, 5))

    def prepare(turn: int) -> None:
        luna.prepare(asked(turn), now=now())

    def admit_some(count: int) -> Callable[[int], None]:
        return lambda _: admit(luna, [next(moved) for _ in range(count)])

    def forget(_: int) -> None:
        luna.forget(f"claim-c{next(forgotten)}", now=now())

    def search(turn: int) -> None:
        luna.search(asked(turn), message=asked(turn), now=now())

    def search_said(turn: int) -> None:
        luna.search(asked(turn), kind="utterance", message=asked(turn), now=now())

    operations: tuple[tuple[str, Callable[[int], None], Callable[[int], None] | None, int], ...] = (
        ("prepare", prepare, None, 1),
        ("search records", search, None, 1),
        ("search utterances", search_said, None, 1),
        ("prepare after an admission", prepare, admit_some(1), 1),
        ("admit, 1 candidate", admit_some(1), None, 1),
        (f"admit, {BATCH} candidates", admit_some(BATCH), None, BATCH),
        ("forget", forget, None, 1),
        ("prepare after forgetting", prepare, forget, 1),
    )
    if records >= 10 * LARGE_BATCH:
        large = (f"admit, {LARGE_BATCH} candidates", admit_some(LARGE_BATCH), None, LARGE_BATCH)
        operations = (*operations, large)
    rows, weight = [], 0.0
    for name, act, before, each in operations:
        # What changes the database may not make it much larger or smaller than it is called.
        most = (
            _MOST
            if before is None and act in (prepare, search, search_said)
            else max(5, records // 10 // each)
        )
        rows.append(_row(records, name, _repeated(act, before, seconds, most=most), each))
        weight = weight or rss_mb()
    memory.close()
    size = {
        "records": records,
        "open_ms": opened * 1000,
        "first_prepare_ms": first * 1000,
        "rss_open_mb": rss_open,
        "rss_mb": weight,
        "file_mb": file_mb,
    }
    return {"size": size, "rows": [attrs.asdict(row) for row in rows]}


def _timed(act: Callable[[], T]) -> tuple[float, T]:
    began = time.perf_counter()
    made = act()
    return time.perf_counter() - began, made


def _repeated(
    act: Callable[[int], None], before: Callable[[int], None] | None, seconds: float, *, most: int
) -> list[tuple[float, float]]:
    """Return how long it took each time, by the clock and by the processor."""
    taken: list[tuple[float, float]] = []
    end = time.perf_counter() + seconds
    while len(taken) < most + _WARM_UP and (len(taken) <= _WARM_UP or time.perf_counter() < end):
        turn = len(taken)
        if before is not None:
            before(turn)
        began, worked = time.perf_counter(), time.process_time()
        act(turn)
        taken.append((time.perf_counter() - began, time.process_time() - worked))
    return taken[_WARM_UP:]


def _row(records: int, name: str, taken: Sequence[tuple[float, float]], each: int) -> Row:
    times = [one for one, _ in taken]
    return Row(
        records=records,
        operation=name,
        times=len(times),
        best_ms=min(times) * 1000,
        p50_ms=quantile(times, 0.50) * 1000,
        p95_ms=quantile(times, 0.95) * 1000,
        cpu_ms=quantile((worked for _, worked in taken), 0.50) * 1000,
        per_second=each * len(times) / sum(times),
    )


def run(
    sizes: Sequence[int], seconds: float, peers: Sequence[str] = (), *, envs: Path | None = None
) -> Report:
    """Return what all sizes took, and the peers at each of them; their environments are kept in ``envs`` if given."""
    with tempfile.TemporaryDirectory(prefix="cmemory-speed-") as folder:
        imports = {what: import_times(what, Path(folder)) for what in _IMPORTED}
        measured = [measure(records, seconds, Path(folder)) for records in sizes]
        return Report(
            imports=imports,
            sizes=tuple(size for size, _ in measured),
            rows=tuple(row for _, rows in measured for row in rows),
            peers=tuple(compare(peers, sizes, Path(folder), envs=envs)) if peers else (),
        )


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the report, or all of it as JSON."""
    parser = argparse.ArgumentParser(
        prog="python -m cmemory.bench.speed", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument(
        "--records",
        type=sizes,
        default=(1_000, 10_000),
        metavar="N,N",
        help="sizes; 1000,10000 unless given",
    )
    parser.add_argument("--seconds", type=float, default=2.0, help="for each operation; 2 unless given")
    parser.add_argument("--vs", type=_peers, default=(), metavar="NAME,NAME", help=f"of {', '.join(PEERS)}")
    parser.add_argument(
        "--envs",
        type=Path,
        metavar="DIR",
        help="keep the environments of other memories here for the next time",
    )
    parser.add_argument("--json", action="store_true", help="print everything as JSON")
    parser.add_argument("--inside", metavar="FILE", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.inside:
        found: Mapping[str, object] = inside(Path(options.inside), options.records[0], options.seconds)
        sys.stdout.write(json.dumps(found))
        return 0
    report = run(options.records, options.seconds, options.vs, envs=options.envs)
    if options.json:
        sys.stdout.write(json.dumps(attrs.asdict(report), indent=2, ensure_ascii=False) + "\n")
    else:
        sys.stdout.write(report.text() + "\n")
    return 0


def sizes(text: str) -> tuple[int, ...]:
    """Return the sizes that a text names.

    Raises:
        argparse.ArgumentTypeError: it names none, or one that is too small or too large.
    """
    try:
        found = tuple(int(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError("must be numbers with commas between them") from None
    if any(not 50 <= size <= 2_000_000 for size in found):
        raise argparse.ArgumentTypeError("must be from 50 to 2000000")
    return found


def _peers(text: str) -> tuple[str, ...]:
    names = tuple(text.split(","))
    if set(names) - PEERS.keys():
        raise argparse.ArgumentTypeError(f"must be of {', '.join(PEERS)}")
    return names


if __name__ == "__main__":
    sys.exit(main())
