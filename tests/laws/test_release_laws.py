"""The release gate only takes away, whatever is known and said, and answers alike for alike."""

from __future__ import annotations

import attrs
from hypothesis import given
from hypothesis import strategies as st

from builders import NOW, plan, record
from cmemory.domain.gates.reading import Nature, Request, Statement
from cmemory.domain.gates.release import Release, release, release_all
from cmemory.domain.model.bodies import Note, NoteKind
from cmemory.domain.model.record import AnyRecord, Salience, is_claim, is_note
from cmemory.domain.plan.plan import Channel, Plan, Why
from cmemory.domain.policy import COMPANION, GOVERNED, PlanPolicy, Reason, ReleasePolicy
from cmemory.domain.predicates.registry import is_boundary
from strategies import WILD_TEXTS, scopes_of_records

POLICY = ReleasePolicy()
#: Plans without a limit on tokens, so that a place that becomes free is the only thing that brings another record in.
OPEN = attrs.evolve(COMPANION, plan=PlanPolicy(max_tokens=None))
SHUT = attrs.evolve(OPEN, release=attrs.evolve(POLICY, enabled=False))

STATED = st.sampled_from(
    [
        "用户喜欢刺激的攀岩。",
        "用户讲究健康的饮食。",
        "用户认为学琴是浪费时间。",
        "用户在等签证结果。",
        "妈妈对海鲜过敏。",
        "欠了信用卡两万块。",
        "回答要简短。",
        "Mia is the user's boss.",
        "Likes the red lake.",
        "Is allergic to nuts.",
        "Believes that the lake is haunted.",
        "28",
    ]
)
ASKED = st.sampled_from(
    [
        "",
        "你好",
        "今天还是在等签证",
        "学琴好难，养蚕也是",
        "晚饭吃什么好？",
        "想玩点刺激的，有什么推荐？",
        "别考虑我的口味，推荐个餐厅。",
        "把“签证”翻译成英文。",
        "妈妈来吃饭，做什么菜？",
        "My neighbour Mia saw the red lake.",
        "Where should I take Mia for dinner?",
        "Translate 'red lake' into French.",
        "What do I think about the lake?",
        "I love the red lake and always go there.",
        "28",
    ]
)


@st.composite
def notes(draw: st.DrawFn) -> list[AnyRecord]:
    """Draw notes that state something."""
    texts = draw(st.lists(STATED, max_size=6, unique=True))
    kinds = st.sampled_from(NoteKind)
    tags = st.sampled_from([(), ("mia",), ("签证",)])
    return [
        record(Note(note_kind=draw(kinds), text=text, tags=draw(tags)), id=f"note-{at}")
        for at, text in enumerate(texts)
    ]


SCOPES = st.builds(lambda some, more: [*some, *more], scopes_of_records(max_size=8), notes())


def back(made: Plan) -> dict[str, Why]:
    return {item.record_id: item.reason for item in made.do_not_surface}


@given(ASKED, SCOPES)
def test_one_more_gate_only_silences(said: str, records: list[AnyRecord]) -> None:
    """What a plan keeps back without the gate it keeps back with it, save what only lacked a place."""
    shut, asked = back(plan(said, *records, policy=SHUT)), back(plan(said, *records, policy=OPEN))
    assert {name for name, why in shut.items() if why is not Why.PROMPT_BUDGET} <= asked.keys()


@given(ASKED, SCOPES)
def test_what_stands_above_the_gate_is_not_asked(said: str, records: list[AnyRecord]) -> None:
    """Boundaries, style, identity, what is due and episodes stand as they did, and silences keep their reason."""
    shut, asked = plan(said, *records, policy=SHUT), plan(said, *records, policy=OPEN)
    for channel in (Channel.CONSTRAINTS, Channel.IDENTITY, Channel.RESPONSE_STYLE, Channel.CONTINUITY):
        assert shut.channel(channel) == asked.channel(channel)
    bodies = {one.id: one for one in records}
    told = {reason.value for reason in Reason}
    for name, why in back(asked).items():
        if why.value in told and back(shut).get(name) is not Why.PROMPT_BUDGET:
            assert is_claim(bodies[name]) or is_note(bodies[name])
            assert name not in back(shut)
    assert {item.record_id for item in asked.constraints} >= {
        one.id for one in records if is_claim(one) and is_boundary(one.body.predicate) and one.live(NOW)
    }


@given(ASKED, SCOPES)
def test_the_governed_plan_asks_no_release_gate(said: str, records: list[AnyRecord]) -> None:
    """No reason of the gate occurs under the protocol's own policy."""
    told = {reason.value for reason in Reason}
    assert not told & {why.value for why in back(plan(said, *records, policy=GOVERNED)).values()}


@given(ASKED, notes(), st.floats(0, 1))
def test_no_gate_reads_a_score(said: str, records: list[AnyRecord], importance: float) -> None:
    """What the gate keeps back depends on no weight."""
    told = {reason.value for reason in Reason}
    others = [attrs.evolve(one, salience=Salience(importance=importance)) for one in records]
    kept = [
        {name: why for name, why in back(plan(said, *some, policy=OPEN)).items() if why.value in told}
        for some in (records, others)
    ]
    assert kept[0] == kept[1]


@given(ASKED, st.lists(STATED, max_size=6))
def test_beside_others_a_statement_is_never_silenced(said: str, texts: list[str]) -> None:
    """The hop only opens, and never what is kept back for good; order does not matter."""
    request, statements = Request.of(said), [Statement.of(text) for text in texts]
    alone = [release(one, request, POLICY) for one in statements]
    together = release_all(statements, request, POLICY)
    for one, other in zip(alone, together, strict=True):
        assert one == other or (one.silent and other.reason is Reason.HOP)
    assert list(together)[::-1] == list(release_all(statements[::-1], request, POLICY))


@given(WILD_TEXTS, WILD_TEXTS)
def test_any_text_has_an_answer(text: str, said: str) -> None:
    """The same one every time; only a limit, a diet at the table or a manner must be respected."""
    statement = Statement.of(text)
    found = release(statement, Request.of(said), POLICY)
    assert found == release(Statement.of(text), Request.of(said), POLICY)
    if found.release is Release.MUST:
        assert statement.nature in (Nature.LIMIT, Nature.MANNER)
