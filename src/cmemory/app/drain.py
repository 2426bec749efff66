"""Moves what waits in a journal into the database, where `learn` finds it."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from cmemory.app.observe import Receipt, message_of, take_in
from cmemory.app.services import Services
from cmemory.domain.errors import UsageError
from cmemory.domain.model.ids import MessageId
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.message import Message
from cmemory.domain.model.scope import Scope
from cmemory.ports.inbox import Inbox, Waiting

#: Messages that share one transaction. A crash repeats at most these, harmlessly.
_BATCH = 128


@attrs.frozen(kw_only=True)
class DrainReport:
    """What came of emptying a journal."""

    #: One for each message the database has answered for, in the order in which they came in.
    receipts: tuple[Receipt, ...] = ()
    #: Messages that can never be taken in; they stay in the journal as dead letters.
    dead: tuple[MessageId, ...] = ()

    def then(self, later: DrainReport) -> DrainReport:
        """Return both reports as one."""
        return DrainReport(receipts=self.receipts + later.receipts, dead=self.dead + later.dead)


def drain(services: Services, scope: Scope, source: Inbox, *, now: Instant) -> DrainReport:
    """Take in what is due in the source, oldest first, and let each message go once the database has it.

    A crash at any point loses nothing: what the database has twice been given it knows by its id. A message
    that cannot be taken in is set aside, and nothing waits behind it.

    Args:
        services: where it goes.
        scope: whose messages they are.
        source: the journal's inbox of that scope.
        now: messages due by then are moved.

    Raises:
        StoreError: the database or the journal failed; what was not moved still waits.
    """
    report = DrainReport()
    while batch := source.due(now, limit=_BATCH):
        report = report.then(_move(services, scope, source, batch, now=now))
    return report


def _move(
    services: Services, scope: Scope, source: Inbox, batch: Sequence[Waiting], *, now: Instant
) -> DrainReport:
    receipts: list[Receipt] = []
    refused: list[MessageId] = []
    with services.store.write(scope) as unit:
        guard = services.guard(scope, unit)
        for one in batch:
            try:
                message = _checked(services, scope, one.message)
                intake = take_in(unit, guard, message, queue=True)
                receipts.append(Receipt(message_id=message.id, intake=intake))
            except UsageError:
                refused.append(one.message.id)
    source.done(receipt.message_id for receipt in receipts)
    for message_id in refused:
        source.put_off(message_id, now=now, policy=services.policy.inbox, retryable=False)
    return DrainReport(receipts=tuple(receipts), dead=tuple(refused))


def _checked(services: Services, scope: Scope, message: Message) -> Message:
    """Return the message as `observe` would have made it; the journal knows no policy."""
    return message_of(
        message.text,
        scope=scope,
        session=message.session,
        speaker=message.speaker,
        at=message.at,
        max_bytes=services.policy.admission.max_message_bytes,
        message_id=message.id,
    )
