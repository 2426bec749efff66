"""Where traces go."""

from __future__ import annotations

from typing import Protocol

from cmemory.domain.model.instant import Instant
from cmemory.domain.trace import Trace


class TraceSink(Protocol):
    """Takes the trace of one call. Must not raise: losing a trace is better than losing a turn.

    Args:
        call: the use case, such as ``prepare``.
        at: the moment of the call.
        trace: ids, counts and codes; never text.
    """

    def __call__(self, call: str, at: Instant, trace: Trace) -> None: ...
