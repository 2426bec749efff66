"""The extended operations: carried out by the façade as the catalogue says, with no rule of their own."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from operator import attrgetter

from cmemory.adapters import schema
from cmemory.adapters.wire import to_camel_json
from cmemory.adapters.worker import arguments
from cmemory.adapters.worker.fields import Fields
from cmemory.adapters.worker.operations import scope_of
from cmemory.adapters.worker.protocol import MAX_DEPTH, MAX_LINE_BYTES, PROTOCOL_VERSION
from cmemory.app.answers import Capabilities, Capability
from cmemory.app.catalogue import Call, Operation, Part
from cmemory.app.tools import OPERATIONS
from cmemory.domain.errors import UsageError, WireError
from cmemory.memory import Memory, ScopedMemory


def find(name: str) -> Operation | None:
    """Return the extended operation of that name."""
    operation = OPERATIONS.get(name)
    return operation if operation is not None and operation.part is Part.EXTENDED else None


def carry_out(operation: Operation, memory: Memory, given: object) -> Mapping[str, object]:
    """Return the answer to a request for an extended operation.

    Args:
        operation: what is asked for.
        memory: who carries it out.
        given: the request's parameters, unchecked.

    Raises:
        WireError: a parameter is missing, of the wrong type, or names something that is not there.
        StoreError: the store failed, or an id is taken.
        ModelError: the extractor has no answer.
    """
    if not operation.calls:
        return capabilities()
    params = Fields.of({} if given is None and not schema.of_request(operation)["properties"] else given)
    home: Memory | ScopedMemory = scope_of(memory, params) if operation.needs_scope else memory
    values = arguments.read(operation, params)
    try:
        found = _call(operation, home, values)
    except UsageError as error:
        raise WireError(path=_place(operation, error.field), problem=error.problem) from error
    answer: Mapping[str, object] = to_camel_json(operation.view(found), operation.result)
    return answer


def capabilities() -> Mapping[str, object]:
    """Return what this worker speaks, with the schemas of every operation."""
    known = Capabilities(
        protocol_version=PROTOCOL_VERSION,
        library_version=_version(),
        max_line_bytes=MAX_LINE_BYTES,
        max_depth=MAX_DEPTH,
        operations=tuple(map(_capability, OPERATIONS.values())),
    )
    answer: Mapping[str, object] = to_camel_json(known)
    return answer


def _capability(operation: Operation) -> Capability:
    return Capability(
        name=operation.name,
        summary=operation.summary,
        part=operation.part.value,
        authority=operation.authority.value,
        needs_scope=operation.needs_scope,
        writes=operation.writes,
        params=schema.of_request(operation),
        result=schema.of_type(operation.result),
    )


def _call(operation: Operation, home: Memory | ScopedMemory, values: Mapping[str, object]) -> object:
    call = next(one for one in operation.calls if _fits(one, values))
    named = {param.name: param.argument for param in operation.params}
    return attrgetter(call.method)(home)(
        **{named[name]: values[name] for name in call.takes if name in values}
    )


def _fits(call: Call, values: Mapping[str, object]) -> bool:
    return call.when is None or values.get(call.when[0]) == call.when[1]


def _place(operation: Operation, field: str) -> str:
    """Return where in a request stands what the façade complains about; the whole of it when no parameter does."""
    named = (param.name for param in operation.params if field in (param.argument, param.name))
    return next((f"$.{name}" for name in named), "$")


def _version() -> str:
    try:
        return version("cmemory")
    except PackageNotFoundError:
        return "unknown"
