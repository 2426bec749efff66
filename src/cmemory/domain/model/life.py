"""The one life-cycle table.

A record is born ACTIVE. The table lists every event that may happen to it and what it becomes; an event that
is not listed is refused, so a state can never be reached by accident. Erasing is no state: an erased record
is gone, and only a keyed hash remembers that it must not return.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from types import MappingProxyType

from cmemory.domain.errors import UsageError


class Status(enum.Enum):
    """What a record may do right now."""

    #: Believed and eligible.
    ACTIVE = "active"
    #: Replaced by a newer value; kept as history.
    SUPERSEDED = "superseded"
    #: Taken back by the person without a new value; kept as history.
    RETRACTED = "retracted"
    #: Its time is over: a session-lifetime claim, or one with a stated end.
    EXPIRED = "expired"
    #: A note that gave way to weightier ones; can be restored, and comes back when it is said again.
    FADED = "faded"
    #: Soft-deleted; can be restored.
    DELETED = "deleted"


class Event(enum.Enum):
    """What may happen to a record."""

    SUPERSEDE = "supersede"
    RETRACT = "retract"
    EXPIRE = "expire"
    FADE = "fade"
    DELETE = "delete"
    RESTORE = "restore"


TRANSITIONS: Mapping[Status, Mapping[Event, Status]] = MappingProxyType(
    {
        Status.ACTIVE: {
            Event.SUPERSEDE: Status.SUPERSEDED,
            Event.RETRACT: Status.RETRACTED,
            Event.EXPIRE: Status.EXPIRED,
            Event.FADE: Status.FADED,
            Event.DELETE: Status.DELETED,
        },
        Status.SUPERSEDED: {},
        Status.RETRACTED: {},
        Status.EXPIRED: {},
        Status.FADED: {Event.RESTORE: Status.ACTIVE, Event.DELETE: Status.DELETED},
        Status.DELETED: {Event.RESTORE: Status.ACTIVE},
    }
)


def step(status: Status, event: Event) -> Status:
    """Return what a record becomes.

    Raises:
        UsageError: the table has no such transition.
    """
    try:
        return TRANSITIONS[status][event]
    except KeyError:
        raise UsageError(
            field="status", problem=f"a record that is {status.value} cannot {event.value}"
        ) from None
