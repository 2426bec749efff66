"""The lattice of openness: every gate meets, none joins, so one more gate can only make a record quieter."""

from __future__ import annotations

from cmemory.domain.predicates.registry import Visibility


def meet(*levels: Visibility) -> Visibility:
    """Return the quietest of the levels; FREELY_MENTIONABLE, the top, when there are none."""
    return min(levels, default=Visibility.FREELY_MENTIONABLE)
