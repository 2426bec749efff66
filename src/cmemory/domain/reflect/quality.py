"""Whether reading is good enough to draw conclusions from: what was measured, and the gate that it opens.

A conclusion rests on facts that somebody read out of messages. Nothing is promoted before whoever read them was measured
on labelled messages, and a measurement speaks for that reader alone, in that version.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable

import attrs

from cmemory.domain.model.record import Provenance
from cmemory.domain.policy import InferencePolicy


@attrs.frozen(kw_only=True)
class Figures:
    """How reading did on one group of messages."""

    #: A language, a predicate, or ``all``.
    name: str
    #: Facts that the labels state, facts that were admitted, and those that are both.
    expected: int
    proposed: int
    right: int

    @property
    def precision(self) -> float | None:
        """Share of what was admitted that is right, None when nothing was."""
        return self.right / self.proposed if self.proposed else None

    @property
    def recall(self) -> float | None:
        """Share of what is stated that was admitted, None when nothing is."""
        return self.right / self.expected if self.expected else None


@attrs.frozen(kw_only=True)
class Quality:
    """A stored measurement of one reader."""

    #: Who read: the provenance that its facts carry.
    proposer: str
    version: str
    model: str | None = None
    #: Digest of the rules or the prompt, and of the labelled messages.
    reader: str
    labels: str
    #: Labelled messages, and those that got no answer.
    messages: int
    failed: int
    overall: Figures
    languages: tuple[Figures, ...]
    predicates: tuple[Figures, ...]


class Shortage(enum.Enum):
    """Why a measurement does not open promotion."""

    #: There is none.
    NOT_MEASURED = "not_measured"
    #: The rules or the prompt have changed since.
    READER_CHANGED = "reader_changed"
    TOO_FEW_MESSAGES = "too_few_messages"
    #: Too much of what was admitted is wrong, in all or in one language.
    PRECISION_TOO_LOW = "precision_too_low"
    #: Too little of what is stated was admitted, in all or in one language.
    RECALL_TOO_LOW = "recall_too_low"


@attrs.frozen(kw_only=True)
class Gate:
    """Whether conclusions may be promoted and used."""

    quality: Quality | None = None
    shortages: tuple[Shortage, ...] = (Shortage.NOT_MEASURED,)

    @property
    def open(self) -> bool:
        """Whether a sufficient measurement is there."""
        return not self.shortages

    def covers(self, provenances: Iterable[Provenance]) -> bool:
        """Tell whether the measurement speaks for all that read these facts."""
        measured = self.quality
        return (
            self.open
            and measured is not None
            and all(
                (one.proposer, one.version, one.model)
                == (measured.proposer, measured.version, measured.model)
                for one in provenances
            )
        )


#: Nothing was measured.
CLOSED = Gate()


def gate(quality: Quality, *, reader: str, policy: InferencePolicy) -> Gate:
    """Return the gate that a measurement opens, or keeps closed and why.

    Args:
        quality: the stored measurement.
        reader: digest of the rules or the prompt as they are now.
        policy: what is asked for.
    """
    groups = (quality.overall, *quality.languages)
    checks = (
        (quality.reader != reader, Shortage.READER_CHANGED),
        (quality.messages < policy.min_messages, Shortage.TOO_FEW_MESSAGES),
        (_below((one.precision for one in groups), policy.min_precision), Shortage.PRECISION_TOO_LOW),
        (_below((one.recall for one in groups), policy.min_recall), Shortage.RECALL_TOO_LOW),
    )
    return Gate(quality=quality, shortages=tuple(short for missing, short in checks if missing))


def _below(shares: Iterable[float | None], least: float) -> bool:
    """Tell whether any share is too low; one that could not be measured is."""
    return any(share is None or share < least for share in shares)
