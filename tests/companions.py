"""Companions that answer by rule: one uses what it is given as it may, one recites it, one repeats nothing.

They read nothing but their prompt, so what they say shows what they were shown.
"""

from __future__ import annotations

import re

import attrs
from typing_extensions import override

from cmemory.domain.plan.render.companion import unescape
from cmemory.domain.prompts.prompt import Prompt
from cmemory.domain.text.tokens import topic_pairs, topic_words
from cmemory.ports.model import Model

_RECORD = re.compile(r'<record id="[^"]*" surface="([a-z_]+)" reason="([a-z_]+)">(.*)</record>')
_SECTION = re.compile(r"<([a-z_]+)>")
_HAN = re.compile(r"[\u3400-\u9fff]")

#: Characters of an answer to somebody who likes it short.
_SHORT = 100

#: Words by which a person asks to be called by their name.
_CALLED = ("称呼", "叫我一声", "what to call me", "Say my name")

#: Why a record is shown that the person themselves brought up.
_BROUGHT_UP = ("current_turn_cue", "topic_implied")

_TALK = {
    True: "我在听呢，慢慢说，不着急。今天过得怎么样呀？要不要先喝口水，歇一会儿，再把刚才的事从头讲给我听听？"
    * 3,
    False: "I'm listening, take all the time you need. How was the rest of your day, and is there anything else? "
    * 4,
}


@attrs.frozen
class Shown:
    """A record as the block shows it."""

    section: str
    surface: str
    reason: str
    text: str

    @property
    def value(self) -> str:
        """What it says, without its key."""
        return self.text.partition(": ")[2] or self.text


class _Companion(Model):
    """Answers conversation; to be told what to extract or to note at night would be an error of the test."""

    def __init__(self, name: str) -> None:
        self._name = name
        #: How often it was asked.
        self.asked = 0

    @property
    @override
    def name(self) -> str:
        return self._name

    @override
    def complete(self, prompt: Prompt) -> str:
        self.asked += 1
        message = prompt.user.rsplit("\n", 1)[0].rpartition("Person: ")[2]
        return self.answer(message, _records(prompt.system))

    def answer(self, message: str, records: list[Shown]) -> str:
        """Return the answer to a message, given the records of the block."""
        raise NotImplementedError


class PerfectCompanion(_Companion):
    """Uses what bears on the message, in the form that was asked for, and recites nothing it may not."""

    def __init__(self) -> None:
        super().__init__("perfect")

    @override
    def answer(self, message: str, records: list[Shown]) -> str:
        style = " ".join(one.text for one in records if one.section == "response_style")
        chinese = bool(_HAN.search(message))
        if "中文" in style or "English" in style:
            chinese = "中文" in style
        said = []
        if any(words in message for words in _CALLED):
            said += [one.value for one in records if one.text.startswith("identity.name:")]
        said += [one.value for one in records if one.section == "continuity"]
        useful = [
            one for one in records if one.section == "topic_activated" and one.surface != "background_only"
        ]
        # Whom it talks to is no topic, unless the message asks for something of it.
        useful += [
            one
            for one in records
            if one.section == "who_you_are_talking_to" and _topics(message) & _topics(one.text)
        ]
        useful.sort(
            key=lambda one: (one.reason not in _BROUGHT_UP, -len(_topics(message) & _topics(one.text)))
        )
        said += [one.value for one in useful]
        known = "；".join(dict.fromkeys(said))
        # What is known stands first; to whom likes it short, little else is said.
        answer = known + _TALK[chinese]
        return answer[:_SHORT] if any(words in style for words in ("简短", "short")) else answer


class Parrot(_Companion):
    """Recites every record it is given, whatever its section says."""

    def __init__(self) -> None:
        super().__init__("parrot")

    @override
    def answer(self, message: str, records: list[Shown]) -> str:
        return "; ".join(one.text for one in records) or _TALK[bool(_HAN.search(message))]


class Stranger(_Companion):
    """Says something kind, and nothing of what it is given."""

    def __init__(self) -> None:
        super().__init__("stranger")

    @override
    def answer(self, message: str, records: list[Shown]) -> str:
        return _TALK[bool(_HAN.search(message))]


def _records(block: str) -> list[Shown]:
    section, found = "", []
    for line in block.splitlines():
        if record := _RECORD.search(line):
            found.append(Shown(section, record[1], record[2], unescape(record[3])))
        elif opened := _SECTION.fullmatch(line.strip()):
            section = opened[1]
    return found


def _topics(text: str) -> frozenset[str]:
    return topic_pairs(text.lower()) | topic_words(text.lower())
