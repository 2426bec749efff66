"""One relationship from the first sentence to a forgotten name, through the façade and through the command line.

The message states six facts at once; the next turns show each channel, the boundary, merging and forgetting.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from cmemory import Memory, Plan, ScopedMemory
from cmemory.domain.evidence.quote import locate
from cmemory.domain.model.candidate import EpisodeCandidate, Outcome, Reason
from cmemory.domain.model.message import Quote

SAID = "我叫周眠，最近在等体检结果。室友的事先别提，我想要简短、直接的中文回复。"
FACTS = [
    ("identity.name", "周眠", "我叫周眠"),
    ("open_loop.waiting_on", "体检结果", "在等体检结果"),
    ("boundary.topic_avoid", "室友", "室友的事先别提"),
    ("communication.language", "中文", "中文回复"),
    ("communication.verbosity", "short", "简短"),
    ("advice.directness", "direct", "直接"),
]
DAY_1, DAY_2, DAY_3 = ("2026-03-01T09:00:00Z", "2026-03-02T09:00:00Z", "2026-03-03T09:00:00Z")


@pytest.fixture
def told(luna: ScopedMemory) -> ScopedMemory:
    """The relationship after its first message was learned by the offline rules."""
    luna.observe(SAID, session="s1", at=DAY_1)
    luna.learn(now=DAY_1)
    return luna


def keys(plan: Plan) -> dict[str, list[tuple[str, str, str]]]:
    """Return each channel's lines with how openly and why they stand there; ids differ from run to run of a host."""
    shown: dict[str, list[tuple[str, str, str]]] = {}
    for channel, item in plan.shown:
        shown.setdefault(channel.value, []).append((item.text, item.surface.token, item.reason.value))
    return {channel: sorted(items) for channel, items in shown.items()}


STANDING = {
    "constraints": [("boundary.topic_avoid: 室友", "background_only", "constraint_policy")],
    "identity": [("identity.name: 周眠", "freely_mentionable", "policy_memory")],
    "responseStyle": [
        ("advice.directness: 直接", "mention_if_user_cues", "mention_gate_denied"),
        ("communication.language: 中文", "freely_mentionable", "policy_memory"),
        ("communication.verbosity: 简短", "freely_mentionable", "policy_memory"),
    ],
}


def test_one_message_states_six_facts(luna: ScopedMemory) -> None:
    """Each is admitted with exactly the words that prove it, and no follow-up is opened for a sensitive matter."""
    luna.observe(SAID, session="s1", at=DAY_1)
    report = luna.learn(now=DAY_1)
    assert [answer.outcome for answer in report.admissions] == [Outcome.ACCEPTED] * 6
    found = {
        (record.body.predicate, record.body.value, record.evidence[0].quote.text)  # type: ignore[union-attr]
        for record in luna.list(now=DAY_1)
    }
    assert found == set(FACTS)
    assert luna.prepare("你好", session="s2", now=DAY_2, new_session=True).continuity == ()


def test_the_next_turn_is_planned_by_channel(told: ScopedMemory) -> None:
    """The person's topic activates what they wait for; everything else stands where its key puts it."""
    plan = told.prepare("今天还是在等体检，我有点慌。", session="s2", now=DAY_2)
    waiting = [("open_loop.waiting_on: 体检结果", "mention_if_user_cues", "topic_implied")]
    assert keys(plan) == {**STANDING, "topicActivated": waiting}
    assert plan.do_not_surface == ()
    assert plan.revision == 6


def test_a_fenced_episode_never_reaches_the_model(told: ScopedMemory) -> None:
    """The turn cues it and the boundary withholds it: two records stay back, counted and unnamed."""
    text = "昨天室友把我的书弄湿了，心里好堵。"
    quote = locate(text, "室友把我的书弄湿了")
    assert isinstance(quote, Quote)
    episode = EpisodeCandidate(
        id="wet", narrative="用户的书昨天被室友弄湿了，心里很堵。", quote=quote, confidence=0.9
    )
    assert told.admit(text, [episode], session="s1", at=DAY_2)[0].stored
    plan = told.prepare("室友又来借书", session="s2", now=DAY_3)
    assert keys(plan) == STANDING
    assert {why.value: count for why, count in plan.withheld.items()} == {
        "boundary_policy": 1,
        "mention_gate_denied": 1,
    }
    assert '<withheld count="2">' in plan.text
    assert "弄湿" not in plan.text and "体检" not in plan.text


def test_the_same_facts_again_are_six_merges(told: ScopedMemory) -> None:
    """Nothing new is stored; each record gains the second proof."""
    told.observe(SAID, session="s2", at=DAY_2)
    report = told.learn(now=DAY_2)
    assert [answer.outcome for answer in report.admissions] == [Outcome.MERGED] * 6
    assert [len(record.evidence) for record in told.list(now=DAY_3)] == [2] * 6


def test_a_forgotten_name_is_refused_when_it_is_said_again(memory: Memory, told: ScopedMemory) -> None:
    """Forgotten by its exact id, gone from every byte, and kept out."""
    (name,) = told.list(predicate="identity.name", now=DAY_2)
    assert told.forget(name.id, now=DAY_2).record_ids == (name.id,)
    assert memory.verify_forgotten("周眠").clean
    answer = told.remember("我叫周眠。", predicate="identity.name", value="周眠", at=DAY_3)
    assert [one.reason for one in answer] == [Reason.RESURRECTION]


def test_the_command_line_does_the_same(tmp_path: Path) -> None:
    """Observe, learn, prepare and forget, as a person types them."""
    database = str(tmp_path / "luna.db")

    def run(*words: str, code: int = 0) -> dict[str, object]:
        done = subprocess.run(
            [sys.executable, "-m", "cmemory", *words, "--database", database, "--json"],
            capture_output=True,
            check=False,
        )
        assert done.returncode == code, done.stderr.decode()
        return json.loads(done.stdout) if done.stdout else {}

    run("observe", SAID, "--session", "s1", "--now", DAY_1)
    run("learn", "--now", DAY_1)
    listed = json.dumps(run("list", "--now", DAY_2), ensure_ascii=False)
    for predicate, value, _ in FACTS:
        assert predicate in listed and value in listed
    plan = json.dumps(
        run("prepare", "今天还是在等体检，我有点慌。", "--session", "s2", "--now", DAY_2), ensure_ascii=False
    )
    assert "topic_implied" in plan and "open_loop.waiting_on: 体检结果" in plan
    with Memory.open(database) as memory:
        luna = next(
            memory.scope(service=one.service, owner=one.owner, profile=one.profile) for one in memory.scopes()
        )
        (name,) = luna.list(predicate="identity.name", now=DAY_2)
    run("forget", name.id, "--now", DAY_2)
    assert all("周眠".encode() not in path.read_bytes() for path in tmp_path.iterdir())
    run("observe", "我叫周眠。", "--session", "s3", "--now", DAY_3)
    assert "resurrection" in json.dumps(run("learn", "--now", DAY_3))
