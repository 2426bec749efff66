"""Measures the adaptive window: what it finds with each of its parts left out, what its edges do, and what a turn costs.

``python -m cmemory.bench.window [--locomo FILE [--named]] [--madial DIR] [--limit N] [--questions N] [--json]``

Every conversation is observed as one session; its questions are then asked in the order of what they are about, one turn
each, so that utterances that are shown together may learn from it. All goes through the public interface, under the
policies of `WINDOW_ABLATIONS`. Recall is the share of a question's evidence that is shown, averaged over the questions; a
hit is a question with any of its evidence shown. Of a conversation with more questions, ``--questions`` are drawn with a
fixed seed. Differences are paired by question; their intervals hold 95 % of 2,000 resamples of the questions.

``python -m cmemory.bench.window --cost [--memorybank DIR] [--locomo FILE] [--limit N] [--json]``

Plays dialogues turn by turn (observe, learn, prepare, window) and tells the tokens that come into the prompt.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from statistics import fmean

import attrs

from cmemory.bench import window_cost
from cmemory.bench.dataset import Dialogue, read_locomo, read_memorybank
from cmemory.bench.figures import markdown, mean_and_interval, quantile
from cmemory.bench.window_sets import SESSION, Case, Question, builtin, chosen, locomo, madial
from cmemory.domain.model.ids import MessageId
from cmemory.domain.model.instant import Instant
from cmemory.domain.plan.window import Label, Window
from cmemory.domain.policy import COMPANION, WINDOW_ABLATIONS
from cmemory.domain.trace import RetrievalTrace
from cmemory.memory import Memory, ScopedMemory

#: What every other policy is compared with.
WHOLE = "full"

_PACE_SECONDS = 60.0


@attrs.frozen(kw_only=True)
class Answer:
    """What one window showed of what a question is about, and what edges had to do with it."""

    #: What became of each utterance the question is about, at least one.
    gold: tuple[Label, ...]
    shown: int
    tokens: int
    #: Edges that counted; shown utterances that stand elsewhere than they would without.
    applied: int
    moved: int
    #: Edges this turn made new, strengthened, and took away; edges there are afterwards.
    learned: int
    strengthened: int
    pruned: int
    held: int

    @property
    def recall(self) -> float:
        """Share of the evidence that is shown, 0–1."""
        return self.gold.count(Label.SELECTED) / len(self.gold)


def ask(luna: ScopedMemory, question: Question, *, now: Instant, turn: str, held: int) -> Answer:
    """Ask one question in a turn of its own.

    Args:
        luna: has heard the conversation.
        question: what is asked.
        now: the moment of the turn.
        turn: its name.
        held: edges there are before.
    """
    window = luna.window(question.text, session=SESSION, now=now, turn=turn)
    trace = window.trace
    # Where nothing was to be learned, the trace does not tell how many edges there are.
    held_now = trace.association_edges_stored or held
    learned = held_now - held + trace.association_edges_pruned
    return Answer(
        gold=_gold(question, window),
        shown=len(window.items),
        tokens=window.tokens,
        applied=trace.association_edges_applied,
        moved=moved(trace),
        learned=learned,
        strengthened=trace.reinforced_edges - learned,
        pruned=trace.association_edges_pruned,
        held=held_now,
    )


def _gold(question: Question, window: Window) -> tuple[Label, ...]:
    labels = {one.message_id: one.label for one in window.decisions}
    return tuple(labels[_name(at)] for at in question.gold)


def _name(at: int) -> MessageId:
    return MessageId(f"m-{at}")


def moved(trace: RetrievalTrace) -> int:
    """Return how many shown utterances would have another place among the listed ones, had edges lent nothing."""
    share = trace.weights["association"]
    # Rounded, as taking away what was added leaves a trace in the last digits.
    bare = sorted(
        trace.candidates, key=lambda one: -round(one.final_score - share * one.association_score, 9)
    )
    places = {one.message_id: at for at, one in enumerate(bare)}
    return sum(
        one.decision == Label.SELECTED.value and places[one.message_id] != at
        for at, one in enumerate(trace.candidates)
    )


def answers(case: Case, ablation: str) -> list[Answer]:
    """Observe a conversation under one of the policies and ask its questions one after the other."""
    policy = attrs.evolve(COMPANION, window=WINDOW_ABLATIONS[ablation])
    found: list[Answer] = []
    with Memory.open(policy=policy) as memory:
        luna = memory.scope(service="bench", owner=case.name, profile="companion")
        luna.observe_many(
            luna.message(one.text, speaker=one.speaker, session=SESSION, at=one.at, message_id=_name(at))
            for at, one in enumerate(case.lines)
        )
        now = Instant.parse(case.lines[-1].at)
        for number, question in enumerate(case.questions, start=1):
            now = now.plus(seconds=_PACE_SECONDS)
            held = found[-1].held if found else 0
            found.append(ask(luna, question, now=now, turn=f"t-{number}", held=held))
    return found


@attrs.frozen(kw_only=True)
class Row:
    """How one policy did on one set."""

    policy: str
    #: Shares of evidence and of questions, 0–1.
    recall: float
    hits: float
    #: Recall less that of `WHOLE`, and the bounds of its interval.
    against_full: tuple[float, float, float]
    #: Utterances shown for a question, and tokens of the window.
    shown: float
    tokens_p50: int
    tokens_p95: int
    tokens_max: int
    #: For each question: edges that counted, questions with any, and shown utterances that edges moved.
    edges_applied: float
    questions_with_edges: float
    moved: float
    #: Over the whole set.
    edges_learned: int
    edges_strengthened: int
    edges_pruned: int
    edges_held: int
    #: What became of the evidence, in shares, by label.
    evidence: Mapping[str, float]


def row_of(policy: str, cases: Sequence[Sequence[Answer]], whole: Sequence[Sequence[Answer]]) -> Row:
    """Return the figures of one policy.

    Args:
        policy: its name.
        cases: answers by conversation; at least one altogether.
        whole: answers of `WHOLE` to the same questions.
    """
    flat = [one for case in cases for one in case]
    other = [one for case in whole for one in case]
    differences = [one.recall - full.recall for one, full in zip(flat, other, strict=True)]
    tokens = [one.tokens for one in flat]
    gold = Counter(label for one in flat for label in one.gold)
    return Row(
        policy=policy,
        recall=_mean(one.recall for one in flat),
        hits=_mean(one.recall > 0 for one in flat),
        against_full=_rounded(mean_and_interval(differences)),
        shown=_mean(one.shown for one in flat),
        tokens_p50=quantile(tokens, 0.50),
        tokens_p95=quantile(tokens, 0.95),
        tokens_max=max(tokens),
        edges_applied=_mean(one.applied for one in flat),
        questions_with_edges=_mean(one.applied > 0 for one in flat),
        moved=_mean(one.moved for one in flat),
        edges_learned=sum(one.learned for one in flat),
        edges_strengthened=sum(one.strengthened for one in flat),
        edges_pruned=sum(one.pruned for one in flat),
        edges_held=sum(case[-1].held for case in cases if case),
        evidence={label.value: round(count / gold.total(), 4) for label, count in gold.most_common()},
    )


def _mean(values: Iterator[float]) -> float:
    return round(fmean(values), 4)


def _rounded(values: tuple[float, float, float]) -> tuple[float, float, float]:
    mean, low, high = values
    return round(mean, 4), round(low, 4), round(high, 4)


@attrs.frozen(kw_only=True)
class Found:
    """What came of one set."""

    set: str
    conversations: int
    utterances: int
    questions: int
    rows: tuple[Row, ...]


def measure(name: str, cases: Sequence[Case]) -> Found:
    """Return how each policy does on a set of at least one question."""
    given = {ablation: [answers(case, ablation) for case in cases] for ablation in WINDOW_ABLATIONS}
    return Found(
        set=name,
        conversations=len(cases),
        utterances=sum(len(case.lines) for case in cases),
        questions=sum(len(case.questions) for case in cases),
        rows=tuple(row_of(ablation, cases, given[WHOLE]) for ablation, cases in given.items()),
    )


def report(found: Found) -> str:
    """Return the figures of one set as Markdown tables."""
    counts = (
        f"{found.conversations} conversations, {found.utterances} utterances, {found.questions} questions"
    )
    tables = (_recall_table(found.rows), _edge_table(found.rows), _evidence_table(found.rows))
    return "\n\n".join((f"{found.set}: {counts}", *tables))


def _recall_table(rows: Sequence[Row]) -> str:
    head = ("policy", "recall", "hits", "recall against full", "shown", "tokens p50", "p95", "max")
    return markdown(
        head,
        (
            (
                one.policy,
                f"{one.recall:.1%}",
                f"{one.hits:.1%}",
                "–" if one.policy == WHOLE else _interval(one.against_full),
                f"{one.shown:.1f}",
                one.tokens_p50,
                one.tokens_p95,
                one.tokens_max,
            )
            for one in rows
        ),
    )


def _edge_table(rows: Sequence[Row]) -> str:
    head = (
        "policy",
        "edges applied a question",
        "questions with one",
        "shown items moved a question",
        "edges learned",
        "strengthened",
        "pruned",
        "held at the end",
    )
    return markdown(
        head,
        (
            (
                one.policy,
                f"{one.edges_applied:.1f}",
                f"{one.questions_with_edges:.1%}",
                f"{one.moved:.2f}",
                one.edges_learned,
                one.edges_strengthened,
                one.edges_pruned,
                one.edges_held,
            )
            for one in rows
        ),
    )


def _evidence_table(rows: Sequence[Row]) -> str:
    labels = [label.value for label in Label if any(label.value in one.evidence for one in rows)]
    return markdown(
        ("what became of the evidence", *labels),
        ((one.policy, *(f"{one.evidence.get(label, 0):.1%}" for label in labels)) for one in rows),
    )


def _interval(values: tuple[float, float, float]) -> str:
    mean, low, high = (100 * value for value in values)
    return f"{mean:+.1f} ({low:+.1f} to {high:+.1f})"


def _sets(options: argparse.Namespace) -> Iterator[tuple[str, Iterator[Case]]]:
    yield "our own", builtin()
    if options.locomo:
        name = "LoCoMo, speakers named" if options.named else "LoCoMo"
        yield name, locomo(options.locomo, named=options.named)
    if options.madial:
        yield "MADial zh", madial(options.madial)


def _dialogues(options: argparse.Namespace) -> Mapping[str, Iterator[Dialogue]]:
    found: dict[str, list[Dialogue]] = {}
    if options.memorybank:
        found |= window_cost.by_language("MemoryBank", read_memorybank(options.memorybank))
    if options.locomo:
        found |= window_cost.by_language("LoCoMo", read_locomo(options.locomo))
    return {name: islice(dialogues, options.limit) for name, dialogues in found.items()}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m cmemory.bench.window", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--locomo", type=Path, help="file of the LoCoMo set")
    parser.add_argument("--named", action="store_true", help="begin LoCoMo's lines with the speaker's name")
    parser.add_argument("--madial", type=Path, help="folder of MADial-Bench; its Chinese part is used")
    parser.add_argument("--memorybank", type=Path, help="folder of the MemoryBank set, for --cost")
    parser.add_argument("--limit", type=_count, help="conversations of each set; all unless given")
    parser.add_argument("--questions", type=_count, default=40, help="questions of each conversation")
    parser.add_argument("--cost", action="store_true", help="tell the tokens of each turn instead")
    parser.add_argument("--json", action="store_true", help="print JSON instead of Markdown")
    return parser


def _count(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and int(text) > 0):
        raise argparse.ArgumentTypeError("must be a whole number above 0")
    return int(text)


def _costs(options: argparse.Namespace) -> tuple[dict[str, object], str]:
    found = window_cost.rows(_dialogues(options))
    return {"rows": [attrs.asdict(one) for one in found]}, window_cost.report(found)


def _recalls(cases: Mapping[str, Sequence[Case]]) -> tuple[dict[str, object], str]:
    found = [measure(name, one) for name, one in cases.items()]
    return {"sets": [attrs.asdict(one) for one in found]}, "\n\n".join(map(report, found))


def _cases(parser: argparse.ArgumentParser, options: argparse.Namespace) -> Mapping[str, list[Case]]:
    found = {
        name: chosen(cases, limit=options.limit, questions=options.questions)
        for name, cases in _sets(options)
    }
    for name, cases in found.items():
        if not any(case.questions for case in cases):
            parser.error(f"{name}: no question has evidence")
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables, or the figures as JSON."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.cost and not (options.memorybank or options.locomo):
        parser.error("--cost needs --memorybank or --locomo")
    told, shown = _costs(options) if options.cost else _recalls(_cases(parser, options))
    sys.stdout.write((json.dumps(told, ensure_ascii=False, indent=2) if options.json else shown) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
