"""What a demo conversation is made of.

The companion's lines are part of the script, since the demo needs no model; everything else that is shown
comes out of the library as it runs.
"""

from __future__ import annotations

import attrs


@attrs.frozen
class Scene:
    """A heading: when we are, and what to watch for."""

    title: str
    hint: str = ""


@attrs.frozen
class Say:
    """The person says something."""

    #: Local time without a zone, such as ``2026-03-02T08:10``.
    at: str
    text: str
    #: What the companion answers.
    reply: str = ""


@attrs.frozen
class Ask:
    """A question is put to memory."""

    at: str
    terms: str


@attrs.frozen
class Mute:
    """The person mutes the record whose line holds these words."""

    at: str
    words: str


@attrs.frozen
class Forget:
    """The person asks that something be forgotten: preview, confirmation, proof."""

    at: str
    meaning: str


@attrs.frozen
class Verify:
    """The files are searched for a forgotten text once more."""

    at: str
    text: str


Act = Scene | Say | Ask | Mute | Forget | Verify


@attrs.frozen(kw_only=True)
class Words:
    """How the display names what happens, in the language of the conversation."""

    #: Label of the display to what it means.
    legend: dict[str, str]
    outcomes: dict[str, str]
    reasons: dict[str, str]
    channels: dict[str, str]
    in_mind: str
    silent: str
    nothing: str
    instead_of: str
    asked: str
    muted: str
    preview: str
    listed: str
    erased: str
    clean: str
    found: str
    sum: str


@attrs.frozen(kw_only=True)
class Script:
    """One conversation."""

    language: str
    title: str
    person: str
    companion: str
    #: The person's time zone.
    zone: str
    acts: tuple[Act, ...]
    #: Words of the display, by name.
    words: Words
