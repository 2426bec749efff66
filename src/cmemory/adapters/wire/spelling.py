"""What a spelling needs without a converter: the text of JSON, and names."""

from __future__ import annotations

import json
from typing import Any

from cmemory.domain.errors import WireError

#: One for all, since `json.dumps` makes one for each call that asks for another form than its own.
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)

#: The key that tells the members of a union apart.
TAG = "kind"


class RefusedError(ValueError):
    """A value of the wrong form; its text says what is wanted and never what came."""


def camel(name: str) -> str:
    """Return a field's name in camelCase.

    >>> camel("record_id")
    'recordId'
    """
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)


def parse(text: str, *, path: str = "$") -> Any:
    """Return the data of a JSON text.

    Raises:
        WireError: the text is no JSON, is nested too deeply, or holds NaN or Infinity.
    """
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise WireError(path=path, problem="is not valid JSON") from error


def dump(data: object) -> str:
    """Return plain data as one line of JSON, with every letter as itself."""
    return _ENCODER.encode(data)


def _refuse_constant(_: str) -> object:
    raise RefusedError("must be a finite number")
