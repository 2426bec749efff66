"""Writes down a slow conclusion, if everything it rests on may support one. Nothing is ever concluded automatically."""

from __future__ import annotations

from collections.abc import Sequence

from cmemory.app.services import Services
from cmemory.domain.admit.ground import WORDS
from cmemory.domain.admit.inferences import check_inference
from cmemory.domain.errors import UsageError
from cmemory.domain.evidence.graph import Sources, objections
from cmemory.domain.evidence.suppression import Guard
from cmemory.domain.model.bodies import Axis, Inference
from cmemory.domain.model.candidate import Admission, Outcome, Reason
from cmemory.domain.model.changes import Changes, Decision
from cmemory.domain.model.ids import RecordId, derive_id
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.message import Evidence, SourceKind, Speaker
from cmemory.domain.model.record import InferenceRecord, Provenance, Record, is_claim, is_episode
from cmemory.domain.model.scope import Scope
from cmemory.domain.reflect.inference import capped
from cmemory.ports.store import View

_ACTION = "admit_inference"


def infer(
    services: Services,
    scope: Scope,
    *,
    axis: Axis,
    predicate: str,
    value: str,
    support: Sequence[str],
    confidence: float,
    now: Instant,
) -> Admission:
    """Decide on a conclusion; it is stored as accumulating, unspoken, with its confidence under the cap.

    Args:
        axis: what kind of conclusion it is.
        predicate: its key, which must allow inference.
        value: the conclusion in words.
        support: ids of the records and messages it rests on.
        confidence: 0 to 1 as proposed.
        now: when it was drawn.

    Raises:
        UsageError: the value is blank.
    """
    if not value.strip():
        raise UsageError(field="value", problem="must not be empty or blank")
    with services.store.write(scope) as unit:
        guard = services.guard(scope, unit)
        evidence = tuple(_evidence(unit, name) for name in dict.fromkeys(support))
        body = Inference(
            axis=axis,
            predicate=predicate,
            value=value,
            confidence=capped(confidence, acknowledged=False, policy=services.policy.inference),
            support=evidence,
        )
        drawn: InferenceRecord = Record(
            id=RecordId(derive_id("inference", scope.key, axis.value, predicate, value)),
            body=body,
            evidence=(),
            created_at=now,
            updated_at=now,
            valid_from=now,
            provenance=Provenance(proposer="host"),
        )
        refused = check_inference(drawn, guard=guard, policy=services.policy.admission)
        unsupported = objections(body, _sources(unit, guard, now))
        if refused is not None:
            admission = _refusal(drawn.id, refused, WORDS[refused])
        elif unsupported:
            detail = ", ".join(dict.fromkeys(one.value for one in unsupported))
            admission = _refusal(drawn.id, Reason.UNSUPPORTED, detail)
        elif unit.record(drawn.id) is not None:
            admission = _answer(
                drawn.id, Outcome.MERGED, Reason.MERGED, "merged: the same conclusion is already stored"
            )
        else:
            admission = _answer(drawn.id, Outcome.ACCEPTED, Reason.ADMITTED, "stored")
        unit.apply(_changes(scope, admission, drawn, now))
        return admission


def _changes(scope: Scope, admission: Admission, drawn: InferenceRecord, now: Instant) -> Changes:
    line = Decision(
        id=derive_id("d", scope.key, str(now), _ACTION, admission.candidate_id, admission.reason.value),
        at=now,
        action=_ACTION,
        outcome=admission.outcome.value,
        reason=admission.reason.value,
        record_id=admission.record_id,
        candidate_id=admission.candidate_id,
    )
    if admission.outcome is not Outcome.ACCEPTED:
        return Changes(decisions=(line,))
    return Changes(records=(drawn,), decisions=(line,), revision_step=1)


def _refusal(record_id: RecordId, reason: Reason, detail: str) -> Admission:
    return Admission(candidate_id=record_id, outcome=Outcome.REJECTED, reason=reason, detail=detail)


def _answer(record_id: RecordId, outcome: Outcome, reason: Reason, detail: str) -> Admission:
    return Admission(
        candidate_id=record_id, outcome=outcome, reason=reason, detail=detail, record_id=record_id
    )


def _evidence(view: View, name: str) -> Evidence:
    """Return the reference to what bears that id; an unknown id becomes a reference that resolves to nothing."""
    message = view.message(name)
    if message is not None:
        return Evidence(source=SourceKind.MESSAGE, source_id=name, speaker=message.speaker)
    record = view.record(name)
    kind = SourceKind.EPISODE if record is not None and is_episode(record) else SourceKind.CLAIM
    # Records hold only the user's own words: admission lets nothing else in.
    return Evidence(source=kind, source_id=name, speaker=Speaker.USER)


def _sources(view: View, guard: Guard, now: Instant) -> Sources:
    live = [record for record in view.records() if record.live(now)]
    return Sources(
        claims={record.id: record for record in live if is_claim(record)},
        episodes={record.id: record for record in live if is_episode(record)},
        suppressed=guard.records,
    )
