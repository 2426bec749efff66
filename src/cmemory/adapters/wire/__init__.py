"""How domain values are spelt in JSON, and what is refused on the way in.

The domain knows nothing of this module. Bodies and candidates carry their ``kind``, enums travel by value,
instants by their text, bytes as base64; nothing is guessed: unknown keys, missing keys and values of another type are
refused with the place at fault, and the refusal never repeats what was said.
"""

from __future__ import annotations

import functools
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

from cmemory.adapters.wire.spelling import TAG, camel, dump, parse
from cmemory.domain.model.bodies import Body

if TYPE_CHECKING:
    from cmemory.domain.model.candidate import Candidate

__all__ = [
    "TAG",
    "body_from_json",
    "body_to_json",
    "camel",
    "candidate_from_json",
    "dump",
    "from_json",
    "parse",
    "to_camel_json",
    "to_json",
]

T = TypeVar("T")


@functools.cache
def _converter() -> ModuleType:
    # A database that was only opened, or only written messages to, has spelt no value yet.
    from cmemory.adapters.wire import converter

    return converter


def to_json(value: object, shape: Any = None) -> Any:
    """Return the plain data of a domain value: dictionaries, lists, strings, numbers, booleans and None.

    Args:
        value: the domain value.
        shape: its declared type, such as ``AnyRecord`` or ``Body``; needed where a union has to be tagged.
    """
    return _converter().PLAIN.unstructure(value, shape)


def to_camel_json(value: object, shape: Any = None) -> Any:
    """Return the plain data of a domain value with its fields in camelCase, as the worker answers.

    Only the names of fields change: the keys of a mapping are data and stay as they are.

    Args:
        value: the domain value.
        shape: its declared type, as in `to_json`.
    """
    return _converter().camel_converter().unstructure(value, shape)


def from_json(data: object, shape: type[T], *, path: str = "$") -> T:
    """Return the domain value that plain data spells.

    Args:
        data: what `json.loads` returned.
        shape: the type that is wanted.
        path: where the data stands in a larger document; errors name places below it.

    Raises:
        WireError: a key is unknown or missing, or a value has the wrong type or lies out of bounds.
    """
    read: T = _converter().structured(data, shape, path)
    return read


def body_to_json(body: Body) -> dict[str, Any]:
    """Return the plain data of a body, its kind included."""
    spelt: dict[str, Any] = _converter().PLAIN.unstructure(body, Body)
    return spelt


def body_from_json(data: object, *, path: str = "$") -> Body:
    """Return the body that plain data spells.

    Raises:
        WireError: the data spells no body.
    """
    body: Body = from_json(data, Body, path=path)  # type: ignore[arg-type]  # a union is no class to mypy
    return body


def candidate_from_json(data: object, *, path: str = "$") -> Candidate:
    """Return the candidate that plain data spells.

    Raises:
        WireError: the data spells no candidate.
    """
    from cmemory.domain.model.candidate import Candidate

    candidate: Candidate = from_json(data, Candidate, path=path)  # type: ignore[arg-type]  # as above
    return candidate
