"""Takes in what was said: into the message log and, for the user's own words, the extraction inbox."""

from __future__ import annotations

import enum
from collections.abc import Iterable

import attrs

from cmemory.app.inbox import StoredInbox
from cmemory.app.services import Services
from cmemory.domain.errors import UsageError
from cmemory.domain.evidence.suppression import Guard
from cmemory.domain.model.changes import Changes
from cmemory.domain.model.ids import MessageId, derive_id
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.message import Message, Speaker
from cmemory.domain.model.scope import Scope
from cmemory.domain.text.normal import is_well_formed
from cmemory.ports.store import Unit


class Intake(enum.Enum):
    """What became of a message."""

    #: Written to the log.
    STORED = "stored"
    #: The very same message was there already.
    KNOWN = "known"
    #: It was forgotten, or the person asked that nothing be remembered; it was not written.
    FORGOTTEN = "forgotten"


@attrs.frozen(kw_only=True)
class Receipt:
    """The answer to one observed message."""

    message_id: MessageId
    intake: Intake


def message_of(
    text: object,
    *,
    scope: Scope,
    session: object,
    speaker: Speaker,
    at: Instant,
    max_bytes: int,
    message_id: str | None = None,
    field: str = "text",
) -> Message:
    """Return a checked message; complaints about its text name the field.

    Unless the host names it, its id derives from scope, session, moment, speaker and text.

    Raises:
        UsageError: the text is no text, empty, too large, or not encodable; the session is no text.
    """
    if not isinstance(text, str):
        raise UsageError(field=field, problem=f"must be a string, not {type(text).__name__}")
    if not text.strip():
        raise UsageError(field=field, problem="must not be empty or blank")
    if not is_well_formed(text):
        raise UsageError(field=field, problem="holds a lone surrogate and cannot be encoded as UTF-8")
    size = len(text.encode("utf-8"))
    if size > max_bytes:
        raise UsageError(field=field, problem=f"has {size} bytes; at most {max_bytes} are taken")
    if not isinstance(session, str) or not is_well_formed(session):
        raise UsageError(field="session", problem="must be a well-formed string")
    derived = derive_id("m", scope.key, session, str(at), speaker.value, text)
    return Message(id=MessageId(message_id or derived), session=session, speaker=speaker, text=text, at=at)


def observe(services: Services, scope: Scope, messages: Iterable[Message]) -> tuple[Receipt, ...]:
    """Write messages durably, all of them in one transaction, and return a receipt for each in order.

    The user's messages also wait in the inbox. Saying the same thing twice in one call, or replaying a call,
    is harmless.

    Raises:
        UsageError: an id names another text already; nothing of the call is written.
    """
    with services.store.write(scope) as unit:
        guard = services.guard(scope, unit)
        return tuple(
            Receipt(message_id=message.id, intake=take_in(unit, guard, message, queue=True))
            for message in messages
        )


def take_in(unit: Unit, guard: Guard, message: Message, *, queue: bool) -> Intake:
    """Write one message unless it is known or forgotten.

    Args:
        unit: the transaction.
        guard: what the scope must not see again.
        message: what was said.
        queue: whether the user's words wait for extraction.

    Raises:
        UsageError: the id names another text already.
    """
    if guard.everything or message.id in guard.records:
        return Intake.FORGOTTEN
    known = unit.message(message.id)
    if known is not None:
        if known.text != message.text:
            raise UsageError(field="message_id", problem="already names a message with another text")
        return Intake.KNOWN
    if queue and message.speaker is Speaker.USER:
        StoredInbox(unit).enqueue(message, now=message.at)
    else:
        unit.apply(Changes(messages=(message,)))
    return Intake.STORED
