"""Chats as plain text: ``name: text`` lines, with or without times, and the two-line form of WeChat exports.

Nobody can be sure what such a file means, so every doubt is decided towards belief in less: whoever is not
the person counts as the other side, and a line without a speaker belongs to the message above it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import tzinfo

import attrs

from cmemory.adapters.files.foreign import as_text
from cmemory.adapters.files.lines import MAX_LINE_BYTES, Source
from cmemory.adapters.files.stamps import CLOCK, DAY, ZONE, civil, day_of
from cmemory.app.transfer import DialogueLine, Skipped, Utterance
from cmemory.domain.errors import UsageError, WireError
from cmemory.domain.model.ids import derive_id
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.message import Speaker
from cmemory.domain.pattern import lazy_pattern
from cmemory.domain.text.normal import fold

#: Hours of silence after which a dated chat counts as a new conversation.
PAUSE_HOURS = 6

#: Code points and words of a name at most; what stands before a colon in a sentence is usually longer.
_NAME_CHARS = 30
_NAME_WORDS = 4

#: Blank lines that are kept inside a message at most.
_MOST_BLANKS = 2

#: Names under which programs write notices into a chat.
_NOTICES = frozenset({"system", "系统", "系统消息", "系统提示"})

_OPEN, _CLOSE = r"[\[【(（<]?\s*", r"\s*[\]】)）>]?"
_WEEKDAY = r"(?:星期[一二三四五六日天]|周[一二三四五六日天]|[A-Za-z]{3,9})"
_RULE = r"[\s\-—–=*#·]*"

_DATE_LINE = lazy_pattern(rf"{_RULE}{DAY}[,，]?\s*{_WEEKDAY}?\s*(?:{CLOCK})?{_RULE}")
_STAMPED = lazy_pattern(rf"{_OPEN}{DAY}[,，]?[Tt\s]\s*{CLOCK}\s*{ZONE}?{_CLOSE}\s*(?:[-–—]\s+)?(?P<rest>.*)")
_SIGNED = lazy_pattern(rf"(?P<name>.{{1,{_NAME_CHARS}}}?)\s*[\s(（\[]\s*{DAY}\s+{CLOCK}{_CLOSE}\s*[:：]?")
_CLOCKED = lazy_pattern(rf"{_OPEN}{CLOCK}{_CLOSE}\s+(?P<rest>\S.*)")
_SAYS = lazy_pattern(rf"(?P<name>[^:：]{{1,{_NAME_CHARS}}}?)\s*[:：](?!//)\s*(?P<text>.*)")

#: Characters that stand in sentences and not in names.
_SENTENCE = frozenset('。！？!?,，;；、"“”「」『』`|/\\=<>{}[]')

#: Marks that some programs put before a line to keep it in order on the screen.
_INVISIBLE = "\u200e\u200f\ufeff\u202a\u202c"


@attrs.frozen(kw_only=True)
class _Start:
    """A line with which a message begins."""

    name: str
    text: str
    #: The whole line, for when it turns out to go on with the message above.
    line: str = ""
    at: Instant | None = None
    #: Whether the line itself says when.
    dated: bool = False
    #: Whether it holds nothing but who and when, as in WeChat exports.
    header: bool = False


@attrs.frozen(kw_only=True)
class _Break:
    """A line that says which day or time follows."""

    at: Instant


class _Blank:
    """A line with nothing in it."""


@attrs.frozen
class _More:
    """A line that goes on with the message above."""

    text: str


_Reading = _Start | _Break | _Blank | _More
_Day = tuple[int, int, int]


def read(source: Source, *, zone: tzinfo, user: str | None) -> Iterator[DialogueLine]:
    """Yield the messages of a chat. The file is read twice: who speaks in it is only known at its end.

    Args:
        source: the file.
        zone: where its times were taken.
        user: the name under which the person speaks; whoever speaks first when None.

    Raises:
        UsageError: nobody of that name speaks in it.
    """
    cast = _Cast.of(source, zone=zone, user=user)
    source.rewind()
    chat = _Chat(cast=cast)
    for place, reading in _readings(source, zone):
        if isinstance(reading, WireError):
            yield from chat.broken(reading)
        else:
            yield from chat.take(place, reading)
    yield from chat.flush()


def _readings(source: Source, zone: tzinfo) -> Iterator[tuple[str, _Reading | WireError]]:
    day: _Day | None = None
    for line in source.lines():
        if isinstance(line, WireError):
            yield line.path, line
            continue
        try:
            reading, day = _reading(line.text, zone, day)
            yield line.place, reading
        except UsageError as error:
            yield line.place, WireError(path=line.place, problem=error.problem)


def _reading(line: str, zone: tzinfo, day: _Day | None) -> tuple[_Reading, _Day | None]:
    """Return what a line is, and the day that holds for the lines after it."""
    text = line.strip().strip(_INVISIBLE).strip()
    if not text:
        return _Blank(), day
    if found := _DATE_LINE.fullmatch(text):
        return _Break(at=civil(found, zone=zone)), day_of(found)
    if found := _STAMPED.fullmatch(text):
        at, rest = civil(found, zone=zone), found["rest"]
        says = _said(rest)
        if says is not None:
            return attrs.evolve(says, at=at, dated=True), day_of(found)
        if _is_name(rest):
            return _Start(name=rest, text="", at=at, dated=True, header=True), day_of(found)
        return (_Break(at=at), day_of(found)) if not rest else (_More(line.rstrip()), day)
    if (found := _SIGNED.fullmatch(text)) and _is_name(found["name"]):
        at = civil(found, zone=zone)
        return _Start(name=found["name"].strip(), text="", at=at, dated=True, header=True), day_of(found)
    if (found := _CLOCKED.fullmatch(text)) and (says := _said(found["rest"])) is not None:
        at_hour = None if day is None else civil(found, zone=zone, day=day)
        return attrs.evolve(says, line=line.rstrip(), at=at_hour, dated=at_hour is not None), day
    said = _said(text)
    return _More(line.rstrip()) if said is None else attrs.evolve(said, line=line.rstrip()), day


def _said(text: str) -> _Start | None:
    found = _SAYS.fullmatch(text)
    if found is None or not _is_name(found["name"]):
        return None
    return _Start(name=found["name"].strip(), text=found["text"])


def _is_name(text: str) -> bool:
    plain = text.strip()
    return (
        0 < len(plain) <= _NAME_CHARS
        and len(plain.split()) <= _NAME_WORDS
        and any(ch.isalpha() for ch in plain)
        and _SENTENCE.isdisjoint(plain)
    )


@attrs.frozen(kw_only=True)
class _Cast:
    """Who speaks in a file."""

    names: frozenset[str]
    person: str | None

    @classmethod
    def of(cls, source: Source, *, zone: tzinfo, user: str | None) -> _Cast:
        """Read a file for the names in it.

        Raises:
            UsageError: the person's name is not among them.
        """
        dated: Counter[str] = Counter()
        bare: Counter[str] = Counter()
        for _, reading in _readings(source, zone):
            if isinstance(reading, _Start):
                (dated if reading.dated else bare)[fold(reading.name)] += 1
        names = _speakers(dated, bare)
        heard = [name for name in (*dated, *bare) if name not in _NOTICES]
        if user is None:
            first = next(
                (name for name in _in_order(source, zone) if name in names and name not in _NOTICES), None
            )
            return cls(names=names, person=first)
        person = fold(user)
        if person not in heard:
            raise UsageError(field="user", problem="nobody of that name speaks in the file")
        return cls(names=names | {person}, person=person)


def _in_order(source: Source, zone: tzinfo) -> Iterator[str]:
    source.rewind()
    return (fold(reading.name) for _, reading in _readings(source, zone) if isinstance(reading, _Start))


def _speakers(dated: Counter[str], bare: Counter[str]) -> frozenset[str]:
    """Return the names that belong to speakers.

    Where most messages carry a time, a line that merely looks like ``name: text`` is none. Where none does,
    somebody who speaks but once in a long chat is more likely a word before a colon.
    """
    if dated.total() >= bare.total():
        return frozenset(dated)
    often = frozenset(name for name, count in bare.items() if count > 1)
    talkative = max(bare.values()) > 2
    return frozenset(dated) | (often if talkative else frozenset(bare))


@attrs.define
class _Draft:
    """A message whose end has not been seen yet."""

    place: str
    name: str
    at: Instant | None
    dated: bool
    header: bool
    lines: list[str]
    size: int = 0

    def add(self, line: str) -> None:
        self.size += 4 * len(line)
        if self.size <= MAX_LINE_BYTES:
            self.lines.append(line)


@attrs.define(kw_only=True)
class _Chat:
    """Puts lines together to messages, and messages to conversations."""

    cast: _Cast
    draft: _Draft | None = None
    #: Blank lines since the last words; they belong to the message when it goes on after them.
    blanks: int = 0
    #: Whether the next message opens a conversation.
    opening: bool = True
    session: str = ""
    #: How often conversations began in the very same way.
    openings: Counter[str] = attrs.field(factory=Counter)
    #: The last known moment, and whether lines after a broken one are to be left out with it.
    last: Instant | None = None
    dropping: bool = False

    def take(self, place: str, reading: _Reading) -> Iterator[DialogueLine]:
        """Take one line, and yield what it completes."""
        if isinstance(reading, _Start) and not (reading.dated or fold(reading.name) in self.cast.names):
            reading = _More(reading.line)
        if isinstance(reading, _Blank):
            self.blanks = min(self.blanks + 1, _MOST_BLANKS)
        elif isinstance(reading, _Break):
            yield from self.flush()
            self.opening, self.last, self.dropping = True, reading.at.plus(seconds=-1), False
        elif isinstance(reading, _Start):
            yield from self._begin(place, reading)
        elif self.draft is not None:
            self.draft.lines.extend([""] * self.blanks)
            self.draft.add(reading.text)
            self.blanks = 0
        elif not self.dropping:
            yield WireError(path=place, problem="names no speaker, and nobody has spoken before it")

    def broken(self, error: WireError) -> Iterator[DialogueLine]:
        """Take a line that cannot be read, and leave out what belongs to it."""
        yield from self.flush()
        self.dropping = True
        yield error

    def flush(self) -> Iterator[DialogueLine]:
        """Yield the message that is complete now."""
        draft, self.draft, self.blanks = self.draft, None, 0
        if draft is None:
            return
        if fold(draft.name) in _NOTICES:
            yield Skipped(place=draft.place)
        elif draft.size > MAX_LINE_BYTES:
            yield WireError(path=draft.place, problem=f"is longer than {MAX_LINE_BYTES} bytes")
        else:
            try:
                yield self._finished(draft, as_text("\n".join(draft.lines).strip(), draft.place))
            except WireError as error:
                yield error

    def _begin(self, place: str, start: _Start) -> Iterator[DialogueLine]:
        parted = self.blanks > 0 and not start.header
        yield from self.flush()
        self.opening = self.opening or parted
        self.dropping = False
        self.draft = _Draft(
            place=place, name=start.name, at=start.at, dated=start.dated, header=start.header, lines=[]
        )
        self.draft.add(start.text)

    def _finished(self, draft: _Draft, text: str) -> DialogueLine:
        if not text:
            return Skipped(place=draft.place)
        before, at = self.last, self._moment(draft)
        self.last = at
        if draft.dated and at is not None and before is not None and at < before:
            return WireError(path=draft.place, problem="lies before the message above it")
        if (
            draft.dated
            and at is not None
            and before is not None
            and at > before.plus(seconds=PAUSE_HOURS * 3600)
        ):
            self.opening = True
        if self.opening:
            self._open(draft, text)
        person = fold(draft.name) == self.cast.person
        return Utterance(
            place=draft.place,
            speaker=Speaker.USER if person else Speaker.ASSISTANT,
            text=text,
            session=self.session,
            at=at,
            identity=(fold(draft.name), str(at)) if draft.dated else (fold(draft.name),),
        )

    def _moment(self, draft: _Draft) -> Instant | None:
        if draft.at is not None:
            return draft.at
        return None if self.last is None else self.last.plus(seconds=1)

    def _open(self, draft: _Draft, text: str) -> None:
        """Begin a conversation. It is called after how it begins, wherever in the file it stands."""
        name = derive_id("chat", fold(draft.name), str(draft.at), text)
        self.openings[name] += 1
        again = self.openings[name]
        self.session = name if again == 1 else derive_id("chat", name, str(again))
        self.opening = False
