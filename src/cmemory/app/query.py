"""Finds records for somebody who asks: candidates by the terms, permission by what the person just said."""

from __future__ import annotations

import attrs

from cmemory.app.meaning import look, seek
from cmemory.app.services import Services
from cmemory.domain.gates.boundary import Shield
from cmemory.domain.gates.mention import decide_record
from cmemory.domain.model.bodies import kind_name
from cmemory.domain.model.embedding import Embedded
from cmemory.domain.model.ids import RecordId
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.record import AnyRecord, is_claim, is_inference
from cmemory.domain.model.scope import Scope
from cmemory.domain.plan.roster import line_of, spoken_texts
from cmemory.domain.predicates.registry import PREDICATES, Visibility, is_boundary
from cmemory.domain.recall.nearness import Nearness, nearest
from cmemory.domain.recall.query import Profile, Query, cue, finds
from cmemory.domain.scoring.salience import score
from cmemory.domain.text.tokens import index_terms

#: Candidates the index hands over at most; far more than a reader wants, so that the gate has enough to choose from.
_CANDIDATES = 500

_BOUNDARIES = tuple(key for key in PREDICATES if is_boundary(key))


@attrs.frozen(kw_only=True)
class Hit:
    """One record that was found and may be told."""

    id: RecordId
    #: ``claim``, ``episode`` or ``note``.
    kind: str
    text: str
    #: Relevance × importance × freshness × confidence; higher is better.
    score: float
    updated_at: Instant


def search(
    services: Services,
    scope: Scope,
    terms: str,
    *,
    message: str,
    now: Instant,
    limit: int,
    kind: str | None = None,
) -> tuple[Hit, ...]:
    """Return what matches the terms and what the person's own message gives leave to tell.

    The terms may be chosen by a model: they decide what is a candidate, never what may be said. Boundaries are never
    found, and what they cover is never told.

    Args:
        terms: what is looked for.
        message: what the person just said; blank gives leave to nothing.
        now: freshness counts to this moment.
        limit: hits at most.
        kind: only ``claim``, ``episode`` or ``note``; all of them unless given.

    Returns:
        The best first, ties by newest, then by id.
    """
    asked, said = Query.of(terms), Query.of(message)
    if asked.blank or said.blank:
        return ()
    policy, sought = services.policy.recall.embedding, seek(services, terms)
    with services.store.read(scope) as view:
        guard = services.guard(scope, view)
        shield = Shield.of(one for one in view.under(_BOUNDARIES) if one.live(now) and not guard.hides(one))
        newest = view.record_vectors(sought.model, limit=policy.scan) if sought.vector else ()
        meant = look(sought, newest, policy)
        matching = view.find(sorted(set(index_terms(asked.lowered))), limit=_CANDIDATES)
        found = list(dict.fromkeys((*matching, *nearest(meant.near, policy.nearest))))
        vectors = meant.vectors(view, Embedded.RECORD, found)
        records = [
            record
            for record in map(view.record, found)
            if record is not None and kind in (None, kind_name(record.body))
        ]
    meant.told(services, now)
    nearness = Nearness(near={} if meant.compass is None else meant.compass.near(vectors))
    outstanding = nearness.outstanding(policy)
    hits = [
        hit
        for record in records
        if kind in (None, kind_name(record.body))
        and record.live(now)
        and not guard.hides(record)
        and not shield.covers(*spoken_texts(record))
        if (
            hit := _hit(
                services,
                record,
                asked,
                said,
                now,
                near=nearness.of(record.id),
                meant=record.id in outstanding,
            )
        )
        is not None
    ]
    hits.sort(key=lambda one: (-one.score, -one.updated_at.microseconds, one.id))
    return tuple(hits[:limit])


def _hit(
    services: Services,
    record: AnyRecord,
    asked: Query,
    said: Query,
    now: Instant,
    *,
    near: float,
    meant: bool,
) -> Hit | None:
    if is_inference(record) or (is_claim(record) and is_boundary(record.body.predicate)):
        return None
    profile = Profile.of(record)
    leave = cue(said, profile)
    if not (leave.any and (meant or finds(asked, record, profile))):
        return None
    verdict = decide_record(record, leave)
    if not verdict.allowed or verdict.level < Visibility.MENTION_IF_USER_CUES:
        return None
    policy = services.policy
    named = cue(asked, profile).referenced
    relevance = policy.salience.relevance_named if named else policy.salience.relevance_implied
    weight = score(record, relevance=relevance, now=now, policy=policy)
    return Hit(
        id=record.id,
        kind=kind_name(record.body),
        text=line_of(record),
        score=(weight or 0.0) * (1 + policy.recall.embedding.record_share * near),
        updated_at=record.updated_at,
    )
