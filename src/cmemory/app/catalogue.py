"""What an operation is: the types of the catalogue, and the parameters that many operations share.

Declarative and free of I/O. An operation names the method of the façade that carries it out; it decides nothing itself.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Any

import attrs

from cmemory.app import views
from cmemory.domain.model.bodies import NoteKind


class Kind(enum.Enum):
    """What a parameter takes."""

    TEXT = "text"
    TRUTH = "truth"
    NUMBER = "number"
    WHOLE = "whole"
    #: A whole number, 0 or more.
    COUNT = "count"
    #: An ISO 8601 moment with a zone.
    INSTANT = "instant"
    #: Whatever JSON can say.
    ANY = "any"
    #: A list of strings.
    TEXTS = "texts"
    #: A text, or ``{"entity": NAME}`` for whoever or whatever was forgotten by name.
    LABEL = "label"
    #: A regular file that is there.
    SOURCE_FILE = "source_file"
    #: A file that may be written: new, or an older export.
    TARGET_FILE = "target_file"
    #: An object, or a list of objects, with fields of their own.
    FIELDS = "fields"
    LIST = "list"


class Presence(enum.Enum):
    """Whether a parameter may be left out. Absent and null are two things."""

    #: Must be there, and not null.
    REQUIRED = "required"
    #: May be absent and then has its default; null is a wrong type.
    DEFAULTED = "defaulted"
    #: May be absent or null, which mean the same.
    OPTIONAL = "optional"


class Part(enum.Enum):
    """To which part of the worker's protocol an operation belongs."""

    #: Protocol version 1 as its clients have always known it.
    ORIGINAL = "original"
    #: Spoken once the client has asked for `capabilities`.
    EXTENDED = "extended"


class Authority(enum.Enum):
    """On whose authority an operation acts."""

    #: Writes nothing, and what is answered went through the gates; may be a tool of a model.
    ANYONE = "anyone"
    #: The host answers for it; a model must not be given it as a tool.
    HOST = "host"
    #: The person's own current message must ask for it, and comes along as proof.
    PERSON = "person"


@attrs.frozen(kw_only=True)
class Param:
    """One parameter, by its name on the wire."""

    name: str
    kind: Kind = Kind.TEXT
    meaning: str
    presence: Presence = Presence.REQUIRED
    #: What an absent one stands for.
    default: object = None
    #: The only texts it takes, where they are listed.
    choices: tuple[str, ...] = ()
    #: What an object of it holds.
    fields: tuple[Param, ...] = ()
    #: Its name at the façade, where that is another one.
    argument: str = attrs.field(default=attrs.Factory(lambda self: self.name, takes_self=True))


@attrs.frozen(kw_only=True)
class Call:
    """One method of the façade, and which parameters it is given."""

    method: str
    takes: tuple[str, ...] = ()
    #: The parameter and the value of it that decide for this call; None fits always.
    when: tuple[str, object] | None = None


@attrs.frozen(kw_only=True)
class Operation:
    """One thing that can be asked for."""

    name: str
    #: One sentence.
    summary: str
    part: Part = Part.EXTENDED
    authority: Authority = Authority.HOST
    #: Whether it belongs to one relationship; the others concern the whole database.
    needs_scope: bool = True
    writes: bool = False
    params: tuple[Param, ...] = ()
    #: The type of the answer.
    result: type[Any]
    #: Makes the answer of what the façade returned.
    view: Callable[[Any], object] = views.as_it_is
    #: The ways to carry it out; the first that fits is taken. Empty where the protocol answers by itself.
    calls: tuple[Call, ...] = ()
    #: What a reader should know beyond the summary, a sentence each.
    notes: tuple[str, ...] = ()


OPTIONAL = Presence.OPTIONAL
DEFAULTED = Presence.DEFAULTED

NOW = Param(
    name="now",
    kind=Kind.INSTANT,
    presence=OPTIONAL,
    meaning="The moment of the call; the worker's clock unless given.",
)
AT = attrs.evolve(NOW, name="at", argument="at", meaning="When it was said; the worker's clock unless given.")
RECORD_ID = Param(name="record_id", meaning="The record's id.")
SESSION = Param(
    name="session_id",
    presence=DEFAULTED,
    default="",
    meaning="The host's name of the conversation.",
    argument="session",
)
MESSAGE_ID = Param(
    name="message_id",
    presence=OPTIONAL,
    meaning="The host's id of the message; derived from the content unless given.",
)

NOTE_KIND = Param(
    name="kind",
    presence=DEFAULTED,
    default=NoteKind.FACT.value,
    choices=tuple(kind.value for kind in NoteKind),
    meaning="What it is about.",
)
ONLY_KIND = attrs.evolve(NOTE_KIND, presence=OPTIONAL, default=None, meaning="Only notes of this kind.")
TAGS = Param(
    name="tags", kind=Kind.TEXTS, presence=DEFAULTED, default=(), meaning="Names of people and places."
)
IMPORTANCE = Param(name="importance", kind=Kind.NUMBER, presence=DEFAULTED, default=0.5, meaning="0 to 1.")
EMOTIONAL_WEIGHT = Param(
    name="emotional_weight",
    kind=Kind.NUMBER,
    presence=DEFAULTED,
    default=0.0,
    meaning="How much feeling it carries, 0 to 1.",
)
DUE_ON = Param(
    name="due_on",
    presence=OPTIONAL,
    meaning="The civil day on which it comes up, as in `2026-03-01`.",
)

#: What `needs_scope` adds to the parameters.
SCOPE = Param(
    name="scope",
    kind=Kind.FIELDS,
    meaning="Whose memory.",
    fields=(
        Param(name="service_id", meaning="The product that hosts the companion."),
        Param(name="owner_user_id", meaning="The person who is remembered."),
        Param(name="companion_profile_id", meaning="The companion they talk to."),
    ),
)
