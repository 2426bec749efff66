"""What counts as a value of each kind, and when two values mean the same."""

from __future__ import annotations

import json
import math
import re

from cmemory.domain.model.bodies import Value
from cmemory.domain.pattern import lazy_pattern
from cmemory.domain.predicates.registry import Predicate, ValueKind
from cmemory.domain.text.normal import fold

_NUMBER = lazy_pattern(r"[+-]?[0-9]+(?:\.[0-9]+)?")
_DATE = lazy_pattern(r"[0-9]{4}(?:-[0-9]{2}(?:-[0-9]{2})?)?")
_CLOCK = lazy_pattern(r"[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:[.:].*)?)?", re.DOTALL)
_OFFSET = lazy_pattern(r"[0-9]{4}")
_DATE_SEPARATOR = lazy_pattern(r"[Tt ]")

#: What each kind asks for, in the words of a refusal.
_EXPECTATION = {
    ValueKind.TEXT: "a non-blank text",
    ValueKind.ENUM: "one of its enum tokens, exactly",
    ValueKind.NUMBER: "a finite number or numeric text",
    ValueKind.DATE: "an ISO 8601 date such as 2026-06-10",
    ValueKind.DURATION: "a text or an object",
    ValueKind.ENTITY_REF: "the non-blank name of an entity",
}


def accept(predicate: Predicate, value: object) -> Value | None:
    """Return the value when it fits the predicate, else None. Nothing is ever coerced."""
    if isinstance(value, str):
        return value if _text_fits(predicate, value) else None
    if predicate.kind is ValueKind.NUMBER and isinstance(value, (int, float)) and not isinstance(value, bool):
        return value if math.isfinite(value) else None
    return None


def expectation(predicate: Predicate) -> str:
    """Return in a few words what the predicate wants."""
    return _EXPECTATION[predicate.kind]


def _text_fits(predicate: Predicate, text: str) -> bool:
    kind = predicate.kind
    if kind is ValueKind.ENUM:
        return text in predicate.enum_values
    if kind is ValueKind.NUMBER:
        return _NUMBER.fullmatch(text.strip()) is not None
    if kind is ValueKind.DATE:
        return is_iso_date(text)
    return bool(text.strip())


def is_iso_date(text: str) -> bool:
    """Tell whether a text has the shape of an ISO 8601 date, month, year or date with a time of day.

    >>> [is_iso_date(text) for text in ("2026-06", "2026-06-10T14:00+08:00", "next Wednesday", "2026-6-10")]
    [True, True, False, False]
    """
    parts = _DATE_SEPARATOR.split(text.strip(), maxsplit=1)
    if _DATE.fullmatch(parts[0]) is None:
        return False
    if len(parts) == 1:
        return True
    clock = parts[1].strip()
    if clock[-1:] in ("Z", "z"):
        clock = clock[:-1]
    else:
        sign = max(clock.rfind("+"), clock.rfind("-"))
        if sign >= 0:
            if _OFFSET.fullmatch(clock[sign + 1 :].replace(":", "")) is None:
                return False
            clock = clock[:sign]
    return _CLOCK.fullmatch(clock) is not None


def is_coarser_date(incoming: str, incumbent: str) -> bool:
    """Tell whether a date only repeats the beginning of a finer one, such as ``2026-06`` after ``2026-06-10``."""
    return incumbent.strip().startswith(incoming.strip()) and incumbent.strip() != incoming.strip()


def normal_value(value: object) -> str:
    """Return the form in which values are compared: texts folded, everything else compact JSON.

    >>> normal_value("  New   York "), normal_value(1990)
    ('new york', '1990')
    """
    if isinstance(value, str):
        return fold(value)
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def equivalent(one: object, other: object) -> bool:
    """Tell whether two values mean the same: equal after folding, with no synonyms and no guessing."""
    return normal_value(one) == normal_value(other)
