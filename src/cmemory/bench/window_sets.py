"""Lays sets of conversations out for the adaptive window: every one a single session, with what is asked after it.

A question knows which utterances it is about. Public sets are read from a path the user names; one small set is our own.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta, timezone
from itertools import islice
from pathlib import Path
from typing import Any

import attrs

from cmemory.bench import window_talk
from cmemory.bench.dataset import Dialogue, Line, locomo_dialogue, stamp, turns_named

#: Name of the one session that a conversation is.
SESSION = "talk"

_BEGIN = datetime(2026, 3, 1, 9, tzinfo=timezone.utc)
_PACE = timedelta(minutes=1)
#: Question category of LoCoMo that has no answer.
_ADVERSARIAL = 5
_SAID = re.compile(r"\s*<(?P<speaker>[^>]+)>:\s*(?P<text>.*?)\s*", re.DOTALL)
_COMPANION = "Assistant"


@attrs.frozen(kw_only=True)
class Question:
    """Something asked after the conversation."""

    text: str
    #: Places of the utterances that it is about, from 0, ascending and at least one.
    gold: tuple[int, ...]


@attrs.frozen(kw_only=True)
class Case:
    """One conversation, and what is asked when it is over."""

    name: str
    #: In the order in which they were said.
    lines: tuple[Line, ...]
    #: In the order of the last utterance that each is about.
    questions: tuple[Question, ...]

    def sampled(self, count: int) -> Case:
        """Return the case with at most so many of its questions, drawn with a fixed seed, in their order."""
        at = range(len(self.questions))
        drawn = random.Random(0).sample(at, min(count, len(at)))  # noqa: S311 - a sample, not a secret
        return attrs.evolve(self, questions=tuple(self.questions[one] for one in sorted(drawn)))


def builtin() -> Iterator[Case]:
    """Yield our own conversation."""
    names = {name: at for at, (name, _, _) in enumerate(window_talk.LINES) if name}
    lines = (
        Line(text=text, speaker=speaker, session=SESSION, at=stamp(_BEGIN + at * _PACE))
        for at, (_, speaker, text) in enumerate(window_talk.LINES)
    )
    questions = (
        Question(text=text, gold=tuple(sorted(names[name] for name in about)))
        for text, about in window_talk.QUESTIONS
    )
    yield Case(name="two languages", lines=tuple(lines), questions=_in_order(questions))


def locomo(file: Path, *, named: bool = False) -> Iterator[Case]:
    """Yield the LoCoMo conversations, all sessions of one joined; questions without an answer are left out.

    Args:
        file: the set as JSON.
        named: whether each line begins with the name of who says it, as a transcript has it.
    """
    for conversation in json.loads(file.read_text(encoding="utf-8")):
        dialogue = locomo_dialogue(conversation)
        talk = conversation["conversation"]
        speakers = {"user": talk["speaker_a"], "assistant": talk["speaker_b"]}
        lines = tuple(
            attrs.evolve(one, text=f"{speakers[one.speaker]}: {one.text}") if named else one
            for one in joined(dialogue)
        )
        questions = _locomo_questions(conversation["qa"], _places(dialogue.lines))
        yield Case(name=conversation["sample_id"], lines=lines, questions=_in_order(questions))


def joined(dialogue: Dialogue) -> tuple[Line, ...]:
    """Return the lines of a dialogue as those of one session."""
    return tuple(attrs.evolve(one, session=SESSION) for one in dialogue.lines)


def _places(lines: Iterable[Line]) -> Mapping[tuple[int, int], int]:
    """Return where each turn of each session stands among all lines."""
    heard: Counter[str] = Counter()
    places: dict[tuple[int, int], int] = {}
    for at, line in enumerate(lines):
        heard[line.session] += 1
        places[int(line.session.removeprefix("session ")), heard[line.session]] = at
    return places


def _locomo_questions(
    asked: Iterable[Mapping[str, Any]], places: Mapping[tuple[int, int], int]
) -> Iterator[Question]:
    for one in asked:
        turns = turns_named(one.get("evidence") or ())
        gold = sorted({places[turn] for turn in turns if turn in places})
        if gold and one["category"] != _ADVERSARIAL:
            yield Question(text=str(one["question"]), gold=tuple(gold))


def madial(folder: Path, *, stem: str = "zh") -> Iterator[Case]:
    """Yield MADial as one conversation for each of its people: what is remembered of them was said by them, day by day.

    The question is the last that the person says in a later dialogue before the turn that should remember.

    Args:
        folder: holds ``ch`` and ``en`` as published.
        stem: ``zh`` or ``en``.
    """
    inside = folder / ("ch" if stem == "zh" else stem)
    memories: dict[str, Mapping[str, Any]] = {}
    for one in _json_lines(inside / f"MADial-Bench-{stem}-memory.json"):
        memories.update(one)
    dialogues = list(_json_lines(inside / f"MADial-Bench-{stem}-dialogue.json"))
    for person in sorted({memory["user-id"] for memory in memories.values()}):
        own = {name: memory for name, memory in memories.items() if memory["user-id"] == person}
        told = sorted(own, key=lambda name: (own[name]["time"], int(name)))
        places = {name: at for at, name in enumerate(told)}
        asked = (one for one in dialogues if one["user-id"] == person)
        yield Case(
            name=f"person {person}",
            lines=tuple(_remembered(own[name], at) for name, at in places.items()),
            questions=_in_order(_madial_questions(asked, places)),
        )


def _remembered(memory: Mapping[str, str], at: int) -> Line:
    """Return a memory as something said on its day; `at` keeps those of one day apart."""
    moment = datetime.fromisoformat(memory["time"]).replace(tzinfo=timezone.utc) + at * _PACE
    return Line(text=memory["event"], speaker="user", session=SESSION, at=stamp(moment))


def _madial_questions(
    dialogues: Iterable[Mapping[str, Any]], places: Mapping[str, int]
) -> Iterator[Question]:
    for one in dialogues:
        gold = sorted(places[str(name)] for name in set(one["relevant-id"]) if str(name) in places)
        said = list(_said_by_person(one["dialogue"][: one["test-turn"][0]]))
        if gold and said:
            yield Question(text=said[-1], gold=tuple(gold))


def _said_by_person(turns: Sequence[str]) -> Iterator[str]:
    for turn in turns:
        match = _SAID.fullmatch(turn)
        if match is not None and match["speaker"] != _COMPANION:
            yield match["text"].strip('"')


def _json_lines(file: Path) -> Iterator[dict[str, Any]]:
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.strip():
            yield json.loads(line)


def _in_order(questions: Iterable[Question]) -> tuple[Question, ...]:
    return tuple(sorted(questions, key=lambda one: one.gold[-1]))


def chosen(cases: Iterator[Case], *, limit: int | None, questions: int) -> list[Case]:
    """Return the first cases, each with at most so many questions.

    Args:
        cases: of one set.
        limit: cases at most; None for all.
        questions: of each case at most.
    """
    return [case.sampled(questions) for case in islice(cases, limit)]
