"""The answers of the six original operations and of `capabilities`, as shapes.

The worker builds these answers by hand. They are declared here so that their schemas and their reference page
come from the same place as all the others.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs

#: Marks a field that is left out where it does not apply, instead of being null.
ABSENT: Mapping[str, bool] = {"absent": True}


@attrs.frozen(kw_only=True)
class PredicateSchema:
    """What an extractor may know of a key."""

    key: str
    value_kind: str
    #: Empty where the values are not listed.
    enum_values: tuple[str, ...]
    cardinality: str
    requires_entity_ref: bool
    #: A JSON Schema of the accepted qualifiers, null where none are.
    qualifier_schema: Mapping[str, Any] | None
    description: str


@attrs.frozen(kw_only=True)
class Health:
    """Versions and the vocabulary."""

    protocol_version: int
    schema_version: int
    #: The 47 keys in their canonical order.
    predicate_keys: tuple[str, ...]
    predicate_schemas: tuple[PredicateSchema, ...]


@attrs.frozen(kw_only=True)
class PlanEntry:
    """One record in one channel."""

    record_id: str
    text: str
    surface: str
    reason: str


@attrs.frozen(kw_only=True)
class WarmPlan:
    """The seven channels."""

    constraints: tuple[PlanEntry, ...]
    identity: tuple[PlanEntry, ...]
    response_style: tuple[PlanEntry, ...]
    continuity: tuple[PlanEntry, ...]
    topic_activated: tuple[PlanEntry, ...]
    deep_recall: tuple[PlanEntry, ...]
    #: Kept back. For audit only; the model must not see it.
    do_not_surface: tuple[PlanEntry, ...]


@attrs.frozen(kw_only=True)
class Warm:
    """The plan of one turn."""

    revision: int
    plan: WarmPlan


@attrs.frozen(kw_only=True)
class Rejection:
    """A candidate that left no record of its own."""

    candidate_id: str
    #: In words; names fields, never contents.
    reason: str
    #: The stable code.
    code: str


@attrs.frozen(kw_only=True)
class Merge:
    """A candidate that repeats a stored record."""

    candidate_id: str
    record_id: str


@attrs.frozen(kw_only=True)
class Admitted:
    """What became of the candidates of one message."""

    #: Ids of new records.
    accepted: tuple[str, ...]
    #: Refused, and merged with the reason ``merged``.
    rejected: tuple[Rejection, ...]
    merged: tuple[Merge, ...]
    #: How many pointers were stored.
    pending: int


@attrs.frozen(kw_only=True)
class FoundRecord:
    """One record that may be told."""

    id: str
    text: str


@attrs.frozen(kw_only=True)
class Found:
    """Claims, newest first, then episodes likewise."""

    records: tuple[FoundRecord, ...]


@attrs.frozen(kw_only=True)
class Leftover:
    """A survivor that resembles what was forgotten."""

    #: ``exact`` or ``suspected``.
    kind: str
    source_type: str
    source_id: str
    #: The forgotten record it contains; with ``exact``.
    matched_id: str = attrs.field(default="", metadata=ABSENT)
    #: Token overlap, 0 to 1; with ``suspected``.
    similarity: float = attrs.field(default=0.0, metadata=ABSENT)


@attrs.frozen(kw_only=True)
class Erased:
    """What a request to forget did."""

    #: False when there is no such record.
    forgotten: bool
    record_ids: tuple[str, ...]
    residue: tuple[Leftover, ...]
    residue_scan_failed: bool


@attrs.frozen(kw_only=True)
class Closed:
    """What ended with a conversation."""

    #: How many of its follow-ups expired.
    expired: int


@attrs.frozen(kw_only=True)
class Capability:
    """One operation, as a client may learn of it."""

    name: str
    summary: str
    #: ``original`` or ``extended``.
    part: str
    #: Who may ask: ``anyone``, ``host``, or ``person``.
    authority: str
    needs_scope: bool
    writes: bool
    #: JSON Schema of ``params``.
    params: Mapping[str, Any]
    #: JSON Schema of ``result``.
    result: Mapping[str, Any]


@attrs.frozen(kw_only=True)
class Capabilities:
    """What this worker speaks."""

    protocol_version: int
    #: Version of the library.
    library_version: str
    max_line_bytes: int
    max_depth: int
    operations: tuple[Capability, ...]
