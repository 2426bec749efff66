"""Finds records for somebody who asks: candidates by the terms, permission by what the person just said."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from cmemory.app.bearing import Bearing
from cmemory.app.familiar import Familiar
from cmemory.app.services import Services
from cmemory.app.shelf import Shelf
from cmemory.domain.gates.boundary import Shield
from cmemory.domain.gates.mention import decide_record
from cmemory.domain.model.bodies import kind_name
from cmemory.domain.model.ids import RecordId
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.record import is_claim, is_inference
from cmemory.domain.model.scope import Scope
from cmemory.domain.plan.lines import line_of, spoken_texts
from cmemory.domain.policy import Policy
from cmemory.domain.predicates.registry import PREDICATES, Visibility, is_boundary
from cmemory.domain.recall.match import Found, Known, match, wanted
from cmemory.domain.recall.query import Query, cue, finds
from cmemory.domain.scoring.salience import found_score
from cmemory.domain.text.tokens import cjk_characters, index_terms, topic_pairs, words
from cmemory.ports.store import View

#: Candidates the index hands over at most; far more than a reader wants, so that the gate has enough to choose from.
_CANDIDATES = 500

#: Those among them that are read although they share nothing but grammar with the terms: a name may be such a word.
_NAMESAKES = 50

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
    shelf: Shelf[Familiar] | None = None,
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
        shelf: where records are kept as they were found; without one they are read anew.

    Returns:
        The best first, ties by newest, then by id.
    """
    asked = Query.of(terms)
    said = asked if message == terms else Query.of(message)
    if asked.blank or said.blank:
        return ()
    recall, bearing = services.policy.recall, Bearing.of(services, terms)
    # Asked for before the store is read, so that what is kept is never newer than what is read.
    mark, kept = (None, None) if shelf is None else (shelf.mark(), shelf.get(scope))
    with services.store.read(scope) as view:
        guard = services.guard(scope, view)
        shield = Shield.of(one for one in view.under(_BOUNDARIES) if one.live(now) and not guard.hides(one))
        course = bearing.course(view, recall.embedding)
        candidates = _Candidates.of(view, asked)
        found = list(dict.fromkeys((*candidates.ids, *map(RecordId, course.nearest))))
        near = course.near(view, found)
        familiar = (kept or Familiar(revision=view.revision())).at(view).read(view, found)
    if shelf is not None and mark is not None:
        shelf.put(familiar, scope, mark=mark)
    course.told(services, now)
    standing = [
        one
        for name in found
        if (one := familiar.known.get(name)) is not None
        and one.record.live(now)
        and kind in (None, kind_name(one.record.body))
        and not guard.hides(one.record)
        and not (shield.phrases and shield.covers(*spoken_texts(one.record)))
    ]
    told = [
        hit
        for one in standing
        if (hit := _found(one, asked, said, near=near.get(one.record.id, 0.0), policy=services.policy))
    ]
    meaning = recall.embedding.record_meaning if course.compasses else 0.0
    matches = match(
        wanted(asked.text, said.text, recall),
        told,
        standing,
        recall,
        meaning=meaning,
        unlike=candidates.left_out,
    )
    scored = [(_score(one, matches[one.id], now, services.policy), one) for one in told]
    scored.sort(key=lambda pair: (-pair[0], -pair[1].known.record.updated_at.microseconds, pair[1].id))
    return tuple(_hit(one, score) for score, one in scored[:limit])


@attrs.frozen(kw_only=True)
class _Candidates:
    """Records with any of the terms."""

    #: Those that share most of what carries a topic, then some that share grammar alone.
    ids: tuple[RecordId, ...]
    #: How many more share grammar alone; nothing of them is read.
    left_out: int

    @classmethod
    def of(cls, view: View, asked: Query) -> _Candidates:
        """Look the terms up in the index."""
        every = frozenset(index_terms(asked.lowered))
        carrying = (*words(asked.lowered), *topic_pairs(asked.lowered), *cjk_characters(asked.lowered))
        topics = every & frozenset(index_terms(" ".join(carrying)))
        found = list(view.find(sorted(topics), limit=_CANDIDATES)) if topics else []
        more: Sequence[RecordId] = ()
        if len(found) < _CANDIDATES:
            known = frozenset(found)
            more = [name for name in view.find(sorted(every), limit=_CANDIDATES) if name not in known]
            more = more[: _CANDIDATES - len(found)]
        return cls(ids=(*found, *more[:_NAMESAKES]), left_out=len(more[_NAMESAKES:]))


def _found(known: Known, asked: Query, said: Query, *, near: float, policy: Policy) -> Found | None:
    """Return a record that the terms find, or mean, and that what the person said gives leave to tell."""
    record, profile = known.record, known.profile
    if is_inference(record) or (is_claim(record) and is_boundary(record.body.predicate)):
        return None
    leave = cue(said, profile)
    # What gives leave finds as well where the person chose the terms themselves.
    pointed = leave if said is asked else cue(asked, profile)
    meant = near >= policy.recall.embedding.floor
    if not (leave.any and (meant or pointed.any or finds(asked, record, profile))):
        return None
    verdict = decide_record(record, leave)
    if not verdict.allowed or verdict.level < Visibility.MENTION_IF_USER_CUES:
        return None
    return Found(known=known, named=pointed.referenced, near=near)


def _score(found: Found, matched: float, now: Instant, policy: Policy) -> float:
    salience = policy.salience
    relevance = salience.relevance_named if found.named else salience.relevance_implied
    return found_score(found.known.record, relevance=relevance, match=matched, now=now, policy=policy)


def _hit(found: Found, score: float) -> Hit:
    record = found.known.record
    return Hit(
        id=record.id,
        kind=kind_name(record.body),
        text=line_of(record),
        score=score,
        updated_at=record.updated_at,
    )
