"""Runs one piece of work for a host: within a deadline, until nobody waits any more, and with every failure as a code.

A task's error is looked at, not caught, so that whatever a host's service raises, or a bug of ours, ends here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

import attrs

from cmemory.adapters.hosts.wechat.contract import REVISION_CONFLICT, Code, Signal
from cmemory.domain.errors import CMemoryError, WireError

_T = TypeVar("_T")


@attrs.frozen(kw_only=True)
class CallError(CMemoryError):
    """A call of the host that was not carried out."""

    code: Code
    #: What went wrong, in names of fields and types, never in contents.
    problem: str = ""

    def __str__(self) -> str:
        return f"{self.code.value}: {self.problem}" if self.problem else self.code.value


class Never:
    """The signal of a call that came without one."""

    def is_set(self) -> bool:
        """Nobody has stopped waiting."""
        return False

    async def wait(self) -> object:
        """Wait for ever."""
        return await asyncio.get_running_loop().create_future()


class Either:
    """A signal that is set as soon as one of two is."""

    def __init__(self, one: Signal, other: Signal) -> None:
        self._both = (one, other)

    def is_set(self) -> bool:
        """Tell whether one of them is."""
        return any(one.is_set() for one in self._both)

    async def wait(self) -> object:
        """Wait for the first of them."""
        waits = [asyncio.ensure_future(_set(one)) for one in self._both]
        try:
            return await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
                wait.add_done_callback(_look)


async def within(
    work: Coroutine[Any, Any, _T],
    *,
    milliseconds: float | None,
    signal: Signal,
    failure: Code = Code.MEMORY_FAILED,
) -> _T:
    """Return what the work returns.

    Args:
        work: what is to be done.
        milliseconds: how long it may take; None where every step of it has a deadline.
        signal: set when nobody waits any more.
        failure: the code of an error that has none of its own.

    Raises:
        CallError: it failed, took too long, or was cancelled. What it goes on doing then is nobody's affair.
    """
    task = asyncio.ensure_future(work)
    stopped = asyncio.ensure_future(_set(signal))
    try:
        seconds = None if milliseconds is None else milliseconds / 1_000
        await asyncio.wait({task, stopped}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            return _result(task, failure)
        raise CallError(code=Code.CANCELLED if stopped.done() else Code.TIMEOUT)
    finally:
        for one in (task, stopped):
            one.cancel()
            one.add_done_callback(_look)


async def ask(
    service: Callable[[], Awaitable[Any]], *, milliseconds: float, signal: Signal | None = None
) -> Any:
    """Return what a service of the host answers, whatever it raises being a `CallError`.

    Raises:
        CallError: it failed, took too long, or was cancelled.
    """

    async def call() -> Any:
        return await service()

    return await within(call(), milliseconds=milliseconds, signal=signal or Never(), failure=Code.HOST_FAILED)


def code_of(error: BaseException, failure: Code) -> CallError:
    """Return an error as the host is told of it."""
    if isinstance(error, CallError):
        return error
    if isinstance(error, WireError):
        return CallError(code=Code.INVALID_INPUT, problem=str(error))
    if getattr(error, "code", None) == REVISION_CONFLICT:
        return CallError(code=Code.CONFLICT)
    if isinstance(error, CMemoryError):
        return CallError(code=failure, problem=str(error))
    # The words of a foreign error may be the person's.
    return CallError(code=failure, problem=type(error).__name__)


async def _set(signal: Signal) -> None:
    if not signal.is_set():
        await signal.wait()


def _result(task: asyncio.Future[_T], failure: Code) -> _T:
    if task.cancelled():
        raise CallError(code=Code.CANCELLED)
    error = task.exception()
    if error is not None:
        raise code_of(error, failure) from error
    return task.result()


def _look(task: asyncio.Future[Any]) -> None:
    """Look at the error of a task that nobody waits for, so that asyncio has nothing to complain about."""
    if not task.cancelled():
        task.exception()
