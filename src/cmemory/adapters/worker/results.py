"""What a client hands to its host: the results of the six operations, read as strictly as requests are."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import attrs

from cmemory.adapters.worker.fields import Fields
from cmemory.domain.errors import WireError
from cmemory.domain.plan.plan import SHOWN, Channel
from cmemory.domain.predicates.registry import Visibility


@attrs.frozen(kw_only=True)
class WorkerHealth:
    """Versions and vocabulary of a worker."""

    protocol_version: int
    schema_version: int
    predicate_keys: tuple[str, ...]
    #: What an extractor needs to know of each key, as the worker says it.
    predicate_schemas: tuple[Mapping[str, object], ...] = attrs.field(repr=False)


@attrs.frozen(kw_only=True)
class WorkerItem:
    """One record in one channel of a plan."""

    record_id: str
    text: str
    #: How openly it may be used at most.
    surface: Visibility
    #: A code from the reference of plans; newer workers may know more of them.
    reason: str


@attrs.frozen(kw_only=True)
class WorkerPlan:
    """One turn's memory, as the worker planned it."""

    #: The scope's watermark at that moment.
    revision: int
    #: Every channel, in rendering order.
    channels: Mapping[Channel, tuple[WorkerItem, ...]] = attrs.field(repr=False)

    def channel(self, channel: Channel) -> tuple[WorkerItem, ...]:
        """Return the items of one channel."""
        return self.channels[channel]

    @property
    def shown(self) -> tuple[tuple[Channel, WorkerItem], ...]:
        """Everything the model may see, in rendering order."""
        return tuple((channel, item) for channel in SHOWN for item in self.channels[channel])


@attrs.frozen(kw_only=True)
class WorkerRejection:
    """A candidate that was not stored."""

    candidate_id: str
    #: In words for a developer; ``merged`` when the same fact is stored already.
    reason: str
    #: The stable code, from workers that send it.
    code: str | None = None


@attrs.frozen(kw_only=True)
class WorkerMerge:
    """A candidate that repeats what is stored."""

    candidate_id: str
    record_id: str


@attrs.frozen(kw_only=True)
class WorkerAdmission:
    """What became of the candidates of one message."""

    #: Ids of the new records.
    accepted: tuple[str, ...]
    #: Those not stored, the merged ones among them.
    rejected: tuple[WorkerRejection, ...]
    #: Which record stands for a merged candidate, from workers that say so.
    merged: tuple[WorkerMerge, ...] = ()
    #: How many were kept aside.
    pending: int = 0


@attrs.frozen(kw_only=True)
class WorkerRecord:
    """One record a search found."""

    id: str
    text: str


@attrs.frozen(kw_only=True)
class WorkerResidue:
    """Where something like the forgotten record may still stand."""

    #: ``exact`` or ``suspected``.
    kind: str
    source_type: str
    source_id: str
    #: The forgotten record it repeats, when exact.
    matched_id: str | None = None
    #: How much alike they are, 0 to 1, when suspected.
    similarity: float | None = None


@attrs.frozen(kw_only=True)
class WorkerForgetting:
    """What was erased."""

    forgotten: bool
    #: The record and whatever rested on it.
    record_ids: tuple[str, ...]
    residue: tuple[WorkerResidue, ...]
    #: Whether the search for residue could not be finished.
    residue_scan_failed: bool


def health(result: Fields) -> WorkerHealth:
    """Read the result of ``health``."""
    return WorkerHealth(
        protocol_version=result.whole("protocolVersion"),
        schema_version=result.whole("schemaVersion"),
        predicate_keys=result.texts("predicateKeys"),
        predicate_schemas=tuple(
            MappingProxyType(dict(one.values)) for one in result.each("predicateSchemas")
        ),
    )


def plan(result: Fields) -> WorkerPlan:
    """Read the result of ``warm``. All seven channels must be there: half a plan could hide a boundary."""
    channels = result.nested("plan")
    for channel in Channel:
        channels.raw(channel.value)
    return WorkerPlan(
        revision=result.whole("revision"),
        channels=MappingProxyType(
            {channel: tuple(_item(one) for one in channels.each(channel.value)) for channel in Channel}
        ),
    )


def admission(result: Fields) -> WorkerAdmission:
    """Read the result of ``admit``."""
    return WorkerAdmission(
        accepted=result.texts("accepted"),
        rejected=tuple(_rejection(one) for one in result.each("rejected")),
        merged=tuple(
            WorkerMerge(candidate_id=one.text("candidateId"), record_id=one.text("recordId"))
            for one in result.each("merged")
        ),
        pending=result.whole("pending"),
    )


def records(result: Fields) -> tuple[WorkerRecord, ...]:
    """Read the result of ``query``."""
    result.raw("records")
    return tuple(WorkerRecord(id=one.text("id"), text=one.text("text")) for one in result.each("records"))


def forgetting(result: Fields) -> WorkerForgetting:
    """Read the result of ``forget``."""
    return WorkerForgetting(
        forgotten=result.truth("forgotten"),
        record_ids=result.texts("recordIds"),
        residue=tuple(_residue(one) for one in result.each("residue")),
        residue_scan_failed=result.truth("residueScanFailed"),
    )


def expired(result: Fields) -> int:
    """Read the result of ``session_closed``."""
    return result.whole("expired")


def _item(one: Fields) -> WorkerItem:
    return WorkerItem(
        record_id=one.text("recordId"),
        text=one.text("text"),
        surface=_surface(one),
        reason=one.text("reason"),
    )


def _surface(one: Fields) -> Visibility:
    token = one.text("surface")
    for level in Visibility:
        if level.token == token:
            return level
    raise WireError(path=f"{one.path}.surface", problem="is no level of visibility")


def _rejection(one: Fields) -> WorkerRejection:
    return WorkerRejection(
        candidate_id=one.text("candidateId"), reason=one.text("reason"), code=one.optional_text("code")
    )


def _residue(one: Fields) -> WorkerResidue:
    return WorkerResidue(
        kind=one.text("kind"),
        source_type=one.text("sourceType"),
        source_id=one.text("sourceId"),
        matched_id=one.optional_text("matchedId"),
        similarity=one.optional_number("similarity"),
    )
