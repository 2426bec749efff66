"""What every use case needs, handed in once by the composition root."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo

import attrs

from cmemory.domain.evidence.suppression import Guard
from cmemory.domain.model.scope import Scope
from cmemory.domain.policy import Policy
from cmemory.ports.clock import Clock
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
    #: The language model, None when there is none; only where the policy asks for it is it used beside the extractor.
    model: Model | None = None
    clock: Clock
    #: Takes the traces; None when nobody wants them, so that none is made.
    sink: TraceSink | None
    policy: Policy
    #: Where the person lives, for civil days such as "tomorrow".
    zone: tzinfo
    #: Asked for what no rule can do, such as the notes of a day; None when none is configured.
    model: Model | None = None
    #: Where messages wait that the database does not have yet; None when none is attached.
    journal: Journal | None = None

    def guard(self, scope: Scope, view: View) -> Guard:
        """Return what the scope must not see again, as the view has it."""
        return Guard.of(
            view.suppressions(),
            view.fingerprints(),
            scope=scope,
            secret=self.store.secret,
            policy=self.policy.forgetting,
        )

    def queued(self, scope: Scope) -> Sequence[Waiting]:
        """Return what waits in the attached journal, dead ones included; nothing when none is attached."""
        return () if self.journal is None else self.journal.inbox(scope).held()
