"""Draws bars with intervals as SVG, without anybody's help."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import attrs

#: Points.
_LABEL, _WIDE, _HIGH, _GAP, _EDGE = 420, 400, 18, 6, 10
_TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)


@attrs.frozen(kw_only=True)
class Bar:
    """One value and the bounds of its interval, 0 to 1."""

    label: str
    value: float
    low: float
    high: float


def bars(title: str, shown: Sequence[Bar]) -> str:
    """Return horizontal bars, the first on top, over an axis from 0 to 1."""
    top = 2 * _HIGH + _EDGE
    bottom = top + len(shown) * (_HIGH + _GAP)
    ticks = "".join(_tick(at, top, bottom) for at in _TICKS)
    drawn = "".join(_bar(one, top + at * (_HIGH + _GAP)) for at, one in enumerate(shown))
    width, height = _LABEL + _WIDE + 6 * _EDGE, bottom + 2 * _EDGE
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'font-family="sans-serif" font-size="12">\n'
        f'<rect width="100%" height="100%" fill="white"/>\n'
        f'<text x="{_EDGE}" y="{_HIGH}" font-weight="bold">{escape(title)}</text>\n{ticks}{drawn}</svg>'
    )


def _across(value: float) -> float:
    return round(_LABEL + value * _WIDE, 1)


def _tick(at: float, top: int, bottom: int) -> str:
    x = _across(at)
    return (
        f'<line x1="{x}" y1="{top}" x2="{x}" y2="{bottom}" stroke="#ddd"/>'
        f'<text x="{x}" y="{top - 4}" text-anchor="middle" fill="#666">{at:.2f}</text>\n'
    )


def _bar(one: Bar, y: int) -> str:
    middle, text = y + _HIGH / 2, y + _HIGH - 5
    return (
        f'<text x="{_LABEL - _EDGE}" y="{text}" text-anchor="end">{escape(one.label)}</text>'
        f'<rect x="{_LABEL}" y="{y}" width="{round(one.value * _WIDE, 1)}" height="{_HIGH}" fill="#7a9cc6"/>'
        f'<line x1="{_across(one.low)}" y1="{middle}" x2="{_across(one.high)}" y2="{middle}" stroke="#223"/>'
        f'<text x="{_across(max(one.value, one.high)) + 4}" y="{text}">{one.value:.3f}</text>\n'
    )
