"""A month with a companion: what stays of it, what does not, and a model that has bad nights."""

from __future__ import annotations

import json
from pathlib import Path

import attrs
import pytest
from month import TALK, Diarist

from cmemory import COMPANION, Instant, Memory, ModelError, ScopedMemory
from cmemory.app.consolidate import NightReport
from cmemory.domain.model.candidate import Reason
from cmemory.domain.model.life import Status
from cmemory.domain.policy import NightPolicy
from cmemory.testing.fakes import ScriptedModel
from conftest import SECRET

KEPT = {
    "在杭州一家出版社做编辑",
    "喜欢下雨天在窗边看书",
    "讨厌商场里的音乐",
    "外婆三月初住院，很担心",
    "3月18日外婆生日，要提醒打电话",
    "对花生过敏",
    "和室友阿宁说好这个月轮流做饭",
    "三月上旬去良渚看了樱花",
    "熬夜第二天效率低，决定十二点前睡",
    "报名了四月的半程马拉松",
    "外婆出院了",
    "小时候在绍兴住过",
    "半程马拉松改到下半年",
}


def at(day: int, hour: str) -> str:
    return f"2026-03-{day:02}T{hour}:00+08:00"


def live(luna: ScopedMemory, first: int, last: int) -> list[NightReport]:
    """Talk through some days, each with its night; returns what came of the nights."""
    nights = []
    for day in range(first, last + 1):
        for number, (said, answered) in enumerate(TALK.get(day, ())):
            luna.notes.exchange(said, answered, session="wechat", at=at(day, f"{9 + number:02}:30"))
        nights.append(luna.notes.consolidate(now=at(day, "23:55")))
        # Whoever fires again, or late, changes nothing once the day is done.
        if not nights[-1].left:
            assert luna.notes.consolidate(now=at(day, "23:59")).day is None
    return nights


def notes(luna: ScopedMemory, now: str) -> set[str]:
    return {one.body.shown for one in luna.notes.list(now=now)}


def test_a_month(tmp_path: Path) -> None:
    """Everything the reader of a diary would expect, on one file that is opened anew every week."""
    model = Diarist()
    path = tmp_path / "luna.db"

    def opened() -> Memory:
        return Memory.open(path, secret=SECRET, zone="Asia/Shanghai", model=model)

    with opened() as memory:
        luna = memory.scope(service="wechat", owner="u-42", profile="luna")
        nights = live(luna, 1, 7)
        # Nights 3 and 4 failed, night 6 answered nonsense: what they were about waited, and nothing was lost.
        assert [(one.failed, one.unreadable, one.left) for one in nights] == [
            (0, 0, 0),
            (0, 0, 0),
            (1, 0, 2),
            (1, 0, 4),
            (0, 0, 0),
            (0, 1, 2),
            (0, 0, 0),
        ]
        assert luna.notes.waiting() == 0

    with opened() as memory:
        luna = memory.scope(service="wechat", owner="u-42", profile="luna")
        live(luna, 8, 16)
        # Night 8 said everything twice, day 16 said again in other words what day 2 had said.
        (rain,) = [one for one in luna.notes.list(now=at(16, "23:59")) if "看书" in one.body.shown]
        assert rain.body.shown == "喜欢下雨天在窗边看书"
        assert len(rain.evidence) == 2
        assert rain.salience.importance > 0.6

        # The promise comes up on its day, for a mere greeting, and on no other.
        live(luna, 17, 17)
        assert luna.notes.brief("早", now=at(17, "09:00")).text == ""
        live(luna, 18, 18)
        assert "外婆生日" in luna.notes.brief("早", now=at(18, "09:00")).text
        assert luna.notes.brief("早", now=at(19, "09:00")).text == ""
        live(luna, 19, 19)

        # Put away in plain words, it is told no more, and no later night brings it back; restoring does.
        forgetting = luna.act(
            "forget-memory", {"query": "怕水"}, message=TALK[20][0][0], session="wechat", now=at(20, "09:30")
        )
        assert forgetting.ok
        live(luna, 20, 22)
        assert "怕水" not in luna.notes.brief("我怕水吗", now=at(22, "12:00")).text
        (water,) = [
            one for one in luna.notes.list(everything=True, now=at(22, "23:59")) if "怕水" in one.body.shown
        ]
        assert water.status is Status.DELETED
        assert luna.restore(water.id, now=at(23, "10:00")).status is Status.ACTIVE
        assert "怕水" in luna.notes.brief("我怕水吗", now=at(23, "12:00")).text

        # Erased for good, it never returns, however it is said and whoever asks.
        (shaoxing,) = [one for one in luna.notes.list(now=at(23, "12:00")) if "绍兴" in one.body.shown]
        luna.forget(shaoxing.id, now=at(23, "13:00"))
        for record in luna.list(now=at(23, "13:00")):
            if "绍兴" in str(record.body):
                luna.forget(record.id, now=at(23, "13:00"))
        assert memory.verify_forgotten("绍兴").clean
        first, *_ = luna.notes.write("小时候在绍兴住过", said="我小时候在绍兴住过呢", at=at(24, "10:00"))
        assert first.reason is Reason.RESURRECTION
        nights = live(luna, 24, 31)
        refused = {reason for one in nights for reason in one.rejections}
        assert refused >= {Reason.UNSUPPORTED, Reason.INSTRUCTION}

    with opened() as memory:
        luna = memory.scope(service="wechat", owner="u-42", profile="luna")
        end = at(31, "23:59")
        assert notes(luna, end) == (KEPT - {"小时候在绍兴住过"}) | {"一直怕水，小时候掉进过河里"}
        assert memory.verify_forgotten("绍兴").clean
        # A note is no claim, and what the words state is believed beside it.
        assert "identity.occupation" in {getattr(one.body, "predicate", "") for one in luna.list(now=end)}
        assert memory.selfcheck(now=end).findings == ()


def test_the_four_hundred_and_first(tmp_path: Path) -> None:
    """A diary that is full lets the lightest go, and keeps the promise that is still to come."""
    with Memory.open(tmp_path / "luna.db", secret=SECRET, zone="Asia/Shanghai", model=Diarist()) as memory:
        luna = memory.scope(service="wechat", owner="u-42", profile="luna")
        begin = Instant.parse("2025-06-01T00:00:00Z")
        for number in range(398):
            said = f"路过了编号{number}的小店"
            luna.notes.write(said, said=f"我{said}", importance=0.3, at=begin.plus(days=number % 200))
        live(luna, 1, 12)
        now = at(12, "23:59")
        assert len(luna.notes.list(now=now)) == 400
        faded = [one for one in luna.notes.list(everything=True, now=now) if one.status is Status.FADED]
        assert faded
        assert all("小店" in one.body.shown for one in faded)
        assert "3月18日外婆生日，要提醒打电话" in notes(luna, now)
        # The oldest of the lightest went.
        stands = [one for one in luna.notes.list(now=now) if "小店" in one.body.shown]
        assert max(one.created_at for one in faded) <= min(one.created_at for one in stands)


@pytest.mark.parametrize("attempts", [3])
def test_nonsense_every_night_ends_in_rules(luna: ScopedMemory, attempts: int) -> None:
    """Nothing waits forever: after a few answers that cannot be read the offline rules make the notes."""
    luna.notes.exchange("我喜欢海边，讨厌吵闹", "嗯。", session="s", at=at(1, "09:00"))
    for attempt in range(1, attempts + 1):
        (task,) = luna.notes.consolidate_plan(now=at(attempt, "23:55")).tasks
        report = luna.notes.consolidate_commit(task.said, "晚安", now=at(attempt, "23:56"))
        assert (report.unreadable, report.left) == (1, 0 if attempt == attempts else 1)
    assert notes(luna, at(4, "09:00")) == {"我喜欢海边，讨厌吵闹"}


def test_without_a_model_the_rules_keep_the_diary(luna: ScopedMemory) -> None:
    """Less well worded, and just as careful: no greeting, mood, question, supposition or hearsay."""
    live(luna, 1, 31)
    kept = notes(luna, at(31, "23:59"))
    assert {
        "我喜欢下雨天在窗边看书，讨厌商场里的音乐",
        "我发现熬夜第二天效率特别低，以后十二点前一定睡",
    } <= kept
    assert any("花生过敏" in one for one in kept)
    assert any("提醒我打电话" in one for one in kept)
    left_out = ("早", "困", "哈哈", "嗯嗯", "烦", "谢谢", "天气", "晚安", "同事说", "该不该", "如果")
    assert [one for one in kept if any(words in one for words in left_out)] == []
    assert luna.notes.waiting() == 0


def test_a_night_that_breaks_off_keeps_what_it_has(tmp_path: Path) -> None:
    """The portions before the failure are notes, those behind it wait, and the next night does them."""
    policy = attrs.evolve(COMPANION, night=NightPolicy(portion_exchanges=1))
    item = {"kind": "preference", "note": "喜欢海边", "exchange": 1, "quote": "我喜欢海边"}
    down = ModelError(problem="the service is down", retryable=True)
    model = ScriptedModel(json.dumps([item]), down)
    with Memory.open(secret=SECRET, zone="Asia/Shanghai", model=model, policy=policy) as memory:
        luna = memory.scope(service="wechat", owner="u-42", profile="luna")
        for number, said in enumerate(("我喜欢海边", "我讨厌吵闹", "我怕黑")):
            luna.notes.exchange(said, "嗯。", session="s", at=at(1, f"{9 + number:02}:00"))
        broken = luna.notes.consolidate(now=at(1, "23:55"))
        assert (broken.failed, broken.left) == (1, 2)
        assert notes(luna, at(2, "09:00")) == {"喜欢海边"}
        for said in ("我讨厌吵闹", "我怕黑"):
            other = {"kind": "preference", "note": said[1:], "exchange": 1, "quote": said}
            model.enqueue(json.dumps([other]))
        late = luna.notes.consolidate(now=at(2, "07:00"))
        assert (late.day, late.failed, late.left) == ("2026-03-01", 0, 0)
        assert notes(luna, at(2, "09:00")) == {"喜欢海边", "讨厌吵闹", "怕黑"}
        assert len(model.prompts) == 4
