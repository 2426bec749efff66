"""Who turns texts into vectors, so that words of one meaning are found by one another."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import Protocol


class Purpose(enum.Enum):
    """What a vector is for; some models read a question otherwise than what answers it."""

    #: What somebody looks for. A person waits for the answer, so nothing is tried twice.
    QUERY = "query"
    #: What is kept and may be found.
    PASSAGE = "passage"


class Embedder(Protocol):
    """Turns texts into vectors. Called outside any transaction, since it may take seconds."""

    @property
    def name(self) -> str:
        """Which model answers, with everything that changes its vectors. Vectors of two names are never compared."""
        ...

    @property
    def dimensions(self) -> int | None:
        """Return how many places a vector has; None until that is known."""
        ...

    def embed(self, texts: Sequence[str], *, purpose: Purpose) -> Sequence[Sequence[float]]:
        """Return one vector for each text, in their order, all of one length; their own length need not be 1.

        Idempotent: the same text has the same vector, up to the rounding of the model.

        Raises:
            ModelError: no vectors were to be had; ``retryable`` tells whether trying again makes sense.
        """
        ...
