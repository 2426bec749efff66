"""The companion's mood end to end: stirred once by each exchange, faded by time, gone with the rest, on every store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest

from cmemory import COMPANION, Everything, Memory, Policy, Records, ScopedMemory, UsageError
from cmemory.adapters.inmemory import InMemoryStore
from cmemory.adapters.sqlite import SqliteStore
from cmemory.domain.model.changes import Changes
from cmemory.domain.model.state import RuntimeState
from cmemory.domain.policy import MoodPolicy
from cmemory.domain.reflect.mood import MoodReading
from cmemory.ports.store import Store

OFF = attrs.evolve(COMPANION, mood=MoodPolicy(enabled=False))
NINE, TEN = "2026-03-01T09:00:00Z", "2026-03-01T10:00:00Z"
GLAD, GLAD_TOO = "I love the sea, it makes me happy.", "That is great, and I love it as well."


@pytest.fixture(params=["memory", "file"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    made: Store = (
        InMemoryStore(secret=b"s" * 32) if request.param == "memory" else SqliteStore.open(tmp_path / "m.db")
    )
    yield made
    made.close()


def open_luna(store: Store, policy: Policy = COMPANION) -> ScopedMemory:
    memory = Memory.open(store=store, policy=policy, zone="Europe/Berlin")
    return memory.scope(service="my-app", owner="u-42", profile="luna")


@pytest.fixture
def luna(store: Store) -> ScopedMemory:
    return open_luna(store)


def state(store: Store, luna: ScopedMemory) -> RuntimeState:
    with store.read(luna.scope) as view:
        return view.state()


def numbers(read: MoodReading) -> tuple[float, float, float]:
    return read.pleasure, read.arousal, read.dominance


def glad(luna: ScopedMemory, at: str = NINE, *, no: int = 1) -> None:
    luna.notes.exchange(GLAD, GLAD_TOO, at=at, message_id=f"m-{no}", answer_id=f"a-{no}")


def test_an_exchange_stirs_and_time_calms(luna: ScopedMemory) -> None:
    """Pleased after glad words, half as much six hours later, as good as nothing two days later."""
    assert numbers(luna.mood(now=NINE)) == (0.0, 0.0, 0.0)
    glad(luna)
    fresh, later, gone = (
        luna.mood(now=when) for when in (NINE, "2026-03-01T15:00:00Z", "2026-03-03T09:00:00Z")
    )
    assert fresh.pleasure == pytest.approx(0.3)
    assert fresh.line == "background, never mention: morning, high energy; mood slightly pleased"
    assert later.pleasure == pytest.approx(0.15)
    assert gone.line == "background, never mention: morning"
    assert abs(gone.pleasure) < 0.01


@pytest.mark.parametrize(
    ("said", "answered", "sign"),
    [
        ("太烦了，事情又失败了", "这确实很糟糕", -1),
        ("谢谢你，今天很开心", "我也很开心", 1),
        ("This is awful, I am so angry and sad.", "How bad, I hate that.", -1),
        ("明天下午三点见", "好", 0),
        ("See you at nine.", "All right.", 0),
    ],
)
def test_both_languages_are_read(luna: ScopedMemory, said: str, answered: str, sign: int) -> None:
    """Pleasant and unpleasant words count in Chinese and English; others move nothing."""
    luna.notes.exchange(said, answered, at=NINE)
    pleasure = luna.mood(now=NINE).pleasure
    assert (pleasure > 0) - (pleasure < 0) == sign


def test_a_replay_stirs_nothing(store: Store, luna: ScopedMemory) -> None:
    """The same ids again, at once or after later ones, at their own time or at that of the replay."""
    glad(luna)
    once = state(store, luna)
    glad(luna)
    glad(luna, TEN)
    assert once == state(store, luna)
    luna.notes.exchange("The bus leaves at ten.", "I see.", at=TEN)
    twice = state(store, luna)
    glad(luna)
    assert twice == state(store, luna)


def test_a_replay_after_the_night_stirs_nothing(store: Store, luna: ScopedMemory) -> None:
    """That an exchange no longer waits does not make it new."""
    glad(luna)
    once = state(store, luna)
    with store.write(luna.scope) as unit:
        unit.apply(Changes(consolidated=tuple(one.said for one in unit.exchanges())))
    glad(luna)
    assert once == state(store, luna)


def test_what_was_observed_before_stirs_with_its_exchange(store: Store, luna: ScopedMemory) -> None:
    """Hosts that write the words down as they come lose nothing, and a late answer adds its own part only."""
    luna.observe(GLAD, at=NINE, message_id="m-1")
    assert state(store, luna) == RuntimeState()
    luna.notes.exchange(GLAD, at=NINE, message_id="m-1")
    said = luna.mood(now=NINE).pleasure
    assert said == pytest.approx(0.18)
    luna.notes.exchange(GLAD, GLAD_TOO, at=NINE, message_id="m-1", answer_id="a-1")
    assert luna.mood(now=NINE).pleasure == pytest.approx(0.3)


def test_a_late_exchange_does_no_harm(store: Store, luna: ScopedMemory) -> None:
    """What comes in after a later one counts less, and turns no time back."""
    luna.notes.exchange("The bus leaves at ten.", "I see.", at="2026-03-01T15:00:00Z")
    glad(luna, NINE)
    held = state(store, luna).mood
    assert held is not None
    assert (str(held.at), held.pleasure) == ("2026-03-01T15:00:00.000000Z", pytest.approx(0.15))


def test_the_rest_of_the_state_stays(store: Store, luna: ScopedMemory) -> None:
    """A mood is written beside the day of the last consolidation, and moves no plan."""
    with store.write(luna.scope) as unit:
        unit.apply(Changes(states=(RuntimeState(consolidated_on="2026-02-28"),)))
        revision = unit.revision()
    glad(luna)
    assert state(store, luna).consolidated_on == "2026-02-28"
    with store.read(luna.scope) as view:
        assert revision == view.revision()


def test_what_is_refused_stirs_nothing(store: Store, luna: ScopedMemory) -> None:
    """An id that names another text writes neither words nor mood."""
    luna.observe("My name is Nora.", at=NINE, message_id="a-1")
    with pytest.raises(UsageError, match="already names a message"):
        glad(luna)
    assert state(store, luna) == RuntimeState()


def test_switched_off_nothing_is_kept_or_told(store: Store) -> None:
    """Neither a row nor a line; a mood of before comes back faded when it is switched on again."""
    off = open_luna(store, OFF)
    glad(off)
    assert state(store, off) == RuntimeState()
    assert off.mood(now=NINE).line == ""
    brief = off.notes.brief("hi", now=NINE, mood=True)
    assert brief.text == ""
    on = open_luna(store)
    glad(on, TEN, no=2)
    assert off.mood(now=TEN).pleasure == 0.0
    assert on.mood(now=TEN).pleasure > 0.0


@pytest.mark.parametrize("way", ["everything", "delete_all", "one by one"])
def test_forgetting_everything_resets_it(store: Store, luna: ScopedMemory, way: str) -> None:
    """Nothing is left of a mood when nothing is left of the talk, and what is forgotten stirs nothing."""
    glad(luna)
    luna.learn(now=NINE)
    if way == "everything":
        luna.forget(Everything.EVERYTHING, now=TEN)
    elif way == "delete_all":
        luna.delete_all(now=TEN)
    else:
        luna.forget(Records(("m-1",)), now=TEN)
        assert state(store, luna).mood is not None
        luna.forget(Records(("a-1",)), now=TEN)
    assert state(store, luna) == RuntimeState()
    glad(luna, TEN)
    assert state(store, luna).mood is None
    assert numbers(luna.mood(now=TEN)) == (0.0, 0.0, 0.0)


def test_a_forgotten_answer_stirs_nothing(luna: ScopedMemory) -> None:
    """Of an exchange whose answer was forgotten only the person's words count."""
    luna.observe(GLAD_TOO, speaker="assistant", at=NINE, message_id="a-1")
    luna.forget("a-1", now=NINE)
    glad(luna)
    assert luna.mood(now=NINE).pleasure == pytest.approx(0.18)


def test_other_relationships_have_moods_of_their_own(store: Store, luna: ScopedMemory) -> None:
    """One companion's gladness is not another's, and neither is its end."""
    glad(luna)
    memory = Memory.open(store=store)
    other = memory.scope(service="my-app", owner="u-42", profile="sol")
    assert numbers(other.mood(now=NINE)) == (0.0, 0.0, 0.0)
    other.forget(Everything.EVERYTHING, now=NINE)
    assert luna.mood(now=NINE).pleasure > 0


def test_a_restored_backup_does_not_bring_a_forgotten_mood_back(tmp_path: Path) -> None:
    """Everything was forgotten after the backup was made; the mood of then stays forgotten as well."""
    path, backup = tmp_path / "luna.db", tmp_path / "backup.db"
    with Memory.open(path) as memory:
        luna = memory.scope(service="my-app", owner="u-42", profile="luna")
        glad(luna)
        memory.backup(backup)
        luna.forget(Everything.EVERYTHING, now=TEN)
    Memory.restore_backup(backup, path, now=TEN)
    with Memory.open(path) as memory:
        assert numbers(memory.scope(service="my-app", owner="u-42", profile="luna").mood(now=TEN)) == (
            0,
            0,
            0,
        )


def test_export_and_import_do_not_carry_it(luna: ScopedMemory, tmp_path: Path) -> None:
    """A mood belongs to the companion of this moment."""
    glad(luna)
    luna.export(tmp_path / "luna.jsonl", now=NINE)
    with Memory.open() as memory:
        copy = memory.scope(service="my-app", owner="u-42", profile="luna")
        copy.import_records(tmp_path / "luna.jsonl", now=NINE)
        assert numbers(copy.mood(now=NINE)) == (0.0, 0.0, 0.0)


def test_a_brief_tells_it_when_asked(luna: ScopedMemory) -> None:
    """Last, within the budget, for small talk too; and not unless it is asked for."""
    glad(luna)
    luna.notes.write("Loves the sea.", said="Remember that I love the sea.", at=NINE)
    line = luna.mood(now=NINE).line
    told = luna.notes.brief("Shall we go to the sea?", now=NINE, mood=True)
    assert told.text.splitlines()[-2:] == [line, "</memory_brief>"]
    assert "sea" in told.text
    assert line not in luna.notes.brief("Shall we go to the sea?", now=NINE).text
    assert line in luna.notes.brief("hi", now=NINE, mood=True).text
    assert luna.notes.brief("hi", now=NINE, mood=True, max_chars=100).text == ""


def test_reading_writes_nothing(store: Store, luna: ScopedMemory) -> None:
    """Looking at a mood makes neither a state nor a scope."""
    luna.mood(now=NINE)
    assert list(store.scopes()) == []
    glad(luna)
    before = state(store, luna)
    luna.mood(now="2026-03-05T09:00:00Z")
    assert before == state(store, luna)


def test_ranking_does_not_know_it(store: Store, luna: ScopedMemory) -> None:
    """The same plan and the same brief, whatever the mood."""
    luna.notes.write("Loves the sea.", said="Remember that I love the sea.", at=NINE)
    glad(luna)
    turns = []
    for mood in (state(store, luna), RuntimeState()):
        with store.write(luna.scope) as unit:
            unit.apply(Changes(states=(mood,)))
        plan = luna.prepare("Shall we go to the sea?", now=TEN)
        turns.append((plan.text, luna.notes.brief("Shall we go to the sea?", now=TEN)))
    assert turns[0] == turns[1]
