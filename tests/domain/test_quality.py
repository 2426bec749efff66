"""A measurement opens promotion for the reader it was made with, and for nobody else."""

from __future__ import annotations

import attrs
import pytest

from cmemory.domain.model.record import Provenance
from cmemory.domain.policy import InferencePolicy
from cmemory.domain.reflect.quality import CLOSED, Figures, Quality, Shortage, gate

POLICY = InferencePolicy()
GOOD = Figures(name="all", expected=100, proposed=80, right=78)
MEASURED = Quality(
    proposer="rules",
    version="2",
    reader="now",
    labels="these",
    messages=120,
    failed=0,
    overall=GOOD,
    languages=(attrs.evolve(GOOD, name="en"), attrs.evolve(GOOD, name="zh")),
    predicates=(Figures(name="identity.name", expected=1, proposed=1, right=0),),
)


def test_it_is_closed_by_itself() -> None:
    """Without a measurement nothing is promoted, whoever read."""
    assert not CLOSED.open
    assert (Shortage.NOT_MEASURED,) == CLOSED.shortages
    assert not CLOSED.covers(())


def test_a_good_measurement_opens_it() -> None:
    """For the very reader, version and model."""
    opened = gate(MEASURED, reader="now", policy=POLICY)
    assert opened.open
    own = Provenance(proposer="rules", version="2")
    assert opened.covers((own, own)) and opened.covers(())
    for other in (
        Provenance(proposer="rules", version="1"),
        Provenance(proposer="model", version="2"),
        Provenance(proposer="rules", version="2", model="m"),
    ):
        assert not opened.covers((own, other))


@pytest.mark.parametrize(
    ("change", "reader", "shortages"),
    [
        ({}, "since", [Shortage.READER_CHANGED]),
        ({"messages": 119}, "now", [Shortage.TOO_FEW_MESSAGES]),
        ({"overall": attrs.evolve(GOOD, right=75)}, "now", [Shortage.PRECISION_TOO_LOW]),
        ({"overall": attrs.evolve(GOOD, expected=200)}, "now", [Shortage.RECALL_TOO_LOW]),
        ({"languages": (GOOD, attrs.evolve(GOOD, right=75))}, "now", [Shortage.PRECISION_TOO_LOW]),
        ({"languages": (attrs.evolve(GOOD, expected=200), GOOD)}, "now", [Shortage.RECALL_TOO_LOW]),
        # What could not be measured is not good enough.
        (
            {"overall": Figures(name="all", expected=0, proposed=0, right=0)},
            "now",
            [Shortage.PRECISION_TOO_LOW, Shortage.RECALL_TOO_LOW],
        ),
        (
            {"messages": 0, "overall": attrs.evolve(GOOD, right=0)},
            "since",
            [
                Shortage.READER_CHANGED,
                Shortage.TOO_FEW_MESSAGES,
                Shortage.PRECISION_TOO_LOW,
                Shortage.RECALL_TOO_LOW,
            ],
        ),
    ],
)
def test_what_keeps_it_closed(change: dict[str, object], reader: str, shortages: list[Shortage]) -> None:
    """Each shortage by itself, in all and in every language, and all of them together."""
    closed = gate(attrs.evolve(MEASURED, **change), reader=reader, policy=POLICY)
    assert shortages == list(closed.shortages)
    assert not closed.covers((Provenance(proposer="rules", version="2"),))


def test_thresholds_are_policy() -> None:
    """A host may ask for more, or for less."""
    strict = attrs.evolve(POLICY, min_precision=0.99)
    assert [Shortage.PRECISION_TOO_LOW] == list(gate(MEASURED, reader="now", policy=strict).shortages)
    lenient = InferencePolicy(min_messages=1, min_precision=0.0, min_recall=0.0)
    bad = attrs.evolve(MEASURED, overall=attrs.evolve(GOOD, right=0))
    assert gate(bad, reader="now", policy=lenient).open


def test_shares_of_nothing_are_none() -> None:
    """No fact admitted, no precision; none stated, no recall."""
    nothing = Figures(name="x", expected=0, proposed=0, right=0)
    assert (None, None) == (nothing.precision, nothing.recall)
    assert (0.975, 0.78) == (GOOD.precision, GOOD.recall)
