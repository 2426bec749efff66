"""The envelope every memory travels in."""

from __future__ import annotations

from typing import Generic, TypeGuard, TypeVar

import attrs

from cmemory.domain.model.bodies import Body, Claim, Episode, Inference, Note
from cmemory.domain.model.ids import RecordId
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.life import Event, Status, step
from cmemory.domain.model.measure import in_unit
from cmemory.domain.model.message import Evidence

B = TypeVar("B", bound=Body, covariant=True)


@attrs.frozen(kw_only=True)
class Salience:
    """How much a record weighs, and what the person let us know about it."""

    importance: float = attrs.field(default=0.5, validator=in_unit)
    recall_count: int = 0
    last_recalled_at: Instant | None = None
    #: Kept, but never mentioned.
    muted: bool = False


@attrs.frozen(kw_only=True)
class Provenance:
    """Who proposed a record; metadata, never identity."""

    #: ``rules``, ``model``, ``import`` or ``host``.
    proposer: str = "host"
    #: Version of the rules or the prompt.
    version: str = ""
    model: str | None = None


@attrs.frozen(kw_only=True)
class Record(Generic[B]):
    """One memory: what it says, why it is believed, and what may be done with it."""

    id: RecordId
    body: B
    evidence: tuple[Evidence, ...]
    created_at: Instant
    updated_at: Instant
    status: Status = Status.ACTIVE
    salience: Salience = attrs.field(factory=Salience)
    provenance: Provenance = attrs.field(factory=Provenance)
    valid_from: Instant
    #: When it stops being true, None while open-ended; honoured on read.
    valid_until: Instant | None = None
    #: The record this one replaced.
    supersedes: RecordId | None = None

    def live(self, now: Instant) -> bool:
        """Tell whether the record is believed at that moment."""
        return self.status is Status.ACTIVE and (self.valid_until is None or now < self.valid_until)

    def after(self, event: Event, now: Instant) -> Record[B]:
        """Return the record as it stands after an event of its life."""
        return attrs.evolve(self, status=step(self.status, event), updated_at=now)

    @property
    def last_seen(self) -> Instant:
        """The moment freshness is counted from."""
        return self.salience.last_recalled_at or self.updated_at


AnyRecord = Record[Body]
ClaimRecord = Record[Claim]
EpisodeRecord = Record[Episode]
InferenceRecord = Record[Inference]
NoteRecord = Record[Note]


def is_claim(record: AnyRecord) -> TypeGuard[ClaimRecord]:
    """Tell whether a record holds a claim."""
    return isinstance(record.body, Claim)


def is_episode(record: AnyRecord) -> TypeGuard[EpisodeRecord]:
    """Tell whether a record holds an episode."""
    return isinstance(record.body, Episode)


def is_inference(record: AnyRecord) -> TypeGuard[InferenceRecord]:
    """Tell whether a record holds an inference."""
    return isinstance(record.body, Inference)


def is_note(record: AnyRecord) -> TypeGuard[NoteRecord]:
    """Tell whether a record holds a note."""
    return isinstance(record.body, Note)
