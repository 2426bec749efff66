"""Forgetting for good, by name or by meaning, and what goes with it."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable

import attrs

from cmemory.app.services import Services
from cmemory.domain.errors import UsageError
from cmemory.domain.forget.concern import concerned
from cmemory.domain.forget.erase import (
    ByEntity,
    ByPredicate,
    Everything,
    ForgetReport,
    Holdings,
    Records,
    Target,
    erase,
)
from cmemory.domain.model.changes import Changes, Decision
from cmemory.domain.model.ids import RecordId, derive_id
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.record import AnyRecord
from cmemory.domain.model.scope import Scope
from cmemory.domain.plan.lines import line_of
from cmemory.domain.recall.query import Profile, Query, finds
from cmemory.domain.text.tokens import index_terms
from cmemory.ports.store import ANY_STATUS, View


@attrs.frozen(kw_only=True)
class Preview:
    """What forgetting by meaning would take, for the person to read before they confirm."""

    #: What matches, as (id, text), best match first.
    items: tuple[tuple[RecordId, str], ...]
    #: Confirms exactly this list, as long as nothing changes in the meantime.
    token: str


def target_of(given: str | Target) -> Target:
    """Return what is to be forgotten; a text is the id of a record or message.

    Raises:
        UsageError: it is nothing that can be forgotten.
    """
    wanted = Records((given,)) if isinstance(given, str) else given
    if wanted is not Everything.EVERYTHING and type(wanted) not in (Records, ByPredicate, ByEntity):
        raise UsageError(
            field="target", problem="must be an id or one of Records, ByPredicate, ByEntity, Everything"
        )
    return wanted


def forget(services: Services, scope: Scope, target: Target, *, now: Instant) -> ForgetReport:
    """Erase what the target names, in one transaction, and keep only what stops it from coming back.

    What waits in an attached journal is looked at like the message log, and goes as a whole where the log would
    be masked. It goes before the transaction ends, so that no acknowledged request leaves a byte of it.

    Raises:
        StoreError: the database or the journal failed; the database is as it was.
    """
    with services.store.write(scope) as unit:
        stored = {message.id: message for message in unit.messages()}
        queued = {one.message.id: one.message for one in services.queued(scope)}
        everything = Holdings(records=(), messages={**queued, **stored}, guard=services.guard(scope, unit))

        def of(ids: Iterable[RecordId]) -> Holdings:
            borne = (record for record in unit.bearers(sorted(ids)).values() if record is not None)
            ordered = sorted(borne, key=lambda record: (-record.updated_at.microseconds, record.id))
            return attrs.evolve(everything, records=tuple(ordered))

        if isinstance(target, Records):
            holdings = concerned(target, unit.outlines(), of, services.policy.forgetting)
        else:
            holdings = attrs.evolve(everything, records=tuple(unit.records(ANY_STATUS)))
        report, changes = erase(target, holdings, now=now, policy=services.policy)
        unit.apply(attrs.evolve(changes, messages=tuple(one for one in changes.messages if one.id in stored)))
        if services.journal is not None and report.forgotten:
            # What contradicts a stored message can never be taken in, and was not looked at above.
            contrary = [one.id for one in queued.values() if one.text != holdings.messages[one.id].text]
            services.journal.inbox(scope).done((*report.message_ids, *contrary))
    return report


def preview(services: Services, scope: Scope, meaning: str) -> Preview:
    """Return what a description matches, with the token that confirms it. Writes nothing.

    Raises:
        UsageError: the description is blank.
    """
    if not meaning.strip():
        raise UsageError(field="meaning", problem="must not be blank")
    with services.store.read(scope) as view:
        matches = _matches(services, view, meaning)
        token = _token(services, scope, view, matches)
    return Preview(items=tuple((record.id, line_of(record)) for record in matches), token=token)


def forget_matching(
    services: Services, scope: Scope, meaning: str, *, token: str, now: Instant
) -> ForgetReport:
    """Erase what a preview listed.

    Raises:
        UsageError: the token does not belong to this description and the present state; nothing is erased.
    """
    with services.store.read(scope) as view:
        matches = _matches(services, view, meaning)
        expected = _token(services, scope, view, matches)
    if not hmac.compare_digest(expected.encode("ascii"), token.encode("utf-8", "replace")):
        raise UsageError(field="token", problem="does not confirm what matches now; ask for a new preview")
    return forget(services, scope, Records(tuple(record.id for record in matches)), now=now)


def lift(services: Services, scope: Scope, label: str | ByEntity, *, now: Instant) -> bool:
    """Let a forgotten thing be remembered again if the person says it again; returns whether it was banned.

    Only the person may ask for this. Nothing comes back by itself: the words are gone.

    Args:
        label: the id of the forgotten record or message, a predicate, ``*`` for the ban on everything, or whom
            it was about.
        now: when the person asked.
    """
    with services.store.write(scope) as unit:
        guard = services.guard(scope, unit)
        name = guard.entity_digest(label.name) if isinstance(label, ByEntity) else label
        rows = tuple(row for row in unit.suppressions() if row.target == name)
        labels = (RecordId(name),) if any(one.label == name for one in unit.fingerprints()) else ()
        if not (rows or labels):
            return False
        line = Decision(
            id=derive_id("d", scope.key, str(now), "lift", name),
            at=now,
            action="lift",
            outcome="done",
            reason="user_asked",
        )
        unit.apply(Changes(lift_suppressions=rows, lift_labels=labels, decisions=(line,), revision_step=1))
        return True


def forget_all_records(services: Services, scope: Scope, *, now: Instant) -> ForgetReport:
    """Erase every record and every message, one by one: new things can be remembered, these stay forgotten."""
    with services.store.read(scope) as view:
        ids = (
            *(record.id for record in view.records(ANY_STATUS)),
            *(message.id for message in view.messages()),
            *(one.message.id for one in services.queued(scope)),
        )
    return forget(services, scope, Records(ids), now=now)


def _matches(services: Services, view: View, meaning: str) -> list[AnyRecord]:
    """Return the records a description finds, best first. Muted and covered ones too: the person owns them all."""
    query = Query.of(meaning)
    limit = services.policy.forgetting.preview_limit
    found = view.find(sorted(set(index_terms(query.lowered))), limit=limit * 5)
    records = (view.record(record_id) for record_id in found)
    return [record for record in records if record is not None and finds(query, record, Profile.of(record))][
        :limit
    ]


def _token(services: Services, scope: Scope, view: View, matches: list[AnyRecord]) -> str:
    """Return a token bound to the scope, its revision and the listed records; no state has to be kept for it."""
    bound = "\x00".join(("forget", scope.key, str(view.revision()), *(record.id for record in matches)))
    return hmac.new(services.store.secret, bound.encode("utf-8"), hashlib.sha256).hexdigest()[:32]
