"""The plug-in in Python, between a host that plays every trick and a real SQLite file."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fake_host import (
    HANG,
    NIGHT,
    FakeHost,
    FakeModel,
    RudeError,
    act,
    asked,
    notes_answer,
    said,
)

from cmemory import Memory, ScopedMemory
from cmemory.adapters.hosts.wechat import calls, contract
from cmemory.adapters.hosts.wechat.contract import Capability, Code, Permission, profile_of
from cmemory.adapters.hosts.wechat.plugin import Plugin, activate, policy_of
from cmemory.adapters.sqlite.store import SqliteStore
from cmemory.adapters.worker.client import WorkerClient
from cmemory.domain.errors import StoreError
from cmemory.domain.text.graphemes import breaks
from cmemory.domain.trace import Trace

CHAT = "wechat:private:nora"
SEA = "记住我喜欢海边，讨厌吵闹。"
SEA_NOTE = {"text": "喜欢海边，讨厌吵闹", "kind": "preference"}
NEXT_DAY = "2026-03-02T09:00:00+08:00"


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory.open(tmp_path / "luna.db", zone="Asia/Shanghai") as opened:
        yield opened


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine may take its time; what a deadline does is tested with deadlines of its own."""
    for name in contract.DEADLINES_MS:
        monkeypatch.setitem(dict_of(contract.DEADLINES_MS), name, 120_000)


def play(
    memory: Memory, host: FakeHost, scene: Callable[[Plugin], Awaitable[Any]], *, dispose: bool = True
) -> Any:
    """Let a scene happen with an activated plug-in."""

    async def run() -> Any:
        plugin = await activate(host, memory=memory, trace=host.trace)
        done = await scene(plugin)
        if dispose:
            await plugin.dispose()
        return done

    return asyncio.run(run())


def chat(memory: Memory, key: str = CHAT, persona: str | None = None) -> ScopedMemory:
    return memory.scope(service="wechatagent", owner="host-owner", profile=profile_of(persona, key))


async def remember(plugin: Plugin, **where: Any) -> dict[str, Any]:
    return await plugin.actions["remember"](act(SEA, SEA_NOTE, **where))


# -- one day ---------------------------------------------------------------------------------------------------


def test_a_day_with_the_host(memory: Memory, tmp_path: Path) -> None:
    """Said by day, read by the host's model at night, recalled the next morning, seen by a worker on the same file."""
    model = FakeModel(notes_answer(("我对花生过敏", "对花生过敏")))
    host = FakeHost(model=model)

    async def scene(plugin: Plugin) -> Any:
        assert await plugin.hooks["after-response"](said("我对花生过敏，别忘了。", number=1)) is None
        assert await plugin.hooks["after-response"](said("哈哈哈", number=2)) is None
        night = await plugin.schedules["consolidate"](NIGHT)
        brief = await plugin.hooks["before-context"](asked("晚饭想吃花生酱面。", number=3, at=NEXT_DAY))
        return night, brief

    night, brief = play(memory, host, scene)
    assert night["ok"] is True
    assert [request["json"] for request in model.asked] == [True]
    assert "花生" in brief["text"]
    assert brief["usedChars"] == len(brief["text"]) <= 900
    assert host.schedule is not None
    assert host.schedule.daily_calls == [{"id": "consolidate", "at": "23:50"}]
    assert host.schedule.cancelled == ["consolidate"]
    assert host.traced == []
    with WorkerClient.acquire(tmp_path / "luna.db", shared=False) as worker:
        scope = {
            "service_id": "wechatagent",
            "owner_user_id": "host-owner",
            "companion_profile_id": profile_of(None, CHAT),
        }
        held = worker.call("notes_list", {"scope": scope, "now": NEXT_DAY})
    assert [one["text"] for one in held["records"]] == ["对花生过敏"]


def test_small_talk_recalls_nothing(memory: Memory) -> None:
    async def scene(plugin: Plugin) -> Any:
        await remember(plugin)
        return await plugin.hooks["before-context"](asked("哈哈", at=NEXT_DAY))

    assert play(memory, FakeHost(enableMood=False), scene) is None


@pytest.mark.parametrize(
    "host", [FakeHost(), FakeHost(enableMood=False), FakeHost(without=[Permission.STORAGE])]
)
def test_the_mood_is_told_where_it_is_allowed(memory: Memory, host: FakeHost) -> None:
    """Last in the brief, as the library words it, and only with its setting and its permission."""

    async def scene(plugin: Plugin) -> Any:
        await plugin.hooks["after-response"](said("太好了！今天特别开心！"))
        return await plugin.hooks["before-context"](asked("哈哈", at=NEXT_DAY))

    told = play(memory, host, scene)
    line = chat(memory).mood(now=NEXT_DAY).line
    allowed = host.settings.get("enableMood", True) is True and "storage" in host.permissions
    assert (told is not None) is allowed
    assert line
    assert not allowed or line in told["text"]


def test_the_six_actions(memory: Memory) -> None:
    """Remember, search, list, forget and restore, each in the person's own words."""

    async def scene(plugin: Plugin) -> list[dict[str, Any]]:
        async def ask(name: str, text: str, number: int, **arguments: object) -> dict[str, Any]:
            return await plugin.actions[name](act(text, arguments, number=number, at=NEXT_DAY))

        first = await remember(plugin)
        name = first["data"]["id"]
        return [
            first,
            await ask("search-memory", "你还记得我喜欢海边吗？", 2, query="海边"),
            await ask("list-memories", "你记得我什么？", 3),
            await ask("forget-memory", "忘掉海边那件事。", 4, id=name),
            await ask("search-memory", "你还记得我喜欢海边吗？", 5, query="海边"),
            await ask("restore-memory", "还是记着吧。", 6, id=name),
            await ask("consolidate-memory", "整理一下。", 7),
        ]

    done = play(memory, FakeHost(), scene)
    name = done[0]["data"]["id"]
    # Once it is put away, neither the note nor what was learned from its words is found.
    assert [one.get("code", "done") for one in done] == [*["done"] * 4, "nothing_found", "done", "done"]
    assert [name in one["text"] for one in done[1:6]] == [True, True, False, False, False]
    assert name in done[5]["data"]["ids"]


def test_each_chat_is_a_relationship_of_its_own(memory: Memory) -> None:
    """Nothing said in one chat comes up in another, nor with another persona."""
    host = FakeHost()

    async def scene(plugin: Plugin) -> Any:
        await remember(plugin)
        elsewhere = await plugin.actions["search-memory"](
            act("海边呢？", {"query": "海边"}, chat="wechat:private:marco", at=NEXT_DAY)
        )
        host.persona = "another"
        persona = await plugin.actions["search-memory"](act("海边呢？", {"query": "海边"}, at=NEXT_DAY))
        return elsewhere, persona

    elsewhere, persona = play(memory, host, scene)
    assert (elsewhere["code"], persona["code"]) == ("nothing_found", "nothing_found")


# -- permissions, capabilities, settings -----------------------------------------------------------------------


@pytest.mark.parametrize("missing", [*Capability, *Permission])
def test_what_is_missing_switches_one_thing_off(memory: Memory, missing: Capability | Permission) -> None:
    """Recall works whatever is missing; each feature goes with what it needs."""
    model = FakeModel(notes_answer(("过敏", "对花生过敏")))
    host = FakeHost(model=model, without=[missing], mirrorDocuments=True)

    async def scene(plugin: Plugin) -> Any:
        await plugin.hooks["after-response"](said("我对花生过敏。"))
        waiting = chat(memory).notes.waiting()
        await plugin.schedules["consolidate"](NIGHT)
        await plugin.settled()
        chat(memory).notes.write("喜欢海边", at="2026-03-01T21:00:00+08:00")
        brief = await plugin.hooks["before-context"](asked("想去海边。", at=NEXT_DAY))
        return waiting, bool(plugin.actions), brief

    waiting, actions, brief = play(memory, host, scene)
    assert "海边" in brief["text"]
    assert actions is (missing is not Capability.ACTIONS)
    assert waiting == (0 if missing is Permission.STORAGE else 1)
    no_model = missing in (Capability.MODEL, Permission.MODEL, Permission.STORAGE)
    assert bool(model.asked) is not no_model
    assert host.schedule is not None
    assert bool(host.schedule.daily_calls) is (missing not in (Capability.SCHEDULE, Permission.SCHEDULE))
    assert host.documents is not None
    no_copy = missing in (Capability.DOCUMENTS, Permission.DOCUMENTS, Permission.STORAGE)
    assert bool(host.documents.held) is not no_copy
    assert host.traced == []


def test_a_service_that_is_promised_and_not_there_is_off(memory: Memory) -> None:
    """The lists say yes, the object is None: the offline rules do the night."""
    host = FakeHost(mirrorDocuments=True)
    host.model = host.documents = host.schedule = None

    async def scene(plugin: Plugin) -> Any:
        await plugin.hooks["after-response"](said("记住：我对花生过敏。"))
        return await plugin.schedules["consolidate"](NIGHT)

    night = play(memory, host, scene)
    assert night["ok"] is True
    assert chat(memory).notes.waiting() == 0
    assert [one.body.shown for one in chat(memory).notes.list(now=NEXT_DAY)] != []


def test_another_version_of_the_interface_gets_nothing(memory: Memory) -> None:
    host = FakeHost()
    host.api_version = 3

    async def scene(plugin: Plugin) -> Any:
        return plugin.hooks, plugin.actions, plugin.schedules

    assert play(memory, host, scene) == ({}, {}, {})
    assert host.traced == [("activate", "NOT_AVAILABLE")]


def test_a_host_that_has_nothing_gets_nothing_and_no_error(memory: Memory) -> None:
    traced: list[Trace] = []

    async def run() -> Plugin:
        nothing: Any = object()
        plugin = await activate(nothing, memory=memory, trace=lambda call, at, trace: traced.append(trace))
        await plugin.dispose()
        return plugin

    plugin = asyncio.run(run())
    assert (plugin.hooks, plugin.actions, plugin.schedules) == ({}, {}, {})
    assert [trace.steps[0].reason for trace in traced] == ["MEMORY_FAILED"]


def test_settings_out_of_bounds_or_of_another_type_do_no_harm() -> None:
    """Numbers are held within their bounds, everything else falls back to the default."""
    read = contract.Settings.of(
        {"recallMaxChars": 9, "maxMemories": 10**9, "consolidateAt": "24:00", "enableMood": "no", "x": 1}
    )
    assert (read.recall_max_chars, read.max_memories) == (200, 10_000)
    assert (read.consolidate_at, read.enable_mood, read.auto_consolidate) == ("23:50", True, True)
    assert contract.Settings.of(None) == contract.Settings.of({})
    assert contract.Settings.of({"recallMaxChars": True}).recall_max_chars == 900


def test_the_host_says_how_many_notes_stay_active() -> None:
    assert policy_of(FakeHost(maxMemories=50)).notes.max_active == 50


def test_without_automatic_consolidation_the_queue_waits_and_the_rest_works(memory: Memory) -> None:
    host = FakeHost(autoConsolidate=False)

    async def scene(plugin: Plugin) -> Any:
        await plugin.hooks["after-response"](said("我对花生过敏。"))
        return await plugin.schedules["consolidate"](NIGHT), (await remember(plugin, number=2))["ok"]

    night, remembered = play(memory, host, scene)
    assert (night["ok"], remembered) == (True, True)
    assert host.schedule is not None
    assert (host.schedule.daily_calls, host.schedule.cancelled) == ([], [])
    assert chat(memory).notes.waiting() == 1


# -- the night -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "failure",
    [RudeError("花生"), HANG, None, {"text": 7}, "no object", {}],
    ids=["raises", "hangs", "none", "no text", "a string", "empty"],
)
def test_a_failing_model_keeps_the_queue(
    memory: Memory, failure: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the model could not read waits; the next night reads it."""
    monkeypatch.setitem(dict_of(contract.DEADLINES_MS), "model", 50)
    host = FakeHost(model=FakeModel(failure, notes_answer(("我对花生过敏", "对花生过敏"))))

    async def scene(plugin: Plugin) -> Any:
        await plugin.hooks["after-response"](said("我对花生过敏。"))
        first = await plugin.schedules["consolidate"](NIGHT)
        waiting = chat(memory).notes.waiting()
        return first, waiting, await plugin.schedules["consolidate"](NIGHT)

    first, waiting, second = play(memory, host, scene)
    assert (first["ok"], waiting, second["ok"]) == (False, 1, True)
    assert chat(memory).notes.waiting() == 0
    assert len(chat(memory).notes.list(now=NEXT_DAY)) == 1
    assert {reason for _, reason in host.traced} <= {"HOST_FAILED", "TIMEOUT"}
    assert "花生" not in str(host.traced)


def dict_of(mapping: Any) -> dict[str, int]:
    assert isinstance(mapping, dict)
    return mapping


def test_a_model_that_failed_is_not_asked_again_that_night(memory: Memory) -> None:
    """Neither for the next portion nor for the next chat; all of it waits."""
    host = FakeHost(model=FakeModel(RudeError("down")))

    async def scene(plugin: Plugin) -> Any:
        for name in ("a", "b"):
            for number in range(5):
                await plugin.hooks["after-response"](
                    said(f"{number}" + "海" * 3_000, number=number, chat=name)
                )
        return await plugin.schedules["consolidate"](NIGHT)

    assert play(memory, host, scene)["ok"] is False
    assert host.model is not None
    assert len(host.model.asked) == 1
    assert [chat(memory, name).notes.waiting() for name in ("a", "b")] == [5, 5]


def test_nonsense_is_read_again_and_never_loses_anything(memory: Memory) -> None:
    """An answer that cannot be read leaves the queue; after a few of them the rules make the notes."""
    host = FakeHost(model=FakeModel({"text": "Sure! Here are your notes: 🙂"}))

    async def scene(plugin: Plugin) -> list[int]:
        await plugin.hooks["after-response"](said("记住：我对花生过敏。"))
        left = []
        for _ in range(3):
            await plugin.schedules["consolidate"](NIGHT)
            left.append(chat(memory).notes.waiting())
        return left

    assert play(memory, host, scene) == [1, 1, 0]
    assert chat(memory).notes.list(now=NEXT_DAY) != ()


def test_late_and_double_calls_change_nothing(memory: Memory) -> None:
    """Twice at once, again later, and days late: each exchange is read once."""
    model = FakeModel(notes_answer(("我对花生过敏", "对花生过敏")))
    host = FakeHost(model=model)
    late = {"firedAt": "2026-03-03T08:00:00+08:00", "dueFor": "2026-03-01"}

    async def scene(plugin: Plugin) -> Any:
        await plugin.hooks["after-response"](said("我对花生过敏。"))
        both = await asyncio.gather(*(plugin.schedules["consolidate"](late) for _ in range(2)))
        return [*both, await plugin.schedules["consolidate"](late)]

    assert [one["ok"] for one in play(memory, host, scene)] == [True, True, True]
    assert len(model.asked) == 1
    assert len(chat(memory).notes.list(now=NEXT_DAY)) == 1


def test_a_lower_limit_takes_effect_at_night(tmp_path: Path) -> None:
    """What is too much fades with the other chores, though nothing was said that day."""
    path = tmp_path / "luna.db"
    with Memory.open(path, zone="Asia/Shanghai") as memory:
        for number in range(25):
            chat(memory).notes.write(f"第{number}个愿望是去看海", at="2026-03-01T12:00:00+08:00")
        held = len(chat(memory).notes.list(now=NEXT_DAY))
    host = FakeHost(maxMemories=20)

    async def scene(plugin: Plugin) -> Any:
        return await plugin.schedules["consolidate"](NIGHT)

    with Memory.open(path, zone="Asia/Shanghai", policy=policy_of(host)) as memory:
        assert play(memory, host, scene)["ok"] is True
        assert (held, len(chat(memory).notes.list(now=NEXT_DAY))) == (25, 20)


def test_before_its_hour_the_day_is_not_read(memory: Memory) -> None:
    model = FakeModel({"text": "[]"})

    async def scene(plugin: Plugin) -> Any:
        await plugin.hooks["after-response"](said("我对花生过敏。"))
        return await plugin.schedules["consolidate"]({**NIGHT, "firedAt": "2026-03-01T20:30:00+08:00"})

    night = play(memory, FakeHost(model=model), scene)
    assert night["ok"] is True
    assert model.asked == []
    assert chat(memory).notes.waiting() == 1


def test_a_night_reads_every_chat_and_stops_when_told(memory: Memory) -> None:
    """A signal ends the night between two chats or within one; the rest waits."""
    signal = asyncio.Event()

    def stop(request: object) -> dict[str, str]:
        signal.set()
        return {"text": "[]"}

    host = FakeHost(model=FakeModel(stop, {"text": "[]"}))

    async def scene(plugin: Plugin) -> Any:
        for name in ("a", "b", "c"):
            await plugin.hooks["after-response"](said("我对花生过敏。", chat=name))
        first = await plugin.schedules["consolidate"](NIGHT, {"signal": signal})
        return first, await plugin.schedules["consolidate"](NIGHT)

    first, second = play(memory, host, scene)
    assert first == {"ok": False, "summary": "CANCELLED"}
    assert second["ok"] is True
    assert [chat(memory, name).notes.waiting() for name in ("a", "b", "c")] == [0, 0, 0]


# -- groups ----------------------------------------------------------------------------------------------------


def test_in_a_group_only_the_owner_is_remembered(memory: Memory) -> None:
    """Strangers are neither queued nor recalled for, and their wishes are not carried out."""
    group = {"chat": "wechat:group:42", "kind": "group"}
    host = FakeHost(ownerSenderId="wx-owner")

    async def scene(plugin: Plugin) -> Any:
        await plugin.hooks["after-response"](said("我对花生过敏。", number=1, sender="wx-else", **group))
        strangers = chat(memory, "wechat:group:42").notes.waiting()
        await plugin.hooks["after-response"](said("我喜欢海边。", number=2, sender="wx-owner", **group))
        await remember(plugin, number=3, sender="wx-owner", **group)
        told = [
            await plugin.hooks["before-context"](
                asked("海边怎么走？", number=4, sender=one, at=NEXT_DAY, **group)
            )
            for one in ("wx-owner", "wx-else", "host-owner")
        ]
        refused = [
            await plugin.actions[name](act("忘掉海边", {"query": "海边"}, sender="wx-else", **group))
            for name in plugin.actions
        ]
        return strangers, told, refused

    strangers, told, refused = play(memory, host, scene)
    assert strangers == 0
    assert chat(memory, "wechat:group:42").notes.waiting() == 1
    assert "海边" in told[0]["text"]
    assert told[1:] == [None, None]
    assert {one["code"] for one in refused} == {"NOT_THE_OWNER"}
    assert len(refused) == 6


# -- inputs ----------------------------------------------------------------------------------------------------


def without(given: dict[str, Any], path: str) -> dict[str, Any]:
    first, _, rest = path.partition(".")
    if not rest:
        return {key: value for key, value in given.items() if key != first}
    return {**given, first: without(given[first], rest)}


BROKEN = [
    "chat",
    "chat.key",
    "chat.kind",
    "message",
    "message.id",
    "message.text",
    "message.senderId",
    "message.at",
]


@pytest.mark.parametrize("path", BROKEN)
def test_a_missing_field_refuses_that_call_alone(memory: Memory, path: str) -> None:
    """Each hook answers None, the action says why, nothing is written, and the next call works."""
    host = FakeHost()

    async def scene(plugin: Plugin) -> Any:
        brief = await plugin.hooks["before-context"](without(asked("海边"), path))
        after = await plugin.hooks["after-response"](without(said("海边"), path))
        action = await plugin.actions["remember"](without(act(SEA, SEA_NOTE), path))
        return brief, after, action, await remember(plugin)

    brief, after, action, next_one = play(memory, host, scene)
    assert (brief, after, next_one["ok"]) == (None, None, True)
    assert (action["ok"], action["code"]) == (False, "INVALID_INPUT")
    assert [reason for _, reason in host.traced] == ["INVALID_INPUT"] * 3


@pytest.mark.parametrize(
    "given",
    [
        None,
        [],
        7,
        {**asked("x"), "budgetChars": -1},
        {**asked("x"), "budgetChars": True},
        without(asked("x"), "budgetChars"),
        asked("x", at="2026-03-01T20:00:00"),
        asked("x", at="yesterday"),
        asked("x", kind="channel"),
        asked("x", chat=" "),
        asked("x", chat="all*"),
    ],
)
def test_nonsense_is_refused_without_a_word(memory: Memory, given: object) -> None:
    host = FakeHost()

    async def scene(plugin: Plugin) -> Any:
        return await plugin.hooks["before-context"](given)

    assert play(memory, host, scene) is None
    assert len(host.traced) == 1


def test_unknown_fields_and_odd_contexts_are_passed_over(memory: Memory) -> None:
    host = FakeHost(enableMood=False)

    async def scene(plugin: Plugin) -> Any:
        await remember(plugin)
        more = {**asked("去海边吧", at=NEXT_DAY), "mood": "?", "recent": "no list", "x": {"y": 1}}
        contexts: list[object] = [None, {}, {"signal": 7, "timeZone": 7, "z": 1}, {"now": NEXT_DAY}]
        return [await plugin.hooks["before-context"](more, one) for one in contexts]

    told = play(memory, host, scene)
    assert all("海边" in one["text"] for one in told)
    assert host.traced == []


@pytest.mark.parametrize("context", [{"now": "noon"}, 7, {"now": "2026-03-01T20:00:00"}])
def test_a_context_that_tells_a_wrong_time_refuses_the_call(memory: Memory, context: object) -> None:
    host = FakeHost()

    async def scene(plugin: Plugin) -> Any:
        return await plugin.hooks["before-context"](asked("海边"), context)

    assert play(memory, host, scene) is None
    assert [reason for _, reason in host.traced] == ["INVALID_INPUT"]


def test_silence_and_pictures_are_no_exchange(memory: Memory) -> None:
    """A message without text is not queued; a silent companion leaves the person's words alone."""

    async def scene(plugin: Plugin) -> int:
        await plugin.hooks["after-response"](said("  ", number=1))
        nothing = chat(memory).notes.waiting()
        await plugin.hooks["after-response"](said("我对花生过敏。", "secret thought", silent=True, number=2))
        await plugin.hooks["after-response"](said("我住在杭州。", "", number=3))
        return nothing

    assert play(memory, FakeHost(), scene) == 0
    assert chat(memory).notes.waiting() == 2
    assert memory.verify_forgotten("secret thought").clean


# -- lengths ---------------------------------------------------------------------------------------------------

FAMILY = "👨‍👩‍👧‍👦"


@pytest.mark.parametrize("budget", [0, 10, 120, 150, 151, 152, 153, 160, 200, 10**6])
def test_a_brief_keeps_the_budget_and_cuts_no_grapheme(memory: Memory, budget: int) -> None:
    """The smaller of the host's budget and the setting, in code points, and never inside a family."""
    note = f"喜欢和全家{FAMILY * 12}去海边{FAMILY * 8}"
    chat(memory).notes.write(note, at="2026-03-01T12:00:00+08:00")

    async def scene(plugin: Plugin) -> Any:
        return await plugin.hooks["before-context"](asked("海边", budget, at=NEXT_DAY))

    told = play(memory, FakeHost(enableMood=False, recallMaxChars=200), scene)
    if told is None:
        assert budget < 160
        return
    assert told["usedChars"] == len(told["text"]) <= min(budget, 200)
    line = told["text"].split("\n")[2]
    before, ellipsis, _ = line.partition("…")
    assert not ellipsis or breaks(note, len(before.partition(": ")[2]))


def test_very_long_texts_do_no_harm(memory: Memory) -> None:
    """As long as the host's longest message, and far beyond what a message may be."""
    host = FakeHost(enableMood=False)

    async def scene(plugin: Plugin) -> Any:
        await plugin.hooks["after-response"](said("我对花生过敏。" * 2_000, number=1))
        await plugin.hooks["after-response"](said("海" * 400_000, number=2))
        brief = await plugin.hooks["before-context"](asked("海边" * 9_000, number=3))
        return brief, await remember(plugin, number=4)

    _, next_one = play(memory, host, scene)
    assert next_one["ok"] is True
    assert chat(memory).notes.waiting() == 1
    assert [reason for _, reason in host.traced] == ["MEMORY_FAILED"]


# -- the mirror ------------------------------------------------------------------------------------------------


def test_the_mirror_is_off_unless_it_is_wanted(memory: Memory) -> None:
    host = FakeHost()

    async def scene(plugin: Plugin) -> None:
        await remember(plugin)
        await plugin.settled()

    play(memory, host, scene)
    assert host.documents is not None
    assert host.documents.held == {}


def test_the_mirror_follows_every_note(memory: Memory) -> None:
    """Written after it is kept, gone when it is put away, back when it is restored, and one chat's only."""
    host = FakeHost(mirrorDocuments=True)
    documents = host.documents
    assert documents is not None

    async def scene(plugin: Plugin) -> list[list[str]]:
        seen: list[list[str]] = []
        kept: list[str] = []
        for name, given in (
            ("remember", act(SEA, SEA_NOTE)),
            ("remember", act("我对花生过敏，记一下。", {"text": "对花生过敏"}, number=2)),
            ("remember", act("我周三练大提琴，记一下。", {"text": "周三练大提琴"}, number=3)),
            ("forget-memory", act("忘掉花生那件事。", {"id": ""}, number=4, at=NEXT_DAY)),
            ("restore-memory", act("还是记着吧。", {}, number=5, at=NEXT_DAY)),
        ):
            if name == "forget-memory":
                given["arguments"]["id"] = kept[1]
            done = await plugin.actions[name](given)
            assert done["ok"], name
            kept.append(done["data"].get("id"))
            await plugin.settled()
            seen.append(documents.texts)
        before = documents.lists
        await plugin.actions["list-memories"](act("你记得什么？", {}, number=6, at=NEXT_DAY))
        await plugin.settled()
        assert documents.lists == before
        return seen

    seen = play(memory, host, scene)
    sea, nuts, cello = SEA_NOTE["text"], "对花生过敏", "周三练大提琴"
    assert seen[0] == [sea]
    assert seen[2] == sorted([sea, nuts, cello])
    assert seen[3] == sorted([sea, cello])
    assert seen[4] == sorted([sea, nuts, cello])
    assert host.traced == []
    assert all(CHAT not in name for _, name in documents.held)


def test_what_is_muted_or_erased_leaves_the_mirror(memory: Memory) -> None:
    """With the next copy, at night at the latest."""
    host = FakeHost(mirrorDocuments=True)
    documents = host.documents
    assert documents is not None

    async def scene(plugin: Plugin) -> list[list[str]]:
        seen = []
        await remember(plugin)
        second = act("我对花生过敏，记一下。", {"text": "对花生过敏"}, number=2)
        nuts = (await plugin.actions["remember"](second))["data"]["id"]
        await plugin.settled()
        for change in (chat(memory).mute, chat(memory).unmute, chat(memory).forget):
            change(nuts, now=NEXT_DAY)
            await plugin.schedules["consolidate"](NIGHT)
            await plugin.settled()
            seen.append(documents.texts)
        return seen

    both = sorted([SEA_NOTE["text"], "对花生过敏"])
    assert play(memory, host, scene) == [[SEA_NOTE["text"]], both, [SEA_NOTE["text"]]]


@pytest.mark.parametrize("conflicts", [1, 2])
def test_a_conflict_is_traced_and_tried_once_more(memory: Memory, conflicts: int) -> None:
    """Over the stranger's revision the second time; after two the document is left to the next copy."""
    host = FakeHost(mirrorDocuments=True)
    documents = host.documents
    assert documents is not None
    documents.conflicts = conflicts

    async def scene(plugin: Plugin) -> list[str]:
        await remember(plugin)
        await plugin.settled()
        first = documents.texts
        await plugin.schedules["consolidate"](NIGHT)
        await plugin.settled()
        return first

    first = play(memory, host, scene)
    assert first == ([SEA_NOTE["text"]] if conflicts == 1 else ["None"])
    assert documents.texts == [SEA_NOTE["text"]]
    assert [reason for _, reason in host.traced] == ["CONFLICT"] * conflicts


def test_a_failing_document_store_costs_nothing_but_the_copy(memory: Memory) -> None:
    host = FakeHost(mirrorDocuments=True)
    assert host.documents is not None
    host.documents.failure = RudeError(SEA)

    async def scene(plugin: Plugin) -> Any:
        done = await remember(plugin)
        await plugin.settled()
        return done

    assert play(memory, host, scene)["ok"] is True
    assert host.traced == [("mirror", "HOST_FAILED")]
    assert len(chat(memory).notes.list(now=NEXT_DAY)) == 1


# -- cancelling, failing, ending -------------------------------------------------------------------------------


def test_a_call_that_nobody_waits_for_does_nothing(memory: Memory) -> None:
    signal = asyncio.Event()
    signal.set()
    host = FakeHost()

    async def scene(plugin: Plugin) -> Any:
        context = {"signal": signal}
        await plugin.hooks["after-response"](said("我对花生过敏。"), context)
        brief = await plugin.hooks["before-context"](asked("花生"), context)
        return brief, await plugin.actions["remember"](act(SEA, SEA_NOTE), context)

    brief, action = play(memory, host, scene)
    assert (brief, action["code"]) == (None, "CANCELLED")
    assert chat(memory).notes.waiting() == 0
    assert chat(memory).notes.list(now=NEXT_DAY) == ()


class Gate:
    """Holds a method of the store up until it is opened."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, method: str) -> None:
        self.reached, self.opened = threading.Event(), threading.Event()
        original = getattr(SqliteStore, method)

        def held(store: SqliteStore, *arguments: Any, **named: Any) -> Any:
            self.reached.set()
            assert self.opened.wait(30)
            return original(store, *arguments, **named)

        monkeypatch.setattr(SqliteStore, method, held)

    async def wait(self) -> None:
        assert await asyncio.to_thread(self.reached.wait, 30)


def test_a_signal_ends_a_call_that_is_under_way(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    gate = Gate(monkeypatch, "read")

    async def scene(plugin: Plugin) -> Any:
        signal = asyncio.Event()
        call = asyncio.ensure_future(plugin.hooks["before-context"](asked("海边"), {"signal": signal}))
        await gate.wait()
        signal.set()
        told = await call
        gate.opened.set()
        return told

    host = FakeHost()
    assert play(memory, host, scene) is None
    assert host.traced == [("before-context", "CANCELLED")]


def test_a_slow_memory_does_not_keep_the_chat_waiting(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(dict_of(contract.DEADLINES_MS), "beforeContext", 50)
    gate = Gate(monkeypatch, "read")

    async def scene(plugin: Plugin) -> Any:
        told = await plugin.hooks["before-context"](asked("海边"))
        gate.opened.set()
        return told

    host = FakeHost()
    assert play(memory, host, scene) is None
    assert host.traced == [("before-context", "TIMEOUT")]


@pytest.mark.parametrize("failure", [StoreError(action="write", problem="the disk is full"), ValueError(SEA)])
def test_a_failing_store_never_reaches_the_host(
    memory: Memory, monkeypatch: pytest.MonkeyPatch, failure: Exception
) -> None:
    """Whatever is raised, ours or a bug, the hooks answer None and the action gives a code."""

    def fail(store: SqliteStore, *arguments: Any, **named: Any) -> Any:
        raise failure

    monkeypatch.setattr(SqliteStore, "write", fail)
    host = FakeHost()

    async def scene(plugin: Plugin) -> Any:
        return await plugin.hooks["after-response"](said("我对花生过敏。")), await remember(plugin)

    after, action = play(memory, host, scene)
    assert (after, action["ok"], action["code"]) == (None, False, "MEMORY_FAILED")
    assert "海" not in str((action, host.traced))


def test_the_host_may_cancel_our_coroutine(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cancelling is the host's right, and the next call works."""
    gate = Gate(monkeypatch, "read")

    async def scene(plugin: Plugin) -> Any:
        call = asyncio.ensure_future(plugin.hooks["before-context"](asked("海边")))
        await gate.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        gate.opened.set()
        return (await remember(plugin))["ok"]

    assert play(memory, FakeHost(), scene) is True


def test_dispose_lets_running_calls_end(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was under way is stored; what comes later is refused; disposing twice is harmless."""
    gate = Gate(monkeypatch, "write")

    async def scene(plugin: Plugin) -> Any:
        call = asyncio.ensure_future(plugin.hooks["after-response"](said("我对花生过敏。")))
        await gate.wait()
        ending = asyncio.ensure_future(plugin.dispose())
        await asyncio.sleep(0)
        gate.opened.set()
        await ending
        await plugin.dispose()
        return await call, await plugin.hooks["before-context"](asked("花生")), await remember(plugin)

    after, brief, action = play(memory, FakeHost(), scene, dispose=False)
    assert (after, brief, action["code"]) == (None, None, "DISPOSED")
    assert chat(memory).notes.waiting() == 1


def test_dispose_does_not_wait_for_ever(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    """A model that hangs during the night is let go, and the queue stays."""
    monkeypatch.setitem(dict_of(contract.DEADLINES_MS), "dispose", 50)
    host = FakeHost(model=FakeModel(HANG))

    async def scene(plugin: Plugin) -> Any:
        await plugin.hooks["after-response"](said("我对花生过敏。"))
        night = asyncio.ensure_future(plugin.schedules["consolidate"](NIGHT))
        while not host.model or not host.model.asked:
            await asyncio.sleep(0.005)
        await asyncio.wait_for(plugin.dispose(), 30)
        return await asyncio.wait_for(night, 30)

    night = play(memory, host, scene, dispose=False)
    assert night["ok"] is False
    assert chat(memory).notes.waiting() == 1


def test_a_schedule_that_refuses_leaves_the_rest(memory: Memory) -> None:
    host = FakeHost()
    assert host.schedule is not None
    host.schedule.failure = RudeError("no")

    async def scene(plugin: Plugin) -> Any:
        return await remember(plugin)

    assert play(memory, host, scene)["ok"] is True
    assert host.traced == [("activate", "HOST_FAILED")]


def test_every_code_has_its_words() -> None:
    assert set(contract.REFUSALS) == set(Code)
    assert str(calls.CallError(code=Code.TIMEOUT)) == "TIMEOUT"
