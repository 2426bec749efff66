"""Measures what the search finds of what would answer a question, and how fast it is.

``python -m cmemory.bench.retrieval [--locomo FILE] [--realtalk DIR] [--memdaily FILE] [--diary] [--madial DIR]
[--realmem DIR] [--precision DIR] [--ablate] [--feedback] [--limit N] [--json] [--out DIR]``

With ``CMEMORY_EMBEDDER`` in the environment, meaning counts beside words.

Each conversation is a relationship of its own; everything goes through the public interface, and the order is the one
that `search` and `prepare` give everybody. R@k is the share of a question's answers among the first k, averaged over
questions; all@k the share of questions with every answer among them; S@10 the share of the answers' sessions among the
first ten sessions; MRR the mean of one over the place of the first answer. Intervals hold 95 % of 2,000 resamples of the
questions, with a fixed seed. `retrieval_sets` tells which conversations choices were made on.

``python -m cmemory.bench.retrieval --messages 100000 [--zh]``

Fills a database in a file with made-up messages and times searches with words of every frequency.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean

import attrs

from cmemory.assembly import embedder_from_environment
from cmemory.bench import retrieval_speed
from cmemory.bench.figures import markdown, mean_and_interval
from cmemory.bench.plot import Bar, bars
from cmemory.bench.retrieval_run import BARE, DEPTHS, REPORTED, WHOLE, Outcome, Variant, run, variants
from cmemory.bench.retrieval_sets import (
    Collection,
    Part,
    Surface,
    diary,
    locomo,
    madial,
    memdaily,
    precision,
    realmem,
    realtalk,
)
from cmemory.ports.embedder import Embedder

#: Weights of `RecallPolicy` that count for each way of asking, and may be left out.
PARTS = {
    Surface.UTTERANCE: (
        "window",
        "coverage",
        "reply",
        "speaker",
        "date",
        "answer",
        "question",
        "reaction",
        "theme",
    ),
    Surface.RECORD: ("record_sitting", "record_kin_chinese", "record_recent"),
    Surface.PLAN: (),
}
#: Stands for all questions of a part.
ALL = "all"
_TOP = 10


@attrs.frozen(kw_only=True)
class Row:
    """How one policy did on the questions of one category, in one part of one set. Shares, 0 to 1."""

    set: str
    surface: str
    part: str
    policy: str
    category: str
    questions: int
    recall: dict[int, float]
    #: The bounds of R@10.
    interval: tuple[float, float]
    complete: dict[int, float]
    mrr: float
    sessions: float | None


def row(
    outcomes: Sequence[Outcome], *, of: Collection, surface: Surface, part: Part, policy: str, category: str
) -> Row:
    """Return the averages of at least one outcome."""
    _, low, high = mean_and_interval([one.recall[_TOP] for one in outcomes])
    sessions = [one.sessions for one in outcomes if one.sessions is not None]
    return Row(
        set=of.name,
        surface=surface.value,
        part=part.value,
        policy=policy,
        category=category,
        questions=len(outcomes),
        recall={depth: round(fmean(one.recall[depth] for one in outcomes), 4) for depth in DEPTHS},
        interval=(round(low, 4), round(high, 4)),
        complete={depth: round(fmean(one.recall[depth] == 1 for one in outcomes), 4) for depth in DEPTHS},
        mrr=round(fmean(one.reciprocal for one in outcomes), 4),
        sessions=round(fmean(sessions), 4) if sessions else None,
    )


def rows(
    of: Collection,
    surface: Surface,
    *,
    ablate: bool,
    feedback: bool = False,
    embedder: Embedder | None = None,
) -> Iterator[Row]:
    """Yield the figures of a set asked in one way, by part and policy; by category under the whole policy.

    With ``feedback`` records are asked for once more, and after each question the host reports which of them were used.
    """
    chosen = variants(PARTS[surface], ablate=ablate and bool(PARTS[surface]))
    cases = [case for case in of.cases if case.questions]
    found = [
        (
            case,
            run(
                case,
                of.kept,
                surface,
                chosen,
                sessions=surface is Surface.UTTERANCE,
                embedder=embedder,
            ),
        )
        for case in cases
    ]
    if feedback and surface is Surface.RECORD:
        reported = [Variant(name=REPORTED, policy=chosen[0].policy)]
        for case, by in found:
            by.update(run(case, of.kept, surface, reported, reporting=True, embedder=embedder))
        chosen = [*chosen, *reported]
    for part in Part:
        for one in chosen:
            outcomes = [each for case, by in found if case.part is part for each in by[one.name]]
            if not outcomes:
                continue
            yield row(outcomes, of=of, surface=surface, part=part, policy=one.name, category=ALL)
            categories = sorted({each.category for each in outcomes}) if one.name == WHOLE else ()
            for category in categories if len(categories) > 1 else ():
                chosen_ones = [each for each in outcomes if each.category == category]
                yield row(chosen_ones, of=of, surface=surface, part=part, policy=one.name, category=category)


def report(found: Sequence[Row]) -> str:
    """Return the figures as Markdown, in percent."""
    head = ("", "questions", *(f"R@{at}" for at in DEPTHS), "95 % of R@10", f"all@{_TOP}", "MRR", "S@10")
    return markdown(head, (_cells(one) for one in found))


def _cells(one: Row) -> tuple[str, ...]:
    shown = one.category if one.category != ALL else one.policy
    low, high = one.interval
    return (
        f"{one.set}, {one.surface}, {one.part}: {shown}",
        str(one.questions),
        *(_percent(one.recall[depth]) for depth in DEPTHS),
        f"{_percent(low)}–{_percent(high)}",
        _percent(one.complete[_TOP]),
        _percent(one.mrr),
        "" if one.sessions is None else _percent(one.sessions),
    )


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def picture(found: Sequence[Row]) -> str:
    """Return R@10 with its intervals as SVG: by set and part, and with parts left out where that was asked for."""
    shown = [one for one in found if one.category == ALL and (one.policy == WHOLE or _ablated(one))]
    return bars(
        "R@10, with the interval that holds 95 % of resamples",
        [
            Bar(label=_cells(one)[0], value=one.recall[_TOP], low=one.interval[0], high=one.interval[1])
            for one in shown
        ],
    )


def _ablated(one: Row) -> bool:
    return one.policy == BARE or one.policy.startswith("without ")


def write(folder: Path, found: Sequence[Row]) -> None:
    """Write the figures into a folder: ``retrieval.md``, ``retrieval.json`` and ``retrieval.svg``."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = {"md": report(found), "json": spelt(found), "svg": picture(found)}
    for ending, text in texts.items():
        (folder / f"retrieval.{ending}").write_text(text + "\n", encoding="utf-8")


def spelt(found: Sequence[Row]) -> str:
    """Return the figures as JSON."""
    return json.dumps({"rows": [attrs.asdict(one) for one in found]}, indent=2, ensure_ascii=False)


def _collections(args: argparse.Namespace) -> Iterator[Collection]:
    if args.locomo:
        yield locomo(args.locomo)
    if args.realtalk:
        yield realtalk(args.realtalk)
    if args.memdaily:
        yield memdaily(args.memdaily)
    if args.diary:
        yield diary()
    if args.madial:
        yield from (madial(args.madial, stem=stem) for stem in ("zh", "en"))
    if args.realmem:
        yield realmem(args.realmem)
    if args.precision:
        yield precision(args.precision)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    for name, metavar, what in (
        ("locomo", "FILE", "file of the LoCoMo set"),
        ("realtalk", "DIR", "folder of the REALTALK set"),
        ("memdaily", "FILE", "file of the MemDaily set"),
        ("madial", "DIR", "folder of MADial-Bench, both languages"),
        ("realmem", "DIR", "folder of RealMemBench"),
        ("precision", "DIR", "folder of PrecisionMemBench"),
        ("out", "DIR", "write Markdown, JSON and a picture here as well"),
    ):
        parser.add_argument(f"--{name}", type=Path, metavar=metavar, help=what)
    parser.add_argument("--diary", action="store_true", help="the Chinese diaries of our own")
    parser.add_argument("--ablate", action="store_true", help="leave each part out in turn")
    parser.add_argument(
        "--feedback",
        action="store_true",
        help="ask for records once more, while the host reports which were used",
    )
    parser.add_argument("--limit", type=int, metavar="N", help="conversations of each set")
    parser.add_argument("--messages", type=int, metavar="N", help="time searches over so many messages")
    parser.add_argument("--zh", action="store_true", help="with Chinese characters instead of words")
    parser.add_argument("--json", action="store_true", help="print JSON instead of Markdown")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what the arguments ask for; return the exit code."""
    parser = _parser()
    args = parser.parse_args(arguments)
    if args.messages is not None:
        if args.messages < 1:
            parser.error("--messages must be at least 1")
        print(retrieval_speed.report(args.messages, chinese=args.zh))
        return 0
    sets = [attrs.evolve(one, cases=one.cases[: args.limit]) for one in _collections(args)]
    embedder = embedder_from_environment()
    found = [
        each
        for one in sets
        for surface in one.surfaces
        for each in rows(one, surface, ablate=args.ablate, feedback=args.feedback, embedder=embedder)
    ]
    if not found:
        parser.error("name at least one set with questions, or --messages")
    if args.out:
        write(args.out, found)
    print(spelt(found) if args.json else report(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
