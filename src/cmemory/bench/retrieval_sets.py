"""Lays public sets out for the search: what is taken in, what is asked after how much of it, and what would answer it.

Every conversation, person or trajectory is a relationship of its own. A fixed rule parts them: choices are made on the
tuning part, and stand only if they help on the checking part as well; everything else is reported and was never seen
here. Sets are read from a path the user names, and none of their text is ours.
"""

from __future__ import annotations

import enum
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import attrs

from cmemory.bench.dataset import stamp, turns_named
from cmemory.bench.retrieval_diary import ASKED, messages

_PACE = timedelta(seconds=30)
_MORNING = timedelta(hours=9)
#: Where a set tells no moment at all.
_BEGIN = datetime(2024, 1, 1, 9, tzinfo=timezone.utc)
_SESSION = re.compile(r"session_([0-9]+)")
_SAID = re.compile(r"\s*<(?P<speaker>[^>]+)>:\s*(?P<text>.*?)\s*", re.DOTALL)
_COMPANION = "Assistant"
#: Question category of LoCoMo that has no answer.
_ADVERSARIAL = 5


class Part(enum.Enum):
    """What a relationship may be used for."""

    #: Choices are made on it.
    TUNE = "tune"
    #: Looked at while choosing: a choice stands only if it helps here as well.
    CHECK = "check"
    #: Nobody looked at it while choosing.
    REPORT = "report"


class Surface(enum.Enum):
    """Which way of asking is measured."""

    #: ``search(…, kind="utterance")``
    UTTERANCE = "utterance"
    #: ``search(…)``
    RECORD = "record"
    #: ``prepare(…)``: what a turn would be told.
    PLAN = "plan"


class Kept(enum.Enum):
    """As what the texts of a set are taken in."""

    MESSAGES = "messages"
    EPISODES = "episodes"
    NOTES = "notes"


@attrs.frozen(kw_only=True)
class Entry:
    """One text that is taken in."""

    name: str
    text: str
    session: str
    at: str
    speaker: str = "user"
    #: Other names of what it is about; only notes have any.
    tags: tuple[str, ...] = ()


@attrs.frozen(kw_only=True)
class Question:
    """Something that is asked."""

    #: What is looked for.
    text: str
    category: str
    #: Names of the entries that answer it, at least one.
    gold: frozenset[str]
    #: How many entries were taken in before.
    after: int
    at: str
    #: What the person said, where it is not what is looked for; only this gives leave to tell.
    said: str | None = None


@attrs.frozen(kw_only=True)
class Case:
    """One relationship. Questions are asked in the order in which they stand."""

    name: str
    part: Part
    entries: tuple[Entry, ...]
    questions: tuple[Question, ...]
    person: str = ""
    companion: str = "companion"


@attrs.frozen(kw_only=True)
class Collection:
    """One set."""

    name: str
    kept: Kept
    cases: tuple[Case, ...]

    @property
    def surfaces(self) -> tuple[Surface, ...]:
        """The ways of asking that make sense: what was said word for word is in no plan until it was learned."""
        return (Surface.UTTERANCE,) if self.kept is Kept.MESSAGES else (Surface.RECORD, Surface.PLAN)


#: Parts by set; whatever is not named is reported.
_TUNED = {
    "LoCoMo": ("conv-26", "conv-30"),
    "MADial zh": ("person 1",),
    "MADial en": ("person 1",),
    "RealMem": ("Ethan_Hunt",),
    "diary": ("diary 0", "diary 1"),
}
_CHECKED = {
    "LoCoMo": ("conv-41", "conv-42", "conv-43"),
    "MADial zh": ("person 2",),
    "MADial en": ("person 2",),
    "RealMem": ("Lin_Wanyu", "Sarah_Miller"),
    "PrecisionMemBench": ("test-user", "other-user"),
    "diary": ("diary 2",),
}


def part_of(collection: str, case: str) -> Part:
    """Return what a relationship of a set may be used for."""
    if case in _TUNED.get(collection, ()):
        return Part.TUNE
    return Part.CHECK if case in _CHECKED.get(collection, ()) else Part.REPORT


def _json(file: Path) -> Any:
    return json.loads(file.read_text(encoding="utf-8"))


def _json_lines(file: Path) -> Iterator[dict[str, Any]]:
    return (json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip())


# -- conversations of two ------------------------------------------------------------------------------------------

_LOCOMO_KINDS = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop"}
#: The numbers mean something else than in LoCoMo.
_REALTALK_KINDS = {1: "multi-hop", 2: "temporal", 3: "open-domain"}


def locomo(file: Path) -> Collection:
    """Read LoCoMo: image captions stand in front of the text; questions without an answer are left out."""
    name = "LoCoMo"
    cases = []
    for one in _json(file):
        talk = one["conversation"]
        cases.append(
            _conversation(
                name,
                one["sample_id"],
                talk,
                (talk["speaker_a"], talk["speaker_b"]),
                (asked for asked in one["qa"] if asked["category"] != _ADVERSARIAL),
                _LOCOMO_KINDS,
                text="text",
                moment=lambda text: datetime.strptime(text, "%I:%M %p on %d %B, %Y"),
            )
        )
    return Collection(name=name, kept=Kept.MESSAGES, cases=tuple(cases))


def realtalk(folder: Path) -> Collection:
    """Read REALTALK: one file for each pair of people."""
    name = "REALTALK"
    cases = []
    for file in sorted(folder.glob("*.json")):
        talk = _json(file)
        speakers = (talk["name"]["speaker_1"], talk["name"]["speaker_2"])
        cases.append(
            _conversation(
                name,
                file.stem,
                talk,
                speakers,
                talk.get("qa") or (),
                _REALTALK_KINDS,
                text="clean_text",
                moment=lambda text: datetime.strptime(text, "%d.%m.%Y, %H:%M:%S"),
            )
        )
    return Collection(name=name, kept=Kept.MESSAGES, cases=tuple(cases))


def _conversation(
    collection: str,
    name: str,
    talk: Mapping[str, Any],
    speakers: tuple[str, str],
    asked: Iterable[Mapping[str, Any]],
    kinds: Mapping[int, str],
    *,
    text: str,
    moment: Callable[[str], datetime],
) -> Case:
    """Return sessions of two people; the first of them is the person.

    Args:
        collection: the set.
        name: of the conversation.
        talk: holds the sessions and their moments.
        speakers: the person and the companion.
        asked: the questions.
        kinds: category names by number.
        text: the field of a turn's words.
        moment: reads a session's moment.
    """
    person, companion = speakers
    entries = []
    numbers = sorted(int(match[1]) for match in map(_SESSION.fullmatch, talk) if match)
    for number in numbers:
        at = moment(talk[f"session_{number}_date_time"]).replace(tzinfo=timezone.utc)
        for place, turn in enumerate(talk[f"session_{number}"], start=1):
            caption = f"[{turn['blip_caption']}] " if turn.get("blip_caption") else ""
            said = f"{caption}{turn.get(text) or ''}".strip()
            if said:
                named = next(turns_named([turn.get("dia_id")]), (number, place))
                entries.append(
                    Entry(
                        name=_turn(named),
                        text=said,
                        session=f"session {number}",
                        at=stamp(at + place * _PACE),
                        speaker="user" if turn["speaker"] == person else "assistant",
                    )
                )
    known = {one.name for one in entries}
    return Case(
        name=name,
        part=part_of(collection, name),
        entries=tuple(entries),
        questions=tuple(_asked(asked, known, kinds, after=len(entries), at=entries[-1].at)),
        person=person,
        companion=companion,
    )


def _turn(named: tuple[int, int]) -> str:
    return f"D{named[0]}:{named[1]}"


def _asked(
    asked: Iterable[Mapping[str, Any]], known: set[str], kinds: Mapping[int, str], *, after: int, at: str
) -> Iterator[Question]:
    for one in asked:
        gold = frozenset(map(_turn, turns_named(one.get("evidence") or ()))) & known
        if gold:
            category = kinds.get(one.get("category", 0), "other")
            yield Question(text=str(one["question"]), category=category, gold=gold, after=after, at=at)


# -- Chinese daily messages ----------------------------------------------------------------------------------------


def memdaily(file: Path) -> Collection:
    """Read MemDaily, with or without the noise its authors put in: every trajectory is one relationship."""
    name = "MemDaily"
    cases = [
        _trajectory(name, kind, scenario, one)
        for kind, scenarios in _json(file).items()
        for scenario, trajectories in scenarios.items()
        for one in trajectories
    ]
    return Collection(name=name, kept=Kept.MESSAGES, cases=tuple(cases))


def _trajectory(collection: str, kind: str, scenario: str, one: Mapping[str, Any]) -> Case:
    name = f"{kind} {scenario} {one['tid']}"
    entries = tuple(
        Entry(name=str(at), text=_message(given), session="diary", at=stamp(_BEGIN + at * _PACE))
        for at, given in enumerate(one["message_list"])
    )
    asked = one["QA"]
    gold = frozenset(str(at) for at in asked["target_step_id"] if 0 <= at < len(entries))
    question = Question(
        text=asked["question"], category=kind, gold=gold, after=len(entries), at=entries[-1].at
    )
    return Case(
        name=name,
        part=part_of(collection, name),
        entries=entries,
        questions=(question,) if gold else (),
    )


def _message(given: str | Mapping[str, str]) -> str:
    return given if isinstance(given, str) else f"{given['message']} ({given['place']}, {given['time']})"


def diary() -> Collection:
    """Return the diaries of our own, see `retrieval_diary`: the first two to tune on, the last to check."""
    name = "diary"
    cases = []
    for number, asked in enumerate(ASKED):
        told = list(messages(number))
        entries = tuple(
            Entry(name=label, text=text, session="diary", at=stamp(_BEGIN + at * _PACE))
            for at, (label, text) in enumerate(told)
        )
        questions = tuple(
            Question(text=text, category=kind, gold=frozenset(gold), after=len(told), at=entries[-1].at)
            for kind, text, gold in asked
        )
        case = f"diary {number}"
        cases.append(Case(name=case, part=part_of(name, case), entries=entries, questions=questions))
    return Collection(name=name, kept=Kept.MESSAGES, cases=tuple(cases))


# -- stores of memories --------------------------------------------------------------------------------------------


def madial(folder: Path, *, stem: str) -> Collection:
    """Read MADial: what is remembered of a person is an episode.

    Looked for is all that was said before the turn that should remember; only the person's own words give leave.

    Args:
        folder: holds ``ch`` and ``en`` as published.
        stem: ``zh`` or ``en``.
    """
    name = f"MADial {stem}"
    inside = folder / ("ch" if stem == "zh" else stem)
    memories: dict[str, Mapping[str, Any]] = {}
    for one in _json_lines(inside / f"MADial-Bench-{stem}-memory.json"):
        memories.update(one)
    dialogues = list(_json_lines(inside / f"MADial-Bench-{stem}-dialogue.json"))
    cases = []
    for person in sorted({one["user-id"] for one in dialogues}):
        # The English memories do not tell whose they are.
        own = {key: one for key, one in memories.items() if one.get("user-id", person) == person}
        told = sorted(own, key=lambda key: (own[key]["time"], int(key)))
        entries = tuple(
            Entry(name=key, text=own[key]["event"], session=own[key]["time"], at=_on(own[key]["time"], at))
            for at, key in enumerate(told)
        )
        asked = (one for one in dialogues if one["user-id"] == person)
        case = f"person {person}"
        cases.append(
            Case(
                name=case,
                part=part_of(name, case),
                entries=entries,
                questions=tuple(_dialogue_questions(asked, entries)),
            )
        )
    return Collection(name=name, kept=Kept.EPISODES, cases=tuple(cases))


def _on(day: str, at: int) -> str:
    """Return a moment of a day; the number keeps those of one day apart, as an hour each would."""
    return stamp(datetime.fromisoformat(day).replace(tzinfo=timezone.utc) + _MORNING + at * _PACE)


def _dialogue_questions(
    dialogues: Iterable[Mapping[str, Any]], entries: Sequence[Entry]
) -> Iterator[Question]:
    known = {one.name for one in entries}
    for one in dialogues:
        gold = frozenset(map(str, one["relevant-id"])) & known
        turns = [_SAID.fullmatch(turn) for turn in one["dialogue"][: one["test-turn"][0]]]
        heard = [(turn["speaker"], turn["text"].strip('"')) for turn in turns if turn is not None]
        said = "\n".join(text for speaker, text in heard if speaker != _COMPANION)
        if gold and said:
            yield Question(
                text="\n".join(text for _, text in heard),
                category="implicit",
                gold=gold,
                after=len(entries),
                at=entries[-1].at,
                said=said,
            )


def realmem(folder: Path) -> Collection:
    """Read RealMemBench: memories that were extracted from each session, and the turns that used earlier ones."""
    name = "RealMem"
    cases = []
    for file in sorted(folder.glob("*_dialogues_256k.json")):
        case = file.name.removesuffix("_dialogues_256k.json")
        entries, questions = _sessions(_json(file)["dialogues"])
        cases.append(
            Case(name=case, part=part_of(name, case), entries=tuple(entries), questions=tuple(questions))
        )
    return Collection(name=name, kept=Kept.EPISODES, cases=tuple(cases))


def _sessions(sessions: Iterable[Mapping[str, Any]]) -> tuple[list[Entry], list[Question]]:
    entries: list[Entry] = []
    questions: list[Question] = []
    places: dict[tuple[str, str], str] = {}
    for session in sessions:
        day = session["current_time"][:10]
        for before, turn in zip(session["dialogue_turns"], session["dialogue_turns"][1:], strict=False):
            used = [one for one in turn.get("memory_used") or () if isinstance(one, dict)]
            named = (places.get((one["session_uuid"], _content(one))) for one in used)
            gold = frozenset(one for one in named if one is not None)
            if gold and before["speaker"] == "User":
                questions.append(
                    Question(
                        text=before["content"],
                        category="project",
                        gold=gold,
                        after=len(entries),
                        at=_on(day, 0),
                    )
                )
        for one in session.get("extracted_memory") or ():
            key = (one.get("session_uuid") or session["session_uuid"], _content(one))
            if key not in places:
                places[key] = f"m{len(entries)}"
                entries.append(
                    Entry(
                        name=places[key], text=_content(one), session=session["session_uuid"], at=_on(day, 1)
                    )
                )
    return entries, questions


def _content(memory: Mapping[str, Any]) -> str:
    """Return the words of a memory; a few are tables."""
    content = memory["content"]
    return content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)


def precision(folder: Path) -> Collection:
    """Read PrecisionMemBench: beliefs that stand, as notes under their names, and the single-turn cases that want one."""
    name = "PrecisionMemBench"
    beliefs = _json(folder / "beliefs.seed.json")
    asked = _json(folder / "retrieval.cases.json")
    cases = []
    for person in sorted({one["user_id"] for one in beliefs}):
        entries = tuple(
            Entry(
                name=one["_id"],
                text=one["content"],
                session="seed",
                at=_moment(one["created_at"]),
                tags=(one["canonical_name"], *(one.get("aliases") or ())),
            )
            for one in beliefs
            if one["user_id"] == person and not one.get("superseded_by")
        )
        own = (one for one in asked if one.get("userId", "test-user") == person)
        cases.append(
            Case(
                name=person,
                part=part_of(name, person),
                entries=entries,
                questions=tuple(_belief_questions(own, entries)),
            )
        )
    return Collection(name=name, kept=Kept.NOTES, cases=tuple(cases))


def _moment(text: str) -> str:
    return stamp(datetime.fromisoformat(text.replace("Z", "+00:00")))


def _belief_questions(asked: Iterable[Mapping[str, Any]], entries: Sequence[Entry]) -> Iterator[Question]:
    known = {one.name for one in entries}
    for one in asked:
        gold = frozenset(one["expect"].get("relevantBeliefs", {}).get("shouldOnlyInclude") or ()) & known
        if gold:
            yield Question(
                text=one["query"],
                category=one["category"],
                gold=gold,
                after=len(entries),
                at=max(entry.at for entry in entries),
            )
