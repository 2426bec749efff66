"""Measures how many facts that are asked later survive the checkpoint of a long conversation.

``python -m cmemory.bench.compaction --locomo FILE --realmembench DIR [--budget 900] [--json]``

A fact survives when each turn that proves it is carried (at least 60 % of the turn's content words stand in its line),
or when 60 % of the content words of its answer stand somewhere in the checkpoint. Compared are our checkpoint, the
window protocol's, and the first and last messages, all within the same tokens by the same counter. The words of a
heading or a day count for nobody. The figures of the conversations on which the weights were set are told apart.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timezone
from pathlib import Path

import attrs

from cmemory.bench.dataset import turns_named
from cmemory.domain.archive.compact import select
from cmemory.domain.archive.entry import Entry, Frame, Selection
from cmemory.domain.archive.stretches import terms_of
from cmemory.domain.model.ids import MessageId
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.message import Speaker
from cmemory.domain.plan.budget import estimate_tokens
from cmemory.domain.plan.render import checkpoint
from cmemory.domain.policy import POSITIONAL, CompactionPolicy

#: Share of content words from which a turn or an answer counts as carried.
ENOUGH = 0.6
#: Conversations on which the weights were set; every other one is reported.
TUNED_ON = frozenset({"conv-26", "conv-30", "Ethan_Hunt 1"})
#: Resamples of the conversations' facts for an interval, and the share of them inside it.
_RESAMPLES = 2_000
_INSIDE = 0.95
#: Projects taken from each RealMemBench person: those with most facts.
_PROJECTS = {"Ethan_Hunt": 2, "Lin_Wanyu": 2, "Sarah_Miller": 1}
#: Question category of LoCoMo that has no answer.
_ADVERSARIAL = 5
_LABEL = re.compile("^【[^】]*】")


@attrs.frozen(kw_only=True)
class Fact:
    """Something asked after the conversation."""

    answer: str
    #: Positions of the turns that prove it; empty where the set does not tell.
    evidence: tuple[int, ...] = ()


@attrs.frozen(kw_only=True)
class Case:
    """One long conversation and what is asked of it later."""

    name: str
    entries: tuple[Entry, ...]
    facts: tuple[Fact, ...]

    @property
    def tuned(self) -> bool:
        """Whether the weights were set on it."""
        return self.name in TUNED_ON


@attrs.frozen(kw_only=True)
class Outcome:
    """What came of one method on one conversation."""

    method: str
    case: Case
    tokens: int
    lines: int
    seconds: float
    survived: tuple[bool, ...]

    @property
    def share(self) -> float:
        """Share of facts that survived."""
        return sum(self.survived) / len(self.survived)


Method = Callable[[Sequence[Entry], Frame, int], Selection]


def read_locomo(file: Path) -> Iterator[Case]:
    """Yield the LoCoMo conversations; questions without an answer are left out."""
    for conversation in json.loads(file.read_text(encoding="utf-8")):
        talk = conversation["conversation"]
        entries: list[Entry] = []
        places: dict[tuple[int, int], int] = {}
        for number in sorted(int(key[8:]) for key in talk if re.fullmatch(r"session_[0-9]+", key)):
            moment = datetime.strptime(talk[f"session_{number}_date_time"], "%I:%M %p on %d %B, %Y")
            for at, turn in enumerate(talk[f"session_{number}"], start=1):
                places[number, at] = len(entries)
                person = turn["speaker"] == talk["speaker_a"]
                entries.append(
                    _entry(len(entries), turn["text"], person, moment.replace(tzinfo=timezone.utc))
                )
        facts = [
            Fact(answer=str(one["answer"]), evidence=_turns(one["evidence"], places))
            for one in conversation["qa"]
            if one["category"] != _ADVERSARIAL and "answer" in one
        ]
        yield Case(name=conversation["sample_id"], entries=tuple(entries), facts=tuple(facts))


def read_realmembench(folder: Path) -> Iterator[Case]:
    """Yield projects of the people: sessions up to the last quarter, with what that quarter uses of them."""
    for person, wanted in _PROJECTS.items():
        file = folder / f"{person}_dialogues_256k.json"
        projects: dict[str, list[Mapping[str, object]]] = defaultdict(list)
        for session in json.loads(file.read_text(encoding="utf-8"))["dialogues"]:
            projects[str(session["session_identifier"]).partition(":")[0]].append(session)
        cases = [_project(sessions) for sessions in projects.values()]
        cases.sort(key=lambda case: -len(case.facts))
        for number, case in enumerate(cases[:wanted], start=1):
            yield attrs.evolve(case, name=f"{person} {number}")


def _project(sessions: Sequence[Mapping[str, object]]) -> Case:
    cut = len(sessions) * 3 // 4
    past = {str(session["session_uuid"]) for session in sessions[:cut]}
    entries: list[Entry] = []
    for session in sessions[:cut]:
        day = datetime.fromisoformat(str(session["current_time"])[:10]).replace(tzinfo=timezone.utc)
        for turn in session["dialogue_turns"]:  # type: ignore[attr-defined]
            entries.append(_entry(len(entries), turn["content"], turn["speaker"] == "User", day))
    used = [
        str(memory["content"])
        for session in sessions[cut:]
        for turn in session["dialogue_turns"]  # type: ignore[attr-defined]
        for memory in turn.get("memory_used") or ()
        if isinstance(memory, dict) and memory["session_uuid"] in past
    ]
    facts = tuple(Fact(answer=_LABEL.sub("", text)) for text in dict.fromkeys(used))
    return Case(name="", entries=tuple(entries), facts=facts)


def _turns(evidence: Sequence[str], places: Mapping[tuple[int, int], int]) -> tuple[int, ...]:
    return tuple(places[name] for name in turns_named(evidence) if name in places)


def _entry(at: int, text: str, person: bool, moment: datetime) -> Entry:
    return Entry(
        message_id=MessageId(f"m{at}"),
        speaker=Speaker.USER if person else Speaker.ASSISTANT,
        text=text,
        at=Instant.of(moment),
        day=f"{moment:%Y-%m-%d}",
    )


def survives(fact: Fact, carried: Mapping[int, frozenset[str]], said: Sequence[frozenset[str]]) -> bool:
    """Tell whether a fact can still be told from what is carried.

    Args:
        fact: the fact.
        carried: content words of the lines, by the position of their message.
        said: content words of all messages.
    """
    words = terms_of(fact.answer)
    everything = frozenset().union(*carried.values())
    if words and len(words & everything) >= ENOUGH * len(words):
        return True
    if not fact.evidence:
        return False
    return all(
        said[at] and len(said[at] & carried.get(at, frozenset())) >= ENOUGH * len(said[at])
        for at in fact.evidence
    )


def ours(policy: CompactionPolicy) -> Method:
    """Return a method that compacts under a policy."""
    return lambda entries, frame, budget: select(
        entries, frame=frame, token_budget=budget, now=entries[-1].at, policy=policy
    )


def head_and_tail(entries: Sequence[Entry], frame: Frame, budget: int) -> Selection:
    """Return the first and the last messages, in turn, until one does not fit."""
    kept: set[int] = set()
    spent = frame.heading
    for step in range(len(entries)):
        at = step // 2 if step % 2 == 0 else len(entries) - 1 - step // 2
        spent += frame.line(entries[at].speaker, entries[at].text)
        if spent > budget:
            break
        kept.add(at)
    chosen = [entry for at, entry in enumerate(entries) if at in kept]
    policy = attrs.evolve(POSITIONAL, max_line_chars=1_000_000)
    lines = select(chosen, frame=frame, token_budget=1_000_000, now=entries[-1].at, policy=policy)
    places = sorted(kept)
    return attrs.evolve(lines, lines=tuple(attrs.evolve(line, at=places[line.at]) for line in lines.lines))


METHODS: Mapping[str, Method] = {
    "checkpoint": ours(CompactionPolicy()),
    "window protocol": ours(POSITIONAL),
    "head and tail": head_and_tail,
}


def measure(case: Case, method: str, budget: int, methods: Mapping[str, Method] = METHODS) -> Outcome:
    """Compact one conversation with one method and look for its facts."""
    days = method == "checkpoint"
    entries = case.entries if days else tuple(attrs.evolve(one, day="") for one in case.entries)
    started = time.perf_counter()
    chosen = methods[method](entries, checkpoint.frame(estimate_tokens), budget)
    seconds = time.perf_counter() - started
    said = [terms_of(entry.text) for entry in case.entries]
    carried = {line.at: terms_of(line.text) for line in chosen.lines}
    return Outcome(
        method=method,
        case=case,
        tokens=estimate_tokens(checkpoint.render(chosen.lines)),
        lines=len(chosen.lines),
        seconds=seconds,
        survived=tuple(survives(fact, carried, said) for fact in case.facts),
    )


def interval(outcomes: Sequence[Outcome]) -> tuple[float, float, float]:
    """Return the mean share over conversations and its bootstrap interval over facts within them; seed fixed."""
    draws = random.Random(0)  # noqa: S311 - a resample, not a secret
    mean = sum(one.share for one in outcomes) / len(outcomes)
    means = sorted(
        sum(sum(draws.choices(one.survived, k=len(one.survived))) / len(one.survived) for one in outcomes)
        / len(outcomes)
        for _ in range(_RESAMPLES)
    )
    edge = int(_RESAMPLES * (1 - _INSIDE) / 2)
    return mean, means[edge], means[-1 - edge]


def lead(first: Sequence[Outcome], second: Sequence[Outcome]) -> tuple[float, float, float]:
    """Return by how much the first method leads, with the interval of the paired differences."""
    draws = random.Random(0)  # noqa: S311 - a resample, not a secret
    pairs = [
        list(zip(one.survived, other.survived, strict=True)) for one, other in zip(first, second, strict=True)
    ]

    def mean(sample: Sequence[Sequence[tuple[bool, bool]]]) -> float:
        return sum(sum(a - b for a, b in case) / len(case) for case in sample) / len(sample)

    means = sorted(mean([draws.choices(case, k=len(case)) for case in pairs]) for _ in range(_RESAMPLES))
    edge = int(_RESAMPLES * (1 - _INSIDE) / 2)
    return mean(pairs), means[edge], means[-1 - edge]


def report(outcomes: Sequence[Outcome], budget: int) -> dict[str, object]:
    """Return all figures, without those that differ from run to run."""
    parts: dict[str, object] = {}
    for part, tuned in (("reported", False), ("tuned_on", True)):
        by_method = {
            method: [one for one in outcomes if one.method == method and one.case.tuned is tuned]
            for method in METHODS
        }
        if not by_method["checkpoint"]:
            continue
        parts[part] = {
            "conversations": [one.case.name for one in by_method["checkpoint"]],
            "facts": sum(len(one.survived) for one in by_method["checkpoint"]),
            "survived": {method: _rounded(interval(found)) for method, found in by_method.items()},
            "lead_over": {
                method: _rounded(lead(by_method["checkpoint"], found))
                for method, found in by_method.items()
                if method != "checkpoint"
            },
        }
    rows = [
        {
            "conversation": one.case.name,
            "tuned_on": one.case.tuned,
            "method": one.method,
            "messages": len(one.case.entries),
            "facts": len(one.survived),
            "survived": round(one.share, 4),
            "tokens": one.tokens,
            "lines": one.lines,
        }
        for one in outcomes
    ]
    return {"token_budget": budget, **parts, "rows": rows}


def _rounded(values: Sequence[float]) -> list[float]:
    return [round(value, 4) for value in values]


def markdown(found: Mapping[str, object]) -> str:
    """Return the figures as Markdown tables."""
    lines = [
        f"Facts that survive {found['token_budget']} tokens (mean over conversations, 95 % interval)",
        "",
    ]
    for part in ("reported", "tuned_on"):
        group = found.get(part)
        if not isinstance(group, dict):
            continue
        lines += [f"{part}: {', '.join(group['conversations'])}; {group['facts']} facts", ""]
        lines += ["| method | survived | lead of the checkpoint |", "|---|---|---|"]
        for method, values in group["survived"].items():
            ahead = group["lead_over"].get(method)
            lines.append(f"| {method} | {_shown(values)} | {_shown(ahead) if ahead else '–'} |")
        lines.append("")
    lines += [
        "| conversation | messages | facts | method | survived | tokens | lines |",
        "|---|---|---|---|---|---|---|",
    ]
    rows = found["rows"]
    for row in rows if isinstance(rows, list) else ():
        lines.append(
            f"| {row['conversation']}{' (tuned)' if row['tuned_on'] else ''} | {row['messages']} | {row['facts']} "
            f"| {row['method']} | {row['survived']:.1%} | {row['tokens']} | {row['lines']} |"
        )
    return "\n".join(lines)


def _shown(values: Sequence[float]) -> str:
    return f"{values[0]:.1%} ({values[1]:.1%} to {values[2]:.1%})"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables, or the figures as JSON."""
    parser = argparse.ArgumentParser(
        prog="python -m cmemory.bench.compaction", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--locomo", type=Path, help="file of the LoCoMo set")
    parser.add_argument("--realmembench", type=Path, help="folder of the RealMemBench set")
    parser.add_argument("--budget", type=int, default=900, help="tokens of a checkpoint")
    parser.add_argument("--json", action="store_true", help="print JSON instead of Markdown")
    options = parser.parse_args(arguments)
    cases = [*read_locomo(options.locomo)] if options.locomo else []
    cases += read_realmembench(options.realmembench) if options.realmembench else ()
    if not cases:
        parser.error("name at least one set")
    outcomes = [measure(case, method, options.budget) for case in cases for method in METHODS]
    found = report(outcomes, options.budget)
    sys.stdout.write(
        (json.dumps(found, ensure_ascii=False, indent=2) if options.json else markdown(found)) + "\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
