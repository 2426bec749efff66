"""Reads JSON out of what a language model wrote. Nothing here raises: what cannot be used is absent.

An answer is untrusted text. It may be prose, cut off, nested a thousand levels deep, or megabytes long.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from cmemory.domain.errors import UsageError
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.measure import clamp_unit
from cmemory.domain.text.normal import is_well_formed

#: Code points. The longest answer a prompt asks for is below 4,000; far beyond that it is a runaway, not an
#: answer.
MAX_ANSWER_CHARS = 65_536

#: Digits of the largest whole number that is read; more would not fit the 64 bits of any store.
_MAX_DIGITS = 18

#: Where models that think aloud end their thoughts.
_THOUGHT_END = "</think>"

#: Stands for an object that names one key twice: nobody can tell which of the values is meant.
_AMBIGUOUS = object()


def read_items(answer: object) -> list[object] | None:
    """Return the items of an answer, or None when it cannot be read.

    Taken is what stands from the first ``[`` to the last ``]``, or an object with a list ``items``, or one
    bare item; prose, code fences and thoughts around it do not matter.

    >>> read_items('Here you are: [{"kind": "no_memory"}] Anything else?')
    [{'kind': 'no_memory'}]
    """
    for text in _readings(answer):
        for document in _documents(text):
            items = _as_items(_decode(document))
            if items is not None:
                return items
    return None


def read_object(answer: object) -> Mapping[str, Any] | None:
    """Return the one object of an answer, or None when it cannot be read.

    Taken is what stands from the first ``{`` to the last ``}``.

    >>> read_object('Sure! {"valence": 0.5}'), read_object('{"valence": 0.5} or {"valence": 1}')
    ({'valence': 0.5}, None)
    """
    for text in _readings(answer):
        decoded = _decode(text[text.find("{") : text.rfind("}") + 1])
        if isinstance(decoded, dict):
            return decoded
    return None


def _readings(answer: object) -> tuple[str, ...]:
    """Return what may be read of an answer: all of it, or what follows the model's thoughts."""
    if not isinstance(answer, str) or len(answer) > MAX_ANSWER_CHARS:
        return ()
    _, thought_end, spoken = answer.rpartition(_THOUGHT_END)
    return (answer, spoken) if thought_end else (answer,)


def read_text(item: Mapping[str, Any], key: str) -> str | None:
    """Return a field that is a text one can read and store, else None."""
    text = item.get(key)
    return text if isinstance(text, str) and text.strip() and is_well_formed(text) else None


def read_unit(item: Mapping[str, Any], key: str) -> float | None:
    """Return a field that is a number, held within 0 and 1."""
    number = read_number(item, key)
    return None if number is None else clamp_unit(number)


def read_number(item: Mapping[str, Any], key: str) -> float | None:
    """Return a field that is a number; truth values and infinities are none."""
    number = item.get(key)
    if isinstance(number, bool) or not isinstance(number, (int, float)) or not math.isfinite(number):
        return None
    return number


def read_moment(item: Mapping[str, Any], key: str, *, after: Instant) -> Instant | None:
    """Return a field that is an ISO 8601 instant with a zone and lies after another, else None."""
    text = item.get(key)
    if not isinstance(text, str):
        return None
    try:
        moment = Instant.parse(text, field=key)
    except UsageError:
        return None
    return moment if moment > after else None


def _documents(text: str) -> list[str]:
    """Return the stretches that may hold the items: first an object, if it begins before the array."""
    array, whole = ((text.find(opening), text.rfind(closing)) for opening, closing in ("[]", "{}"))
    # An object that begins within the array is one of its items, and says nothing once the array is broken.
    bounds = [array] if 0 <= array[0] < whole[0] else [whole, array]
    return [text[start : end + 1] for start, end in bounds if 0 <= start < end]


def _decode(document: str) -> object:
    try:
        return json.loads(
            document,
            object_pairs_hook=_object,
            parse_int=_whole,
            parse_constant=_no_number,
        )
    except (ValueError, RecursionError):
        return None


def _as_items(decoded: object) -> list[object] | None:
    if isinstance(decoded, dict):
        decoded = [decoded] if "kind" in decoded else decoded.get("items")
    return decoded if isinstance(decoded, list) else None


def _object(pairs: list[tuple[str, object]]) -> object:
    found = dict(pairs)
    return found if len(found) == len(pairs) else _AMBIGUOUS


def _whole(digits: str) -> int | None:
    return int(digits) if len(digits) <= _MAX_DIGITS else None


def _no_number(constant: str) -> None:
    """Read NaN and the infinities, which are no JSON, as null."""
