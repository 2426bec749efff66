"""What callers hand in, checked once and made into domain values; every complaint names the argument."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import TYPE_CHECKING, TypeVar

from cmemory.domain.errors import UsageError
from cmemory.domain.model.affect import Affect
from cmemory.domain.model.instant import Instant, is_day

if TYPE_CHECKING:
    from cmemory.domain.plan.plan import Plan
    from cmemory.ports.clock import Clock

#: A moment: an aware `datetime`, an ISO 8601 text with a zone, or an `Instant`. None asks the clock of the `Memory`.
When = datetime | str | Instant | None

_E = TypeVar("_E", bound=enum.Enum)


def moment(when: When, field: str, clock: Clock | None) -> Instant:
    """Return the moment that was given; the clock's when none was."""
    if when is None and clock is not None:
        return clock()
    if isinstance(when, Instant):
        return when
    if isinstance(when, datetime):
        return Instant.of(when, field=field)
    return Instant.parse(text(when, field), field=field)


def text(given: object, field: str) -> str:
    """Return what was given if it is a text."""
    if not isinstance(given, str):
        raise UsageError(field=field, problem=f"must be a string, not {type(given).__name__}")
    return given


def filled(given: object, field: str) -> str:
    """Return what was given if it is a text that says something."""
    said = text(given, field)
    if not said.strip():
        raise UsageError(field=field, problem="must not be empty or blank")
    return said


def day(given: object, field: str) -> date:
    """Return the civil day that was given."""
    if not is_day(text(given, field)):
        raise UsageError(field=field, problem="must be a day such as 2026-03-01")
    return date.fromisoformat(str(given))


def count(given: object, field: str) -> int:
    """Return what was given if it is a whole number, 0 or more."""
    if isinstance(given, bool) or not isinstance(given, int) or given < 0:
        raise UsageError(field=field, problem="must be a whole number, 0 or more")
    return given


def shown(plan: Plan | Iterable[str] | None) -> frozenset[str]:
    """Return the ids of the records that a plan shows."""
    # Whoever has a plan to hand in has loaded this already.
    from cmemory.domain.plan.plan import Plan

    if isinstance(plan, Plan):
        return frozenset(item.record_id for _, item in plan.shown)
    if isinstance(plan, str):
        raise UsageError(field="plan", problem="must be a Plan or several ids, not one text")
    return frozenset() if plan is None else frozenset(plan)


def affect(given: object) -> Affect | None:
    """Return the mood that was given."""
    if given is None or isinstance(given, Affect):
        return given
    if not isinstance(given, Mapping):
        raise UsageError(field="affect", problem="must be an Affect or a mapping of its numbers")
    return Affect.read(given)


def member(kind: type[_E], given: object, field: str) -> _E:
    """Return the member of an enum that was given as itself or as its value."""
    if isinstance(given, kind):
        return given
    try:
        return kind(given)
    except ValueError:
        options = ", ".join(str(one.value) for one in kind)
        raise UsageError(field=field, problem=f"must be one of {options}") from None
