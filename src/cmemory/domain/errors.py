"""The one exception family.

A *refusal* is a value (`Admission`, `Verdict`); an exception here means that a call could not be carried out at all.
Messages name the field or place at fault and never quote what a person said.
"""

from __future__ import annotations

import attrs


class CMemoryError(Exception):
    """Base of everything this library raises on purpose; never raised itself."""


@attrs.frozen(kw_only=True)
class UsageError(CMemoryError):
    """The caller handed over something that cannot be used."""

    #: The argument or path at fault, such as ``now`` or ``$.a[2].b``.
    field: str
    #: What is wrong with it, without repeating the value.
    problem: str

    def __str__(self) -> str:
        return f"{self.field}: {self.problem}"


@attrs.frozen(kw_only=True)
class WireError(CMemoryError):
    """A document or a line from outside is malformed."""

    #: Where: a JSON path such as ``$.a[2].b``, or ``line 7``.
    path: str
    problem: str

    def __str__(self) -> str:
        return f"{self.problem} @ {self.path}"


@attrs.frozen(kw_only=True)
class StoreError(CMemoryError):
    """The store could not do what was asked; nothing was written."""

    #: What was being done, for example ``open`` or ``write``.
    action: str
    problem: str
    #: Whether the same call may succeed later (a busy database) or never will (a conflict).
    retryable: bool = False

    def __str__(self) -> str:
        again = " (may succeed later)" if self.retryable else ""
        return f"{self.action}: {self.problem}{again}"


@attrs.frozen(kw_only=True)
class ModelError(CMemoryError):
    """A model, of language or of embeddings, gave no usable answer."""

    problem: str
    retryable: bool = True

    def __str__(self) -> str:
        return self.problem


@attrs.frozen(kw_only=True)
class WorkerError(CMemoryError):
    """A worker process gave no answer, or answered that it could not do what was asked."""

    #: A code of the client, such as ``WORKER_TIMEOUT``, or the worker's own, such as ``STORAGE_ERROR``.
    code: str
    #: What went wrong, without any contents.
    problem: str
    #: Whether the same call may succeed later.
    retryable: bool = True

    def __str__(self) -> str:
        return f"{self.code}: {self.problem}"


@attrs.frozen(kw_only=True)
class MissingExtraError(CMemoryError):
    """An optional part of the library is not installed."""

    extra: str

    def __str__(self) -> str:
        return f"this needs an optional dependency: pip install 'cmemory[{self.extra}]'"
