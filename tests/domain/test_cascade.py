"""What becomes of conclusions when their evidence is forgotten."""

from __future__ import annotations

import pytest

from builders import claim, inference, ref
from cmemory.domain.forget.cascade import recompute
from cmemory.domain.model.message import SourceKind
from cmemory.domain.model.record import AnyRecord

CLAIM = SourceKind.CLAIM
SUPPORT = tuple(ref(CLAIM, f"claim-{at}") for at in range(4))


@pytest.mark.parametrize(
    ("gone", "left", "confidence"),
    [({"claim-0"}, 3, 0.45), ({"claim-0", "claim-3"}, 2, 0.3), ({"claim-0", "claim-1", "claim-2"}, 1, 0.15)],
)
def test_lost_support_weakens_by_its_share(gone: set[str], left: int, confidence: float) -> None:
    """What is left carries its share of the confidence."""
    collapsed, (weakened,) = recompute([inference(support=SUPPORT, confidence=0.6)], frozenset(gone))
    assert () == collapsed
    assert left == len(weakened.body.support)
    assert confidence == pytest.approx(weakened.body.confidence)


def test_without_support_it_collapses() -> None:
    """A conclusion with nothing left to rest on goes."""
    record = inference(support=SUPPORT[:1])
    assert ((record,), ()) == recompute([record], frozenset({"claim-0"}))


def test_lost_counter_examples_never_raise_confidence() -> None:
    """A forgotten counter-example leaves the list and the confidence where it was."""
    record = inference(support=SUPPORT[:2], counter=SUPPORT[2:], confidence=0.6)
    _, (weakened,) = recompute([record], frozenset({"claim-3"}))
    assert (SUPPORT[:2], SUPPORT[2:3], 0.6) == (
        weakened.body.support,
        weakened.body.counter,
        weakened.body.confidence,
    )


def test_a_conclusion_that_had_no_support_is_not_blamed() -> None:
    """One that never had support only loses its counter-examples."""
    _, (weakened,) = recompute([inference(counter=SUPPORT)], frozenset({"claim-0"}))
    assert 0.6 == weakened.body.confidence


@pytest.mark.parametrize(
    "records", [[inference(support=SUPPORT)], [claim("identity.name", "x", id="claim-9")], []]
)
def test_nothing_lost_changes_nothing(records: list[AnyRecord]) -> None:
    """Untouched conclusions and other records are not written."""
    assert ((), ()) == recompute(records, frozenset({"claim-9"}))
