"""Who supports whom: what is wrong with a piece of support, and when a conclusion collapses."""

from __future__ import annotations

import pytest

from builders import claim, episode, inference, ref
from cmemory.domain.evidence.graph import Holding, Sources, Violation, audit, collapsed, holding
from cmemory.domain.model.message import Evidence, SourceKind, Speaker

MESSAGE, CLAIM, EPISODE = SourceKind.MESSAGE, SourceKind.CLAIM, SourceKind.EPISODE
CLAIMS = {
    "goal": claim("goal.current_focus", "学琴", id="goal"),
    "limit": claim("boundary.topic_avoid", "前任", id="limit"),
    "made-up": claim("boundary.made_up", "x", id="made-up"),
    "misc": claim("misc.unclassified", "x", id="misc"),
    "name": claim("identity.name", "Nora", id="name"),
    "strange": claim("hobby.chess", "x", id="strange"),
}
EPISODES = {"trip": episode("用户去了一趟海边。", id="trip")}


def sources(*suppressed: str) -> Sources:
    return Sources(claims=CLAIMS, episodes=EPISODES, suppressed=frozenset(suppressed))


@pytest.mark.parametrize(
    ("evidence", "suppressed", "expected"),
    [
        (ref(MESSAGE, "m-1"), (), []),
        (ref(MESSAGE, "never-seen"), (), []),
        (ref(MESSAGE, "m-1"), ("m-1",), [Violation.SUPPRESSED_SOURCE]),
        (ref(CLAIM, "goal"), (), []),
        (ref(EPISODE, "trip"), (), []),
        (ref(CLAIM, "gone"), (), [Violation.UNKNOWN_SOURCE]),
        (ref(CLAIM, "gone"), ("gone",), [Violation.UNKNOWN_SOURCE, Violation.SUPPRESSED_SOURCE]),
        (ref(CLAIM, "trip"), (), [Violation.SOURCE_TYPE_MISMATCH]),
        (ref(EPISODE, "goal"), (), [Violation.SOURCE_TYPE_MISMATCH]),
        (ref(CLAIM, "goal"), ("goal",), [Violation.SUPPRESSED_SOURCE]),
        (ref(CLAIM, "limit"), (), [Violation.BOUNDARY_IS_CONSTRAINT]),
        (ref(CLAIM, "made-up"), (), [Violation.BOUNDARY_IS_CONSTRAINT]),
        (ref(CLAIM, "misc"), (), [Violation.INFERENCE_DISALLOWED]),
        (ref(CLAIM, "name"), (), [Violation.INFERENCE_DISALLOWED]),
        (ref(CLAIM, "strange"), (), [Violation.INFERENCE_DISALLOWED]),
        (ref(MESSAGE, "m-1", Speaker.ASSISTANT), (), [Violation.ASSISTANT_SPEAKER]),
        (ref(MESSAGE, "m-1", Speaker.TOOL), (), [Violation.ASSISTANT_SPEAKER]),
        (
            ref(CLAIM, "limit", Speaker.ASSISTANT),
            ("limit",),
            [Violation.ASSISTANT_SPEAKER, Violation.SUPPRESSED_SOURCE, Violation.BOUNDARY_IS_CONSTRAINT],
        ),
    ],
)
def test_violations_in_rule_order(
    evidence: Evidence, suppressed: tuple[str, ...], expected: list[Violation]
) -> None:
    """Everything that is wrong with one piece of support is reported, speaker first, fitness last."""
    assert expected == list(sources(*suppressed).violations(evidence))


def test_the_audit_names_positions() -> None:
    """Every violation of a support list comes with the position of its reference."""
    support = (ref(CLAIM, "goal"), ref(CLAIM, "gone"), ref(MESSAGE, "m-1", Speaker.ASSISTANT))
    expected = [(1, Violation.UNKNOWN_SOURCE), (2, Violation.ASSISTANT_SPEAKER)]
    assert expected == list(audit(support, sources()))
    assert () == audit((), sources())


@pytest.mark.parametrize(
    ("support", "suppressed", "expected"),
    [
        ((), (), True),
        ((ref(CLAIM, "goal"),), (), False),
        ((ref(CLAIM, "goal"),), ("goal",), True),
        ((ref(CLAIM, "gone"),), (), True),
        ((ref(CLAIM, "goal"), ref(MESSAGE, "m-1")), ("goal",), False),
        ((ref(CLAIM, "limit"),), (), False),
        ((ref(MESSAGE, "m-1", Speaker.ASSISTANT),), (), False),
    ],
)
def test_a_conclusion_without_live_support_collapses(
    support: tuple[Evidence, ...], suppressed: tuple[str, ...], expected: bool
) -> None:
    """Live means found and not forgotten, admissible or not; without any, the conclusion is void."""
    assert expected is collapsed(inference(support=support).body, sources(*suppressed))


@pytest.mark.parametrize(
    ("predicate", "support", "expected"),
    [
        ("goal.current_focus", (), Holding.NO_LIVE_SUPPORT),
        ("identity.name", (ref(CLAIM, "goal"),), Holding.PREDICATE_DISALLOWS_INFERENCE),
        ("hobby.chess", (ref(CLAIM, "goal"),), Holding.PREDICATE_DISALLOWS_INFERENCE),
        ("goal.current_focus", (ref(CLAIM, "limit"),), Holding.NO_ADMISSIBLE_SUPPORT),
        ("goal.current_focus", (ref(MESSAGE, "m", Speaker.ASSISTANT),), Holding.NO_ADMISSIBLE_SUPPORT),
        ("goal.current_focus", (ref(CLAIM, "limit"), ref(CLAIM, "goal")), Holding.OK),
    ],
)
def test_whether_a_stored_conclusion_still_holds(
    predicate: str, support: tuple[Evidence, ...], expected: Holding
) -> None:
    """It needs live support, a key that may be inferred, and at least one admissible reference."""
    assert expected is holding(inference(predicate=predicate, support=support).body, sources())
