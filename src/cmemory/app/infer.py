"""Writes down a slow conclusion, if everything it rests on may support one, and promotes it when that is open.

Nothing is ever concluded or promoted automatically.
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from cmemory.app.inspect import known
from cmemory.app.services import Services
from cmemory.domain.admit.ground import WORDS
from cmemory.domain.admit.inferences import check_inference
from cmemory.domain.errors import UsageError
from cmemory.domain.evidence.graph import Holding, Sources, Violation, objections
from cmemory.domain.evidence.suppression import Guard
from cmemory.domain.model.bodies import Axis, Inference, InferenceState
from cmemory.domain.model.candidate import Admission, Outcome, Reason
from cmemory.domain.model.changes import Changes, Decision
from cmemory.domain.model.ids import RecordId, derive_id
from cmemory.domain.model.instant import Instant, days_between
from cmemory.domain.model.message import Evidence, Message, SourceKind, Speaker
from cmemory.domain.model.record import (
    InferenceRecord,
    Provenance,
    Record,
    is_episode,
    is_inference,
)
from cmemory.domain.model.scope import Scope
from cmemory.domain.reflect.inference import Obstacle, Transition, apply, capped
from cmemory.domain.reflect.quality import Shortage
from cmemory.domain.scoring.salience import Blocker, PromotionAudit
from cmemory.ports.store import View

_ACTION = "admit_inference"
_PROMOTION = "promote_inference"


@attrs.frozen(kw_only=True)
class Promotion:
    """What came of asking for a promotion."""

    #: The conclusion as it stands now.
    record: InferenceRecord
    #: Why promotion is closed altogether; empty when a measurement opened it.
    shortages: tuple[Shortage, ...] = ()
    #: Whether some of its support was read by somebody for whom the measurement does not speak.
    unmeasured: bool = False
    #: What is wrong with its support.
    objections: tuple[Violation | Holding, ...] = ()
    #: What its evidence lacks.
    blockers: tuple[Blocker, ...] = ()
    #: Why its state does not allow it.
    obstacle: Obstacle | None = None

    @property
    def promoted(self) -> bool:
        """Whether it was promoted by this call."""
        return not (self.shortages or self.unmeasured or self.objections or self.blockers or self.obstacle)


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


def promote(
    services: Services,
    scope: Scope,
    record_id: str,
    *,
    distinct_contexts: int,
    counter_examples_checked: int,
    now: Instant,
) -> Promotion:
    """Promote a conclusion, or tell everything that stands in its way.

    Args:
        record_id: the conclusion.
        distinct_contexts: as the batch job counted them.
        counter_examples_checked: likewise.
        now: when it is decided.

    Raises:
        UsageError: there is no such record, or it is no conclusion that stands.
    """
    with services.store.write(scope) as unit:
        record = known(unit, record_id)
        if not is_inference(record) or not record.live(now):
            raise UsageError(field="record_id", problem="only a conclusion that stands can be promoted")
        messages = _proving(unit, record)
        audit = PromotionAudit(
            distinct_sessions=len({message.session for message in messages if message.session}),
            span_days=_span_days(messages),
            distinct_contexts=distinct_contexts,
            counter_examples_checked=counter_examples_checked,
        )
        policy = services.policy.inference
        answer = _weighed(services, scope, unit, record, audit, now=now)
        moved = apply(record.body, Transition.PROMOTE, now=now, policy=policy, readiness=audit)
        if isinstance(moved, Obstacle) and record.body.state is not InferenceState.ACCUMULATING:
            answer = attrs.evolve(answer, obstacle=moved)
        line = _line(scope, answer, now)
        if isinstance(moved, Obstacle) or not answer.promoted:
            unit.apply(Changes(decisions=(line,)))
            return answer
        promoted = attrs.evolve(record, body=moved, updated_at=now)
        unit.apply(Changes(records=(promoted,), decisions=(line,), revision_step=1))
        return attrs.evolve(answer, record=promoted)


def _weighed(
    services: Services,
    scope: Scope,
    view: View,
    record: InferenceRecord,
    audit: PromotionAudit,
    *,
    now: Instant,
) -> Promotion:
    """Return what speaks against a conclusion, its state apart."""
    gate = services.promotion
    sources = _sources(view, services.guard(scope, view), now)
    return Promotion(
        record=record,
        shortages=gate.shortages,
        unmeasured=gate.open and not gate.covers(sources.provenances(record.body)),
        objections=tuple(dict.fromkeys(objections(record.body, sources))),
        blockers=audit.blockers(services.policy.inference),
    )


def _line(scope: Scope, answer: Promotion, now: Instant) -> Decision:
    """Return the line of the audit: the first reason against a promotion, or that there was none."""
    reasons = _against(answer)
    return Decision(
        id=derive_id("d", scope.key, str(now), _PROMOTION, answer.record.id, *reasons),
        at=now,
        action=_PROMOTION,
        outcome=(Outcome.REJECTED if reasons else Outcome.ACCEPTED).value,
        reason=reasons[0] if reasons else Reason.ADMITTED.value,
        record_id=answer.record.id,
    )


def _against(answer: Promotion) -> tuple[str, ...]:
    """Return the codes of everything that keeps a conclusion from promotion."""
    return (
        *(one.value for one in answer.shortages),
        *(["unmeasured_reader"] if answer.unmeasured else []),
        *(one.value for one in answer.objections),
        *(one.value for one in answer.blockers),
        *([answer.obstacle.value] if answer.obstacle is not None else []),
    )


def _proving(view: View, record: InferenceRecord) -> tuple[Message, ...]:
    """Return the messages in which the support of a conclusion was said."""
    names: dict[str, None] = {}
    for one in record.body.support:
        if one.source is SourceKind.MESSAGE:
            names[one.source_id] = None
        elif (support := view.record(one.source_id)) is not None:
            names.update(dict.fromkeys(proof.source_id for proof in support.evidence))
    found = (view.message(name) for name in names)
    return tuple(message for message in found if message is not None)


def _span_days(messages: Sequence[Message]) -> int:
    moments = [message.at for message in messages]
    return days_between(min(moments), max(moments)) if moments else 0


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
    return Sources.of((record for record in view.records() if record.live(now)), suppressed=guard.records)
