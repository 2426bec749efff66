"""A fixture of a few turns, and one refused fixture for every rule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from cmemory.bench.eval.fixture import (
    FORMAT,
    Act,
    ActKind,
    Effect,
    Fixture,
    Form,
    GoldClaim,
    GoldNote,
    Opportunity,
    ProtectionEvidence,
    RecallEvidence,
    Session,
    Surface,
    Turn,
)
from cmemory.bench.eval.validation import Rule
from cmemory.domain.model.instant import Instant

CELLO = GoldClaim(predicate="goal.current_focus", value="the cello suites", quote="the cello suites")
DOG = GoldClaim(predicate="person.name", value="Fennel", quote="My dog is called Fennel", entity="dog")
LIMIT = GoldClaim(
    predicate="goal.constraint", value="no more than 400 pounds", quote="no more than 400 pounds"
)


def turn(text: str, **fields: Any) -> Turn:
    """Return a turn of small talk, with what is given."""
    return Turn(text=text, intent="talk", **fields)


def session(day: int, *turns: Turn, name: str | None = None) -> Session:
    """Return a session of that day."""
    return Session(id=name or f"day-{day}", day=day, turns=turns)


def fixture(*sessions: Session, **fields: Any) -> Fixture:
    """Return a fixture of these sessions."""
    return attrs.evolve(
        Fixture(
            format=FORMAT,
            name="small",
            about="a few turns",
            language="en",
            starts=Instant.parse("2026-03-02T09:00:00Z"),
            zone="UTC",
            instructions="You are a companion.",
            sessions=sessions,
        ),
        **fields,
    )


TOLD = session(0, turn("My dog is called Fennel. I practise the cello suites.", gold=(DOG, CELLO)))


def asked(text: str = "Guess what the dog did!", *, at: Sequence[Turn] = (), **fields: Any) -> Fixture:
    """Return a fixture in which something is told on one day and asked on another, after other turns of that day."""
    probe = {
        "memory_opportunity": Opportunity.POSITIVE,
        "effect_type": Effect.CONTINUITY,
        "recall_evidence": RecallEvidence(strong=("Fennel",)),
        **fields,
    }
    return fixture(TOLD, session(3, *at, turn(text, **probe)))


def guarded(text: str = "Let's plan.", *, at: Sequence[Turn] = (), **fields: Any) -> Fixture:
    """Return a fixture in which a limit is told on one day and must not be recited on another."""
    probe = {
        "memory_opportunity": Opportunity.NEGATIVE,
        "effect_type": Effect.BACKGROUND_SILENCE,
        "protection_evidence": ProtectionEvidence(tokens=("400",), surfaces=(Surface.BACKGROUND_ONLY,)),
        **fields,
    }
    told = session(0, turn("The bow may cost no more than 400 pounds.", gold=(LIMIT,)))
    return fixture(told, session(3, *at, turn(text, **probe)))


def noted(due_day: int) -> Fixture:
    """Return a fixture with a note that is due on a day."""
    note = GoldNote(text="Post the strings.", quote="post the strings", due_day=due_day)
    return fixture(session(5, turn("Remind me to post the strings.", gold_notes=(note,))))


#: For every rule a fixture that breaks it, and where.
REFUSED: Mapping[Rule, tuple[Fixture, str]] = {
    Rule.FORMAT_UNKNOWN: (fixture(TOLD, format=FORMAT + 1), "fixture"),
    Rule.ZONE_UNKNOWN: (fixture(TOLD, zone="Mars/Olympus"), "fixture"),
    Rule.NOTHING_TO_PLAY: (fixture(session(0, turn("Hi.")), session(1)), "day-1"),
    Rule.TURN_BLANK: (fixture(session(0, turn("Hi."), turn(" \n"))), "day-0t1"),
    Rule.SESSION_ID_UNIQUE: (
        fixture(session(0, turn("Hi."), name="one"), session(1, turn("Hi."), name="one")),
        "one",
    ),
    Rule.SESSION_ORDER: (fixture(session(4, turn("Hi.")), session(4, turn("Hi."), name="again")), "again"),
    Rule.PREDICATE_UNKNOWN: (
        fixture(
            session(0, turn("I play.", gold=(GoldClaim(predicate="hobby.any", value="x", quote="play"),)))
        ),
        "day-0t0",
    ),
    Rule.QUOTE_NOT_UNIQUE: (
        fixture(session(0, turn("Cello, cello, cello.", gold=(attrs.evolve(CELLO, quote="cello"),)))),
        "day-0t0",
    ),
    Rule.GOLD_INADMISSIBLE: (
        fixture(session(0, turn("My dog is called Fennel.", gold=(attrs.evolve(DOG, entity=None),)))),
        "day-0t0",
    ),
    Rule.DUE_DAY_PASSED: (noted(5), "day-5t0"),
    Rule.TOKEN_BLANK: (
        fixture(TOLD, session(1, turn("Drop it.", acts=(Act(do=ActKind.MUTE, tokens=("",)),)))),
        "day-1t0",
    ),
    Rule.EVIDENCE_GRADED_TWICE: (
        asked(recall_evidence=RecallEvidence(strong=("Fennel",), weak=("Fennel",))),
        "day-3t0",
    ),
    Rule.EVIDENCE_IN_USER_TEXT: (asked("Guess what fennel did!"), "day-3t0"),
    Rule.EVIDENCE_IN_SESSION: (asked(at=(turn("Fennel is asleep."),)), "day-3t1"),
    Rule.EVIDENCE_NOT_IN_PRIOR_GOLD: (asked(recall_evidence=RecallEvidence(strong=("Thistle",))), "day-3t0"),
    Rule.FORM_CONTRADICTORY: (
        fixture(
            session(0, turn("Hi.", effect_type=Effect.PREFERENCE, form=Form(min_chars=80, max_chars=40)))
        ),
        "day-0t0",
    ),
    Rule.PROTECTION_TOKENS_EMPTY: (
        guarded(protection_evidence=ProtectionEvidence(surfaces=(Surface.BACKGROUND_ONLY,))),
        "day-3t0",
    ),
    Rule.PROTECTION_SURFACES_EMPTY: (
        guarded(protection_evidence=ProtectionEvidence(tokens=("400",))),
        "day-3t0",
    ),
    Rule.PROTECTION_TOKEN_IN_USER_TEXT: (guarded("Is 400 enough?"), "day-3t0"),
    Rule.PROTECTION_TOKEN_NOT_IN_PRIOR_GOLD: (
        guarded(protection_evidence=ProtectionEvidence(tokens=("900",), surfaces=(Surface.BACKGROUND_ONLY,))),
        "day-3t0",
    ),
    Rule.COUNTERFACTUAL_EMPTY: (fixture(session(0, turn("Hi.", counterfactual=()))), "day-0t0"),
    Rule.COUNTERFACTUAL_EQUALS_GOLD: (
        fixture(session(0, turn("I practise the cello suites.", gold=(CELLO,), counterfactual=(CELLO,)))),
        "day-0t0",
    ),
    Rule.ACT_WITHOUT_TARGET: (
        fixture(TOLD, session(1, turn("Drop it.", acts=(Act(do=ActKind.MUTE, tokens=("tuba",)),)))),
        "day-1t0",
    ),
    Rule.EFFECT_WITHOUT_EVIDENCE: (asked(recall_evidence=None), "day-3t0"),
    Rule.EVIDENCE_WITHOUT_OPPORTUNITY: (asked(memory_opportunity=Opportunity.NONE), "day-3t0"),
    Rule.PROTECTION_ON_RECORDING_TURN: (
        guarded("I practise the cello suites.", gold=(CELLO,)),
        "day-3t0",
    ),
    Rule.PROTECTION_WITHOUT_EVIDENCE: (guarded(protection_evidence=None), "day-3t0"),
}
