"""Long-term memory for AI companions: governed, provable, forgettable.

>>> from cmemory import Memory
>>> luna = Memory.open().scope(service="my-app", owner="u-42", profile="luna")
>>> [one.outcome.value for one in luna.remember("我叫周眠。", at="2026-03-01T09:00:00Z")]
['accepted']

A name is loaded when it is first used: who only wants an error or a moment, or starts a worker in a process of its own,
does not wait for the rest.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cmemory.domain.errors import (
        CMemoryError,
        MissingExtraError,
        ModelError,
        StoreError,
        UsageError,
        WireError,
        WorkerError,
    )
    from cmemory.domain.forget.erase import ByEntity, ByPredicate, Everything, ForgetReport, Records
    from cmemory.domain.model.instant import Instant
    from cmemory.domain.model.scope import Scope
    from cmemory.domain.plan.plan import Channel, Plan
    from cmemory.domain.policy import COMPANION, GOVERNED, Policy
    from cmemory.domain.scoring.salience import Signal
    from cmemory.memory import Memory, ScopedMemory

__all__ = [
    "COMPANION",
    "GOVERNED",
    "ByEntity",
    "ByPredicate",
    "CMemoryError",
    "Channel",
    "Everything",
    "ForgetReport",
    "Instant",
    "Memory",
    "MissingExtraError",
    "ModelError",
    "Plan",
    "Policy",
    "Records",
    "Scope",
    "ScopedMemory",
    "Signal",
    "StoreError",
    "UsageError",
    "WireError",
    "WorkerError",
]

#: Where each public name comes from.
_HOMES = {
    "ByEntity": "cmemory.domain.forget.erase",
    "ByPredicate": "cmemory.domain.forget.erase",
    "CMemoryError": "cmemory.domain.errors",
    "COMPANION": "cmemory.domain.policy",
    "Channel": "cmemory.domain.plan.plan",
    "Everything": "cmemory.domain.forget.erase",
    "ForgetReport": "cmemory.domain.forget.erase",
    "GOVERNED": "cmemory.domain.policy",
    "Instant": "cmemory.domain.model.instant",
    "Memory": "cmemory.memory",
    "MissingExtraError": "cmemory.domain.errors",
    "ModelError": "cmemory.domain.errors",
    "Plan": "cmemory.domain.plan.plan",
    "Policy": "cmemory.domain.policy",
    "Records": "cmemory.domain.forget.erase",
    "Scope": "cmemory.domain.model.scope",
    "ScopedMemory": "cmemory.memory",
    "Signal": "cmemory.domain.scoring.salience",
    "StoreError": "cmemory.domain.errors",
    "UsageError": "cmemory.domain.errors",
    "WireError": "cmemory.domain.errors",
    "WorkerError": "cmemory.domain.errors",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(_HOMES[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
