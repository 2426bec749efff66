"""The stored state as plain rows. A reader of its own brings them, and nothing in them is believed.

Fields are declared with the type they ought to have; `is_sound` tells whether they do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import attrs

from cmemory.domain.model.bodies import Body
from cmemory.domain.text.normal import is_well_formed

_TYPES = "types"


def _text() -> Any:
    return attrs.field(metadata={_TYPES: (str,)})


def _maybe_text() -> Any:
    return attrs.field(metadata={_TYPES: (str, type(None))})


def _whole() -> Any:
    return attrs.field(metadata={_TYPES: (int,)})


def _maybe_whole() -> Any:
    return attrs.field(metadata={_TYPES: (int, type(None))})


def _number() -> Any:
    return attrs.field(metadata={_TYPES: (int, float)})


@attrs.frozen(eq=False)
class ScopeRow:
    """One relationship."""

    no: int = _whole()
    key: str = _text()
    service: str = _text()
    owner: str = _text()
    profile: str = _text()
    revision: int = _whole()


@attrs.frozen(eq=False)
class RecordRow:
    """One record, its body decoded."""

    no: int = _whole()
    id: str = _text()
    kind: str = _text()
    status: str = _text()
    predicate: str | None = _maybe_text()
    slot: str | None = _maybe_text()
    meaning: str | None = _maybe_text()
    created_at: str = _text()
    updated_at: str = _text()
    valid_from: str = _text()
    valid_until: str | None = _maybe_text()
    supersedes: str | None = _maybe_text()
    importance: float = _number()
    recall_count: int = _whole()
    last_recalled_at: str | None = _maybe_text()
    #: The copy of its index entries that the record carries, as JSON.
    terms: str = _text()
    #: None when the stored text spells no body.
    body: Body | None = attrs.field(kw_only=True)
    #: Whether its checksum fits.
    sealed: bool = attrs.field(kw_only=True)


@attrs.frozen(eq=False)
class EvidenceRow:
    """One proof of a record, by the record's number."""

    record: int = _whole()
    source: str = _text()
    source_id: str = _text()
    speaker: str = _text()
    role: str | None = _maybe_text()
    start: int | None = _maybe_whole()
    end: int | None = _maybe_whole()
    quote: str | None = _maybe_text()


@attrs.frozen(eq=False)
class MessageRow:
    """One message of the log."""

    id: str = _text()
    session: str = _text()
    speaker: str = _text()
    text: str = _text()
    at: str = _text()
    sealed: bool = attrs.field(kw_only=True)


@attrs.frozen(eq=False)
class ThreadRow:
    """One follow-up."""

    id: str = _text()
    record_id: str = _text()
    summary: str = _text()
    entity_ref: str | None = _maybe_text()
    status: str = _text()
    opened_at: str = _text()
    updated_at: str = _text()
    expires_at: str | None = _maybe_text()
    followup_session: str | None = _maybe_text()
    sealed: bool = attrs.field(kw_only=True)


@attrs.frozen(eq=False)
class SuppressionRow:
    """One thing that must not come back."""

    kind: str = _text()
    target: str = _text()
    created_at: str = _text()


@attrs.frozen(eq=False)
class FingerprintRow:
    """One hash of forgotten content."""

    digest: str = _text()
    label: str = _text()
    created_at: str = _text()


@attrs.frozen(eq=False)
class DecisionRow:
    """One line of the audit."""

    id: str = _text()
    at: str = _text()
    record_id: str | None = _maybe_text()


@attrs.frozen(eq=False)
class PendingRow:
    """One pointer that waits for review."""

    id: str = _text()
    created_at: str = _text()


@attrs.frozen(eq=False)
class JobRow:
    """One message that waits to be learned from."""

    message_id: str = _text()
    enqueued_at: str = _text()
    attempts: int = _whole()
    due_at: str = _text()


@attrs.frozen(eq=False)
class SaidRow:
    """One message with its entries in the index of what was said."""

    no: int = _whole()
    id: str = _text()
    text: str = _text()
    #: The copy of its index entries that the message carries, as JSON, and how many places they fill.
    terms: str = _text()
    places: int = _whole()
    #: How often the index says that each term stands in it.
    posted: Mapping[str, int] = attrs.field(kw_only=True)


@attrs.frozen(eq=False)
class EdgeRow:
    """One association of two messages."""

    source: str = _text()
    target: str = _text()
    session: str = _text()
    weight: float = _number()
    count: int = _whole()
    created_at: str = _text()
    updated_at: str = _text()
    turn: str = _text()
    before: float = _number()

    @property
    def id(self) -> str:
        """Its two ends, by which it is named."""
        return f"{self.source} {self.target}"


@attrs.frozen(eq=False)
class ExchangeRow:
    """One exchange that waits for the night."""

    message_id: str = _text()
    answered: str | None = _maybe_text()
    queued_at: str = _text()
    attempts: int = _whole()


@attrs.frozen(kw_only=True, eq=False)
class Snapshot:
    """All rows of one scope, of one state."""

    scope: ScopeRow
    records: tuple[RecordRow, ...] = ()
    evidence: tuple[EvidenceRow, ...] = ()
    #: Index entries by the number of a record: how often each term stands in it.
    postings: Mapping[int, Mapping[str, int]] = attrs.field(factory=dict)
    messages: tuple[MessageRow, ...] = ()
    threads: tuple[ThreadRow, ...] = ()
    suppressions: tuple[SuppressionRow, ...] = ()
    fingerprints: tuple[FingerprintRow, ...] = ()
    decisions: tuple[DecisionRow, ...] = ()
    pending: tuple[PendingRow, ...] = ()
    jobs: tuple[JobRow, ...] = ()
    edges: tuple[EdgeRow, ...] = ()
    exchanges: tuple[ExchangeRow, ...] = ()
    #: Whether what the relationship is in the middle of can be read.
    state_readable: bool = True
    #: The messages once more, with their index entries. Read from the survey as it is gone through, since the entries of
    #: a long log take more memory than the log.
    said: Iterable[SaidRow] = ()
    #: Numbers in the index of what was said that name no message.
    said_strays: tuple[int, ...] = ()
    #: Terms that all messages together are said to hold more or less often than the index has them.
    said_miscounted: int = 0


@attrs.frozen(kw_only=True)
class Medium:
    """What the medium says of its own health."""

    #: How many complaints its own check has.
    complaints: int = 0
    #: Tables with rows whose parent is missing.
    orphaned_tables: tuple[str, ...] = ()
    #: Names of files that others than the owner may read.
    exposed_files: tuple[str, ...] = ()
    #: Bytes of the write-ahead log.
    log_bytes: int = 0
    #: Whether erased text may still be in the files.
    cleaning_due: bool = False
    #: Index entries of scopes that are not there: of records, and of what was said.
    stray_postings: int = 0
    stray_said: int = 0


def is_sound(row: Any) -> bool:
    """Tell whether every field of a row has its type, and every text is well-formed."""
    for name, wanted in _WANTED[type(row)]:
        held = getattr(row, name)
        if not isinstance(held, wanted) or (isinstance(held, str) and not is_well_formed(held)):
            return False
    return True


def _typed_fields(shape: type[Any]) -> tuple[tuple[str, tuple[type, ...]], ...]:
    fields = attrs.fields(shape)
    return tuple((field.name, field.metadata[_TYPES]) for field in fields if _TYPES in field.metadata)


#: The fields of each kind of row that have a declared type.
_WANTED = {
    shape: _typed_fields(shape)
    for shape in (
        ScopeRow,
        RecordRow,
        EvidenceRow,
        MessageRow,
        ThreadRow,
        SuppressionRow,
        FingerprintRow,
        DecisionRow,
        PendingRow,
        JobRow,
        SaidRow,
        EdgeRow,
        ExchangeRow,
    )
}


def name_of(row: Any) -> str:
    """Return by what a row is named in a finding: its id, or what stands in for one."""
    for name in ("id", "message_id", "label", "target", "no", "record"):
        held = getattr(row, name, None)
        if isinstance(held, (str, int)):
            return str(held) if is_well_formed(str(held)) else "?"
    return "?"
