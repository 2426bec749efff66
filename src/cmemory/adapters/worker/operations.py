"""The operations of protocol version 1, in terms of the façade."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from cmemory.adapters.worker.fields import Fields
from cmemory.domain.errors import UsageError, WireError
from cmemory.domain.forget.authorise import authorises
from cmemory.domain.forget.residue import Residue, ResidueKind
from cmemory.domain.model.bodies import ArcPoint, Participant
from cmemory.domain.model.candidate import (
    Admission,
    Candidate,
    ClaimCandidate,
    EpisodeCandidate,
    Outcome,
    PendingCandidate,
    ThreadProposal,
)
from cmemory.domain.model.instant import EARLIEST, Instant
from cmemory.domain.model.message import Quote
from cmemory.domain.plan.plan import Channel, Item, Plan, Why
from cmemory.domain.predicates.registry import PREDICATES, Predicate
from cmemory.memory import Memory, ScopedMemory

#: What `health` reports; the schema number belongs to the protocol, not to our tables.
SCHEMA_VERSION = 4

#: Search results have no limit in this protocol; this is more than any scope holds.
_NO_LIMIT = 1_000_000_000

_SCOPE_NAMES = {
    "scope.service": "service_id",
    "scope.owner": "owner_user_id",
    "scope.profile": "companion_profile_id",
}

Operation = Callable[[Memory, Fields], Mapping[str, object]]


def health(memory: Memory, params: Fields) -> Mapping[str, object]:
    """Report versions and the vocabulary, with what an extractor needs to know of each key."""
    del memory, params
    return {
        "protocolVersion": 1,
        "schemaVersion": SCHEMA_VERSION,
        "predicateKeys": list(PREDICATES),
        "predicateSchemas": [predicate_schema(row) for row in PREDICATES.values()],
    }


def warm(memory: Memory, params: Fields) -> Mapping[str, object]:
    """Return the plan for the current message."""
    scoped = scope_of(memory, params)
    message = params.text("current_message")
    now = _lenient_instant(params.text("now"))
    params.text("turn_key", "")
    session, new_session = params.text("session_id", ""), params.truth("new_session", False)
    forced = params.texts("force_record_ids", [])
    plan = scoped.prepare(message, session=session, now=now, new_session=new_session, forced=forced)
    return {"revision": plan.revision, "plan": plan_data(plan)}


def admit(memory: Memory, params: Fields) -> Mapping[str, object]:
    """Decide on claims, then episodes, then pending pointers, of one message."""
    scoped = scope_of(memory, params)
    now = _instant(params.text("now"))
    source = params.nested("source")
    message_id, session, text = source.text("id"), source.text("session_id"), source.text("text")
    candidates: list[Candidate] = [_claim(one) for one in params.each("candidates")]
    candidates += [_episode(one) for one in params.each("episodes")]
    pending = tuple(
        PendingCandidate(id=one.text("id"), kind=one.text("kind"), reason=one.text("reason"))
        for one in params.each("pending")
    )
    admissions = scoped.admit(
        text, candidates, pending=pending, session=session, at=now, message_id=message_id
    )
    return {
        "accepted": [one.record_id for one in admissions if one.stored],
        "rejected": [
            {"candidateId": one.candidate_id, "reason": _reason(one), "code": one.reason.value}
            for one in admissions
            if one.outcome in (Outcome.REJECTED, Outcome.MERGED)
        ],
        "merged": [
            {"candidateId": one.candidate_id, "recordId": one.record_id}
            for one in admissions
            if one.outcome is Outcome.MERGED
        ],
        "pending": sum(one.outcome is Outcome.PENDING for one in admissions),
    }


def query(memory: Memory, params: Fields) -> Mapping[str, object]:
    """Return what the terms find and the current message gives leave to tell."""
    scoped = scope_of(memory, params)
    _require_action(params, "search")
    now = _lenient_instant(params.text("now"))
    hits = scoped.search(
        params.text("terms", ""), message=params.text("current_message", ""), now=now, limit=_NO_LIMIT
    )
    ordered = sorted(hits, key=lambda hit: (hit.kind != "claim", -hit.updated_at.microseconds, hit.id))
    return {"records": [{"id": hit.id, "text": hit.text} for hit in ordered]}


def forget(memory: Memory, params: Fields) -> Mapping[str, object]:
    """Erase one record that the current message names and asks to delete."""
    scoped = scope_of(memory, params)
    _require_action(params, "forget")
    record_id, message = params.text("record_id", ""), params.text("current_message")
    now = _instant(params.text("now"))
    if not authorises(message, record_id):
        raise WireError(path="$.current_message", problem="must itself ask to delete exactly this record")
    report = scoped.forget(record_id, now=now)
    return {
        "forgotten": report.forgotten,
        "recordIds": list(report.record_ids),
        "residue": [_residue(one) for one in report.residue],
        "residueScanFailed": False,
    }


def session_closed(memory: Memory, params: Fields) -> Mapping[str, object]:
    """End a conversation."""
    scoped = scope_of(memory, params)
    session, now = params.text("session_id"), _instant(params.text("now"))
    return {"expired": scoped.close_session(session, now=now)}


#: Every operation by its name on the wire.
OPERATIONS: Mapping[str, Operation] = {
    "health": health,
    "warm": warm,
    "admit": admit,
    "query": query,
    "forget": forget,
    "session_closed": session_closed,
}


def predicate_schema(row: Predicate) -> Mapping[str, object]:
    """Return what an extractor may know of a key; how openly it may be spoken of is not among it."""
    qualifiers = None
    if row.contexts:
        context = {"type": "string", "enum": list(row.contexts)}
        qualifiers = {"type": "object", "properties": {"context": context}, "additionalProperties": False}
    return {
        "key": row.key,
        "valueKind": row.kind.value,
        "enumValues": list(row.enum_values),
        "cardinality": row.cardinality.value,
        "requiresEntityRef": row.requires_entity,
        "qualifierSchema": qualifiers,
        "description": row.meaning,
    }


def plan_data(plan: Plan) -> Mapping[str, object]:
    """Return a plan in the words of the wire. Episodes at rest are not listed, as the protocol has it."""
    return {
        channel.value: [
            _item(item) for item in plan.channel(channel) if item.reason is not Why.EPISODE_AT_REST
        ]
        for channel in Channel
    }


def _item(item: Item) -> Mapping[str, object]:
    return {
        "recordId": item.record_id,
        "text": item.text,
        "surface": item.surface.token,
        "reason": item.reason.value,
    }


def _residue(one: Residue) -> Mapping[str, object]:
    source = "episode" if one.record_id.startswith("episode-") else "claim"
    found: dict[str, object] = {"kind": one.kind.value, "sourceType": source, "sourceId": one.record_id}
    if one.kind is ResidueKind.EXACT:
        found["matchedId"] = one.matched_id
    else:
        found["similarity"] = one.similarity
    return found


def _reason(admission: Admission) -> str:
    return "merged" if admission.outcome is Outcome.MERGED else admission.detail


def scope_of(memory: Memory, params: Fields) -> ScopedMemory:
    """Return the relationship a request is about.

    Raises:
        WireError: the scope is missing, or a part of it is no name.
    """
    scope = params.nested("scope")
    try:
        return memory.scope(
            service=scope.text("service_id"),
            owner=scope.text("owner_user_id"),
            profile=scope.text("companion_profile_id"),
        )
    except UsageError as error:
        raise WireError(path=f"$.scope.{_SCOPE_NAMES[error.field]}", problem=error.problem) from error


def _require_action(params: Fields, action: str) -> None:
    if params.text("action") != action:
        raise WireError(path="$.action", problem=f"must be {action}")


def _instant(text: str) -> Instant:
    try:
        return Instant.parse(text)
    except UsageError as error:
        raise WireError(path="$.now", problem=error.problem) from error


def _lenient_instant(text: str) -> Instant:
    """Return the moment of a read; as the protocol has it, no moment means that no time passed."""
    try:
        return Instant.parse(text)
    except UsageError:
        return EARLIEST


def _claim(one: Fields) -> ClaimCandidate:
    thread = None if one.values.get("open_thread") is None else one.nested("open_thread")
    qualifiers = one.values.get("qualifiers")
    return ClaimCandidate(
        id=one.text("id"),
        predicate=one.text("predicate"),
        value=one.raw("value"),
        quote=_quote(one),
        raw_value=one.optional_text("raw_value"),
        entity_ref=one.optional_text("entity_ref"),
        qualifiers=qualifiers,
        confidence=one.number("confidence", 0.0),
        thread=None if thread is None else _thread(thread),
    )


def _thread(one: Fields) -> ThreadProposal:
    expires = one.optional_text("expires_at")
    return ThreadProposal(
        id=one.text("id"),
        summary=one.text("summary"),
        entity_ref=one.optional_text("entity_ref"),
        expires_at=None if expires is None else _instant(expires),
    )


def _episode(one: Fields) -> EpisodeCandidate:
    return EpisodeCandidate(
        id=one.text("id"),
        narrative=one.text("narrative"),
        quote=_quote(one),
        confidence=one.number("confidence", 0.0),
        participants=tuple(_participant(each) for each in one.each("participants")),
        emotional_arc=tuple(_arc_point(each) for each in one.each("emotional_arc", null=True)),
        user_reaction=one.optional_text("user_reaction"),
        response_ref=one.optional_text("response_ref"),
    )


def _participant(one: Fields) -> Participant:
    role = one.text("role")
    if role not in ("user", "companion"):
        raise WireError(path=f"{one.path}.role", problem="must be user or companion")
    return Participant(role=role, entity_ref=one.optional_text("entity_ref"))


def _arc_point(one: Fields) -> ArcPoint:
    source = one.text("source")
    if source not in ("user_expressed", "observed"):
        raise WireError(path=f"{one.path}.source", problem="must be user_expressed or observed")
    return ArcPoint(
        at_turn=one.count("at_turn"),
        labels=one.texts("labels"),
        intensity=one.optional_number("intensity"),
        source=source,
    )


def _quote(one: Fields) -> Quote:
    return Quote(start=one.whole("start_offset"), end=one.whole("end_offset"), text=one.text("quote"))
