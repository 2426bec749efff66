"""Where a command's words and data go: data to stdout, words to stderr, prettier where `rich` is installed.

Without a terminal or without `rich` the same content comes as plain text. Texts come from people and files,
so nothing in them may steer the terminal.
"""

from __future__ import annotations

import io
import json
import os
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Protocol, TextIO

import attrs

#: Characters that reorder what stands around them.
_REORDERING = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})
#: Cells the plain progress line draws its bar with.
_BAR_CELLS = 24


@attrs.frozen
class Table:
    """Rows under headers."""

    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@attrs.frozen
class Line:
    """One line in several styles, such as ``bold`` or ``dim``; styles are lost where they cannot be shown."""

    parts: tuple[tuple[str, str], ...]


Block = str | Line | Table


class Progress(Protocol):
    """Told how much of a long piece of work is done."""

    def __call__(self, done: int, total: int) -> None: ...


class Output:
    """The two streams of one command."""

    def __init__(self, stdout: TextIO, stderr: TextIO, *, as_json: bool) -> None:
        self.as_json = as_json
        self._stdout = stdout
        self._stderr = stderr

    def emit(self, document: object, blocks: Iterable[Block]) -> None:
        """Write the answer of a command: the document as JSON, or the blocks for a person."""
        if self.as_json:
            self.write(json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False))
        else:
            self._blocks(blocks)

    def emit_line(self, document: object, blocks: Iterable[Block]) -> None:
        """Write one of many answers: the document as one line of JSON, or the blocks for a person."""
        if self.as_json:
            self.write(json.dumps(document, ensure_ascii=False, allow_nan=False))
        else:
            self._blocks(blocks)

    def write(self, text: str) -> None:
        """Write lines of data."""
        self._stdout.write("".join(safe(line) + "\n" for line in text.split("\n")))

    def draw(self, blocks: Iterable[Block]) -> None:
        """Write blocks for a person right away; nothing when JSON was asked for."""
        if not self.as_json:
            self._blocks(blocks)
            self.flush()

    def say(self, text: str) -> None:
        """Write a line of words."""
        self._stderr.write(safe(text) + "\n")

    def flush(self) -> None:
        """Hand over what was written; a closed pipe shows here at the latest."""
        self._stdout.flush()
        self._stderr.flush()

    @property
    def pretty(self) -> bool:
        """Whether stdout is a terminal that `rich` can draw on."""
        return not self.as_json and _is_terminal(self._stdout) and find_spec("rich") is not None

    @contextmanager
    def progress(self, label: str) -> Iterator[Progress]:
        """Show on stderr how long work goes on; silent where nobody watches."""
        if not _is_terminal(self._stderr):
            yield _silent
        elif find_spec("rich") is None:
            yield _PlainBar(self._stderr, label)
            self._stderr.write("\n")
        else:
            with _rich_bar(self._stderr, label) as bar:
                yield bar

    def _blocks(self, blocks: Iterable[Block]) -> None:
        for block in blocks:
            if isinstance(block, Table):
                self._table(block)
            elif isinstance(block, Line):
                self._line(block)
            else:
                self.write(block)

    def _line(self, line: Line) -> None:
        if self.pretty:
            _rich_line(self._stdout, line)
        else:
            self.write("".join(text for text, _ in line.parts).rstrip())

    def _table(self, table: Table) -> None:
        if self.pretty:
            _rich_table(self._stdout, table)
            return
        for line in plain_table(table):
            self.write(line)


def safe(text: str) -> str:
    """Return a line that cannot steer a terminal: no control characters, nothing that reorders text."""
    return "".join(
        ch
        for ch in text
        if unicodedata.category(ch) not in ("Cc", "Cs") and unicodedata.bidirectional(ch) not in _REORDERING
    )


def width_of(text: str) -> int:
    """Return how many cells a text takes on a terminal; Chinese characters take two."""
    return sum(
        2
        if unicodedata.east_asian_width(ch) in "WF"
        else 0
        if unicodedata.combining(ch) or ch in "\u200d\ufe0f"
        else 1
        for ch in text
    )


def wrap(text: str, width: int) -> list[str]:
    """Return a text cut into lines of at most that many cells, between words where there are any.

    >>> wrap("a tale of two cities", 9)
    ['a tale of', 'two', 'cities']
    """
    lines: list[str] = []
    line = ""
    for piece in _pieces(text):
        if line and width_of(line + piece.rstrip()) > width:
            lines.append(line.rstrip())
            line = ""
        line += piece if line else piece.lstrip()
    return [*lines, line.rstrip()] if line.strip() or not lines else lines


def _pieces(text: str) -> list[str]:
    """Cut a text where a line may end: after spaces and around wide characters, never before punctuation."""
    pieces: list[str] = []
    for ch in text:
        wide = unicodedata.east_asian_width(ch) in "WF"
        opens = (
            not pieces
            or pieces[-1].endswith(" ")
            or wide
            or unicodedata.east_asian_width(pieces[-1][-1]) in "WF"
        )
        closing = unicodedata.category(ch) in ("Po", "Pe", "Pf") or ch == " "
        if opens and not (closing and pieces):
            pieces.append(ch)
        else:
            pieces[-1] += ch
    return pieces


def plain_table(table: Table) -> list[str]:
    """Return a table as aligned lines; an empty one as none."""
    if not table.rows:
        return []
    rows = [tuple(_one_line(cell) for cell in row) for row in (table.headers, *table.rows)]
    widths = [max(width_of(row[at]) for row in rows) for at in range(len(table.headers))]
    return [
        "  ".join(_padded(cell, width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


def _padded(cell: str, width: int) -> str:
    return cell + " " * (width - width_of(cell))


def _one_line(cell: str) -> str:
    return safe(" ".join(cell.split()))


def utf8(*streams: TextIO) -> None:
    """Make streams speak UTF-8, whatever the locale; what cannot be encoded or decoded becomes a mark."""
    for stream in streams:
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")


def _is_terminal(stream: TextIO) -> bool:
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def _silent(done: int, total: int) -> None:
    del done, total


class _PlainBar:
    """Redraws one line whenever another percent is done."""

    def __init__(self, stream: TextIO, label: str) -> None:
        self._stream = stream
        self._label = label
        self._shown = -1

    def __call__(self, done: int, total: int) -> None:
        percent = 100 * done // total if total else 100
        if percent != self._shown:
            self._shown = percent
            bar = ("#" * (percent * _BAR_CELLS // 100)).ljust(_BAR_CELLS, ".")
            self._stream.write(f"\r{self._label} [{bar}] {percent:3d}%")
            self._stream.flush()


@contextmanager
def _rich_bar(stream: TextIO, label: str) -> Iterator[Progress]:
    from rich.console import Console
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as RichProgress

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with RichProgress(*columns, console=Console(file=stream), transient=True) as progress:
        task = progress.add_task(label, total=None)

        def show(done: int, total: int) -> None:
            progress.update(task, completed=done, total=total)

        yield show


def _rich_table(stream: TextIO, table: Table) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    drawn = RichTable(*table.headers, box=box.SIMPLE_HEAD, header_style="bold", pad_edge=False)
    for row in table.rows:
        drawn.add_row(*(Text(_one_line(cell), overflow="fold") for cell in row))
    if table.rows:
        Console(file=stream, highlight=False).print(drawn)


def _rich_line(stream: TextIO, line: Line) -> None:
    from rich.console import Console
    from rich.text import Text

    text = Text.assemble(
        *((safe(part), style) for part, style in line.parts), overflow="ignore", no_wrap=True
    )
    Console(file=stream, highlight=False).print(text, soft_wrap=True)
