"""Prepares the memory of one turn."""

from __future__ import annotations

import attrs

from cmemory.app.services import Services
from cmemory.app.shelf import Mark, Shelf
from cmemory.domain.model.ids import RecordId
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.message import Speaker
from cmemory.domain.model.scope import Scope
from cmemory.domain.plan.budget import worded
from cmemory.domain.plan.compose import Turn, compose, is_greeting
from cmemory.domain.plan.plan import Plan
from cmemory.domain.plan.roster import Roster
from cmemory.domain.recall.query import Query
from cmemory.ports.store import View


def prepare(
    services: Services,
    rosters: Shelf[Roster],
    scope: Scope,
    message: str,
    *,
    now: Instant,
    session: str,
    new_session: bool | None,
    forced: frozenset[str],
) -> Plan:
    """Return the plan for a message, rendered; see `cmemory.app.warm.Planner.prepare`.

    Args:
        services: the ports and settings.
        rosters: the prepared records of recent relationships.
        scope: whose memory it is.
        message, now, session, new_session, forced: as in `Planner.prepare`.
    """
    query, mark = Query.of(message), rosters.mark()
    # Looked up before the store is read, so that it is never newer than what is read.
    kept = rosters.get(scope)
    with services.store.read(scope) as view:
        fresh = _begins(view, session, message) if new_session is None else new_session
        today = str(now.civil(services.zone).date())
        turn = Turn(query=query, forced=forced, session=session, new_session=fresh, today=today)
        roster = _roster(services, rosters, scope, view, kept, now, mark)
        plan, changes = compose(roster, _with_threads(turn, view), now=now)
    if changes:
        with services.store.write(scope) as unit:
            roster = _roster(services, rosters, scope, unit, roster, now, mark)
            plan, changes = compose(roster, _with_threads(turn, unit), now=now)
            unit.apply(changes)
    if services.sink is not None:
        services.sink("prepare", now, plan.trace)
    return attrs.evolve(plan, text=worded(plan, services.policy.plan.max_tokens))


def _roster(
    services: Services,
    rosters: Shelf[Roster],
    scope: Scope,
    view: View,
    kept: Roster | None,
    now: Instant,
    mark: Mark,
) -> Roster:
    """Return the roster as the view has it, made from the kept one where that is possible."""
    revision = view.revision()
    if kept is not None and kept.serves(revision, now):
        return kept
    made = None if kept is None else kept_up(services, scope, view, kept, now)
    if made is None:
        hides = services.guard(scope, view).hides
        records = [record for record in view.records() if not hides(record)]
        made = Roster.of(
            records,
            revision=revision,
            now=now,
            policy=services.policy,
            promotion=services.promotion,
        )
    rosters.put(made, scope, mark=mark)
    return made


def kept_up(services: Services, scope: Scope, view: View, kept: Roster, now: Instant) -> Roster | None:
    """Return the roster with what changed since; None where the store cannot tell that."""
    since = view.changes_since(kept.revision)
    if since is None:
        return None
    hides = services.guard(scope, view).hides if since.records else None
    hidden = {one.id for one in since.records if hides is not None and hides(one)}
    seen = (record for record in since.records if record.id not in hidden)
    gone = map(RecordId, since.suppressed)
    return kept.after(seen, (*hidden, *gone), revision=view.revision(), now=now)


def _with_threads(turn: Turn, view: View) -> Turn:
    """Return the turn with the threads its message may pick up."""
    greets = turn.new_session and turn.session and is_greeting(turn.query.text)
    return attrs.evolve(turn, threads=tuple(view.threads())) if greets else turn


def _begins(view: View, session: str, message: str) -> bool:
    """Tell whether a conversation has only just begun: a greeting, and nothing was said in it before this message."""
    if not session or not is_greeting(message):
        return False
    return len(view.messages(session=session, speaker=Speaker.USER, last=2)) <= 1
