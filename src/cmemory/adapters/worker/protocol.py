"""Lines to requests and answers to lines, without any pipe.

One request line in, exactly one answer line out. A line that is no valid request still gets an answer, and the next
line is read as if nothing had happened. The page ``docs/reference/worker/index.md`` is the specification.
"""

from __future__ import annotations

import enum
import json
from collections.abc import Mapping

import attrs

from cmemory.domain.text.normal import is_well_formed

PROTOCOL_VERSION = 1

#: Longest request line in bytes, without its line feed.
MAX_LINE_BYTES = 1_048_576

#: Deepest nesting of a request; deeper ones are refused before they can exhaust the stack.
MAX_DEPTH = 127

_ENVELOPE = ("version", "id", "op", "params")


class ErrorCode(enum.Enum):
    """Why a request was not carried out; only storage failures may be worth a retry."""

    INVALID_REQUEST = "INVALID_REQUEST"
    UNSUPPORTED_OPERATION = "UNSUPPORTED_OPERATION"
    STORAGE_ERROR = "STORAGE_ERROR"
    MODEL_ERROR = "MODEL_ERROR"


@attrs.frozen(kw_only=True)
class Request:
    """One valid envelope. ``params`` is whatever was sent; each operation reads it for itself."""

    id: str
    op: str
    params: object


@attrs.frozen(kw_only=True)
class Result:
    """A successful answer."""

    id: str
    result: Mapping[str, object]


@attrs.frozen(kw_only=True)
class Failure:
    """An unsuccessful answer. The summary names fields and operations, never contents."""

    id: str
    code: ErrorCode
    summary: str
    retryable: bool = False


Answer = Result | Failure


def decode(line: bytes) -> Request | Failure:
    """Return the request of a line, or the failure to answer with.

    JSON is read strictly: no NaN, no infinities, no numbers beyond a double, no lone surrogates, no repeated envelope
    key, no byte order mark, no deep nesting.
    """
    if len(line) > MAX_LINE_BYTES:
        return _bad("the line is longer than 1048576 bytes")
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        return _bad("the line is not UTF-8")
    try:
        parsed = _parse(text)
    except (ValueError, RecursionError) as error:
        return _bad(f"the line is not strict JSON: {_reason(error)}")
    return _request(parsed)


def encode(answer: Answer) -> bytes:
    """Return an answer as one line, line feed included."""
    envelope: dict[str, object] = {
        "version": PROTOCOL_VERSION,
        "id": answer.id,
        "ok": isinstance(answer, Result),
    }
    if isinstance(answer, Result):
        envelope["result"] = answer.result
    else:
        envelope["error"] = {
            "code": answer.code.value,
            "retryable": answer.retryable,
            "summary": answer.summary,
        }
    return (
        json.dumps(envelope, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode("utf-8")
        + b"\n"
    )


def _request(parsed: object) -> Request | Failure:
    if not isinstance(parsed, dict):
        return _bad("the line is not an object")
    version, request_id, op = (parsed.get(key) for key in _ENVELOPE[:3])
    if not isinstance(request_id, str) or not isinstance(op, str):
        return _bad("id and op must be strings")
    if isinstance(version, bool) or not isinstance(version, int):
        return _bad("version must be a whole number")
    if version != PROTOCOL_VERSION:
        return Failure(
            id=request_id, code=ErrorCode.INVALID_REQUEST, summary="version: only 1 is spoken here"
        )
    return Request(id=request_id, op=op, params=parsed.get("params"))


def _parse(text: str) -> object:
    if text.startswith("\ufeff"):
        raise ValueError("it begins with a byte order mark")
    _check_depth(text)
    parsed = _DECODER.decode(text.strip(" \t\r\n"))
    if isinstance(parsed, _Pairs):
        parsed = parsed.checked()
    return _plain(parsed)


class _Pairs(list[tuple[str, object]]):
    """An object as its pairs, so that a repeated envelope key can be told."""

    def checked(self) -> _Pairs:
        keys = [key for key, _ in self if key in _ENVELOPE]
        if len(keys) != len(set(keys)):
            raise ValueError("an envelope key is repeated")
        return self


def _plain(parsed: object) -> object:
    if isinstance(parsed, _Pairs):
        return {_sound(key): _plain(value) for key, value in parsed}
    if isinstance(parsed, list):
        return [_plain(value) for value in parsed]
    return _sound(parsed) if isinstance(parsed, str) else parsed


def _sound(text: str) -> str:
    if not is_well_formed(text):
        raise ValueError("a text holds a lone surrogate")
    return text


def _finite(literal: str) -> float:
    number = float(literal)
    if number in (float("inf"), float("-inf")):
        raise ValueError("a number is out of range")
    return number


def _whole(literal: str) -> int | float:
    # Whole numbers beyond 64 bits are read as doubles elsewhere; Python would refuse very long ones.
    return int(literal) if len(literal) < 20 else _finite(literal)


def _no_constant(literal: str) -> object:
    raise ValueError("it holds a literal that is not JSON")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_Pairs, parse_float=_finite, parse_int=_whole, parse_constant=_no_constant, strict=True
)


def _check_depth(text: str) -> None:
    depth = 0
    quoted = escaped = False
    for ch in text:
        if quoted:
            if escaped:
                escaped = False
            elif ch == "\\":
                escaped = True
            elif ch == '"':
                quoted = False
        elif ch == '"':
            quoted = True
        elif ch in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                raise ValueError("it is nested too deeply")
        elif ch in "]}":
            depth -= 1


def _reason(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"syntax error at character {error.pos}"
    return str(error) or type(error).__name__


def _bad(summary: str) -> Failure:
    return Failure(id="", code=ErrorCode.INVALID_REQUEST, summary=summary)
