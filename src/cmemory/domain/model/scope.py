"""Whose memory: a relationship between one person and one companion in one product."""

from __future__ import annotations

import json

import attrs

from cmemory.domain.errors import UsageError

#: Characters that mean "anything" in some query language. A part made of nothing else, or ending in one, is a
#: pattern that slipped in where a name belongs.
_WILDCARDS = frozenset("*%?")


def _check_part(_: object, attribute: attrs.Attribute[str], value: object) -> None:
    name = f"scope.{attribute.name}"
    if not isinstance(value, str):
        raise UsageError(field=name, problem=f"must be a string, not {type(value).__name__}")
    if not value.strip():
        raise UsageError(field=name, problem="must not be empty or blank")
    if value[-1] in _WILDCARDS or value[0] in _WILDCARDS or value.strip() == "_":
        raise UsageError(field=name, problem="must name exactly one, without wildcards")
    if any(ord(ch) < 0x20 or 0xD800 <= ord(ch) <= 0xDFFF for ch in value):
        raise UsageError(field=name, problem="must not contain control characters or lone surrogates")


@attrs.frozen(kw_only=True)
class Scope:
    """Service, owner and profile; all three must match for anything to be seen.

    Agent, model and session are deliberately no part of it: who changes models keeps their companion's memory.

    Raises:
        UsageError: a part is no string, blank, a wildcard, or holds control characters.
    """

    #: The product that hosts the companion.
    service: str = attrs.field(validator=_check_part)
    #: The person who is remembered.
    owner: str = attrs.field(validator=_check_part)
    #: The companion they talk to.
    profile: str = attrs.field(validator=_check_part)

    @property
    def key(self) -> str:
        """The scope as one string that no choice of characters can make ambiguous."""
        return scope_key(self.service, self.owner, self.profile)


def scope_key(service: str, owner: str, profile: str) -> str:
    """Return the key of a scope's parts, which nobody has checked."""
    return json.dumps([service, owner, profile], ensure_ascii=False, separators=(",", ":"))
