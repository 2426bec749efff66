"""What can go wrong between a client and its worker, as values from which each request raises its error."""

from __future__ import annotations

import enum

import attrs

from cmemory.domain.errors import WorkerError


class WorkerCode(str, enum.Enum):
    """Why no answer came. Codes of the worker's own, such as ``STORAGE_ERROR``, pass through beside these.

    Each of them may be worth another attempt: the next request meets a fresh process.
    """

    #: No answer within the deadline.
    WORKER_TIMEOUT = "WORKER_TIMEOUT"
    #: A line that is no JSON.
    WORKER_BAD_JSON = "WORKER_BAD_JSON"
    #: A line that is no answer of protocol version 1, or is longer than any answer may be.
    WORKER_PROTOCOL_ERROR = "WORKER_PROTOCOL_ERROR"
    #: The process ended, or closed its output.
    WORKER_EXITED = "WORKER_EXITED"
    #: The process could not be started, or ended at once with the status that says so.
    WORKER_START_FAILED = "WORKER_START_FAILED"
    #: The request could not be handed over, although the process lives.
    WORKER_WRITE_FAILED = "WORKER_WRITE_FAILED"
    #: The client was closed, or the request was cancelled.
    WORKER_CLOSED = "WORKER_CLOSED"
    #: An answer came, but its contents are not what the operation promises. The process is kept.
    WORKER_ERROR = "WORKER_ERROR"


@attrs.frozen
class Fault:
    """Why a request has no result."""

    #: A `WorkerCode`, or a code of the worker's own.
    code: str
    #: Names fields and places, never contents.
    problem: str
    retryable: bool = True

    def error(self) -> WorkerError:
        """Return a fresh exception, so that threads never share a traceback."""
        return WorkerError(code=str(self.code), problem=self.problem, retryable=self.retryable)


def fault(code: WorkerCode, problem: str) -> Fault:
    """Return a fault under one of the client's own codes."""
    return Fault(code.value, problem)
