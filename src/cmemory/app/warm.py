"""Prepares the memory of one turn."""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from cmemory.app.services import Services
from cmemory.app.shelf import Mark, Shelf
from cmemory.domain.model.changes import Changes
from cmemory.domain.model.ids import MessageId, Revision
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.message import Speaker
from cmemory.domain.model.record import is_inference
from cmemory.domain.model.scope import Scope
from cmemory.domain.plan.budget import worded
from cmemory.domain.plan.compose import AtRest, Turn, at_rest, compose, is_greeting
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


@attrs.frozen(kw_only=True)
class _Prepared:
    """A roster with how its records stand at rest, good for one revision and one day."""

    roster: Roster
    resting: AtRest
    day: int
    #: The moment it was made for, when some record's validity depends on the clock; else None.
    moment: Instant | None

    def serves(self, revision: Revision, now: Instant) -> bool:
        return self.roster.revision == revision and self.day == now.day_number and self.moment in (None, now)


class Planner:
    """Makes plans, keeping the prepared records of recent relationships until their revision moves."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._rosters: Shelf[_Prepared] = Shelf(_KEPT_ROSTERS)
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
        with self._services.store.read(scope) as view:
            fresh = _begins(view, session, message) if new_session is None else new_session
            today = str(now.civil(self._services.zone).date())
            turn = Turn(query=query, forced=forced, session=session, new_session=fresh, today=today)
            plan, changes = self._compose(scope, view, turn, now, mark)
        if changes:
            with self._services.store.write(scope) as unit:
                plan, changes = self._compose(scope, unit, turn, now, mark)
                unit.apply(changes)
        if self._services.sink is not None:
            self._services.sink("prepare", now, plan.trace)
        return attrs.evolve(plan, text=worded(plan, self._services.policy.plan.max_tokens))

    def _compose(
        self, scope: Scope, view: View, turn: Turn, now: Instant, mark: Mark
    ) -> tuple[Plan, Changes]:
        prepared = self._prepared(scope, view, now, mark)
        return compose(prepared.roster, turn, resting=prepared.resting, now=now, policy=self._services.policy)

    def _prepared(self, scope: Scope, view: View, now: Instant, mark: Mark) -> _Prepared:
        revision = view.revision()
        kept = self._rosters.get(scope)
        if kept is not None and kept.serves(revision, now):
            return kept
        made = self._make(scope, view, revision, now)
        self._rosters.put(made, scope, mark=mark)
        return made

    def _make(self, scope: Scope, view: View, revision: Revision, now: Instant) -> _Prepared:
        guard = self._services.guard(scope, view)
        records = [record for record in view.records() if not guard.hides(record)]
        promotion = self._services.promotion
        roster = Roster.of(records, view.threads(), revision=revision, now=now, promotion=promotion)
        timed = any(record.valid_until is not None for record in records) or (
            promotion.open and any(is_inference(one) and one.body.expires_at is not None for one in records)
        )
        return _Prepared(
            roster=roster,
            resting=at_rest(roster, now=now, policy=self._services.policy),
            day=now.day_number,
            moment=now if timed else None,
        )


def _begins(view: View, session: str, message: str) -> bool:
    """Tell whether a conversation has only just begun: a greeting, and nothing was said in it before this message."""
    if not session or not is_greeting(message):
        return False
    return len(view.messages(session=session, speaker=Speaker.USER)) <= 1
