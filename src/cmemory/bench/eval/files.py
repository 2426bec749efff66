"""Fixtures and artefacts on disk: what ships with the library, what a user wrote, and what a run leaves.

An artefact file is JSON lines: first what is run, then one case a line, each on the medium before the next is played.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType

import attrs

from cmemory.adapters import wire
from cmemory.adapters.files.durable import append, open_appending, translated
from cmemory.bench.eval.cases import FORMAT, Artefacts, Case, Header, case_id
from cmemory.bench.eval.fixture import Fixture
from cmemory.bench.eval.validation import Violation, violations
from cmemory.domain.errors import StoreError, UsageError, WireError

#: The fixtures that come with the library, by the name a user says.
SHIPPED = MappingProxyType({"zh": "companion.zh.json", "en": "companion.en.json"})

_DATA = files("cmemory.bench.eval") / "data"


def read_fixture(name: str | os.PathLike[str]) -> Fixture:
    """Return a fixture: a shipped one by its name, any other by its path. It may still contradict itself.

    Raises:
        UsageError: the file cannot be read.
        WireError: it is not of the form of a fixture; the path tells where.
    """
    shipped = SHIPPED.get(os.fspath(name))
    if shipped is not None:
        return fixture_of((_DATA / shipped).read_text(encoding="utf-8"))
    return fixture_of(_decoded(_bytes(name)))


def fixture_of(text: str) -> Fixture:
    """Return the fixture that a JSON text spells.

    Raises:
        WireError: the text spells none.
    """
    return wire.from_json(wire.parse(text), Fixture)


def checked(fixture: Fixture) -> Fixture:
    """Return the fixture if no rule refuses it.

    Raises:
        UsageError: a rule does; the first one is told, with its place.
    """
    fatal = [one for one in violations(fixture) if one.fatal]
    if fatal:
        more = f", and {len(fatal) - 1} more" if len(fatal) > 1 else ""
        raise UsageError(field="fixture", problem=f"is refused: {told(fatal[0])}{more}")
    return fixture


def told(violation: Violation) -> str:
    """Return a violation in one line."""
    detail = f": {violation.detail}" if violation.detail else ""
    return f"{violation.place}: {violation.rule.value}{detail}"


def read_artefacts(path: str | os.PathLike[str]) -> Artefacts:
    """Return what a run left, as far as it came.

    Raises:
        UsageError: the file cannot be read.
        WireError: it holds no run, or a line of it is damaged.
    """
    return _artefacts(_bytes(path))[0]


@attrs.define(kw_only=True)
class ArtefactFile:
    """An artefact file that a run adds to."""

    #: What stood in it when it was opened.
    kept: Artefacts
    _descriptor: int
    _size: int

    def add(self, case: Case) -> None:
        """Write a case at the end; it is on the medium when this returns.

        Raises:
            StoreError: the disk is full, or another run writes into the same file.
        """
        self._append({"case": wire.to_json(case)})

    def _append(self, line: object) -> None:
        data = wire.dump(line).encode("utf-8") + b"\n"
        with translated("evaluate"):
            if os.fstat(self._descriptor).st_size != self._size:
                raise StoreError(action="evaluate", problem="another run writes into the artefact file")
            append(self._descriptor, data)
        self._size += len(data)

    def _begin(self, header: Header) -> None:
        self._append({"run": wire.to_json(header)})


@contextmanager
def artefact_file(path: str | os.PathLike[str], header: Header) -> Iterator[ArtefactFile]:
    """Open the artefact file of a run, making it when it is not there.

    A line that a killed run left half written is taken away; what was finished is kept.

    Args:
        path: the file.
        header: what is run.

    Raises:
        UsageError: the file holds another run.
        WireError: the file holds none, or is damaged.
        StoreError: it cannot be written.
    """
    with translated("evaluate"):
        descriptor = open_appending(Path(path))
    try:
        kept, size = Artefacts(header=header), 0
        with translated("evaluate"):
            present = os.fstat(descriptor).st_size
        if present:
            kept, size = _artefacts(_bytes(path))
            if kept.header != header:
                raise UsageError(field="artefacts", problem=_difference(kept.header, header))
            with translated("evaluate"):
                os.ftruncate(descriptor, size)
        file = ArtefactFile(kept=kept, descriptor=descriptor, size=size)
        if not present:
            file._begin(header)
        yield file
    finally:
        os.close(descriptor)


def _difference(kept: Header, wanted: Header) -> str:
    named = [
        field.name
        for field in attrs.fields(Header)
        if getattr(kept, field.name) != getattr(wanted, field.name)
    ]
    return f"hold another run, with a different {' and '.join(named)}; name a new file"


def _artefacts(data: bytes) -> tuple[Artefacts, int]:
    """Return the artefacts of a file, and the bytes of its whole lines."""
    size = data.rfind(b"\n") + 1
    lines = _decoded(data[:size]).split("\n")[:-1]
    if not lines:
        raise WireError(path="line 1", problem="is missing; the file holds no run")
    first = wire.parse(lines[0], path="line 1: $")
    if not isinstance(first, dict) or first.keys() != {"run"}:
        raise WireError(path="line 1: $", problem="must be an object with the key run")
    header = wire.from_json(first["run"], Header, path="line 1: $.run")
    if header.format != FORMAT:
        raise WireError(
            path="line 1: $.run.format", problem=f"must be {FORMAT}; a newer library may be needed"
        )
    turns = {place.name for place in header.fixture.placed()}
    cases: dict[str, Case] = {}
    for number, line in enumerate(lines[1:], start=2):
        at = f"line {number}: $"
        case = _case(line, at)
        known = case.turn in turns and 0 <= case.repetition < header.repetitions
        if case.id in cases or not known or case.id != case_id(case.repetition, case.arm, case.turn):
            raise WireError(path=f"{at}.case.id", problem="must name a case of the run, and each one once")
        cases[case.id] = case
    return Artefacts(header=header, cases=tuple(cases.values())), size


def _case(line: str, at: str) -> Case:
    data = wire.parse(line, path=at)
    if not isinstance(data, dict) or data.keys() != {"case"}:
        raise WireError(path=at, problem="must be an object with the key case")
    return wire.from_json(data["case"], Case, path=f"{at}.case")


def _bytes(path: str | os.PathLike[str]) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise UsageError(field="path", problem=f"cannot be read: {error.strerror}") from error


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise WireError(path="$", problem="is not valid UTF-8") from None
