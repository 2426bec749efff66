"""Which fixtures contradict themselves, told before any model is asked.

A fatal violation refuses the fixture. One that is not fatal makes its turn *not applicable*: it is played, and scored as
nothing.
"""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Iterable, Iterator
from types import MappingProxyType

import attrs

from cmemory.adapters.system import zone_of
from cmemory.bench.eval.fixture import (
    FORMAT,
    Fixture,
    Gold,
    GoldClaim,
    Opportunity,
    Place,
    Turn,
    holds,
)
from cmemory.bench.eval.golds import claim_candidate
from cmemory.domain.admit.claims import read_claim
from cmemory.domain.errors import UsageError
from cmemory.domain.evidence.quote import locate
from cmemory.domain.model.candidate import Reason
from cmemory.domain.predicates.registry import find


class Rule(enum.Enum):
    """What a fixture must keep to."""

    #: The file is of a format this library reads.
    FORMAT_UNKNOWN = "format-unknown"
    #: The zone is one that this machine knows.
    ZONE_UNKNOWN = "zone-unknown"
    #: There is at least one session, and each has a turn.
    NOTHING_TO_PLAY = "nothing-to-play"
    #: No turn is blank.
    TURN_BLANK = "turn-blank"
    #: No two sessions share a name.
    SESSION_ID_UNIQUE = "session-id-unique"
    #: Each session is on a later day than the one before.
    SESSION_ORDER = "session-order"
    #: A gold or wrong fact stands under a registered key.
    PREDICATE_UNKNOWN = "predicate-unknown"
    #: The quote of every gold or wrong fact stands exactly once in its turn.
    QUOTE_NOT_UNIQUE = "quote-not-unique"
    #: A gold or wrong fact has the form that its key takes: value, entity, context.
    GOLD_INADMISSIBLE = "gold-inadmissible"
    #: A note comes due after the day on which it is made.
    DUE_DAY_PASSED = "due-day-passed"
    #: No token is blank: every text holds that.
    TOKEN_BLANK = "token-blank"  # noqa: S105 - a rule's name
    #: A token of evidence has one grade.
    EVIDENCE_GRADED_TWICE = "evidence-graded-twice"
    #: A token of evidence is not said in the turn itself, where repeating it would do.
    EVIDENCE_IN_USER_TEXT = "evidence-in-user-text"
    #: Nor earlier in the same session, which the model sees without any memory.
    EVIDENCE_IN_SESSION = "evidence-in-session"
    #: A token of evidence stands in what an earlier turn gave to remember.
    EVIDENCE_NOT_IN_PRIOR_GOLD = "evidence-not-in-prior-gold"
    #: A form asks for something, and for nothing impossible.
    FORM_CONTRADICTORY = "form-contradictory"
    #: Protection names the words that would betray.
    PROTECTION_TOKENS_EMPTY = "protection-tokens-empty"
    #: Protection names how quiet the record must be; what is forgotten has no record, and a name is not quiet.
    PROTECTION_SURFACES_EMPTY = "protection-surfaces-empty"
    #: The person does not say the protected word themselves, in the turn or before it in the session.
    PROTECTION_TOKEN_IN_USER_TEXT = "protection-token-in-user-text"  # noqa: S105 - a rule's name
    #: A protected word stands in what an earlier turn gave to remember.
    PROTECTION_TOKEN_NOT_IN_PRIOR_GOLD = "protection-token-not-in-prior-gold"  # noqa: S105 - a rule's name
    #: A turn that declares counterfactuals holds one.
    COUNTERFACTUAL_EMPTY = "counterfactual-empty"
    #: Counterfactuals are not the turn's own gold.
    COUNTERFACTUAL_EQUALS_GOLD = "counterfactual-equals-gold"
    #: An act names what it reaches, and something that may be there.
    ACT_WITHOUT_TARGET = "act-without-target"
    #: A turn with an effect says by what the answer shows it.
    EFFECT_WITHOUT_EVIDENCE = "effect-without-evidence"
    #: Evidence belongs to a turn that offers memory something.
    EVIDENCE_WITHOUT_OPPORTUNITY = "evidence-without-opportunity"
    #: A turn that tests silence gives nothing to remember.
    PROTECTION_ON_RECORDING_TURN = "protection-on-recording-turn"
    #: A turn that tests silence says what is protected.
    PROTECTION_WITHOUT_EVIDENCE = "protection-without-evidence"

    @property
    def fatal(self) -> bool:
        """Whether the whole fixture is refused, and not one turn left out."""
        return self not in _MILD


_MILD = frozenset(
    {
        Rule.EFFECT_WITHOUT_EVIDENCE,
        Rule.EVIDENCE_WITHOUT_OPPORTUNITY,
        Rule.PROTECTION_ON_RECORDING_TURN,
        Rule.PROTECTION_WITHOUT_EVIDENCE,
    }
)


@attrs.frozen(kw_only=True)
class Violation:
    """One place where a fixture breaks a rule."""

    #: A turn such as ``week-2t0``, a session's name, or ``fixture``.
    place: str
    rule: Rule
    #: What is at fault: a token, a quote, a key.
    detail: str

    @property
    def fatal(self) -> bool:
        """Whether the fixture is refused for it."""
        return self.rule.fatal


def violations(fixture: Fixture) -> tuple[Violation, ...]:
    """Return what a fixture breaks, in the order of its turns."""
    return (*_of_fixture(fixture), *_of_sessions(fixture), *_of_turns(fixture))


def mild_by_turn(fixture: Fixture) -> MappingProxyType[str, Rule]:
    """Return the turns that are played and not scored, with the first rule that says so."""
    found: dict[str, Rule] = {}
    for one in violations(fixture):
        if not one.fatal:
            found.setdefault(one.place, one.rule)
    return MappingProxyType(found)


def _of_fixture(fixture: Fixture) -> Iterator[Violation]:
    if fixture.format != FORMAT:
        yield Violation(place="fixture", rule=Rule.FORMAT_UNKNOWN, detail=str(fixture.format))
    try:
        zone_of(fixture.zone)
    except UsageError:
        yield Violation(place="fixture", rule=Rule.ZONE_UNKNOWN, detail=fixture.zone)
    if not fixture.sessions:
        yield Violation(place="fixture", rule=Rule.NOTHING_TO_PLAY, detail="no session")


def _of_sessions(fixture: Fixture) -> Iterator[Violation]:
    counts = Counter(session.id for session in fixture.sessions)
    for name, count in counts.items():
        if count > 1:
            yield Violation(place=name, rule=Rule.SESSION_ID_UNIQUE, detail=f"{count} times")
    before = -1
    for session in fixture.sessions:
        if not session.turns:
            yield Violation(place=session.id, rule=Rule.NOTHING_TO_PLAY, detail="no turn")
        if session.day <= before:
            yield Violation(
                place=session.id, rule=Rule.SESSION_ORDER, detail=f"day {session.day} after day {before}"
            )
        before = session.day


def _of_turns(fixture: Fixture) -> Iterator[Violation]:
    prior: list[str] = []
    said: dict[str, list[str]] = {}
    for place in fixture.placed():
        earlier = said.setdefault(place.session.id, [])
        for rule, detail in _of_turn(place, prior=prior, earlier=earlier):
            yield Violation(place=place.name, rule=rule, detail=detail)
        earlier.append(place.turn.text)
        prior.extend(place.turn.texts)


def _of_turn(place: Place, *, prior: list[str], earlier: list[str]) -> Iterator[tuple[Rule, str]]:
    """Yield what one turn breaks, each with what is at fault.

    Args:
        place: the turn.
        prior: texts of what earlier turns gave to remember.
        earlier: what was said before it in the session.
    """
    turn = place.turn
    if not turn.text.strip():
        yield Rule.TURN_BLANK, ""
    if any(not token.strip() for token in _tokens(turn)):
        yield Rule.TOKEN_BLANK, ""
    yield from _of_golds(place)
    yield from _of_recall(place, prior=prior, earlier=earlier)
    if turn.form is not None and _contradictory(place):
        yield Rule.FORM_CONTRADICTORY, f"{turn.form.min_chars} to {turn.form.max_chars}"
    if turn.effect_type is not None and turn.effect_type.protection:
        yield from _of_protection(place, prior=prior, earlier=earlier)
    for act in turn.acts:
        if not act.tokens or not _in_one(act.tokens, (*prior, *turn.texts)):
            yield Rule.ACT_WITHOUT_TARGET, " ".join(act.tokens)


def _of_golds(place: Place) -> Iterator[tuple[Rule, str]]:
    turn = place.turn
    claims = (*turn.gold, *(turn.counterfactual or ()))
    for claim in claims:
        if find(claim.predicate) is None:
            yield Rule.PREDICATE_UNKNOWN, claim.predicate
        elif not isinstance(locate(turn.text, claim.quote), Reason):
            read = read_claim(claim_candidate(place, claim), turn.text)
            if isinstance(read, Reason):
                yield Rule.GOLD_INADMISSIBLE, f"{claim.predicate}: {read.value}"
    golds: tuple[Gold, ...] = (*claims, *turn.gold_episodes, *turn.gold_notes)
    for one in golds:
        if isinstance(locate(turn.text, one.quote), Reason):
            yield Rule.QUOTE_NOT_UNIQUE, one.quote
    for note in turn.gold_notes:
        if note.due_day is not None and note.due_day <= place.session.day:
            yield Rule.DUE_DAY_PASSED, str(note.due_day)
    if turn.counterfactual is not None:
        if not turn.counterfactual:
            yield Rule.COUNTERFACTUAL_EMPTY, ""
        elif all(_stated(claim) in map(_stated, turn.gold) for claim in turn.counterfactual):
            yield Rule.COUNTERFACTUAL_EQUALS_GOLD, turn.counterfactual[0].predicate


def _of_recall(place: Place, *, prior: list[str], earlier: list[str]) -> Iterator[tuple[Rule, str]]:
    turn, evidence = place.turn, place.turn.recall_evidence
    recalls = turn.effect_type is not None and turn.effect_type.recalls
    formless = turn.effect_type is not None and turn.effect_type.formal and turn.form is None
    if turn.effect_type is not None and (formless or (recalls and (evidence is None or not evidence.graded))):
        yield Rule.EFFECT_WITHOUT_EVIDENCE, turn.effect_type.value
    if evidence is None:
        return
    if not recalls or turn.memory_opportunity is Opportunity.NONE:
        yield Rule.EVIDENCE_WITHOUT_OPPORTUNITY, turn.memory_opportunity.value
    for token, count in Counter((*evidence.graded, *evidence.stale)).items():
        if count > 1:
            yield Rule.EVIDENCE_GRADED_TWICE, token
    for token in evidence.graded:
        if holds(turn.text, token):
            yield Rule.EVIDENCE_IN_USER_TEXT, token
        elif any(holds(text, token) for text in earlier):
            yield Rule.EVIDENCE_IN_SESSION, token
    for token in dict.fromkeys((*evidence.graded, *evidence.stale)):
        if not any(holds(text, token) for text in prior):
            yield Rule.EVIDENCE_NOT_IN_PRIOR_GOLD, token


def _of_protection(place: Place, *, prior: list[str], earlier: list[str]) -> Iterator[tuple[Rule, str]]:
    turn, evidence = place.turn, place.turn.protection_evidence
    if turn.records:
        yield Rule.PROTECTION_ON_RECORDING_TURN, ""
    if evidence is None:
        yield Rule.PROTECTION_WITHOUT_EVIDENCE, ""
        return
    if not evidence.tokens:
        yield Rule.PROTECTION_TOKENS_EMPTY, ""
    if not evidence.surfaces and turn.effect_type is not None and turn.effect_type.quiet:
        yield Rule.PROTECTION_SURFACES_EMPTY, ""
    for token in evidence.tokens:
        if any(holds(text, token) for text in (turn.text, *earlier)):
            yield Rule.PROTECTION_TOKEN_IN_USER_TEXT, token
        # On a turn that records something the first rule has spoken already.
        if not turn.records and not any(holds(text, token) for text in prior):
            yield Rule.PROTECTION_TOKEN_NOT_IN_PRIOR_GOLD, token


def _tokens(turn: Turn) -> Iterator[str]:
    """Yield every word that a turn looks for, anywhere."""
    recall, protection = turn.recall_evidence, turn.protection_evidence
    if recall is not None:
        yield from (*recall.graded, *recall.stale)
    if protection is not None:
        yield from protection.tokens
    for act in turn.acts:
        yield from act.tokens
    for claim in turn.counterfactual or ():
        yield from claim.tells


def _contradictory(place: Place) -> bool:
    form = place.turn.form
    if form is None or (form.min_chars, form.max_chars, form.script) == (None, None, None):
        return True
    least, most = form.min_chars or 0, form.max_chars
    return least < 0 or (most is not None and most < max(least, 1))


def _in_one(tokens: Iterable[str], texts: Iterable[str]) -> bool:
    return any(all(holds(text, token) for token in tokens) for text in texts)


def _stated(claim: GoldClaim) -> tuple[str, str]:
    return claim.predicate, str(claim.value)
