"""What a command is, and what it gets to work with."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import tzinfo

import attrs

from cmemory.adapters.cli.exits import Exit
from cmemory.adapters.cli.output import Output
from cmemory.adapters.system import local_zone, system_clock, zone_of
from cmemory.assembly import IN_MEMORY, embedder_from_environment
from cmemory.domain.errors import StoreError
from cmemory.domain.model.instant import Instant
from cmemory.memory import Memory, ScopedMemory
from cmemory.ports.embedder import Embedder
from cmemory.ports.model import Model

#: The file that is used when neither the command line nor the environment names one.
DEFAULT_DATABASE = "cmemory.db"


@attrs.frozen(kw_only=True)
class Call:
    """One call of a command: its options, and where it may write."""

    args: argparse.Namespace
    out: Output

    @property
    def zone(self) -> tzinfo:
        """The person's time zone, for "tomorrow" and for times that are shown: the machine's unless named."""
        return zone_of(self.args.zone) if self.args.zone else local_zone()

    @property
    def now(self) -> Instant:
        """The moment of the call."""
        clock = self._clock()
        return clock() if clock else system_clock()

    @property
    def database(self) -> str:
        """The database file."""
        named: str | None = self.args.database
        return named or os.environ.get("CMEMORY_DATABASE") or DEFAULT_DATABASE

    def model(self) -> Model | None:
        """Return the language model that the environment names, or None.

        Raises:
            MissingExtraError: one is named, and the extra ``openai`` is not installed.
        """
        if not os.environ.get("CMEMORY_MODEL", "").strip():
            return None
        from cmemory.adapters.openai import openai_model_from_environment

        return openai_model_from_environment()

    def embedder(self) -> Embedder | None:
        """Return the embedder that the environment names, or None.

        Raises:
            MissingExtraError: one is named, and its extra is not installed.
        """
        return embedder_from_environment()

    @contextmanager
    def memory(
        self, *, create: bool = False, model: Model | None = None, embedder: Embedder | None = None
    ) -> Iterator[Memory]:
        """Open the database of the call.

        Args:
            create: whether a new database may be made; a command that only reads leaves no empty file behind.
            model: proposes facts in place of the offline rules.
            embedder: makes vectors beside words.

        Raises:
            StoreError: there is no database, or it cannot be opened.
        """
        path = self.database
        if not (create or path == IN_MEMORY or os.path.exists(path)):
            raise StoreError(
                action="open", problem=f"there is no database at {path}; import or observe something first"
            )
        with Memory.open(
            path,
            model=model,
            embedder=embedder,
            clock=self._clock(),
            zone=self.zone,
            trace=self.args.trace,
            journal=self.args.journal,
        ) as memory:
            yield memory

    @contextmanager
    def scope(
        self, *, create: bool = False, model: Model | None = None, embedder: Embedder | None = None
    ) -> Iterator[ScopedMemory]:
        """Open the database and the relationship of the call; takes the arguments of `memory`."""
        with self.memory(create=create, model=model, embedder=embedder) as memory:
            yield self.scope_of(memory)

    def scope_of(self, memory: Memory) -> ScopedMemory:
        """Return the relationship of the call in an open database."""
        return memory.scope(service=self.args.service, owner=self.args.owner, profile=self.args.profile)

    def moment(self, instant: Instant) -> str:
        """Return a moment as the person's clock showed it."""
        return instant.as_datetime().astimezone(self.zone).strftime("%Y-%m-%d %H:%M")

    def _clock(self) -> Callable[[], Instant] | None:
        if self.args.now is None:
            return None
        moment = Instant.parse(self.args.now, field="--now")
        return lambda: moment


@attrs.frozen(kw_only=True)
class Command:
    """One command of the command line."""

    #: One line for the list of commands.
    help: str
    #: What it does, for its own help and the reference page.
    description: str
    #: Adds its arguments.
    configure: Callable[[argparse.ArgumentParser], None]
    run: Callable[[Call], Exit]
    #: Command lines that show how it is used, without the program's name.
    examples: tuple[str, ...] = ()
    #: What ``--json`` prints, by example; lists show one entry.
    json: object = None
    #: The same for other answers, by when they are given.
    more_json: Mapping[str, object] = attrs.field(factory=dict)


def file_path(text: str) -> str:
    """Return a path argument as the file system spells it, whatever the locale."""
    return os.fsdecode(text.encode("utf-8", "surrogateescape"))
