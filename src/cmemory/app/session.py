"""Ends a conversation: what was true for it only stops being true."""

from __future__ import annotations

import attrs

from cmemory.app.services import Services
from cmemory.domain.model.changes import Changes, ThreadStatus
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.life import Event
from cmemory.domain.model.message import SourceKind
from cmemory.domain.model.record import ClaimRecord
from cmemory.domain.model.scope import Scope
from cmemory.domain.predicates.registry import PREDICATES, Lifetime
from cmemory.ports.store import Unit

_SESSION_KEYS = tuple(row.key for row in PREDICATES.values() if row.lifetime is Lifetime.SESSION)


def close_session(services: Services, scope: Scope, session: str, *, now: Instant) -> int:
    """Expire the follow-ups the session used and the claims that held for it only; returns how many threads expired."""
    with services.store.write(scope) as unit:
        threads = tuple(
            attrs.evolve(thread, status=ThreadStatus.EXPIRED, updated_at=now)
            for thread in unit.threads()
            if thread.status is ThreadStatus.OPEN and thread.followup_session == session
        )
        claims = tuple(
            record.after(Event.EXPIRE, now)
            for record in unit.under(_SESSION_KEYS)
            if _said_in(unit, record, session)
        )
        unit.apply(Changes(threads=threads, records=claims, revision_step=len(threads) + len(claims)))
        return len(threads)


def _said_in(unit: Unit, record: ClaimRecord, session: str) -> bool:
    sources = (unit.message(one.source_id) for one in record.evidence if one.source is SourceKind.MESSAGE)
    return any(message is not None and message.session == session for message in sources)
