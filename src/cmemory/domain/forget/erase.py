"""Forgetting for good: which records and messages go, what is masked, what must be recomputed, what is kept as a hash."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping

import attrs
from typing_extensions import assert_never

from cmemory.domain.evidence.suppression import (
    EVERYTHING,
    Guard,
    entities_of,
    fingerprints_of,
    quote_key,
    spoken_forms,
)
from cmemory.domain.forget.cascade import recompute
from cmemory.domain.forget.mask import mask_messages
from cmemory.domain.forget.residue import Residue, scan
from cmemory.domain.model.changes import Changes, Decision, Suppression, SuppressionKind
from cmemory.domain.model.ids import MessageId, RecordId, derive_id
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.message import Message, Quote, SourceKind
from cmemory.domain.model.record import AnyRecord, InferenceRecord, is_claim, is_inference, is_note
from cmemory.domain.model.state import RuntimeState
from cmemory.domain.policy import Policy
from cmemory.domain.text.normal import canonical


@attrs.frozen
class Records:
    """Forget these records, with the earlier values they replaced."""

    ids: tuple[str, ...]


@attrs.frozen
class ByPredicate:
    """Forget everything under a key, and let nothing be written there again."""

    key: str


@attrs.frozen
class ByEntity:
    """Forget everything that is structurally about somebody or something, and let nothing about them be written again."""

    name: str


class Everything(enum.Enum):
    """Forget the whole relationship, and remember nothing more in it."""

    EVERYTHING = "everything"


Target = Records | ByPredicate | ByEntity | Everything


@attrs.frozen(kw_only=True)
class Holdings:
    """All a scope holds, read in the transaction that will erase."""

    records: tuple[AnyRecord, ...]
    messages: Mapping[MessageId, Message]
    guard: Guard
    #: Whether there are further records, which the request does not concern; see `concern`.
    more: bool = False


@attrs.frozen(kw_only=True)
class ForgetReport:
    """What forgetting did."""

    #: Records that are gone, the named ones first.
    record_ids: tuple[RecordId, ...] = ()
    #: Messages that were deleted, or lost a part of their text.
    message_ids: tuple[MessageId, ...] = ()
    #: Survivors that resemble what was forgotten, for the person to judge.
    residue: tuple[Residue, ...] = ()
    #: Inferences that lost support.
    recomputed: tuple[RecordId, ...] = ()

    @property
    def forgotten(self) -> bool:
        """Whether anything was found to forget."""
        return bool(self.record_ids or self.message_ids)


def erase(
    target: Target, holdings: Holdings, *, now: Instant, policy: Policy
) -> tuple[ForgetReport, Changes]:
    """Decide what a request to forget takes along.

    The named records go with every earlier value of their chain, and with the notes that say them again. A message goes
    when nothing else rests on it; otherwise the forgotten words are masked in it, byte for byte, so that the quotes of the
    survivors stay where they were. Inferences that rested on it are recomputed in the same write. What remains is a keyed
    hash.
    """
    doomed, unsaid, weakened = doomed_by(target, holdings)
    if not (doomed or unsaid) and isinstance(target, Records):
        return ForgetReport(), Changes()
    ids = {record.id for record in doomed}
    survivors = [_without(record, unsaid) for record in holdings.records if record.id not in ids]
    dropped = frozenset(unsaid | (_messages_of(doomed) - _messages_of(survivors)))
    masked, requoted = mask_messages(
        doomed, survivors, holdings.messages, gone=dropped, policy=policy.forgetting
    )
    changed = {record.id: record for record in (*_changed(survivors, holdings.records), *requoted)}
    changed.update((record.id, record) for record in weakened if record.id not in ids)
    standing = [record for record in survivors if record.live(now) and not is_inference(record)]
    report = ForgetReport(
        record_ids=tuple(record.id for record in doomed),
        message_ids=(*sorted(dropped), *(message.id for message in masked)),
        residue=scan(doomed, standing, policy.forgetting),
        recomputed=tuple(record.id for record in weakened),
    )
    spoken_for = _spoken_for(survivors)
    nothing_left = not (survivors or holdings.more) and dropped >= set(holdings.messages)
    changes = Changes(
        erase_records=report.record_ids,
        erase_messages=tuple(sorted(dropped)),
        messages=masked,
        records=tuple(changed.values()),
        suppressions=_suppressions(target, (*report.record_ids, *report.message_ids), holdings, now),
        fingerprints=tuple(
            kept
            for record in doomed
            for kept in fingerprints_of(record, holdings.guard, now=now, spoken_for=spoken_for)
        ),
        decisions=tuple(_line(record.id, holdings.guard, now) for record in doomed),
        states=(RuntimeState(),) if nothing_left else (),
        revision_step=1,
    )
    return report, changes


def doomed_by(
    target: Target, holdings: Holdings
) -> tuple[list[AnyRecord], set[MessageId], tuple[InferenceRecord, ...]]:
    """Return the records that go, the messages that go because they are named, and the inferences that lose support."""
    unsaid = _unsaid_messages(target, holdings)
    doomed = _with_chains([*_named(target, holdings), *_only_in(unsaid, holdings.records)], holdings.records)
    collapsed, weakened = recompute(holdings.records, frozenset({*unsaid, *(record.id for record in doomed)}))
    doomed += [
        record for record in (*collapsed, *_repeating(doomed, holdings.records)) if record not in doomed
    ]
    return doomed, unsaid, weakened


def _unsaid_messages(target: Target, holdings: Holdings) -> set[MessageId]:
    """Return the messages that go because the request names them, or names everything."""
    if target is Everything.EVERYTHING:
        return set(holdings.messages)
    named = target.ids if isinstance(target, Records) else ()
    return {MessageId(name) for name in named if name in holdings.messages}


def _only_in(unsaid: set[MessageId], records: Iterable[AnyRecord]) -> list[AnyRecord]:
    """Return the records that nothing but these messages proves."""
    proven = ((record, {one.source_id for one in record.evidence}) for record in records if record.evidence)
    return [record for record, sources in proven if sources <= unsaid]


def _without(record: AnyRecord, unsaid: set[MessageId]) -> AnyRecord:
    left = tuple(one for one in record.evidence if one.source_id not in unsaid)
    return record if len(left) == len(record.evidence) else attrs.evolve(record, evidence=left)


def _changed(survivors: list[AnyRecord], before: Iterable[AnyRecord]) -> list[AnyRecord]:
    old = {record.id: record for record in before}
    return [record for record in survivors if record is not old[record.id]]


def _named(target: Target, holdings: Holdings) -> list[AnyRecord]:
    """Return the records a target names, in the order of the request or of the store."""
    records = holdings.records
    if isinstance(target, Records):
        by_id = {str(record.id): record for record in records}
        return [by_id[name] for name in dict.fromkeys(target.ids) if name in by_id]
    if isinstance(target, ByPredicate):
        return [record for record in records if getattr(record.body, "predicate", None) == target.key]
    if isinstance(target, ByEntity):
        wanted = canonical(target.name)
        return [record for record in records if _is_about(record, wanted)]
    if target is Everything.EVERYTHING:
        return list(records)
    assert_never(target)


def _is_about(record: AnyRecord, name: str) -> bool:
    """Tell whether a record is structurally about a name, in its canonical form; a note also where it says it."""
    if name in map(canonical, entities_of(record.body)):
        return True
    return is_note(record) and name in spoken_forms(record.body.text)


def _repeating(doomed: Iterable[AnyRecord], records: Iterable[AnyRecord]) -> list[AnyRecord]:
    """Return the notes that rest on nothing but words which prove a fact or story that goes: they would say it again."""
    gone = [proof for record in doomed if not is_note(record) for proof in _quoted(record)]
    notes = (record for record in records if is_note(record))
    return [note for note in notes if all(any(_holds(one, proof) for one in gone) for proof in _quoted(note))]


def _quoted(record: AnyRecord) -> list[tuple[str, Quote]]:
    return [(one.source_id, one.quote) for one in record.evidence if one.quote is not None]


def _holds(one: tuple[str, Quote], other: tuple[str, Quote]) -> bool:
    """Tell whether one proof holds the other, or the other way round."""
    (source, first), (other_source, second) = one, other
    inside = first.start <= second.start and second.end <= first.end
    around = second.start <= first.start and first.end <= second.end
    return source == other_source and (inside or around)


def _with_chains(named: list[AnyRecord], records: Iterable[AnyRecord]) -> list[AnyRecord]:
    """Return the named records and every earlier or later version of the same fact."""
    everything = tuple(records)
    by_id = {record.id: record for record in everything}
    later = {record.supersedes: record for record in everything if record.supersedes is not None}
    doomed: dict[RecordId, AnyRecord] = {record.id: record for record in named}
    for record in named:
        earlier = by_id.get(record.supersedes) if record.supersedes else None
        while earlier is not None and earlier.id not in doomed:
            doomed[earlier.id] = earlier
            earlier = by_id.get(earlier.supersedes) if earlier.supersedes else None
        successor = later.get(record.id)
        while successor is not None and successor.id not in doomed and _same_value(successor, record):
            doomed[successor.id] = successor
            successor = later.get(successor.id)
    return list(doomed.values())


def _same_value(one: AnyRecord, other: AnyRecord) -> bool:
    return (
        is_claim(one)
        and is_claim(other)
        and canonical(str(one.body.value)) == canonical(str(other.body.value))
    )


def _suppressions(
    target: Target, ids: Iterable[str], holdings: Holdings, now: Instant
) -> tuple[Suppression, ...]:
    """Return what keeps the erased records and messages, and all that the target covers, from coming back."""
    rows = [(SuppressionKind.RECORD, name) for name in ids]
    if isinstance(target, ByPredicate):
        rows.append((SuppressionKind.PREDICATE, target.key))
    elif isinstance(target, ByEntity):
        rows.append((SuppressionKind.ENTITY, holdings.guard.entity_digest(target.name)))
    elif target is Everything.EVERYTHING:
        rows.append((SuppressionKind.ALL, EVERYTHING))
    return tuple(Suppression(kind=kind, target=name, created_at=now) for kind, name in rows)


def _messages_of(records: Iterable[AnyRecord]) -> set[MessageId]:
    return {
        MessageId(one.source_id)
        for record in records
        for one in record.evidence
        if one.source is SourceKind.MESSAGE
    }


def _spoken_for(survivors: Iterable[AnyRecord]) -> frozenset[tuple[str, str]]:
    """Return the words, by key, that also prove something which stays."""
    return frozenset(
        (quote_key(record.body), one.quote.text)
        for record in survivors
        for one in record.evidence
        if one.quote is not None
    )


def _line(record_id: RecordId, guard: Guard, now: Instant) -> Decision:
    return Decision(
        id=derive_id("d", guard.scope.key, str(now), "forget", record_id),
        at=now,
        action="forget",
        outcome="erased",
        reason="requested",
        record_id=record_id,
    )
