"""The records of a scope, prepared for planning."""

from __future__ import annotations

import pytest

from builders import NOW, claim, days, episode, inference, roster
from cmemory.domain.gates.mention import Cues
from cmemory.domain.model.life import Status
from cmemory.domain.model.record import AnyRecord
from cmemory.domain.plan.roster import line_of, spoken_texts
from cmemory.domain.recall.query import Query


def test_only_what_is_believed_takes_part() -> None:
    """History, ended validity and conclusions stay out; claims come before episodes, each in store order."""
    prepared = roster(
        episode("用户去看海。", id="episode-1"),
        claim("identity.name", "阿橙", id="claim-2"),
        claim("identity.name", "旧", id="claim-old", status=Status.SUPERSEDED),
        claim("open_loop.pending_action", "还书", id="claim-late", valid_until=NOW),
        claim("open_loop.pending_action", "取件", id="claim-3", valid_until=days(1)),
        inference(),
        claim("goal.current_focus", "学琴", id="claim-1"),
    )
    expected = ["claim-2", "claim-3", "claim-1", "episode-1"]
    assert expected == [entry.record.id for entry in prepared.entries]


@pytest.mark.parametrize(
    ("record", "line"),
    [
        (claim("identity.name", "周眠", raw="小眠"), "identity.name: 小眠"),
        (claim("identity.age", 28), "identity.age: 28"),
        (episode("用户去看海。"), "用户去看海。"),
        (inference("plans ahead"), "plans ahead"),
    ],
)
def test_lines(record: AnyRecord, line: str) -> None:
    """A claim is shown under its key in the person's words, anything else in its own."""
    assert line == line_of(record)


def test_a_fenced_topic_is_betrayed_by_wording_value_or_entity() -> None:
    """All texts of a claim are held against the boundaries."""
    record = claim("person.name", "林越", raw="他叫林越", entity="前任")
    assert ("他叫林越", "林越", "前任") == spoken_texts(record)
    assert ("用户去看海。",) == spoken_texts(episode("用户去看海。"))
    prepared = roster(record, claim("boundary.topic_avoid", "前任", id="claim-b"))
    assert [True, True] == [entry.shaded for entry in prepared.entries]


def test_a_message_points_at_positions() -> None:
    """Cued records are found by topic, word or name, with how they were cued; others are not."""
    prepared = roster(
        claim("open_loop.waiting_on", "签证结果", id="claim-a"),
        claim("open_loop.waiting_on", "cello audition", id="claim-b"),
        claim("person.occupation", "nurse", id="claim-c", entity="Mia"),
        claim("goal.aspiration", "开店", id="claim-d"),
    )
    said = Query.of("Mia 陪我等签证，then the audition")
    expected = {0: Cues(implied=True), 1: Cues(implied=True), 2: Cues(referenced=True)}
    assert expected == prepared.cued(said)
    assert {} == prepared.cued(Query.of(""))
    # The start of a name is no name, and a word inside another word is none either.
    assert {} == prepared.cued(Query.of("mi, miami"))
