"""Every live record is accounted for exactly once, and no plan says more than a gate allows."""

from __future__ import annotations

from collections import Counter

import attrs
from hypothesis import given
from hypothesis import strategies as st

from builders import NOW, plan, roster
from cmemory.domain.gates.mention import NO_CUES, decide_record, level_of
from cmemory.domain.model.bodies import Claim
from cmemory.domain.model.record import AnyRecord, is_inference
from cmemory.domain.plan.budget import over_budget
from cmemory.domain.plan.plan import Channel, Item, Plan, Why
from cmemory.domain.policy import GOVERNED, PlanPolicy
from cmemory.domain.predicates.registry import Visibility, is_boundary
from cmemory.domain.recall.query import Profile, Query, cue
from strategies import MESSAGES, scopes_of_records

LIMITS = st.one_of(st.none(), st.integers(0, 1_200))


def planned(said: str, records: list[AnyRecord], limit: int | None = None, forced: bool = False) -> Plan:
    policy = attrs.evolve(GOVERNED, plan=PlanPolicy(max_tokens=limit))
    return plan(said, *records, policy=policy, forced=[one.id for one in records[::2]] if forced else ())


def eligible(records: list[AnyRecord]) -> dict[str, AnyRecord]:
    return {one.id: one for one in records if one.live(NOW) and not is_inference(one)}


@given(MESSAGES, scopes_of_records(), LIMITS, st.booleans())
def test_every_live_record_is_accounted_for_once(
    said: str, records: list[AnyRecord], limit: int | None, forced: bool
) -> None:
    """Each live claim and episode stands in exactly one channel, the withheld one included."""
    made = planned(said, records, limit, forced)
    placed = Counter(item.record_id for channel in Channel for item in made.channel(channel))
    assert dict.fromkeys(eligible(records), 1) == placed


@given(MESSAGES, scopes_of_records(), st.integers(0, 3), st.integers(0, 3), st.booleans())
def test_a_plan_is_what_its_records_are_one_by_one(
    said: str, records: list[AnyRecord], topic_cap: int, deep_cap: int, forced: bool
) -> None:
    """Placing each record alone beside the boundaries, ranking and capping gives the same plan."""
    policy = attrs.evolve(
        GOVERNED,
        plan=PlanPolicy(max_tokens=None, topic_cap=topic_cap, deep_recall_cap=deep_cap, by_match=False),
    )
    insisted = [one.id for one in records[::2]] if forced else []
    fences = [one for one in records if isinstance(one.body, Claim) and is_boundary(one.body.predicate)]
    pools: dict[Channel, list[Item]] = {channel: [] for channel in Channel}
    for entry in sorted(roster(*records).entries(), key=lambda one: one.order):
        record = entry.record
        beside = [record, *(fence for fence in fences if fence.id != record.id)]
        alone = plan(said, *beside, forced=insisted)
        for channel in Channel:
            pools[channel] += [item for item in alone.channel(channel) if item.record_id == record.id]
    expected = pools[Channel.DO_NOT_SURFACE]
    for channel, cap in ((Channel.TOPIC_ACTIVATED, topic_cap), (Channel.DEEP_RECALL, deep_cap)):
        ranked = sorted(pools[channel], key=lambda item: (-(item.score or 0.0), item.record_id))
        pools[channel], overflow = ranked[:cap], ranked[cap:]
        expected += [over_budget(item) for item in overflow]
    made = plan(said, *records, policy=policy, forced=insisted)
    assert {channel: tuple(items) for channel, items in pools.items()} == {
        channel: made.channel(channel) for channel in Channel
    }


@given(MESSAGES, scopes_of_records(), st.booleans())
def test_obligations_are_always_shown(said: str, records: list[AnyRecord], forced: bool) -> None:
    """All live boundaries, muted ones too, stand in constraints, whatever the budget; nothing else does."""
    made = planned(said, records, 0, forced)
    expected = {
        name
        for name, one in eligible(records).items()
        if isinstance(one.body, Claim) and is_boundary(one.body.predicate)
    }
    assert expected == {item.record_id for item in made.constraints}
    assert {Visibility.BACKGROUND_ONLY} >= {item.surface for item in made.constraints}


@given(MESSAGES, scopes_of_records(), st.booleans())
def test_no_gate_is_bypassed(said: str, records: list[AnyRecord], forced: bool) -> None:
    """Whatever is said or forced, nothing is shown above its level, and what is silenced is not shown."""
    made = planned(said, records, forced=forced)
    live = eligible(records)
    for channel, item in made.shown:
        record = live[item.record_id]
        if channel is Channel.CONSTRAINTS:
            continue
        assert item.surface <= level_of(record)
        assert level_of(record) > Visibility.NEVER_SURFACE
        assert not record.salience.muted


@given(MESSAGES, scopes_of_records())
def test_what_waits_for_a_cue_is_not_shown_without_one(said: str, records: list[AnyRecord]) -> None:
    """Outside style and obligations, a shown record is one the gate allows in this very turn."""
    made = planned(said, records)
    live = eligible(records)
    query = Query.of(said)
    for channel, item in made.shown:
        if channel in (Channel.IDENTITY, Channel.TOPIC_ACTIVATED, Channel.DEEP_RECALL):
            record = live[item.record_id]
            assert decide_record(record, cue(query, Profile.of(record))).allowed
        if channel is Channel.DEEP_RECALL:
            assert decide_record(live[item.record_id], NO_CUES).level is Visibility.FREELY_MENTIONABLE


@given(MESSAGES, scopes_of_records(), st.booleans())
def test_no_fenced_text_is_shown_beside_its_fence(said: str, records: list[AnyRecord], forced: bool) -> None:
    """No record that a boundary covers is shown in any channel the person would hear of."""
    made = planned(said, records, forced=forced)
    shaded = {entry.record.id for entry in roster(*records).entries() if entry.shaded}
    heard = (Channel.IDENTITY, Channel.CONTINUITY, Channel.TOPIC_ACTIVATED, Channel.DEEP_RECALL)
    assert shaded.isdisjoint(item.record_id for channel in heard for item in made.channel(channel))


@given(MESSAGES, scopes_of_records(), st.integers(0, 1_200), st.integers(0, 1_200))
def test_more_room_never_shows_less(said: str, records: list[AnyRecord], one: int, other: int) -> None:
    """What a smaller budget shows, a larger one shows too."""
    small, large = sorted((one, other))
    shown = {item.record_id for _, item in planned(said, records, small).shown}
    assert shown <= {item.record_id for _, item in planned(said, records, large).shown}


@given(MESSAGES, scopes_of_records(), st.booleans())
def test_store_order_decides_nothing_but_ties(said: str, records: list[AnyRecord], forced: bool) -> None:
    """Which record is shown, where and why, does not depend on the order of the store."""

    def placed(order: list[AnyRecord]) -> dict[str, tuple[Channel, Why]]:
        made = plan(said, *order, forced=[one.id for one in records[::2]] if forced else ())
        return {
            item.record_id: (channel, item.reason) for channel in Channel for item in made.channel(channel)
        }

    assert placed(records) == placed(records[::-1])


@given(MESSAGES, scopes_of_records())
def test_the_index_finds_exactly_what_a_walk_would(said: str, records: list[AnyRecord]) -> None:
    """Looking cues up by topic and name gives what comparing every record would give."""
    prepared = roster(*records)
    query = Query.of(said)
    walked = {entry.record.id: cue(query, entry.profile) for entry in prepared.entries()}
    assert {name: found for name, found in walked.items() if found.any} == prepared.pointed(query).cues
