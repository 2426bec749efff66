"""Finds the one claim that a correction is about, and says what it becomes.

Never the closest match: no claim, or more than one, is a refusal. What is found is not written here. The claim that
takes its place is a candidate like any other and passes `admit_claim`, so nothing can be corrected to what could not
be said.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import attrs

from cmemory.domain.admit.ground import (
    Decided,
    Ground,
    check_content,
    check_source,
    decision,
    evidence_of,
    merged,
    refuse,
)
from cmemory.domain.lexicon.corrections import COPULAS
from cmemory.domain.model.bodies import Claim
from cmemory.domain.model.candidate import (
    ClaimCandidate,
    CorrectionCandidate,
    Outcome,
    Reason,
    RetractionCandidate,
)
from cmemory.domain.model.changes import Changes
from cmemory.domain.model.ids import RecordId, derive_id
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.message import Evidence
from cmemory.domain.model.record import AnyRecord, ClaimRecord, is_claim
from cmemory.domain.pattern import lazy_pattern
from cmemory.domain.predicates.registry import ValueKind, find
from cmemory.domain.predicates.values import normal_value
from cmemory.domain.text.normal import fold

ACTION = "correct"

#: What is known of somebody moves along when that somebody turns out to be called otherwise.
_PEOPLE = ("person.", "relationship.")

#: What a refusal means here, where it means something of its own.
_UNFIT = {
    Reason.MISSING_IDENTIFIER: "id must not be blank, nor subject and previous both",
    Reason.INVALID_VALUE: "new: must not be empty",
}


@attrs.frozen(kw_only=True)
class Step:
    """One claim that gives way, and the candidate that asks to take its place."""

    old: ClaimRecord
    candidate: ClaimCandidate


@attrs.frozen(kw_only=True)
class Resolved:
    """What a correction comes to: the corrected claim, and what follows its person to another name."""

    main: Step
    followers: tuple[Step, ...] = ()


def resolve(
    candidate: CorrectionCandidate, active: Sequence[ClaimRecord], ground: Ground, *, now: Instant
) -> Resolved | Decided:
    """Return what the correction comes to, or the answer when it comes to nothing new.

    Args:
        candidate: what was proposed.
        active: the live claims of the scope that may be seen.
        ground: message, guard and who holds the id of the record it would become.
        now: when it was said. Claims stated after that moment are not meant.
    """
    reason = _objection(candidate, ground)
    if reason is not None:
        detail = _UNFIT.get(reason, "")
        return refuse(ground, candidate.id, reason, now=now, action=ACTION, detail=detail)
    if ground.holder is not None or ground.foreign:
        return _taken(candidate, ground, now=now)
    made = _made_before(candidate, active, ground)
    if made is not None:
        return merged(ground, candidate.id, made, candidate.quote, now=now, action=ACTION)
    target = _target(candidate, [record for record in active if record.valid_from <= now])
    if isinstance(target, Reason):
        return refuse(ground, candidate.id, target, now=now, action=ACTION)
    step = _step(candidate, target)
    if step is None:
        return refuse(ground, candidate.id, Reason.CORRECTION_AMBIGUOUS, now=now, action=ACTION)
    return Resolved(main=step, followers=tuple(_followers(candidate, step, active)))


def retraction_of(candidate: CorrectionCandidate, old: ClaimRecord) -> RetractionCandidate | None:
    """Return the retraction that makes room where the key never replaces anything by itself (I2)."""
    if not old.body.predicate.startswith("misc."):
        return None
    return RetractionCandidate(
        id=derive_id("r", candidate.id, old.id),
        predicates=(old.body.predicate,),
        quote=candidate.quote,
        value=str(old.body.value),
    )


def with_proof_of(old: ClaimRecord, changes: Changes) -> Changes:
    """Return the changes with the old proof added to what follows a person to another name.

    Only the name was wrong; what the person said under it still proves the rest.
    """
    return attrs.evolve(
        changes,
        records=tuple(
            attrs.evolve(record, evidence=_joined(old.evidence, record.evidence))
            if record.supersedes == old.id
            else record
            for record in changes.records
        ),
    )


def with_correction(
    old: ClaimRecord, quote_of: CorrectionCandidate, ground: Ground, changes: Changes
) -> Changes:
    """Return the changes with the correcting words kept as proof of the end of the old claim.

    They name what was believed, so whoever has the old claim forgotten must reach them too.
    """
    proof = evidence_of(ground, quote_of.quote)
    return attrs.evolve(
        changes,
        records=tuple(
            attrs.evolve(record, evidence=_joined(record.evidence, (proof,)))
            if record.id == old.id
            else record
            for record in changes.records
        ),
    )


def _joined(first: tuple[Evidence, ...], second: tuple[Evidence, ...]) -> tuple[Evidence, ...]:
    return (*first, *(one for one in second if one not in first))


# -- what speaks against it ----------------------------------------------------------------------------------


def _objection(candidate: CorrectionCandidate, ground: Ground) -> Reason | None:
    if not candidate.id.strip() or not (_given(candidate.subject) or _given(candidate.previous)):
        return Reason.MISSING_IDENTIFIER
    if not _given(candidate.new):
        return Reason.INVALID_VALUE
    reason = check_source(ground, candidate.quote)
    return reason or check_content(ground, candidate.new, candidate.quote.text)


def _given(text: str | None) -> bool:
    return text is not None and bool(text.strip())


def _taken(candidate: CorrectionCandidate, ground: Ground, *, now: Instant) -> Decided:
    """Answer a correction whose record is there already: a replay is harmless, anything else is a conflict."""
    holder = ground.holder
    if holder is not None and is_claim(holder) and _proved_here(holder, candidate, ground):
        return merged(ground, candidate.id, holder, candidate.quote, now=now, action=ACTION)
    reason = Reason.ID_IN_OTHER_SCOPE if ground.foreign else Reason.ID_CONFLICT
    return refuse(ground, candidate.id, reason, now=now, action=ACTION)


def _made_before(
    candidate: CorrectionCandidate, active: Iterable[ClaimRecord], ground: Ground
) -> ClaimRecord | None:
    """Return the claim into which the same correction was merged when it first came."""
    proved = (record for record in active if _proved_here(record, candidate, ground))
    return next((record for record in proved if _says(record.body, candidate.new)), None)


def _proved_here(record: AnyRecord, candidate: CorrectionCandidate, ground: Ground) -> bool:
    return any(one.source_id == ground.message.id and one.quote == candidate.quote for one in record.evidence)


# -- which claim is meant ------------------------------------------------------------------------------------


def _target(candidate: CorrectionCandidate, active: Sequence[ClaimRecord]) -> ClaimRecord | Reason:
    reach = [one for one in active if not candidate.predicates or one.body.predicate in candidate.predicates]
    if candidate.subject is not None:
        found = [one for one in reach if _speaks_of(one.body, candidate.subject, candidate.previous)]
    else:
        previous = candidate.previous or ""
        # "Not Anna" means who is called Anna, before it means whatever was told of her.
        found = [one for one in reach if fold(previous) in _sayings(one.body)]
        if not found and not candidate.whole:
            found = [one for one in reach if _says(one.body, previous)]
    if len(found) > 1:
        return Reason.CORRECTION_AMBIGUOUS
    return found[0] if found else Reason.CORRECTION_NOT_FOUND


def _sayings(claim: Claim) -> tuple[str, ...]:
    """Return what a claim says: value and wording."""
    texts = (claim.value, claim.raw_value)
    return tuple(normal_value(text) for text in texts if text is not None)


def _speaks_of(claim: Claim, subject: str, previous: str | None) -> bool:
    words = (*_sayings(claim), fold(claim.entity_ref or ""))
    wanted = (subject,) if previous is None else (subject, previous)
    return all(any(_part(text).search(own) for own in words) for text in wanted)


def _says(claim: Claim, text: str) -> bool:
    return any(_part(text).search(own) for own in _sayings(claim))


_APOSTROPHE = lazy_pattern("['’‘`´]")


def _part(text: str) -> re.Pattern[str]:
    """Return a pattern that finds the folded text; letters and digits of ASCII only as whole words.

    >>> [_part("Port 8").search(own) is not None for own in ("the port 8 here", "port 80")]
    [True, False]
    """
    words = r"\s+".join(map(re.escape, fold(text).split(" ")))
    words = _APOSTROPHE.sub("['’‘`´]", words)
    return re.compile(rf"(?<![a-z0-9](?=[a-z0-9])){words}(?!(?<=[a-z0-9])[a-z0-9])", re.IGNORECASE)


# -- what it becomes -----------------------------------------------------------------------------------------


def _step(candidate: CorrectionCandidate, old: ClaimRecord) -> Step | None:
    """Return the claim as it is corrected, or None when it is not said which part of it changes."""
    claim = old.body
    value = _corrected_value(candidate, claim)
    if value is None:
        return None
    entity = _corrected_entity(candidate, claim, value)
    return Step(
        old=old,
        candidate=ClaimCandidate(
            id=candidate.id,
            predicate=claim.predicate,
            value=value,
            quote=candidate.quote,
            raw_value=candidate.new if _holds_date(claim) else str(value),
            entity_ref=entity,
            qualifiers=dict(claim.qualifiers),
            confidence=claim.confidence,
            replaces=old.id,
        ),
    )


def _holds_date(claim: Claim) -> bool:
    row = find(claim.predicate)
    return row is not None and row.kind is ValueKind.DATE


def _corrected_value(candidate: CorrectionCandidate, claim: Claim) -> str | int | None:
    new = candidate.new.strip()
    if not isinstance(claim.value, str):
        return int(new) if new.isdecimal() else new
    if _holds_date(claim):
        return candidate.day or new
    value = claim.value
    if candidate.previous is not None and _part(candidate.previous).search(value):
        return _part(candidate.previous).sub(lambda _: new, value, count=1)
    if candidate.subject is None or fold(value) == fold(candidate.subject):
        return new
    if fold(claim.entity_ref or "") == fold(candidate.subject):
        return (
            _part(candidate.subject).sub(lambda _: new, value, count=1) if _names(value, candidate) else new
        )
    stated = _after_copula(candidate.subject).match(value)
    if stated is not None:
        return stated["head"] + new
    return None if _names(value, candidate) and claim.entity_ref is None else new


def _names(value: str, candidate: CorrectionCandidate) -> bool:
    return candidate.subject is not None and _part(candidate.subject).search(value) is not None


def _after_copula(subject: str) -> re.Pattern[str]:
    """Return a pattern for "the lamp is cold", where only what follows the lamp changes."""
    joins = "|".join(map(re.escape, sorted(COPULAS, key=len, reverse=True)))
    head = rf"(?P<head>.*?{_part(subject).pattern}\s*(?:{joins})(?!(?<=[a-z])[a-z])\s*)"
    return re.compile(rf"{head}\S", re.IGNORECASE | re.DOTALL)


def _corrected_entity(candidate: CorrectionCandidate, claim: Claim, value: str | int) -> str | None:
    """Return whom or what the claim is about now: where the wrong word named it, the right one does."""
    entity = claim.entity_ref
    if entity is None:
        return None
    if fold(entity) == normal_value(claim.value):
        return str(value)
    wrong = candidate.previous
    if wrong is None and _names(str(claim.value), candidate):
        wrong = candidate.subject
    return candidate.new.strip() if wrong is not None and fold(entity) == fold(wrong) else entity


def _followers(candidate: CorrectionCandidate, step: Step, active: Iterable[ClaimRecord]) -> Iterable[Step]:
    """Yield what else is known of a person whose name was wrong, under the right one."""
    was, now_called = step.old.body.entity_ref, step.candidate.entity_ref
    if was == now_called or was is None or not step.old.body.predicate.startswith(_PEOPLE):
        return
    for record in active:
        claim = record.body
        if record.id != step.old.id and claim.entity_ref == was and claim.predicate.startswith(_PEOPLE):
            yield Step(
                old=record,
                candidate=ClaimCandidate(
                    id=derive_id("c", candidate.id, record.id),
                    predicate=claim.predicate,
                    value=claim.value,
                    quote=candidate.quote,
                    raw_value=claim.raw_value,
                    entity_ref=now_called,
                    qualifiers=dict(claim.qualifiers),
                    confidence=claim.confidence,
                    valid_until=record.valid_until,
                    replaces=record.id,
                ),
            )


def joined(main: Decided, others: Iterable[Decided], ground: Ground, *, now: Instant) -> Decided:
    """Return the one answer to a correction, with all that ends by it."""
    admission, changes = main
    ended: list[RecordId] = list(admission.ended)
    for other, further in others:
        if other.outcome is not Outcome.REJECTED:
            ended += [one for one in other.ended if one not in ended]
            changes = further.then(changes) if other.outcome is Outcome.RETRACTED else changes.then(further)
    answer = attrs.evolve(admission, ended=tuple(ended))
    line = decision(ground, answer, now=now, action=ACTION)
    return answer, changes.then(Changes(decisions=(line,)))
