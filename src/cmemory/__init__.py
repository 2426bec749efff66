"""Long-term memory for AI companions: governed, provable, forgettable.

>>> from cmemory import Memory
>>> luna = Memory.open().scope(service="my-app", owner="u-42", profile="luna")
>>> [one.outcome.value for one in luna.remember("我叫周眠。", at="2026-03-01T09:00:00Z")]
['accepted']
"""

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
