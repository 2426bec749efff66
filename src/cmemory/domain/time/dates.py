"""Which civil day a phrase means: a table of small rules, one per way of saying it."""

from __future__ import annotations

from datetime import date

from cmemory.domain.time import phrases_en, phrases_zh

_RULES = (*phrases_zh.DAY_RULES, *phrases_en.DAY_RULES)


def resolve_day(phrase: str, today: date) -> date | None:
    """Return the single day a phrase names, seen from today, or None when it names none or no existing one.

    The whole phrase must be the name of a day; surrounding white space is ignored.
    """
    for pattern, day in _RULES:
        match = pattern.fullmatch(phrase.strip())
        if match is not None:
            try:
                return day(match, today)
            except (ValueError, OverflowError):
                return None
    return None
