"""What the player hands to the display: one frame per act, ready to be shown or written as JSON."""

from __future__ import annotations

import attrs


@attrs.frozen(kw_only=True)
class Kept:
    """What became of one candidate."""

    outcome: str
    reason: str
    #: The line of the record, None when nothing was written.
    text: str | None
    #: The lines of the records it ended.
    ended: tuple[str, ...]


@attrs.frozen(kw_only=True)
class Shown:
    """One record the model may see."""

    channel: str
    text: str
    reason: str


@attrs.frozen(kw_only=True)
class SceneFrame:
    """A heading."""

    title: str
    hint: str


@attrs.frozen(kw_only=True)
class TurnFrame:
    """One thing said, with what memory did before and after the answer."""

    at: str
    said: str
    reply: str
    #: What the model may see in this turn, in the order of the prompt.
    shown: tuple[Shown, ...]
    #: How many records stay silent, by reason.
    silent: dict[str, int]
    #: What the message taught, decided after the answer.
    learned: tuple[Kept, ...]


@attrs.frozen(kw_only=True)
class AskFrame:
    """A question put to memory, and what it may tell."""

    at: str
    terms: str
    found: tuple[str, ...]


@attrs.frozen(kw_only=True)
class MuteFrame:
    """A record that is kept but no longer mentioned."""

    at: str
    text: str


@attrs.frozen(kw_only=True)
class ForgetFrame:
    """What was forgotten, and the proof."""

    at: str
    meaning: str
    #: The lines the preview listed.
    listed: tuple[str, ...]
    token: str
    records: int
    messages: int
    #: Whether the words stood in the files before, and whether no byte of them is left.
    stood_before: bool
    clean: bool
    #: The files that were read, without their folder.
    files: tuple[str, ...]


@attrs.frozen(kw_only=True)
class VerifyFrame:
    """A search of the files for a forgotten text."""

    at: str
    text: str
    clean: bool
    files: tuple[str, ...]


@attrs.frozen(kw_only=True)
class SumFrame:
    """The conversation in numbers."""

    messages: int
    days: int
    counts: dict[str, int]
    rejections: dict[str, int]
    believed: int
    erased: int


Frame = SceneFrame | TurnFrame | AskFrame | MuteFrame | ForgetFrame | VerifyFrame | SumFrame
