"""Finds records for somebody who asks: candidates by the terms, permission by what the person just said."""

from __future__ import annotations

from collections.abc import Sequence

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
from cmemory.domain.plan.lines import line_of, spoken_texts
from cmemory.domain.predicates.registry import PREDICATES, Visibility, is_boundary
from cmemory.domain.recall.match import Found, match
from cmemory.domain.recall.nearness import Nearness, nearest
from cmemory.domain.recall.query import Profile, Query, cue, finds
from cmemory.domain.recall.said import message_terms
from cmemory.domain.scoring.salience import found_score
from cmemory.domain.text.tokens import index_terms, topic_pairs, words
from cmemory.ports.store import View

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
    #: Relevance × importance × confidence × match × recency; comparable within one search only.
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
        now: recency counts to this moment.
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
        found = list(dict.fromkeys((*_candidates(view, asked), *nearest(meant.near, policy.nearest))))
        vectors = meant.vectors(view, Embedded.RECORD, found)
        records = [
            record
            for record in map(view.record, found)
            if record is not None and kind in (None, kind_name(record.body))
        ]
    meant.told(services, now)
    nearness = Nearness(near={} if meant.compass is None else meant.compass.near(vectors))
    outstanding = nearness.outstanding(policy)
    standing = [
        record
        for record in records
        if record.live(now) and not guard.hides(record) and not shield.covers(*spoken_texts(record))
    ]
    told = [
        one
        for record in standing
        if (one := _found(record, asked, said, meant=record.id in outstanding)) is not None
    ]
    matches = match(message_terms(asked.text), told, standing, services.policy.recall)
    hits = [_hit(services, one, matches[one.record.id], nearness.of(one.record.id), now) for one in told]
    hits.sort(key=lambda one: (-one.score, -one.updated_at.microseconds, one.id))
    return tuple(hits[:limit])


def _candidates(view: View, asked: Query) -> Sequence[RecordId]:
    """Return records with any of the terms: those that share most of what carries a topic, then any others."""
    every = frozenset(index_terms(asked.lowered))
    topics = every & frozenset(index_terms(" ".join((*words(asked.lowered), *topic_pairs(asked.lowered)))))
    found = list(view.find(sorted(topics), limit=_CANDIDATES)) if topics else []
    if len(found) < _CANDIDATES:
        found += view.find(sorted(every), limit=_CANDIDATES)
    return tuple(dict.fromkeys(found))[:_CANDIDATES]


def _found(record: AnyRecord, asked: Query, said: Query, *, meant: bool) -> Found | None:
    """Return a record that the terms find, or mean, and that what the person said gives leave to tell."""
    if is_inference(record) or (is_claim(record) and is_boundary(record.body.predicate)):
        return None
    profile = Profile.of(record)
    leave = cue(said, profile)
    if not (leave.any and (meant or finds(asked, record, profile))):
        return None
    verdict = decide_record(record, leave)
    if not verdict.allowed or verdict.level < Visibility.MENTION_IF_USER_CUES:
        return None
    return Found(record=record, named=cue(asked, profile).referenced)


def _hit(services: Services, found: Found, matched: float, near: float, now: Instant) -> Hit:
    record, policy = found.record, services.policy
    relevance = policy.salience.relevance_named if found.named else policy.salience.relevance_implied
    # What is near in meaning matches by that much at least, though it shares no word.
    score = found_score(record, relevance=relevance, match=max(matched, near), now=now, policy=policy)
    return Hit(
        id=record.id,
        kind=kind_name(record.body),
        text=line_of(record),
        score=score * (1 + policy.recall.embedding.record_share * near),
        updated_at=record.updated_at,
    )
