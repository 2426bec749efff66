"""A process that starts workers on a database and can afford to lose them.

Importing takes longer than a worker lives, so this process imports once and forks a worker for each line it
reads: ``COMMAND SEED DATABASE``. On its output it prints ``pid N`` for the worker, what the worker prints,
and ``dead`` when the worker has ended. Several commands in one line, separated by ``;``, run side by side.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
import random
import resource
import signal
import sys
import time
from collections.abc import Callable
from datetime import timezone

import attrs

import cmemory.adapters.sqlite
import cmemory.adapters.wire
import cmemory.app
from cmemory import COMPANION, Memory
from cmemory.adapters.sqlite import SqliteStore
from cmemory.app.extract import RuleExtractor
from cmemory.domain.errors import CMemoryError, StoreError
from cmemory.domain.model.changes import Changes
from cmemory.domain.model.ids import MessageId, RecordId
from cmemory.domain.model.record import AnyRecord
from cmemory.domain.policy import NightPolicy
from cmemory.ports.store import ANY_STATUS
from cmemory.testing.builders import SCOPE, at, claim, decision, message, quoted, thread

#: The user that owns nothing: what may not be written binds it, also where tests run as root.
NOBODY = 65_534


def say(*words: object) -> None:
    """Print one line in one piece, at once."""
    os.write(1, (" ".join(map(str, words)) + "\n").encode("utf-8"))


def tag(number: int) -> str:
    """Return a word that only the memory of that number holds; it is one index term."""
    return f"tag{number:06d}x"


def memory(number: int, rng: random.Random) -> Changes:
    """Return all that is written of one memory, some of it longer than a page."""
    text = f"{tag(number)} " * rng.choice((1, 3, 10, 400))
    record: AnyRecord = claim(
        f"r-{number}",
        text,
        second=number,
        evidence=(quoted(text, source_id=f"m-{number}"), quoted(tag(number))),
    )
    return Changes(
        messages=(message(f"m-{number}", text, second=number),),
        records=(record,),
        threads=(thread(f"t-{number}", text, record_id=f"r-{number}"),),
        decisions=(decision(f"d-{number}", record_id=f"r-{number}"),),
        revision_step=1,
    )


def churn(store: SqliteStore, rng: random.Random) -> None:
    """Write and erase for ever; every unit is announced before and acknowledged after."""
    with store.read(SCOPE) as view:
        live = [int(record.id[2:]) for record in view.records(ANY_STATUS)]
        following = 1_000 * (1 + view.revision())
    while True:
        if live and rng.random() < len(live) / 30:
            number = live.pop(rng.randrange(len(live)))
            changes = Changes(
                erase_records=(RecordId(f"r-{number}"),),
                erase_messages=(MessageId(f"m-{number}"),),
                revision_step=1,
            )
            kind = "erase"
        else:
            number = following
            following += 1
            live.append(number)
            changes = memory(number, rng)
            kind = "write"
        say("begin", kind, number)
        with store.write(SCOPE) as unit:
            unit.apply(changes)
        say("acknowledged", kind, number)


def append(store: SqliteStore, rng: random.Random) -> None:
    """Write a hundred memories of its own."""
    first = rng.randrange(1, 10_000) * 100
    for number in range(first, first + 100):
        with store.write(SCOPE) as unit:
            unit.apply(memory(number, rng))
        say("acknowledged", "write", number)


def fill(store: SqliteStore, rng: random.Random) -> None:
    """Write until files may grow no more, then write again when they may."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2_000_000, hard))
    number = 0
    try:
        while number < 1_000:
            with store.write(SCOPE) as unit:
                unit.apply(memory(number, rng))
            say("acknowledged", "write", number)
            number += 1
    except StoreError as error:
        say("refused", error)
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    with store.write(SCOPE) as unit:
        unit.apply(memory(number, rng))
    say("acknowledged", "write", number)


def write_as_nobody(store: SqliteStore, rng: random.Random) -> None:
    """Read, then try to write."""
    with store.read(SCOPE) as view:
        say("read", len(view.records()))
    with store.write(SCOPE) as unit:
        unit.apply(memory(1, rng))


def hold(store: SqliteStore, rng: random.Random) -> None:
    """Open, which brings the database up to date, and do nothing."""
    del rng
    say("opened", store.footprint().bytes)


def back_up(store: SqliteStore, rng: random.Random) -> None:
    """Copy the database for ever, always to the same place."""
    del rng
    say("begun")
    while True:
        store.back_up(f"{store.footprint().files[0]}.backup", overwrite=True)
        say("acknowledged")


def swap(store: SqliteStore, rng: random.Random) -> None:
    """Restore two backups in turn for ever."""
    del rng
    path = store.footprint().files[0]
    store.close()
    while True:
        for name in ("one", "two"):
            Memory.restore_backup(f"{path}.{name}", path)
            say("acknowledged", name)


def back_up_into_full(store: SqliteStore, rng: random.Random) -> None:
    """Copy the database where there is not room for all of it."""
    del rng
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, hard))
    store.back_up(f"{store.footprint().files[0]}.backup", overwrite=True)


def take_lock(store: SqliteStore, rng: random.Random) -> None:
    """Keep everybody else from writing for a moment."""
    with store.write(SCOPE) as unit:
        unit.apply(memory(1, rng))
        say("locked")
        time.sleep(2)


def nights(store: SqliteStore, rng: random.Random) -> None:
    """Queue exchanges and make notes of them for ever; each is announced before it is queued."""
    # Small portions, so that a night is often broken off between two of them.
    policy = attrs.evolve(COMPANION, night=NightPolicy(portion_exchanges=2))
    memory = Memory.open(store=store, policy=policy)
    luna = memory.scope(service=SCOPE.service, owner=SCOPE.owner, profile=SCOPE.profile)
    number = 1_000 * rng.randrange(1, 1_000_000)
    while True:
        for _ in range(3):
            number += 1
            luna.notes.exchange(f"I love walnut {tag(number)}.", message_id=f"m-{number}", at=at(number))
            say("acknowledged", number)
        luna.notes.consolidate(now=at(number), force=True)


COMMANDS: dict[str, Callable[[SqliteStore, random.Random], None]] = {
    "churn": churn,
    "append": append,
    "fill": fill,
    "nobody": write_as_nobody,
    "hold": hold,
    "backup": back_up,
    "swap": swap,
    "full-backup": back_up_into_full,
    "lock": take_lock,
    "nights": nights,
}


def work(line: str) -> None:
    """Do one command; an error of ours ends it with a line that says so."""
    command, seed, database = line.split(" ", 2)
    if command == "nobody" and os.geteuid() == 0:
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    try:
        store = SqliteStore.open(database, busy_timeout_ms=30_000)
        COMMANDS[command](store, random.Random(int(seed)))  # noqa: S311  # a seeded test
        store.close()
    except CMemoryError as error:
        say("failed", error)


def load_all() -> None:
    """Load what the library loads on first use, which takes longer than a worker lives."""
    for inside in (cmemory.app, cmemory.adapters.sqlite, cmemory.adapters.wire):
        for one in pkgutil.walk_packages(inside.__path__, f"{inside.__name__}."):
            importlib.import_module(one.name)
    # One unit for practice: patterns are compiled, and converters and the stemmer loaded, when they are first used.
    store = SqliteStore.open(":memory:")
    with store.write(SCOPE) as unit:
        unit.apply(memory(1, random.Random(0)))  # noqa: S311  # a fixed seed
    store.close()
    RuleExtractor(timezone.utc)(message("m", "I love the sea."))


def main() -> None:
    """Fork a worker for each command, and wait for all of one line."""
    load_all()
    for line in sys.stdin:
        workers = []
        for command in line.strip().split(";"):
            worker = os.fork()
            if worker == 0:
                work(command)
                os._exit(0)
            workers.append(worker)
            say("pid", worker)
        for worker in workers:
            os.waitpid(worker, 0)
        say("dead")


if __name__ == "__main__":
    main()
