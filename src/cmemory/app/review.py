"""Looks back over what is kept: who and what it speaks of, and what a day or a week brought. Nothing is written."""

from __future__ import annotations

from datetime import date

import attrs

from cmemory.app.services import Services
from cmemory.domain.lexicon.digest import Language
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.scope import Scope
from cmemory.domain.plan.digest import Digest, digest
from cmemory.domain.plan.people import Entity, EntityKind, entities
from cmemory.domain.plan.render.digest import render_digest
from cmemory.domain.plan.telling import Telling
from cmemory.domain.time.calendar import CivilSpan, SpanKind, civil_day
from cmemory.ports.store import ANY_STATUS


def people(
    services: Services, scope: Scope, *, now: Instant, kind: EntityKind | None, everything: bool
) -> tuple[Entity, ...]:
    """Return who and what the records believed at ``now`` speak of; see `domain.plan.people.entities`."""
    with services.store.read(scope) as view:
        telling = Telling.of(view.records(), guard=services.guard(scope, view), now=now)
        proofs = {proof.source_id for record in telling.records for proof in record.evidence}
        messages = [message for message in map(view.message, sorted(proofs)) if message is not None]
    said_at: dict[str, Instant] = {message.id: message.at for message in messages}
    return entities(telling, said_at, kind=kind, everything=everything)


def look_back(
    services: Services, scope: Scope, *, day: date | None, span: SpanKind, language: Language, now: Instant
) -> Digest:
    """Return what a day, or the week that holds it, brought; the day of ``now`` unless one is given."""
    days = CivilSpan.around(day or civil_day(now, services.zone), span)
    with services.store.read(scope) as view:
        telling = Telling.of(view.records(ANY_STATUS), guard=services.guard(scope, view), now=now)
        threads, messages = view.threads(), view.messages()
    made = digest(telling, threads, messages, span=days, zone=services.zone)
    return attrs.evolve(made, text=render_digest(made, language))
