"""Fills the table of what this library aims at: every measure with its target, from one machine and one commit.

``python -m cmemory.bench.targets [--only AREA,AREA] [--locomo FILE] [--realtalk DIR] [--memdaily FILE] [--madial DIR]
[--realmem DIR] [--precision DIR] [--rpeval FILE] [--persistbench FILE] [--memorybank DIR] [--records N,N] [--seconds N]
[--limit N] [--date DAY] [--json] [--out DIR]``

It measures nothing itself: each row comes from one of the other benches, is told with the command that measures it alone,
and says what choices were made on. What needs a set that was not named is told as not measured. With ``CMEMORY_EMBEDDER`` in
the environment the search is measured with meaning as well as without.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import platform
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path

import attrs

import cmemory
from cmemory.adapters.system import system_clock
from cmemory.assembly import embedder_from_environment
from cmemory.bench import (
    promises,
    retrieval,
    retrieval_sets,
    shared_file,
    silence,
    silence_sets,
    speed,
    weight,
)
from cmemory.bench.dataset import read_locomo, read_memorybank
from cmemory.bench.figures import markdown
from cmemory.bench.retrieval_run import REPORTED
from cmemory.bench.retrieval_sets import Collection, Part, Surface
from cmemory.bench.silence_sets import Half
from cmemory.domain.policy import COMPANION, ReleasePolicy
from cmemory.ports.embedder import Embedder

#: What was done with a part of a set.
_MADE_ON = {
    Part.TUNE.value: "choices were made on it",
    Part.CHECK.value: "looked at while choosing",
    Part.REPORT.value: "not seen",
}
#: What nothing can be tuned on.
_COUNTED = "counted, not tuned"
_OWN_WORDS = "made-up records"

#: Milliseconds that a turn may take at p95, by records.
_TURN_MS = {1_000: 3, 10_000: 5, 100_000: 10, 1_000_000: 30}
#: The size at which writing and memory are judged.
_JUDGED_AT = 10_000
_SINGLE, _BATCHED = 500, 5_000
_IMPORT_MS, _RSS_MB, _CORE_MB = 80, 60, 5
_TOKENS = 800


@attrs.frozen(kw_only=True)
class Row:
    """One line of the table."""

    area: str
    measure: str
    target: str
    ours: str
    #: Whether the target is met; None where it was not measured, or there is none.
    met: bool | None
    #: What choices were made on.
    made_on: str
    #: What measures this alone.
    command: str


@attrs.frozen(kw_only=True)
class Machine:
    """On what it was measured; nothing that names it."""

    cores: int
    system: str
    python: str
    sqlite: str
    #: Processes that wanted to work when the measurement began, over the last minute; None where the system does not tell.
    load: float | None


@attrs.frozen(kw_only=True)
class Table:
    """The whole table."""

    commit: str
    date: str
    machine: Machine
    #: Conversations of each set at most; None where all were taken.
    limit: int | None
    rows: tuple[Row, ...]

    def text(self) -> str:
        """Return the table in Markdown."""
        machine = self.machine
        load = "" if machine.load is None else f", load {machine.load:.1f} when it began"
        where = (
            f"{machine.cores} cores, {machine.system}, Python {machine.python}, SQLite {machine.sqlite}{load}"
        )
        met = {True: "yes", False: "no", None: ""}
        body = markdown(
            ("area", "measure", "target", "ours", "met", "made on", "command"),
            (
                (one.area, one.measure, one.target, one.ours, met[one.met], one.made_on, f"`{one.command}`")
                for one in self.rows
            ),
            texts=7,
        )
        sets = "" if self.limit is None else f" Of each set {self.limit} conversations at most."
        return f"Measured on {self.date} at {self.commit}: {where}.{sets}\n\n{body}"


def missing(area: str, measure: str, target: str, option: str) -> Row:
    """Return the row of a measure whose set was not named."""
    return Row(
        area=area,
        measure=measure,
        target=target,
        ours=f"not measured: pass {option}",
        met=None,
        made_on="",
        command=f"cmemory bench targets {option}",
    )


# -- the search ----------------------------------------------------------------------------------------------------


@attrs.frozen(kw_only=True)
class _Searched:
    """A set that is searched, and what is aimed at."""

    area: str
    measure: str
    #: Option that names the set, as it stands in the help.
    option: str
    read: Callable[[Path], Collection]
    surface: Surface
    #: R@10 by words, and with an embedder.
    words: float | None
    meaning: float | None
    #: The share of sessions, where it is aimed at.
    sessions: float | None = None
    #: Whether it is asked once more while the host reports what was used.
    reports: bool = False

    def rows(self, given: Path | None, limit: int | None, embedder: Embedder | None) -> Iterator[Row]:
        """Yield a row for each part of the set, and each arm."""
        if given is None:
            yield missing(self.area, self.measure, self._target(), self.option)
            return
        whole = self.read(given)
        of = attrs.evolve(whole, cases=whole.cases[:limit])
        arms = [("words", None, self.words)] + ([("meaning", embedder, self.meaning)] if embedder else [])
        for arm, with_, target in arms:
            for one in retrieval.rows(of, self.surface, ablate=False, feedback=self.reports, embedder=with_):
                if one.category == retrieval.ALL:
                    yield self._row(one, arm, target)

    def _row(self, one: retrieval.Row, arm: str, target: float | None) -> Row:
        found, (low, high) = one.recall[10], one.interval
        sessions = "" if self.sessions is None or one.sessions is None else f"; S@10 {one.sessions:.3f}"
        reported = " with reports of use" if one.policy == REPORTED else ""
        met = None if target is None else found >= target
        if met and self.sessions is not None:
            met = one.sessions is not None and one.sessions >= self.sessions
        return Row(
            area=self.area,
            measure=f"{self.measure}, by {arm}{reported}, {one.part} ({one.questions})",
            target=self._target(),
            ours=f"{found:.3f} ({low:.3f}–{high:.3f}){sessions}",
            met=met,
            made_on=_MADE_ON[one.part],
            command=f"cmemory bench retrieval {self.option}{' --feedback' if reported else ''}",
        )

    def _target(self) -> str:
        if self.words is None:
            return "–"
        parts = [f"≥ {self.words} by words"]
        parts += [f"≥ {self.meaning} by meaning"] if self.meaning is not None else []
        parts += [f"S@10 ≥ {self.sessions}"] if self.sessions is not None else []
        return "; ".join(parts)


_SEARCHED = (
    _Searched(
        area="recall",
        measure="LoCoMo, messages, cat. 1–4, R@10",
        option="--locomo FILE",
        read=retrieval_sets.locomo,
        surface=Surface.UTTERANCE,
        words=0.84,
        meaning=0.87,
        sessions=0.95,
    ),
    _Searched(
        area="recall",
        measure="REALTALK, messages, R@10",
        option="--realtalk DIR",
        read=retrieval_sets.realtalk,
        surface=Surface.UTTERANCE,
        words=0.64,
        meaning=0.67,
    ),
    _Searched(
        area="recall",
        measure="RealMemBench, records, R@10",
        option="--realmem DIR",
        read=retrieval_sets.realmem,
        surface=Surface.RECORD,
        words=0.55,
        meaning=0.58,
        reports=True,
    ),
    _Searched(
        area="recall zh",
        measure="MADial zh, records, R@10",
        option="--madial DIR",
        read=lambda folder: retrieval_sets.madial(folder, stem="zh"),
        surface=Surface.RECORD,
        words=0.74,
        meaning=0.83,
    ),
    _Searched(
        area="recall zh",
        measure="MemDaily, messages, R@10",
        option="--memdaily FILE",
        read=retrieval_sets.memdaily,
        surface=Surface.UTTERANCE,
        words=0.93,
        meaning=None,
    ),
)


def _search(area: str) -> Callable[[argparse.Namespace], Iterator[Row]]:
    def rows(options: argparse.Namespace) -> Iterator[Row]:
        embedder = embedder_from_environment()
        for one in _SEARCHED:
            if one.area == area:
                name = one.option.split()[0].removeprefix("--")
                yield from one.rows(getattr(options, name), options.limit, embedder)

    return rows


# -- silence -------------------------------------------------------------------------------------------------------

_GATE = "gate"
_CONTROLS = {"control: request-blind": "request-blind", "control: gate, clauses cut": "clauses cut"}


def _silence(options: argparse.Namespace) -> Iterator[Row]:
    pairs = "balanced ≥ 0.82, precision ≥ 0.65, ignore ≥ 0.90, no-taste ≤ 1 %"
    entries = "unrelated ≤ 12 %, beneficial ≥ 85 %, opinion ≤ 1 %"
    yield from _own_pairs()
    yield from _independent(pairs, entries)
    if options.rpeval is None:
        yield missing("silence", "RPEval, release of pairs", pairs, "--rpeval FILE")
    else:
        yield _pairs(
            silence.measure("RPEval", list(silence_sets.rpeval(options.rpeval))),
            target=pairs,
            made_on="choices were made on its single set",
            command="cmemory bench silence --rpeval FILE",
        )
    if options.persistbench is None:
        yield missing(
            "silence", "PersistBench, entries with anything released", entries, "--persistbench FILE"
        )
    else:
        yield _entries(
            "PersistBench",
            list(silence_sets.persistbench(options.persistbench)),
            target=entries,
            made_on="not seen",
            command="cmemory bench silence --persistbench FILE",
        )


def _own_pairs() -> Iterator[Row]:
    items = list(silence_sets.own(Half.REPORT))
    for language in ("zh", "en"):
        mine = [one for one in items if one.id.startswith(language)]
        yield _pairs(
            silence.measure(f"our own set, report half, {language}", mine),
            target="–",
            made_on="only its figures were looked at",
            command="cmemory bench silence --half report",
        )
    private = [one for one in items if one.kind == "private" and not one.wanted]
    released = sum(one.released for one in silence.gate(private, ReleasePolicy()))
    yield Row(
        area="silence",
        measure="our own set, report half, private matters nobody opened, released",
        target="≤ 3 %",
        ours=f"{released} of {len(private)}",
        met=released <= 0.03 * len(private),
        made_on="only its figures were looked at",
        command="cmemory bench silence --half report",
    )


def _independent(pairs: str, entries: str) -> Iterator[Row]:
    """Yield the rows of the sets whose author did not know the rules."""
    items = list(silence_sets.independent(Half.REPORT))
    told = list(silence_sets.independent_entries(Half.REPORT))
    how: dict[str, str] = {
        "made_on": "only its figures were looked at, some twenty times",
        "command": "cmemory bench silence --half report",
    }
    for language in ("zh", "en"):
        name = f"independent set, report half, {language}"
        mine = [one for one in items if one.id.startswith(language)]
        yield _pairs(silence.measure(name, mine), target=pairs, **how)
        yield _entries(
            f"independent entries, report half, {language}",
            [one for one in told if f"-{language}-" in one.id],
            target=entries,
            **how,
        )


def _pairs(found: silence.Found, *, target: str, made_on: str, command: str) -> Row:
    arms = {one.arm: one for one in found.rows}
    gate = arms[_GATE]
    beside = ", ".join(f"{name} {arms[arm].balanced.value:.3f}" for arm, name in _CONTROLS.items())
    met = (
        gate.balanced.value >= 0.82
        and gate.precision.value >= 0.65
        and gate.ignore.value >= 0.90
        and found.no_taste <= 0.01
    )
    return Row(
        area="silence",
        measure=f"{found.set}, release of {found.items} pairs",
        target=target,
        ours=f"balanced {gate.balanced.value:.3f} ({gate.balanced.low:.3f}–{gate.balanced.high:.3f}; {beside}), "
        f"precision {gate.precision.value:.3f}, ignore {gate.ignore.value:.3f}, no-taste {found.no_taste:.2%}",
        met=None if target == "–" else met,
        made_on=made_on,
        command=command,
    )


def _entries(
    name: str, queries: Sequence[silence_sets.Query], *, target: str, made_on: str, command: str
) -> Row:
    found = {one.kind: one for one in silence.shares(name, queries) if one.arm == _GATE}
    shares = {kind: one.share.value for kind, one in found.items()}
    limits = (
        shares.get("unrelated", 0) <= 0.12,
        shares.get("beneficial", 1) >= 0.85,
        shares.get("opinion", 0) <= 0.01,
    )
    return Row(
        area="silence",
        measure=f"{name}, entries with anything released",
        target=target,
        ours=", ".join(f"{kind} {share:.1%} of {found[kind].entries}" for kind, share in shares.items()),
        met=all(limits),
        made_on=made_on,
        command=command,
    )


def _precision(options: argparse.Namespace) -> Iterator[Row]:
    target = "active 43/43, silent ≥ 31/32, no other user's, none that was replaced"
    if options.precision is None:
        yield missing("precision", "PrecisionMemBench, cases", target, "--precision DIR")
        return
    gate = silence.precise(options.precision)[0]
    met = gate.active_right == gate.active and gate.silent - gate.silent_right <= 1
    yield Row(
        area="precision",
        measure="PrecisionMemBench, cases",
        target=target,
        ours=f"active {gate.active_right}/{gate.active}, silent {gate.silent_right}/{gate.silent}, "
        f"other users' {gate.foreign}, replaced {gate.over}",
        met=met and not gate.foreign and not gate.over,
        made_on="choices were made on it",
        command="cmemory bench silence --precision DIR",
    )


# -- promises ------------------------------------------------------------------------------------------------------


def _forgetting(_: argparse.Namespace) -> Iterator[Row]:
    command = "python -m cmemory.bench.promises"
    found = promises.forgetting()
    for measure, target, ways in (
        (
            "forgotten, then said again, written otherwise, imported, restored: visible again; in a file",
            "0 and 0",
            [one for one in found if one.way != promises.OTHER_SCRIPT],
        ),
        (
            "the same, written in traditional characters",
            "–",
            [one for one in found if one.way == promises.OTHER_SCRIPT],
        ),
    ):
        tries = sum(one.tries for one in ways)
        record, said, held = (
            sum(one.as_record for one in ways),
            sum(one.as_said for one in ways),
            sum(one.held_after for one in ways),
        )
        shown = all(one.seen_before == one.held_before == one.tries for one in ways)
        yield Row(
            area="forgetting",
            measure=measure,
            target=target,
            ours=f"{record} as a record, {said} word for word as said; {held} in a file; of {tries}",
            met=None if target == "–" else shown and not (record or said or held),
            made_on=_COUNTED,
            command=command,
        )


def _isolation(_: argparse.Namespace) -> Iterator[Row]:
    found = promises.isolation()
    yield Row(
        area="isolation",
        measure="rows of another relationship by wildcard, empty, prefix, operators, ids",
        target="0",
        ours=f"{found.leaked} of {found.asked} answers, {found.obeyed} of {found.named} calls with ids",
        met=not (found.leaked or found.obeyed) and found.own == found.secrets and found.served == found.calls,
        made_on=_COUNTED,
        command="python -m cmemory.bench.promises",
    )
    yield Row(
        area="isolation",
        measure="scopes of several or nobody, refused with an error that names the part",
        target="all",
        ours=f"{found.refused} of {found.wide}",
        met=found.refused == found.wide,
        made_on=_COUNTED,
        command="python -m cmemory.bench.promises",
    )


def _concurrency(_: argparse.Namespace) -> Iterator[Row]:
    found, asked = shared_file.measure(), 2 * shared_file.WRITES
    for measure, target, ours, met in (
        (
            f"two processes × {shared_file.WRITES} writes: acknowledged and there",
            f"{asked}/{asked}",
            f"{found.stored}/{asked}",
            found.stored == found.acknowledged == asked,
        ),
        (
            f"kill −9 among writes, {found.kills} times: acknowledged and lost; findings",
            "0; 0",
            f"{found.lost} of {found.acknowledged_around_kills}; {found.findings}",
            not (found.lost or found.findings),
        ),
    ):
        yield Row(
            area="concurrency",
            measure=measure,
            target=target,
            ours=ours,
            met=met,
            made_on=_COUNTED,
            command="python -m cmemory.bench.shared_file",
        )


# -- speed, weight, context ----------------------------------------------------------------------------------------


def _speed_and_weight(options: argparse.Namespace) -> Iterator[Row]:
    sizes = ",".join(map(str, options.records))
    command = f"cmemory bench speed --records {sizes}"
    measured = speed.run(options.records, options.seconds)
    by = {(one.records, one.operation): one for one in measured.rows}
    for records in options.records:
        turn, most = by[records, "prepare"], _TURN_MS.get(records)
        yield Row(
            area="speed",
            measure=f"prepare at {records:,} records, p50 and p95",
            target="–" if most is None else f"p95 ≤ {most} ms",
            ours=f"{turn.p50_ms:.2f} ms, {turn.p95_ms:.2f} ms",
            met=None if most is None else turn.p95_ms <= most,
            made_on=_OWN_WORDS,
            command=command,
        )
    for operation, what, least in (
        ("admit, 1 candidate", "one at a time", _SINGLE),
        (f"admit, {speed.BATCH} candidates", f"{speed.BATCH} at a time, all admitted", _BATCHED),
    ):
        for records in options.records:
            rate, judged = by[records, operation].per_second, records == _JUDGED_AT
            yield Row(
                area="speed",
                measure=f"durable writes a second at {records:,} records, {what}",
                target=f"≥ {least:,}" if judged else "–",
                ours=f"{rate:,.0f}",
                met=rate >= least if judged else None,
                made_on=_OWN_WORDS,
                command=command,
            )
    yield from _weight(measured, command)


def _weight(measured: speed.Report, command: str) -> Iterator[Row]:
    for what, (best, p50) in measured.imports.items():
        yield Row(
            area="weight",
            measure=f"`{what}` in a fresh process, p50",
            target=f"≤ {_IMPORT_MS} ms",
            ours=f"{p50:.0f} ms (best {best:.0f})",
            met=p50 <= _IMPORT_MS,
            made_on=_COUNTED,
            command=command,
        )
    for size in measured.sizes:
        judged = size.records == _JUDGED_AT
        yield Row(
            area="weight",
            measure=f"RSS at {size.records:,} records, plans made",
            target=f"≤ {_RSS_MB} MB" if judged else "–",
            ours=f"{size.rss_mb:.1f} MB",
            met=size.rss_mb <= _RSS_MB if judged else None,
            made_on=_OWN_WORDS,
            command=command,
        )
    core = weight.core_sizes()
    total = sum(core.values()) / 1e6
    yield Row(
        area="weight",
        measure="files of the core: " + ", ".join(core),
        target=f"≤ {_CORE_MB} MB",
        ours=f"{total:.2f} MB",
        met=total <= _CORE_MB,
        made_on=_COUNTED,
        command="python -m cmemory.bench.weight",
    )


def _context(options: argparse.Namespace) -> Iterator[Row]:
    budget = COMPANION.plan.max_tokens
    command = "python -m cmemory.bench.weight"
    played = [(weight.own_talk(), command), (weight.made_up(), command)]
    if options.locomo is not None:
        talks = list(read_locomo(options.locomo, limit=options.limit))
        played.append(
            (weight.dialogues("LoCoMo", talks), "cmemory bench targets --only context --locomo FILE")
        )
    if options.memorybank is not None:
        people = list(read_memorybank(options.memorybank))[: options.limit]
        played.append(
            (weight.dialogues("MemoryBank", people), "cmemory bench window --cost --memorybank DIR")
        )
    for one, command in played:
        yield Row(
            area="context",
            measure=f"tokens a turn, {one.name} ({one.turns} turns): p50, p95, most",
            target=f"half of them ≤ {_TOKENS}, none above the budget of {budget}",
            ours=f"{one.p50}, {one.p95}, {one.max}",
            met=one.p50 <= _TOKENS and (budget is None or one.max <= budget),
            made_on=_COUNTED,
            command=command,
        )


#: What can be measured, in the order of the table.
AREAS: Mapping[str, Callable[[argparse.Namespace], Iterator[Row]]] = {
    "recall": _search("recall"),
    "recall-zh": _search("recall zh"),
    "silence": _silence,
    "precision": _precision,
    "forgetting": _forgetting,
    "isolation": _isolation,
    "concurrency": _concurrency,
    "speed": _speed_and_weight,
    "context": _context,
}


def commit() -> str:
    """Return the commit this library is checked out at, marked where files differ from it; else its version."""
    home = Path(cmemory.__file__).parent

    def git(*arguments: str) -> str:
        command = ["git", "-C", str(home), *arguments]
        return subprocess.check_output(command, text=True, stderr=subprocess.DEVNULL).strip()  # noqa: S603 - our own

    try:
        ours = Path(git("rev-parse", "--show-toplevel")) / "src" / "cmemory"
        if ours.resolve() == home.resolve():
            changed = ", with changes" if git("status", "--porcelain", "--", str(home)) else ""
            return f"commit {git('rev-parse', 'HEAD')}{changed}"
    except (OSError, subprocess.CalledProcessError):
        # No git, or no checkout: the version has to do.
        pass
    return f"version {importlib.metadata.version('cmemory')}"


def machine() -> Machine:
    """Return what this machine is, without its name."""
    try:
        load: float | None = os.getloadavg()[0]
    except OSError:
        load = None
    return Machine(
        cores=os.cpu_count() or 1,
        system=f"{platform.system()} {platform.machine()}",
        python=platform.python_version(),
        sqlite=sqlite3.sqlite_version,
        load=load,
    )


def fill(options: argparse.Namespace) -> Table:
    """Return the table of the areas that were asked for; says on the error stream what is being measured."""
    here, at, rows = machine(), commit(), list[Row]()
    for area in options.only:
        print(f"measuring {area}", file=sys.stderr)
        rows += AREAS[area](options)
    return Table(commit=at, date=options.date, machine=here, limit=options.limit, rows=tuple(rows))


def spelt(table: Table) -> str:
    """Return the table as JSON."""
    return json.dumps(attrs.asdict(table), indent=2, ensure_ascii=False)


def write(folder: Path, table: Table) -> None:
    """Write the table into a folder: ``targets.md`` and ``targets.json``."""
    folder.mkdir(parents=True, exist_ok=True)
    for ending, text in (("md", table.text()), ("json", spelt(table))):
        (folder / f"targets.{ending}").write_text(text + "\n", encoding="utf-8")


def _areas(text: str) -> tuple[str, ...]:
    asked = text.split(",")
    if set(asked) - AREAS.keys():
        raise argparse.ArgumentTypeError(f"must be of {', '.join(AREAS)}")
    return tuple(area for area in AREAS if area in asked)


def _day(text: str) -> str:
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise argparse.ArgumentTypeError("must be a day such as 2026-03-01") from None


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m cmemory.bench.targets", description=(__doc__ or "").split("\n")[0]
    )
    for name, metavar, what in (
        ("locomo", "FILE", "file of the LoCoMo set"),
        ("realtalk", "DIR", "folder of the REALTALK set"),
        ("memdaily", "FILE", "file of the MemDaily set"),
        ("madial", "DIR", "folder of MADial-Bench"),
        ("realmem", "DIR", "folder of RealMemBench"),
        ("precision", "DIR", "folder of PrecisionMemBench"),
        ("rpeval", "FILE", "file of the RPEval set"),
        ("persistbench", "FILE", "file of the PersistBench set"),
        ("memorybank", "DIR", "folder of the MemoryBank set"),
        ("out", "DIR", "write Markdown and JSON here as well"),
    ):
        parser.add_argument(f"--{name}", type=Path, metavar=metavar, help=what)
    parser.add_argument(
        "--only",
        type=_areas,
        default=tuple(AREAS),
        metavar="AREA,AREA",
        help=f"of {', '.join(AREAS)}; all unless given",
    )
    parser.add_argument(
        "--records",
        type=speed.sizes,
        default=(1_000, 10_000),
        metavar="N,N",
        help="sizes; 1000,10000 unless given",
    )
    parser.add_argument("--seconds", type=float, default=2.0, help="for each operation; 2 unless given")
    parser.add_argument("--limit", type=int, metavar="N", help="conversations of each set")
    parser.add_argument("--date", type=_day, metavar="DAY", help="when it is measured; today unless given")
    parser.add_argument("--json", action="store_true", help="print JSON instead of Markdown")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, and write where that was asked for; return the exit code."""
    options = _parser().parse_args(arguments)
    options.date = options.date or system_clock().as_datetime().date().isoformat()
    table = fill(options)
    if options.out:
        write(options.out, table)
    print(spelt(table) if options.json else table.text())
    return 0


if __name__ == "__main__":
    sys.exit(main())
