"""What somebody looks for in what was said, analysed once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import tzinfo

import attrs

from cmemory.domain.lexicon.asking import (
    ABOUT_ASSISTANT,
    ABOUT_USER,
    ASKS_NAME,
    ASKS_NUMBER,
    ASKS_PAST,
    ASKS_WHEN,
    MONTHS,
)
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.message import Speaker
from cmemory.domain.pattern import lazy_pattern
from cmemory.domain.policy import RecallPolicy
from cmemory.domain.recall.focus import Focus, focus_of
from cmemory.domain.recall.said import Statistics, message_terms
from cmemory.domain.recall.themes import Theme, same_words, themes_in
from cmemory.domain.scoring.bm25 import inverse_frequency
from cmemory.domain.text.tokens import contains_word, is_cjk

#: What a name of one of the two counts. It tells whose words are looked for; in what was said it stands where the other
#: one is addressed, in thanks and greetings.
_NAME_SHARE = 0.2

#: What a word of a theme that is named counts where messages are looked up, beside a word that was looked for.
_THEME_SHARE = 0.25

#: Characters of a term that is a pair of Chinese ones.
_PAIR = 2

#: Where nobody says otherwise.
_USUAL = RecallPolicy()

#: Weights travel as whole numbers, so that sums of them do not depend on their order.
_UNIT = 1000

_ASKS_WHEN = lazy_pattern(ASKS_WHEN)
_ASKS_NAME = lazy_pattern(ASKS_NAME)
_ASKS_PAST = lazy_pattern(ASKS_PAST)
_ASKS_NUMBER = lazy_pattern(ASKS_NUMBER)
_ABOUT_USER = lazy_pattern(ABOUT_USER)
_ABOUT_ASSISTANT = lazy_pattern(ABOUT_ASSISTANT)
_ENGLISH_DATE = lazy_pattern(
    rf"\b(?:(?P<before>[0-3]?[0-9])(?:st|nd|rd|th)? (?:of )?)?(?P<month>{'|'.join(MONTHS)})\b(?: (?P<after>[0-3]?[0-9])\b)?"
)
_CHINESE_DATE = lazy_pattern(r"(?P<month>[01]?[0-9])月(?:(?P<day>[0-3]?[0-9])[日号])?")
_YEAR = lazy_pattern(r"(?<![0-9])(?:19|20)[0-9]{2}(?![0-9])")


@attrs.frozen(kw_only=True)
class Day:
    """As much of a civil day as was named."""

    year: int | None = None
    month: int | None = None
    day: int | None = None

    @classmethod
    def named_in(cls, lowered: str) -> Day:
        """Return the first year, month and day that a text names."""
        year = _YEAR.search(lowered)
        english, chinese = _ENGLISH_DATE.search(lowered), _CHINESE_DATE.search(lowered)
        month = day = None
        if english is not None:
            month = MONTHS.index(english["month"]) + 1
            day = english["before"] or english["after"]
        elif chinese is not None:
            month, day = int(chinese["month"]), chinese["day"]
        return cls(year=int(year[0]) if year else None, month=month, day=int(day) if day else None)

    def likeness(self, moment: Instant, zone: tzinfo) -> float:
        """Return the share of what was named that fits a moment, 0 to 1; 0 when nothing was named."""
        if self == _NO_DAY:
            return 0.0
        said = moment.civil(zone)
        named = [
            (mine, its)
            for mine, its in ((self.year, said.year), (self.month, said.month), (self.day, said.day))
            if mine is not None
        ]
        return sum(mine == its for mine, its in named) / len(named)


_NO_DAY = Day()


@attrs.frozen(kw_only=True)
class Asked:
    """The terms of a search and what kind of message would answer it."""

    #: How much each term counts: as often as it stands there, a speaker's name a fifth of that.
    terms: Mapping[str, float]
    #: The terms of each question, where several are asked: each is answered by itself. What is said beside them stands
    #: with the first.
    parts: tuple[frozenset[str], ...]
    #: The index terms that stand for each term, itself among them: who looks for a child finds a kid.
    forms: Mapping[str, frozenset[str]]
    themes: tuple[Theme, ...]
    #: Whose words are looked for, where the terms tell.
    speaker: Speaker | None
    day: Day
    wants_when: bool
    wants_name: bool
    wants_past: bool
    wants_number: bool

    @classmethod
    def of(cls, text: str, names: Mapping[Speaker, frozenset[str]], policy: RecallPolicy = _USUAL) -> Asked:
        """Analyse search terms.

        Args:
            text: what is looked for.
            names: what the speakers are called, lower-cased.
            policy: what counts beside what is asked in the end.
        """
        focus = focus_of(text, policy)
        asked = " ".join(focus.questions)
        lowered = asked.lower()
        terms, parts = _shared_out(focus, names)
        return cls(
            terms=terms,
            parts=parts,
            forms={term: same_words().get(term, frozenset((term,))) for term in terms},
            themes=themes_in(asked),
            speaker=_subject(lowered, names) or _subject(text.lower(), names),
            day=Day.named_in(lowered),
            wants_when=_ASKS_WHEN.search(lowered) is not None,
            wants_name=_ASKS_NAME.search(lowered) is not None,
            wants_past=_ASKS_PAST.search(lowered) is not None,
            wants_number=_ASKS_NUMBER.search(lowered) is not None,
        )

    @property
    def counted(self) -> frozenset[str]:
        """The index terms that must be counted to rank what is found."""
        return frozenset().union(*self.forms.values(), *(theme.terms for theme in self.themes))

    def rarity(self, term: str, statistics: Statistics) -> float:
        """Return the inverse document frequency of a term in all its forms; more than 0 for every term."""
        return rarity(self.forms[term], statistics)

    def weights(self, statistics: Statistics, *, max_postings: int) -> Mapping[str, int]:
        """Return what each index term that is looked up weighs, until so many index entries are read.

        What was looked for comes first, then the words of themes that were named; the rarest first.
        """
        chosen: dict[str, int] = {}
        read = 0
        for held in (self._words(statistics), self._theme_words(statistics)):
            for holding, term, weight in sorted(one for one in held if one[1] in statistics.holding):
                if term in chosen:
                    continue
                read += holding
                if chosen and read > max_postings:
                    return chosen
                chosen[term] = round(weight * _UNIT)
        return chosen

    def echoes(self, terms: Iterable[str]) -> tuple[str, ...]:
        """Return the pairs of Chinese characters among the terms of a hit that were not looked for, by their names."""
        if not any(is_cjk(term[0]) for term in self.terms):
            return ()
        return tuple(
            sorted(
                term for term in terms if len(term) == _PAIR and is_cjk(term[0]) and term not in self.terms
            )
        )

    def echoing(self, terms: Iterable[str], share: float) -> Asked:
        """Return what is looked for with terms of the best hit beside it: they belong to the first question."""
        echoed = dict.fromkeys(terms, share)
        return attrs.evolve(
            self,
            terms={**self.terms, **echoed},
            forms={**self.forms, **{term: frozenset((term,)) for term in echoed}},
            parts=(self.parts[0] | echoed.keys(), *self.parts[1:]),
        )

    def _words(self, statistics: Statistics) -> Iterator[tuple[int, str, float]]:
        for term, share in self.terms.items():
            weight = self.rarity(term, statistics) * share
            for form in self.forms[term]:
                yield statistics.holding.get(form, 0), form, weight

    def _theme_words(self, statistics: Statistics) -> Iterator[tuple[int, str, float]]:
        for theme in self.themes:
            if theme.named:
                weight = rarity(theme.terms, statistics) * _THEME_SHARE
                for term in theme.terms:
                    yield statistics.holding.get(term, 0), term, weight


def _shared_out(
    focus: Focus, names: Mapping[Speaker, frozenset[str]]
) -> tuple[Mapping[str, float], tuple[frozenset[str], ...]]:
    """Return what each term counts, and the terms of each question."""
    terms: dict[str, float] = {}
    parts = []
    for question in focus.questions:
        counted = _counted(question, names)
        parts.append(frozenset(counted))
        for term, count in counted.items():
            terms[term] = terms.get(term, 0.0) + count
    for share, text in focus.beside:
        for term, count in _counted(text, names).items():
            terms[term] = terms.get(term, 0.0) + share * count
    asked = frozenset().union(*parts)
    parts[0] |= terms.keys() - asked
    return terms, tuple(part for part in parts if part) or (frozenset(),)


def _counted(text: str, names: Mapping[Speaker, frozenset[str]]) -> Mapping[str, float]:
    """Return what each term counts; of words that mean the same the first in the order of their names counts for all."""
    called = {term for own in names.values() for name in own for term in message_terms(name)}
    counted: dict[str, float] = {}
    for term, count in message_terms(text).items():
        told = min(same_words().get(term, (term,)))
        counted[told] = counted.get(told, 0.0) + count * (_NAME_SHARE if term in called else 1.0)
    return counted


def rarity(terms: Iterable[str], statistics: Statistics) -> float:
    """Return the inverse document frequency of what stands in a message under any of the terms; more than 0."""
    return inverse_frequency(statistics.holding_any(terms), statistics.messages)


def _subject(lowered: str, names: Mapping[Speaker, frozenset[str]]) -> Speaker | None:
    """Return the speaker that is named first, a possessive only where nobody is named otherwise."""
    found: list[tuple[bool, int, Speaker]] = []
    for speaker, called in sorted(names.items(), key=lambda pair: pair[0].value):
        for name in called:
            if contains_word(lowered, name):
                at = lowered.find(name)
                found.append((lowered[at + len(name) :].startswith(("'s", "’s", "的")), at, speaker))
    if found:
        return min(found, key=lambda one: one[:2])[2]
    if _ABOUT_ASSISTANT.search(lowered):
        return Speaker.ASSISTANT
    return Speaker.USER if _ABOUT_USER.search(lowered) else None
