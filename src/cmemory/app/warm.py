"""What is kept at hand of recent relationships, so that the memory of a turn is prepared quickly."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from cmemory import app
from cmemory.app.shelf import Shelf
from cmemory.domain.text.tokens import stem

# A planner is made with every `Memory`; what makes a plan is loaded with the first one.
if TYPE_CHECKING:
    from cmemory.app.familiar import Familiar
    from cmemory.app.services import Services
    from cmemory.domain.model.ids import MessageId
    from cmemory.domain.model.instant import Instant
    from cmemory.domain.model.scope import Scope
    from cmemory.domain.plan.plan import Plan
    from cmemory.domain.plan.roster import Roster
    from cmemory.domain.recall.window import Reading

#: Relationships whose prepared records are kept at hand.
_KEPT_ROSTERS = 64

#: Conversations whose utterances are kept as they were read; one with as many as are weighed takes some 11 MB.
_KEPT_CONVERSATIONS = 4

#: Relationships whose records are kept as a search found them; ten thousand short ones take some 30 MB.
_KEPT_FAMILIAR = 4


class Planner:
    """Makes plans, keeping the prepared records of recent relationships until their revision moves."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._rosters: Shelf[Roster] = Shelf(_KEPT_ROSTERS)
        #: What was read of the utterances of recent conversations, for `cmemory.app.window`.
        self.readings: Shelf[Mapping[MessageId, Reading]] = Shelf(_KEPT_CONVERSATIONS)
        #: What was read of the records that recent searches found, for `cmemory.app.query`.
        self.familiar: Shelf[Familiar] = Shelf(_KEPT_FAMILIAR)

    def drop(self, scope: Scope) -> None:
        """Let go of every word of a relationship."""
        self._rosters.drop(scope)
        self.readings.drop(scope)
        self.familiar.drop(scope)
        # Stems are kept for the whole process and know no relationship.
        stem.cache_clear()

    def forget(self, scope: Scope, *, now: Instant) -> None:
        """Let go of what was forgotten, and keep what was prepared of all else."""
        kept = self._rosters.get(scope)
        self.drop(scope)
        if kept is None:
            return
        mark = self._rosters.mark()
        with self._services.store.read(scope) as view:
            made = app.prepare.kept_up(self._services, scope, view, kept, now)
        if made is not None:
            self._rosters.put(made, scope, mark=mark)
        # What was forgotten has been read once more, to take it out.
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
        return app.prepare.prepare(
            self._services,
            self._rosters,
            scope,
            message,
            now=now,
            session=session,
            new_session=new_session,
            forced=forced,
        )
