"""How well records match what is looked for. Knows neither what they weigh nor what may be told.

How rare a term is, is counted among the candidates, whether or not they may be told: everything that holds it is there.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

import attrs

from cmemory.domain.model.ids import RecordId
from cmemory.domain.model.record import AnyRecord
from cmemory.domain.policy import RecallPolicy
from cmemory.domain.recall.index import texts_of
from cmemory.domain.recall.nearness import chinese_share
from cmemory.domain.recall.query import Profile
from cmemory.domain.recall.said import message_terms
from cmemory.domain.scoring.bm25 import bends, inverse_frequency, term_score
from cmemory.domain.text.tokens import content_terms

_HOUR = 3_600_000_000


@attrs.frozen(kw_only=True)
class Known:
    """A record as a search sees it, whatever is looked for; to work it out costs more than to compare it."""

    record: AnyRecord
    profile: Profile
    #: How often each of its words stands in it, and how many words that are.
    counts: Mapping[str, int] = attrs.field(repr=False)
    length: int

    @classmethod
    def of(cls, record: AnyRecord) -> Known:
        """Return a record with its words counted."""
        counts = Counter(term for text in texts_of(record.body) for term in content_terms(text))
        return cls(record=record, profile=Profile.of(record), counts=dict(counts), length=counts.total())


@attrs.frozen(kw_only=True)
class Found:
    """A record that was found and may be told."""

    known: Known
    #: Whether the terms name it outright.
    named: bool = False
    #: How near it is in meaning, 0 to 1.
    near: float = 0.0

    @property
    def id(self) -> RecordId:
        """The record's."""
        return self.known.record.id


def wanted(terms: str, message: str, policy: RecallPolicy) -> Mapping[str, float]:
    """Return what is looked for, and how much each term counts.

    A term counts as often as it stands there. What was said last is nearest to the matter, so the last line counts more;
    and where others chose the terms, what the person said themselves tells best what they mean.

    Args:
        terms: what is looked for; several utterances stand on lines of their own, the last one last.
        message: what the person said.
        policy: what the last line counts, and a term that the person did not say.
    """
    said = message_terms(message).keys()
    lines = terms.rstrip().splitlines()
    counts: defaultdict[str, float] = defaultdict(float)
    for place, line in enumerate(lines, start=1):
        share = policy.record_last if place == len(lines) else 1.0
        for term, count in message_terms(line).items():
            counts[term] += count * share * (1.0 if term in said else policy.record_unsaid)
    return dict(counts)


def match(
    terms: Mapping[str, float],
    found: Sequence[Found],
    candidates: Iterable[Known],
    policy: RecallPolicy,
    *,
    meaning: float = 0.0,
    unlike: int = 0,
) -> Mapping[RecordId, float]:
    """Return how well each record matches, 0 to 1; all of them in full when there is nothing to compare by.

    Four parts, weighed by the policy: how well its own words match against the best, or in full where it is named
    outright; how much of what is looked for stands in it and in what was learned along with it; how near it is in
    meaning; and how much it is like those of which all this is true most.

    Args:
        terms: what is looked for, and how much each term counts.
        found: records to compare, each once.
        candidates: all records with any of the terms, those among them.
        policy: the weights, and how long a sitting's pauses are.
        meaning: what nearness in meaning counts; 0 where nobody makes vectors.
        unlike: how many more records there are to tell how rare a term is, none of which holds one.
    """
    texts = _Texts.of(terms, candidates, policy, unlike=unlike)
    held = {one.id: texts.held(one.known) for one in found}
    chinese = chinese_share(terms.keys())
    alike = policy.record_kin + chinese * (policy.record_kin_chinese - policy.record_kin)
    alike *= policy.embedding.kin_share if meaning else 1.0
    parts = policy.record_own + policy.record_sitting + meaning
    if parts <= 0 or not (any(held.values()) or (meaning and any(one.near for one in found))):
        return dict.fromkeys(held, 1.0)
    own = {one.id: texts.match(one.known, held[one.id]) for one in found}
    # Where no word matches, the others are measured against anything.
    best = max(own.values()) or 1.0
    sittings = _sittings(found, policy)
    together: defaultdict[int, set[str]] = defaultdict(set)
    for name, some in held.items():
        together[sittings[name]].update(some)
    beside = {sitting: texts.share(sorted(some)) for sitting, some in together.items()}
    sums = {
        one.id: policy.record_own * (1.0 if one.named else own[one.id] / best)
        + policy.record_sitting * beside[sittings[one.id]]
        + meaning * one.near
        for one in found
    }
    if alike <= 0:
        return {name: total / parts for name, total in sums.items()}
    kin = _kin(found, sums, most=policy.kin_of)
    return {name: (total + alike * kin[name]) / (parts + alike) for name, total in sums.items()}


def _kin(found: Sequence[Found], sums: Mapping[RecordId, float], *, most: int) -> Mapping[RecordId, float]:
    """Return how much each record shares with the best ones, 0 to 1: the cosine with their mean, rare words counting more.

    A word that stands in one of them alone is shared with nobody.
    """
    holding = Counter(term for one in found for term in one.known.counts)
    rare = {
        term: inverse_frequency(count, len(found)) for term, count in sorted(holding.items()) if count > 1
    }
    long = {one.id: math.sqrt(sum(rare[term] ** 2 for term in _shared(one, rare))) for one in found}
    best = sorted(found, key=lambda one: (-sums[one.id], one.id))[:most]
    middle: defaultdict[str, float] = defaultdict(float)
    for one in best:
        for term in _shared(one, rare):
            middle[term] += sums[one.id] * rare[term] / long[one.id]
    length = math.sqrt(sum(weight * weight for weight in middle.values()))
    kin = dict.fromkeys(long, 0.0)
    for one in found:
        if length and long[one.id]:
            product = sum(rare[term] * middle[term] for term in _shared(one, rare) if term in middle)
            kin[one.id] = min(1.0, product / (long[one.id] * length))
    return kin


def _shared(one: Found, rare: Mapping[str, float]) -> list[str]:
    """Return the words of a record that others hold as well, in the order in which they stand in it."""
    return [term for term in one.known.counts if term in rare]


@attrs.frozen(kw_only=True)
class _Texts:
    """BM25 for the terms of one search over records."""

    #: What each term counts, and how it bends, in the order of their names, so that sums are alike.
    terms: Mapping[str, tuple[float, tuple[float, float]]]
    everything: float
    average: float

    @classmethod
    def of(
        cls, terms: Mapping[str, float], candidates: Iterable[Known], policy: RecallPolicy, *, unlike: int
    ) -> _Texts:
        """Return what the terms weigh among the candidates."""
        holding: Counter[str] = Counter()
        whole = places = 0
        ordered = sorted(terms)
        for one in candidates:
            holding.update([term for term in ordered if term in one.counts])
            whole += 1
            places += one.length
        bent = attrs.evolve(policy, b=policy.record_b)
        weighed = {
            term: (terms[term] * inverse_frequency(holding[term], whole + unlike), bends(term, bent))
            for term in ordered
        }
        return cls(
            terms=weighed,
            everything=sum(weight for weight, _ in weighed.values()),
            average=max(1.0, places / max(1, whole)),
        )

    def held(self, known: Known) -> list[str]:
        """Return the terms that stand in a record, in the order of their names."""
        return [term for term in self.terms if term in known.counts]

    def match(self, known: Known, held: Iterable[str]) -> float:
        """Return how well a record's own words match."""
        total = 0.0
        for term in held:
            weight, bent = self.terms[term]
            total += term_score(
                weight, known.counts[term], bent=bent, length=known.length, average=self.average
            )
        return total

    def share(self, held: Iterable[str]) -> float:
        """Return which share of what is looked for these terms are, rare ones counting more."""
        return sum(self.terms[term][0] for term in held) / self.everything if self.everything else 0.0


def _sittings(found: Sequence[Found], policy: RecallPolicy) -> Mapping[RecordId, int]:
    """Return by record in which sitting it was learned: a pause longer than the policy's begins another."""
    placed: dict[RecordId, int] = {}
    number, before = 0, None
    for at, name in sorted((one.known.record.created_at.microseconds, one.id) for one in found):
        if before is not None and at - before > policy.sitting_hours * _HOUR:
            number += 1
        placed[name] = number
        before = at
    return placed
