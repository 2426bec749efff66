"""Counts what each turn of a played dialogue puts into the prompt: by the plan, by the window, and by both."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import attrs

from cmemory.bench.dataset import Dialogue
from cmemory.bench.figures import markdown, quantile
from cmemory.bench.window_sets import SESSION, joined
from cmemory.domain.plan.budget import estimate_tokens
from cmemory.memory import Memory


@attrs.frozen(kw_only=True)
class Cost:
    """What one message of the person brought into the prompt."""

    tokens: int
    #: Records or utterances that are shown.
    shown: int

    def plus(self, other: Cost) -> Cost:
        """Return both together."""
        return Cost(tokens=self.tokens + other.tokens, shown=self.shown + other.shown)


@attrs.frozen(kw_only=True)
class Turn:
    """What the plan and the window of one turn cost."""

    plan: Cost
    window: Cost

    @property
    def both(self) -> Cost:
        """What the prompt grows by."""
        return self.plan.plus(self.window)


@attrs.frozen(kw_only=True)
class CostRow:
    """Tokens a turn, over the turns of one set."""

    set: str
    part: str
    turns: int
    p50: int
    p90: int
    p95: int
    max: int
    #: Share of turns in which nothing is shown, 0–1; the frame of a plan may still stand there.
    silent: float


#: What is counted, as `Turn` names it.
PARTS = ("window", "plan", "both")
HEAD = ("set and part", "turns", "p50", "p90", "p95", "max", "nothing shown")


def play(dialogue: Dialogue) -> list[Turn]:
    """Play a dialogue as one session: each message of the person is observed, learned from, planned for and windowed."""
    turns = []
    with Memory.open() as memory:
        luna = memory.scope(service="bench", owner=dialogue.name, profile="companion")
        for at, line in enumerate(joined(dialogue)):
            luna.observe(line.text, speaker=line.speaker, session=SESSION, at=line.at, message_id=f"m-{at}")
            if line.speaker != "user":
                continue
            luna.learn(now=line.at)
            plan = luna.prepare(line.text, session=SESSION, now=line.at)
            window = luna.window(line.text, session=SESSION, now=line.at, turn=f"t-{at}", plan=plan)
            turns.append(
                Turn(
                    plan=Cost(tokens=estimate_tokens(plan.text), shown=len(plan.shown)),
                    window=Cost(tokens=window.tokens, shown=len(window.items)),
                )
            )
    return turns


def rows(sets: Mapping[str, Iterable[Dialogue]]) -> list[CostRow]:
    """Return one row for each part of each set."""
    found = []
    for name, dialogues in sets.items():
        turns = [turn for dialogue in dialogues for turn in play(dialogue)]
        found += [_row(name, part, [getattr(turn, part) for turn in turns]) for part in PARTS]
    return found


def _row(name: str, part: str, costs: Sequence[Cost]) -> CostRow:
    tokens = [one.tokens for one in costs]
    return CostRow(
        set=name,
        part=part,
        turns=len(tokens),
        p50=quantile(tokens, 0.50),
        p90=quantile(tokens, 0.90),
        p95=quantile(tokens, 0.95),
        max=max(tokens),
        silent=round(sum(one.shown == 0 for one in costs) / len(costs), 4),
    )


def by_language(source: str, dialogues: Iterable[Dialogue]) -> Mapping[str, list[Dialogue]]:
    """Return the dialogues of a source, those of each language under a name of their own."""
    found = defaultdict(list)
    for dialogue in dialogues:
        found[f"{source} {dialogue.language}"].append(dialogue)
    return found


def report(found: Sequence[CostRow]) -> str:
    """Return the rows as a Markdown table."""
    return markdown(
        HEAD,
        (
            (f"{one.set}, {one.part}", one.turns, one.p50, one.p90, one.p95, one.max, f"{one.silent:.1%}")
            for one in found
        ),
    )
