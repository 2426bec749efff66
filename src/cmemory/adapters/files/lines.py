"""Reads a file of any size: by lines, or by the elements of a JSON array, never all of it at once."""

from __future__ import annotations

import os
from collections.abc import Iterator
from types import TracebackType
from typing import BinaryIO

import attrs
from typing_extensions import Self

from cmemory.domain.errors import UsageError, WireError
from cmemory.domain.pattern import lazy_pattern

#: Bytes of one line or one conversation at most. A message has 1 MiB, which JSON may spell with six bytes for
#: each of its own; a conversation has many messages.
MAX_LINE_BYTES = 8 * 1_048_576
MAX_ELEMENT_BYTES = 256 * 1_048_576

_CHUNK_BYTES = 1_048_576
_BOM = b"\xef\xbb\xbf"

_SPACE = b" \t\r\n"
# Outside a string only these bytes matter; inside one, only its end and what might hide it.
_OUTSIDE = lazy_pattern(rb'["{}\[\],]')
_INSIDE = lazy_pattern(rb'["\\]')


@attrs.frozen(kw_only=True)
class Line:
    """One line or element: its place for errors, and its text."""

    #: ``line 7``, or ``$[3]``.
    place: str
    text: str


class Source:
    """A file that is read once, from its beginning to its end.

    Raises:
        UsageError: there is no such file, or it cannot be read.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        try:
            self._file: BinaryIO = open(path, "rb")  # noqa: SIM115 - closed by `__exit__`
            self.total = os.fstat(self._file.fileno()).st_size
        except OSError as error:
            raise UsageError(field="path", problem=f"cannot be read: {error.strerror}") from error
        self.rewind()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self._file.close()

    @property
    def done(self) -> int:
        """Bytes that were read."""
        return min(self._file.tell(), self.total)

    def rewind(self) -> None:
        """Go back to the beginning, behind a byte order mark."""
        self._file.seek(0)
        if self._read(len(_BOM)) != _BOM:
            self._file.seek(0)

    def head(self, size: int) -> bytes:
        """Return the first bytes and go back to the beginning."""
        self.rewind()
        head = self._read(size)
        self.rewind()
        return head

    def lines(self) -> Iterator[Line | WireError]:
        """Yield the lines without their ends; an error for each that is too long or no UTF-8."""
        number = 0
        while raw := self._line(MAX_LINE_BYTES + 1):
            number += 1
            place = f"line {number}"
            if len(raw) > MAX_LINE_BYTES:
                while not raw.endswith(b"\n") and (raw := self._line(_CHUNK_BYTES)):
                    pass
                yield WireError(path=place, problem=f"is longer than {MAX_LINE_BYTES} bytes")
                continue
            yield decoded(raw.rstrip(b"\r\n"), place)

    def elements(self) -> Iterator[Line | WireError]:
        """Yield the elements of a JSON array, or a JSON object as the only one, as unparsed texts."""
        cutter = _Cutter()
        while chunk := self._read(_CHUNK_BYTES):
            yield from cutter.feed(chunk)
        yield from cutter.end()

    def _line(self, size: int) -> bytes:
        try:
            return self._file.readline(size)
        except OSError as error:
            raise UsageError(field="path", problem=f"cannot be read: {error.strerror}") from error

    def _read(self, size: int) -> bytes:
        try:
            return self._file.read(size)
        except OSError as error:
            raise UsageError(field="path", problem=f"cannot be read: {error.strerror}") from error


def decoded(raw: bytes, place: str) -> Line | WireError:
    """Return the text of some bytes, or an error that says at which byte they are no UTF-8."""
    try:
        return Line(place=place, text=raw.decode("utf-8"))
    except UnicodeDecodeError as error:
        return WireError(path=place, problem=f"is not valid UTF-8 at byte {error.start + 1}")


@attrs.define
class _Cutter:
    """Cuts a JSON array into its elements without parsing them, so that a broken one spoils no other.

    Works on bytes: what separates JSON is ASCII, and no other UTF-8 character holds an ASCII byte.
    """

    _held: bytearray = attrs.field(factory=bytearray)
    _at: int = 0
    _depth: int = 0
    _in_string: bool = False
    _index: int = 0
    #: Whether the document is an array; None before its first byte.
    _array: bool | None = None
    _over: bool = False

    def feed(self, chunk: bytes) -> Iterator[Line | WireError]:
        """Yield the elements that end in this chunk."""
        if self._over:
            return
        self._held += chunk
        if self._array is None and not self._open():
            return
        while (found := self._next()) is not None:
            yield found
        if len(self._held) > MAX_ELEMENT_BYTES:
            self._over = True
            self._held.clear()
            yield WireError(
                path=self._place(), problem=f"is longer than {MAX_ELEMENT_BYTES} bytes; the rest was not read"
            )

    def end(self) -> Iterator[WireError]:
        """Yield what is wrong with a document that ends here."""
        if not self._over:
            yield WireError(path=self._place(), problem="ends too early; the file is cut off")

    def _open(self) -> bool:
        start = self._held.lstrip(_SPACE)
        if not start:
            return False
        self._array = start.startswith(b"[")
        self._held = start[1:] if self._array else start
        return True

    def _next(self) -> Line | WireError | None:
        """Return the next element that is complete; None when more has to be read, or nothing follows."""
        while not self._over:
            found = (_INSIDE if self._in_string else _OUTSIDE).search(self._held, self._at)
            if found is None:
                self._at = len(self._held)
                return None
            mark, self._at = found.group(), found.end()
            if mark == b"\\":
                if self._at == len(self._held):
                    self._at -= 1
                    return None
                self._at += 1
            elif mark == b'"':
                self._in_string = not self._in_string
            elif mark in (b"{", b"["):
                self._depth += 1
            elif self._closes(mark):
                return self._cut(found.start(), mark)
        return None

    def _closes(self, mark: bytes) -> bool:
        """Tell whether an element ends here; follows the nesting."""
        if mark == b",":
            return self._depth == 0 and self._array is True
        self._depth -= 1
        return self._depth < 0 or (self._depth == 0 and not self._array)

    def _cut(self, end: int, mark: bytes) -> Line | WireError | None:
        alone = not self._array
        element = bytes(self._held[: end + 1] if alone else self._held[:end]).strip(_SPACE)
        place = self._place()
        self._over = alone or mark != b","
        del self._held[: self._at]
        self._at = 0
        self._index += 1
        if element or mark == b",":
            return decoded(element, place)
        return None

    def _place(self) -> str:
        return f"$[{self._index}]" if self._array else "$"
