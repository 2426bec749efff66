"""Reads single values out of JSON that others wrote: what is needed must be right, the rest is ignored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cmemory.adapters import wire
from cmemory.adapters.files.lines import Line
from cmemory.domain.errors import WireError
from cmemory.domain.text.normal import is_well_formed


def parsed(line: Line) -> Any:
    """Return the data of a line.

    Raises:
        WireError: it is no JSON.
    """
    return wire.parse(line.text, path=line.place)


def as_object(data: object, place: str) -> Mapping[str, Any]:
    """Return the data as an object.

    Raises:
        WireError: it is none.
    """
    if not isinstance(data, dict):
        raise WireError(path=place, problem="must be an object")
    return data


def object_at(data: Mapping[str, Any], key: str, place: str) -> Mapping[str, Any]:
    """Return the object under a key.

    Raises:
        WireError: it is missing or no object.
    """
    return as_object(_needed(data, key, place), f"{place}.{key}")


def list_at(data: Mapping[str, Any], key: str, place: str) -> list[Any]:
    """Return the list under a key.

    Raises:
        WireError: it is missing or no list.
    """
    found = _needed(data, key, place)
    if not isinstance(found, list):
        raise WireError(path=f"{place}.{key}", problem="must be a list")
    return found


def text_at(data: Mapping[str, Any], key: str, place: str) -> str:
    """Return the text under a key.

    Raises:
        WireError: it is missing, no text, or holds what no text may hold.
    """
    return as_text(_needed(data, key, place), f"{place}.{key}")


def optional_text(data: Mapping[str, Any], key: str, place: str) -> str | None:
    """Return the text under a key, None when it is absent or null.

    Raises:
        WireError: it is something else.
    """
    return None if data.get(key) is None else text_at(data, key, place)


def as_text(data: object, place: str) -> str:
    """Return a text that can be kept: no lone surrogate, no NUL.

    Raises:
        WireError: it is no text, or not such a one.
    """
    if not isinstance(data, str):
        raise WireError(path=place, problem="must be a string")
    if not is_well_formed(data):
        raise WireError(path=place, problem="holds a lone surrogate and cannot be encoded as UTF-8")
    if "\x00" in data:
        raise WireError(path=place, problem="holds a NUL character")
    return data


def _needed(data: Mapping[str, Any], key: str, place: str) -> Any:
    if key not in data:
        raise WireError(path=f"{place}.{key}", problem="is missing")
    return data[key]
