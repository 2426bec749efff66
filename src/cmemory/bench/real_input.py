"""Runs real conversations through import, learning and planning, and tells what came of them.

``python -m cmemory.bench.real_input --memorybank DIR --locomo FILE [--sample 50]``

Every dialogue is imported but for its last twenty user messages, learned by the offline rules, and planned for on those
twenty. The sample lists records for a human to read: the figure that matters is how many of them are wrong.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import attrs

from cmemory.bench.dataset import Dialogue, read_locomo, read_memorybank
from cmemory.domain.model.candidate import Outcome
from cmemory.domain.plan.budget import estimate_tokens
from cmemory.memory import Memory, ScopedMemory

#: User messages held back for planning; of a short dialogue half.
LATER = 20


@attrs.define
class Row:
    """What came of one or more dialogues."""

    name: str
    messages: int = 0
    proposals: int = 0
    accepted: int = 0
    merged: int = 0
    retracted: int = 0
    rejected: Counter[str] = attrs.field(factory=Counter)
    turns: int = 0
    injected: int = 0
    withheld: Counter[str] = attrs.field(factory=Counter)
    tokens: int = 0
    seconds: float = 0.0

    def add(self, other: Row) -> None:
        """Add another row's counts to this one."""
        for field in attrs.fields(Row):
            if field.name != "name":
                setattr(self, field.name, getattr(self, field.name) + getattr(other, field.name))

    def line(self) -> str:
        """Return the row of the Markdown table."""
        per_turn = self.turns or 1
        cells = (
            self.name,
            self.messages,
            self.proposals,
            self.accepted,
            self.merged,
            self.retracted,
            _counts(self.rejected),
            f"{self.injected / per_turn:.1f}",
            _counts(self.withheld, per_turn),
            f"{self.tokens / per_turn:.0f}",
            f"{self.seconds:.2f}",
        )
        return "| " + " | ".join(str(cell) for cell in cells) + " |"


HEADER = (
    "| dialogue | messages | proposals | accepted | merged | retracted | rejected by reason | injected a turn | "
    "withheld a turn | tokens a turn | seconds |\n|---|---|---|---|---|---|---|---|---|---|---|"
)


def run(dialogue: Dialogue, luna: ScopedMemory, folder: Path) -> Row:
    """Import, learn and plan one dialogue."""
    started = time.perf_counter()
    past, later = dialogue.split(min(LATER, dialogue.turns // 2))
    file = folder / "dialogue.jsonl"
    past.write(file)
    imported = luna.import_dialogue(file, format="jsonl")
    row = Row(name=f"{dialogue.name} ({dialogue.language})", messages=imported.stored)
    learned = luna.learn(now=later[0].at)
    row.proposals = len(learned.admissions)
    row.accepted = learned.count(Outcome.ACCEPTED, Outcome.SUPERSEDING)
    row.merged = learned.count(Outcome.MERGED)
    row.retracted = learned.count(Outcome.RETRACTED)
    row.rejected = Counter({reason.value: count for reason, count in learned.rejections.items()})
    for line in later:
        plan = luna.prepare(line.text, session=line.session, now=line.at)
        row.turns += 1
        row.injected += len(plan.shown)
        row.withheld.update({why.value: count for why, count in plan.withheld.items()})
        row.tokens += estimate_tokens(plan.text)
    row.seconds = time.perf_counter() - started
    return row


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table, and the sample when one is asked for."""
    parser = argparse.ArgumentParser(
        prog="python -m cmemory.bench.real_input", description=__doc__.split("\n")[0]
    )
    parser.add_argument("--memorybank", type=Path, help="folder of the MemoryBank set")
    parser.add_argument("--locomo", type=Path, help="file of the LoCoMo set; its first conversation is used")
    parser.add_argument("--sample", type=int, default=0, help="how many admitted records to list for reading")
    options = parser.parse_args(arguments)
    dialogues: list[Dialogue] = []
    if options.memorybank:
        dialogues += read_memorybank(options.memorybank)
    if options.locomo:
        dialogues += read_locomo(options.locomo, limit=1)
    records: list[str] = []
    with tempfile.TemporaryDirectory() as name, Memory.open(Path(name) / "real.db") as memory:
        _print_table(dialogues, memory, Path(name), records)
    for line in sorted(random.Random(0).sample(records, min(options.sample, len(records)))):  # noqa: S311
        sys.stdout.write(line + "\n")
    return 0


def _print_table(dialogues: Iterable[Dialogue], memory: Memory, folder: Path, records: list[str]) -> None:
    total = Row(name="**all**")
    sys.stdout.write(HEADER + "\n")
    for dialogue in dialogues:
        luna = memory.scope(
            service="bench", owner=f"{dialogue.language} {dialogue.name}", profile="companion"
        )
        row = run(dialogue, luna, folder)
        total.add(row)
        sys.stdout.write(row.line() + "\n")
        records += (_described(luna, record.id) for record in luna.list(everything=True))
    sys.stdout.write(total.line() + "\n")


def _described(luna: ScopedMemory, record_id: str) -> str:
    explained = luna.explain(record_id)
    said = " / ".join(message.text.replace("\n", " ") for message in explained.messages)
    return f"{explained.text} [{explained.record.status.value}] <- {said}"


def _counts(counts: Counter[str], per: int = 1) -> str:
    shown = ((name, count / per if per > 1 else count) for name, count in sorted(counts.items()))
    return ", ".join(f"{name} {count:.1f}" if per > 1 else f"{name} {count}" for name, count in shown) or "–"


if __name__ == "__main__":
    sys.exit(main())
