"""The thirteen invariants, each with the case that would break it and a control that shows the check can fail."""

from __future__ import annotations

import attrs
import pytest

from cmemory import Memory, ScopedMemory, Signal
from cmemory.domain.evidence.graph import Holding, Sources, Violation, collapsed, holding, objections
from cmemory.domain.gates.mention import Cues, decide, level_of
from cmemory.domain.model.bodies import Axis, Claim, Inference, InferenceState
from cmemory.domain.model.candidate import Outcome, Reason
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.life import Status
from cmemory.domain.model.message import Evidence, Role, SourceKind, Speaker
from cmemory.domain.model.record import Record, Salience
from cmemory.domain.policy import InferencePolicy, Policy, SaliencePolicy
from cmemory.domain.predicates.registry import PREDICATES, Visibility
from cmemory.domain.reflect.inference import Obstacle, Transition, acknowledge, apply, review
from cmemory.domain.scoring.salience import PromotionAudit, feel, recalled, score

NOW = Instant.parse("2026-05-01T09:00:00Z")
LATER = NOW.plus(days=120)


@pytest.fixture
def luna() -> ScopedMemory:
    return Memory.open(secret=bytes(32)).scope(service="lamplight", owner="u-42", profile="luna")


def claim(predicate: str, value: str = "养蚕", **more: object) -> Record[Claim]:
    body = Claim(predicate=predicate, value=value, confidence=0.9)
    record = Record(id="claim-1", body=body, evidence=(), created_at=NOW, updated_at=NOW, valid_from=NOW)
    return attrs.evolve(record, **more)


def said(
    source_id: str, *, speaker: Speaker = Speaker.USER, kind: SourceKind = SourceKind.MESSAGE
) -> Evidence:
    return Evidence(source=kind, source_id=source_id, speaker=speaker, role=Role.USER_ASSERTION)


def pattern(**more: object) -> Inference:
    return attrs.evolve(
        Inference(
            axis=Axis.PATTERN,
            predicate="ritual.recurring_activity",
            value="走路时想清楚事情",
            confidence=0.6,
            support=(said("m-1"),),
        ),
        **more,
    )


NOTHING = Sources(claims={}, episodes={})


def test_i1_the_companions_words_never_support_a_conclusion() -> None:
    """Whatever role and confidence a reference claims, the speaker alone decides."""
    forged = said("m-2", speaker=Speaker.ASSISTANT)
    assert objections(pattern(support=(said("m-1"), forged)), NOTHING) == (Violation.ASSISTANT_SPEAKER,)
    assert objections(pattern(), NOTHING) == ()


def test_i1_the_companions_words_never_become_a_claim(luna: ScopedMemory) -> None:
    """A statement of the assistant is logged, and learned from by nobody."""
    luna.observe("我叫小舟。", session="s", at=NOW, speaker="assistant")
    luna.observe("我叫周眠。", session="s", at=NOW)
    assert [answer.outcome for answer in luna.learn(now=LATER).admissions] == [Outcome.ACCEPTED]
    assert [record.body.value for record in luna.list(now=LATER)] == ["周眠"]


def test_i2_an_unclassified_statement_replaces_nothing(luna: ScopedMemory) -> None:
    """It is stored, stands beside others and merges with itself."""
    for text in ("我对花生过敏", "我怕打雷", "我怕打雷！"):
        luna.remember(text, predicate="misc.unclassified", value=text.rstrip("！"), at=NOW)
    assert {record.body.value for record in luna.list(now=LATER)} == {"我对花生过敏", "我怕打雷"}
    assert {record.status for record in luna.list(everything=True, now=LATER)} == {Status.ACTIVE}


def test_i3_only_single_keys_replace_and_only_compatible_values(luna: ScopedMemory) -> None:
    """A name gives way to a name, a language stands beside a language, and prose never takes a date's place."""
    for key, first, second in (
        ("identity.name", "周眠", "阿眠"),
        ("identity.language", "中文", "日语"),
    ):
        luna.remember(first, predicate=key, at=NOW)
        luna.remember(second, predicate=key, at=LATER)
    luna.remember(
        "2026-06-10 交论文", predicate="open_loop.deadline", value="2026-06-10", entity="论文", at=NOW
    )
    answer = luna.remember("下周三吧", predicate="open_loop.deadline", entity="论文", at=LATER)[0]
    assert answer.reason is Reason.INVALID_VALUE
    assert {record.body.value for record in luna.list(now=LATER)} == {"阿眠", "中文", "日语", "2026-06-10"}


def test_i4_what_was_forgotten_returns_by_no_write_path(luna: ScopedMemory) -> None:
    """Neither by hand, nor learned, nor as an episode's or another key's value."""
    kept = luna.remember("我叫周眠。", predicate="identity.name", value="周眠", at=NOW)[0]
    assert kept.record_id is not None
    luna.forget(kept.record_id, now=NOW)
    luna.observe("我叫周眠。", session="s", at=LATER)
    assert luna.learn(now=LATER).rejections == {Reason.RESURRECTION: 1}
    again = luna.remember("周眠在这儿", predicate="misc.unclassified", value="周眠", at=LATER)
    assert [answer.reason for answer in again] == [Reason.RESURRECTION]
    assert luna.remember("我叫阿眠。", predicate="identity.name", value="阿眠", at=LATER)[0].stored


def test_i5_a_conclusion_without_live_support_is_void() -> None:
    """No delete is needed: once its sources are gone or suppressed it does not hold."""
    inference = pattern(support=(said("claim-1", kind=SourceKind.CLAIM),))
    known = Sources(claims={"claim-1": claim("ritual.recurring_activity")}, episodes={})
    assert (collapsed(inference, known), holding(inference, known)) == (False, Holding.OK)
    gone = attrs.evolve(known, suppressed=frozenset({"claim-1"}))
    assert (collapsed(inference, gone), holding(inference, gone)) == (True, Holding.NO_LIVE_SUPPORT)
    assert collapsed(inference, NOTHING)
    assert collapsed(pattern(support=()), NOTHING)


def test_i6_no_feedback_changes_nothing_however_often() -> None:
    """Not a bit of it; and being recalled is no feedback either."""
    start = Salience(importance=0.7)
    felt = start
    for _ in range(1_000):
        felt = feel(felt, Signal.NONE, SaliencePolicy())
    assert felt is start
    assert recalled(start, LATER).importance == start.importance
    assert feel(start, Signal.USER_VALUED, SaliencePolicy()).importance == pytest.approx(0.8)


def test_i7_a_muted_record_is_never_surfaced() -> None:
    """Whatever the key allows and the turn cues."""
    every_cue = Cues(
        referenced=True, implied=True, time_trigger=True, time_trigger_authorised=True, shared_term=True
    )
    for key in PREDICATES:
        record = claim(key, salience=Salience(muted=True))
        assert level_of(record) is Visibility.NEVER_SURFACE
        assert not decide(level_of(record), every_cue, muted=True).allowed
    assert decide(level_of(claim("goal.current_focus")), every_cue).allowed


def test_i8_a_key_closed_to_inference_is_neither_subject_nor_support() -> None:
    """Boundaries and unclassified statements least of all."""
    for key, row in PREDICATES.items():
        sources = Sources(claims={"claim-1": claim(key)}, episodes={})
        supported = pattern(support=(said("claim-1", kind=SourceKind.CLAIM),))
        about = pattern(predicate=key)
        assert (objections(supported, sources) == ()) is row.may_infer, key
        assert (objections(about, sources) == ()) is row.may_infer, key


def test_i9_the_same_input_gives_the_same_answer(luna: ScopedMemory) -> None:
    """Plan and text, over and over, and in another memory with the same history."""

    def history(scoped: ScopedMemory) -> list[str]:
        scoped.observe("我叫周眠，最近在等体检结果。", session="s1", at=NOW)
        scoped.learn(now=LATER)
        return [scoped.prepare("体检结果还没来", session="s2", now=LATER).text for _ in range(3)]

    twin = Memory.open(secret=bytes(32)).scope(service="lamplight", owner="u-42", profile="luna")
    assert len({*history(luna), *history(twin)}) == 1


def test_i10_boundaries_are_obligations(luna: ScopedMemory) -> None:
    """Never weighed, never cued, never dropped for room, and they stand even when muted."""
    for at in range(40):
        text = f"别提第{at}件旧事"
        answer = luna.remember(text, predicate="boundary.topic_avoid", value=f"第{at}件旧事", at=NOW)[0]
        assert answer.record_id is not None
    luna.mute(answer.record_id, now=NOW)
    plan = luna.prepare("早", now=LATER)
    assert len(plan.constraints) == 40
    assert score(claim("boundary.topic_avoid"), relevance=1.0, now=NOW, policy=Policy()) is None
    assert score(claim("goal.current_focus"), relevance=1.0, now=NOW, policy=Policy()) is not None


def test_i11_confidence_is_capped_until_the_person_agrees() -> None:
    """At 0.65, after any transition; agreeing lifts the cap and raises nothing."""
    ready = PromotionAudit(distinct_sessions=3, span_days=14, distinct_contexts=2, counter_examples_checked=1)
    bold = pattern(confidence=0.9)
    promoted = apply(bold, Transition.PROMOTE, now=NOW, policy=InferencePolicy(), readiness=ready)
    assert isinstance(promoted, Inference)
    assert promoted.confidence == 0.65
    agreed = apply(
        acknowledge(bold, now=NOW), Transition.PROMOTE, now=NOW, policy=InferencePolicy(), readiness=ready
    )
    assert isinstance(agreed, Inference)
    assert agreed.confidence == 0.9
    assert isinstance(apply(bold, Transition.REJECT, now=NOW, policy=InferencePolicy()), Inference)
    assert apply(bold, Transition.PROMOTE, now=NOW, policy=InferencePolicy()) is Obstacle.PROMOTION_NOT_READY


def test_i12_an_overdue_pattern_expires_once() -> None:
    """It loses a fifth of its confidence, and a second review finds nothing to do."""
    due = pattern(state=InferenceState.ACTIVE, confidence=0.8, expires_at=NOW)
    assert review(due, now=NOW, policy=InferencePolicy()) is due
    expired = review(due, now=LATER, policy=InferencePolicy())
    assert (expired.state, expired.confidence) == (InferenceState.EXPIRED, pytest.approx(0.52))
    assert review(expired, now=LATER, policy=InferencePolicy()) is expired
    theme = attrs.evolve(due, axis=Axis.RECURRING_THEME)
    assert review(theme, now=LATER, policy=InferencePolicy()) is theme


def test_i13_nothing_below_free_volunteers_itself(luna: ScopedMemory) -> None:
    """What waits for a cue waits; what may only shape is never said; what is free may come by itself."""
    luna.remember("在等体检结果", predicate="open_loop.waiting_on", value="体检结果", at=NOW)
    luna.remember("预算只有三千", predicate="goal.constraint", at=NOW)
    luna.remember("在学吹陶笛", predicate="goal.current_focus", value="吹陶笛", at=NOW)
    plan = luna.prepare("今晚月亮真圆", now=NOW)
    assert [item.text for _, item in plan.shown] == ["goal.current_focus: 吹陶笛"]
    assert {item.surface for _, item in plan.shown} == {Visibility.FREELY_MENTIONABLE}
    assert sum(plan.withheld.values()) == 2
