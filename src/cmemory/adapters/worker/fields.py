"""Reads parameters with the protocol's own strictness: an absent field may have a default, null is a wrong type."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import attrs

from cmemory.domain.errors import WireError

_MISSING = object()


@attrs.frozen
class Fields:
    """One JSON object with the path by which errors name it."""

    values: Mapping[str, object]
    path: str = "$"

    @classmethod
    def of(cls, given: object, path: str = "$") -> Fields:
        """Return the fields of an object.

        Raises:
            WireError: it is no object.
        """
        if not isinstance(given, dict):
            raise WireError(path=path, problem="must be an object")
        return cls(given, path)

    def text(self, name: str, default: object = _MISSING) -> str:
        """Return a string; required unless a default is given."""
        value: str = self._read(name, default, "a string", lambda value: isinstance(value, str))
        return value

    def truth(self, name: str, default: object = _MISSING) -> bool:
        """Return true or false."""
        value: bool = self._read(name, default, "true or false", lambda value: isinstance(value, bool))
        return value

    def number(self, name: str, default: object = _MISSING) -> float:
        """Return a number."""
        return float(self._read(name, default, "a number", _is_number))

    def whole(self, name: str) -> int:
        """Return a required whole number."""
        value: int = self._read(name, _MISSING, "a whole number", lambda value: type(value) is int)
        return value

    def count(self, name: str) -> int:
        """Return a required whole number, 0 or more."""
        value: int = self._read(
            name, _MISSING, "a whole number, 0 or more", lambda value: type(value) is int and value >= 0
        )
        return value

    def optional_text(self, name: str) -> str | None:
        """Return a string, or None when it is absent or null."""
        return None if self.values.get(name) is None else self.text(name)

    def optional_number(self, name: str) -> float | None:
        """Return a number, or None when it is absent or null."""
        return None if self.values.get(name) is None else self.number(name)

    def nested(self, name: str) -> Fields:
        """Return a required object."""
        return Fields.of(self.values.get(name), f"{self.path}.{name}")

    def each(self, name: str, *, null: bool = False) -> tuple[Fields, ...]:
        """Return a list of objects; empty when absent, and when null where null is allowed."""
        given = self.values.get(name, [])
        if given is None and null:
            return ()
        return tuple(
            Fields.of(one, f"{self.path}.{name}[{at}]") for at, one in enumerate(self._list(name, given))
        )

    def texts(self, name: str, default: object = _MISSING) -> tuple[str, ...]:
        """Return a list of strings."""
        given = self._list(name, self.values.get(name, default))
        return tuple(Fields({"": one}, f"{self.path}.{name}[{at}]").text("") for at, one in enumerate(given))

    def raw(self, name: str) -> object:
        """Return a required field of any type, null included."""
        if name not in self.values:
            raise WireError(path=f"{self.path}.{name}", problem="is missing")
        return self.values[name]

    def _list(self, name: str, given: object) -> list[object]:
        if not isinstance(given, list):
            raise WireError(path=f"{self.path}.{name}", problem="must be a list")
        return given

    def _read(self, name: str, default: object, kind: str, fits: Callable[[object], bool]) -> Any:
        value = self.values.get(name, default)
        if value is _MISSING:
            raise WireError(path=f"{self.path}.{name}", problem="is missing")
        if not fits(value):
            raise WireError(path=f"{self.path}.{name}", problem=f"must be {kind}")
        return value


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
