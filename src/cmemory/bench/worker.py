"""Measures the worker from outside, as a host sees it: one request line out, one answer line back.

``python -m cmemory.bench.worker [--records 100,1000,10000] [--seconds 1] [--json]``

For each size a database of made-up facts in English and Chinese is filled, a worker is started on it, and every operation is
asked again and again for so many seconds. The facts are ours and the same on every run; only the times differ.
"""

from __future__ import annotations

import argparse
import itertools
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import attrs

from cmemory.bench.figures import quantile
from cmemory.domain.evidence.quote import quote_at
from cmemory.domain.model.candidate import ClaimCandidate
from cmemory.domain.model.instant import Instant
from cmemory.memory import Memory

#: Facts that one message states while a database is filled, and candidates of the large admission.
BATCH = 50

#: Requests that are sent before any is timed: the worker compiles its patterns and reads the roster.
WARM_UP = 3

#: Most requests of one operation, however fast it is.
MOST = 5_000

_SCOPE = {"service_id": "bench", "owner_user_id": "u-1", "companion_profile_id": "luna"}
_START = Instant.parse("2026-03-01T09:00:00Z")
_KEYS = (
    "goal.current_focus",
    "ritual.recurring_activity",
    "goal.long_term_objective",
    "open_loop.pending_action",
)
_THINGS = (
    ("mend the blue kite", "修好蓝色风筝"),
    ("learn the second cello suite", "练会第二首大提琴组曲"),
    ("sort the letters from Porto", "整理从波尔图寄来的信"),
    ("plant basil on the balcony", "在阳台上种罗勒"),
    ("read the atlas of rivers", "读完那本河流地图集"),
    ("bake rye bread before dawn", "天亮前烤黑麦面包"),
    ("walk along the old canal", "沿着老运河散步"),
    ("draw the lighthouse in winter", "画冬天的灯塔"),
)
_ASKED = ("How is the cello suite going?", "波尔图的信整理得怎么样了？", "Good morning!", "罗勒发芽了吗？")


@attrs.frozen(kw_only=True)
class Row:
    """What one operation took at one size."""

    records: int
    operation: str
    requests: int
    p50_ms: float
    p95_ms: float
    per_second: float

    def line(self) -> str:
        """Return the row of the Markdown table."""
        return (
            f"| {self.records:,} | {self.operation} | {self.requests} | {self.p50_ms:.2f} | {self.p95_ms:.2f} "
            f"| {self.per_second:,.0f} |"
        )


HEADER = "| records | operation | requests | p50 ms | p95 ms | requests/s |\n|--:|---|--:|--:|--:|--:|"


class Worker:
    """A running worker and the pipe to it."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._ids = itertools.count(1)

    def ask(self, op: str, params: Mapping[str, object]) -> Mapping[str, Any]:
        """Return the result of one request.

        Raises:
            RuntimeError: the worker refused it, or has ended.
        """
        line = json.dumps(
            {"version": 1, "id": str(next(self._ids)), "op": op, "params": params}, ensure_ascii=False
        )
        assert self._process.stdin is not None and self._process.stdout is not None  # noqa: S101 - both are pipes
        self._process.stdin.write(line.encode("utf-8") + b"\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline() or b"null")
        if not isinstance(answer, dict) or not answer.get("ok"):
            raise RuntimeError(f"the worker did not answer {op}: {answer}")
        result: Mapping[str, Any] = answer["result"]
        return result


@contextmanager
def running(database: Path) -> Iterator[Worker]:
    """Start a worker on a database and end it with the block."""
    command = [sys.executable, "-m", "cmemory", "worker", "--database", str(database)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603 - our own program
    with process:
        yield Worker(process)
        assert process.stdin is not None  # noqa: S101 - it is a pipe
        process.stdin.close()


def fact(number: int) -> str:
    """Return the words of a made-up fact, English and Chinese in turn; no two are equal.

    >>> fact(0), fact(9)
    ('mend the blue kite number 0', '练会第二首大提琴组曲，第9件')
    """
    english, chinese = _THINGS[number % len(_THINGS)]
    return f"{english} number {number}" if number // len(_THINGS) % 2 == 0 else f"{chinese}，第{number}件"


def fill(database: Path, records: int) -> None:
    """Make a database with so many active claims, admitted like any other."""
    with Memory.open(database) as memory:
        luna = memory.scope(service="bench", owner="u-1", profile="luna")
        for first in range(0, records, BATCH):
            facts = range(first, min(first + BATCH, records))
            text = _said(facts)
            answers = luna.admit(
                text, [_candidate(text, number) for number in facts], at=_START.plus(seconds=first)
            )
            if not all(answer.stored for answer in answers):
                raise RuntimeError("a made-up fact was refused")


def _said(numbers: Sequence[int]) -> str:
    return "\n".join(f"{fact(number)}。" for number in numbers)


def _candidate(text: str, number: int) -> ClaimCandidate:
    start = text.index(fact(number) + "。")
    quote = quote_at(text, start, start + len(fact(number)) + 1)
    return ClaimCandidate(
        id=f"c{number}", predicate=_KEYS[number % len(_KEYS)], value=fact(number), quote=quote, confidence=0.8
    )


class Requests:
    """Makes the requests of each operation; no two admissions are alike, and each forgetting finds something."""

    def __init__(self, records: int) -> None:
        self._next = records
        self._forgettable = iter(range(records))
        self._seconds = itertools.count(1_000_000)

    def health(self) -> dict[str, object]:
        """Ask what the worker speaks."""
        return {}

    def warm(self) -> dict[str, object]:
        """Ask for the plan of a turn."""
        message = _ASKED[next(self._seconds) % len(_ASKED)]
        return {"scope": _SCOPE, "current_message": message, "now": self._now(), "turn_key": "t"}

    def admit(self, count: int) -> dict[str, object]:
        """Propose so many facts from one message."""
        numbers = range(self._next, self._next + count)
        self._next += count
        text = _said(numbers)
        source = {"id": f"m{numbers[0]}", "session_id": "s", "text": text}
        candidates = [_spelt(_candidate(text, number)) for number in numbers]
        return {
            "scope": _SCOPE,
            "source": source,
            "candidates": candidates,
            "episodes": [],
            "pending": [],
            "now": self._now(),
        }

    def query(self) -> dict[str, object]:
        """Search."""
        terms = _ASKED[next(self._seconds) % 2]
        return {
            "scope": _SCOPE,
            "action": "search",
            "terms": terms,
            "current_message": terms,
            "now": self._now(),
        }

    def forget(self) -> dict[str, object]:
        """Ask for one record to be erased."""
        name = f"claim-c{next(self._forgettable)}"
        said = f"Please forget {name}."
        return {
            "scope": _SCOPE,
            "action": "forget",
            "record_id": name,
            "current_message": said,
            "now": self._now(),
        }

    def session_closed(self) -> dict[str, object]:
        """End a conversation."""
        return {"scope": _SCOPE, "session_id": "s", "now": self._now()}

    def _now(self) -> str:
        return str(_START.plus(seconds=next(self._seconds)))


def _spelt(one: ClaimCandidate) -> dict[str, object]:
    return {
        "id": one.id,
        "predicate": one.predicate,
        "value": one.value,
        "quote": one.quote.text,
        "start_offset": one.quote.start,
        "end_offset": one.quote.end,
        "confidence": one.confidence,
    }


def measure(records: int, seconds: float, folder: Path) -> list[Row]:
    """Return what every operation takes on a database with so many records.

    Those that change nothing come first, those that add most come last, so that the size stays what it is called.
    """
    database = folder / f"{records}.db"
    fill(database, records)
    requests = Requests(records)
    operations: tuple[tuple[str, str, Callable[[], dict[str, object]]], ...] = (
        ("health", "health", requests.health),
        ("warm", "warm", requests.warm),
        ("query", "query", requests.query),
        ("session_closed", "session_closed", requests.session_closed),
        ("forget", "forget", requests.forget),
        ("warm after an admit", "warm", requests.warm),
        ("admit, 1 candidate", "admit", lambda: requests.admit(1)),
        (f"admit, {BATCH} candidates", "admit", lambda: requests.admit(BATCH)),
    )
    # Half of the records at most are forgotten, and half as many more are added by each kind of admission.
    most = max(WARM_UP + 1, min(MOST, records // 2))
    with running(database) as worker:
        return [
            _row(
                records, name, _timed(worker, op, make, seconds, most=most, before=_changing(name, requests))
            )
            for name, op, make in operations
        ]


def _changing(name: str, requests: Requests) -> Callable[[], dict[str, object]] | None:
    """Return what makes the worker's plan stale before each request, where that is what is measured."""
    return (lambda: requests.admit(1)) if name.startswith("warm after") else None


def _timed(
    worker: Worker,
    op: str,
    make: Callable[[], dict[str, object]],
    seconds: float,
    *,
    most: int,
    before: Callable[[], dict[str, object]] | None,
) -> list[float]:
    """Return how long each request took, in seconds."""
    taken: list[float] = []
    end = time.perf_counter() + seconds
    while len(taken) < most + WARM_UP and (len(taken) <= WARM_UP or time.perf_counter() < end):
        if before is not None:
            worker.ask("admit", before())
        params = make()
        started = time.perf_counter()
        worker.ask(op, params)
        taken.append(time.perf_counter() - started)
    return taken[WARM_UP:]


def _row(records: int, name: str, taken: list[float]) -> Row:
    return Row(
        records=records,
        operation=name,
        requests=len(taken),
        p50_ms=quantile(taken, 0.50) * 1000,
        p95_ms=quantile(taken, 0.95) * 1000,
        per_second=len(taken) / sum(taken),
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table, or the rows as JSON."""
    parser = argparse.ArgumentParser(
        prog="python -m cmemory.bench.worker", description=(__doc__ or "").split("\n")[0]
    )
    configure(parser)
    parser.add_argument("--json", action="store_true", help="print the rows as JSON")
    options = parser.parse_args(arguments)
    rows = run(options.records, options.seconds)
    if options.json:
        sys.stdout.write(json.dumps({"rows": [attrs.asdict(row) for row in rows]}, indent=2) + "\n")
    else:
        sys.stdout.write(table(rows) + "\n")
    return 0


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options of the measurement."""
    parser.add_argument(
        "--records",
        type=_sizes,
        default=(100, 1_000, 10_000),
        metavar="N,N",
        help="sizes; 100,1000,10000 unless given",
    )
    parser.add_argument("--seconds", type=float, default=1.0, help="for each operation; 1 unless given")


def run(sizes: Sequence[int], seconds: float) -> list[Row]:
    """Return the rows of all sizes."""
    with tempfile.TemporaryDirectory(prefix="cmemory-bench-") as folder:
        return [row for records in sizes for row in measure(records, seconds, Path(folder))]


def table(rows: Sequence[Row]) -> str:
    """Return the rows as a Markdown table."""
    return "\n".join((HEADER, *(row.line() for row in rows)))


def _sizes(text: str) -> tuple[int, ...]:
    try:
        sizes = tuple(int(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError("must be numbers with commas between them") from None
    if any(not 10 <= size <= 1_000_000 for size in sizes):
        raise argparse.ArgumentTypeError("must be from 10 to 1000000")
    return sizes


if __name__ == "__main__":
    sys.exit(main())
