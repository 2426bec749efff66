"""What a record can say."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from types import MappingProxyType

import attrs

from cmemory.domain.errors import UsageError
from cmemory.domain.model.instant import Instant, is_day
from cmemory.domain.model.measure import in_unit
from cmemory.domain.model.message import Evidence, Speaker

#: A claim's value: text (also enum tokens, dates and entity names) or a number.
Value = str | int | float

#: Qualifiers that split one predicate into parallel slots, such as ``{"context": "work"}``.
Qualifiers = Mapping[str, str]


@attrs.frozen(kw_only=True)
class Claim:
    """An explicit fact the person stated."""

    predicate: str
    value: Value
    #: The person's own wording, when it differs from the value; always a stretch of the source message.
    raw_value: str | None = None
    #: Whom or what the fact is about, when not the person themselves.
    entity_ref: str | None = None
    qualifiers: tuple[tuple[str, str], ...] = ()
    confidence: float = attrs.field(default=0.5, validator=in_unit)

    @property
    def shown(self) -> str:
        """The wording that is displayed and compared: the person's own, else the value."""
        return self.raw_value if self.raw_value is not None else _plain(self.value)


@attrs.frozen(kw_only=True)
class Participant:
    """Somebody who took part in an episode."""

    role: str
    entity_ref: str | None = None


@attrs.frozen(kw_only=True)
class ArcPoint:
    """A feeling at one point of an episode."""

    at_turn: int
    labels: tuple[str, ...]
    #: How strong, 0 to 1, when it was said.
    intensity: float | None = None
    #: ``user_expressed`` when the person named the feeling, else ``observed``.
    source: str = "user_expressed"


@attrs.frozen(kw_only=True)
class Episode:
    """Something that happened, told by the person."""

    narrative: str
    occurred_from: Instant
    occurred_to: Instant | None = None
    participants: tuple[Participant, ...] = ()
    emotional_arc: tuple[ArcPoint, ...] = ()
    user_reaction: str | None = None
    response_ref: str | None = None

    @property
    def shown(self) -> str:
        return self.narrative


class Axis(enum.Enum):
    """What kind of conclusion an inference draws."""

    DISPOSITION = "disposition"
    PATTERN = "pattern"
    RECURRING_THEME = "recurring_theme"
    RELATIONAL = "relational"
    SELF_MODEL = "self_model"
    SHARED_WORLD = "shared_world"


class InferenceState(enum.Enum):
    """How far a conclusion has come."""

    #: Evidence is being gathered.
    ACCUMULATING = "accumulating"
    #: Promoted; may be used.
    ACTIVE = "active"
    #: Refused by the person; final.
    REJECTED = "rejected"
    #: Not confirmed in time.
    EXPIRED = "expired"


@attrs.frozen(kw_only=True)
class Inference:
    """A slow conclusion from several records, never spoken before it was promoted."""

    axis: Axis
    predicate: str
    value: str
    state: InferenceState = InferenceState.ACCUMULATING
    confidence: float = attrs.field(default=0.0, validator=in_unit)
    support: tuple[Evidence, ...] = ()
    counter: tuple[Evidence, ...] = ()
    acknowledged_at: Instant | None = None
    expires_at: Instant | None = None

    @property
    def shown(self) -> str:
        return self.value


class NoteKind(enum.Enum):
    """What a note is about."""

    #: Something that is so.
    FACT = "fact"
    #: Something the person likes or dislikes.
    PREFERENCE = "preference"
    #: Something that happened, or will.
    EVENT = "event"
    #: Something that was promised or asked for, perhaps for a day.
    PROMISE = "promise"
    #: What was learned from it.
    LESSON = "lesson"
    #: How the person felt about something that lasts.
    FEELING = "feeling"


def _is_day(_: object, attribute: attrs.Attribute[str | None], day: str | None) -> None:
    if day is not None and not is_day(day):
        raise UsageError(field=attribute.name, problem="must be a day such as 2026-03-01")


@attrs.frozen(kw_only=True)
class Note:
    """Something worth keeping, in a sentence: distilled from what was said, and never a fact by itself."""

    note_kind: NoteKind
    text: str
    #: Labels in their normal form, sorted, none twice.
    tags: tuple[str, ...] = ()
    #: How much feeling it carries; slows its fading.
    emotional_weight: float = attrs.field(default=0.0, validator=in_unit)
    #: The person's civil day on which it comes up by itself, as in ``2026-03-01``.
    due_on: str | None = attrs.field(default=None, validator=_is_day)

    @property
    def shown(self) -> str:
        return self.text


#: Everything a record can hold.
Body = Claim | Episode | Inference | Note

#: The kinds of records, by the name that stores, files and lists have for them.
BODY_KINDS: Mapping[str, type[Body]] = MappingProxyType(
    {"claim": Claim, "episode": Episode, "inference": Inference, "note": Note}
)
_NAMES = {shape: name for name, shape in BODY_KINDS.items()}


def kind_name(body: Body) -> str:
    """Return the name of what a record holds: ``claim``, ``episode``, ``inference`` or ``note``."""
    return _NAMES[type(body)]


#: The speaker whose evidence may support a belief about the user.
ADMISSIBLE_SPEAKER = Speaker.USER


def _plain(value: Value) -> str:
    return value if isinstance(value, str) else str(value)
