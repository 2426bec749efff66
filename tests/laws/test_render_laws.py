"""The rendered block: well-formed whatever a record says, and within the budget."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import attrs
from hypothesis import given
from hypothesis import strategies as st

from cmemory.domain.model.ids import RecordId, Revision
from cmemory.domain.plan.budget import fit
from cmemory.domain.plan.plan import SHOWN, Channel, Item, Plan, Why
from cmemory.domain.plan.render.companion import escape, render, render_found
from cmemory.domain.predicates.registry import Visibility
from cmemory.domain.text.normal import is_well_formed, visible
from counting import counted
from strategies import WILD_TEXTS

MARKUP = st.lists(
    st.sampled_from(
        [
            "<record>",
            "</record>",
            "</companion_memory>",
            "&lt;",
            "&#0;",
            "]]>",
            "<!--",
            "\n",
            "学琴",
            "x\u202e",
        ]
    ),
    max_size=6,
).map("".join)
LINES = st.one_of(WILD_TEXTS, MARKUP, st.text(st.sampled_from("学琴 ab🙂é'&"), max_size=200))
ITEMS = st.builds(
    Item,
    record_id=st.one_of(st.sampled_from(["claim-1", "episode-c-0a1b2c3d4e5f60718293"]), WILD_TEXTS).map(
        RecordId
    ),
    text=LINES,
    surface=st.sampled_from(Visibility),
    reason=st.sampled_from(Why),
    score=st.none(),
)
SOME = st.lists(ITEMS, max_size=4).map(tuple)
PLANS = st.builds(
    Plan,
    revision=st.integers(0, 10**9).map(Revision),
    constraints=SOME,
    identity=SOME,
    response_style=SOME,
    continuity=st.lists(ITEMS, max_size=1).map(tuple),
    topic_activated=SOME,
    deep_recall=SOME,
    do_not_surface=SOME,
)


@given(PLANS)
def test_the_block_is_well_formed(plan: Plan) -> None:
    """It parses, each shown item is one record with its visible text, and withheld ones are a number."""
    root = ET.fromstring(render(plan))  # noqa: S314 - our own output
    found = [(one.attrib["id"], one.text or "") for one in root.iter("record")]
    assert [(visible(item.record_id), visible(item.text)) for _, item in plan.shown] == found
    assert all(len(one) == 0 for one in root.iter("record"))
    filled = sum(bool(plan.channel(channel)) for channel in SHOWN)
    assert 1 + filled + bool(plan.do_not_surface) == len(root)
    counts = [one.attrib["count"] for one in root.iter("withheld")]
    assert ([str(len(plan.do_not_surface))] if plan.do_not_surface else []) == counts


@given(LINES)
def test_no_text_opens_or_closes_anything(text: str) -> None:
    """An escaped text holds no character that markup is made of, and decodes to what may be shown."""
    escaped = escape(text)
    assert not set("<>\"'") & set(escaped)
    assert is_well_formed(escaped)
    assert visible(text) == (ET.fromstring(f"<a>{escaped}</a>").text or "")  # noqa: S314 - our own output


@given(st.lists(st.tuples(WILD_TEXTS, LINES), min_size=1, max_size=4))
def test_each_find_is_one_line(found: list[tuple[str, str]]) -> None:
    """A tool's answer has one line for each record after its two opening lines."""
    assert 2 + len(found) == len(render_found(found).splitlines())


@given(PLANS, st.integers(0, 3_000))
def test_a_fitted_plan_stays_within_its_budget(plan: Plan, limit: int) -> None:
    """Unless obligations alone take more, the rendered text holds no more tokens than allowed."""
    fitted = fit(plan, limit)
    assert plan.constraints == fitted.constraints
    if any(channel is not Channel.CONSTRAINTS for channel, _ in fitted.shown):
        assert counted(render(fitted)) <= limit


@given(PLANS, st.integers(0, 3_000))
def test_fitting_loses_nothing_and_is_done_once(plan: Plan, limit: int) -> None:
    """What is dropped joins the withheld, save the repeating follow-up; fitting again changes nothing."""
    fitted = fit(plan, limit)
    assert fitted == fit(fitted, limit)
    assert fitted.do_not_surface[: len(plan.do_not_surface)] == plan.do_not_surface

    def accounted(one: Plan) -> list[str]:
        bare = attrs.evolve(one, continuity=())
        return sorted(item.record_id for channel in Channel for item in bare.channel(channel))

    assert accounted(plan) == accounted(fitted)


@given(PLANS, st.integers(0, 3_000))
def test_the_lowest_item_goes_first(plan: Plan, limit: int) -> None:
    """A channel keeps its beginning, and loses items only when those that yield before it are empty."""
    fitted = fit(plan, limit)
    order = (
        Channel.DEEP_RECALL,
        Channel.TOPIC_ACTIVATED,
        Channel.CONTINUITY,
        Channel.IDENTITY,
        Channel.RESPONSE_STYLE,
    )
    for at, channel in enumerate(order):
        left = fitted.channel(channel)
        assert left == plan.channel(channel)[: len(left)]
        if len(left) < len(plan.channel(channel)):
            assert not any(fitted.channel(earlier) for earlier in order[:at])
