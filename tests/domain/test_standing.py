"""Whether an utterance may be shown again."""

from __future__ import annotations

from typing import Any

import attrs
import pytest

from builders import NOW, claim, days, episode, guard, inference, message, ref, said
from cmemory.domain.gates.standing import Bench, Standing
from cmemory.domain.model.life import Status
from cmemory.domain.model.message import Message, SourceKind
from cmemory.domain.model.record import AnyRecord

SAID = message("I live in Oslo and keep bees.")


def standing(*records: AnyRecord, of: Message = SAID, **guarded: Any) -> Standing:
    return Bench.of(records, guard=guard(**guarded), now=NOW).standing(of)


def home(**fields: Any) -> AnyRecord:
    return claim("identity.location", "Oslo", **{"evidence": (said(SAID, "Oslo"),), **fields})


def test_what_proves_nothing_or_something_current_is_active() -> None:
    assert standing() is Standing.ACTIVE
    assert standing(home()) is Standing.ACTIVE


FENCE = claim("boundary.topic_avoid", "bees", id="claim-fence")
AGE = claim("identity.age", 28, id="claim-age", evidence=(said(SAID, "keep"),))


@pytest.mark.parametrize(
    ("records", "guarded", "expected"),
    [
        ((home(),), {"everything": True}, Standing.SUPPRESSED),
        ((home(),), {"records": ["m-1"]}, Standing.SUPPRESSED),
        ((home(),), {"records": ["claim-1"]}, Standing.SUPPRESSED),
        ((home(),), {"predicates": ["identity.location"]}, Standing.SUPPRESSED),
        ((home(muted=True),), {"records": ["claim-1"]}, Standing.SUPPRESSED),
        ((home(muted=True), AGE, FENCE), {}, Standing.MUTED),
        ((home(muted=True, status=Status.SUPERSEDED),), {}, Standing.MUTED),
        ((AGE, FENCE), {}, Standing.NEVER_SURFACE),
        ((attrs.evolve(AGE, status=Status.SUPERSEDED),), {}, Standing.SUPERSEDED),
        ((home(), FENCE), {}, Standing.BOUNDARY),
        ((attrs.evolve(FENCE, evidence=(said(SAID, "Oslo"),)),), {}, Standing.BOUNDARY),
        ((FENCE,), {"records": ["claim-fence"]}, Standing.ACTIVE),
        ((attrs.evolve(FENCE, status=Status.RETRACTED),), {}, Standing.ACTIVE),
        ((home(status=Status.DELETED), AGE), {}, Standing.NEVER_SURFACE),
        ((home(status=Status.DELETED),), {}, Standing.DELETED),
        ((home(status=Status.SUPERSEDED),), {}, Standing.SUPERSEDED),
        ((home(status=Status.RETRACTED),), {}, Standing.SUPERSEDED),
        ((home(valid_until=days(-1)),), {}, Standing.SUPERSEDED),
        ((home(muted=True, evidence=(ref(SourceKind.EPISODE, "m-1"),)),), {}, Standing.ACTIVE),
        ((inference(muted=True, evidence=(said(SAID, "Oslo"),)),), {}, Standing.ACTIVE),
    ],
)
def test_the_most_silent_reason_stands(
    records: tuple[AnyRecord, ...], guarded: dict[str, Any], expected: Standing
) -> None:
    assert expected is standing(*records, **guarded)


def test_what_a_plan_says_is_known_by_its_quotes() -> None:
    """A proof without a quote is the whole of it; records that are not shown say nothing."""
    whole = home(id="claim-2", evidence=(ref(SourceKind.MESSAGE, "m-1"), ref(SourceKind.MESSAGE, "m-2")))
    bench = Bench.of([home(), whole], guard=guard(), now=NOW)
    assert bench.voiced(["claim-1", "nobody"]) == {"m-1": ((10, 14),)}
    (((start, end),),) = (bench.voiced(["claim-2"])[name] for name in ("m-2",))
    assert start == 0
    assert end > len(SAID.text)
    assert bench.voiced(()) == {}


def test_one_record_that_still_holds_keeps_it_active() -> None:
    bees = episode("The bees swarmed.", evidence=(said(SAID, "bees"),))
    assert standing(home(status=Status.SUPERSEDED), bees) is Standing.ACTIVE
