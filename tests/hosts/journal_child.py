"""A process that starts workers on a journal and can afford to lose them; speaks like `store_child`."""

from __future__ import annotations

import os
import random
import resource
import sys
from collections.abc import Callable
from pathlib import Path

from store_child import NOBODY, load_all, say

from cmemory import Memory
from cmemory.adapters.files.journal import FileJournal
from cmemory.domain.errors import CMemoryError, StoreError
from cmemory.domain.policy import InboxPolicy
from cmemory.ports.inbox import Queued
from cmemory.testing.builders import SCOPE, at, message

POLICY = InboxPolicy()


def text_of(number: int) -> str:
    """Return words that only the message of that number holds, some of them longer than a page."""
    return f"tag{number:06d}x " * (1 + 500 * (number % 7 == 0))


def enqueue(journal: FileJournal, number: int) -> Queued:
    """Let the message of a number wait."""
    return journal.inbox(SCOPE).enqueue(message(f"m-{number}", text_of(number)), now=at(number))


def held(journal: FileJournal) -> list[int]:
    """Return the numbers that wait."""
    return [int(one.message.id[2:]) for one in journal.inbox(SCOPE).held()]


def churn(path: Path, rng: random.Random) -> None:
    """Let messages wait and go for ever; each change is announced before and acknowledged after."""
    journal = FileJournal.open(path)
    live = held(journal)
    following = rng.randrange(1_000_000) * 1_000
    while True:
        inbox = journal.inbox(SCOPE)
        if live and rng.random() < 0.2:
            inbox.put_off(f"m-{rng.choice(live)}", now=at(0), policy=POLICY)
        elif live and rng.random() < len(live) / 16:
            going = rng.sample(live, rng.randrange(1, 1 + min(3, len(live))))
            say("begin", "done", *going)
            inbox.done(f"m-{number}" for number in going)
            say("acknowledged", "done", *going)
            live = [number for number in live if number not in going]
        else:
            following += 1
            say("begin", "enqueue", following)
            enqueue(journal, following)
            say("acknowledged", "enqueue", following)
            live.append(following)


def feed(path: Path, rng: random.Random) -> None:
    """Let a hundred messages of its own wait, and half of them go."""
    journal = FileJournal.open(path)
    first = rng.randrange(1, 10_000) * 100
    for number in range(first, first + 100):
        enqueue(journal, number)
        if number % 2:
            journal.inbox(SCOPE).done((f"m-{number}",))
        say("acknowledged", "enqueue", number)


def drain(path: Path, rng: random.Random) -> None:
    """Let messages wait and move them into the database beside the journal, for ever."""
    number = rng.randrange(1_000_000) * 1_000
    with Memory.open(path.with_suffix(".db"), journal=path) as memory, FileJournal.open(path) as journal:
        luna = memory.scope(service=SCOPE.service, owner=SCOPE.owner, profile=SCOPE.profile)
        while True:
            for _ in range(rng.randrange(1, 5)):
                number += 1
                said = message(f"m-{number}", f"My name is Nora{number}.", second=0)
                journal.inbox(SCOPE).enqueue(said, now=at(0))
                say("acknowledged", "enqueue", number)
            luna.drain(now=at(1))
            say("drained")


def fill(path: Path, rng: random.Random) -> None:
    """Let messages wait until the file may grow no more, let some go, and try again."""
    del rng
    journal = FileJournal.open(path)
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, hard))
    number = 1
    try:
        while True:
            enqueue(journal, number)
            say("acknowledged", "enqueue", number)
            number += 1
    except StoreError as error:
        say("refused", error)
    say("held", *held(journal))
    journal.inbox(SCOPE).done(("m-1", "m-2"))
    enqueue(journal, 1_002)
    say("held", *held(journal))


def attempt(path: Path, rng: random.Random) -> None:
    """Open a journal and let a message wait."""
    enqueue(FileJournal.open(path), rng.randrange(1_000))


COMMANDS: dict[str, Callable[[Path, random.Random], None]] = {
    "churn": churn,
    "feed": feed,
    "drain": drain,
    "fill": fill,
    "nobody": attempt,
}


def work(line: str) -> None:
    """Do one command; an error of ours ends it with a line that says so."""
    command, seed, path = line.split(" ", 2)
    if command == "nobody" and os.geteuid() == 0:
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    try:
        COMMANDS[command](Path(path), random.Random(int(seed)))  # noqa: S311  # a seeded test
    except CMemoryError as error:
        say("failed", error)


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
