"""The adaptive window through the façade: what it finds, what it keeps to itself, and what it leaves behind."""

from __future__ import annotations

import gc
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import attrs
import pytest

import long_conversation
from cmemory import Everything, Instant, Memory, ScopedMemory, UsageError
from cmemory.adapters.cli.main import main
from cmemory.domain.model.affect import Affect
from cmemory.domain.plan.plan import Channel
from cmemory.domain.plan.roster import Roster
from cmemory.domain.plan.window import Label, Window
from cmemory.domain.text.tokens import stem
from cmemory.domain.trace import RetrievalTrace, Trace
from counting import counted
from long_conversation import FACTS, talk, turns

SECRET = bytes(range(32))
AT = "2026-03-01T09:00:00Z"
NOW = "2026-03-01T10:00:00Z"
KEY = "The boathouse key hangs behind the barometer."
ROPE = "The boathouse rope lies in the green chest."
ASKED = "What hangs in the boathouse?"


def tell(luna: ScopedMemory, *texts: str, session: str = "s1") -> list[str]:
    """Say something, one minute after the other; returns the ids."""
    begin = Instant.parse(AT)
    return [
        luna.observe(text, session=session, at=begin.plus(seconds=60 * no)).message_id
        for no, text in enumerate(texts)
    ]


def label_of(window: Window, message_id: str) -> Label:
    (label,) = [one.label for one in window.decisions if one.message_id == message_id]
    return label


def ask(luna: ScopedMemory, query: str = ASKED, **rest: Any) -> Window:
    return luna.window(query, **{"session": "s1", "now": NOW, **rest})


def edges(memory: Memory, luna: ScopedMemory) -> list[tuple[str, str, int]]:
    with memory._services.store.read(luna.scope) as view:
        return [(*one.pair, one.count) for one in view.edges("s1")]


def test_early_facts_are_found_after_the_talk_was_compacted(luna: ScopedMemory) -> None:
    """Ninety-six turns are dropped for a checkpoint that holds neither fact; each comes back for at most 150 tokens."""
    assert 96 == len(list(turns()))
    now = talk(luna, "long")
    checkpoint = luna.compact("long", token_budget=300, now=now)
    assert checkpoint.lines
    for fact, question, needle in FACTS:
        assert needle not in checkpoint.text
        window = luna.window(question, session="long", now=now, token_budget=150)
        assert needle in window.text
        assert [fact] == [one.text for one in window.items]
        assert counted(window.text) <= 150
        assert 2 + 2 * 96 == window.trace.candidate_count


def test_the_example_finds_both_facts(capsys: pytest.CaptureFixture[str]) -> None:
    """And says that the context had neither of them."""
    long_conversation.main()
    printed = capsys.readouterr().out
    assert [2, 0] == [printed.count(f"in the context still: {held}") for held in (False, True)]
    assert all(f"tokens: {[fact]}" in printed for fact, _, _ in FACTS)


def test_only_this_conversation_is_looked_at(luna: ScopedMemory) -> None:
    tell(luna, KEY)
    tell(luna, ROPE, session="s2")
    assert [one.text for one in ask(luna).items] == [KEY]
    nowhere = ask(luna, session="nowhere", turn="t-1")
    assert (nowhere.text, nowhere.tokens, nowhere.items, nowhere.decisions) == ("", 0, (), ())


def test_the_message_of_the_turn_is_not_its_own_memory(luna: ScopedMemory) -> None:
    """A host observes first and asks then."""
    tell(luna, KEY)
    echo = luna.observe(ASKED, session="s1", at=NOW).message_id
    assert label_of(ask(luna), echo) is Label.CURRENT_QUERY


def test_a_turn_teaches_once(memory: Memory, luna: ScopedMemory) -> None:
    """Decision 10: asked again in the same turn, the same text, and nothing is written; without a turn, never."""
    key, rope = tell(luna, KEY, ROPE)
    assert (ask(luna).trace.reinforced_edges, edges(memory, luna)) == (0, [])
    first = ask(luna, turn="t-1")
    held = edges(memory, luna)
    assert held == [(*sorted((key, rope)), 1)]
    again = ask(luna, turn="t-1")
    assert (first.text, first.items, first.decisions) == (again.text, again.items, again.decisions)
    assert edges(memory, luna) == held
    assert (first.trace.reinforced_edges, again.trace.reinforced_edges) == (1, 0)
    later = ask(luna, turn="t-2")
    assert later.trace.association_edges_applied == 1
    assert later.items[0].score > first.items[0].score
    assert [count for *_, count in edges(memory, luna)] == [2]


def test_edges_are_forgotten_with_their_messages(memory: Memory, luna: ScopedMemory) -> None:
    key, _ = tell(luna, KEY, ROPE)
    ask(luna, turn="t-1")
    luna.forget(key, now=NOW)
    assert edges(memory, luna) == []
    assert [one.text for one in ask(luna).items] == [ROPE]
    assert memory.verify_forgotten("barometer").clean


def test_what_is_forgotten_or_muted_is_withheld(luna: ScopedMemory) -> None:
    """The words a record was taken from are as silent as the record; and they come back with it."""
    (said,) = tell(luna, "I live in Oslo and keep bees.")
    luna.learn(now=AT)
    (home,) = [one for one in luna.list(now=NOW) if "Oslo" in str(one.body)]
    query = "Do I live in Oslo?"
    assert label_of(ask(luna, query), said) is Label.SELECTED
    luna.mute(home.id, now=NOW)
    assert label_of(ask(luna, query), said) is Label.MUTED
    luna.unmute(home.id, now=NOW)
    assert label_of(ask(luna, query), said) is Label.SELECTED
    luna.delete(home.id, now=NOW)
    assert label_of(ask(luna, query), said) is Label.DELETED
    luna.restore(home.id, now=NOW)
    assert label_of(ask(luna, query), said) is Label.SELECTED


def test_a_masked_utterance_is_withheld(luna: ScopedMemory) -> None:
    """Two facts in one message: forgetting one blots it out, and what is left is not quoted either."""
    (said,) = tell(luna, "My name is Nora and I live in Oslo.")
    luna.learn(now=AT)
    (home,) = [one for one in luna.list(now=NOW) if "Oslo" in str(one.body)]
    assert label_of(ask(luna, "Is Nora my name?"), said) is Label.SELECTED
    assert said in luna.forget(home.id, now=NOW).message_ids
    assert label_of(ask(luna, "Is Nora my name?"), said) is Label.SUPPRESSED


def test_what_a_boundary_covers_is_withheld(luna: ScopedMemory) -> None:
    """A boundary of today covers what was said before it, and the sentence that drew it."""
    (said,) = tell(luna, "The barometer was my father's.")
    luna.remember(
        "Please never mention the barometer again.",
        predicate="boundary.topic_avoid",
        value="barometer",
        session="s1",
        at=NOW,
    )
    window = ask(luna, "Whose is the barometer?")
    assert {one.label for one in window.decisions} == {Label.BOUNDARY}
    assert label_of(window, said) is Label.BOUNDARY
    assert window.text == ""


def test_a_boundary_holds_wherever_it_was_drawn(luna: ScopedMemory) -> None:
    """In another conversation, until it is taken back."""
    (said,) = tell(luna, "The barometer was my father's.")
    (drawn,) = luna.remember(
        "Please never mention the barometer again.",
        predicate="boundary.topic_avoid",
        value="barometer",
        session="s2",
        at=NOW,
    )
    query = "Whose is the barometer?"
    assert label_of(ask(luna, query), said) is Label.BOUNDARY
    luna.delete(drawn.record_id or "", now=NOW)
    assert label_of(ask(luna, query), said) is Label.SELECTED


def test_what_was_replaced_comes_back_for_history_only(luna: ScopedMemory) -> None:
    old, new = tell(luna, "I live in Oslo.", "I moved to Bergen, and live there.")
    luna.learn(now="2026-03-01T09:30:00Z")
    now_asked, then_asked = "Where do I live?", "Where did I previously live?"
    assert (label_of(ask(luna, now_asked), old), label_of(ask(luna, now_asked), new)) == (
        Label.SUPERSEDED,
        Label.SELECTED,
    )
    assert label_of(ask(luna, then_asked), old) is Label.SELECTED
    assert label_of(ask(luna, then_asked, history=False), old) is Label.SUPERSEDED
    assert ask(luna, then_asked, turn="t-1").trace.reinforcement_eligible == 1


def test_one_record_one_voice(luna: ScopedMemory) -> None:
    """What the plan says is not quoted beside it; by the plan itself or by its ids."""
    (said,) = tell(luna, "I live in Oslo.")
    luna.learn(now=AT)
    query = "Do I live in Oslo?"
    plan = luna.prepare(query, now=NOW)
    assert label_of(ask(luna, query, plan=plan), said) is Label.IN_PLAN
    assert label_of(ask(luna, query, plan=[item.record_id for _, item in plan.shown]), said) is Label.IN_PLAN
    assert label_of(ask(luna, query, plan=["nobody"]), said) is Label.SELECTED


def test_a_mood_may_be_given(luna: ScopedMemory) -> None:
    """As numbers or as an `Affect`; it moves scores a little and opens nothing."""
    tell(luna, KEY)
    given = ask(luna, affect={"valence": -1, "arousal": 1})
    assert given.trace.query_affect == {"valence": -1.0, "arousal": 1.0, "dominance": 0.5}
    same = ask(luna, affect=Affect(valence=-1, arousal=1))
    assert given.items == same.items
    assert given.items[0].score < ask(luna).items[0].score


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"query": 5}, "query"),
        ({"session": None}, "session"),
        ({"token_budget": -1}, "token_budget"),
        ({"turn": " "}, "turn"),
        ({"affect": "sad"}, "affect"),
        ({"plan": "claim-1"}, "plan"),
    ],
)
def test_what_cannot_be_meant_is_refused(luna: ScopedMemory, wrong: dict[str, Any], field: str) -> None:
    with pytest.raises(UsageError) as refused:
        ask(luna, **wrong)
    assert refused.value.field == field


def test_a_lone_surrogate_in_a_query_is_dropped(luna: ScopedMemory) -> None:
    tell(luna, KEY)
    assert [one.text for one in ask(luna, f"{ASKED}\ud800").items] == [KEY]


def test_the_trace_tells_no_words(tmp_path: Path) -> None:
    """Neither of the query nor of what was said; and the fingerprint depends on the secret."""
    traces: list[Trace] = []
    files = [tmp_path / f"{no}.jsonl" for no in range(2)]
    for file, secret in zip(files, (SECRET, bytes(range(1, 33))), strict=True):
        with Memory.open(secret=secret, trace=file) as memory:
            luna = memory.scope(service="lamplight", owner="u-42", profile="luna")
            tell(luna, KEY, ROPE)
            window = ask(luna, turn="t-1")
            assert window.trace.selected_count == 2
            traces.append(window.trace)
    lines = [json.loads(file.read_text("utf-8")) for file in files]
    told = files[0].read_text("utf-8")
    assert not [word for word in ("barometer", "boathouse", "hangs", "rope") if word in told.lower()]
    prints = [line["retrieval"]["query_fingerprint"] for line in lines]
    assert len(set(prints)) == 2
    assert lines[0]["call"] == "window"
    assert lines[0]["retrieval"]["candidates"][0]["decision"] == "selected"
    assert isinstance(traces[0], RetrievalTrace)
    assert traces[0].trace_id == lines[0]["retrieval"]["trace_id"]


def test_two_thousand_utterances_take_no_time_to_speak_of(luna: ScopedMemory) -> None:
    """A turn must not wait; the bound is generous, for slow machines."""
    begin = Instant.parse(AT)
    luna.observe_many(
        luna.message(f"{said} {no}", session="s1", at=begin.plus(seconds=no))
        for no, (said, _) in enumerate(list(turns()) * 21)
    )
    started = time.monotonic()
    assert ask(luna, "Which novel am I reading?").trace.candidate_count == 2_000
    assert time.monotonic() - started < 5


def about(luna: ScopedMemory, word: str) -> str:
    """Return the id of the one record that holds a word."""
    (found,) = [one for one in luna.list(now=NOW) if word in str(one.body)]
    return found.id


def _same(one: Window, other: Window) -> bool:
    """Tell whether two windows are equal in everything but the time they took."""
    first, second = (
        attrs.evolve(window, trace=attrs.evolve(window.trace, duration_ms=0.0)) for window in (one, other)
    )
    return first == second


def test_what_was_read_before_changes_nothing(tmp_path: Path) -> None:
    """A memory that has answered before and one that has just been opened agree, whatever happened in between."""
    path = tmp_path / "luna.db"
    with Memory.open(path) as opened:
        warm = opened.scope(service="s", owner="o", profile="p")
        tell(warm, KEY, "My name is Nora and I live in Oslo.", "我住在奥斯陆。")
        steps: dict[str, Callable[[], object]] = {
            "as it was": lambda: None,
            "learned": lambda: warm.learn(now=NOW),
            "more said": lambda: warm.observe(ROPE, session="s1", at=NOW),
            "masked": lambda: warm.forget(about(warm, "Oslo"), now=NOW),
            "muted": lambda: warm.mute(about(warm, "Nora"), now=NOW),
            "forgotten": lambda: warm.forget(Everything.EVERYTHING, now=NOW),
        }
        for name, step in steps.items():
            step()
            for query in (ASKED, "Do I live in Oslo?", "我住在哪里?"):
                with Memory.open(path) as fresh:
                    cold = ask(fresh.scope(service="s", owner="o", profile="p"), query)
                assert _same(ask(warm, query), cold), name


def test_another_process_may_change_what_was_read(tmp_path: Path) -> None:
    """What is kept is compared with the log each time."""
    path = tmp_path / "luna.db"
    with Memory.open(path) as one, Memory.open(path) as other:
        here, there = (opened.scope(service="s", owner="o", profile="p") for opened in (one, other))
        key, _ = tell(here, KEY, ROPE)
        assert len(ask(here).items) == 2
        there.forget(key, now=NOW)
        assert _same(ask(here), ask(there))
        assert not list(words_held(one, "barometer"))


def words_held(root: object, needle: str) -> Iterator[str]:
    """Yield the texts with a word in them that an object reaches, not counting code."""
    seen: set[int] = set()
    waiting = [root]
    while waiting:
        thing = waiting.pop()
        if id(thing) in seen or isinstance(thing, (type, ModuleType, FunctionType, CodeType)):
            continue
        seen.add(id(thing))
        if isinstance(thing, str) and needle in thing.lower():
            yield thing
        waiting.extend(gc.get_referents(thing))


@pytest.mark.parametrize("way", ["forget", "confirm_forget", "delete_all"])
def test_nothing_that_was_forgotten_is_kept_in_the_process(
    memory: Memory, luna: ScopedMemory, way: str
) -> None:
    """Neither in what was read for windows nor in what was prepared for plans, nor among the stems of words."""
    word = "".join(("glim", "mer", "quix"))
    tell(luna, f"My name is {word.title()}.", "I like tea.")
    luna.learn(now=AT)
    query = f"What is {word[:6]} about tea?"
    luna.prepare(query, session="s1", now=NOW)
    ask(luna, query)
    assert list(words_held(memory, word))
    name = about(luna, word.title())
    if way == "forget":
        luna.forget(name, now=NOW)
    elif way == "confirm_forget":
        luna.confirm_forget(word, luna.preview_forget(word).token, now=NOW)
    else:
        luna.delete_all(now=NOW)
    assert not list(words_held(memory, word))
    assert stem.cache_info().currsize == 0
    ask(luna, "tea?")
    luna.prepare("tea?", session="s1", now=NOW)
    assert not list(words_held(memory, word))


def test_what_was_prepared_of_all_else_is_kept(luna: ScopedMemory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Forgetting prepares nothing again that it does not touch, so the next turn is as quick as any."""
    tell(luna, "My name is Nora and I live in Oslo.")
    luna.learn(now=AT)
    name, home = about(luna, "Nora"), about(luna, "Oslo")

    def planned() -> set[str]:
        plan = luna.prepare("Hi there", session="s1", now=NOW)
        return {item.record_id for channel in Channel for item in plan.channel(channel)}

    assert {name, home} == planned()
    monkeypatch.setattr(Roster, "of", None)
    luna.forget(name, now=NOW)
    assert {home} == planned()


def test_the_command_line_shows_window_and_trace(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The text for a prompt; with --json the trace as well; and what a trace file holds."""
    database, trace = tmp_path / "luna.db", tmp_path / "trace.jsonl"
    base = ["--database", str(database), "--now", NOW]
    assert main([*base, "observe", KEY, "--session", "s1"]) == 0
    capsys.readouterr()
    assert main([*base, "--trace", str(trace), "window", ASKED, "--session", "s1", "--turn", "t-1"]) == 0
    assert "barometer" in capsys.readouterr().out
    assert main([*base, "--json", "window", ASKED, "--session", "s1", "--budget", "300"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["trace"]["candidates"][0]["decision"] == "selected"
    assert shown["tokens"] <= 300
    assert main([*base, "window", ASKED, "--session", "s2"]) == 1
    assert main([*base, "prepare", "hi", "--trace", str(trace)]) == 0
    trace.write_text(trace.read_text("utf-8") + '{"cut off\n[1]\n', "utf-8")
    capsys.readouterr()
    assert main(["trace", str(trace), "--call", "window"]) == 0
    assert "selected" in capsys.readouterr().out
    assert main(["trace", str(trace), "--last", "5", "--json"]) == 0
    assert [one["call"] for one in json.loads(capsys.readouterr().out)["calls"]] == ["window", "prepare"]
    assert main(["trace", str(trace), "--call", "nothing"]) == 1
    assert main(["trace", str(trace), "--last", "-1"]) == 2
    assert main(["trace", str(tmp_path / "none.jsonl")]) == 2
