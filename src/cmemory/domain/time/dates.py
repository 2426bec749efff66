"""Which civil day a phrase means: a table of small rules, one per way of saying it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date

import attrs

from cmemory.domain.text.tokens import is_cjk
from cmemory.domain.time import phrases_en, phrases_zh

_RULES = (*phrases_zh.DAY_RULES, *phrases_en.DAY_RULES)

#: Feasts whose names are numbers as well, so that inside a sentence nobody can tell.
_NUMBERS = frozenset({"五一", "六一", "十一"})


@attrs.frozen
class NamedDay:
    """A day that a text names, and where it does so: code points, the end exclusive."""

    start: int
    end: int
    day: date


def resolve_day(phrase: str, today: date) -> date | None:
    """Return the single day a phrase names, seen from today, or None when it names none or no existing one.

    The whole phrase must be the name of a day; surrounding white space is ignored.
    """
    for pattern, rule in _RULES:
        match = pattern.fullmatch(phrase.strip())
        if match is not None:
            return _existing(rule, match, today)
    return None


def named_days(text: str, today: date) -> tuple[NamedDay, ...]:
    """Return the days that a text names, seen from today, in their order; of names that overlap the longest.

    >>> [(one.start, one.end, str(one.day)) for one in named_days("周三复查，下周一上班", date(2026, 3, 1))]
    [(0, 2, '2026-03-04'), (5, 8, '2026-03-02')]
    """
    found: list[NamedDay] = []
    for one in sorted(_names(text, today), key=lambda one: (one.start - one.end, one.start)):
        if all(one.end <= other.start or other.end <= one.start for other in found):
            found.append(one)
    return tuple(sorted(found, key=lambda one: one.start))


def _names(text: str, today: date) -> Iterator[NamedDay]:
    for pattern, rule in _RULES:
        for match in pattern.finditer(text):
            start, end = match.span()
            if (
                start < end
                and match.group() not in _NUMBERS
                and not (_inside(text, start) or _inside(text, end))
            ):
                day = _existing(rule, match, today)
                if day is not None:
                    yield NamedDay(start, end, day)


def _inside(text: str, at: int) -> bool:
    """Tell whether a place lies inside a Latin word or a number."""
    return 0 < at < len(text) and all(ch.isalnum() and not is_cjk(ch) for ch in (text[at - 1], text[at]))


def _existing(rule: Callable[[re.Match[str], date], date], match: re.Match[str], today: date) -> date | None:
    try:
        return rule(match, today)
    except (ValueError, OverflowError):
        return None
