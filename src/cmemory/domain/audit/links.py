"""Whether rows fit one another: proofs and messages, claims of one slot, chains, follow-ups, jobs, associations."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from cmemory.domain.audit.finding import Code
from cmemory.domain.audit.form import Found
from cmemory.domain.audit.rows import EvidenceRow, MessageRow, RecordRow, Snapshot
from cmemory.domain.model.bodies import Claim, Inference
from cmemory.domain.model.changes import SuppressionKind
from cmemory.domain.model.life import Status
from cmemory.domain.model.message import SourceKind, Speaker
from cmemory.domain.policy import AssociationPolicy
from cmemory.domain.predicates.registry import find

_MESSAGE = SourceKind.MESSAGE.value


def proofs(snapshot: Snapshot) -> Iterator[Found]:
    """Yield the records that nothing proves, or whose proof is not what was said."""
    messages = {message.id: message for message in snapshot.messages}
    records = {record.id for record in snapshot.records}
    held: dict[int, list[EvidenceRow]] = defaultdict(list)
    for proof in snapshot.evidence:
        held[proof.record].append(proof)
    for record in snapshot.records:
        if not held[record.no] and record.kind != "inference":
            yield Code.EVIDENCE_MISSING, record.id
        for proof in held[record.no]:
            found = _flaw(proof, messages, records)
            if found is not None:
                yield found, record.id


def _flaw(proof: EvidenceRow, messages: dict[str, MessageRow], records: set[str]) -> Code | None:
    if proof.source != _MESSAGE:
        return None if proof.source_id in records else Code.SOURCE_MISSING
    message = messages.get(proof.source_id)
    if message is None:
        return Code.SOURCE_MISSING
    if not _stands(proof, message.text):
        return Code.QUOTE_MISMATCH
    return None if proof.speaker == message.speaker else Code.SPEAKER_MISMATCH


def _stands(proof: EvidenceRow, text: str) -> bool:
    """Tell whether the quote stands at its place, byte for byte."""
    start, end, quote = proof.start, proof.end, proof.quote
    if start is None or end is None or not quote or start < 0:
        return False
    words = quote.encode("utf-8")
    return end == start + len(words) and text.encode("utf-8")[start:end] == words


def support(snapshot: Snapshot) -> Iterator[Found]:
    """Yield the conclusions that name a source which is neither there nor forgotten."""
    there = (
        {one.id for one in snapshot.messages} | {one.id for one in snapshot.records} | _forgotten(snapshot)
    )
    for record in snapshot.records:
        if isinstance(record.body, Inference):
            cited = (*record.body.support, *record.body.counter)
            if any(one.source_id not in there for one in cited):
                yield Code.SUPPORT_DANGLING, record.id


def slots(snapshot: Snapshot, now: str) -> Iterator[Found]:
    """Yield one claim of each slot in which several stand where one can be true."""
    live: dict[str, list[RecordRow]] = defaultdict(list)
    for record in snapshot.records:
        row = find(record.body.predicate) if isinstance(record.body, Claim) else None
        if row is not None and row.single and record.slot is not None and _is_live(record, now):
            live[record.slot].append(record)
    for crowd in live.values():
        if len(crowd) > 1:
            yield Code.SLOT_CROWDED, max(crowd, key=lambda one: (one.updated_at, one.id)).id


def _is_live(record: RecordRow, now: str) -> bool:
    return record.status == Status.ACTIVE.value and (record.valid_until is None or now < record.valid_until)


def chains(snapshot: Snapshot) -> Iterator[Found]:
    """Yield the records that replaced nothing known, and those that replace each other in a circle."""
    earlier = {record.id: record.supersedes for record in snapshot.records}
    known = _forgotten(snapshot) | {one.record_id for one in snapshot.decisions}
    finished: set[str] = set()
    for record_id, replaced in earlier.items():
        if replaced is not None and replaced not in earlier and replaced not in known:
            yield Code.CHAIN_DANGLING, record_id
        path: dict[str, None] = {}
        step: str | None = record_id
        while step is not None and step in earlier and step not in path and step not in finished:
            path[step] = None
            step = earlier[step]
        if step is not None and step in path:
            yield Code.CHAIN_CYCLE, min(list(path)[list(path).index(step) :])
        finished.update(path)


def followups(snapshot: Snapshot) -> Iterator[Found]:
    """Yield the follow-ups of records that are not there."""
    records = {record.id for record in snapshot.records}
    for thread in snapshot.threads:
        if thread.record_id not in records:
            yield Code.THREAD_DANGLING, thread.id


def jobs(snapshot: Snapshot) -> Iterator[Found]:
    """Yield the jobs whose message is not there, or is not the user's."""
    said = {one.id for one in snapshot.messages if one.speaker == Speaker.USER.value}
    for job in snapshot.jobs:
        if job.message_id not in said:
            yield Code.JOB_DANGLING, job.message_id


def exchanges(snapshot: Snapshot) -> Iterator[Found]:
    """Yield the exchanges whose messages are not there, or are by somebody else."""
    speakers = {one.id: one.speaker for one in snapshot.messages}
    for one in snapshot.exchanges:
        said = speakers.get(one.message_id) == Speaker.USER.value
        answered = one.answered is None or speakers.get(one.answered) == Speaker.ASSISTANT.value
        if not (said and answered):
            yield Code.EXCHANGE_DANGLING, one.message_id


def edges(snapshot: Snapshot) -> Iterator[Found]:
    """Yield the associations whose ends are not there, not in order, or of another conversation."""
    sessions = {one.id: one.session for one in snapshot.messages}
    for edge in snapshot.edges:
        ends = (edge.source, edge.target)
        if edge.source >= edge.target:
            yield Code.EDGE_ORDER, edge.id
        if not all(end in sessions for end in ends):
            yield Code.EDGE_DANGLING, edge.id
        elif {sessions[end] for end in ends} != {edge.session}:
            yield Code.EDGE_SESSION, edge.id


def edge_excess(snapshot: Snapshot, limits: AssociationPolicy) -> Iterator[Found]:
    """Yield the associations that are too heavy, and one of each conversation that has too many."""
    for edge in snapshot.edges:
        if edge.weight > limits.max_weight:
            yield Code.EDGE_EXCESS, edge.id
    held = Counter(edge.session for edge in snapshot.edges)
    crowded = {session for session, count in held.items() if count > max(1, limits.max_edges)}
    # A conversation is named by its host, perhaps after somebody; so an association stands for it.
    named = {edge.session: edge.id for edge in snapshot.edges if edge.session in crowded}
    yield from ((Code.EDGE_EXCESS, name) for name in named.values())


def _forgotten(snapshot: Snapshot) -> set[str | None]:
    return {one.target for one in snapshot.suppressions if one.kind == SuppressionKind.RECORD.value}
