"""Prepares the memory of one turn."""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from cmemory.app.services import Services
from cmemory.app.shelf import Mark, Shelf
from cmemory.domain.model.ids import MessageId
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.message import Speaker
from cmemory.domain.model.scope import Scope
from cmemory.domain.plan.budget import worded
from cmemory.domain.plan.compose import Turn, compose, is_greeting
from cmemory.domain.plan.plan import Plan
from cmemory.domain.plan.roster import Roster
from cmemory.domain.recall.query import Query
from cmemory.domain.recall.window import Reading
from cmemory.domain.text.tokens import stem
from cmemory.ports.store import View

#: Relationships whose prepared records are kept at hand.
_KEPT_ROSTERS = 64

#: Conversations whose utterances are kept as they were read; one with as many as are weighed takes some 11 MB.
_KEPT_CONVERSATIONS = 4


class Planner:
    """Makes plans, keeping the prepared records of recent relationships until their revision moves."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._rosters: Shelf[Roster] = Shelf(_KEPT_ROSTERS)
        #: What was read of the utterances of recent conversations, for `cmemory.app.window`.
        self.readings: Shelf[Mapping[MessageId, Reading]] = Shelf(_KEPT_CONVERSATIONS)

    def drop(self, scope: Scope) -> None:
        """Let go of every word of a relationship, once something in it was forgotten."""
        self._rosters.drop(scope)
        self.readings.drop(scope)
        # Stems are kept for the whole process and know no relationship.
        stem.cache_clear()

    def prepare(
        self,
        scope: Scope,
        message: str,
        *,
        now: Instant,
        session: str = "",
        new_session: bool | None = None,
        forced: frozenset[str] = frozenset(),
    ) -> Plan:
        """Return the plan for a message, rendered.

        Only a greeting that picks up an open thread writes; every other turn only reads.

        Args:
            message: what the person just said.
            now: the moment of the turn.
            session: the conversation; needed for a follow-up.
            new_session: whether the conversation begins here; None to tell from the log: it holds at most this message.
            forced: records an evaluation insists on.
        """
        query, mark = Query.of(message), self._rosters.mark()
        # Looked up before the store is read, so that it is never newer than what is read.
        kept = self._rosters.get(scope)
        with self._services.store.read(scope) as view:
            fresh = _begins(view, session, message) if new_session is None else new_session
            today = str(now.civil(self._services.zone).date())
            turn = Turn(query=query, forced=forced, session=session, new_session=fresh, today=today)
            roster = self._roster(scope, view, kept, now, mark)
            plan, changes = compose(roster, _with_threads(turn, view), now=now)
        if changes:
            with self._services.store.write(scope) as unit:
                roster = self._roster(scope, unit, roster, now, mark)
                plan, changes = compose(roster, _with_threads(turn, unit), now=now)
                unit.apply(changes)
        if self._services.sink is not None:
            self._services.sink("prepare", now, plan.trace)
        return attrs.evolve(plan, text=worded(plan, self._services.policy.plan.max_tokens))

    def _roster(self, scope: Scope, view: View, kept: Roster | None, now: Instant, mark: Mark) -> Roster:
        """Return the roster as the view has it, made from the kept one where that is possible."""
        revision = view.revision()
        if kept is not None and kept.serves(revision, now):
            return kept
        made = None if kept is None else self._kept_up(scope, view, kept, now)
        if made is None:
            hides = self._services.guard(scope, view).hides
            records = [record for record in view.records() if not hides(record)]
            made = Roster.of(
                records,
                revision=revision,
                now=now,
                policy=self._services.policy,
                promotion=self._services.promotion,
            )
        self._rosters.put(made, scope, mark=mark)
        return made

    def _kept_up(self, scope: Scope, view: View, kept: Roster, now: Instant) -> Roster | None:
        """Return the roster with what changed since; None where the store cannot tell that."""
        changed = view.changes_since(kept.revision)
        if changed is None:
            return None
        hides = self._services.guard(scope, view).hides if changed else None
        hidden = [record for record in changed if hides is not None and hides(record)]
        seen = (record for record in changed if record not in hidden)
        return kept.after(seen, (one.id for one in hidden), revision=view.revision(), now=now)


def _with_threads(turn: Turn, view: View) -> Turn:
    """Return the turn with the threads its message may pick up."""
    greets = turn.new_session and turn.session and is_greeting(turn.query.text)
    return attrs.evolve(turn, threads=tuple(view.threads())) if greets else turn


def _begins(view: View, session: str, message: str) -> bool:
    """Tell whether a conversation has only just begun: a greeting, and nothing was said in it before this message."""
    if not session or not is_greeting(message):
        return False
    return len(view.messages(session=session, speaker=Speaker.USER, last=2)) <= 1
