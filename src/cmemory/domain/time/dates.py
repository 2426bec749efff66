"""Which civil day a phrase means."""

from __future__ import annotations

from datetime import date


def resolve_day(phrase: str, today: date) -> date | None:
    """Return the day a phrase names, seen from today, or None when it names no single day."""
    del phrase, today
    return None
