"""What was said: messages, and the exact stretches of them that prove something."""

from __future__ import annotations

import enum

import attrs

from cmemory.domain.model.ids import MessageId
from cmemory.domain.model.instant import Instant


class Speaker(enum.Enum):
    """Who produced a text. Only the user's own words can become facts about the user."""

    #: The person who is remembered.
    USER = "user"
    #: The companion.
    ASSISTANT = "assistant"
    #: A tool, a plug-in snapshot or recalled text.
    TOOL = "tool"


class Role(enum.Enum):
    """What a piece of evidence does; descriptive only, admissibility never depends on it."""

    USER_ASSERTION = "user_assertion"
    USER_REACTION = "user_reaction"
    ASSISTANT_ACTION = "assistant_action"
    OBSERVATION = "observation"


@attrs.frozen(kw_only=True)
class Message:
    """One utterance as it was received; its text never changes except by forgetting."""

    id: MessageId
    #: The host's name of the conversation; may be empty.
    session: str
    speaker: Speaker
    text: str
    at: Instant


@attrs.frozen(kw_only=True)
class Quote:
    """A verbatim stretch of a message, in UTF-8 byte offsets: ``start`` inclusive, ``end`` exclusive."""

    start: int
    end: int
    text: str


class SourceKind(enum.Enum):
    """What a piece of evidence points at."""

    MESSAGE = "message"
    CLAIM = "claim"
    EPISODE = "episode"


@attrs.frozen(kw_only=True)
class Evidence:
    """One reason to believe a record."""

    source: SourceKind
    source_id: str
    speaker: Speaker
    role: Role | None = None
    #: The words themselves; present whenever the source is a message.
    quote: Quote | None = None
