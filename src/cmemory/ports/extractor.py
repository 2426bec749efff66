"""Who proposes candidates from what was said."""

from __future__ import annotations

from typing import Protocol

import attrs

from cmemory.domain.model.candidate import Candidate, PendingCandidate
from cmemory.domain.model.message import Message
from cmemory.domain.model.record import Provenance


@attrs.frozen(kw_only=True)
class Extraction:
    """What was proposed for one message."""

    candidates: tuple[Candidate, ...] = ()
    pending: tuple[PendingCandidate, ...] = ()
    provenance: Provenance
    #: Whether the proposer's answer could be read. An unreadable one proposes nothing and is recorded as such.
    readable: bool = True
    #: Items of the answer that were no candidates, or quoted nothing that was said.
    dropped: int = 0


class Extractor(Protocol):
    """Proposes; never decides. Called outside any transaction, since it may take seconds."""

    @property
    def immediate(self) -> bool:
        """Whether it answers at once, so that many messages may be learned in one transaction."""
        ...

    def __call__(self, message: Message) -> Extraction:
        """Return candidates whose quotes stand in the message.

        Raises:
            ModelError: nothing could be proposed now; the message stays in the inbox.
        """
        ...
