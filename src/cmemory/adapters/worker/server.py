"""Answers request lines from one stream on another, one at a time, until the input ends."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import BinaryIO

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
from cmemory.domain.errors import CMemoryError, ModelError, StoreError, UsageError, WireError
from cmemory.domain.policy import GOVERNED
from cmemory.memory import Memory

#: The exit status for a start that cannot succeed.
START_FAILED = 2


def answer(memory: Memory, line: bytes) -> Answer:
    """Return the answer to one line; every failure of this library becomes an answer."""
    request = decode(line)
    if isinstance(request, Failure):
        return request
    return _carry_out(memory, request)


def _carry_out(memory: Memory, request: Request) -> Answer:
    operation = OPERATIONS.get(request.op)
    if operation is None:
        return Failure(
            id=request.id, code=ErrorCode.UNSUPPORTED_OPERATION, summary="op: there is no such operation"
        )
    try:
        params = Fields.of({} if request.params is None and request.op == "health" else request.params)
        return Result(id=request.id, result=operation(memory, params))
    except (WireError, UsageError) as error:
        return Failure(id=request.id, code=ErrorCode.INVALID_REQUEST, summary=str(error))
    except StoreError as error:
        _note(error)
        return Failure(
            id=request.id, code=ErrorCode.STORAGE_ERROR, summary="the store failed", retryable=error.retryable
        )
    except ModelError as error:
        return Failure(
            id=request.id, code=ErrorCode.MODEL_ERROR, summary=str(error), retryable=error.retryable
        )


def serve(memory: Memory, lines: BinaryIO, answers: BinaryIO) -> None:
    """Answer every line until the input ends or nobody reads the answers any more."""
    while (line := _read_line(lines)) is not None:
        try:
            answers.write(encode(answer(memory, line)))
            answers.flush()
        except BrokenPipeError:
            return


def main(arguments: Sequence[str]) -> int:
    """Run the worker on standard input and output; takes exactly ``--database PATH``."""
    if len(arguments) != 2 or arguments[0] != "--database" or not arguments[1].strip():
        sys.stderr.write("usage: cmemory worker --database PATH\n")
        return START_FAILED
    try:
        memory = Memory.open(arguments[1], policy=GOVERNED)
    except CMemoryError as error:
        _note(error)
        return START_FAILED
    with memory, os.fdopen(os.dup(sys.stdout.fileno()), "wb") as answers:
        # Only answers may stand on standard output, whatever a library prints.
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
        serve(memory, sys.stdin.buffer, answers)
    return 0


def _read_line(lines: BinaryIO) -> bytes | None:
    """Return the next line without its line feed, None at the end; of an overlong line only so much that it is refused."""
    line = lines.readline(MAX_LINE_BYTES + 2)
    if not line:
        return None
    if not line.endswith(b"\n") and len(line) > MAX_LINE_BYTES:
        while (rest := lines.readline(MAX_LINE_BYTES)) and not rest.endswith(b"\n"):
            pass
    return line.removesuffix(b"\n")


def _note(error: CMemoryError) -> None:
    sys.stderr.write(f"cmemory worker: {error}\n")
