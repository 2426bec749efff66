"""Plays one memory through the comparison: run by path, in whatever environment that memory lives in.

``python speed_harness.py GIVEN SCRIPT``. GIVEN is JSON with what is written and asked. SCRIPT defines ``search(text)``,
which returns the texts it found, ``erase(handle)``, and ``write(text)``, which returns a handle; where the memory offers it
``write_many(texts)``, which returns as many, and ``close()``. It finds ``folder``, the one place in which it may keep
files, and ``vector(text)``. One line of JSON is printed.

Knows the standard library only, for the environment holds the other memory and nothing of ours.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import json
import math
import os
import resource
import socket
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

#: Texts of one batch.
BATCH = 50
#: Numbers in a made-up vector.
DIMENSIONS = 256
#: Cores, bytes of memory and open files that each may use.
CORES = 2
_MEMORY = 4 << 30
_OPEN_FILES = 1_024
#: Writes that are timed at the end, when the memory is nearly as large as it gets: one by one, and in batches.
_SINGLE = 200
_BATCHES = 20
#: What Python does to get at another machine, as it tells its audit hooks.
_REACHING = frozenset({"socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto"})


def vector(text: str) -> list[float]:
    """Return a vector of the pairs of letters of a text, of length one: what an embedding model costs is left out."""
    found = [0.0] * DIMENSIONS
    for one, other in itertools.pairwise(" " + text):
        found[hashlib.md5((one + other).encode(), usedforsecurity=False).digest()[0]] += 1.0
    length = math.sqrt(sum(one * one for one in found))
    return [one / length for one in found]


def limit(seconds: int) -> None:
    """Hold this process within the cores, the memory, the time and the files that all are given."""
    with contextlib.suppress(AttributeError, OSError):  # not every system lets a process choose its cores
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:CORES])
    for what, most in (
        ("RLIMIT_CPU", CORES * seconds),
        ("RLIMIT_DATA", _MEMORY),
        ("RLIMIT_NOFILE", _OPEN_FILES),
        ("RLIMIT_CORE", 0),
    ):
        with contextlib.suppress(AttributeError, OSError, ValueError):  # nor limit everything
            resource.setrlimit(getattr(resource, what), (most, most))


class Network:
    """Refuses Python's sockets the network, and counts how often something reached for it; compiled code may go round it."""

    def __init__(self) -> None:
        self.tried = 0
        sys.addaudithook(self._heard)

    def _heard(self, event: str, arguments: tuple[Any, ...]) -> None:
        local = event == "socket.connect" and arguments[0].family == getattr(socket, "AF_UNIX", None)
        if event in _REACHING and not local:
            self.tried += 1
            raise PermissionError("this measurement is made without a network")


def taken(act: Callable[[Any], Any], things: Sequence[Any]) -> tuple[list[float], float]:
    """Return the seconds of each call by the clock, and of an average one by the processor, all threads together."""
    spent, worked = [], time.process_time()
    for one in things:
        began = time.perf_counter()
        act(one)
        spent.append(time.perf_counter() - began)
    return spent, (time.process_time() - worked) / max(1, len(things))


def held(folder: Path, marks: Sequence[str]) -> int:
    """Return how many marks stand in any file below a folder, in any spelling in which a text is usually kept."""
    files = [path.read_bytes() for path in folder.rglob("*") if path.is_file()]
    return sum(any(form in file for file in files for form in _spelt(mark)) for mark in marks)


def _spelt(mark: str) -> tuple[bytes, ...]:
    return (mark.encode(), json.dumps(mark)[1:-1].encode(), mark.encode("utf-16-le"))


def rss_mb() -> float:
    """Return the resident memory of this process; its peak where the system does not tell the present one."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    return pages * resource.getpagesize() / 1e6


def _found(memory: dict[str, Any], planted: Sequence[dict[str, str]]) -> list[bool]:
    """Return of each planted text whether its question finds it."""
    return [any(one["text"] in text for text in memory["search"](one["question"])) for one in planted]


def play(given: dict[str, Any], memory: dict[str, Any]) -> dict[str, Any]:
    """Fill a memory, ask it, have it erase what was planted, and return what that took and what is left."""
    folder = Path(given["folder"])
    texts, planted = given["texts"], given["planted"]
    marks = [one["mark"] for one in planted]
    write, batched = memory["write"], memory.get("write_many")
    single = min(_SINGLE, len(texts) // 2)
    first, last = texts[:-single], texts[-single:]
    batches: list[float] = []
    if batched:
        batches, _ = taken(batched, [first[at : at + BATCH] for at in range(0, len(first), BATCH)])
    else:
        taken(write, first)
    writes, write_cpu = taken(write, last)
    handles = [write(one["text"]) for one in planted]
    memory["search"](given["questions"][0])
    searches, search_cpu = taken(memory["search"], given["questions"])
    found, rss, before = _found(memory, planted), rss_mb(), held(folder, marks)
    # The last batch may not be a whole one.
    whole = batches[:-1][-_BATCHES:]
    for one in handles:
        memory["erase"](one)
    left = _found(memory, planted)
    memory.get("close", lambda: None)()
    return {
        "writes": writes,
        "batches": whole,
        "searches": searches,
        "write_cpu": write_cpu,
        "search_cpu": search_cpu,
        "found": found,
        "found_erased": sum(left),
        "held_before": before,
        "rss_mb": rss,
    }


def main() -> None:
    """Play what the arguments name, and print what came of it."""
    # Python looks beside a script first, and what lies beside this one is nobody else's.
    sys.path.remove(str(Path(__file__).parent))
    given = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    limit(given["seconds"])
    network = Network()
    memory: dict[str, Any] = {"folder": given["folder"], "vector": vector, "DIMENSIONS": DIMENSIONS}
    exec(compile(Path(sys.argv[2]).read_text(encoding="utf-8"), "peer", "exec"), memory)  # noqa: S102 - a script of ours
    told = play(given, memory)
    print("\n" + json.dumps({**told, "version": memory["version"], "network": network.tried}))


if __name__ == "__main__":
    main()
