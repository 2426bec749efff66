"""The converters behind `cmemory.adapters.wire`: how each shape is spelt, and what each takes.

They bring cattrs and every class that can be spelt with them, so they are loaded when the first value is spelt or read.
"""

from __future__ import annotations

import base64
import enum
import functools
import math
from collections.abc import Callable, Mapping
from typing import Any, get_args, get_origin

import attrs
import cattrs
from cattrs.errors import (
    BaseValidationError,
    ClassValidationError,
    ForbiddenExtraKeysError,
    IterableValidationError,
)
from cattrs.gen import make_dict_unstructure_fn, override

from cmemory.adapters.wire.spelling import TAG, RefusedError, camel
from cmemory.domain.errors import CMemoryError, UsageError, WireError
from cmemory.domain.model.bodies import BODY_KINDS, Body, Value
from cmemory.domain.model.candidate import (
    Candidate,
    ClaimCandidate,
    CorrectionCandidate,
    EpisodeCandidate,
    NoteCandidate,
    RetractionCandidate,
)
from cmemory.domain.model.instant import Instant

CANDIDATE_KINDS: Mapping[str, type[Any]] = {
    "claim": ClaimCandidate,
    "episode": EpisodeCandidate,
    "retraction": RetractionCandidate,
    "correction": CorrectionCandidate,
    "note": NoteCandidate,
}


def structured(data: object, shape: Any, path: str) -> Any:
    """Return the domain value that plain data spells; see `cmemory.adapters.wire.from_json`."""
    try:
        return PLAIN.structure(data, shape)
    except (BaseValidationError, CMemoryError, ValueError, TypeError, AttributeError) as error:
        at, problem = _locate(error, path)
        raise WireError(path=at, problem=problem) from error


def _locate(error: BaseException, path: str) -> tuple[str, str]:
    """Return the first place at fault and what is wrong there."""
    if isinstance(error, ClassValidationError):
        noted, bare = error.group_exceptions()
        if noted:
            inner, note = noted[0]
            return _locate(inner, f"{path}.{note.name}")
        return _locate(bare[0], path)
    if isinstance(error, IterableValidationError):
        located, loose = error.group_exceptions()
        if located:
            inner, place = located[0]
            # Keys of a mapping are words from outside; only positions are named.
            at = f"{path}[{place.index}]" if isinstance(place.index, int) else path
            return _locate(inner, at)
        return _locate(loose[0], path)
    if isinstance(error, UsageError):
        return f"{path}.{error.field}", error.problem
    if isinstance(error, WireError):
        return path + error.path, error.problem
    return path, _problem(error)


def _problem(error: BaseException) -> str:
    if isinstance(error, RefusedError):
        return str(error)
    if isinstance(error, ForbiddenExtraKeysError):
        return f"has {len(error.extra_fields)} unknown key(s)"
    if isinstance(error, KeyError):
        return "is missing"
    if isinstance(error, (AttributeError, TypeError)):
        # Every other shape checks its input itself; only a class that meets no dictionary ends here.
        return "must be an object"
    return "has the wrong type or an unknown value"


def _structure_text(data: object, _: object) -> str:
    if not isinstance(data, str):
        raise RefusedError("must be a string")
    return data


def _structure_int(data: object, _: object) -> int:
    if isinstance(data, bool) or not isinstance(data, int):
        raise RefusedError("must be a whole number")
    return data


def _structure_float(data: object, _: object) -> float:
    if isinstance(data, bool) or not isinstance(data, (int, float)):
        raise RefusedError("must be a number")
    return float(_finite(data))


def _structure_bool(data: object, _: object) -> bool:
    if not isinstance(data, bool):
        raise RefusedError("must be true or false")
    return data


def _structure_value(data: object, _: object) -> Value:
    if isinstance(data, bool) or not isinstance(data, (str, int, float)):
        raise RefusedError("must be a string or a number")
    return data if isinstance(data, str) else _finite(data)


def _finite(number: float) -> float:
    try:
        finite = math.isfinite(number)
    except OverflowError:
        finite = False
    if not finite:
        raise RefusedError("must be a finite number")
    return number


def _structure_instant(data: object, _: object) -> Instant:
    if not isinstance(data, str):
        raise RefusedError("must be an instant like 2026-03-01T09:00:00Z")
    try:
        return Instant.parse(data)
    except UsageError as error:
        raise RefusedError(error.problem) from error


def _structure_bytes(data: object, _: object) -> bytes:
    try:
        return base64.b64decode(_structure_text(data, str), validate=True)
    except ValueError as error:
        raise RefusedError("must be base64") from error


def _spelt_bytes(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _structure_anything(data: object, _: object) -> object:
    return data


def _structure_mapping(data: object, shape: Any) -> Mapping[str, str]:
    if not isinstance(data, dict) or not all(isinstance(one, str) for pair in data.items() for one in pair):
        raise RefusedError("must be an object whose values are strings")
    return dict(data)


def _tuples(converter: cattrs.Converter, shape: Any) -> Callable[[Any, Any], tuple[Any, ...]]:
    """Return the hook of a tuple type: only a list will do, since strings and objects can be iterated too."""
    members = get_args(shape)
    if len(members) == 2 and members[1] is Ellipsis:
        return lambda data, _: tuple(converter.structure(_listed(data), _LIST[members[0]]))

    def fixed(data: object, _: object) -> tuple[Any, ...]:
        if not isinstance(data, list) or len(data) != len(members):
            raise RefusedError(f"must be a list of {len(members)}")
        return tuple(converter.structure(one, kind) for one, kind in zip(data, members, strict=True))

    return fixed


def _listed(data: object) -> list[Any]:
    if not isinstance(data, list):
        raise RefusedError("must be a list")
    return data


def _enums(kind: type[enum.Enum]) -> Callable[[Any, Any], enum.Enum]:
    by_value = {member.value: member for member in kind}
    wanted = "must be one of " + ", ".join(sorted(by_value))

    def structure(data: object, _: object) -> enum.Enum:
        if not isinstance(data, str) or data not in by_value:
            raise RefusedError(wanted)
        return by_value[data]

    return structure


def _tag_union(converter: cattrs.Converter, union: Any, kinds: Mapping[str, type[Any]]) -> None:
    """Spell the members of a union with a key that says which one it is."""
    names = {member: name for name, member in kinds.items()}
    wanted = "must be one of " + ", ".join(sorted(kinds))

    def structure(data: object, _: object) -> Any:
        if not isinstance(data, dict):
            raise RefusedError("must be an object")
        fields = dict(data)
        name = fields.pop(TAG, None)
        if not isinstance(name, str) or name not in kinds:
            raise WireError(path=f".{TAG}", problem=wanted)
        return converter.structure(fields, kinds[name])

    def unstructure(value: Any) -> dict[str, Any]:
        return {TAG: names[type(value)], **converter.unstructure(value)}

    converter.register_structure_hook(union, structure)
    converter.register_unstructure_hook(union, unstructure)


def _origin(shape: Any) -> Any:
    return get_origin(shape)


def _made() -> cattrs.Converter:
    converter = cattrs.Converter(forbid_extra_keys=True, unstruct_collection_overrides={tuple: list})
    converter.register_structure_hook(str, _structure_text)
    converter.register_structure_hook(int, _structure_int)
    converter.register_structure_hook(float, _structure_float)
    converter.register_structure_hook(bool, _structure_bool)
    converter.register_structure_hook(Value, _structure_value)
    converter.register_structure_hook(Instant, _structure_instant)
    converter.register_unstructure_hook(Instant, str)
    converter.register_structure_hook(bytes, _structure_bytes)
    converter.register_unstructure_hook(bytes, _spelt_bytes)
    converter.register_structure_hook_func(lambda shape: shape is object, _structure_anything)
    converter.register_structure_hook_func(lambda shape: _origin(shape) is Mapping, _structure_mapping)
    converter.register_structure_hook_factory(
        lambda shape: _origin(shape) is tuple, lambda shape: _tuples(converter, shape)
    )
    converter.register_structure_hook_factory(
        lambda shape: isinstance(shape, type) and issubclass(shape, enum.Enum), _enums
    )
    _tag_union(converter, Body, BODY_KINDS)
    _tag_union(converter, Candidate, CANDIDATE_KINDS)
    return converter


def _camel_fields(shape: Any, converter: cattrs.Converter) -> Callable[[Any], dict[str, Any]]:
    own = get_origin(shape) or shape
    renamed: dict[str, Any] = {field.name: override(rename=camel(field.name)) for field in attrs.fields(own)}
    return make_dict_unstructure_fn(shape, converter, **renamed)


#: For calls such as ``_LIST[shape]`` with a type known only at run time.
_LIST: Any = list

#: Keeps the names of fields.
PLAIN = _made()


@functools.cache
def camel_converter() -> cattrs.Converter:
    """Return the converter that spells the names of fields in camelCase."""
    converter = _made()
    converter.register_unstructure_hook_factory(attrs.has, lambda shape: _camel_fields(shape, converter))
    _tag_union(converter, Body, BODY_KINDS)
    return converter
