"""Searching everything that was said, end to end."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from pathlib import Path

import attrs
import pytest
from old import make_old

from cmemory import COMPANION, ByEntity, Everything, Memory, ScopedMemory, UsageError
from cmemory.adapters.sqlite.migrations import MIGRATIONS
from cmemory.domain.audit.finding import Severity
from conftest import SECRET

NOW = "2026-03-09T09:00:00Z"

TALK = (
    ("s1", "user", "I went to Kyoto with my sister Mara last spring"),
    ("s1", "assistant", "How lovely! What did you like best?"),
    ("s1", "user", "The moss garden, by far"),
    ("s1", "tool", "weather in Kyoto: rain"),
    ("s2", "user", "上周我在协和医院做了体检"),
    ("s2", "assistant", "体检结果出来了吗？"),
    ("s2", "user", "还没有，下周一出"),
    ("s3", "user", "我想在 Berlin 学 cello，老师叫 Anke"),
    ("s3", "assistant", "你可以先租一把大提琴"),
    ("s3", "user", "My brother bought two cellos"),
)


def tell(luna: ScopedMemory) -> None:
    """Let the two talk."""
    for number, (session, speaker, text) in enumerate(TALK):
        luna.observe(
            text,
            session=session,
            speaker=speaker,
            at=f"2026-03-0{1 + number // 3}T09:{number:02d}:00Z",
            message_id=f"m-{number}",
        )


def found(luna: ScopedMemory, terms: str, **how: object) -> list[str]:
    """Return the ids a search finds."""
    return [hit.id for hit in luna.search(terms, kind="utterance", now=NOW, **how)]  # type: ignore[call-overload]


@pytest.mark.parametrize(
    ("terms", "first"),
    [
        ("When did I go to Kyoto?", "m-0"),
        ("going to Kyoto", "m-0"),
        ("sister", "m-0"),
        ("协和医院", "m-4"),
        ("我什么时候做的体检", "m-4"),
        ("Berlin 学琴", "m-7"),
        ("Who buys a cello?", "m-9"),
        ("大提琴", "m-8"),
        ("What did you like best in the garden", "m-2"),
    ],
)
def test_both_languages_and_their_mixture_are_found(luna: ScopedMemory, terms: str, first: str) -> None:
    """By the words themselves, their forms, and single characters."""
    tell(luna)
    assert found(luna, terms)[0] == first


def test_an_answer_is_found_by_its_question(luna: ScopedMemory) -> None:
    """Though it shares no word with what is looked for."""
    tell(luna)
    assert "m-6" in found(luna, "体检结果")
    assert "m-6" not in found(luna, "Berlin")


def test_a_hit_tells_all_about_itself(luna: ScopedMemory) -> None:
    """Who said it and when, and the parts of its score."""
    tell(luna)
    [hit] = luna.search("moss", kind="utterance", now=NOW)
    assert (hit.id, hit.session, hit.speaker.value, hit.text) == (
        "m-2",
        "s1",
        "user",
        "The moss garden, by far",
    )
    assert str(hit.at) == "2026-03-01T09:02:00.000000Z"
    policy = COMPANION.recall
    weights = attrs.asdict(policy)
    parts = attrs.asdict(hit.parts)
    assert parts["own"] == 1.0
    assert parts.pop("meaning") == 0.0
    assert hit.score == pytest.approx(sum(weights[name] * value for name, value in parts.items()))


def test_a_search_is_narrowed(luna: ScopedMemory) -> None:
    """By session, by speaker, by time; the end does not belong to it. Tools are heard only when named."""
    tell(luna)
    assert set(found(luna, "cello")) == {"m-7", "m-9"}
    assert set(found(luna, "Kyoto")) == {"m-0"}
    assert found(luna, "Kyoto", speaker="tool") == ["m-3"]
    assert set(found(luna, "体检", speaker="assistant")) == {"m-5"}
    assert found(luna, "体检", session="s1") == []
    assert set(found(luna, "体检", session="s2")) == {"m-4", "m-5", "m-6"}
    assert found(luna, "cello", since="2026-03-03T09:07:00Z", until="2026-03-04T09:09:00Z") == ["m-7"]
    assert found(luna, "cello", limit=0) == []


def test_what_makes_no_sense_is_refused(luna: ScopedMemory) -> None:
    """Unknown kinds and speakers; records are not narrowed."""
    for wrong in ({"kind": "note"}, {"speaker": "user"}, {"session": "s1"}, {"since": NOW}, {"until": NOW}):
        with pytest.raises(UsageError):
            luna.search("cello", now=NOW, **wrong)  # type: ignore[call-overload]
    with pytest.raises(UsageError):
        luna.search("cello", kind="utterance", speaker="nobody", now=NOW)
    for nothing in ("", " ", "the", "的", "\ud800", "???", "*"):
        assert found(luna, nothing) == []


def test_the_message_gives_leave_when_a_model_chose_the_terms(luna: ScopedMemory) -> None:
    """What shares no topic with it is counted, not told."""
    tell(luna)
    result = luna.search("cello Kyoto", kind="utterance", message="Shall I take up the cello again?", now=NOW)
    assert {hit.id for hit in result} == {"m-7", "m-9"}
    assert result.withheld["awaiting_user_cue"] >= 1
    assert len(luna.search("cello", kind="utterance", message="", now=NOW)) == 0


def test_a_fence_holds_for_what_was_said(luna: ScopedMemory) -> None:
    """Neither the fenced words are told nor an answer because of them."""
    tell(luna)
    luna.remember("Don't bring up the hospital", predicate="boundary.topic_avoid", value="体检", at=NOW)
    result = luna.search("协和医院体检结果", kind="utterance", now=NOW)
    assert (list(result), dict(result.withheld)) == ([], {"boundary_shielded": 2})


def test_what_a_muted_record_rests_on_is_not_told(luna: ScopedMemory) -> None:
    """Until it may be mentioned again; what else was said stays."""
    tell(luna)
    [answer] = luna.remember(
        "My cello teacher is strict", predicate="goal.current_focus", value="cello", at=NOW, message_id="m-x"
    )
    assert answer.record_id is not None
    assert "m-x" in found(luna, "cello")
    luna.mute(answer.record_id, now=NOW)
    result = luna.search("cello", kind="utterance", now=NOW)
    assert ({hit.id for hit in result}, dict(result.withheld)) == ({"m-7", "m-9"}, {"do_not_surface": 1})
    luna.unmute(answer.record_id, now=NOW)
    assert "m-x" in found(luna, "cello")


def told(luna: ScopedMemory, terms: str) -> tuple[list[str], dict[str, int]]:
    """Return the ids a search finds, and what it counts as withheld."""
    result = luna.search(terms, kind="utterance", now=NOW)
    return [hit.id for hit in result], dict(result.withheld)


def test_what_a_deleted_record_came_from_is_withheld_until_it_is_restored(luna: ScopedMemory) -> None:
    """One record has one voice: who puts it away does not hear its words either."""
    luna.observe("I live in Oslo.", at=NOW, message_id="m-x")
    luna.learn(now=NOW)
    [home] = luna.list(now=NOW)
    assert told(luna, "Oslo") == (["m-x"], {})
    luna.delete(home.id, now=NOW)
    assert told(luna, "Oslo") == ([], {"deleted": 1})
    luna.restore(home.id, now=NOW)
    assert told(luna, "Oslo") == (["m-x"], {})


@pytest.mark.parametrize(
    ("said", "terms"), [("I am 31 years old.", "who is 31"), ("我今年31岁。", "今年几岁")]
)
def test_what_is_never_spoken_of_is_not_quoted(luna: ScopedMemory, said: str, terms: str) -> None:
    """An age may shape an answer and is never told, in whatever words."""
    luna.observe(said, at=NOW, message_id="m-x")
    assert told(luna, terms)[0] == ["m-x"]
    luna.learn(now=NOW)
    assert [one.body.predicate for one in luna.list(now=NOW)] == ["identity.age"]  # type: ignore[union-attr]
    assert told(luna, terms) == ([], {"never_surface": 1})


def test_a_masked_message_that_proves_a_muted_record_stays_withheld(luna: ScopedMemory) -> None:
    """Forgetting one of two facts does not open what was muted of the other."""
    luna.observe("My name is Nora and I live in Oslo.", at=NOW, message_id="m-x")
    luna.learn(now=NOW)
    name, home = sorted(luna.list(now=NOW), key=lambda one: "Oslo" in str(one.body))
    luna.mute(name.id, now=NOW)
    luna.forget(home.id, now=NOW)
    assert told(luna, "Nora") == ([], {"do_not_surface": 1})


def test_other_relationships_are_not_searched(memory: Memory) -> None:
    """Not even counted."""
    tell(memory.scope(service="a", owner="b", profile="c"))
    result = memory.scope(service="a", owner="b", profile="d").search("cello", kind="utterance", now=NOW)
    assert (list(result), dict(result.withheld)) == ([], {})


def test_a_forgotten_message_leaves_nothing_in_the_index(luna: ScopedMemory, memory: Memory) -> None:
    """Neither a hit nor a byte of a word or of its stem."""
    tell(luna)
    luna.observe("Petronella juggles walnuts", session="s9", at=NOW, message_id="m-gone")
    assert found(luna, "walnut") == ["m-gone"]
    luna.forget("m-gone", now=NOW)
    assert found(luna, "walnut") == []
    for word in ("walnut", "petronella", "juggl", "Petronella"):
        assert memory.verify_forgotten(word).clean


def test_masked_words_find_nothing_and_the_rest_stays(luna: ScopedMemory, memory: Memory) -> None:
    """The message is shown with its forgotten stretch masked."""
    text = "Petronella plays chess and I love walnut cake"
    luna.remember(
        text,
        predicate="goal.current_focus",
        value="walnut cake",
        quote="walnut cake",
        at=NOW,
        message_id="m-x",
    )
    [second] = luna.remember(
        text,
        predicate="person.name",
        value="Petronella",
        quote="Petronella",
        entity="Petronella",
        at=NOW,
        message_id="m-x",
    )
    assert second.record_id is not None
    luna.forget(ByEntity("Petronella"), now=NOW)
    assert found(luna, "Petronella") == []
    [hit] = luna.search("walnut", kind="utterance", now=NOW)
    assert "***" in hit.text
    assert "Petronella" not in hit.text
    assert memory.verify_forgotten("petronella").clean


def test_forgetting_everything_silences_the_search(luna: ScopedMemory) -> None:
    """Nothing is left to be found."""
    tell(luna)
    luna.forget(Everything.EVERYTHING, now=NOW)
    assert found(luna, "cello") == []


def test_the_order_of_telling_does_not_matter(tmp_path: Path) -> None:
    """The same messages give the same hits with the same scores."""
    seen = []
    for order in (1, -1):
        luna = Memory.open(tmp_path / f"{order}.db").scope(service="a", owner="b", profile="c")
        said = [
            luna.message(text, session=session, speaker=speaker, at=f"2026-03-01T09:{number:02d}:00Z")
            for number, (session, speaker, text) in enumerate(TALK)
        ]
        luna.observe_many(said[::order])
        seen.append(
            [luna.search(terms, kind="utterance", now=NOW) for terms in ("cello 体检", "Kyoto garden")]
        )
    assert seen[0] == seen[1]


def test_an_old_database_is_indexed_when_it_is_opened(tmp_path: Path) -> None:
    """From version 1 on; rebuilding the index then changes nothing."""
    path = tmp_path / "memory.db"
    with Memory.open(path, secret=SECRET) as memory:
        tell(memory.scope(service="a", owner="b", profile="c"))
        before = memory.scope(service="a", owner="b", profile="c").search("cello", kind="utterance", now=NOW)
    make_old(path)
    with Memory.open(path) as memory:
        luna = memory.scope(service="a", owner="b", profile="c")
        assert before == luna.search("cello", kind="utterance", now=NOW)
        luna.reindex()
        assert before == luna.search("cello", kind="utterance", now=NOW)
        assert memory.selfcheck(now=NOW).severity is not Severity.FAIL
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS),)
    connection.close()


def test_the_command_line_searches_what_was_said(tmp_path: Path) -> None:
    """As rows and as JSON; finding nothing is an exit code of its own."""
    path = tmp_path / "luna.db"
    with Memory.open(path) as memory:
        tell(memory.scope(service="cmemory", owner="me", profile="default"))

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        whose = ("--service", "cmemory", "--owner", "me", "--profile", "default")
        command = [sys.executable, "-m", "cmemory", "--database", str(path), *whose, *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    shown = run("search", "体检", "--kind", "utterance", "--speaker", "user")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "上周我在协和医院做了体检" in shown.stdout
    spelt = json.loads(run("--json", "search", "cello", "--kind", "utterance", "--session", "s3").stdout)
    assert {hit["id"] for hit in spelt["hits"]} == {"m-7", "m-9"}
    assert run("search", "piano", "--kind", "utterance").returncode == run("search", "piano").returncode


@pytest.mark.parametrize(("echo", "expected"), [(0.25, ["m-0", "m-1"]), (0.0, ["m-0"])])
def test_a_name_that_the_best_hit_tells_is_followed(tmp_path: Path, echo: float, expected: list[str]) -> None:
    """Where few messages hold it; without the echo, only what was asked for is looked for."""
    recall = attrs.evolve(COMPANION.recall, echo=echo)
    with Memory.open(tmp_path / "memory.db", policy=attrs.evolve(COMPANION, recall=recall)) as memory:
        luna = memory.scope(service="tests", owner="u-1", profile="luna")
        for number, text in enumerate(("我表姐叫雅琴", "雅琴搬到翠湖边上了", "水库涨了", "晚饭吃面")):
            luna.observe(
                text, session=f"s{number}", at=f"2026-03-01T09:0{number}:00Z", message_id=f"m-{number}"
            )
        assert expected == found(luna, "表姐")
