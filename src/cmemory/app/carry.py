"""Keeps forgotten what was forgotten, when an older state of the store takes the place of the present one.

An old backup still holds what was forgotten since. So before it is put in place, the present guard is carried over, and
what the guard covers is erased from the older state as if the person asked again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import attrs

from cmemory.domain.errors import UsageError
from cmemory.domain.evidence.redaction import blotted_in_either
from cmemory.domain.evidence.suppression import Ban, Guard
from cmemory.domain.forget.erase import Holdings, Records, erase
from cmemory.domain.forget.mask import requoted
from cmemory.domain.model.bodies import Inference
from cmemory.domain.model.changes import Changes, Fingerprint, Suppression
from cmemory.domain.model.ids import MessageId
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.message import Message
from cmemory.domain.model.record import AnyRecord
from cmemory.domain.model.scope import Scope
from cmemory.domain.policy import Policy
from cmemory.ports.store import ANY_STATUS, Store, Unit, View


@attrs.frozen(kw_only=True)
class RestoreReport:
    """What came of restoring a backup."""

    #: Whether the present database's forgetting was carried over; False when there was none, or it was not wanted.
    kept_forgetting: bool = False
    #: Records and messages of the backup that were erased or masked, since they had been forgotten later.
    records: int = 0
    messages: int = 0
    #: Suppressions and hashes that the backup did not know.
    suppressions: int = 0
    fingerprints: int = 0

    def plus(self, other: RestoreReport) -> RestoreReport:
        """Return the counts of both."""
        counts = ("records", "messages", "suppressions", "fingerprints")
        return attrs.evolve(self, **{name: getattr(self, name) + getattr(other, name) for name in counts})


@attrs.frozen(kw_only=True)
class Forgotten:
    """What a scope must not see again, as the present state has it."""

    suppressions: tuple[Suppression, ...]
    fingerprints: tuple[Fingerprint, ...]
    #: Messages that stayed although a part of them was forgotten, by id.
    masked: Mapping[MessageId, Message]
    #: Records that stand at present, and so were not forgotten.
    standing: frozenset[str]
    revision: int

    @classmethod
    def of(cls, view: View) -> Forgotten:
        """Return what a view of the present state has."""
        suppressions = tuple(view.suppressions())
        targets = {one.target for one in suppressions}
        return cls(
            suppressions=suppressions,
            fingerprints=tuple(view.fingerprints()),
            masked={one.id: one for one in view.messages() if one.id in targets},
            standing=frozenset(record.id for record in view.records(ANY_STATUS)),
            revision=view.revision(),
        )


def check_secret(restored: Store, secret: bytes) -> None:
    """Refuse a backup of another database: its hashes were made with another key, so nothing could be carried over.

    Raises:
        UsageError: the secrets differ.
    """
    if restored.secret != secret:
        raise UsageError(field="backup", problem="is of another database, so its forgetting cannot be kept")


def carry(
    restored: Store, scope: Scope, forgotten: Forgotten, *, policy: Policy, now: Instant
) -> RestoreReport:
    """Bring a scope's forgetting into the restored state and erase there what it covers.

    Doing so again changes nothing more.

    Args:
        restored: the older state.
        scope: whose memory.
        forgotten: what the present state must not see again.
        policy: how much of a text must be masked.
        now: when it is done, for the audit.
    """
    with restored.write(scope) as unit:
        new = _added(unit, forgotten)
        unit.apply(attrs.evolve(new, revision_step=max(0, forgotten.revision - unit.revision()) + 1))
        guard = Guard.of(
            unit.suppressions(),
            unit.fingerprints(),
            scope=scope,
            secret=restored.secret,
            policy=policy.forgetting,
        )
        records, messages = _erase(unit, guard, forgotten, policy, now)
        messages += _mask(unit, forgotten.masked)
    return RestoreReport(
        records=records,
        messages=messages,
        suppressions=len(new.suppressions),
        fingerprints=len(new.fingerprints),
    )


def _added(unit: Unit, forgotten: Forgotten) -> Changes:
    """Return the rows of the guard that the older state lacks."""
    targets = {(one.kind, one.target) for one in unit.suppressions()}
    hashes = {(one.digest, one.label) for one in unit.fingerprints()}
    return Changes(
        suppressions=tuple(one for one in forgotten.suppressions if (one.kind, one.target) not in targets),
        fingerprints=tuple(one for one in forgotten.fingerprints if (one.digest, one.label) not in hashes),
    )


def _erase(unit: Unit, guard: Guard, forgotten: Forgotten, policy: Policy, now: Instant) -> tuple[int, int]:
    """Erase what the guard covers, with everything that goes along, and return how many records and messages."""
    records, messages = tuple(unit.records(ANY_STATUS)), unit.messages()
    doomed = [record.id for record in records if _covered(record, guard, forgotten.standing)]
    unsaid = [one.id for one in messages if guard.everything or _unsaid(one, guard, forgotten)]
    held = Holdings(records=records, messages={one.id: one for one in messages}, guard=guard)
    report, changes = erase(Records((*doomed, *unsaid)), held, now=now, policy=policy)
    unit.apply(changes)
    return len(report.record_ids), len(report.message_ids)


def _unsaid(message: Message, guard: Guard, forgotten: Forgotten) -> bool:
    """Tell whether a message was deleted as a whole: it is forgotten, and the present state does not have it."""
    return message.id in guard.records and message.id not in forgotten.masked


def _covered(record: AnyRecord, guard: Guard, standing: frozenset[str]) -> bool:
    if guard.hides(record):
        return True
    if record.id in standing or isinstance(record.body, Inference):
        return False
    quotes = [one.quote.text for one in record.evidence if one.quote is not None]
    return guard.ban(record.body, record_id=record.id, quotes=quotes) is Ban.CONTENT


def _mask(unit: Unit, masked: Mapping[MessageId, Message]) -> int:
    """Blot out what is blotted out at present, and read the quotes of what stays anew."""
    changed: dict[MessageId, Message] = {}
    for key, present in masked.items():
        held = unit.message(key)
        if held is not None and (text := blotted_in_either(held.text, present.text)) != held.text:
            changed[key] = attrs.evolve(held, text=text)
    if changed:
        records = requoted(unit.records(ANY_STATUS), changed)
        unit.apply(Changes(messages=tuple(changed.values()), records=records, revision_step=1))
    return len(changed)


def everywhere(reports: Iterable[RestoreReport]) -> RestoreReport:
    """Return the counts of all scopes together."""
    total = RestoreReport(kept_forgetting=True)
    for report in reports:
        total = total.plus(report)
    return total
