"""Reads public dialogue sets from a path the user names, into this library's own JSON lines."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import attrs

#: Seconds between two messages of one conversation, where the set only tells the day or the hour.
_PACE = timedelta(seconds=30)

#: How LoCoMo names the turn that proves an answer, misspelt ones ("D:11:26", "D30:05") included.
_TURN = re.compile(r"D:?([0-9]+):0*([0-9]+)")

#: Hour at which a day's conversation is taken to start, where the set only tells the day.
_MORNING = timedelta(hours=9)


@attrs.frozen(kw_only=True)
class Line:
    """One message as the import reads it."""

    text: str
    speaker: str
    session: str
    at: str


@attrs.frozen(kw_only=True)
class Dialogue:
    """One person's conversations, oldest first."""

    name: str
    language: str
    lines: tuple[Line, ...]

    @property
    def turns(self) -> int:
        """How many messages are the person's own."""
        return sum(line.speaker == "user" for line in self.lines)

    def split(self, later: int) -> tuple[Dialogue, tuple[Line, ...]]:
        """Return the dialogue before its last user messages, and those messages."""
        users = [line for line in self.lines if line.speaker == "user"]
        held = users[-later:] if later else []
        cut = self.lines.index(held[0]) if held else len(self.lines)
        return attrs.evolve(self, lines=self.lines[:cut]), tuple(held)

    def write(self, path: Path) -> None:
        """Write the dialogue as JSON lines."""
        with path.open("w", encoding="utf-8") as file:
            for line in self.lines:
                file.write(json.dumps(attrs.asdict(line), ensure_ascii=False) + "\n")


def read_memorybank(folder: Path) -> Iterator[Dialogue]:
    """Yield the dialogues of the MemoryBank companion set: one per person and language."""
    for language, stem in (("zh", "cn"), ("en", "en")):
        people = json.loads((folder / stem / f"memory_bank_{stem}.json").read_text(encoding="utf-8"))
        for name, person in people.items():
            lines: list[Line] = []
            for day, turns in sorted(person["history"].items()):
                moment = datetime.fromisoformat(day).replace(tzinfo=timezone.utc) + _MORNING
                for turn in turns:
                    for speaker, key in (("user", "query"), ("assistant", "response")):
                        if turn.get(key, "").strip():
                            lines.append(Line(text=turn[key], speaker=speaker, session=day, at=stamp(moment)))
                            moment += _PACE
            yield Dialogue(name=name.strip(), language=language, lines=tuple(lines))


def read_locomo(file: Path, *, limit: int | None = None) -> Iterator[Dialogue]:
    """Yield LoCoMo conversations; the first speaker is the person, the other one the companion."""
    for conversation in json.loads(file.read_text(encoding="utf-8"))[:limit]:
        yield locomo_dialogue(conversation)


def locomo_dialogue(conversation: Mapping[str, Any]) -> Dialogue:
    """Return one conversation of the LoCoMo file, its sessions in their order."""
    talk = conversation["conversation"]
    person = talk["speaker_a"]
    lines: list[Line] = []
    for number in sorted(int(key[8:]) for key in talk if re.fullmatch(r"session_[0-9]+", key)):
        moment = datetime.strptime(talk[f"session_{number}_date_time"], "%I:%M %p on %d %B, %Y")
        moment = moment.replace(tzinfo=timezone.utc)
        for turn in talk[f"session_{number}"]:
            speaker = "user" if turn["speaker"] == person else "assistant"
            lines.append(
                Line(text=turn["text"], speaker=speaker, session=f"session {number}", at=stamp(moment))
            )
            moment += _PACE
    return Dialogue(name=f"{person} ({conversation['sample_id']})", language="en", lines=tuple(lines))


def turns_named(evidence: Iterable[object]) -> Iterator[tuple[int, int]]:
    """Yield session and turn, both from 1, of what LoCoMo names as evidence; misspelt names are read as they were meant."""
    for text in evidence:
        for named in _TURN.finditer(str(text)):
            yield int(named[1]), int(named[2])


def stamp(moment: datetime) -> str:
    """Return a moment in UTC as lines spell it."""
    return moment.isoformat().replace("+00:00", "Z")
