"""JSON Schemas of what goes over a wire: parameters of operations, and the types `wire.to_camel_json` spells.

Schemas say what is meant, not all that is checked: requests and answers may hold further keys.
"""

from __future__ import annotations

import enum
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NewType, Union, get_args, get_origin

import attrs

from cmemory.adapters.wire import TAG, camel
from cmemory.app.catalogue import SCOPE, Kind, Operation, Param, Presence
from cmemory.domain.model.bodies import BODY_KINDS, Body
from cmemory.domain.model.instant import Instant

#: The dialect the schemas are written in.
DIALECT = "https://json-schema.org/draft/2020-12/schema"

Schema = dict[str, Any]

_PLAIN: Mapping[Any, Schema] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    type(None): {"type": "null"},
    Instant: {"type": "string", "format": "date-time"},
    Any: {},
    object: {},
}

_KINDS: Mapping[Kind, Callable[[Param], Schema]] = {
    Kind.TEXT: lambda _: {"type": "string"},
    Kind.TRUTH: lambda _: {"type": "boolean"},
    Kind.NUMBER: lambda _: {"type": "number"},
    Kind.WHOLE: lambda _: {"type": "integer"},
    Kind.COUNT: lambda _: {"type": "integer", "minimum": 0},
    Kind.INSTANT: lambda _: {"type": "string", "format": "date-time"},
    Kind.ANY: lambda _: {},
    Kind.TEXTS: lambda _: {"type": "array", "items": {"type": "string"}},
    Kind.LABEL: lambda _: {"anyOf": [{"type": "string"}, _label()]},
    Kind.SOURCE_FILE: lambda _: {"type": "string"},
    Kind.TARGET_FILE: lambda _: {"type": "string"},
    Kind.FIELDS: lambda param: of_params(param.fields),
    Kind.LIST: lambda param: {"type": "array", "items": of_params(param.fields)},
}


def of_request(operation: Operation) -> Schema:
    """Return the schema of an operation's ``params``."""
    return of_params((*((SCOPE,) if operation.needs_scope else ()), *operation.params))


def of_params(params: Iterable[Param]) -> Schema:
    """Return the schema of an object with these parameters."""
    known = tuple(params)
    schema: Schema = {"type": "object", "properties": {param.name: _of_param(param) for param in known}}
    required = [param.name for param in known if param.presence is Presence.REQUIRED]
    return {**schema, "required": required} if required else schema


def of_type(shape: Any) -> Schema:
    """Return the schema of what `wire.to_camel_json` makes of a type.

    Raises:
        TypeError: nothing of that type goes over the wire.
    """
    if shape in _PLAIN:
        return dict(_PLAIN[shape])
    if isinstance(shape, NewType):
        return of_type(shape.__supertype__)
    if isinstance(shape, typing.TypeVar):
        return of_type(shape.__bound__)
    if shape == Body:
        return {"anyOf": [_tagged(kind, member) for kind, member in BODY_KINDS.items()]}
    if isinstance(shape, type) and issubclass(shape, enum.Enum):
        return {"type": "string", "enum": [member.value for member in shape]}
    if attrs.has(get_origin(shape) or shape):
        return _of_class(get_origin(shape) or shape)
    return _of_generic(shape)


def _of_param(param: Param) -> Schema:
    schema = _KINDS[param.kind](param)
    if param.choices:
        schema["enum"] = list(param.choices)
    if param.presence is Presence.OPTIONAL and schema:
        schema = _or_null(schema)
    if param.presence is Presence.DEFAULTED:
        schema["default"] = list(param.default) if isinstance(param.default, tuple) else param.default
    return {**schema, "description": param.meaning}


def _or_null(schema: Schema) -> Schema:
    if "type" not in schema:
        return {"anyOf": [schema, {"type": "null"}]}
    nullable = {**schema, "type": [schema["type"], "null"]}
    if "enum" in schema:
        nullable["enum"] = [*schema["enum"], None]
    return nullable


def _label() -> Schema:
    return {"type": "object", "properties": {"entity": {"type": "string"}}, "required": ["entity"]}


def _of_class(shape: Any) -> Schema:
    hints = typing.get_type_hints(shape)
    fields = attrs.fields(shape)
    return {
        "type": "object",
        "description": (shape.__doc__ or "").strip().split("\n\n")[0].replace("\n    ", " "),
        "properties": {camel(field.name): of_type(hints[field.name]) for field in fields},
        "required": [camel(field.name) for field in fields if not field.metadata.get("absent")],
    }


def _tagged(kind: str, member: Any) -> Schema:
    schema = _of_class(member)
    return {
        **schema,
        "properties": {TAG: {"const": kind}, **schema["properties"]},
        "required": [TAG, *schema["required"]],
    }


def _of_generic(shape: Any) -> Schema:
    origin, members = get_origin(shape), get_args(shape)
    if origin in (Union, types.UnionType):
        return {"anyOf": [of_type(member) for member in members]}
    if origin is tuple and members[1:] == (Ellipsis,):
        return {"type": "array", "items": of_type(members[0])}
    if origin is tuple:
        spelt = [of_type(member) for member in members]
        return {"type": "array", "prefixItems": spelt, "minItems": len(spelt), "maxItems": len(spelt)}
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": of_type(members[1])}
    raise TypeError(f"nothing of type {shape} goes over the wire")
