"""May the words of a conclusion be stored? What it rests on is another question, of `evidence.graph.objections`."""

from __future__ import annotations

from cmemory.domain.evidence.suppression import Guard
from cmemory.domain.model.candidate import Reason
from cmemory.domain.model.record import InferenceRecord
from cmemory.domain.policy import AdmissionPolicy
from cmemory.domain.text.screening import unfit


def check_inference(
    drawn: InferenceRecord, *, guard: Guard, policy: AdmissionPolicy, foreign: bool = False
) -> Reason | None:
    """Return why a conclusion may not be stored whatever supports it, or None.

    Args:
        drawn: the conclusion as it would be stored.
        guard: what the scope must not see again.
        policy: how long a value may be.
        foreign: whether another scope owns its id.
    """
    if foreign:
        return Reason.ID_IN_OTHER_SCOPE
    if guard.hides(drawn):
        return Reason.RESURRECTION
    return unfit((drawn.body.value,), max_chars=policy.max_value_chars)
