"""Which claims compete with each other: the slot."""

from __future__ import annotations

import json
from collections.abc import Mapping
from json.encoder import encode_basestring

from cmemory.domain.model.bodies import Claim
from cmemory.domain.predicates.registry import Predicate

#: One for all, since `json.dumps` makes one for each call that asks for another form than its own.
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def read_qualifiers(predicate: Predicate, raw: object) -> tuple[tuple[str, str], ...] | None:
    """Return qualifiers in canonical order, or None when they break the predicate's contract.

    Absent, null and ``{}`` mean the same; only the key ``context`` exists, and only where the predicate lists values.
    """
    if raw is None:
        return ()
    if not isinstance(raw, Mapping):
        return None
    items = sorted(raw.items(), key=lambda item: str(item[0]))
    for key, value in items:
        if key != "context" or not isinstance(value, str) or value not in predicate.contexts:
            return None
    return tuple(items)


def slot_key(predicate: str, entity_ref: str | None, qualifiers: tuple[tuple[str, str], ...]) -> str:
    """Return the identity of a slot: compact JSON, so that no choice of characters can make two slots one.

    >>> slot_key("identity.location", "上海", (("context", "home"),))
    '["identity.location","上海",{"context":"home"}]'
    """
    entity = "null" if entity_ref is None else encode_basestring(entity_ref)
    narrowed = _ENCODER.encode(dict(qualifiers)) if qualifiers else "{}"
    return f"[{encode_basestring(predicate)},{entity},{narrowed}]"


def slot_of(claim: Claim) -> str:
    """Return the slot a claim stands in."""
    return slot_key(claim.predicate, claim.entity_ref, claim.qualifiers)


def readable_slot(claim: Claim) -> str:
    """Return the slot for human eyes, such as ``identity.location@shanghai{context=work}``; never a key."""
    entity = f"@{claim.entity_ref}" if claim.entity_ref is not None else ""
    pairs = ",".join(f"{key}={value}" for key, value in claim.qualifiers)
    return claim.predicate + entity + (f"{{{pairs}}}" if pairs else "")
