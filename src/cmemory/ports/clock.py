"""The time of day, asked for only where a host left it out."""

from __future__ import annotations

from typing import Protocol

from cmemory.domain.model.instant import Instant


class Clock(Protocol):
    """Returns the present moment; successive calls may return the same one, and may go backwards."""

    def __call__(self) -> Instant: ...
