"""Reads what is known and what is asked, for measuring when a memory speaks.

Public sets are read from a path the user names; one set is our own (`silence_set.jsonl`), half of it for tuning. In ours
each line is one statement, or two that hang together, with requests for which the last one must, may or should not speak.
Lines of one rule are numbered; odd ones are for tuning, even ones for reports, alike in both languages, since some say the
same in both. Our own entries (`silence_entries.jsonl`) name their half.

The independent sets were written by an author who did not know the rules: `silence_independent.jsonl`, a request with six
statements about one person on each line, and `silence_independent_entries.jsonl`, in the format of PersistBench. Their lines
are halved in the same way, by whole requests.
"""

from __future__ import annotations

import enum
import json
from collections.abc import Iterator, Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

import attrs

#: Marks that RPEval's translations left around some texts.
_QUOTES = "“”\"' "
#: What the failures that PersistBench looks for are called here; a record without one is of the first.
_PERSISTBENCH = {
    "cross_domain": "unrelated",
    "sycophancy": "opinion",
    "beneficial_memory_usage": "beneficial",
}


class Half(enum.Enum):
    """Which lines of our own set."""

    TUNE = "tune"
    REPORT = "report"


@attrs.frozen(kw_only=True)
class Item:
    """What is known, what is asked, and whether the last of what is known should take part."""

    id: str
    statements: tuple[str, ...]
    request: str
    wanted: bool
    #: What kind of item it is: a rule of ours, or a class of the set.
    kind: str
    #: Items that share a statement or a request, and so are no independent draws.
    cluster: str


@attrs.frozen(kw_only=True)
class Query:
    """All that is known of a person, and one request; the set only says of what kind it is."""

    id: str
    statements: tuple[str, ...]
    request: str
    kind: str


def own(half: Half | None = None) -> Iterator[Item]:
    """Yield the items of our own set, all of them unless a half is named."""
    for line in own_lines():
        if half in (None, _half(line["id"])):
            asked = ((kind, text) for kind in ("must", "may", "silent") for text in line.get(kind, ()))
            for at, (kind, text) in enumerate(asked, start=1):
                yield Item(
                    id=f"{line['id']}.{at}",
                    statements=tuple(line["statements"]),
                    request=text,
                    wanted=kind != "silent",
                    kind=line["rule"],
                    cluster=line["id"],
                )


def _half(name: str) -> Half:
    return Half.TUNE if int(name.rpartition("-")[2]) % 2 else Half.REPORT


def independent(half: Half | None = None) -> Iterator[Item]:
    """Yield the pairs of the independent set, all of them unless a half is named; all six statements are known each time."""
    for line in _lines("silence_independent.jsonl"):
        if half in (None, _half(line["id"])):
            told = tuple(one["text"] for one in line["statements"])
            for at, one in enumerate(line["statements"]):
                yield Item(
                    id=f"{line['id']}.{at + 1}",
                    statements=(*told[:at], *told[at + 1 :], told[at]),
                    request=line["request"],
                    wanted=one["label"] == "use",
                    kind=one["label"],
                    cluster=line["id"],
                )


def independent_entries(half: Half | None = None) -> Iterator[Query]:
    """Yield the entries of the independent set, all of them unless a half is named."""
    for row in _lines("silence_independent_entries.jsonl"):
        if half in (None, _half(row["id"])):
            yield _entry(f"independent-{row['id']}", row)


def _lines(file: str) -> Sequence[Mapping[str, Any]]:
    text = resources.files("cmemory.bench").joinpath(file).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def own_lines() -> Sequence[Mapping[str, Any]]:
    """Return the lines of our own set."""
    return _lines("silence_set.jsonl")


def own_entries(half: Half) -> Iterator[Query]:
    """Yield our own entries of one half, written in the format of PersistBench."""
    for at, row in enumerate(_lines("silence_entries.jsonl")):
        if row["half"] == half.value:
            yield _entry(f"entry-{row['language']}-{at}", row)


def rpeval(file: Path) -> Iterator[Item]:
    """Yield the pairs of RPEval: one liking each, to be used ("support", "dominate") or ignored.

    Pairs with the same request are one cluster, since the set has few requests.
    """
    for at, row in enumerate(json.loads(file.read_text(encoding="utf-8"))):
        request = row["question"].strip(_QUOTES)
        yield Item(
            id=f"rpeval-{at}",
            statements=(row["persona"].strip(_QUOTES),),
            request=request,
            wanted=row["intent_type"] != "ignore",
            kind=row["intent_type"],
            cluster=request,
        )


def persistbench(file: Path) -> Iterator[Query]:
    """Yield the entries of PersistBench, from its JSON list or its JSON lines."""
    text = file.read_text(encoding="utf-8")
    rows = json.loads(text) if text.lstrip().startswith("[") else map(json.loads, text.splitlines())
    for at, row in enumerate(rows):
        yield _entry(f"persistbench-{at}", row)


def _entry(name: str, row: Mapping[str, Any]) -> Query:
    return Query(
        id=name,
        statements=tuple(row["memories"]),
        request=row["query"],
        kind=_PERSISTBENCH[row.get("failure_type", "cross_domain")],
    )


@attrs.frozen(kw_only=True)
class Belief:
    """One record of PrecisionMemBench."""

    id: str
    user: str
    type: str
    text: str
    #: What it goes by.
    names: tuple[str, ...]
    scopes: tuple[str, ...]
    pinned: bool
    #: Whether it was replaced or settled.
    over: bool


@attrs.frozen(kw_only=True)
class Case:
    """One query of PrecisionMemBench, with what its relevant tier must and must not hold."""

    id: str
    user: str
    scopes: tuple[str, ...]
    request: str
    #: Exactly what the tier holds; None where the case does not say.
    exactly: frozenset[str] | None
    never: frozenset[str]
    #: Records at most, pinned ones first; None for no limit.
    room: int | None


def beliefs(folder: Path) -> tuple[Belief, ...]:
    """Return the records of PrecisionMemBench."""
    rows = json.loads((folder / "beliefs.seed.json").read_text(encoding="utf-8"))
    return tuple(
        Belief(
            id=row["_id"],
            user=row["user_id"],
            type=row["type"],
            text=row["content"],
            names=(row["canonical_name"].replace("_", " "), *row["aliases"]),
            scopes=tuple(row["scope"]),
            pinned=row["pinned"],
            over=row["epistemic_status"] == "superseded" or row.get("resolved_at") is not None,
        )
        for row in rows
    )


def cases(folder: Path, *, user: str = "test-user") -> Iterator[Case]:
    """Yield the single-turn cases of PrecisionMemBench; where one names no user it is the given one's."""
    for row in json.loads((folder / "retrieval.cases.json").read_text(encoding="utf-8")):
        tier = row["expect"].get("relevantBeliefs", {})
        exactly = tier.get("shouldOnlyInclude")
        yield Case(
            id=row["caseId"],
            user=row.get("userId", user),
            scopes=tuple(row["scope"]),
            request=row["query"],
            exactly=None if exactly is None else frozenset(exactly),
            never=frozenset(tier.get("mustExclude", ())),
            room=row.get("budget", {}).get("maxBeliefs"),
        )
