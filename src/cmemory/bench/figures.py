"""What measurements print: quantiles, means with intervals, and tables."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Sequence
from statistics import fmean
from typing import TypeVar

Number = TypeVar("Number", int, float)

#: Resamples for an interval, and the share of them inside it.
_RESAMPLES = 2_000
_INSIDE = 0.95


def quantile(values: Iterable[Number], share: float) -> Number:
    """Return the smallest of at least one value that a share (0–1) of the values does not exceed."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def mean_and_interval(values: Sequence[float]) -> tuple[float, float, float]:
    """Return the mean of at least one value, and the bounds that hold 95 % of resampled means; the seed is fixed."""
    draws = random.Random(0)  # noqa: S311 - a resample, not a secret
    means = sorted(fmean(draws.choices(values, k=len(values))) for _ in range(_RESAMPLES))
    edge = int(_RESAMPLES * (1 - _INSIDE) / 2)
    return fmean(values), means[edge], means[-1 - edge]


def markdown(head: Sequence[str], rows: Iterable[Sequence[object]], *, texts: int = 1) -> str:
    """Return a Markdown table; so many columns are text, from the left, and the others are numbers."""
    lines = [head, [*["---"] * texts, *["--:"] * (len(head) - texts)], *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)
