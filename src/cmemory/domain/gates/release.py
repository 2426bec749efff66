"""The release gate: does this message give this statement something to do?

Being on the topic is not enough. Limits speak where they bear on what is asked; likings where the message opens them;
opinions and private subjects only when the person opens them; and a message that wants a translation wants nobody's taste.
The gate sees a distilled statement and the current message, never raw dialogue, a record's weight or another gate's answer.
What it lets pass still needs every other gate; that something must be respected counts as a cue for it, and no more.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain

import attrs

from cmemory.domain.gates.reading import (
    LIKINGS,
    Nature,
    Request,
    Statement,
    misspells_alias,
    runs_shared,
    says_alias,
)
from cmemory.domain.lexicon.release import (
    BURDENS,
    CAUSES,
    COLOURS,
    CRAFTS,
    GATHERINGS,
    GIVERS,
    HOUSEHOLD,
    MEDIA,
    SCENES,
    SYMPTOMS,
    TABLE,
    WEAK_FIELDS,
)
from cmemory.domain.policy import Reason, ReleasePolicy


class Release(enum.Enum):
    """How a statement may take part in an answer."""

    #: The answer has to respect it.
    MUST = "must"
    #: It may colour the answer; it is not announced.
    MAY = "may"
    SILENT = "silent"


@attrs.frozen
class Answer:
    """What the gate says, and the one reason for it."""

    release: Release
    reason: Reason

    @property
    def silent(self) -> bool:
        return self.release is Release.SILENT


#: Shared words from which a message says what a statement says without calling it a liking.
_SAID_WORDS = 4

_Rule = Callable[[Statement, Request, ReleasePolicy], "Answer | None"]


def _silent(reason: Reason) -> Answer:
    return Answer(Release.SILENT, reason)


def _may(reason: Reason) -> Answer:
    return Answer(Release.MAY, reason)


def _by_limit(statement: Statement, reason: Reason) -> Answer:
    return Answer(Release.MUST if statement.nature is Nature.LIMIT else Release.MAY, reason)


def _excluded(statement: Statement, request: Request, _: ReleasePolicy) -> Answer | None:
    out = request.excludes and statement.nature is not Nature.MANNER
    return _silent(Reason.EXCLUDED) if out else None


def _manner(statement: Statement, _: Request, __: ReleasePolicy) -> Answer | None:
    return Answer(Release.MUST, Reason.MANNER) if statement.nature is Nature.MANNER else None


def _opinion(statement: Statement, request: Request, _: ReleasePolicy) -> Answer | None:
    if statement.nature is not Nature.OPINION:
        return None
    return _may(Reason.OWN_VIEW) if request.own_view else _silent(Reason.OPINION)


def _private(statement: Statement, request: Request, policy: ReleasePolicy) -> Answer | None:
    if not statement.private:
        return None
    same = not statement.private.isdisjoint(request.private)
    # Whoever only talks opens it with less than whoever asks, who may use the word for something else.
    needed = policy.private_words if request.advice else 1
    opened = same and len(statement.terms & request.terms) >= needed
    return _may(Reason.PRIVATE_OPENED) if opened else _silent(Reason.PRIVATE)


def _message_says_it(statement: Statement, request: Request, policy: ReleasePolicy) -> Answer | None:
    stated = statement.nature in LIKINGS and statement.nature is not Nature.OWN_TIME
    if not stated or statement.of_other or not statement.terms or request.own_taste:
        return None
    shared = len(statement.terms & request.terms)
    said = request.states or shared >= _SAID_WORDS
    held = shared / len(statement.terms) >= policy.said_share
    return _silent(Reason.MESSAGE_SAYS_IT) if said and held else None


def _named(statement: Statement, request: Request, policy: ReleasePolicy) -> Answer | None:
    if any(says_alias(request, alias) for alias in statement.aliases):
        return _by_limit(statement, Reason.NAMED)
    if policy.names_only and statement.aliases:
        return None
    named = [name for name in sorted(statement.names) if request.names(name)]
    if not named:
        return None
    roles = frozenset(chain.from_iterable(map(request.roles_of, named)))
    if roles and statement.kin and roles.isdisjoint(statement.kin):
        return _silent(Reason.OTHER_BEARER)
    return _by_limit(statement, Reason.NAMED)


def _misspelt(statement: Statement, request: Request, _: ReleasePolicy) -> Answer | None:
    slip = any(misspells_alias(request, alias) for alias in statement.aliases)
    return _by_limit(statement, Reason.MISSPELT) if slip else None


def _unnamed(statement: Statement, _: Request, policy: ReleasePolicy) -> Answer | None:
    return _silent(Reason.UNOPENED) if policy.names_only and statement.aliases else None


def _undertaking(statement: Statement, request: Request, _: ReleasePolicy) -> Answer | None:
    same = not statement.undertakings.isdisjoint(request.undertakings)
    return _may(Reason.UNDERTAKING) if same and not (request.closed or request.factual) else None


def _own_taste(statement: Statement, request: Request, _: ReleasePolicy) -> Answer | None:
    asked = (
        request.own_taste and not request.closed and statement.nature in LIKINGS and not statement.of_other
    )
    return _by_limit(statement, Reason.OWN_TASTE) if asked and _meet(statement, request) else None


def _closed(statement: Statement, request: Request, _: ReleasePolicy) -> Answer | None:
    if not (request.closed or request.factual):
        return None
    held = statement.nature in LIKINGS - {Nature.OWN_TIME} and not (statement.hedged or statement.of_other)
    if request.closed and held and not CRAFTS.isdisjoint(statement.fields & request.fields):
        # How somebody writes programs is wanted where one is, and how they write where a text is.
        return _may(Reason.SHARED_SUBJECT)
    shared = statement.terms & request.terms
    # A question for a fact may be one for ours, so what it mostly names speaks.
    asked = not request.closed and bool(shared) and 2 * len(shared) >= len(statement.terms)
    bears = statement.nature is Nature.FACT and (asked or runs_shared(shared))
    return _may(Reason.SHARED_SUBJECT) if bears else _silent(Reason.CLOSED_REQUEST)


def _kin(statement: Statement, request: Request, _: ReleasePolicy) -> Answer | None:
    # At a party and on an outing everybody who comes along counts as if they were named.
    there = request.kin if GATHERINGS.isdisjoint(request.fields) else request.kin | request.company
    same = not statement.tie and not statement.about.isdisjoint(there)
    if not (same and request.advice):
        return None
    # What somebody bears in one field of life says nothing where another is asked about.
    elsewhere = (
        statement.nature is Nature.LIMIT
        and statement.limits.isdisjoint(BURDENS - SYMPTOMS)
        and not ("food" in statement.limits and not GATHERINGS.isdisjoint(request.fields))
        and bool(statement.fields - WEAK_FIELDS)
        and bool(request.fields - WEAK_FIELDS)
        and not _bears(statement, request)
    )
    return None if elsewhere else _by_limit(statement, Reason.KIN)


def _shared_table(statement: Statement, request: Request, _: ReleasePolicy) -> Answer | None:
    diet = statement.nature is Nature.LIMIT and "food" in statement.limits
    at_table = request.shared_table and not TABLE.isdisjoint(request.fields)
    return Answer(Release.MUST, Reason.SHARED_TABLE) if diet and at_table else None


def _other_person(statement: Statement, request: Request, _: ReleasePolicy) -> Answer | None:
    along = not statement.about.isdisjoint(request.kin | request.company)
    along = along or (not statement.about.isdisjoint(HOUSEHOLD) and _bears(statement, request))
    other = statement.of_other and not along and not statement.tie
    return _silent(Reason.OTHER_PERSON) if other else None


def _third_party(statement: Statement, request: Request, _: ReleasePolicy) -> Answer | None:
    if statement.nature not in LIKINGS:
        return None
    # A gift has to suit whom it is for; of the giver it is the purse that counts.
    given = "gift" in request.fields and bool(request.kin) and not statement.of_other
    if given and statement.limits & GIVERS:
        return None
    own = given and statement.nature in (Nature.LIMIT, Nature.TASTE)
    return _silent(Reason.THIRD_PARTY) if request.for_others or own else None


def _limit(statement: Statement, request: Request, _: ReleasePolicy) -> Answer | None:
    if statement.nature is not Nature.LIMIT:
        return None
    bears = request.advice and (runs_shared(_shared(statement, request)) or _bears(statement, request))
    return Answer(Release.MUST, Reason.LIMIT) if bears else None


def _own_time(statement: Statement, request: Request, _: ReleasePolicy) -> Answer | None:
    if statement.nature is not Nature.OWN_TIME:
        return None
    opened = not statement.own_time.isdisjoint(request.own_time) and not statement.hedged
    return _may(Reason.OWN_TIME_OPENED) if opened else _silent(Reason.OWN_TIME)


def _criterion(statement: Statement, request: Request, _: ReleasePolicy) -> Answer | None:
    if statement.nature is not Nature.CRITERION or statement.hedged:
        return None
    colours = frozenset(chain.from_iterable(COLOURS[one] for one in statement.criteria))
    return _may(Reason.CRITERION) if request.advice and not colours.isdisjoint(request.fields) else None


def _talk(statement: Statement, request: Request, _: ReleasePolicy) -> Answer | None:
    # Somebody who asks for nothing talks about their life; what they touch on is welcome.
    shares = not request.asks and bool(_shared(statement, request))
    return _by_limit(statement, Reason.SHARED_SUBJECT) if shares else None


def _pursuit(statement: Statement, request: Request, _: ReleasePolicy) -> Answer | None:
    fact = statement.nature is Nature.FACT and statement.pursuit and not statement.undertakings
    same = _meet(statement, request) or bool(_shared(statement, request))
    return _may(Reason.PURSUIT) if fact and request.advice and same else None


def _same_field(statement: Statement, request: Request, _: ReleasePolicy) -> Answer | None:
    # What the person has, does or loves bears on what they ask about in its field.
    plain = statement.nature in (Nature.FACT, Nature.TASTE) and not (
        statement.hedged or statement.undertakings
    )
    asked = request.advice and request.personal
    subject = (
        statement.nature is Nature.TASTE and not statement.fields and not MEDIA.isdisjoint(request.fields)
    )
    return _may(Reason.SAME_FIELD) if plain and asked and (subject or _meet(statement, request)) else None


def _shared_subject(statement: Statement, request: Request, _: ReleasePolicy) -> Answer | None:
    shared = _shared(statement, request)
    close = bool(shared) and statement.nature is Nature.FACT and _meet(statement, request)
    return _may(Reason.SHARED_SUBJECT) if (close or runs_shared(shared)) and not statement.hedged else None


def _bears(statement: Statement, request: Request) -> bool:
    """Tell whether a limit holds where something is asked: in its own field, or in the scenes of its kind."""
    limits = statement.limits
    if not CAUSES.isdisjoint(limits):
        limits -= SYMPTOMS
    scenes = frozenset(chain.from_iterable(SCENES.get(kind, ()) for kind in limits))
    return _meet(statement, request) or not scenes.isdisjoint(request.fields)


def _shared(statement: Statement, request: Request) -> frozenset[str]:
    # "My thesis" opens what is known of it; the thesis of somebody else does not.
    return (statement.terms - statement.owned) & request.terms


def _meet(statement: Statement, request: Request) -> bool:
    """Tell whether both are about the same kind of thing."""
    return not (statement.fields & request.fields) <= WEAK_FIELDS


#: The rules in the order in which they are asked, each under the reasons it gives.
_RULES: tuple[tuple[frozenset[Reason], _Rule], ...] = (
    (frozenset({Reason.EXCLUDED}), _excluded),
    (frozenset({Reason.MANNER}), _manner),
    (frozenset({Reason.OPINION, Reason.OWN_VIEW}), _opinion),
    (frozenset({Reason.PRIVATE, Reason.PRIVATE_OPENED}), _private),
    (frozenset({Reason.MESSAGE_SAYS_IT}), _message_says_it),
    (frozenset({Reason.NAMED, Reason.OTHER_BEARER}), _named),
    (frozenset({Reason.MISSPELT}), _misspelt),
    (frozenset(), _unnamed),
    (frozenset({Reason.UNDERTAKING}), _undertaking),
    (frozenset({Reason.OWN_TASTE}), _own_taste),
    (frozenset({Reason.CLOSED_REQUEST}), _closed),
    (frozenset({Reason.SHARED_SUBJECT}), _talk),
    (frozenset({Reason.KIN}), _kin),
    (frozenset({Reason.THIRD_PARTY}), _third_party),
    (frozenset({Reason.SHARED_TABLE}), _shared_table),
    (frozenset({Reason.OTHER_PERSON}), _other_person),
    (frozenset({Reason.LIMIT}), _limit),
    (frozenset({Reason.OWN_TIME, Reason.OWN_TIME_OPENED}), _own_time),
    (frozenset({Reason.CRITERION}), _criterion),
    (frozenset({Reason.PURSUIT}), _pursuit),
    (frozenset({Reason.SAME_FIELD}), _same_field),
    (frozenset({Reason.SHARED_SUBJECT}), _shared_subject),
)


def release(statement: Statement, request: Request, policy: ReleasePolicy) -> Answer:
    """Return whether a message lets a statement speak; the first rule that fits answers."""
    for reasons, rule in _RULES:
        if reasons.isdisjoint(policy.without):
            answer = rule(statement, request, policy)
            if answer is not None:
                return answer
    return _silent(Reason.UNOPENED)


#: Silences that only tell that nothing points at a statement. Where nothing is asked for, what is free to be mentioned may
#: shape an answer all the same.
UNASKED = frozenset({Reason.UNOPENED, Reason.OWN_TIME, Reason.OTHER_PERSON})

#: Silences that a name one hop away does not lift.
_HARD = frozenset(
    {Reason.EXCLUDED, Reason.OPINION, Reason.PRIVATE, Reason.MESSAGE_SAYS_IT, Reason.OTHER_BEARER}
)


def release_all(
    statements: Sequence[Statement], request: Request, policy: ReleasePolicy
) -> tuple[Answer, ...]:
    """Return the answer for each statement of one person, in their order.

    Where the message names a role or an undertaking, the names in the statement that tells who or what it is open the
    other statements about those names: one hop, no further.
    """
    answers = [release(one, request, policy) for one in statements]
    if Reason.HOP in policy.without:
        return tuple(answers)
    reached = frozenset(chain.from_iterable(_leads(statements, answers, request)))
    return tuple(
        _by_limit(one, Reason.HOP)
        if answer.silent and answer.reason not in _HARD and not reached.isdisjoint(one.names)
        else answer
        for one, answer in zip(statements, answers, strict=True)
    )


def _leads(
    statements: Iterable[Statement], answers: Iterable[Answer], request: Request
) -> Iterator[frozenset[str]]:
    for one, answer in zip(statements, answers, strict=True):
        tied = one.tie and (request.names_role(one) or answer.reason is Reason.NAMED)
        if tied or answer.reason is Reason.UNDERTAKING:
            yield one.names
