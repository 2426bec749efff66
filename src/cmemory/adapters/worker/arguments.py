"""Reads the parameters of a catalogued operation, as strictly as the original ones are read.

An absent parameter may have a default; null is a wrong type except where the catalogue says that it means the
same as absent. Files are looked at before anything is opened, so that no request can hang on a pipe or
overwrite what is no export.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

from cmemory.adapters.files.export import FORMAT
from cmemory.adapters.worker.fields import Fields
from cmemory.app.catalogue import Kind, Operation, Param, Presence
from cmemory.domain.errors import UsageError, WireError
from cmemory.domain.forget.erase import ByEntity
from cmemory.domain.model.instant import Instant

#: An export begins with its header, whose first key this is.
_EXPORT_HEAD = f'{{"format":"{FORMAT}"'.encode()


def read(operation: Operation, params: Fields) -> Mapping[str, object]:
    """Return the values of an operation's parameters by their names on the wire; those left out are missing.

    Raises:
        WireError: one is missing or of the wrong type.
    """
    values: dict[str, object] = {}
    for param in operation.params:
        if param.presence is Presence.OPTIONAL and params.values.get(param.name) is None:
            continue
        if param.presence is Presence.DEFAULTED and param.name not in params.values:
            values[param.name] = param.default
            continue
        values[param.name] = _checked(param, params)
    return values


def _checked(param: Param, params: Fields) -> object:
    value = READERS[param.kind](params, param.name)
    if param.choices and value not in param.choices:
        raise WireError(path=_path(params, param.name), problem=f"must be one of {', '.join(param.choices)}")
    return value


def _instant(params: Fields, name: str) -> Instant:
    try:
        return Instant.parse(params.text(name))
    except UsageError as error:
        raise WireError(path=_path(params, name), problem=error.problem) from error


def _label(params: Fields, name: str) -> str | ByEntity:
    if isinstance(params.values.get(name), dict):
        return ByEntity(params.nested(name).text("entity"))
    return params.text(name)


def _source_file(params: Fields, name: str) -> str:
    path = _file(params, name)
    if not os.path.isfile(path):
        raise WireError(path=_path(params, name), problem="must name a regular file that is there")
    return path


def _target_file(params: Fields, name: str) -> str:
    path = _file(params, name)
    if not os.path.isdir(os.path.dirname(path) or os.curdir):
        raise WireError(path=_path(params, name), problem="must lie in a folder that is there")
    if os.path.lexists(path) and not _is_export(path):
        raise WireError(path=_path(params, name), problem="is taken by something that is no export")
    return path


def _file(params: Fields, name: str) -> str:
    """Return a path as the file system spells it, whatever the locale."""
    given = params.text(name)
    if not given.strip() or "\0" in given:
        raise WireError(path=_path(params, name), problem="must be the path of a file")
    return os.fsdecode(given.encode("utf-8"))


def _is_export(path: str) -> bool:
    """Tell whether a file may be replaced by an export, being one itself. Links are never followed."""
    if os.path.islink(path) or not os.path.isfile(path):
        return False
    try:
        with open(path, "rb") as file:
            return file.read(len(_EXPORT_HEAD)) == _EXPORT_HEAD
    except OSError:
        return False


def _path(params: Fields, name: str) -> str:
    return f"{params.path}.{name}"


#: How a parameter of each kind is read. The original operations read their nested ones themselves.
READERS: Mapping[Kind, Callable[[Fields, str], object]] = {
    Kind.TEXT: Fields.text,
    Kind.TRUTH: Fields.truth,
    Kind.NUMBER: Fields.number,
    Kind.WHOLE: Fields.whole,
    Kind.COUNT: Fields.count,
    Kind.INSTANT: _instant,
    Kind.ANY: Fields.raw,
    Kind.TEXTS: Fields.texts,
    Kind.LABEL: _label,
    Kind.SOURCE_FILE: _source_file,
    Kind.TARGET_FILE: _target_file,
}
