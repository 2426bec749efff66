"""Takes a relationship in through the public interface, asks its questions, and tells where the answers stood."""

from __future__ import annotations

import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import groupby
from pathlib import Path
from typing import Any

import attrs

from cmemory.bench.retrieval_sets import Case, Entry, Kept, Question, Surface
from cmemory.domain.model.candidate import EpisodeCandidate
from cmemory.domain.model.message import Quote
from cmemory.domain.policy import COMPANION, Policy, RecallPolicy
from cmemory.memory import Memory, ScopedMemory
from cmemory.ports.embedder import Embedder

#: How deep a ranking is looked at.
DEPTHS = (5, 10, 20)
#: Sessions that are looked at, in the order of their best hit, among so many hits.
SESSIONS = 10
_SESSION_DEPTH = 100
_INTRODUCED = "2000-01-01T00:00:00Z"
#: After everything that any set tells.
_LATER = "2099-01-01T00:00:00Z"
#: Several records may come of one text: a note, and the claims in it.
_SPARE = 2

#: The policy as it stands.
WHOLE = "all parts"
#: The policy with nothing but the words themselves.
BARE = "own words alone"
#: The policy as it stands, where the host reports after each question which records answered it.
REPORTED = "with reports of use"


@attrs.frozen(kw_only=True)
class Outcome:
    """How one question was answered."""

    category: str
    #: Share of the answers among the first so many, 0 to 1, by depth.
    recall: Mapping[int, float]
    #: One over the place of the first answer, 0 where there is none.
    reciprocal: float
    #: Share of the answers' sessions among the first `SESSIONS` sessions; None where it was not looked for.
    sessions: float | None = None


@attrs.frozen(kw_only=True)
class Variant:
    """A policy under a name."""

    name: str
    policy: Policy


def variants(parts: Sequence[str], *, ablate: bool) -> list[Variant]:
    """Return the policy as it stands and, where asked for, with each part left out and with nothing but own words.

    Args:
        parts: names of weights of `RecallPolicy`.
        ablate: whether parts are left out.
    """
    found = [Variant(name=WHOLE, policy=COMPANION)]
    if ablate:
        found += [Variant(name=f"without {part}", policy=_without(part)) for part in parts]
        found.append(Variant(name=BARE, policy=_without(*parts)))
    return found


def _without(*parts: str) -> Policy:
    nothing: dict[str, Any] = dict.fromkeys(parts, 0.0)
    return attrs.evolve(COMPANION, recall=attrs.evolve(RecallPolicy(), **nothing))


@attrs.frozen(kw_only=True)
class Asker:
    """One relationship under one policy."""

    luna: ScopedMemory
    #: Which entries a record was made of; those that say the same become one.
    origin: Mapping[str, Sequence[str]]

    def rank(self, question: Question, surface: Surface, *, most: int) -> list[str]:
        """Return names of entries, the best first, each once."""
        if surface is Surface.UTTERANCE:
            said = self.luna.search(question.text, kind="utterance", limit=most, now=question.at)
            return [str(hit.id) for hit in said]
        if surface is Surface.PLAN:
            plan = self.luna.prepare(question.said or question.text, now=question.at, new_session=False)
            ids = [str(item.record_id) for _, item in plan.shown]
        else:
            hits = self.luna.search(
                question.text, message=question.said, limit=_SPARE * most, now=question.at
            )
            ids = [str(hit.id) for hit in hits]
        return list(dict.fromkeys(name for one in ids for name in self.origin.get(one, ())))[:most]


def run(
    case: Case,
    kept: Kept,
    surface: Surface,
    chosen: Sequence[Variant],
    *,
    sessions: bool = False,
    reporting: bool = False,
    embedder: Embedder | None = None,
) -> dict[str, list[Outcome]]:
    """Return the outcomes of every question by policy; all policies look at one and the same database.

    Args:
        case: the relationship.
        kept: as what its texts are taken in.
        surface: how it is asked.
        chosen: the policies.
        sessions: whether sessions are looked for, under the first policy.
        reporting: whether the host reports, once a question was asked, that its answers were used.
        embedder: makes vectors of everything that is taken in, and of each question.
    """
    found: dict[str, list[Outcome]] = {one.name: [] for one in chosen}
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        origin: defaultdict[str, list[str]] = defaultdict(list)
        askers = []
        for one in chosen:
            memory = stack.enter_context(
                Memory.open(Path(folder) / "memory.db", policy=one.policy, embedder=embedder)
            )
            luna = memory.scope(service="bench", owner="person", profile=case.companion)
            askers.append(Asker(luna=luna, origin=origin))
        luna = askers[0].luna
        if case.person:
            luna.remember(
                f"My name is {case.person}.",
                predicate="identity.name",
                value=case.person,
                session="introduction",
                at=_INTRODUCED,
            )
        taken = 0
        for after, asked in groupby(case.questions, key=lambda one: one.after):
            for record, name in take_in(luna, case.entries[taken:after], kept):
                origin[record].append(name)
            taken = max(taken, after)
            if embedder is not None:
                luna.embed(now=_LATER)
            for question in asked:
                for one, asker in zip(chosen, askers, strict=True):
                    looked = sessions and one is chosen[0]
                    found[one.name].append(_answer(case, question, asker, surface, sessions=looked))
                if reporting:
                    _report(luna, question, origin)
    return found


def _report(luna: ScopedMemory, question: Question, origin: Mapping[str, Sequence[str]]) -> None:
    """Report what a host would know of a question that has been answered: which records the answer used."""
    for record, names in origin.items():
        if not question.gold.isdisjoint(names):
            luna.note_recall(record, now=question.at)


def take_in(luna: ScopedMemory, entries: Sequence[Entry], kept: Kept) -> list[tuple[str, str]]:
    """Take entries in, and return which record came of which entry."""
    if kept is Kept.MESSAGES:
        luna.observe_many(
            luna.message(one.text, session=one.session, speaker=one.speaker, at=one.at, message_id=one.name)
            for one in entries
        )
        return []
    return list(_records(luna, entries, kept))


def _records(luna: ScopedMemory, entries: Iterable[Entry], kept: Kept) -> Iterator[tuple[str, str]]:
    for one in entries:
        if kept is Kept.NOTES:
            answers = luna.notes.write(
                one.text, tags=one.tags, session=one.session, at=one.at, message_id=one.name
            )
        else:
            quote = Quote(start=0, end=len(one.text.encode()), text=one.text)
            candidate = EpisodeCandidate(id=one.name, narrative=one.text, quote=quote)
            answers = luna.admit(one.text, (candidate,), session=one.session, at=one.at, message_id=one.name)
        for answer in answers:
            if answer.record_id is not None:
                yield answer.record_id, one.name


def _answer(case: Case, question: Question, asker: Asker, surface: Surface, *, sessions: bool) -> Outcome:
    ranked = asker.rank(question, surface, most=max(DEPTHS))
    places = [at for at, name in enumerate(ranked, start=1) if name in question.gold]
    return Outcome(
        category=question.category,
        recall={depth: sum(at <= depth for at in places) / len(question.gold) for depth in DEPTHS},
        reciprocal=1 / places[0] if places else 0.0,
        sessions=_sessions(case, question, asker, surface) if sessions else None,
    )


def _sessions(case: Case, question: Question, asker: Asker, surface: Surface) -> float:
    home = {one.name: one.session for one in case.entries}
    ranked = asker.rank(question, surface, most=_SESSION_DEPTH)
    # What tells the person's name is none of the set's.
    first = list(dict.fromkeys(home[name] for name in ranked if name in home))[:SESSIONS]
    wanted = {home[name] for name in question.gold}
    return len(wanted.intersection(first)) / len(wanted)
