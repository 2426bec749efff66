"""Use cases: load, decide, save in one transaction. They hold no rules of their own.

``app.learn`` is loaded when it is first named, and so is every other use case: a process that only writes down what was
said never loads what plans, reviews or forgets. Whoever needs a use case whenever it runs imports it by its own name.
"""

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cmemory.app import (
        actions,
        amend,
        compact,
        consolidate,
        drain,
        embed,
        forget,
        inbox,
        infer,
        inspect,
        learn,
        maintain,
        mood,
        notes,
        observe,
        prepare,
        query,
        remember,
        review,
        selfcheck,
        session,
        utterances,
        warm,
        window,
    )

__all__ = [
    "actions",
    "amend",
    "compact",
    "consolidate",
    "drain",
    "embed",
    "forget",
    "inbox",
    "infer",
    "inspect",
    "learn",
    "maintain",
    "mood",
    "notes",
    "observe",
    "prepare",
    "query",
    "remember",
    "review",
    "selfcheck",
    "session",
    "utterances",
    "warm",
    "window",
]


def __getattr__(name: str) -> ModuleType:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module(f"{__name__}.{name}")
