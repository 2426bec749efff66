"""Measures when a memory speaks: release where it should take part, silence where it should not, each with three controls.

``python -m cmemory.bench.silence [--half tune|report] [--rpeval FILE] [--persistbench FILE] [--precision DIR]
[--ablate] [--show] [--json]``

The gate is the one the planner asks (`cmemory.domain.gates.release`). Two further arms go through `Memory.prepare`, the
statement kept as a note: with cues alone, and with cues and the gate. Labels of such sets often leak through wording, so
beside each figure stand:

* *request-blind*: a rule that never sees the request and releases limits and whatever is told without hedge or excuse;
* *no-taste requests*: the share of the same statements that is released on translations, programs, facts and letters;
* *clauses cut*: the gate, and the request-blind rule, on statements without the clauses that hedge or excuse.

Balanced accuracy is the mean of the recall of use and the recall of silence. Intervals hold 95 % of 1,000 resamples of
clusters: items that share a statement (ours) or a request (RPEval, the independent set).
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from statistics import fmean

import attrs

from cmemory.bench.figures import markdown
from cmemory.bench.silence_requests import NO_TASTE
from cmemory.bench.silence_sets import (
    Belief,
    Case,
    Half,
    Item,
    Query,
    beliefs,
    cases,
    independent,
    independent_entries,
    own,
    own_entries,
    persistbench,
    rpeval,
)
from cmemory.domain.gates.reading import Nature, Request, Statement, without_excuses
from cmemory.domain.gates.release import Answer, Release, release, release_all
from cmemory.domain.model.ids import Revision
from cmemory.domain.model.instant import Instant
from cmemory.domain.plan.roster import Roster
from cmemory.domain.policy import COMPANION, Policy, Reason, ReleasePolicy
from cmemory.memory import Memory, ScopedMemory

_RESAMPLES = 1_000
_NOW = Instant.parse("2026-03-02T09:00:00Z")
_BEFORE = Instant.parse("2026-03-01T09:00:00Z")

#: What a rule that lets everything pass says.
_FREE = Answer(Release.MAY, Reason.NAMED)
#: Records of a project go by their names.
_PROJECT = ReleasePolicy(names_only=True)


@attrs.frozen(kw_only=True)
class Seen:
    """What became of one item."""

    item: Item
    released: bool
    #: Why, where the gate says; empty for what does not ask it.
    reason: str = ""

    @property
    def right(self) -> bool:
        return self.item.wanted is self.released


@attrs.frozen(kw_only=True)
class Figure:
    """A share, 0–1, and the bounds of its interval."""

    value: float
    low: float
    high: float


@attrs.frozen(kw_only=True)
class Row:
    """How one arm did on one set of pairs."""

    arm: str
    balanced: Figure
    precision: Figure
    use: Figure
    ignore: Figure
    #: Share released, by kind of item.
    kinds: Mapping[str, float]


@attrs.frozen(kw_only=True)
class Mistake:
    """One item that came out wrong."""

    id: str
    wanted: str
    reason: str
    #: Statement and request; empty unless texts are asked for.
    texts: tuple[str, ...] = ()


@attrs.frozen(kw_only=True)
class Found:
    """What came of one set."""

    set: str
    items: int
    rows: tuple[Row, ...]
    #: Share of statement and no-taste request that is released; how to answer, which holds for all, left out.
    no_taste: float
    no_taste_pairs: int
    mistakes: tuple[Mistake, ...]


def gate(items: Iterable[Item], policy: ReleasePolicy, *, cut: bool = False) -> list[Seen]:
    """Ask the gate about each item, on statements without their excuses where they are cut."""
    return [_asked(one, policy, cut) for one in items]


#: A statement and a request are read once, though asked about under many policies.
_statement = cache(Statement.of)
_request = cache(Request.of)


def _asked(item: Item, policy: ReleasePolicy, cut: bool) -> Seen:
    texts = (without_excuses(text) if cut else text for text in item.statements)
    answer = release_all([_statement(text) for text in texts], _request(item.request), policy)[-1]
    return Seen(item=item, released=not answer.silent, reason=answer.reason.value)


def blind(items: Iterable[Item], *, cut: bool = False) -> list[Seen]:
    """Return what a rule says that never sees the request: limits speak, and so does what nobody hedges or excuses."""
    return [Seen(item=one, released=_blind(one.statements[-1], cut)) for one in items]


def _blind(text: str, cut: bool) -> bool:
    told = without_excuses(text) if cut else text
    statement = Statement.of(told)
    plain = not statement.hedged and without_excuses(told) == told.strip()
    return statement.nature in (Nature.LIMIT, Nature.MANNER) or plain


def planned(items: Sequence[Item], policy: Policy) -> list[Seen]:
    """Keep each item's statements as notes, prepare a turn with its request, and see whether the last one is shown."""
    found = []
    with Memory.open(policy=policy) as memory:
        kept: dict[frozenset[str], tuple[ScopedMemory, Mapping[str, str]]] = {}
        for item in items:
            known = frozenset(item.statements)
            if known not in kept:
                luna = memory.scope(service="bench", owner=f"p-{len(kept)}", profile="companion")
                kept[known] = luna, {text: _note(luna, text) for text in item.statements}
            luna, names = kept[known]
            plan = luna.prepare(item.request, session="s", now=_NOW)
            shown = {one.record_id for _, one in plan.shown}
            found.append(Seen(item=item, released=names[item.statements[-1]] in shown))
    return found


def _note(luna: ScopedMemory, text: str, tags: Sequence[str] = ()) -> str:
    [answer, *_] = luna.notes.write(text, tags=tags, at=_BEFORE)
    if answer.record_id is None:
        raise ValueError(f"a note was refused: {answer.reason}")
    return str(answer.record_id)


def no_taste(statements: Iterable[str], policy: ReleasePolicy) -> tuple[int, int]:
    """Return how many pairs of a statement and a request that needs nobody's taste are released, of how many."""
    read = [Statement.of(text) for text in dict.fromkeys(statements)]
    read = [one for one in read if one.nature is not Nature.MANNER]
    asked = [Request.of(text) for text in NO_TASTE]
    released = sum(not release(one, request, policy).silent for one in read for request in asked)
    return released, len(read) * len(asked)


_Measure = Callable[[Sequence[Seen]], float]


def _share(seen: Iterable[bool]) -> float:
    values = list(seen)
    return fmean(values) if values else 0.0


def use_recall(seen: Sequence[Seen]) -> float:
    """Return the share of what should speak that does."""
    return _share(one.released for one in seen if one.item.wanted)


def ignore_recall(seen: Sequence[Seen]) -> float:
    """Return the share of what should be silent that is."""
    return _share(not one.released for one in seen if not one.item.wanted)


def balanced(seen: Sequence[Seen]) -> float:
    """Return the mean of both recalls."""
    return (use_recall(seen) + ignore_recall(seen)) / 2


def precision(seen: Sequence[Seen]) -> float:
    """Return the share of what speaks that should."""
    return _share(one.item.wanted for one in seen if one.released)


def figure(seen: Sequence[Seen], measure: _Measure) -> Figure:
    """Return a measure with its interval over resampled clusters; the seed is fixed."""
    clusters: dict[str, list[Seen]] = defaultdict(list)
    for one in seen:
        clusters[one.item.cluster].append(one)
    draws, groups = random.Random(0), list(clusters.values())  # noqa: S311 - a resample, not a secret
    drawn = sorted(
        measure([one for group in draws.choices(groups, k=len(groups)) for one in group])
        for _ in range(_RESAMPLES)
    )
    edge = _RESAMPLES // 40
    return Figure(value=round(measure(seen), 4), low=round(drawn[edge], 4), high=round(drawn[-1 - edge], 4))


def row_of(arm: str, seen: Sequence[Seen]) -> Row:
    """Return the figures of one arm."""
    kinds: dict[str, list[bool]] = defaultdict(list)
    for one in seen:
        kinds[one.item.kind].append(one.released)
    return Row(
        arm=arm,
        balanced=figure(seen, balanced),
        precision=figure(seen, precision),
        use=figure(seen, use_recall),
        ignore=figure(seen, ignore_recall),
        kinds={kind: round(_share(values), 4) for kind, values in kinds.items()},
    )


def measure(name: str, items: Sequence[Item], *, show: bool = False) -> Found:
    """Return how the gate does on at least one pair, with its controls, and what it gets wrong."""
    policy = ReleasePolicy()
    seen = gate(items, policy)
    shut = attrs.evolve(COMPANION, release=attrs.evolve(policy, enabled=False))
    released, pairs = no_taste((item.statements[-1] for item in items), policy)
    return Found(
        set=name,
        items=len(items),
        rows=(
            row_of("gate", seen),
            row_of("control: request-blind", blind(items)),
            row_of("control: gate, clauses cut", gate(items, policy, cut=True)),
            row_of("control: request-blind, clauses cut", blind(items, cut=True)),
            row_of("plan, cues alone", planned(items, shut)),
            row_of("plan, cues and gate", planned(items, COMPANION)),
        ),
        no_taste=round(released / pairs, 5) if pairs else 0.0,
        no_taste_pairs=pairs,
        mistakes=tuple(_mistake(one, show) for one in seen if not one.right),
    )


def _mistake(seen: Seen, show: bool) -> Mistake:
    texts = (*seen.item.statements, seen.item.request) if show else ()
    wanted = "use" if seen.item.wanted else "silence"
    return Mistake(id=seen.item.id, wanted=wanted, reason=seen.reason, texts=texts)


@attrs.frozen(kw_only=True)
class Ablation:
    """What leaving one rule out does to the balanced accuracy of a set."""

    set: str
    rule: str
    balanced: float
    change: float


def ablate(name: str, items: Sequence[Item]) -> tuple[Ablation, ...]:
    """Return what each rule is worth on a set: its balanced accuracy without the rule, and the change."""
    whole = balanced(gate(items, ReleasePolicy()))
    found = []
    for reason in Reason:
        one = balanced(gate(items, ReleasePolicy(without=(reason,))))
        found.append(
            Ablation(set=name, rule=reason.value, balanced=round(one, 4), change=round(one - whole, 4))
        )
    return tuple(one for one in found if one.change)


@attrs.frozen(kw_only=True)
class Released:
    """On how many of the entries of a kind anything is released, and by which rules."""

    set: str
    kind: str
    arm: str
    entries: int
    share: Figure
    reasons: Mapping[str, int]


def shares(name: str, queries: Sequence[Query]) -> tuple[Released, ...]:
    """Return the release rates of a set's kinds of entries, by the gate and by the controls."""
    policy = ReleasePolicy()
    arms: tuple[tuple[str, Callable[[Query], Sequence[Answer | bool]]], ...] = (
        ("gate", lambda one: _answers(one.statements, one.request, policy)),
        ("control: request-blind", lambda one: [_blind(text, False) for text in one.statements]),
        (
            "control: clauses cut",
            lambda one: _answers(tuple(map(without_excuses, one.statements)), one.request, policy),
        ),
        (
            "control: a no-taste request",
            lambda one: _answers(one.statements, NO_TASTE[_place(one) % len(NO_TASTE)], policy),
        ),
    )
    return tuple(
        _released((name, kind, arm), [one for one in queries if one.kind == kind], ask)
        for kind in dict.fromkeys(one.kind for one in queries)
        for arm, ask in arms
    )


def _place(query: Query) -> int:
    return int(query.id.rpartition("-")[2])


def _answers(texts: Sequence[str], request: str, policy: ReleasePolicy) -> Sequence[Answer]:
    read = [Statement.of(text) for text in texts]
    answers = release_all(read, Request.of(request), policy)
    # How to answer holds for every message and tells nothing.
    return [answer for one, answer in zip(read, answers, strict=True) if one.nature is not Nature.MANNER]


def _released(
    row: tuple[str, str, str], queries: Sequence[Query], ask: Callable[[Query], Sequence[Answer | bool]]
) -> Released:
    name, kind, arm = row
    reasons: Counter[str] = Counter()
    seen = []
    for one in queries:
        answers = ask(one)
        let = [each for each in answers if each is True or (isinstance(each, Answer) and not each.silent)]
        reasons.update(each.reason.value for each in let if isinstance(each, Answer))
        item = Item(
            id=one.id, statements=one.statements, request=one.request, wanted=True, kind=kind, cluster=one.id
        )
        seen.append(Seen(item=item, released=bool(let)))
    return Released(
        set=name,
        kind=kind,
        arm=arm,
        entries=len(queries),
        share=figure(seen, use_recall),
        reasons=dict(sorted(reasons.items())),
    )


@attrs.frozen(kw_only=True)
class Precise:
    """How PrecisionMemBench came out: cases with something to show, and cases with nothing."""

    arm: str
    active: int
    active_right: int
    silent: int
    silent_right: int
    #: Records of other users, and replaced or settled ones, that were released.
    foreign: int
    over: int
    #: Cases in which a record was released that the case rules out.
    forbidden: int
    #: Cases that came out wrong: what was missing or too much, by id and reason.
    mistakes: tuple[Mistake, ...]


def precise(folder: Path, *, show: bool = False) -> tuple[Precise, ...]:
    """Return how PrecisionMemBench comes out, by the gate and by the controls.

    Each user's records of each scope are the notes of a relationship of their own, their aliases the tags; those that were
    replaced or settled are put away as a host would. What lives is listed and the gate asked, the policy being that of a
    project: a record with names is opened by them. Pinned records and open questions have tiers of their own and take
    their places first.
    """
    rows, asked = beliefs(folder), list(cases(folder))
    with Memory.open(policy=attrs.evolve(COMPANION, release=_PROJECT)) as memory:
        shelf = _Shelf.of(memory, rows)
        return tuple(
            _precise(arm, asked, shelf, ask, show)
            for arm, ask in (
                ("gate", lambda one, request: release_all(one, request, _PROJECT)),
                ("control: request-blind", lambda one, _: [_FREE] * len(one)),
                (
                    "control: a no-taste request",
                    lambda one, _: release_all(one, Request.of(NO_TASTE[len(one) % len(NO_TASTE)]), _PROJECT),
                ),
                (
                    "control: clauses cut",
                    lambda one, request: release_all([_cut(each) for each in one], request, _PROJECT),
                ),
            )
        )


def _cut(statement: Statement) -> Statement:
    return Statement.of(without_excuses(statement.text), aliases=statement.aliases, tie=statement.tie)


@attrs.frozen
class _Shelf:
    """PrecisionMemBench's records as they are kept."""

    memory: Memory
    #: Beliefs by the id of the note that holds them.
    known: Mapping[str, Belief]

    @classmethod
    def of(cls, memory: Memory, rows: Iterable[Belief]) -> _Shelf:
        known: dict[str, Belief] = {}
        for row in rows:
            for scope in row.scopes:
                luna = memory.scope(service="bench", owner=row.user, profile=scope)
                name = _note(luna, row.text, row.names)
                known[name] = row
                if row.over:
                    luna.delete(name, now=_NOW)
        return cls(memory, known)

    def live(self, case: Case) -> list[tuple[Belief, Statement]]:
        """Return what lives for a case, each with how the planner reads it."""
        found = []
        for scope in case.scopes:
            luna = self.memory.scope(service="bench", owner=case.user, profile=scope)
            notes = luna.notes.list(now=_NOW)
            roster = Roster.of(notes, revision=Revision(0), now=_NOW, policy=COMPANION)
            for entry in roster.entries():
                statement = roster.statement(entry.record.id)
                if statement is not None:
                    found.append((self.known[entry.record.id], statement))
        return sorted(found, key=lambda pair: pair[0].id)


_Ask = Callable[[Sequence[Statement], Request], Sequence[Answer]]


def _precise(arm: str, asked: Sequence[Case], shelf: _Shelf, ask: _Ask, show: bool) -> Precise:
    right: Counter[bool] = Counter()
    count: Counter[bool] = Counter()
    foreign = over = forbidden = 0
    mistakes = []
    for case in asked:
        live = shelf.live(case)
        answers = ask([one for _, one in live], Request.of(case.request))
        pinned = sum(one.pinned and one.type != "open_question" for one, _ in live)
        let = [
            (one, answer)
            for (one, _), answer in zip(live, answers, strict=True)
            if not (answer.silent or one.pinned or one.type == "open_question")
        ]
        let = let if case.room is None else let[: max(0, case.room - pinned)]
        shown = {one.id for one, _ in let}
        foreign += sum(one.user != case.user for one, _ in let)
        over += sum(one.over for one, _ in let)
        forbidden += not shown.isdisjoint(case.never)
        if case.exactly is not None:
            active = bool(case.exactly)
            count[active] += 1
            right[active] += shown == case.exactly
            wrong = [
                (one.id, "silence", answer.reason.value) for one, answer in let if one.id not in case.exactly
            ]
            wrong += [(name, "use", "") for name in sorted(case.exactly - shown)]
            texts = (case.request,) if show else ()
            mistakes += [
                Mistake(id=f"{case.id}: {name}", wanted=wanted, reason=reason, texts=texts)
                for name, wanted, reason in wrong
            ]
    return Precise(
        arm=arm,
        active=count[True],
        active_right=right[True],
        silent=count[False],
        silent_right=right[False],
        foreign=foreign,
        over=over,
        forbidden=forbidden,
        mistakes=tuple(mistakes),
    )


def _tables(found: Found) -> Iterator[str]:
    yield f"{found.set}: {found.items} items"
    yield markdown(
        ("arm", "balanced accuracy", "precision", "use recall", "ignore recall"),
        (
            (one.arm, *(_told(each) for each in (one.balanced, one.precision, one.use, one.ignore)))
            for one in found.rows
        ),
    )
    yield f"control: no-taste requests: {found.no_taste:.2%} of {found.no_taste_pairs} pairs released"
    kinds = found.rows[0].kinds
    yield markdown(
        ("released, by kind", *(one.arm for one in found.rows)),
        ((kind, *(f"{one.kinds[kind]:.1%}" for one in found.rows)) for kind in kinds),
    )
    yield _mistakes(found.mistakes)


def _told(figure: Figure) -> str:
    return f"{figure.value:.3f} ({figure.low:.3f}–{figure.high:.3f})"


def _mistakes(mistakes: Sequence[Mistake]) -> str:
    lines = [f"mistakes: {len(mistakes)}"]
    for one in mistakes:
        lines.append(f"- {one.id}: {one.wanted} wanted, {one.reason or 'not released'}")
        lines += [f"    {text}" for text in one.texts]
    return "\n".join(lines)


def _released_table(rows: Sequence[Released]) -> str:
    return markdown(
        ("set", "kind", "arm", "entries", "share with anything released", "by rule"),
        (
            (
                one.set,
                one.kind,
                one.arm,
                one.entries,
                _told(one.share),
                ", ".join(f"{reason} {count}" for reason, count in one.reasons.items()) or "–",
            )
            for one in rows
        ),
    )


def _precise_tables(rows: Sequence[Precise]) -> Iterator[str]:
    yield markdown(
        ("PrecisionMemBench", "active", "silent", "other users'", "replaced", "ruled out"),
        (
            (
                one.arm,
                f"{one.active_right}/{one.active}",
                f"{one.silent_right}/{one.silent}",
                one.foreign,
                one.over,
                one.forbidden,
            )
            for one in rows
        ),
    )
    yield _mistakes(rows[0].mistakes)


def _ablation_table(rows: Sequence[Ablation]) -> str:
    return markdown(
        ("set", "left out", "balanced accuracy", "change"),
        ((one.set, one.rule, f"{one.balanced:.3f}", f"{100 * one.change:+.1f}") for one in rows),
    )


def _sets(options: argparse.Namespace) -> Iterator[tuple[str, list[Item]]]:
    for half in Half:
        if options.half in (None, half.value):
            items = list(own(half))
            for language in ("zh", "en"):
                yield (
                    f"our own, {half.value} half, {language}",
                    [one for one in items if one.id.startswith(language)],
                )
            items = list(independent(half))
            for language in ("zh", "en"):
                yield (
                    f"independent, {half.value} half, {language}",
                    [one for one in items if one.id.startswith(language)],
                )
    if options.rpeval:
        yield "RPEval", list(rpeval(options.rpeval))


def _entries(options: argparse.Namespace) -> Iterator[tuple[str, list[Query]]]:
    for half in Half:
        if options.half in (None, half.value):
            entries = list(own_entries(half))
            for language in ("zh", "en"):
                mine = [one for one in entries if f"-{language}-" in one.id]
                yield f"our own entries, {half.value} half, {language}", mine
            entries = list(independent_entries(half))
            for language in ("zh", "en"):
                mine = [one for one in entries if f"-{language}-" in one.id]
                yield f"independent entries, {half.value} half, {language}", mine
    if options.persistbench:
        yield "PersistBench", list(persistbench(options.persistbench))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m cmemory.bench.silence", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument(
        "--half",
        choices=[half.value for half in Half],
        help="half of the sets that are halved; both unless given",
    )
    parser.add_argument("--rpeval", type=Path, help="file of the RPEval set")
    parser.add_argument("--persistbench", type=Path, help="file of the PersistBench set")
    parser.add_argument("--precision", type=Path, help="folder of PrecisionMemBench")
    parser.add_argument("--ablate", action="store_true", help="leave each rule out in turn")
    parser.add_argument("--show", action="store_true", help="tell the texts of what came out wrong")
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; return the exit code."""
    parser = _parser()
    options = parser.parse_args(arguments)
    sets = [(name, items) for name, items in _sets(options)]
    if any(not items for _, items in sets):
        parser.error("a set holds no item")
    found = [measure(name, items, show=options.show) for name, items in sets]
    ablations = [one for name, items in sets for one in ablate(name, items)] if options.ablate else []
    released = [one for name, entries in _entries(options) for one in shares(name, entries)]
    named = precise(options.precision, show=options.show) if options.precision else ()
    if options.json:
        plain = {
            "sets": list(map(attrs.asdict, found)),
            "ablations": list(map(attrs.asdict, ablations)),
            "released": list(map(attrs.asdict, released)),
            "precision": list(map(attrs.asdict, named)),
        }
        print(json.dumps(plain, ensure_ascii=False, indent=2))
        return 0
    parts = [part for one in found for part in _tables(one)]
    parts += [_ablation_table(ablations)] if ablations else []
    parts += [_released_table(released)] if released else []
    parts += list(_precise_tables(named)) if named else []
    print("\n\n".join(parts))
    return 0


if __name__ == "__main__":
    sys.exit(main())
