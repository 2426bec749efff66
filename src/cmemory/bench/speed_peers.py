"""Gives other memories the same words as ours, each in an environment of its own, under the same limits, in one run.

A peer is installed with pip at the version that is named here, into a folder that may be kept (``--envs``). One that
cannot be installed, breaks, or is not done in time is reported as such; no figure of it is guessed. All of them, ours among
them, run one after the other: texts are written in batches of 50 where the memory offers that, the last 200 one at a time,
and then asked for; some are planted, asked for by name, erased, and looked for in the files. `cmemory.bench.speed_harness`
does so.

Each process gets two cores, 4 GiB of memory, 1,024 open files, `SECONDS` by the clock and twice that of processor time, a
home directory of its own, and no network through Python's sockets. Who wants vectors gets the same hashed ones, at no cost
worth speaking of: what an embedding model takes, or a model that writes, comes on top.

What is compared is time, memory and files: the others admit nothing and withhold nothing. Whether a question by name finds
its text is counted, no more; how well a search finds is another measurement.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import venv
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs

import cmemory
from cmemory.bench import speed_harness
from cmemory.bench.figures import markdown, quantile
from cmemory.bench.speed_talk import PLANTED, asked, fact

#: Longest that a memory may take for one size, and its installation.
SECONDS = 900
_INSTALL_SECONDS = 900

_QUESTIONS = 200

#: What keeps a memory at home and quiet.
_QUIET = {
    "ANONYMIZED_TELEMETRY": "False",
    "MEM0_TELEMETRY": "False",
    "DO_NOT_TRACK": "1",
    "HF_HUB_OFFLINE": "1",
    "OMP_NUM_THREADS": str(speed_harness.CORES),
}


@attrs.frozen(kw_only=True)
class Peer:
    """Another memory, and how it is asked."""

    #: What pip installs, each with its version, the memory first; empty where nothing is needed.
    packages: tuple[str, ...] = ()
    #: What `cmemory.bench.speed_harness` asks for, and ``version``.
    script: str
    #: What a reader of its figures has to know.
    note: str = ""


@attrs.frozen(kw_only=True)
class Outcome:
    """What one memory took at one size; None where there is nothing to tell, and the note says why."""

    name: str
    records: int
    version: str = ""
    writes_per_second: float | None = None
    #: Texts a second in batches of 50; None where it offers none.
    batched_per_second: float | None = None
    search_p50_ms: float | None = None
    search_p95_ms: float | None = None
    #: Time the processor worked on an average write, one at a time, and search: less moved by what else runs.
    write_cpu_ms: float | None = None
    search_cpu_ms: float | None = None
    rss_mb: float | None = None
    #: All its files, once it was closed.
    files_mb: float | None = None
    #: Planted texts that their question found, in Chinese and in English, and how many there were of each.
    found_zh: int | None = None
    found_en: int | None = None
    planted: int = 0
    #: Planted texts, both languages, whose words stood in a file before they were erased, and after.
    held_before: int | None = None
    held_after: int | None = None
    #: Planted texts that were still found once they were erased.
    found_erased: int | None = None
    note: str = ""


_VERSION = 'import importlib.metadata\nversion = importlib.metadata.version("{}")\n'

_OURS = """
import itertools
from cmemory import Memory
from cmemory.bench.speed import admit_said, scope_of
from cmemory.bench.speed_talk import stated
memory = Memory.open(folder + "/memory.db")
luna = scope_of(memory)
numbers = itertools.count()
def write_many(texts):
    facts = [(next(numbers), text) for text in texts]
    return [one.record_id for one in admit_said(luna, stated(facts), second=facts[0][0])]
def write(text):
    return write_many([text])[0]
def search(text):
    return [{}]
def erase(handle):
    luna.forget(handle)
close = memory.close
"""

#: Ours, asked in both ways: what matches, and what a turn may be told.
OURS: Mapping[str, Peer] = {
    "cmemory, search": Peer(
        script=_VERSION.format("cmemory") + _OURS.format("one.text for one in luna.search(text)"),
        note="admission, quotes and boundaries held",
    ),
    "cmemory, prepare": Peer(
        script=_VERSION.format("cmemory") + _OURS.format("one.text for _, one in luna.prepare(text).shown"),
        note="the plan of a turn instead of a search",
    ),
}

#: With what makes it as fast as it gets, and with an SQLite that loads extensions where Python's own does not.
_LANGGRAPH_PACKAGES = (
    "langgraph-checkpoint-sqlite==3.1.2",
    "numpy>=2",
    "pysqlite3-binary==0.5.4.post2; sys_platform == 'linux' and platform_machine == 'x86_64'",
)

_LANGGRAPH = """
from langgraph.store.base import PutOp
index = {"dims": DIMENSIONS, "embed": lambda texts: [vector(text) for text in texts], "fields": ["text"]}
import itertools
numbers = itertools.count()
def write(text):
    key = str(next(numbers))
    store.put(("bench", "u-1"), key, {"text": text})
    return key
def write_many(texts):
    keys = [str(next(numbers)) for _ in texts]
    store.batch([PutOp(("bench", "u-1"), key, {"text": text}) for key, text in zip(keys, texts)])
    return keys
def search(text):
    return [one.value["text"] for one in store.search(("bench", "u-1"), query=text, limit=10)]
def erase(key):
    store.delete(("bench", "u-1"), key)
"""

#: Two memories are spoken to in the same way.
_ADD_AND_SEARCH = """\
def write(text):
    return memory.add(text, user_id="u-1", infer=False)["results"][0]["id"]
def write_many(texts):
    told = [{"role": "user", "content": text} for text in texts]
    return [one["id"] for one in memory.add(told, user_id="u-1", infer=False)["results"]]
def search(text):
    found = memory.search(text, filters={"user_id": "u-1"}, top_k=10, threshold=0.0)
    return [one["memory"] for one in found["results"]]
def erase(name):
    memory.delete(name)
close = memory.close
"""

PEERS: Mapping[str, Peer] = {
    "fts5": Peer(
        script="""
import sqlite3
version = sqlite3.sqlite_version
base = sqlite3.connect(folder + "/plain.db", isolation_level=None)
base.execute("PRAGMA journal_mode=WAL")
base.execute("PRAGMA synchronous=FULL")
base.execute("CREATE VIRTUAL TABLE texts USING fts5 (text)")
def write(text):
    return base.execute("INSERT INTO texts VALUES (?)", (text,)).lastrowid
def write_many(texts):
    base.execute("BEGIN")
    rows = [write(text) for text in texts]
    base.execute("COMMIT")
    return rows
def search(text):
    words = " OR ".join('"' + word + '"' for word in text.replace('"', " ").split())
    found = "SELECT text FROM texts WHERE texts MATCH ? ORDER BY rank LIMIT 10"
    return [text for text, in base.execute(found, (words,))]
def erase(row):
    base.execute("DELETE FROM texts WHERE rowid = ?", (row,))
close = base.close
""",
        note="SQLite's own index and nothing else",
    ),
    "agentrecall": Peer(
        packages=("agentrecall-db==0.2.0",),
        script=_VERSION.format("agentrecall-db")
        + """
from agentrecall import Memory
memory = Memory(folder + "/agent.db")
def write(text):
    return memory.add(text).id
def write_many(texts):
    return [one.id for one in memory.add_many(texts)]
def search(text):
    return [one.content for one in memory.search(text, k=10)]
def erase(name):
    memory.delete(name)
close = memory.close
""",
        note="keywords, without its extra for vectors; a batch is as many commits as texts, none waits for the disk",
    ),
    "chroma": Peer(
        packages=("chromadb==1.5.9",),
        script=_VERSION.format("chromadb")
        + """
import itertools
import chromadb
client = chromadb.PersistentClient(folder, settings=chromadb.Settings(anonymized_telemetry=False))
kept = client.create_collection("texts", embedding_function=None)
numbers = itertools.count()
def write_many(texts):
    names = [str(next(numbers)) for _ in texts]
    kept.add(ids=names, documents=texts, embeddings=[vector(text) for text in texts])
    return names
def write(text):
    return write_many([text])[0]
def search(text):
    return kept.query(query_embeddings=[vector(text)], n_results=10)["documents"][0]
def erase(name):
    kept.delete(ids=[name])
""",
        note="hashed vectors, since its own model is downloaded",
    ),
    "langgraph": Peer(
        packages=_LANGGRAPH_PACKAGES,
        script=_VERSION.format("langgraph-checkpoint-sqlite")
        + _LANGGRAPH
        + """
import sqlite3
if not hasattr(sqlite3.Connection, "enable_load_extension"):
    import pysqlite3 as sqlite3
from langgraph.store.sqlite import SqliteStore
base = sqlite3.connect(folder + "/store.db", isolation_level=None, check_same_thread=False)
store = SqliteStore(base, index=index)
store.setup()
close = base.close
""",
        note="its SqliteStore, hashed vectors",
    ),
    "langgraph-memory": Peer(
        packages=_LANGGRAPH_PACKAGES,
        script=_VERSION.format("langgraph-checkpoint")
        + _LANGGRAPH
        + """
from langgraph.store.memory import InMemoryStore
store = InMemoryStore(index=index)
""",
        note="its InMemoryStore, hashed vectors; keeps no file",
    ),
    "mem0": Peer(
        packages=("mem0ai==2.2.1",),
        script=_VERSION.format("mem0ai")
        + """
from mem0 import Memory
from mem0.embeddings.base import EmbeddingBase
class Hashed(EmbeddingBase):
    def embed(self, text, memory_action=None):
        return vector(text)
store = {"collection_name": "texts", "path": folder + "/qdrant", "on_disk": True, "embedding_model_dims": DIMENSIONS}
unused = {"provider": "openai", "config": {"api_key": "unused"}}
memory = Memory.from_config({
    "vector_store": {"provider": "qdrant", "config": store},
    "llm": unused,
    "embedder": unused,
    "history_db_path": folder + "/history.db",
})
memory.embedding_model = Hashed()
"""
        + _ADD_AND_SEARCH,
        note="infer=False, so no model writes; Qdrant in its process, hashed vectors alone; a batch is as many writes",
    ),
    "mnemosyne": Peer(
        packages=("mnemosyne-memory==3.15.1",),
        script=_VERSION.format("mnemosyne-memory")
        + """
import pathlib
from mnemosyne import Mnemosyne
memory = Mnemosyne(session_id="bench", db_path=pathlib.Path(folder + "/mnemosyne.db"))
def write(text):
    return memory.remember(text)
def write_many(texts):
    return memory.beam.remember_batch([{"content": text} for text in texts])
def search(text):
    return [one["content"] for one in memory.recall(text, top_k=10)]
def erase(name):
    memory.forget(name)
""",
        note="keywords, without its extra for vectors",
    ),
    "mnemosyne-os": Peer(
        packages=("mnemosyne-os==8.1.0.post1",),
        script=_VERSION.format("mnemosyne-os")
        + """
from mnemosyne.api.memory import Memory
memory = Memory.from_config({"brain_dir": folder + "/brain"})
"""
        + _ADD_AND_SEARCH,
        note="infer=False; its own built-in vectors; a batch is as many writes",
    ),
}

_HEAD = (
    "memory",
    "version",
    "records",
    "writes/s",
    "in 50s/s",
    "search p50 ms",
    "search p95 ms",
    "write CPU ms",
    "search CPU ms",
    "RSS MB",
    "files MB",
    "zh found",
    "en found",
    "words left in files",
    "found though erased",
    "note",
)

#: Figures of `Outcome` that are told as a multiple of ours as well.
_TIMES = (
    "writes_per_second",
    "batched_per_second",
    "search_p50_ms",
    "search_p95_ms",
    "write_cpu_ms",
    "search_cpu_ms",
    "rss_mb",
    "files_mb",
)


def compare(
    names: Sequence[str], sizes: Sequence[int], folder: Path, *, envs: Path | None = None
) -> Iterator[Outcome]:
    """Yield what ours and each of the named peers took, size by size.

    Args:
        names: of `PEERS`.
        sizes: records.
        folder: where everything is kept meanwhile.
        envs: where environments are kept for the next time; in the folder unless given.
    """
    pythons = {name: installed(PEERS[name], envs or folder / "envs") for name in names}
    for records in sizes:
        for name, peer in (*OURS.items(), *((name, PEERS[name]) for name in names)):
            python = pythons.get(name, sys.executable)
            yield _asked(name, peer, python, records, folder / f"{name.split()[-1]}-{records}")


def table(outcomes: Sequence[Outcome]) -> str:
    """Return the outcomes as Markdown tables: the figures, and each as a multiple of the first of its size."""
    figures = markdown(
        _HEAD,
        (_cells(one) for one in outcomes),
    )
    first = {one.records: one for one in reversed(outcomes)}
    multiples = markdown(
        (
            "times ours",
            "records",
            "writes/s",
            "in 50s/s",
            "search p50",
            "search p95",
            "write CPU",
            "search CPU",
            "RSS",
            "files",
        ),
        (
            (one.name, f"{one.records:,}", *(_multiple(one, first[one.records], name) for name in _TIMES))
            for one in outcomes
        ),
    )
    return f"{figures}\n\n{multiples}"


def _cells(one: Outcome) -> tuple[str, ...]:
    def shown(figure: float | None, form: str) -> str:
        return "-" if figure is None else format(figure, form)

    held = (
        "-"
        if one.held_before is None
        else "no file"
        if not one.held_before
        else f"{one.held_after}/{one.held_before}"
    )
    return (
        one.name,
        one.version or "-",
        f"{one.records:,}",
        shown(one.writes_per_second, ",.0f"),
        shown(one.batched_per_second, ",.0f"),
        shown(one.search_p50_ms, ".2f"),
        shown(one.search_p95_ms, ".2f"),
        shown(one.write_cpu_ms, ".2f"),
        shown(one.search_cpu_ms, ".2f"),
        shown(one.rss_mb, ".0f"),
        shown(one.files_mb, ".1f"),
        "-" if one.found_zh is None else f"{one.found_zh}/{one.planted}",
        "-" if one.found_en is None else f"{one.found_en}/{one.planted}",
        held,
        shown(one.found_erased, "d"),
        one.note,
    )


def _multiple(one: Outcome, ours: Outcome, name: str) -> str:
    theirs, own = getattr(one, name), getattr(ours, name)
    return "-" if theirs is None or not own else f"{theirs / own:.3g}"


def installed(peer: Peer, envs: Path) -> str | None:
    """Return the interpreter that has a peer, None where it cannot be had; what is there already is used again."""
    if not peer.packages:
        return sys.executable
    home = envs / re.sub(r"[^\w.]+", "-", peer.packages[0])
    python, done, wanted = home / "bin" / "python", home / "installed.txt", "\n".join(peer.packages)
    if not done.exists() or done.read_text(encoding="utf-8") != wanted:
        venv.create(home, with_pip=True, clear=True)
        command = [str(python), "-m", "pip", "install", "--quiet", *peer.packages]
        try:
            subprocess.run(command, check=True, capture_output=True, timeout=_INSTALL_SECONDS)  # noqa: S603 - a name of ours
        except (subprocess.SubprocessError, OSError):
            return None
        done.write_text(wanted, encoding="utf-8")
    return str(python)


def _asked(name: str, peer: Peer, python: str | None, records: int, folder: Path) -> Outcome:
    if python is None:
        return Outcome(name=name, records=records, note=f"pip could not install {peer.packages[0]}")
    kept = folder / "kept"
    kept.mkdir(parents=True)
    given, script = folder / "given.json", folder / "script.py"
    planted = [attrs.asdict(one) for one in PLANTED]
    content = {
        "folder": str(kept),
        "texts": [fact(at) for at in range(records)],
        "questions": [asked(at) for at in range(_QUESTIONS)],
        "planted": planted,
        "seconds": SECONDS,
    }
    given.write_text(json.dumps(content), encoding="utf-8")
    script.write_text(peer.script, encoding="utf-8")
    settings = {**os.environ, **_QUIET, "HOME": str(kept), "PYTHONPATH": ""}
    if not peer.packages:
        # Wherever the process stands, it imports what is measured here.
        settings["PYTHONPATH"] = str(Path(cmemory.__file__).parents[1])
    command = [python, str(Path(speed_harness.__file__)), str(given), str(script)]
    try:
        told = subprocess.run(  # noqa: S603 - our own program
            command, check=True, capture_output=True, text=True, timeout=SECONDS, env=settings, cwd=kept
        )
    except subprocess.TimeoutExpired:
        return Outcome(name=name, records=records, note=f"was not done after {SECONDS} s")
    except subprocess.CalledProcessError as error:
        return Outcome(name=name, records=records, note=f"failed: {_last(error.stderr) or error.returncode}")
    return _outcome(name, peer, records, kept, json.loads(told.stdout.splitlines()[-1]))


def _last(told: str) -> str:
    """Return the last line of what a process complained about, without places of this machine."""
    lines = told.strip().splitlines()
    return re.sub(r"(/[^\s/]+)+/", "", lines[-1])[:120] if lines else ""


def _outcome(name: str, peer: Peer, records: int, kept: Path, told: Mapping[str, Any]) -> Outcome:
    found = [one.chinese for one, seen in zip(PLANTED, told["found"], strict=True) if seen]
    files = [path for path in kept.rglob("*") if path.is_file()]
    notes = [peer.note, f"reached for the network {told['network']} times" if told["network"] else ""]
    return Outcome(
        name=name,
        records=records,
        version=told["version"],
        writes_per_second=len(told["writes"]) / sum(told["writes"]),
        batched_per_second=speed_harness.BATCH * len(told["batches"]) / sum(told["batches"])
        if told["batches"]
        else None,
        search_p50_ms=quantile(told["searches"], 0.50) * 1000,
        search_p95_ms=quantile(told["searches"], 0.95) * 1000,
        write_cpu_ms=told["write_cpu"] * 1000,
        search_cpu_ms=told["search_cpu"] * 1000,
        rss_mb=told["rss_mb"],
        files_mb=sum(path.stat().st_size for path in files) / 1e6 if files else None,
        found_zh=sum(found),
        found_en=len(found) - sum(found),
        planted=sum(one.chinese for one in PLANTED),
        held_before=told["held_before"],
        held_after=speed_harness.held(kept, [one.mark for one in PLANTED]),
        found_erased=told["found_erased"],
        note="; ".join(filter(None, notes)),
    )
