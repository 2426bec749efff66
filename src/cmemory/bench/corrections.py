"""Plays a corpus of corrections, and of sentences that only look like some, through the façade.

``python -m cmemory.bench.corrections [FILE] [--json]``

Every item is a relationship of its own: what is known is told first, then the sentence, and what ended and what stands
anew is compared with what should. The figure that matters is precision: a near-miss that changes anything is a fact lost.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import attrs

from cmemory.memory import Memory, ScopedMemory

#: Where the repository keeps the corpus.
CORPUS = Path("tests/data/corrections.jsonl")

#: What is known was told on a Wednesday, the sentence a day later.
KNOWN_AT = "2026-06-03T04:00:00Z"
SAID_AT = "2026-06-04T04:00:00Z"
SEEN_AT = "2026-06-04T04:00:01Z"


@attrs.frozen(kw_only=True)
class Fact:
    """Something the person told before: read by the offline rules, or as the named claim."""

    said: str
    predicate: str | None = None
    value: str | int | None = None
    entity: str | None = None
    qualifiers: Mapping[str, str] | None = None


@attrs.frozen(kw_only=True)
class Case:
    """One sentence and what it should do."""

    id: str
    #: The kind of sentence, for the report.
    family: str
    known: tuple[Fact, ...]
    sentence: str
    #: Values that end and values that stand anew, each in order; both empty for a near-miss.
    ends: tuple[str, ...] = ()
    stands: tuple[str, ...] = ()

    @property
    def positive(self) -> bool:
        """Whether the sentence corrects anything."""
        return bool(self.ends or self.stands)


@attrs.frozen(kw_only=True)
class Played:
    """What a sentence did."""

    case: Case
    ended: tuple[str, ...]
    began: tuple[str, ...]

    @property
    def right(self) -> bool:
        """Whether it did what it should, and nothing else."""
        return (self.ended, self.began) == (self.case.ends, self.case.stands)

    @property
    def changed(self) -> bool:
        """Whether it did anything at all."""
        return bool(self.ended or self.began)


def read_corpus(path: Path = CORPUS) -> tuple[Case, ...]:
    """Return the items of a corpus, one JSON object a line."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return tuple(_case(json.loads(line)) for line in lines if line.strip())


def _case(item: Mapping[str, object]) -> Case:
    known = item["known"]
    effect = item["effect"] or {}
    if not isinstance(known, list) or not isinstance(effect, dict):
        raise TypeError("an item needs a list of facts and an effect")
    return Case(
        id=str(item["id"]),
        family=str(item["family"]),
        known=tuple(Fact(**fact) if isinstance(fact, dict) else Fact(said=str(fact)) for fact in known),
        sentence=str(item["sentence"]),
        ends=tuple(sorted(map(str, effect.get("ends", ())))),
        stands=tuple(sorted(map(str, effect.get("stands", ())))),
    )


def play(memory: Memory, case: Case) -> Played:
    """Return what a sentence does in a relationship of its own."""
    luna = memory.scope(service="corpus", owner=case.id, profile="luna")
    for fact in case.known:
        told = {} if fact.predicate is None else {"entity": fact.entity, "qualifiers": fact.qualifiers}
        luna.remember(fact.said, predicate=fact.predicate, value=fact.value, at=KNOWN_AT, **told)  # type: ignore[arg-type]
    before = _live(luna)
    luna.remember(case.sentence, at=SAID_AT)
    after = _live(luna)
    return Played(
        case=case,
        ended=tuple(sorted(value for name, value in before.items() if name not in after)),
        began=tuple(sorted(value for name, value in after.items() if name not in before)),
    )


def _live(luna: ScopedMemory) -> dict[str, str]:
    return {record.id: str(getattr(record.body, "value", "")) for record in luna.list(now=SEEN_AT)}


@attrs.frozen(kw_only=True)
class Figures:
    """How a group of items came out."""

    items: int
    #: Items that did exactly what they should.
    right: int
    #: Items that changed something that should have stayed, or changed it to the wrong thing.
    wrong: int

    @classmethod
    def of(cls, played: Iterable[Played]) -> Figures:
        """Count a group."""
        group = tuple(played)
        return cls(
            items=len(group),
            right=sum(one.right for one in group),
            wrong=sum(one.changed and not one.right for one in group),
        )

    @property
    def share(self) -> float:
        """Share of the items that came out right, 1 for none at all."""
        return self.right / self.items if self.items else 1.0


def figures(played: Sequence[Played]) -> dict[str, Figures]:
    """Return the figures of the corrections, of the near-misses, and of every family."""
    found = {
        "corrections": Figures.of(one for one in played if one.case.positive),
        "near-misses": Figures.of(one for one in played if not one.case.positive),
    }
    for family in dict.fromkeys(one.case.family for one in played):
        found[family] = Figures.of(one for one in played if one.case.family == family)
    return found


def table(found: Mapping[str, Figures]) -> str:
    """Return the figures as a Markdown table."""
    rows = ["| family | items | right | wrong change | share |", "| --- | ---: | ---: | ---: | ---: |"]
    rows += [
        f"| {name} | {one.items} | {one.right} | {one.wrong} | {one.share:.3f} |"
        for name, one in found.items()
    ]
    return "\n".join(rows)


def main(arguments: Sequence[str] | None = None) -> int:
    """Play a corpus and print its figures; what came out otherwise goes to standard error."""
    parser = argparse.ArgumentParser(prog="python -m cmemory.bench.corrections", description=__doc__)
    parser.add_argument("corpus", nargs="?", type=Path, default=CORPUS, help="the corpus, JSON lines")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    options = parser.parse_args(arguments)
    with Memory.open(zone="Asia/Shanghai") as memory:
        played = [play(memory, case) for case in read_corpus(options.corpus)]
    for one in played:
        if not one.right:
            print(
                f"{one.case.id}: {one.case.sentence}: ended {one.ended}, began {one.began}", file=sys.stderr
            )
    found = figures(played)
    data = {name: attrs.asdict(one) for name, one in found.items()}
    print(json.dumps(data, ensure_ascii=False, indent=2) if options.json else table(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
