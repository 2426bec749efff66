"""A relationship that holds one of everything, so that a test can break exactly one thing in it."""

from __future__ import annotations

from pathlib import Path

from builders import quote
from cmemory import Memory, ScopedMemory
from cmemory.domain.model.candidate import (
    Candidate,
    ClaimCandidate,
    EpisodeCandidate,
    PendingCandidate,
    ThreadProposal,
)

#: When the last thing happened in it.
LATER = "2026-03-09T09:00:00Z"

#: The words that were forgotten, and nothing else holds.
FORGOTTEN = "Petra"


def scope_of(memory: Memory) -> ScopedMemory:
    return memory.scope(service="lamplight", owner="u-42", profile="luna")


def stock(path: Path) -> None:
    """Make a database with claims, an episode, a conclusion, a thread, jobs, and things that were forgotten."""
    with Memory.open(path, secret=bytes(range(32))) as memory:
        fill(scope_of(memory))


def fill(luna: ScopedMemory) -> None:
    """Tell a relationship one of everything."""
    _say(luna, 1, "I'm Nora.", _claim("name", "identity.name", "Nora", "I'm Nora."))
    home = _claim("home", "identity.location", "里斯本", "我住在里斯本", entity="里斯本", context="home")
    _say(luna, 2, "我住在里斯本。", home)
    _say(luna, 3, "Keep it short.", _claim("short", "communication.verbosity", "short", "Keep it short."))
    _say(luna, 4, "Rather long, please.", _claim("long", "communication.verbosity", "long", "Rather long"))
    _say(
        luna,
        5,
        "I run on Sundays.",
        _claim("run", "ritual.recurring_activity", "run on Sundays", "run on Sundays"),
    )
    story = "We got lost in the fog and found a bakery"
    _say(
        luna, 6, story, EpisodeCandidate(id="fog", narrative=story, quote=quote(story, story), confidence=0.8)
    )
    water = _claim(
        "water", "open_loop.low_risk_check_in", "water the basil", "water the basil", thread="basil?"
    )
    _say(luna, 7, "I must water the basil.", water)
    said = "I'm off to Porto, says Petra."
    both = (
        _claim("porto", "goal.current_focus", "off to Porto", "off to Porto", text=said),
        _claim("petra", "person.name", FORGOTTEN, "says Petra", entity=FORGOTTEN, text=said),
    )
    luna.admit(said, both, at=_day(8), message_id="m-8")
    luna.infer(
        "likes slow Sundays",
        axis="pattern",
        predicate="ritual.recurring_activity",
        support=("claim-run",),
        confidence=0.4,
        now=_day(8),
    )
    luna.forget("claim-petra", now=_day(8, 1))
    luna.observe("I sold the cello.", session="s9", at=_day(8, 2), message_id="m-9")
    luna.observe("I kept the bow.", session="s9", at=_day(8, 3), message_id="m-10")
    luna.observe("How was it?", session="s9", at=_day(8, 4), speaker="assistant", message_id="m-11")
    luna.window("What became of bow and cello: kept, sold?", session="s9", now=_day(8, 5), turn="t-1")
    waiting = (PendingCandidate(id="p-1", kind="inference", reason="later"),)
    luna.admit("I sold the cello.", (), pending=waiting, session="s9", at=_day(8, 2), message_id="m-9")
    luna.notes.write("Keeps bees.", said="I keep bees.", session="s10", at=_day(8, 6), message_id="m-12")
    luna.maintain(now=_day(8, 6), at="09:00")
    luna.notes.exchange(
        "The bees are asleep.",
        "Let them.",
        session="s10",
        at=_day(8, 7),
        message_id="m-13",
        answer_id="m-14",
    )


def _say(luna: ScopedMemory, day: int, text: str, candidate: Candidate) -> None:
    luna.admit(text, (candidate,), at=_day(day), message_id=f"m-{day}")


_TEXTS = {
    "I'm Nora.": "I'm Nora.",
    "我住在里斯本": "我住在里斯本。",
    "Keep it short.": "Keep it short.",
    "Rather long": "Rather long, please.",
    "run on Sundays": "I run on Sundays.",
    "water the basil": "I must water the basil.",
}


def _claim(
    name: str,
    predicate: str,
    value: str,
    words: str,
    *,
    entity: str | None = None,
    context: str | None = None,
    thread: str | None = None,
    text: str | None = None,
) -> ClaimCandidate:
    return ClaimCandidate(
        id=name,
        predicate=predicate,
        value=value,
        quote=quote(text or _TEXTS[words], words),
        entity_ref=entity,
        qualifiers={"context": context} if context else None,
        confidence=0.9,
        thread=ThreadProposal(id="t", summary=thread) if thread else None,
    )


def _day(day: int, hour: int = 0) -> str:
    return f"2026-03-{day:02d}T{9 + hour:02d}:00:00Z"
