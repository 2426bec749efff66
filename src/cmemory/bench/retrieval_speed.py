"""Times searches over what was said, in a database of made-up messages."""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta, timezone
from pathlib import Path

from cmemory.bench.figures import markdown, quantile
from cmemory.domain.model.message import Message
from cmemory.memory import Memory, ScopedMemory

_PACE = timedelta(seconds=30)
_LATER = "2030-01-01T00:00:00Z"
_START = datetime(2026, 1, 1, tzinfo=timezone.utc)
#: Messages written at once, and messages of one session.
_BATCH, _SESSION = 1000, 40
#: Queries, and how often each is asked; its best time counts.
_QUERIES, _TIMES = 200, 5


def invent(count: int, rng: random.Random, *, chinese: bool) -> Iterator[str]:
    """Yield messages whose words are as unevenly spread as those of people."""
    size = 3000 if chinese else 20_000
    words = [chr(0x4E00 + 7 * at) for at in range(size)] if chinese else [f"w{at:x}q" for at in range(size)]
    weights = [1 / (at + 10) for at in range(size)]
    for _ in range(count):
        chosen = rng.choices(words, weights, k=rng.randrange(4, 25))
        yield ("" if chinese else " ").join(chosen) + rng.choice((".", "?", "。"))


def report(count: int, *, chinese: bool) -> str:
    """Return how long filling and searching takes."""
    rng = random.Random(7)  # noqa: S311 - made-up data
    texts = list(invent(count, rng, chinese=chinese))
    with tempfile.TemporaryDirectory() as folder, Memory.open(Path(folder) / "memory.db") as memory:
        luna = memory.scope(service="bench", owner="person", profile="luna")
        began = time.perf_counter()
        for first in range(0, count, _BATCH):
            luna.observe_many(_messages(luna, texts[first : first + _BATCH], first))
        took = time.perf_counter() - began
        said = rng.sample(texts, min(_QUERIES, count))
        asked = [text[:8] if chinese else " ".join(text.split()[:5]) for text in said]
        name = "eight characters" if chinese else "five words"
        table = markdown(
            ("ms", "median", "p95", "worst"),
            (_timed(name, luna, asked), _timed(f"{name}, one speaker", luna, asked, speaker="user")),
        )
        return f"{count} messages in {took:.1f} s, {memory.footprint().bytes / 2**20:.0f} MB\n\n{table}"


def _messages(luna: ScopedMemory, texts: Sequence[str], first: int) -> list[Message]:
    return [
        luna.message(
            text,
            session=f"s{at // _SESSION}",
            speaker="user" if at % 2 else "assistant",
            at=_START + at * _PACE,
        )
        for at, text in enumerate(texts, start=first)
    ]


def _timed(
    name: str, luna: ScopedMemory, asked: Sequence[str], *, speaker: str | None = None
) -> tuple[str, ...]:
    best = [float("inf")] * len(asked)
    for _ in range(_TIMES):
        for at, terms in enumerate(asked):
            began = time.perf_counter()
            luna.search(terms, kind="utterance", speaker=speaker, now=_LATER)
            best[at] = min(best[at], 1000 * (time.perf_counter() - began))
    return (name, *(f"{quantile(best, share):.1f}" for share in (0.5, 0.95, 1.0)))
