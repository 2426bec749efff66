"""Answers request lines from one stream on another, one at a time, until the input ends."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from types import FrameType
from typing import BinaryIO

import attrs

from cmemory.adapters.system import local_zone
from cmemory.adapters.worker.fields import Fields
from cmemory.adapters.worker.operations import OPERATIONS
from cmemory.adapters.worker.protocol import (
    MAX_LINE_BYTES,
    Answer,
    ErrorCode,
    Failure,
    Request,
    Result,
    decode,
    encode,
)
from cmemory.assembly import embedder_from_environment, open_store
from cmemory.domain.errors import CMemoryError, ModelError, StoreError, UsageError, WireError
from cmemory.domain.policy import COMPANION, GOVERNED, Policy
from cmemory.memory import Memory
from cmemory.ports.model import Model

#: The exit status for a start that cannot succeed.
START_FAILED = 2

#: The operation that switches the extended ones on.
CAPABILITIES = "capabilities"


@attrs.define
class Exchange:
    """What goes on with one client, who knows protocol version 1 alone until it asks what else there is."""

    #: Carries out the original operations.
    memory: Memory
    #: Carries out the extended ones, under the policy a host in Python would have.
    companion: Memory
    #: Whether the extended operations are spoken.
    extended: bool = False

    def answer(self, line: bytes) -> Answer:
        """Return the answer to one line; every failure of this library becomes an answer."""
        request = decode(line)
        if isinstance(request, Failure):
            return request
        try:
            result = self._carry_out(request)
        except (WireError, UsageError) as error:
            return Failure(id=request.id, code=ErrorCode.INVALID_REQUEST, summary=str(error))
        except StoreError as error:
            _note(error)
            return Failure(
                id=request.id,
                code=ErrorCode.STORAGE_ERROR,
                summary="the store failed",
                retryable=error.retryable,
            )
        except ModelError as error:
            return Failure(
                id=request.id, code=ErrorCode.MODEL_ERROR, summary=str(error), retryable=error.retryable
            )
        if result is None:
            return Failure(
                id=request.id, code=ErrorCode.UNSUPPORTED_OPERATION, summary="op: there is no such operation"
            )
        return Result(id=request.id, result=result)

    def _carry_out(self, request: Request) -> Mapping[str, object] | None:
        """Return the result of a request, None when this client knows no such operation."""
        original = OPERATIONS.get(request.op)
        if original is not None:
            ignored = request.params is None and request.op == "health"
            return original(self.memory, Fields.of({} if ignored else request.params))
        self.extended = self.extended or request.op == CAPABILITIES
        if not self.extended:
            return None
        # A client of version 1 never waits for the catalogue to be loaded.
        from cmemory.adapters.worker import extended

        operation = extended.find(request.op)
        return None if operation is None else extended.carry_out(operation, self.companion, request.params)


class _StopRequestedError(Exception):
    """Somebody asked the worker to end while it was waiting for a line."""


@attrs.define
class Stopper:
    """Lets a signal end the worker between two requests, never within one; a second one ends it at once."""

    _asked: bool = False
    _waiting: bool = False

    def listen(self) -> None:
        """Take the signals that ask for an end."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._ask)

    def next_line(self, lines: BinaryIO) -> bytes | None:
        """Return the next line; None when the input or the worker's time is over."""
        self._waiting = True
        try:
            return None if self._asked else _read_line(lines)
        except _StopRequestedError:
            return None
        finally:
            self._waiting = False

    def _ask(self, number: int, frame: FrameType | None) -> None:
        del frame
        signal.signal(number, signal.SIG_DFL)
        self._asked = True
        if self._waiting:
            self._waiting = False
            raise _StopRequestedError


def serve(
    memory: Memory,
    lines: BinaryIO,
    answers: BinaryIO,
    *,
    companion: Memory | None = None,
    next_line: Callable[[BinaryIO], bytes | None] | None = None,
) -> None:
    """Answer every line until the input ends or nobody reads the answers any more.

    Args:
        memory: carries out the original operations.
        lines: where the requests come from.
        answers: where the answers go.
        companion: carries out the extended operations; ``memory`` unless given.
        next_line: reads one line.
    """
    exchange = Exchange(memory, companion or memory)
    read = next_line or _read_line
    while (line := read(lines)) is not None:
        try:
            answers.write(encode(exchange.answer(line)))
            answers.flush()
        except BrokenPipeError:
            return


def main(arguments: Sequence[str]) -> int:
    """Run the worker on standard input and output; takes exactly ``--database PATH``.

    The environment may name the person's time zone (``CMEMORY_ZONE``), a model (``CMEMORY_MODEL``) and an embedder
    (``CMEMORY_EMBEDDER``), as for the other commands, and how many notes stay active (``CMEMORY_MAX_NOTES``); only
    extended operations need any of them.
    """
    if len(arguments) != 2 or arguments[0] != "--database" or not arguments[1].strip():
        _say("usage: cmemory worker --database PATH")
        return START_FAILED
    try:
        memory, companion = _open(arguments[1])
    except CMemoryError as error:
        _note(error)
        return START_FAILED
    with memory:
        _run(memory, companion)
    return 0


def _open(path: str) -> tuple[Memory, Memory]:
    """Return the same database under the policy of the protocol and under the default one."""
    policy = _policy()
    store = open_store(path, secret=None)
    try:
        zone = os.environ.get("CMEMORY_ZONE") or local_zone()
        companion = Memory.open(
            store=store, policy=policy, model=_model(), embedder=embedder_from_environment(), zone=zone
        )
        return Memory.open(store=store, policy=GOVERNED, zone=zone), companion
    except CMemoryError:
        store.close()
        raise


def _policy() -> Policy:
    most = os.environ.get("CMEMORY_MAX_NOTES", "").strip()
    if not most:
        return COMPANION
    if not (most.isascii() and most.isdigit()):
        raise UsageError(field="CMEMORY_MAX_NOTES", problem="must be a whole number")
    return attrs.evolve(COMPANION, notes=attrs.evolve(COMPANION.notes, max_active=int(most)))


def _model() -> Model | None:
    if not os.environ.get("CMEMORY_MODEL", "").strip():
        return None
    from cmemory.adapters.openai import openai_model_from_environment

    return openai_model_from_environment()


def _run(memory: Memory, companion: Memory) -> None:
    if sys.stdin is None or sys.stdout is None:
        return
    stopper = Stopper()
    stopper.listen()
    with contextlib.suppress(BrokenPipeError), os.fdopen(os.dup(sys.stdout.fileno()), "wb") as answers:
        # Only answers may stand on standard output, whatever a library prints.
        _lead_away(sys.stdout.fileno())
        serve(memory, sys.stdin.buffer, answers, companion=companion, next_line=stopper.next_line)


def _lead_away(output: int) -> None:
    """Let whatever is printed from now on go where the diagnostics go."""
    if sys.stderr is not None:
        os.dup2(sys.stderr.fileno(), output)
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, output)
    os.close(nowhere)


def _read_line(lines: BinaryIO) -> bytes | None:
    """Return the next line without its line feed, None at the end.

    Of an overlong one only so much is kept that it is refused.
    """
    line = lines.readline(MAX_LINE_BYTES + 2)
    if not line:
        return None
    if not line.endswith(b"\n") and len(line) > MAX_LINE_BYTES:
        while (rest := lines.readline(MAX_LINE_BYTES)) and not rest.endswith(b"\n"):
            pass
    return line.removesuffix(b"\n")


def _note(error: CMemoryError) -> None:
    _say(f"cmemory worker: {error}")


def _say(words: str) -> None:
    """Tell the operator; a worker whose diagnostics nobody reads goes on."""
    if sys.stderr is not None:
        with contextlib.suppress(OSError):
            sys.stderr.write(words + "\n")
