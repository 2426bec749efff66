"""Gives other memories the same words as ours, each in an environment of its own, under the same limits.

A peer is installed with pip when it is asked for. One that cannot be installed, needs a model or a service to work at
all, or does not get done in time is reported as such; no figure of it is guessed. All of them, ours among them, run one
after the other in one run: words are written one at a time, each on the medium before the next, and then asked for.

What is compared is time and memory, not what was found: the others admit nothing, forget nothing and withhold nothing.
"""

from __future__ import annotations

import json
import subprocess
import sys
import venv
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import attrs

from cmemory.bench.figures import quantile
from cmemory.bench.speed_talk import asked, fact

#: Longest that a peer may take for one size, and its installation.
_SECONDS = 120
_INSTALL_SECONDS = 600

_QUESTIONS = 200


@attrs.frozen(kw_only=True)
class Peer:
    """Another memory, and how it is asked."""

    #: What pip installs; empty where nothing is needed, None where it cannot be measured.
    package: str | None
    #: Defines ``write(text)`` and ``search(text)``; ``folder`` is where it may keep files.
    script: str = ""
    #: What a reader of its figures has to know.
    note: str = ""


@attrs.frozen(kw_only=True)
class Outcome:
    """What one memory took at one size; None where there is nothing to tell, and the note says why."""

    name: str
    records: int
    writes_per_second: float | None = None
    search_p50_ms: float | None = None
    search_p95_ms: float | None = None
    rss_mb: float | None = None
    note: str = ""

    def cells(self) -> tuple[str, ...]:
        """Return the cells of its row."""
        figures = (self.search_p50_ms, self.search_p95_ms, self.rss_mb)
        writes = "-" if self.writes_per_second is None else f"{self.writes_per_second:,.0f}"
        told = ("-" if one is None else f"{one:.2f}" for one in figures)
        return (self.name, f"{self.records:,}", writes, *told, self.note)


_OURS = """
from cmemory import Memory
from cmemory.bench.speed import admit, scope_of
memory = Memory.open(folder + "/memory.db")
luna = scope_of(memory)
numbers = iter(range(10**9))
def write(text):
    admit(luna, [next(numbers)])
def search(text):
    luna.{}
"""

PEERS: Mapping[str, Peer] = {
    "fts5": Peer(
        package="",
        script="""
import sqlite3
base = sqlite3.connect(folder + "/plain.db", isolation_level=None)
base.execute("PRAGMA journal_mode=WAL")
base.execute("PRAGMA synchronous=FULL")
base.execute("CREATE VIRTUAL TABLE texts USING fts5 (text)")
def write(text):
    base.execute("INSERT INTO texts VALUES (?)", (text,))
def search(text):
    words = " OR ".join('"' + word + '"' for word in text.replace('"', " ").split())
    base.execute("SELECT text FROM texts WHERE texts MATCH ? ORDER BY rank LIMIT 10", (words,)).fetchall()
""",
        note="SQLite's own index and nothing else; finds no Chinese words",
    ),
    "agentrecall": Peer(
        package="agentrecall-db",
        script="""
from agentrecall import Memory
memory = Memory(folder + "/agent.db")
def write(text):
    memory.add(text)
def search(text):
    memory.search(text, k=10)
""",
        note="keyword recall, without its extra for vectors",
    ),
    "chroma": Peer(
        package="chromadb",
        script="""
import hashlib
import chromadb
client = chromadb.PersistentClient(folder, settings=chromadb.Settings(anonymized_telemetry=False))
kept = client.create_collection("texts", embedding_function=None)
def vector(text):
    found = [0.0] * 256
    for at in range(len(text) - 1):
        found[hashlib.md5(text[at:at + 2].encode()).digest()[0]] += 1.0
    return found
numbers = iter(range(10**9))
def write(text):
    kept.add(ids=[str(next(numbers))], documents=[text], embeddings=[vector(text)])
def search(text):
    kept.query(query_embeddings=[vector(text)], n_results=10)
""",
        note="with 256-dimensional hashed vectors of ours, since its own model is downloaded",
    ),
    "langgraph": Peer(package=None, note="its store looks for words only with an embedding model"),
    "mem0": Peer(package=None, note="needs a model to write, and one for vectors to search"),
}

_HARNESS = """
import json, sys, time
folder, texts, questions = json.load(open(sys.argv[1], encoding="utf-8"))
{script}
def taken(act, things):
    spent = []
    for one in things:
        began = time.perf_counter()
        act(one)
        spent.append(time.perf_counter() - began)
    return spent
writes = taken(write, texts)
search(questions[0])
searches = taken(search, questions)
rss = 0.0
try:
    import resource
    rss = int(open("/proc/self/statm").read().split()[1]) * resource.getpagesize() / 1e6
except OSError:
    pass
print("\\n" + json.dumps([writes, searches, rss]))
"""


def compare(names: Sequence[str], sizes: Sequence[int], folder: Path) -> Iterator[Outcome]:
    """Yield what ours and each of the named peers took, size by size."""
    pythons = {name: _installed(PEERS[name], folder / f"venv-{name}") for name in names}
    ours = {
        "cmemory, search": Peer(package="", script=_OURS.format("search(text, message=text)")),
        "cmemory, prepare": Peer(package="", script=_OURS.format("prepare(text)")),
    }
    for records in sizes:
        for name, peer in (*ours.items(), *((name, PEERS[name]) for name in names)):
            python = pythons.get(name, sys.executable)
            yield _asked(name, peer, python, records, folder / f"{name.split()[-1]}-{records}")


def _installed(peer: Peer, home: Path) -> str | None:
    """Return the interpreter that has a peer, None where it cannot be had."""
    if not peer.package:
        return sys.executable if peer.package == "" else None
    venv.create(home, with_pip=True)
    python = str(home / "bin" / "python")
    command = [python, "-m", "pip", "install", "--quiet", peer.package]
    try:
        subprocess.run(command, check=True, capture_output=True, timeout=_INSTALL_SECONDS)  # noqa: S603 - a name of ours
    except (subprocess.SubprocessError, OSError):
        return None
    return python


def _asked(name: str, peer: Peer, python: str | None, records: int, folder: Path) -> Outcome:
    if python is None:
        why = peer.note if peer.package is None else f"pip could not install {peer.package}"
        return Outcome(name=name, records=records, note=why)
    folder.mkdir(parents=True)
    given = folder / "given.json"
    texts, questions = [fact(at) for at in range(records)], [asked(at) for at in range(_QUESTIONS)]
    given.write_text(json.dumps([str(folder), texts, questions]), encoding="utf-8")
    command = [python, "-c", _HARNESS.replace("{script}", peer.script), str(given)]
    try:
        told = subprocess.run(command, check=True, capture_output=True, text=True, timeout=_SECONDS)  # noqa: S603 - the same
    except subprocess.TimeoutExpired:
        return Outcome(name=name, records=records, note=f"was not done after {_SECONDS} s")
    except (subprocess.SubprocessError, OSError) as error:
        return Outcome(name=name, records=records, note=f"failed ({type(error).__name__})")
    writes, searches, rss = json.loads(told.stdout.splitlines()[-1])
    return Outcome(
        name=name,
        records=records,
        writes_per_second=len(writes) / sum(writes),
        search_p50_ms=quantile(searches, 0.50) * 1000,
        search_p95_ms=quantile(searches, 0.95) * 1000,
        rss_mb=rss,
        note=peer.note,
    )
