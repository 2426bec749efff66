"""Shows frames to a person: narrow lines, a new line only where something new happened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import groupby

from cmemory.adapters.cli.demo.frames import (
    AskFrame,
    ForgetFrame,
    Frame,
    Kept,
    MuteFrame,
    SceneFrame,
    SumFrame,
    TurnFrame,
    VerifyFrame,
)
from cmemory.adapters.cli.demo.script import Script
from cmemory.adapters.cli.output import Line, width_of, wrap

#: Cells of a line; fits a small terminal and a README.
WIDTH = 92
#: Cells of the label in front of a line, of the name of a channel, and of the speaker's name.
_LABEL = 12

#: What the person brought up, and what a greeting may ask about: told in full. The rest is only counted.
_TOLD = ("topicActivated", "continuity")

_STYLES = {
    "accepted": "green",
    "superseding": "cyan",
    "merged": "green",
    "retracted": "cyan",
    "rejected": "red",
}


class Display:
    """Turns the frames of one conversation into lines; remembers what it showed last."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self._words = script.words
        self._counted: dict[str, Counter[str]] = {}
        self._day = ""

    def open(self) -> Iterator[Line]:
        """Return the title."""
        yield Line((("═" * WIDTH, "dim"),))
        yield Line(((self._script.title, "bold"),))
        for label, text in self._words.legend.items():
            yield from self._labelled(label, text, "dim", label_style="dim")

    def lines(self, frame: Frame) -> Iterator[Line]:
        """Return the lines of a frame."""
        match frame:
            case SceneFrame():
                yield from self._scene(frame)
            case TurnFrame():
                yield from self._turn(frame)
            case AskFrame():
                yield from self._asked(frame)
            case MuteFrame():
                # How much is silent is told again, since that is what the next turn is about.
                self._counted.pop(self._words.silent, None)
                yield from self._act(f"[{self._words.muted}] {frame.text}")
            case ForgetFrame():
                yield from self._forgotten(frame)
            case VerifyFrame():
                if frame.clean:
                    yield from self._clean(frame.text, frame.files)
            case SumFrame():
                yield from self._sum(frame)

    def _scene(self, frame: SceneFrame) -> Iterator[Line]:
        self._counted.clear()
        yield Line(())
        yield Line(
            (("── ", "dim"), (frame.title + " ", "bold"), ("─" * (WIDTH - 4 - width_of(frame.title)), "dim"))
        )
        for part in wrap(frame.hint, WIDTH - 3) if frame.hint else ():
            yield Line((("   ", ""), (part, "italic dim")))

    def _turn(self, frame: TurnFrame) -> Iterator[Line]:
        if frame.at[:10] != self._day:
            self._day = frame.at[:10]
            yield Line(())
            yield Line(((frame.at.replace("T", " "), "dim"),))
        yield from self._labelled(self._script.person, frame.said, "bold", label_style="bold")
        yield from self._in_mind(frame)
        if frame.reply:
            yield from self._labelled(self._script.companion, frame.reply, "", label_style="magenta")
        for outcome, group in groupby(frame.learned, key=lambda kept: kept.outcome):
            style = _STYLES[outcome]
            text = " · ".join(dict.fromkeys(map(self._kept, group)))
            yield from self._labelled(self._words.outcomes[outcome], text, style, label_style=style)

    def _in_mind(self, frame: TurnFrame) -> Iterator[Line]:
        """Tell what the turn points at, and how the rest stands where that changed."""
        for channel in _TOLD:
            told = " · ".join(item.text for item in frame.shown if item.channel == channel)
            if told:
                yield from self._labelled(self._words.channels[channel], told, "yellow", label_style="yellow")
        channels = Counter(
            self._words.channels[item.channel] for item in frame.shown if item.channel not in _TOLD
        )
        silent = Counter({self._words.reasons[why]: count for why, count in frame.silent.items()})
        yield from self._news(self._words.in_mind, channels)
        yield from self._news(self._words.silent, silent)

    def _news(self, label: str, counts: Counter[str]) -> Iterator[Line]:
        """Return the counts at the start of a scene, and whenever something is counted that was not."""
        last = self._counted.get(label, Counter())
        if counts == last or not counts.keys() - last.keys():
            return
        self._counted[label] = counts
        text = " · ".join(f"{name} {count}" for name, count in counts.items())
        yield from self._labelled(label, text or "–", "dim", label_style="dim")

    def _kept(self, kept: Kept) -> str:
        """Return what became of a candidate: the record, what it replaced or ended, or why it was refused."""
        ended = "; ".join(kept.ended)
        if kept.text is None:
            return ended or self._words.reasons[kept.reason]
        return f"{kept.text}  ({self._words.instead_of} {ended})" if ended else kept.text

    def _asked(self, frame: AskFrame) -> Iterator[Line]:
        yield from self._act(f"[{self._words.asked}] {frame.terms}")
        for text in frame.found or (self._words.nothing,):
            yield from self._labelled(self._words.found, text, "yellow", label_style="yellow")

    def _forgotten(self, frame: ForgetFrame) -> Iterator[Line]:
        words = self._words
        yield from self._act(f"[{words.preview}] {frame.meaning}")
        for text in frame.listed:
            yield from self._labelled(words.listed, text, "dim", label_style="dim")
        yield from self._labelled(
            "", words.erased.format(records=frame.records, messages=frame.messages, token=frame.token[:8]), ""
        )
        if frame.stood_before and frame.clean:
            yield from self._clean(frame.meaning, frame.files)

    def _clean(self, text: str, files: tuple[str, ...]) -> Iterator[Line]:
        proof = self._words.clean.format(meaning=text, files=len(files))
        yield from self._labelled("✔", proof, "green", label_style="green")

    def _sum(self, frame: SumFrame) -> Iterator[Line]:
        counts = " · ".join(
            f"{self._words.outcomes[name]} {count}" for name, count in frame.counts.items() if count
        )
        text = self._words.sum.format(
            messages=frame.messages,
            days=frame.days,
            counts=counts,
            believed=frame.believed,
            erased=frame.erased,
        )
        yield Line(())
        for part in wrap(text, WIDTH):
            yield Line(((part, "bold"),))
        yield Line(())

    def _act(self, text: str) -> Iterator[Line]:
        yield Line(())
        yield Line(((text, "bold cyan"),))

    def _labelled(self, label: str, text: str, style: str, *, label_style: str = "") -> Iterator[Line]:
        """Return a text beside its label, wrapped under itself."""
        shown = label + " " * max(1, _LABEL - width_of(label))
        for part in wrap(text, WIDTH - _LABEL):
            yield Line(((shown, label_style), (part, style)))
            shown = " " * _LABEL
