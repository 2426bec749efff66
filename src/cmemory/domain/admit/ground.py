"""What every admission looks at, and the checks that come before any decision."""

from __future__ import annotations

import attrs

from cmemory.domain.evidence.quote import check
from cmemory.domain.evidence.suppression import Guard, Repeat
from cmemory.domain.model.candidate import Admission, Outcome, Reason
from cmemory.domain.model.changes import Changes, Decision
from cmemory.domain.model.ids import RecordId, derive_id
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.message import Evidence, Message, Quote, Role, SourceKind, Speaker
from cmemory.domain.model.record import AnyRecord, Provenance
from cmemory.domain.policy import Policy
from cmemory.domain.text.screening import unfit

#: What was decided, and what it wants written.
Decided = tuple[Admission, Changes]


@attrs.frozen(kw_only=True)
class Ground:
    """The facts an admission rests on, read inside the transaction that will write its outcome."""

    message: Message
    guard: Guard
    policy: Policy
    provenance: Provenance
    #: The record of this scope that already bears the wanted id, whatever its status.
    holder: AnyRecord | None = None
    #: Whether another scope owns the wanted id.
    foreign: bool = False
    #: Whether the message itself was forgotten, so that nothing may be proved by it any more.
    unsaid: bool = False
    #: Stretches of it that proved something forgotten.
    repeats: tuple[Repeat, ...] = ()


#: What each refusal means, in words for a developer.
WORDS = {
    Reason.MISSING_IDENTIFIER: "id and predicate must not be blank",
    Reason.UNKNOWN_PREDICATE: "unknown predicate: the key is not registered",
    Reason.QUALIFIER_CONTRACT: "qualifiers are outside the contract of this predicate",
    Reason.SPAN_MISMATCH: "the source span does not hold the quote",
    Reason.AMBIGUOUS_QUOTE: "the quote of this source span occurs more than once in the message",
    Reason.NOT_USER_SPEECH: "only the user's own words can prove a fact about the user",
    Reason.REQUIRES_ENTITY_REF: "this predicate needs an entity reference: say whom or what it is about",
    Reason.STRUCTURED_FIELDS: "structured fields of the episode are malformed or not in the source",
    Reason.TYPE_INCOMPATIBLE: "the stored value is of a kind that this one may not replace",
    Reason.COARSER_DATE: "the stored date is finer than this one",
    Reason.RESURRECTION: "refused: this would resurrect forgotten content",
    Reason.ID_CONFLICT: "the id already names a record with other content",
    Reason.ID_IN_OTHER_SCOPE: "the id belongs to another scope",
    Reason.INSTRUCTION: "the text gives orders to a model",
    Reason.SECRET: "the text holds a secret",
    Reason.TOO_LONG: "the text is too long for a fact",
    Reason.OUTDATED: "a later statement about the same thing is already stored",
    Reason.PUT_AWAY: "the person put this note away and has not said it again since",
    Reason.UNSUPPORTED: "the source does not bear this out",
    Reason.INVALID_VALUE: "a value is not of the form its field asks for",
    Reason.NOTHING_TO_RETRACT: "no active record matches the retraction",
    Reason.CORRECTION_NOT_FOUND: "no active claim speaks of what is corrected",
    Reason.CORRECTION_AMBIGUOUS: "it is not said which claim, or which part of it, is corrected",
}


def refuse(
    ground: Ground, candidate_id: str, reason: Reason, *, now: Instant, action: str, detail: str = ""
) -> Decided:
    """Return a refusal and its line in the audit."""
    admission = Admission(
        candidate_id=candidate_id, outcome=Outcome.REJECTED, reason=reason, detail=detail or WORDS[reason]
    )
    return admission, Changes(decisions=(decision(ground, admission, now=now, action=action),))


def decision(ground: Ground, admission: Admission, *, now: Instant, action: str) -> Decision:
    """Return the audit line of an admission; a replay gives the same id and so no second line."""
    return Decision(
        id=derive_id(
            "d", ground.guard.scope.key, str(now), action, admission.candidate_id, admission.reason.value
        ),
        at=now,
        action=action,
        outcome=admission.outcome.value,
        reason=admission.reason.value,
        record_id=admission.record_id,
        candidate_id=admission.candidate_id,
        message_id=ground.message.id,
    )


def check_source(ground: Ground, quote: Quote) -> Reason | None:
    """Return why the message and quote cannot prove anything, or None."""
    if ground.message.speaker is not Speaker.USER:
        return Reason.NOT_USER_SPEECH
    if ground.unsaid:
        return Reason.RESURRECTION
    return check(ground.message.text, quote)


def check_content(ground: Ground, *texts: str | None) -> Reason | None:
    """Return why these texts may not be remembered, or None."""
    return unfit(texts, max_chars=ground.policy.admission.max_value_chars)


def repeats_forgotten(ground: Ground, quote: Quote, key: str) -> bool:
    """Tell whether a quote stands in words that proved something forgotten under the same key.

    A spelling that is read only in part would bring back a part: 慕容 of 我叫慕容 晚秋.
    """
    return any(one.covers(quote, key) for one in ground.repeats)


def check_owner(ground: Ground) -> Reason | None:
    """Return whether the wanted id belongs to somebody else."""
    return Reason.ID_IN_OTHER_SCOPE if ground.foreign else None


def evidence_of(ground: Ground, quote: Quote) -> Evidence:
    """Return the proof a candidate brings."""
    return Evidence(
        source=SourceKind.MESSAGE,
        source_id=ground.message.id,
        speaker=ground.message.speaker,
        role=Role.USER_ASSERTION,
        quote=quote,
    )


def merged(
    ground: Ground, candidate_id: str, into: AnyRecord, quote: Quote, *, now: Instant, action: str
) -> Decided:
    """Return the answer "known already": the record gains the new proof, so that forgetting it reaches both messages."""
    proof = evidence_of(ground, quote)
    admission = Admission(
        candidate_id=candidate_id,
        outcome=Outcome.MERGED,
        reason=Reason.MERGED,
        detail="merged: the same fact is already stored",
        record_id=RecordId(into.id),
    )
    line = decision(ground, admission, now=now, action=action)
    if any(one.source_id == proof.source_id and one.quote == proof.quote for one in into.evidence):
        return admission, Changes(decisions=(line,))
    grown = attrs.evolve(into, evidence=(*into.evidence, proof))
    return admission, Changes(messages=(ground.message,), records=(grown,), decisions=(line,))
