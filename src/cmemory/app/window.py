"""Fills a window with earlier words of one conversation: load, decide, and learn once for each turn."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping

import attrs

from cmemory.app.affect import Sensed, sense
from cmemory.app.services import Services
from cmemory.app.shelf import Shelf
from cmemory.domain.model.affect import Affect
from cmemory.domain.model.changes import Changes
from cmemory.domain.model.ids import MessageId, derive_id
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.message import Message
from cmemory.domain.model.scope import Scope
from cmemory.domain.plan.window import Heard, Packed, Window, fill, trace_of, weigh, window_of
from cmemory.domain.policy import WindowPolicy
from cmemory.domain.recall.window import Reading, WindowQuery
from cmemory.domain.scoring.association import Learned, learn
from cmemory.domain.text.normal import well_formed
from cmemory.ports.store import View

_MICROSECONDS_PER_MILLISECOND = 1_000


#: What was read of the utterances of recent conversations.
Readings = Shelf[Mapping[MessageId, Reading]]


def window(
    services: Services,
    readings: Readings,
    scope: Scope,
    query: str,
    *,
    session: str,
    now: Instant,
    token_budget: int | None = None,
    history: bool | None = None,
    affect: Affect | None = None,
    turn: str | None = None,
    shown: frozenset[str] = frozenset(),
) -> Window:
    """Return what the turn may read of what was said earlier in its conversation.

    Args:
        services: store, policy, clock and sink.
        readings: what was read before, which saves time and changes nothing.
        scope: the relationship.
        query: what the person says now.
        session: the conversation; nothing of another one is looked at.
        now: recency and decay count to this moment.
        token_budget: tokens of the whole window at most; the policy's unless given.
        history: whether what was replaced may be shown; told from the query unless given.
        affect: the mood of the query, a hint of low weight; read from a few words, or by a model, unless given.
        turn: the host's name of the turn. With it, what is shown together is learned, once for each pair and turn;
            without it nothing is written.
        shown: records that the turn's plan shows already; the utterances that prove them are left out.
    """
    begun, policy = services.clock(), services.policy.window
    sensed = sense(services, well_formed(query)) if affect is None else Sensed(affect=affect)
    asked = WindowQuery.of(query, policy=policy, history=history, affect=sensed.affect)
    reader, mark = _Reader(readings.get(scope, session) or {}), readings.mark()
    named = None if turn is None else derive_id("turn", scope.key, session, turn)
    with services.store.read(scope) as view:
        heard = _heard(services, scope, view, session, now, shown)
        ranking = weigh(asked, heard, now=now, policy=policy, read=reader)
        seeds = ranking.seeds
        edges = view.edges(session, seeds, limit=policy.association.edge_limit) if seeds else ()
    if not asked.blank:
        readings.put(reader.fresh, scope, session, mark=mark)
    packed = fill(ranking, edges, token_budget=token_budget, turn=named)
    learned = (
        None if named is None else _learned(services, scope, packed, session=session, turn=named, now=now)
    )
    fingerprint = _fingerprint(services, scope, asked)
    trace = trace_of(
        packed,
        trace_id=derive_id("rt", scope.key, session, str(now), fingerprint),
        session=session,
        fingerprint=fingerprint,
        learned=learned,
        affect_failure=sensed.failure,
        duration_ms=(services.clock().microseconds - begun.microseconds) / _MICROSECONDS_PER_MILLISECOND,
    )
    if services.sink is not None:
        services.sink("window", now, trace)
    return window_of(packed, trace)


def _heard(
    services: Services, scope: Scope, view: View, session: str, now: Instant, shown: frozenset[str]
) -> list[Heard]:
    """Return the newest messages of the conversation with how they stand."""
    messages = view.messages(session=session, last=services.policy.window.max_candidates)
    if not messages:
        return []
    bench = services.bench(scope, view, [one.id for one in messages], now=now)
    voiced = bench.voiced(shown)
    return [
        Heard(message=one, standing=bench.standing(one), voiced=voiced.get(one.id, ())) for one in messages
    ]


@attrs.frozen
class _Reader:
    """Reads utterances, and those it knows no second time unless forgetting has blotted out words in them since."""

    known: Mapping[MessageId, Reading]
    #: What was read of those it was asked for, and nothing else.
    fresh: dict[MessageId, Reading] = attrs.field(factory=dict, init=False)

    def __call__(self, message: Message, policy: WindowPolicy) -> Reading:
        before = self.known.get(message.id)
        if before is None or before.message != message:
            before = Reading.of(message, policy)
        return self.fresh.setdefault(message.id, before)


def _learned(
    services: Services, scope: Scope, packed: Packed, *, session: str, turn: str, now: Instant
) -> Learned | None:
    """Write down what the turn teaches, unless it did so before; None when there is nothing to learn from."""
    if len(packed.members) < 2:
        return None
    with services.store.write(scope) as unit:
        present = _present(unit, packed.members)
        learned = learn(
            present,
            unit.edges(session),
            session=session,
            turn=turn,
            now=now,
            policy=services.policy.window.association,
        )
        unit.apply(Changes(edges=learned.put, prune_edges=learned.prune))
    return learned


def _present(view: View, members: Mapping[MessageId, float]) -> dict[MessageId, float]:
    """Return those of the members that nobody erased since they were read."""
    return {name: score for name, score in members.items() if view.message(name) is not None}


def _fingerprint(services: Services, scope: Scope, query: WindowQuery) -> str:
    """Return a keyed digest of the query: it tells equal queries apart from others, and nobody can guess the words."""
    text = "\x00".join((scope.key, "window", query.features.plain))
    return hmac.new(services.store.secret, text.encode("utf-8"), hashlib.sha256).hexdigest()[:32]
