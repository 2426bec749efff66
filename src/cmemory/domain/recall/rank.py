"""Ranks what was said: a weighted sum of named parts, each 0 to 1, of which few can make a message a hit.

A message is a hit when it has a term that was looked for or belongs to a theme that was named, answers a question that
has one, is by the one whom the terms name and stands beside a message that has one, or is near enough in meaning where
there is an embedder. Everything else only reorders. Ranking never looks at permission; what may not be told is taken
out before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import tzinfo
from itertools import pairwise
from operator import attrgetter, mul

import attrs

from cmemory.domain.lexicon.asking import (
    OF_ONESELF,
    REACTS,
    TELLS_NAME,
    TELLS_NUMBER,
    TELLS_PAST,
    TELLS_WHEN,
)
from cmemory.domain.model.message import Message
from cmemory.domain.pattern import lazy_pattern
from cmemory.domain.policy import RecallPolicy
from cmemory.domain.recall.asked import Asked, rarity
from cmemory.domain.recall.nearness import NOTHING_NEAR, Nearness
from cmemory.domain.recall.said import Among, Said, Statistics, Stretch
from cmemory.domain.recall.themes import Theme
from cmemory.domain.scoring.bm25 import bends, term_score

_TELLS_WHEN = lazy_pattern(TELLS_WHEN)
_TELLS_NAME = lazy_pattern(TELLS_NAME)
_TELLS_PAST = lazy_pattern(TELLS_PAST)
_TELLS_NUMBER = lazy_pattern(TELLS_NUMBER)
_OF_ONESELF = lazy_pattern(OF_ONESELF)
_REACTS = lazy_pattern(REACTS)

#: What a moment or a name counts where it is asked for, and what something that happened and a number count.
_FULL, _KIND = 0.5, 0.25
#: What words of the one whom the terms name count, where they do not tell of themselves.
_OTHERWISE = 2 / 3

#: What the first, second and third message of an answer take over from the question, and every later one.
_LENT = (1.0, 0.7, 0.5, 0.3)

#: Rarities of the themes in a message, and repeats of their words, that count in full.
_THEMES_IN_FULL = 8.0


@attrs.frozen(kw_only=True)
class ScoreCard:
    """Why a message stands where it stands; each part is 0 to 1 before it is weighed, ``window`` a little more at most."""

    #: How well its own words match, against the best match found.
    own: float
    #: The same for its words together with those of its neighbours; more than 1 where they match better than any alone.
    window: float
    #: How much of what was looked for stands in it or beside it, rare terms counting more.
    coverage: float
    #: How well what was asked before it matches.
    reply: float
    #: Whether it is by whom the terms name; in full where they tell of themselves.
    speaker: float
    #: How much of the date that the terms name fits it.
    date: float
    #: Whether it holds the kind of answer the terms ask for.
    answer: float
    #: Whether it asks something itself.
    question: float
    #: Whether it begins by reacting to the message before it.
    reaction: float
    #: How much it holds of the themes of what is looked for.
    theme: float
    #: How near it is in meaning; 0 where there is no embedder.
    meaning: float = 0.0

    def total(self, policy: RecallPolicy, *, meaning: float = 0.0) -> float:
        """Return the weighted sum; the weight of ``meaning`` goes by the language of what is asked."""
        weighed = map(mul, _parts_of(self), _parts_of(policy))
        return sum(weighed, self.meaning * meaning)


#: The names of the parts that words alone give, in their order.
PARTS = tuple(field.name for field in attrs.fields(ScoreCard) if field.name != "meaning")


_parts_of: Callable[[object], tuple[float, ...]] = attrgetter(*PARTS)


@attrs.frozen(kw_only=True)
class Ranked:
    """One message that was found."""

    said: Said
    score: float
    parts: ScoreCard


def rank(
    asked: Asked,
    stretches: Iterable[Stretch],
    statistics: Statistics,
    *,
    among: Among,
    policy: RecallPolicy,
    zone: tzinfo,
    nearness: Nearness = NOTHING_NEAR,
) -> list[Ranked]:
    """Return the messages of the stretches that are hits, best first, ties by newest, then by id.

    Args:
        asked: what is looked for.
        stretches: candidates with their neighbours.
        statistics: of everything that was said, for the terms that are asked for.
        among: which messages may be hits; others only lend to their neighbours.
        policy: the weights.
        zone: whose civil days a named date means.
        nearness: how near messages are in meaning; what is near enough is a hit without a word in common.
    """
    field = _Field.of(stretches, asked)
    matcher = _Matcher.of(asked, statistics, policy)
    matcher = matcher.measured((field.counts[name], one.length) for name, one in field.messages.items())
    own = {name: matcher.match(field.counts[name], one.length) for name, one in field.messages.items()}
    outstanding = nearness.outstanding(policy.embedding)
    # Where no word matches, every part that is measured against the best match is 0.
    best = max(own.values(), default=0.0) or 1.0
    themes = _Themes.of(asked, statistics, policy)
    found = []
    for name, one in field.messages.items():
        lent, named = field.lent(name, own), one.message.speaker is asked.speaker
        matches = own[name] > 0 or lent > 0 or name in outstanding or themes.named_in(one)
        if not (matches or named):
            continue
        near = field.near(name, policy)
        if (matches or any(each.counts for each in near)) and among.admits(one.message):
            lowered = one.message.text.lower()
            parts = ScoreCard(
                own=own[name] / best,
                window=matcher.around(near) / best,
                coverage=matcher.coverage(near),
                reply=lent / best,
                speaker=_voice(lowered) if named else 0.0,
                date=asked.day.likeness(one.message.at, zone),
                answer=_answers(asked, one.message.text, lowered),
                question=float(_asks(one.message)),
                reaction=float(_REACTS.match(lowered) is not None),
                theme=themes.share(one),
                meaning=nearness.of(name),
            )
            found.append(Ranked(said=one, score=parts.total(policy, meaning=nearness.weight), parts=parts))
    found.sort(key=lambda hit: (-hit.score, -hit.said.message.at.microseconds, hit.said.message.id))
    return found


@attrs.frozen
class _Near:
    """A message beside another one, or that one itself."""

    #: What it counts.
    share: float
    #: How often each term that is asked for stands in it.
    counts: Mapping[str, int]
    length: int


@attrs.frozen(kw_only=True)
class _Field:
    """All messages of some stretches, and what stands next to what."""

    messages: Mapping[str, Said]
    #: How often each term that is asked for stands in each of them.
    counts: Mapping[str, Mapping[str, int]]
    before: Mapping[str, str]
    after: Mapping[str, str]

    @classmethod
    def of(cls, stretches: Iterable[Stretch], asked: Asked) -> _Field:
        messages: dict[str, Said] = {}
        before: dict[str, str] = {}
        after: dict[str, str] = {}
        for stretch in stretches:
            messages.update((one.message.id, one) for one in stretch)
            for earlier, later in pairwise(stretch):
                before[later.message.id] = earlier.message.id
                after[earlier.message.id] = later.message.id
        stands_for = {form: term for term, forms in asked.forms.items() for form in forms}
        counts: dict[str, dict[str, int]] = {}
        for name, one in messages.items():
            counts[name] = {}
            for form in stands_for.keys() & one.terms.keys():
                term = stands_for[form]
                counts[name][term] = counts[name].get(term, 0) + one.terms[form]
        return cls(messages=messages, counts=counts, before=before, after=after)

    def near(self, name: str, policy: RecallPolicy) -> list[_Near]:
        """Return a message and its neighbours, each with what it counts."""
        middle = self.messages[name]
        found = [_Near(1.0, self.counts[name], middle.length)]
        for step in (self.before, self.after):
            at, distance = name, middle.length / 2
            for _ in range(policy.reach):
                if at not in step:
                    break
                at = step[at]
                one = self.messages[at]
                distance += one.length
                share = 2 ** -((distance - one.length / 2) / policy.half_words)
                found.append(_Near(share, self.counts[at], one.length))
        return found

    def lent(self, name: str, own: Mapping[str, float]) -> float:
        """Return what the question that a message answers lends to it."""
        speaker = self.messages[name].message.speaker
        at, place = self.before.get(name), 0
        while at is not None and self.messages[at].message.speaker is speaker:
            at, place = self.before.get(at), place + 1
        if at is None:
            return 0.0
        asker = self.messages[at].message.speaker
        best, asked = 0.0, False
        while at is not None and self.messages[at].message.speaker is asker:
            best, asked = max(best, own[at]), asked or _holds_question(self.messages[at].message)
            at = self.before.get(at)
        return best * _LENT[min(place, len(_LENT) - 1)] if asked else 0.0


@attrs.frozen(kw_only=True)
class _Themes:
    """The themes of what is looked for, with how rare each of them is."""

    themes: Sequence[tuple[Theme, float]]
    k1: float

    @classmethod
    def of(cls, asked: Asked, statistics: Statistics, policy: RecallPolicy) -> _Themes:
        return cls(themes=[(one, rarity(one.terms, statistics)) for one in asked.themes], k1=policy.k1)

    def named_in(self, said: Said) -> bool:
        """Tell whether a message holds a word of a theme that was named."""
        return any(theme.named and not theme.terms.isdisjoint(said.terms) for theme, _ in self.themes)

    def share(self, said: Said) -> float:
        """Return how much a message holds of the themes, 0 to 1; repeats count less and less."""
        total = 0.0
        for theme, weight in self.themes:
            count = sum(said.terms[term] for term in theme.terms & said.terms.keys())
            total += weight * count * (self.k1 + 1) / (count + self.k1)
        return min(1.0, total / _THEMES_IN_FULL)


@attrs.frozen(kw_only=True)
class _Matcher:
    """BM25 for the terms of one search."""

    #: What each term counts, and how it bends.
    terms: Mapping[str, tuple[float, tuple[float, float]]]
    #: The terms of each question, and the best match of each.
    parts: Sequence[tuple[frozenset[str], float]]
    average: float
    everything: float

    @classmethod
    def of(cls, asked: Asked, statistics: Statistics, policy: RecallPolicy) -> _Matcher:
        terms = {}
        for term, times in asked.terms.items():
            terms[term] = (asked.rarity(term, statistics) * times, bends(term, policy))
        return cls(
            terms=terms,
            parts=[(part, 1.0) for part in asked.parts],
            average=max(1.0, statistics.places / max(1, statistics.messages)),
            everything=sum(weight for weight, _ in terms.values()),
        )

    def measured(self, texts: Iterable[tuple[Mapping[str, float], float]]) -> _Matcher:
        """Return a matcher that measures each question against its own best match, where several are asked."""
        if len(self.parts) == 1:
            return self
        held = [(counts, length) for counts, length in texts if counts]
        best = (max((self._sum(part, *one) for one in held), default=0.0) for part, _ in self.parts)
        return attrs.evolve(
            self, parts=[(part, top or 1.0) for (part, _), top in zip(self.parts, best, strict=True)]
        )

    def match(self, counts: Mapping[str, float], length: float) -> float:
        """Return how well counts of terms match."""
        if not counts:
            return 0.0
        return sum(self._sum(part, counts, length) / best for part, best in self.parts)

    def _sum(self, part: frozenset[str], counts: Mapping[str, float], length: float) -> float:
        total = 0.0
        # In the order of their names, so that sums are alike.
        for term in sorted(counts):
            if term in part:
                weight, bent = self.terms[term]
                total += term_score(weight, counts[term], bent=bent, length=length, average=self.average)
        return total

    def around(self, near: Sequence[_Near]) -> float:
        """Return how well a message matches together with its neighbours, counted before saturation."""
        counts: dict[str, float] = {}
        length = whole = 0.0
        for one in near:
            whole += one.share
            length += one.share * one.length
            for term, count in one.counts.items():
                counts[term] = counts.get(term, 0.0) + one.share * count
        return self.match(counts, length / whole)

    def coverage(self, near: Sequence[_Near]) -> float:
        """Return which share of the terms, by weight, stands in a message or its neighbours."""
        held = {term for one in near for term in one.counts}
        if not held:
            return 0.0
        return sum(self.terms[term][0] for term in sorted(held)) / self.everything


def _asks(message: Message) -> bool:
    return message.text.rstrip().endswith(("?", "？"))


def _holds_question(message: Message) -> bool:
    return "?" in message.text or "？" in message.text


def _voice(lowered: str) -> float:
    return 1.0 if _OF_ONESELF.search(lowered) else _OTHERWISE


def _answers(asked: Asked, text: str, lowered: str) -> float:
    kinds = 0.0
    if asked.wants_when and _TELLS_WHEN.search(lowered):
        kinds = _FULL
    elif asked.wants_name:
        kinds = _FULL * min(2, len(_TELLS_NAME.findall(text))) / 2
    kinds += _KIND * (asked.wants_past and _TELLS_PAST.search(lowered) is not None)
    kinds += _KIND * (asked.wants_number and _TELLS_NUMBER.search(lowered) is not None)
    return kinds
