"""The vector of one text, as it is kept: half-precision floats, which lose nothing that ranking would see."""

from __future__ import annotations

import enum
import math
import struct
from collections.abc import Sequence

import attrs

from cmemory.domain.errors import UsageError

#: Little-endian on every machine, so that a database may move.
_ORDER = "<"
_HALF = "e"
_BYTES = 2


class Embedded(enum.Enum):
    """What a vector belongs to."""

    MESSAGE = "message"
    RECORD = "record"


@attrs.frozen(kw_only=True)
class Embedding:
    """One vector. A text has one at most; that of another model replaces it."""

    kind: Embedded
    #: Id of the message or record.
    id: str
    #: Which model made it; see `ports.embedder.Embedder.name`.
    model: str
    #: Half-precision floats of length 1 together; empty for a text that was looked at and has no vector.
    vector: bytes = attrs.field(default=b"", repr=False)


def packed(values: Sequence[float]) -> bytes:
    """Return a vector at length 1 as it is kept.

    >>> len(packed([3.0, 4.0])), [round(value, 2) for value in unpacked(packed([3.0, 4.0]))]
    (4, [0.6, 0.8])

    Raises:
        UsageError: it has no places, no length, or a place that is no number.
    """
    # Scaled first, so that large places do not overflow when squared.
    most = max(map(abs, values), default=0.0)
    if not (math.isfinite(most) and most > 0 and all(map(math.isfinite, values))):
        raise UsageError(field="vector", problem="must have finite places, not all of them 0")
    scaled = [value / most for value in values]
    norm = math.sqrt(math.fsum(value * value for value in scaled))
    return struct.pack(f"{_ORDER}{len(scaled)}{_HALF}", *(value / norm for value in scaled))


def unpacked(vector: bytes) -> tuple[float, ...]:
    """Return the places of a vector that is kept."""
    return struct.unpack(f"{_ORDER}{len(vector) // _BYTES}{_HALF}", vector[: len(vector) // _BYTES * _BYTES])
