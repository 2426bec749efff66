"""Answer lines to results and faults, and requests to lines, without any pipe."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import attrs

from cmemory.adapters.worker.faults import Fault, WorkerCode, fault
from cmemory.adapters.worker.protocol import PROTOCOL_VERSION, ErrorCode, Failure, decode
from cmemory.domain.errors import WorkerError

#: The result of one operation, as JSON has it.
Result = dict[str, Any]

#: What comes of one request.
Outcome = Result | Fault


@attrs.frozen
class Received:
    """One well-formed answer, by the id of its request."""

    id: str
    outcome: Outcome


def encode_request(request_id: str, op: str, params: Mapping[str, object]) -> bytes:
    """Return a request as one line, line feed included.

    A line that the worker could not read would be answered without its id, and nobody would know whose answer
    that is; so such a request is refused here, as the worker would refuse it.

    Raises:
        WorkerError: ``INVALID_REQUEST``; it is too long, nested too deeply, or holds what strict JSON cannot.
    """
    envelope = {"version": PROTOCOL_VERSION, "id": request_id, "op": op, "params": dict(params)}
    try:
        text = json.dumps(envelope, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        line = text.encode("utf-8")
    except (TypeError, ValueError, RecursionError):
        raise _refused("the parameters cannot be written as strict JSON") from None
    read_back = decode(line)
    if isinstance(read_back, Failure):
        raise _refused(read_back.summary)
    return line + b"\n"


def decode_answer(line: bytes) -> Received | Fault:
    """Return the answer of a line, or the fault that makes everything after it worthless."""
    try:
        envelope = json.loads(line.decode("utf-8"), parse_constant=_no_constant)
    except (ValueError, RecursionError):
        return fault(WorkerCode.WORKER_BAD_JSON, "a line of the worker is not JSON")
    if not isinstance(envelope, dict):
        return _broken("it is no object")
    version, request_id, ok = (envelope.get(key) for key in ("version", "id", "ok"))
    if type(version) is not int or version != PROTOCOL_VERSION:
        return _broken(f"its version is not {PROTOCOL_VERSION}")
    if not isinstance(request_id, str):
        return _broken("it names no request")
    if not isinstance(ok, bool):
        return _broken("it does not say whether all went well")
    return Received(request_id, _result(envelope.get("result")) if ok else _failure(envelope.get("error")))


def _result(given: object) -> Outcome:
    return given if isinstance(given, dict) else fault(WorkerCode.WORKER_ERROR, "the result is no object")


def _failure(given: object) -> Fault:
    error = given if isinstance(given, dict) else {}
    code, summary = error.get("code"), error.get("summary")
    problem = summary if isinstance(summary, str) and summary else "the worker gave no reason"
    if not isinstance(code, str) or not code:
        return fault(WorkerCode.WORKER_ERROR, problem)
    return Fault(code, problem, retryable=error.get("retryable") is True)


def _broken(problem: str) -> Fault:
    return fault(WorkerCode.WORKER_PROTOCOL_ERROR, f"a line of the worker is no answer: {problem}")


def _refused(problem: str) -> WorkerError:
    return WorkerError(code=ErrorCode.INVALID_REQUEST.value, problem=problem, retryable=False)


def _no_constant(literal: str) -> object:
    raise ValueError(literal)
