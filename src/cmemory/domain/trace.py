"""What a decision saw: names, counts, codes and hashes, never the person's words.

A trace may be logged, stored and sent to a dashboard without telling anybody what was said.
"""

from __future__ import annotations

import attrs


@attrs.frozen(kw_only=True)
class Step:
    """One thing that was decided."""

    #: What kind of decision, such as ``gate`` or ``budget``.
    name: str
    #: The record or candidate it was about.
    subject: str
    #: Where it ended, such as a channel.
    outcome: str
    #: The stable code of why.
    reason: str
    #: How it was weighed, where weighing took place.
    score: float | None = None


@attrs.frozen(kw_only=True)
class Trace:
    """All steps of one call, in the order in which they were taken."""

    steps: tuple[Step, ...] = ()

    def about(self, subject: str) -> tuple[Step, ...]:
        """Return the steps that concern one record or candidate."""
        return tuple(step for step in self.steps if step.subject == subject)
