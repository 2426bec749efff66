"""The records of a scope, prepared for planning."""

from __future__ import annotations

import gc
from types import FunctionType, ModuleType

import attrs
import pytest

from builders import MEASURED, NOW, claim, days, episode, inference, quote, ref, roster
from cmemory.domain.gates.mention import Cues
from cmemory.domain.model.bodies import InferenceState
from cmemory.domain.model.ids import Revision
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.life import Status
from cmemory.domain.model.message import SourceKind
from cmemory.domain.model.record import AnyRecord, Provenance
from cmemory.domain.plan.lines import line_of, spoken_texts
from cmemory.domain.plan.roster import Roster
from cmemory.domain.policy import GOVERNED
from cmemory.domain.recall.query import Query


def test_only_what_is_believed_takes_part() -> None:
    """History, ended validity and conclusions stay out."""
    prepared = roster(
        episode("用户去看海。", id="episode-1"),
        claim("identity.name", "阿橙", id="claim-2"),
        claim("identity.name", "旧", id="claim-old", status=Status.SUPERSEDED),
        claim("open_loop.pending_action", "还书", id="claim-late", valid_until=NOW),
        claim("open_loop.pending_action", "取件", id="claim-3", valid_until=days(1)),
        inference(),
        claim("goal.current_focus", "学琴", id="claim-1"),
    )
    expected = {"claim-1", "claim-2", "claim-3", "episode-1"}
    assert expected == {entry.record.id for entry in prepared.entries()}


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
    assert [True, True] == [entry.shaded for entry in prepared.entries()]


def test_a_message_points_at_records() -> None:
    """Cued records are found by topic, word or name, with how they were cued; others are not."""
    prepared = roster(
        claim("open_loop.waiting_on", "签证结果", id="claim-a"),
        claim("open_loop.waiting_on", "cello audition", id="claim-b"),
        claim("person.occupation", "nurse", id="claim-c", entity="Mia"),
        claim("goal.aspiration", "开店", id="claim-d"),
    )
    said = Query.of("Mia 陪我等签证，then the audition")
    expected = {
        "claim-a": Cues(implied=True),
        "claim-b": Cues(implied=True),
        "claim-c": Cues(referenced=True),
    }
    assert expected == prepared.pointed(said).cues
    assert {} == prepared.pointed(Query.of("")).cues
    # The start of a name is no name, and a word inside another word is none either.
    assert {} == prepared.pointed(Query.of("mi, miami")).cues


def test_no_word_is_left_of_what_is_hidden() -> None:
    """Nor of what it said before it changed: not in an index, and not in what was read of it for an answer."""
    tea = claim("goal.current_focus", "brew tea in Porto", id="claim-1", entity="Petra")
    tea = attrs.evolve(
        tea,
        evidence=(attrs.evolve(ref(SourceKind.MESSAGE, "m-petra"), quote=quote("Porto, Petra", "Porto")),),
    )
    walks = [claim("goal.current_focus", f"walk number{at}", id=f"claim-w{at}") for at in range(9)]
    before = roster(tea, *walks)
    changed = attrs.evolve(tea, body=attrs.evolve(tea.body, value="brew coffee", raw_value=None))
    later = before.after([changed], revision=Revision(2), now=NOW)
    for one in (before, later):
        cues = one.pointed(Query.of("Petra brews tea, and who walks?")).cues
        assert {"claim-1"} < cues.keys()
        assert cues.keys() == one.placed(cues, frozenset(), now=NOW).keys()
        for name in cues:
            one.statement(name)
    assert "porto" in " ".join(texts(later)).lower()
    hidden = later.after([], [tea.id], revision=Revision(3), now=NOW)
    left = " ".join(texts(hidden)).lower()
    assert "number8" in left
    assert not [word for word in ("tea", "coff", "brew", "porto", "petra") if word in left]


def texts(thing: object) -> set[str]:
    """Return every text that can be reached from a thing, types and what they hold left out."""
    found: set[str] = set()
    seen: set[int] = set()
    rest = [thing]
    while rest:
        one = rest.pop()
        if id(one) in seen or isinstance(one, (type, ModuleType, FunctionType)):
            continue
        seen.add(id(one))
        if isinstance(one, str):
            found.add(one)
        rest.extend(gc.get_referents(one))
    return found


def test_a_conclusion_goes_with_what_it_rests_on_and_comes_back() -> None:
    """It is looked at again whenever anything changes, since it may be used only while its support may."""
    base = claim("goal.current_focus", "学琴", id="base")
    made = inference(
        id="made",
        state=InferenceState.ACTIVE,
        support=[ref(SourceKind.CLAIM, "base")],
        expires_at=days(0.25),
    )
    prepared = Roster.of(
        [base, made],
        revision=Revision(1),
        now=NOW,
        policy=GOVERNED,
        promotion=MEASURED,
    )

    def held(kept: Roster) -> bool:
        return kept.entry(made.id) is not None

    assert held(prepared)
    gone = prepared.after([attrs.evolve(base, status=Status.FADED)], revision=Revision(2), now=NOW)
    assert not held(gone)
    foreign = attrs.evolve(base, provenance=Provenance(proposer="model"))
    assert not held(prepared.after([foreign], revision=Revision(2), now=NOW))
    back = gone.after([base], revision=Revision(3), now=NOW)
    assert held(back)
    assert back.serves(Revision(3), days(0.25))
    assert not back.serves(Revision(3), Instant(days(0.25).microseconds + 1))
    assert not held(back.after([], revision=Revision(3), now=days(0.3)))


def test_a_statement_is_read_again_when_the_person_has_another_name() -> None:
    """Whoever bears the person's own name is nobody else."""
    tea, name = claim("misc.unclassified", "Mia prefers tea", id="tea"), claim("identity.name", "Mia", id="n")
    prepared = roster(tea)
    read = prepared.statement(tea.id)
    assert read is not None and read.names
    assert prepared.statement(tea.id) is read
    named = prepared.after([name], revision=Revision(8), now=NOW)
    assert (again := named.statement(tea.id)) is not None and not again.names
    assert (
        named.after([attrs.evolve(name, status=Status.FADED)], revision=Revision(9), now=NOW).statement(
            tea.id
        )
        == read
    )
