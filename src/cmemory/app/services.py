"""What every use case needs, handed in once by the composition root."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo
from typing import TYPE_CHECKING

import attrs

from cmemory.domain.evidence.suppression import Guard
from cmemory.domain.policy import Policy
from cmemory.domain.predicates.registry import BOUNDARIES, HARMLESS
from cmemory.domain.recall.nearness import Vector
from cmemory.domain.reflect.quality import CLOSED, Gate

# Every use case takes the services, so they load only what every use case needs.
if TYPE_CHECKING:
    from cmemory.domain.gates.standing import Bench
    from cmemory.domain.model.instant import Instant
    from cmemory.domain.model.scope import Scope
    from cmemory.ports.clock import Clock
    from cmemory.ports.embedder import Embedder
    from cmemory.ports.extractor import Extractor
    from cmemory.ports.inbox import Journal, Waiting
    from cmemory.ports.model import Model
    from cmemory.ports.sink import TraceSink
    from cmemory.ports.store import Store, View


@attrs.frozen(kw_only=True)
class Services:
    """The ports and settings of one `Memory`."""

    store: Store
    extractor: Extractor
    clock: Clock
    #: Takes the traces; None when nobody wants them, so that none is made.
    sink: TraceSink | None
    policy: Policy
    #: Where the person lives, for civil days such as "tomorrow".
    zone: tzinfo
    #: Asked beside the extractor for the notes of a day, and for a mood where the policy says so; None when there is none.
    model: Model | None = None
    #: Makes vectors of what is kept and of what is looked for; None when words count alone.
    embedder: Embedder | None = None
    #: Where messages wait that the database does not have yet; None when none is attached.
    journal: Journal | None = None
    #: Whether conclusions may be promoted and used.
    promotion: Gate = CLOSED
    #: Mean vectors of what people usually say, English and Chinese, by model; filled when one is first needed.
    usual: dict[str, tuple[Vector, Vector]] = attrs.field(factory=dict, eq=False, repr=False)

    def guard(self, scope: Scope, view: View) -> Guard:
        """Return what the scope must not see again, as the view has it."""
        return Guard.of(
            view.suppressions(),
            view.fingerprints(),
            scope=scope,
            secret=self.store.secret,
            policy=self.policy.forgetting,
        )

    def bench(self, scope: Scope, view: View, message_ids: Sequence[str], *, now: Instant) -> Bench:
        """Return what decides how these messages stand, as the view has it."""
        from cmemory.domain.gates.standing import Bench

        # A boundary that one of the messages proves is in both.
        proven = (*view.under(BOUNDARIES), *view.proven(message_ids))
        records = {record.id: record for record in proven}
        return Bench.of(records.values(), guard=self.guard(scope, view), now=now)

    def silences(self, scope: Scope, view: View, message_ids: Sequence[str], *, now: Instant) -> Bench:
        """Return as much of `bench` as tells which of these messages somebody asked not to hear of.

        What is neither muted nor put away nor of a kind that silences is not read: where much was learned, that is
        nearly all.
        """
        from cmemory.domain.gates.standing import Bench

        proven = (*view.under(BOUNDARIES), *view.proven(message_ids, without=HARMLESS))
        records = {record.id: record for record in proven}
        return Bench.of(records.values(), guard=self.guard(scope, view), now=now)

    def queued(self, scope: Scope) -> Sequence[Waiting]:
        """Return what waits in the attached journal, dead ones included; nothing when none is attached."""
        return () if self.journal is None else self.journal.inbox(scope).held()
