"""Compares an answer with what a vector expects, as any host in any language could.

Further keys in an answer are allowed. ``{"any": …}`` accepts anything, ``{"contains": […]}`` a text with
these words in it, whatever their case, and ``{"one_of": […]}`` one of several values.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator


def differences(expected: object, actual: object, path: str = "$") -> Iterator[str]:
    """Yield what is wrong with an answer, by its place."""
    if isinstance(expected, dict) and len(expected) == 1 and next(iter(expected)) in _MATCHERS:
        yield from _special(expected, actual, path)
    elif isinstance(expected, dict):
        yield from _objects(expected, actual, path)
    elif isinstance(expected, list):
        yield from _lists(expected, actual, path)
    elif not _same(expected, actual):
        yield f"{path}: {_short(actual)} instead of {_short(expected)}"


_MATCHERS = frozenset({"any", "contains", "one_of"})


def _special(expected: dict[str, object], actual: object, path: str) -> Iterator[str]:
    ((kind, wanted),) = expected.items()
    if kind == "one_of" and isinstance(wanted, list):
        if all(any(differences(one, actual, path)) for one in wanted):
            yield f"{path}: {_short(actual)} is none of {_short(wanted)}"
    elif kind == "contains" and isinstance(wanted, list):
        text = actual.casefold() if isinstance(actual, str) else ""
        if not isinstance(actual, str) or any(str(word).casefold() not in text for word in wanted):
            yield f"{path}: {_short(actual)} does not contain {_short(wanted)}"


def _objects(expected: dict[str, object], actual: object, path: str) -> Iterator[str]:
    if not isinstance(actual, dict):
        yield f"{path}: {_short(actual)} is no object"
        return
    for key, value in expected.items():
        if key in actual:
            yield from differences(value, actual[key], f"{path}.{key}")
        else:
            yield f"{path}.{key}: is missing"


def _lists(expected: list[object], actual: object, path: str) -> Iterator[str]:
    if not isinstance(actual, list) or len(actual) != len(expected):
        yield f"{path}: {_short(actual)} instead of {len(expected)} entries"
        return
    for at, (one, other) in enumerate(zip(expected, actual, strict=True)):
        yield from differences(one, other, f"{path}[{at}]")


def _same(expected: object, actual: object) -> bool:
    if isinstance(expected, bool) or isinstance(actual, bool):
        return expected is actual
    if isinstance(expected, (int, float)) and isinstance(actual, (int, float)):
        return math.isclose(expected, actual, rel_tol=1e-9, abs_tol=1e-9)
    return type(expected) is type(actual) and expected == actual


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 200 else f"{text[:199]}…"
