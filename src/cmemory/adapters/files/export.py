"""Exports on disk: JSON lines, a header first. ``docs/reference/export-format.md`` describes the form."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cmemory.adapters import wire
from cmemory.adapters.files.durable import settle_folder
from cmemory.adapters.files.lines import Line, Source
from cmemory.app.transfer import Entry, ExportLine, Snapshot
from cmemory.domain.errors import StoreError, WireError
from cmemory.domain.model.changes import OpenThread
from cmemory.domain.model.message import Message
from cmemory.domain.model.record import AnyRecord
from cmemory.domain.model.scope import Scope
from cmemory.domain.text.normal import is_well_formed

#: What the header says.
FORMAT = "cmemory-export"
VERSION = 1

#: The one key of every further line, and what stands under it.
_SHAPES: dict[str, Any] = {"message": Message, "record": AnyRecord, "thread": OpenThread}


def write(path: str | os.PathLike[str], snapshot: Snapshot) -> int:
    """Write an export and return its size in bytes.

    The file appears whole or not at all, readable by its owner only. An older one of that name is replaced.

    Raises:
        StoreError: the disk is full, or the folder is missing or may not be written to. An older file is left
            as it was.
    """
    target = Path(path)
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".tmp")
        try:
            with os.fdopen(handle, "wb") as file:
                for line in lines_of(snapshot):
                    file.write(line.encode("utf-8") + b"\n")
                file.flush()
                os.fsync(file.fileno())
                size = file.tell()
            os.replace(name, target)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
        settle_folder(target.parent)
    except OSError as error:
        raise StoreError(action="export", problem=f"cannot write the file: {error.strerror}") from error
    return size


def lines_of(snapshot: Snapshot) -> Iterator[str]:
    """Yield the lines of an export; equal snapshots give equal lines."""
    yield wire.dump({"format": FORMAT, "version": VERSION, "scope": wire.to_json(snapshot.scope, Scope)})
    for message in snapshot.messages:
        yield wire.dump({"message": wire.to_json(message, Message)})
    for record in snapshot.records:
        yield wire.dump({"record": wire.to_json(record, AnyRecord)})
    for thread in snapshot.threads:
        yield wire.dump({"thread": wire.to_json(thread, OpenThread)})


def read(source: Source) -> tuple[Scope, Iterator[ExportLine]]:
    """Return whose memory an export holds, and its lines.

    Raises:
        WireError: the file is empty, no export, or of a version this library does not know.
    """
    source.rewind()
    lines = source.lines()
    first = next(lines, None)
    if first is None:
        raise WireError(path="line 1", problem="is missing; the file is empty")
    if isinstance(first, WireError):
        raise first
    return _header(first), _entries(lines)


def _header(line: Line) -> Scope:
    at = f"{line.place}: $"
    data = wire.parse(line.text, path=at)
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise WireError(path=f"{at}.format", problem=f"must be {FORMAT}: this is no export of this library")
    if data.get("version") != VERSION or isinstance(data["version"], bool):
        raise WireError(path=f"{at}.version", problem=f"must be {VERSION}; a newer library may be needed")
    if data.keys() != {"format", "version", "scope"}:
        raise WireError(path=at, problem="must hold format, version and scope")
    return wire.from_json(data["scope"], Scope, path=f"{at}.scope")


def _entries(lines: Iterator[Line | WireError]) -> Iterator[ExportLine]:
    for line in lines:
        if isinstance(line, WireError):
            yield line
        elif line.text.strip():
            try:
                yield _entry(line)
            except WireError as error:
                yield error


def _entry(line: Line) -> Entry:
    at = f"{line.place}: $"
    data = wire.parse(line.text, path=at)
    if not isinstance(data, dict) or len(data) != 1 or not data.keys() <= _SHAPES.keys():
        raise WireError(path=at, problem=f"must be an object with one key of {', '.join(_SHAPES)}")
    # Only an escape can bring a lone surrogate past the decoding of the line.
    if "\\u" in line.text and not is_well_formed(wire.dump(data)):
        raise WireError(path=at, problem="holds a lone surrogate and cannot be encoded as UTF-8")
    (kind,) = data
    place = f"{at}.{kind}"
    return Entry(place=place, item=wire.from_json(data[kind], _SHAPES[kind], path=place))
