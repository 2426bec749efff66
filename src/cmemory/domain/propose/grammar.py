"""The machinery of the offline rules: how small rules read a message and what they may propose.

A rule is a pattern over one clause or sentence and a function that turns a match into drafts. Rules know
nothing of storage, ids or each other. Before any rule runs, whole stretches are set aside that state
nothing about the person: questions, hypotheticals, reported speech, jokes and passing moods
(`cmemory.domain.text.intent`). The rules are conservative: a fact missed today is said again tomorrow, a
wrong one is believed for months.

Nothing is compiled before it is needed. A family of rules is tried only on a message that holds one of its
words, and the frame that all statements of a language share is found once for each stretch, not by every
rule.
"""

from __future__ import annotations

import enum
import functools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date

import attrs

from cmemory.domain.model.candidate import ThreadProposal
from cmemory.domain.model.ids import derive_id
from cmemory.domain.pattern import lazy_pattern
from cmemory.domain.predicates.registry import PREDICATES

#: Everything that can be known of somebody else: who takes a person back takes all of it back.
PERSON_KEYS = tuple(key for key in PREDICATES if key.startswith(("person.", "relationship.")))
#: A habit given up ends with how often it was.
HABIT_KEYS = ("ritual.recurring_activity", "ritual.frequency", "ritual.trigger")
#: What is over when the task is done.
TASK_KEYS = ("open_loop.pending_action", "open_loop.low_risk_check_in")


class Reach(enum.Enum):
    """What a rule's pattern is matched against."""

    #: One clause: the stretch between commas.
    CLAUSE = "clause"
    #: One sentence, for facts that span commas.
    SENTENCE = "sentence"


@attrs.frozen(kw_only=True)
class Draft:
    """A claim as a rule found it."""

    predicate: str
    value: str | int
    #: Match offsets of the proving words, in code points of the matched stretch.
    span: tuple[int, int]
    #: The person's own wording of the value, when the value is a token or was tidied up.
    raw_value: str | None = None
    entity_ref: str | None = None
    qualifiers: Mapping[str, str] | None = None
    #: How sure the rule is, 0–1; 0.9 for an explicit statement, 0.7 for a likely one.
    confidence: float = 0.9
    #: Last day on which the statement says it holds.
    until: date | None = None
    #: A light follow-up, for small practical matters only.
    thread: ThreadProposal | None = None
    #: Whether it ends what held before under the same key and qualifiers: see `ClaimCandidate.takes_over`.
    takes_over: bool = False


@attrs.frozen(kw_only=True)
class Withdrawal:
    """A retraction as a rule found it: see `RetractionCandidate` for what the narrowing fields mean."""

    predicates: tuple[str, ...]
    span: tuple[int, int]
    entity_ref: str | None = None
    value: str | None = None
    qualifiers: Mapping[str, str] | None = None


@attrs.frozen(kw_only=True)
class Correction:
    """A correction as a rule found it: see `CorrectionCandidate` for what the fields mean."""

    new: str
    span: tuple[int, int]
    subject: str | None = None
    previous: str | None = None
    predicates: tuple[str, ...] = ()
    whole: bool = False


@attrs.frozen(kw_only=True)
class Reading:
    """What a rule may know beside its match."""

    #: The whole message.
    text: str
    #: The civil day on which it was said, for "tomorrow" and "next Friday".
    today: date
    #: What the message says just before the matched stretch: whom words without a subject are about.
    before: str = ""


Finding = Draft | Withdrawal | Correction
Build = Callable[["re.Match[str]", Reading], Iterable[Finding]]


@attrs.frozen(kw_only=True, eq=False)
class Frame:
    """Where in a stretch a statement may begin: after a break, and after words that may open a statement."""

    #: Each match ends where a statement may begin.
    breaks: re.Pattern[str]
    #: What may stand before a statement without changing it, and how often, in order.
    openings: tuple[tuple[re.Pattern[str], int], ...]

    def starts(self, text: str) -> tuple[tuple[int, ...], ...]:
        """Return for each break where a statement may begin, the place after most openings first."""
        return tuple(self._places(text, found.end()) for found in self.breaks.finditer(text))

    def _places(self, text: str, start: int) -> tuple[int, ...]:
        places = [start]
        for opening, at_most in self.openings:
            for _ in range(at_most):
                found = opening.match(text, places[-1])
                if found is None or found.end() == places[-1]:
                    break
                places.append(found.end())
        return tuple(reversed(places))


@attrs.frozen(eq=False)
class Stretch:
    """A stretch of speech, with the places where statements may begin in it."""

    text: str
    _starts: dict[Frame, tuple[tuple[int, ...], ...]] = attrs.field(factory=dict, init=False)

    def starts(self, frame: Frame) -> tuple[tuple[int, ...], ...]:
        """Return `Frame.starts` of the stretch, found once for all rules."""
        if frame not in self._starts:
            self._starts[frame] = frame.starts(self.text)
        return self._starts[frame]


@attrs.frozen(kw_only=True, eq=False)
class Pattern:
    """What a rule looks for, compiled when first tried."""

    source: str
    #: Where it must begin; anywhere when absent.
    frame: Frame | None = None

    @functools.cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self.source)

    def matches(self, stretch: Stretch) -> Iterator[re.Match[str]]:
        """Yield the matches from left to right; none overlap."""
        if self.frame is None:
            yield from self._compiled.finditer(stretch.text)
            return
        free = 0
        for places in stretch.starts(self.frame):
            found = self._first(stretch.text, places) if places[-1] >= free else None
            if found is not None:
                yield found
                free = found.end()

    def _first(self, text: str, places: tuple[int, ...]) -> re.Match[str] | None:
        return next(filter(None, (self._compiled.match(text, place) for place in places)), None)


@attrs.frozen(kw_only=True)
class Rule:
    """One way in which people state one kind of fact."""

    #: For traces and tests, such as ``zh.name``.
    name: str
    pattern: Pattern
    build: Build
    reach: Reach = Reach.CLAUSE


@attrs.frozen(kw_only=True, eq=False)
class Family:
    """Rules for one kind of statement."""

    rules: tuple[Rule, ...]
    #: Pattern of words of which every statement of the kind holds one, upper and lower case alike.
    cue: str

    @functools.cached_property
    def _cue(self) -> re.Pattern[str]:
        return re.compile(self.cue, re.IGNORECASE)

    def may_speak(self, text: str) -> bool:
        """Tell whether a message holds a word of the family; without one its rules find nothing."""
        return self._cue.search(text) is not None


def one_of(words: Iterable[str]) -> str:
    """Return a group that matches any of the words, the longest first."""
    return "(?:" + "|".join(map(re.escape, sorted(words, key=len, reverse=True))).replace("\\ ", " ") + ")"


#: What may trail a statement without belonging to it.
TAIL = lazy_pattern(r"[^\w%+#)]+\Z")


def proof(match: re.Match[str], value: str = "") -> tuple[int, int]:
    """Return where the proving words of a match stand: up to the value, or without closing marks."""
    start = match.start("quote")
    if value:
        return start, match.start("value") + match["value"].index(value) + len(value)
    return start, start + len(TAIL.sub("", match["quote"]))


def meaning(predicate: str, value: str) -> Build:
    """Return a build function for a rule whose match always means the same token."""

    def build(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
        del reading
        span = proof(match)
        yield Draft(predicate=predicate, value=value, raw_value=match.string[slice(*span)], span=span)

    return build


def chore(words: str, day: date, span: tuple[int, int]) -> Draft:
    """Return a small chore, after which may be asked once; the same chore of one day is the same thread."""
    key = "open_loop.low_risk_check_in"
    name = derive_id("t", key, words.lower(), day.isoformat())
    return Draft(
        predicate=key,
        value=words,
        raw_value=words,
        span=span,
        thread=ThreadProposal(id=name, summary=words),
    )


def known(predicate: str, value: str | int, raw: str, entity: str, span: tuple[int, int]) -> Draft:
    """Return a fact about somebody else."""
    return Draft(predicate=predicate, value=value, raw_value=raw, entity_ref=entity, span=span)


def forgotten(person: str, span: tuple[int, int]) -> Withdrawal:
    """Return the withdrawal of a person: by name, or by the word for what they are to the user.

    The word is found as an entity or as the wording of the relation. Its token would reach too far: who has
    no sister may have a brother.
    """
    return Withdrawal(predicates=PERSON_KEYS, value=person, span=span)


def given_up(
    acts: Iterable[str], span: tuple[int, int], *, keys: tuple[str, ...] = HABIT_KEYS
) -> Iterable[Finding]:
    """Yield the withdrawals of what somebody no longer does, one for each way of saying it."""
    for act in dict.fromkeys(acts):
        yield Withdrawal(predicates=keys, value=act, span=span)
