"""The plan of one turn: which record goes to which channel, and why."""

from __future__ import annotations

from typing import Any

import attrs
import pytest

from builders import NOW, claim, days, episode, inference, note, plan, roster
from cmemory.domain.model.changes import Changes, OpenThread, ThreadStatus
from cmemory.domain.model.ids import RecordId, Revision
from cmemory.domain.model.record import AnyRecord
from cmemory.domain.plan.compose import Turn, compose, is_greeting
from cmemory.domain.plan.plan import Channel, Item, Plan, Why
from cmemory.domain.policy import GOVERNED, PlanPolicy, Policy, ReleasePolicy
from cmemory.domain.predicates.registry import Visibility
from cmemory.domain.recall.query import Query
from cmemory.domain.trace import Step

SHOWN_IN_IDENTITY = attrs.evolve(GOVERNED, plan=PlanPolicy(max_tokens=None, identity_needs_cue=False))


def where(made: Plan) -> dict[str, tuple[Channel, Why]]:
    """Return channel and reason of every record, continuity left out."""
    placed = {item.record_id: (Channel.DO_NOT_SURFACE, item.reason) for item in made.do_not_surface}
    for channel, item in made.shown:
        if channel is not Channel.CONTINUITY:
            assert item.record_id not in placed
            placed[item.record_id] = (channel, item.reason)
    return placed


@pytest.mark.parametrize(
    ("said", "record", "expected"),
    [
        ("", claim("boundary.topic_avoid", "前任"), (Channel.CONSTRAINTS, Why.CONSTRAINT_POLICY)),
        ("", claim("boundary.topic_avoid", "前任", muted=True), (Channel.CONSTRAINTS, Why.CONSTRAINT_POLICY)),
        ("", claim("boundary.made_up", "前任"), (Channel.CONSTRAINTS, Why.CONSTRAINT_POLICY)),
        ("", claim("identity.name", "阿橙"), (Channel.IDENTITY, Why.POLICY_MEMORY)),
        ("我是阿橙", claim("identity.name", "阿橙"), (Channel.IDENTITY, Why.CURRENT_TURN_CUE)),
        ("", claim("identity.occupation", "护士"), (Channel.DO_NOT_SURFACE, Why.MENTION_GATE_DENIED)),
        ("护士很累", claim("identity.occupation", "护士"), (Channel.IDENTITY, Why.CURRENT_TURN_CUE)),
        ("28岁", claim("identity.age", 28, raw="28岁"), (Channel.DO_NOT_SURFACE, Why.MENTION_GATE_DENIED)),
        ("", claim("identity.name", "阿橙", muted=True), (Channel.DO_NOT_SURFACE, Why.MUTED)),
        ("", claim("communication.language", "中文"), (Channel.RESPONSE_STYLE, Why.POLICY_MEMORY)),
        ("", claim("advice.directness", "direct"), (Channel.RESPONSE_STYLE, Why.MENTION_GATE_DENIED)),
        ("", claim("support.presence_style", "space"), (Channel.RESPONSE_STYLE, Why.MENTION_GATE_DENIED)),
        ("", claim("preference.music", "jazz"), (Channel.RESPONSE_STYLE, Why.BACKGROUND_POLICY)),
        (
            "",
            claim("support.physical_context", "driving"),
            (Channel.DO_NOT_SURFACE, Why.MENTION_GATE_DENIED),
        ),
        ("", claim("goal.current_focus", "学琴"), (Channel.DEEP_RECALL, Why.POLICY_MEMORY)),
        (
            "",
            claim("goal.current_focus", "学琴", confidence=0.3),
            (Channel.DO_NOT_SURFACE, Why.BELOW_RECALL_THRESHOLD),
        ),
        ("学琴好难", claim("goal.current_focus", "学琴"), (Channel.TOPIC_ACTIVATED, Why.CURRENT_TURN_CUE)),
        (
            "今天还是在等签证",
            claim("open_loop.waiting_on", "签证结果"),
            (Channel.TOPIC_ACTIVATED, Why.TOPIC_IMPLIED),
        ),
        (
            "你好",
            claim("open_loop.waiting_on", "签证结果"),
            (Channel.DO_NOT_SURFACE, Why.MENTION_GATE_DENIED),
        ),
        ("", claim("goal.constraint", "不加班"), (Channel.DO_NOT_SURFACE, Why.BACKGROUND_AT_REST)),
        ("不加班", claim("goal.constraint", "不加班"), (Channel.TOPIC_ACTIVATED, Why.BACKGROUND_POLICY)),
        ("", episode("用户去看海。"), (Channel.DO_NOT_SURFACE, Why.EPISODE_AT_REST)),
        ("看海去", episode("用户去看海。"), (Channel.TOPIC_ACTIVATED, Why.TOPIC_IMPLIED)),
        ("看海去", episode("用户去看海。", muted=True), (Channel.DO_NOT_SURFACE, Why.MUTED)),
        ("", claim("hobby.chess", "daily"), (Channel.DO_NOT_SURFACE, Why.BACKGROUND_AT_REST)),
    ],
)
def test_where_one_record_goes(said: str, record: AnyRecord, expected: tuple[Channel, Why]) -> None:
    """Key, cue, weight and mute decide the one channel of a record, each with its reason."""
    assert {record.id: expected} == where(plan(said, record))


def test_the_protocols_identity_channel_ignores_cues() -> None:
    """With the switch off, a cue-gated fact stands in the identity channel and says so."""
    (item,) = plan("", claim("identity.occupation", "护士"), policy=SHOWN_IN_IDENTITY).identity
    assert (Why.MENTION_GATE_DENIED, Visibility.MENTION_IF_USER_CUES) == (item.reason, item.surface)
    muted = plan("", claim("identity.occupation", "护士", muted=True), policy=SHOWN_IN_IDENTITY)
    assert () == muted.identity


def test_conclusions_take_no_part() -> None:
    """An inference stands in no channel, not even among the withheld."""
    assert {} == where(plan("plans ahead", inference("plans ahead")))


def test_the_worked_example() -> None:
    """Facts of one introduction meet the next turn as the protocol lays down."""
    facts = [
        claim("identity.name", "林越", id="claim-1"),
        claim("open_loop.waiting_on", "签证结果", id="claim-2", raw="签证结果"),
        claim("boundary.topic_avoid", "前任", id="claim-3"),
        claim("communication.language", "中文", id="claim-4"),
        claim("communication.verbosity", "short", id="claim-5"),
        claim("advice.directness", "direct", id="claim-6"),
    ]
    made = plan("今天还是在等签证，我有点焦虑。", *facts)
    assert ["claim-3"] == [item.record_id for item in made.constraints]
    assert ["claim-1"] == [item.record_id for item in made.identity]
    assert ["claim-4", "claim-5", "claim-6"] == [item.record_id for item in made.response_style]
    (waiting,) = made.topic_activated
    assert ("claim-2", Why.TOPIC_IMPLIED) == (waiting.record_id, waiting.reason)
    assert 0.8 * 0.5 * 0.9 == pytest.approx(waiting.score)
    assert ((), ()) == (made.do_not_surface, made.continuity)
    told = episode("用户昨天被前任找上门，心情很乱。", id="episode-1")
    made = plan("昨天前任又来找我", *facts, told)
    assert {Why.BOUNDARY_POLICY: 1, Why.MENTION_GATE_DENIED: 1} == dict(made.withheld)
    assert () == made.topic_activated


def test_a_fenced_episode_that_nothing_cues_simply_rests() -> None:
    """The boundary is named as the reason only where the turn would have brought the episode up."""
    fence = claim("boundary.topic_avoid", "前任", id="claim-b")
    told = episode("用户昨天被前任找上门。")
    assert Why.EPISODE_AT_REST is where(plan("你好", fence, told))["episode-1"][1]
    assert Why.BOUNDARY_POLICY is where(plan("前任来了", fence, told))["episode-1"][1]


def test_style_is_not_fenced_but_identity_is() -> None:
    """A way of speaking stands beside a boundary; a name that betrays its topic does not."""
    fence = claim("boundary.topic_avoid", "英文", id="claim-b")
    made = plan("", fence, claim("communication.language", "英文", id="claim-s"))
    assert ["claim-s"] == [item.record_id for item in made.response_style]
    made = plan("英文", fence, claim("identity.language", "英文", id="claim-i"))
    assert Why.BOUNDARY_POLICY is where(made)["claim-i"][1]


# -- force ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "record", "expected"),
    [
        (
            "",
            claim("open_loop.waiting_on", "签证结果"),
            (Channel.TOPIC_ACTIVATED, Why.FORCED_ORACLE_INJECTION),
        ),
        ("", episode("用户去看海。"), (Channel.TOPIC_ACTIVATED, Why.FORCED_ORACLE_INJECTION)),
        (
            "签证结果呢",
            claim("open_loop.waiting_on", "签证结果"),
            (Channel.TOPIC_ACTIVATED, Why.CURRENT_TURN_CUE),
        ),
        ("", claim("goal.constraint", "不加班"), (Channel.TOPIC_ACTIVATED, Why.BACKGROUND_POLICY)),
        ("", claim("person.age", 60, entity="妈妈"), (Channel.DO_NOT_SURFACE, Why.MENTION_GATE_DENIED)),
        (
            "",
            claim("goal.current_focus", "学琴", muted=True),
            (Channel.DO_NOT_SURFACE, Why.MUTED),
        ),
        ("", episode("用户去看海。", muted=True), (Channel.DO_NOT_SURFACE, Why.MUTED)),
        ("", claim("identity.occupation", "护士"), (Channel.IDENTITY, Why.FORCED_ORACLE_INJECTION)),
    ],
)
def test_force_overrides_activation_never_authorisation(
    said: str, record: AnyRecord, expected: tuple[Channel, Why]
) -> None:
    """A forced record counts as named, a silent one stays silent, and a real cue outranks force."""
    assert {record.id: expected} == where(plan(said, record, forced=[record.id]))


def test_force_does_not_open_a_fence() -> None:
    """What the person fenced off is withheld even when an evaluation insists."""
    fence = claim("boundary.topic_avoid", "前任", id="claim-b")
    made = plan("", fence, episode("用户遇见前任。"), forced=["episode-1"])
    assert Why.BOUNDARY_POLICY is where(made)["episode-1"][1]


def test_a_forced_record_weighs_a_quarter_more() -> None:
    """Force is the explicit trigger of the score, at full relevance."""
    record = claim("open_loop.waiting_on", "签证结果", confidence=0.8, importance=0.8)
    (item,) = plan("", record, forced=[record.id]).topic_activated
    assert 1.25 * 0.8 * 0.8 == pytest.approx(item.score)


@pytest.mark.parametrize(
    ("message", "close", "loose"),
    [
        ("我的签证和护照怎么样了", "签证材料和护照都交了", "上次办签证的地方"),
        ("How are the visa and the passport coming along?", "visa and passport handed in", "the visa queue"),
        ("visa 的护照材料", "visa 要交护照材料", "visa queue in the rain"),
    ],
)
def test_what_matches_better_stands_before_what_is_newer(message: str, close: str, loose: str) -> None:
    """Recency adds to a match and makes up for none; the original protocol looks at weight alone."""
    records = (episode(close, id="old", at=days(-40)), episode(loose, id="new", at=NOW))
    ours = plan(message, *records, policy=Policy())
    assert ["old", "new"] == [item.record_id for item in ours.topic_activated]
    assert ["new", "old"] == [item.record_id for item in plan(message, *records).topic_activated]


def test_of_equal_matches_the_newer_stands_first() -> None:
    """The weight that is told is importance, match and recency."""
    records = [episode("签证材料交了", id=f"e-{age}", at=days(-age)) for age in (30, 0, 60)]
    made = plan("签证材料", *records, policy=Policy()).topic_activated
    assert ["e-0", "e-30", "e-60"] == [item.record_id for item in made]
    weights = [item.score or 0.0 for item in made]
    assert sorted(weights, reverse=True) == weights
    # No age takes a record below a third of its weight.
    assert weights[0] / 3 < weights[2] < weights[0]


@pytest.mark.parametrize(
    ("limit", "message"),
    [
        ("用户对花生过敏，会休克", "周末想在家做顿饭，推荐几个菜"),
        ("Is severely allergic to peanuts.", "What should I cook for dinner on Saturday?"),
        ("用户最怕人多的地方", "这周六带爸妈去哪儿玩好？"),
        ("对 shrimp 过敏", "晚饭吃什么好，推荐一下"),
        ("Has a pacemaker.", "How do I get fit again?"),
        ("用户装了心脏起搏器", "我想开始健身，练什么好？"),
    ],
)
def test_a_limit_that_bears_on_a_request_is_raised(limit: str, message: str) -> None:
    """It shares no word with it, stands first, and stays out where nothing is asked for or no taste counts."""
    held = note(limit, id="limit", at=days(-300))
    newer = [episode(f"周六 Saturday 晚饭 dinner {at}", id=f"e-{at}") for at in range(12)]
    made = plan(message, held, *newer, policy=Policy(plan=PlanPolicy(topic_cap=4)))
    first = made.topic_activated[0]
    assert ("limit", Why.BEARS, Visibility.MENTION_IF_USER_CUES) == (
        first.record_id,
        first.reason,
        first.surface,
    )
    for other in ("Good morning!", "把这句话翻译成英文：你好", "Translate this menu, please."):
        assert "limit" not in [item.record_id for _, item in plan(other, held, policy=Policy()).shown]
    quiet = Policy(release=ReleasePolicy(raise_limits=False))
    assert () == plan(message, held, policy=quiet).topic_activated
    assert () == plan(message, held).topic_activated


def test_raising_opens_no_gate() -> None:
    """A muted limit, and one that a boundary covers, stay silent."""
    muted = note("用户对花生过敏", id="limit", muted=True)
    fenced = (note("用户对花生过敏", id="limit"), claim("boundary.topic_avoid", "花生"))
    for records in ((muted,), fenced):
        assert () == plan("晚饭吃什么好，推荐一下", *records, policy=Policy()).topic_activated


def test_unknown_forced_ids_are_ignored() -> None:
    """An id that is not there forces nothing."""
    assert () == plan("", forced=["claim-x"]).shown


# -- competition ---------------------------------------------------------------------------------------------


def crowd(count: int, predicate: str = "goal.current_focus") -> list[AnyRecord]:
    return [claim(predicate, "学琴", id=f"claim-{at:02d}", importance=(50 + at) / 100) for at in range(count)]


@pytest.mark.parametrize(("said", "channel"), [("学琴", "topic_activated"), ("", "deep_recall")])
def test_each_ranked_channel_holds_eight(said: str, channel: str) -> None:
    """The best eight are shown, best first; the others are withheld for lack of room."""
    made = plan(said, *crowd(11))
    shown = [item.record_id for item in getattr(made, channel)]
    assert [f"claim-{at:02d}" for at in range(10, 2, -1)] == shown
    assert [(f"claim-{at:02d}", Why.PROMPT_BUDGET, Visibility.NEVER_SURFACE) for at in (2, 1, 0)] == [
        (item.record_id, item.reason, item.surface) for item in made.do_not_surface
    ]


@pytest.mark.parametrize("said", ["学琴", ""])
def test_equal_weights_go_by_id(said: str) -> None:
    """Ties break by record id, whatever the store order."""
    twins = [claim("goal.current_focus", "学琴", id=name) for name in ("claim-b", "claim-c", "claim-a")]
    made = plan(said, *twins)
    ranked = made.topic_activated or made.deep_recall
    assert ["claim-a", "claim-b", "claim-c"] == [item.record_id for item in ranked]


def test_standing_channels_are_not_capped() -> None:
    """Obligations, identity and style show all their records."""
    fences = [claim("boundary.refusal", f"题目{at}", id=f"claim-{at:02d}") for at in range(20)]
    assert 20 == len(plan("", *fences).constraints)


def test_order_of_the_withheld() -> None:
    """Denials come in store order, claims before episodes, then what did not fit."""
    made = plan(
        "学琴",
        episode("用户去看海。", id="episode-1"),
        claim("open_loop.waiting_on", "签证", id="claim-z"),
        *crowd(9),
        claim("goal.aspiration", "开店", id="claim-a", at=days(-1)),
    )
    expected = ["claim-z", "claim-a", "episode-1", "claim-00"]
    assert expected == [item.record_id for item in made.do_not_surface]


def test_the_same_inputs_give_the_same_plan() -> None:
    """A plan is a function of state, turn, moment and policy."""
    assert plan("学琴", *crowd(11)) == plan("学琴", *crowd(11))


# -- greetings and continuity --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["hi", " Hello ", "HEY", "你好", "您好", "早", "晚上好", "你好，在吗", "hi, there"]
)
def test_greetings(text: str) -> None:
    """A bare greeting, or one before a comma, opens a conversation."""
    assert is_greeting(text)


@pytest.mark.parametrize("text", ["", "你好！", "早上好", "hi there", "hello.", "嗨", "say hi", "你好你好"])
def test_not_quite_greetings(text: str) -> None:
    """Anything else is not the closed list of greetings."""
    assert not is_greeting(text)


WATER = claim("open_loop.low_risk_check_in", "给花浇水", id="claim-w")


def thread(**fields: Any) -> OpenThread:
    given: dict[str, Any] = {
        "id": "t-1",
        "record_id": WATER.id,
        "summary": "给花浇水",
        "opened_at": NOW,
        "updated_at": NOW,
    }
    return OpenThread(**{**given, **fields})


def greet(
    *threads: OpenThread,
    said: str = "你好",
    session: str = "s2",
    new: bool = True,
    records: tuple[AnyRecord, ...] = (WATER,),
    policy: Policy = GOVERNED,
) -> tuple[Plan, Changes]:
    prepared = roster(*records, policy=policy)
    turn = Turn(query=Query.of(said), session=session, new_session=new, threads=threads)
    return compose(prepared, turn, now=NOW)


def test_a_new_sessions_greeting_picks_up_one_thread() -> None:
    """The most recently touched open thread is offered and marked as used, which moves the revision."""
    older, newer = thread(id="t-0", updated_at=days(-2)), thread(id="t-1", updated_at=days(-1))
    made, changes = greet(older, newer)
    expected = Item(
        record_id=WATER.id,
        text="给花浇水",
        surface=Visibility.FREELY_MENTIONABLE,
        reason=Why.ONE_SESSION_GREETING_FOLLOWUP,
    )
    assert (expected,) == made.continuity
    assert Changes(threads=(attrs.evolve(newer, followup_session="s2"),), revision_step=1) == changes
    assert Revision(8) == made.revision


def test_the_same_session_is_offered_another_thread_only() -> None:
    """A thread this session has had is not offered again, another open one is; ties go by id."""
    had = thread(id="t-0", followup_session="s2")
    made, changes = greet(had, thread(id="t-2"), thread(id="t-1"))
    assert ["t-1"] == [one.id for one in changes.threads]
    made, changes = greet(had)
    assert ((), Changes()) == (made.continuity, changes)


@pytest.mark.parametrize(
    ("fields", "turn"),
    [
        ({"status": ThreadStatus.CLOSED}, {}),
        ({"status": ThreadStatus.EXPIRED}, {}),
        ({"expires_at": NOW}, {}),
        ({"record_id": RecordId("claim-gone")}, {}),
        ({}, {"said": "在忙什么"}),
        ({}, {"session": ""}),
        ({}, {"new": False}),
        ({}, {"records": (attrs.evolve(WATER, salience=attrs.evolve(WATER.salience, muted=True)),)}),
        ({}, {"records": (WATER, claim("boundary.topic_avoid", "浇水", id="claim-b"))}),
        ({"summary": "前任的花"}, {"records": (WATER, claim("boundary.topic_avoid", "前任", id="claim-b"))}),
    ],
)
def test_no_follow_up(fields: dict[str, Any], turn: dict[str, Any]) -> None:
    """Closed, expired, orphaned, muted or fenced threads stay, and any without a first greeting."""
    made, changes = greet(thread(**fields), **turn)
    assert ((), Changes(), Revision(7)) == (made.continuity, changes, made.revision)


def test_a_thread_may_expire_later() -> None:
    """A thread that expires after this moment is still open."""
    assert greet(thread(expires_at=days(0.1)))[0].continuity


def test_a_follow_up_without_room_stays_unused() -> None:
    """When the budget leaves no room to offer it, the thread can be offered in another session."""
    tight = attrs.evolve(GOVERNED, plan=PlanPolicy(max_tokens=1))
    made, changes = greet(thread(), policy=tight)
    assert ((), Changes(), Revision(7)) == (made.continuity, changes, made.revision)


# -- the plan as a value -------------------------------------------------------------------------------------


def test_a_plan_traces_ids_and_codes_only() -> None:
    """The trace says where each record went and why, without any of its words."""
    made = plan("学琴", claim("goal.current_focus", "学琴", id="claim-1"), episode("用户去看海。"))
    expected = (
        Step(
            name="place",
            subject="claim-1",
            outcome="topicActivated",
            reason="current_turn_cue",
            score=made.topic_activated[0].score,
        ),
        Step(name="place", subject="episode-1", outcome="doNotSurface", reason="episode_at_rest"),
    )
    assert expected == made.trace.steps
    assert expected[1:] == made.trace.about("episode-1")
    assert "学琴" not in repr(made.trace)


def test_channels_have_the_protocols_names() -> None:
    """The wire names of the channels are fixed, in their order."""
    expected = [
        "constraints",
        "identity",
        "responseStyle",
        "continuity",
        "topicActivated",
        "deepRecall",
        "doNotSurface",
    ]
    assert expected == [channel.value for channel in Channel]


def test_withheld_texts_are_not_in_the_repr() -> None:
    """Printing a plan does not print what it holds back."""
    made = plan("", episode("用户去看海。"))
    assert made.do_not_surface
    assert "看海" not in repr(made)
