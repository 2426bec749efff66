"""Every name of the host's plug-in interface, in one place.

The host's interface is not published. The capabilities, permissions, hooks, actions and settings are those its plug-in
announces; the rest is our reading of them (``docs/reference/wechatagent.md``). When the real interface appears, this
module changes and nothing else does: the JavaScript entry reads the same tables from ``contract.json``.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Collection, Mapping
from typing import Any, Protocol

import attrs

from cmemory.adapters.schema import of_params
from cmemory.app.actions import ACTIONS
from cmemory.domain.errors import UsageError, WireError
from cmemory.domain.model.instant import Instant
from cmemory.domain.pattern import lazy_pattern

API_VERSION = 2
HOST = "wechatagent"
PLUGIN_ID = "cmemory"
PLUGIN_NAME = "Companion memory"
ENTRY = "index.mjs"
#: What the host's own plug-ins ask for; the entry itself runs on 20.
NODE = ">=22"

#: The service of every scope of this host.
SERVICE = "wechatagent"

#: The persona of a host that names none.
PERSONA = "default"

#: Where the mirror of the notes stands.
COLLECTION = "notes"

#: Documents asked for at a time.
PAGE = 100


class Capability(str, enum.Enum):
    """What a host may be able to do."""

    #: Offer actions to its model.
    ACTIONS = "actions-v1"
    #: Keep documents.
    DOCUMENTS = "documents-v1"
    #: Ask its current model, without tools or history.
    MODEL = "model-utility-v1"
    #: Call once a day.
    SCHEDULE = "daily-schedule-v1"


class Permission(str, enum.Enum):
    """What the person may allow the plug-in."""

    #: To keep the exchanges that wait for the night, and the mood.
    STORAGE = "storage"
    #: To copy notes into the host's document store.
    DOCUMENTS = "documents"
    #: To let the host's model read the day's exchanges.
    MODEL = "model_generate"
    #: To be called once a day.
    SCHEDULE = "schedule"


class Hook(str, enum.Enum):
    """When the host calls."""

    #: Before the model is shown a message.
    BEFORE_CONTEXT = "before-context"
    #: After it has answered.
    AFTER_RESPONSE = "after-response"


#: The one daily call.
NIGHTLY = "consolidate"


class Code(str, enum.Enum):
    """Why a call was not carried out. A worker's own codes pass through beside these."""

    #: A required field is missing, or one that is read is of the wrong type.
    INVALID_INPUT = "INVALID_INPUT"
    #: The host speaks another version of the interface.
    NOT_AVAILABLE = "NOT_AVAILABLE"
    #: Somebody else in a group asked for an action.
    NOT_THE_OWNER = "NOT_THE_OWNER"
    #: The host's signal says that nobody waits any more.
    CANCELLED = "CANCELLED"
    #: It took longer than it may.
    TIMEOUT = "TIMEOUT"
    #: A service of the host failed, or answered with what is no answer.
    HOST_FAILED = "HOST_FAILED"
    #: The library could not do it.
    MEMORY_FAILED = "MEMORY_FAILED"
    #: A document was changed by somebody else; told in traces only.
    CONFLICT = "CONFLICT"
    #: The plug-in was switched off.
    DISPOSED = "DISPOSED"
    #: Nothing tells how the worker is started; JavaScript only.
    NOT_CONFIGURED = "NOT_CONFIGURED"


#: What a model reads when its action was not carried out.
REFUSALS: Mapping[Code, str] = {
    Code.INVALID_INPUT: "The request was incomplete.",
    Code.NOT_AVAILABLE: "This is switched off.",
    Code.NOT_THE_OWNER: "Only the owner's own words can do this here.",
    Code.CANCELLED: "The request was cancelled.",
    Code.TIMEOUT: "The memory did not answer in time.",
    Code.HOST_FAILED: "The host could not help.",
    Code.MEMORY_FAILED: "The memory could not do this.",
    Code.CONFLICT: "Somebody else changed it at the same time.",
    Code.DISPOSED: "The memory is switched off.",
    Code.NOT_CONFIGURED: "The memory is not set up.",
}

#: The code by which the document store says that a revision is not the current one.
REVISION_CONFLICT = "REVISION_CONFLICT"


class Feature(str, enum.Enum):
    """What the plug-in does, each part of it with needs of its own."""

    #: The six actions of a model.
    ACTIONS = "actions"
    #: Exchanges wait for the night, and stir the mood.
    QUEUE = "queue"
    #: A line on the mood stands in the brief.
    MOOD = "mood"
    #: The host's model makes the notes; without it the offline rules do.
    MODEL = "model"
    #: The host calls at night.
    SCHEDULE = "schedule"
    #: Notes are copied into the host's document store.
    MIRROR = "mirror"


@attrs.frozen(kw_only=True)
class Needs:
    """What a feature needs; without it the feature is off and the rest works."""

    capability: Capability | None = None
    permission: Permission | None = None
    #: The member of the host that serves it.
    service: str | None = None
    #: The setting that must be on.
    setting: str | None = None


NEEDS: Mapping[Feature, Needs] = {
    Feature.ACTIONS: Needs(capability=Capability.ACTIONS),
    Feature.QUEUE: Needs(permission=Permission.STORAGE),
    Feature.MOOD: Needs(permission=Permission.STORAGE, setting="enableMood"),
    Feature.MODEL: Needs(capability=Capability.MODEL, permission=Permission.MODEL, service="model"),
    Feature.SCHEDULE: Needs(
        capability=Capability.SCHEDULE,
        permission=Permission.SCHEDULE,
        service="schedule",
        setting="autoConsolidate",
    ),
    Feature.MIRROR: Needs(
        capability=Capability.DOCUMENTS,
        permission=Permission.DOCUMENTS,
        service="documents",
        setting="mirrorDocuments",
    ),
}

#: Milliseconds. Somebody waits for the first; a model takes its time; `dispose` must be done within five seconds.
DEADLINES_MS: Mapping[str, int] = {
    "beforeContext": 4_000,
    "call": 30_000,
    "model": 90_000,
    "host": 10_000,
    "dispose": 4_000,
}

#: The action that the host's model is asked for.
CONSOLIDATE = "consolidate-memory"

#: The actions after which the mirror may differ.
WRITING = frozenset(ACTIONS) - {"search-memory", "list-memories"}


# -- settings ---------------------------------------------------------------------------------------


class SettingKind(str, enum.Enum):
    """What a setting takes."""

    INTEGER = "integer"
    BOOLEAN = "boolean"
    #: ``HH:MM``.
    TIME = "time"
    TEXT = "text"


@attrs.frozen(kw_only=True)
class Setting:
    """One setting of the plug-in."""

    key: str
    kind: SettingKind
    default: int | bool | str
    meaning: str
    min: int | None = None
    max: int | None = None

    def read(self, given: object) -> int | bool | str:
        """Return what was set, held within its bounds; the default when it is of no use."""
        match self.kind:
            case SettingKind.BOOLEAN:
                return given if isinstance(given, bool) else self.default
            case SettingKind.INTEGER:
                whole = isinstance(given, int) and not isinstance(given, bool)
                return self._within(given) if whole and isinstance(given, int) else self.default
            case SettingKind.TIME:
                return given if isinstance(given, str) and _TIME.fullmatch(given) else self.default
            case SettingKind.TEXT:
                return given if isinstance(given, str) else self.default

    def _within(self, given: int) -> int:
        low = given if self.min is None else max(self.min, given)
        return low if self.max is None else min(self.max, low)


_TIME = lazy_pattern(r"([01][0-9]|2[0-3]):[0-5][0-9]")

SETTINGS: tuple[Setting, ...] = (
    Setting(
        key="recallMaxChars",
        kind=SettingKind.INTEGER,
        default=900,
        min=200,
        max=4_000,
        meaning="Code points of memory in one reply at most; 600 to 1200 is sensible.",
    ),
    Setting(
        key="maxMemories",
        kind=SettingKind.INTEGER,
        default=400,
        min=20,
        max=10_000,
        meaning="Active notes of one chat at most; beyond, the lightest fade.",
    ),
    Setting(
        key="consolidateAt",
        kind=SettingKind.TIME,
        default="23:50",
        meaning="When the day is gone over, by the clock on the wall.",
    ),
    Setting(
        key="autoConsolidate",
        kind=SettingKind.BOOLEAN,
        default=True,
        meaning="Whether that happens by itself.",
    ),
    Setting(
        key="enableMood",
        kind=SettingKind.BOOLEAN,
        default=True,
        meaning="Whether a line on mood and time of day stands behind the memories.",
    ),
    Setting(
        key="mirrorDocuments",
        kind=SettingKind.BOOLEAN,
        default=False,
        meaning="Whether notes are copied into the host's document store.",
    ),
    Setting(
        key="ownerSenderId",
        kind=SettingKind.TEXT,
        default="",
        meaning="The owner's sender id in group chats; the host's owner id unless given.",
    ),
)


@attrs.frozen(kw_only=True)
class Settings:
    """The settings as they stand."""

    recall_max_chars: int
    max_memories: int
    consolidate_at: str
    auto_consolidate: bool
    enable_mood: bool
    mirror_documents: bool
    owner_sender_id: str

    @classmethod
    def of(cls, given: object) -> Settings:
        """Return the settings of a host; whatever is missing or of no use is the default."""
        values = given if isinstance(given, Mapping) else {}
        read: dict[str, Any] = {_snake(one.key): one.read(values.get(one.key)) for one in SETTINGS}
        return cls(**read)

    def on(self, key: str) -> bool:
        """Tell whether a switch is on."""
        return getattr(self, _snake(key)) is True


def _snake(key: str) -> str:
    return re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", key)


# -- the host ---------------------------------------------------------------------------------------


class Signal(Protocol):
    """Tells that nobody waits any more; an `asyncio.Event` will do."""

    def is_set(self) -> bool: ...

    async def wait(self) -> object: ...


class ModelService(Protocol):
    """The host's current model, without tools or history."""

    async def generate(self, request: Mapping[str, Any], /) -> Any:
        """Take ``system``, ``prompt``, ``maxTokens``, ``json`` and ``signal``; return ``{"text": …}``."""


class DocumentService(Protocol):
    """The host's document store."""

    async def get(self, collection: str, id: str, /) -> Any:  # noqa: A002  # the host's word
        """Return ``{"json": …, "revision": …}``, or None."""

    async def put(self, collection: str, id: str, json: Any, options: Mapping[str, Any], /) -> Any:  # noqa: A002
        """Write a document; with ``ifRevision`` only over that revision, null for one that is not there yet.

        A refusal is raised, with `REVISION_CONFLICT` as its ``code``.
        """

    async def delete(self, collection: str, id: str, /) -> Any: ...  # noqa: A002

    async def list(self, collection: str, options: Mapping[str, Any], /) -> Any:
        """Return ``{"items": [{"id", "json", "revision"}], "cursor"?}``."""


class ScheduleService(Protocol):
    """The host's daily calls."""

    async def daily(self, request: Mapping[str, Any], /) -> Any: ...

    async def cancel(self, id: str, /) -> Any: ...  # noqa: A002


class Host(Protocol):
    """What a host hands over. A service is None where the host has none or the person refused it."""

    api_version: int
    capabilities: Collection[str]
    permissions: Collection[str]
    #: Who runs the host, and is remembered.
    owner: str
    persona: str | None
    settings: Mapping[str, Any]
    model: ModelService | None
    documents: DocumentService | None
    schedule: ScheduleService | None


def available(host: Host, feature: Feature, settings: Settings) -> bool:
    """Tell whether a feature has what it needs."""
    needs = NEEDS[feature]
    return (
        needs.capability in (None, *host.capabilities)
        and needs.permission in (None, *host.permissions)
        and (needs.service is None or getattr(host, needs.service) is not None)
        and (needs.setting is None or settings.on(needs.setting))
    )


def profile_of(persona: str | None, chat_key: str) -> str:
    """Return the profile of a chat: each is a relationship of its own, so nothing said in one comes up in another.

    >>> profile_of(None, "wechat:private:nora"), profile_of("a/b", "c"), profile_of("a", "b/c")
    ('default/wechat:private:nora', 'a~1b/c', 'a/b/c')
    """
    return profile_prefix(persona) + chat_key


def profile_prefix(persona: str | None) -> str:
    """Return what the profiles of all chats with a persona begin with."""
    return (persona or PERSONA).replace("~", "~0").replace("/", "~1") + "/"


# -- inputs -----------------------------------------------------------------------------------------


class FieldKind(str, enum.Enum):
    """What a field of an input takes."""

    #: A string that says something.
    NAME = "name"
    #: Any string.
    TEXT = "text"
    INSTANT = "instant"
    COUNT = "count"
    TRUTH = "truth"
    OBJECT = "object"


@attrs.frozen(kw_only=True)
class Field:
    """One field that is read of an input; all others are ignored."""

    name: str
    kind: FieldKind = FieldKind.TEXT
    required: bool = True
    choices: tuple[str, ...] = ()
    #: What an object holds; without any, it is handed on as it is.
    fields: tuple[Field, ...] = ()


GROUP, PRIVATE = "group", "private"

_CHAT = Field(
    name="chat",
    kind=FieldKind.OBJECT,
    fields=(Field(name="key", kind=FieldKind.NAME), Field(name="kind", choices=(PRIVATE, GROUP))),
)
_MESSAGE = Field(
    name="message",
    kind=FieldKind.OBJECT,
    fields=(
        Field(name="id", kind=FieldKind.NAME),
        Field(name="text"),
        Field(name="senderId", kind=FieldKind.NAME),
        Field(name="at", kind=FieldKind.INSTANT),
    ),
)
_RESPONSE = Field(
    name="response",
    kind=FieldKind.OBJECT,
    fields=(
        Field(name="text"),
        Field(name="at", kind=FieldKind.INSTANT),
        Field(name="silent", kind=FieldKind.TRUTH, required=False),
    ),
)
_FIRED = Field(name="firedAt", kind=FieldKind.INSTANT)

#: What each call reads, by hook; an action and a schedule stand under these words.
ACTION, SCHEDULE = "action", "schedule"
INPUTS: Mapping[str, tuple[Field, ...]] = {
    Hook.BEFORE_CONTEXT.value: (_CHAT, _MESSAGE, Field(name="budgetChars", kind=FieldKind.COUNT)),
    Hook.AFTER_RESPONSE.value: (_CHAT, _MESSAGE, _RESPONSE),
    ACTION: (_CHAT, _MESSAGE, Field(name="arguments", kind=FieldKind.OBJECT)),
    SCHEDULE: (_FIRED,),
}

#: What may come along with every call.
CONTEXT = (Field(name="now", kind=FieldKind.INSTANT, required=False),)


@attrs.frozen(kw_only=True)
class Line:
    """One message in one chat."""

    chat: str
    group: bool
    id: str
    text: str = attrs.field(repr=False)
    sender: str
    at: Instant

    @classmethod
    def of(cls, read: Mapping[str, Any]) -> Line:
        """Return the message of an input that was read."""
        chat, message = read["chat"], read["message"]
        return cls(
            chat=chat["key"],
            group=chat["kind"] == GROUP,
            id=message["id"],
            text=message["text"],
            sender=message["senderId"],
            at=message["at"],
        )


def read_input(call: str, given: object) -> dict[str, Any]:
    """Return what a call reads of its input, instants as such.

    Raises:
        WireError: a field is missing or of the wrong type.
    """
    return _object(INPUTS[call], given, "$")


def read_now(given: object, default: Instant) -> Instant:
    """Return the moment that came along with a call.

    Raises:
        WireError: it is no moment.
    """
    read = _object(CONTEXT, {} if given is None else given, "$context")
    now: Instant = read.get("now", default)
    return now


def _object(fields: tuple[Field, ...], given: object, path: str) -> dict[str, Any]:
    if not isinstance(given, Mapping):
        raise WireError(path=path, problem="must be an object")
    wanted = [one for one in fields if one.required or given.get(one.name) is not None]
    return {one.name: _value(one, given, f"{path}.{one.name}") for one in wanted}


def _value(field: Field, given: Mapping[str, Any], path: str) -> Any:
    value = given.get(field.name)
    if value is None:
        raise WireError(path=path, problem="is missing")
    if not _FITS[field.kind](value):
        raise WireError(path=path, problem=f"must be {_WORDS[field.kind]}")
    if field.choices and value not in field.choices:
        raise WireError(path=path, problem=f"must be one of {', '.join(field.choices)}")
    if field.kind is FieldKind.OBJECT and field.fields:
        return _object(field.fields, value, path)
    return _moment(value, path) if field.kind is FieldKind.INSTANT else value


def _moment(text: str, path: str) -> Instant:
    try:
        return Instant.parse(text)
    except UsageError as error:
        raise WireError(path=path, problem=error.problem) from error


_FITS = {
    FieldKind.NAME: lambda value: isinstance(value, str) and bool(value.strip()),
    FieldKind.TEXT: lambda value: isinstance(value, str),
    FieldKind.INSTANT: lambda value: isinstance(value, str),
    FieldKind.COUNT: lambda value: type(value) is int and value >= 0,
    FieldKind.TRUTH: lambda value: isinstance(value, bool),
    FieldKind.OBJECT: lambda value: isinstance(value, Mapping),
}
_WORDS = {
    FieldKind.NAME: "a string that is not blank",
    FieldKind.TEXT: "a string",
    FieldKind.INSTANT: "an ISO 8601 instant with a zone",
    FieldKind.COUNT: "a whole number, 0 or more",
    FieldKind.TRUTH: "true or false",
    FieldKind.OBJECT: "an object",
}


# -- the manifest -----------------------------------------------------------------------------------


def manifest(version: str) -> dict[str, Any]:
    """Return what the host reads of the plug-in before it is enabled."""
    return {
        "id": PLUGIN_ID,
        "name": PLUGIN_NAME,
        "version": version,
        "apiVersion": API_VERSION,
        "host": HOST,
        "entry": ENTRY,
        "capabilities": [one.value for one in Capability],
        "permissions": [one.value for one in Permission],
        "hooks": [one.value for one in Hook],
        "actions": [
            {"name": one.name, "description": one.description, "parameters": of_params(one.params)}
            for one in ACTIONS.values()
        ],
        "settings": [_setting(one) for one in SETTINGS],
        "schedules": [{"id": NIGHTLY, "at": "consolidateAt"}],
    }


def _setting(one: Setting) -> dict[str, Any]:
    bounds = {"min": one.min, "max": one.max}
    return {
        "key": one.key,
        "type": one.kind.value,
        "default": one.default,
        **{name: bound for name, bound in bounds.items() if bound is not None},
        "description": one.meaning,
    }


def tables() -> dict[str, Any]:
    """Return what the JavaScript entry must know of this module."""
    return {
        "apiVersion": API_VERSION,
        "service": SERVICE,
        "persona": PERSONA,
        "collection": COLLECTION,
        "page": PAGE,
        "hooks": {"beforeContext": Hook.BEFORE_CONTEXT.value, "afterResponse": Hook.AFTER_RESPONSE.value},
        "nightly": NIGHTLY,
        "group": GROUP,
        "actions": list(ACTIONS),
        "writing": sorted(WRITING),
        "consolidate": CONSOLIDATE,
        "revisionConflict": REVISION_CONFLICT,
        "refusals": {code.value: text for code, text in REFUSALS.items()},
        "deadlinesMs": dict(DEADLINES_MS),
        "needs": {
            one.value: {name: need for name, need in attrs.asdict(NEEDS[one]).items() if need is not None}
            for one in Feature
        },
        "settings": [_setting(one) for one in SETTINGS],
        "inputs": {call: [_field(one) for one in fields] for call, fields in INPUTS.items()},
        "context": [_field(one) for one in CONTEXT],
        "problems": {kind.value: words for kind, words in _WORDS.items()},
    }


def _field(one: Field) -> dict[str, Any]:
    return {
        "name": one.name,
        "kind": one.kind.value,
        "required": one.required,
        "choices": list(one.choices),
        "fields": [_field(inner) for inner in one.fields],
    }
