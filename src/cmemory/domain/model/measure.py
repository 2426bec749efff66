"""Measures with their bounds, stated once."""

from __future__ import annotations

import math
from typing import Any

import attrs

from cmemory.domain.errors import UsageError


def clamp_unit(value: float) -> float:
    """Return the value held within 0 and 1; not-a-number counts as 0."""
    if math.isnan(value):
        return 0.0
    return min(1.0, max(0.0, float(value)))


def clamp_signed_unit(value: float) -> float:
    """Return the value held within -1 and 1; not-a-number counts as 0."""
    if math.isnan(value):
        return 0.0
    return min(1.0, max(-1.0, float(value)))


def in_unit(_: object, attribute: attrs.Attribute[Any], value: object) -> None:
    """Validate that an attrs field holds a finite number from 0 to 1."""
    checked_unit(value, attribute.name)


def checked_unit(value: object, field: str) -> float:
    """Return a finite number from 0 to 1, or raise a `UsageError` that names the field."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0.0 <= value <= 1.0:
        raise UsageError(field=field, problem="must be a number from 0 to 1")
    return value


def in_signed_unit(_: object, attribute: attrs.Attribute[Any], value: object) -> None:
    """Validate that an attrs field holds a finite number from -1 to 1."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not -1.0 <= value <= 1.0:
        raise UsageError(field=attribute.name, problem="must be a number from -1 to 1")
