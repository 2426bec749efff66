"""Forgetting for good: what goes, what is masked, what is recomputed, and what stays behind as a hash."""

from __future__ import annotations

from typing import Any

import pytest

from builders import NOW, claim, days, episode, guard, inference, message, ref, said
from cmemory.domain.evidence.suppression import Ban
from cmemory.domain.forget.erase import (
    ByEntity,
    ByPredicate,
    Everything,
    ForgetReport,
    Holdings,
    Records,
    Target,
    erase,
)
from cmemory.domain.forget.residue import ResidueKind
from cmemory.domain.model.bodies import Participant
from cmemory.domain.model.changes import Changes, SuppressionKind
from cmemory.domain.model.life import Status
from cmemory.domain.model.message import Message, SourceKind
from cmemory.domain.model.record import AnyRecord
from cmemory.domain.model.state import RuntimeState
from cmemory.domain.policy import GOVERNED

FIRST = message("我叫周眠，住在杭州。", id="m-1")
SECOND = message("我最近在养蚕。", id="m-2")
NAME = claim("identity.name", "周眠", id="claim-n", evidence=(said(FIRST, "我叫周眠"),))
PLACE = claim("identity.location", "杭州", id="claim-p", entity="杭州", evidence=(said(FIRST, "住在杭州"),))
SILK = claim("goal.current_focus", "养蚕", id="claim-s", evidence=(said(SECOND),))


def holdings(*records: AnyRecord, messages: tuple[Message, ...] = (FIRST, SECOND)) -> Holdings:
    return Holdings(records=records, messages={one.id: one for one in messages}, guard=guard())


def forget(target: Target, *records: AnyRecord, **held: Any) -> tuple[ForgetReport, Changes]:
    return erase(target, holdings(*records, **held), now=NOW, policy=GOVERNED)


def kinds(changes: Changes) -> set[tuple[SuppressionKind, str]]:
    return {(one.kind, one.target) for one in changes.suppressions}


def test_a_record_goes_with_the_message_that_proved_nothing_else() -> None:
    """Record and message disappear in one write, neither may return, and the revision moves once."""
    report, changes = forget(Records(("claim-s",)), NAME, PLACE, SILK)
    assert (("claim-s",), ("m-2",), True) == (report.record_ids, report.message_ids, report.forgotten)
    assert (("claim-s",), ("m-2",)) == (changes.erase_records, changes.erase_messages)
    assert {(SuppressionKind.RECORD, "claim-s"), (SuppressionKind.RECORD, "m-2")} == kinds(changes)
    assert ((), (), 1) == (changes.records, changes.messages, changes.revision_step)
    assert [("claim-s", "forget")] == [(one.record_id, one.action) for one in changes.decisions]


def test_what_is_left_behind_holds_no_words() -> None:
    """Nothing that is written can be read as what was forgotten."""
    _, changes = forget(Records(("claim-n",)), NAME, PLACE, SILK)
    assert "周眠" not in repr(changes)
    assert "杭州" in repr(changes)


def test_a_shared_message_is_masked_not_deleted() -> None:
    """When the message also proves a survivor, only the forgotten words leave it, and they may not return."""
    report, changes = forget(Records(("claim-n",)), NAME, PLACE)
    assert ["************，住在杭州。"] == [one.text for one in changes.messages]
    assert ("m-1",) == report.message_ids
    assert (SuppressionKind.RECORD, "m-1") in kinds(changes)
    assert () == changes.erase_messages


def test_the_forgotten_value_cannot_return() -> None:
    """The fingerprints that are written make a guard that knows the value again."""
    _, changes = forget(Records(("claim-s",)), SILK)
    after = guard(fingerprints=changes.fingerprints)
    again = claim("goal.aspiration", "养 蚕").body
    assert Ban.CONTENT is after.ban(again, record_id="claim-new")


@pytest.mark.parametrize("target", [Records(()), Records(("claim-x", "m-x"))])
def test_unknown_ids_change_nothing(target: Target) -> None:
    """Naming nothing that is there forgets nothing and writes nothing."""
    report, changes = forget(target, NAME)
    assert (ForgetReport(), Changes(), False) == (report, changes, report.forgotten)


def chain() -> tuple[AnyRecord, ...]:
    """Return three versions of one fact."""
    return (
        claim("identity.name", "一一", id="claim-1", status=Status.SUPERSEDED),
        claim("identity.name", "二二", id="claim-2", status=Status.SUPERSEDED, supersedes="claim-1"),
        claim("identity.name", "三三", id="claim-3", supersedes="claim-2"),
    )


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        ("claim-3", ("claim-3", "claim-2", "claim-1")),
        ("claim-2", ("claim-2", "claim-1")),
        ("claim-1", ("claim-1",)),
    ],
)
def test_earlier_values_go_along(named: str, expected: tuple[str, ...]) -> None:
    """Forgetting a fact takes every value it replaced; a later, different value stays."""
    assert expected == forget(Records((named,)), *chain())[0].record_ids


def test_later_versions_of_the_same_value_go_along() -> None:
    """A value that came back in other type is still the forgotten one."""
    old = claim("identity.name", "Lin Yue", id="claim-1", status=Status.SUPERSEDED)
    same = claim("identity.name", "ＬＩＮ ＹＵＥ", id="claim-2", supersedes="claim-1")
    assert ("claim-1", "claim-2") == forget(Records(("claim-1",)), old, same)[0].record_ids


def test_a_broken_chain_ends_the_walk() -> None:
    """A predecessor that is no longer there, or a loop, is no obstacle."""
    orphan = claim("identity.name", "周眠", id="claim-2", supersedes="claim-gone")
    assert ("claim-2",) == forget(Records(("claim-2",)), orphan)[0].record_ids
    one = claim("identity.name", "周眠", id="claim-1", supersedes="claim-2")
    two = claim("identity.name", "周眠", id="claim-2", supersedes="claim-1")
    assert ("claim-1", "claim-2") == forget(Records(("claim-1",)), one, two)[0].record_ids


def test_records_come_in_the_order_of_the_request() -> None:
    """The report names what was asked for first, once each."""
    report, _ = forget(Records(("claim-s", "claim-n", "claim-s")), NAME, PLACE, SILK)
    assert ("claim-s", "claim-n") == report.record_ids


def test_a_predicate_goes_with_its_future() -> None:
    """Every record under the key goes, an inference included, and the key is closed."""
    concluded = inference(predicate="goal.current_focus")
    report, changes = forget(ByPredicate("goal.current_focus"), NAME, SILK, concluded)
    assert ("claim-s", "inference-1") == report.record_ids
    assert (SuppressionKind.PREDICATE, "goal.current_focus") in kinds(changes)


def test_a_person_goes_in_any_spelling() -> None:
    """Everything structurally about the name goes; only a digest of it is kept."""
    mother = claim("person.name", "周敏", id="claim-m", entity="妈 妈")
    trip = episode(
        "一起去看海。", id="episode-m", participants=[Participant(role="m", entity_ref="「妈妈」")]
    )
    report, changes = forget(ByEntity("妈妈"), NAME, mother, trip)
    assert ("claim-m", "episode-m") == report.record_ids
    assert (SuppressionKind.ENTITY, guard().entity_digest("妈妈")) in kinds(changes)
    assert "妈" not in repr(changes.suppressions)


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        (ByPredicate("person.name"), (SuppressionKind.PREDICATE, "person.name")),
        (ByEntity("Mia"), (SuppressionKind.ENTITY, guard().entity_digest("mia"))),
        (Everything.EVERYTHING, (SuppressionKind.ALL, "*")),
    ],
)
def test_a_ban_is_written_even_when_nothing_is_there_yet(
    target: Target, expected: tuple[SuppressionKind, str]
) -> None:
    """Asking that nothing of a kind be kept holds for the future too."""
    report, changes = forget(target, messages=())
    assert ({expected}, 1, False) == (kinds(changes), changes.revision_step, report.forgotten)


def test_everything_leaves_nothing() -> None:
    """All records and all messages go, the companion's too."""
    reply = message("好的。", id="m-3")
    told = episode("用户去看海。")
    report, changes = forget(Everything.EVERYTHING, NAME, PLACE, SILK, told, messages=(FIRST, SECOND, reply))
    assert {"claim-n", "claim-p", "claim-s", "episode-1"} == set(changes.erase_records)
    assert ("m-1", "m-2", "m-3") == changes.erase_messages == report.message_ids
    assert ((), ()) == (changes.records, changes.messages)
    assert (SuppressionKind.ALL, "*") in kinds(changes)


def test_a_message_takes_what_only_it_proved() -> None:
    """Forgetting a message erases the records that rest on nothing else, and strips it from the others."""
    other = message("对，我叫周眠。", id="m-4")
    both = claim(
        "identity.name", "周眠", id="claim-n", evidence=(said(FIRST, "我叫周眠"), said(other, "周眠"))
    )
    report, changes = forget(Records(("m-1",)), both, PLACE, SILK, messages=(FIRST, SECOND, other))
    assert (("claim-p",), ("m-1",)) == (report.record_ids, changes.erase_messages)
    (left,) = changes.records
    assert ("claim-n", ["m-4"]) == (left.id, [one.source_id for one in left.evidence])


def test_a_record_without_evidence_is_not_taken_by_a_message() -> None:
    """What rests on no message is not proved by it alone."""
    bare = claim("identity.name", "周眠", id="claim-bare")
    assert () == forget(Records(("m-2",)), bare)[0].record_ids


def test_conclusions_are_recomputed_in_the_same_write() -> None:
    """A conclusion that lost all support goes, one that lost some is weakened, and the report names it."""
    support = (ref(SourceKind.CLAIM, "claim-s"), ref(SourceKind.CLAIM, "claim-n"))
    alone = inference("养蚕上瘾", id="inference-1", support=support[:1])
    shared = inference("有耐心", id="inference-2", support=support, confidence=0.6)
    report, changes = forget(Records(("claim-s",)), NAME, SILK, alone, shared)
    assert ("claim-s", "inference-1") == report.record_ids
    assert ("inference-2",) == report.recomputed
    (weakened,) = changes.records
    assert 0.3 == pytest.approx(weakened.body.confidence)  # type: ignore[union-attr]


def test_a_forgotten_message_weakens_conclusions_too() -> None:
    """Support by a message is support like any other."""
    shared = inference(
        support=(ref(SourceKind.MESSAGE, "m-1"), ref(SourceKind.MESSAGE, "m-2")), confidence=0.6
    )
    report, changes = forget(Records(("m-2",)), shared)
    assert ("inference-1",) == report.recomputed
    assert 0.3 == pytest.approx(changes.records[0].body.confidence)  # type: ignore[union-attr]


def test_leftovers_are_reported_not_deleted() -> None:
    """A survivor that still holds the words is named; history and conclusions are not searched."""
    told = episode("用户开始养蚕了。", id="episode-1")
    past = claim("ritual.recurring_activity", "养蚕", id="claim-past", status=Status.RETRACTED)
    ended = claim("ritual.recurring_activity", "养蚕", id="claim-ended", valid_until=days(-1))
    report, changes = forget(Records(("claim-s",)), SILK, told, past, ended)
    assert [(ResidueKind.EXACT, "episode-1", "claim-s")] == [
        (one.kind, one.record_id, one.matched_id) for one in report.residue
    ]
    assert ("claim-s",) == changes.erase_records


def test_forgetting_twice_is_harmless() -> None:
    """The second request finds nothing left to forget."""
    _, changes = forget(Records(("claim-s",)), NAME, SILK)
    left = [one for one in (NAME, SILK) if one.id not in changes.erase_records]
    assert ForgetReport() == forget(Records(("claim-s",)), *left)[0]


def test_the_audit_names_no_words() -> None:
    """What is written about the forgetting says who and when, never what."""
    _, changes = forget(Records(("claim-s",)), SILK)
    assert "养蚕" not in repr(changes.decisions)
    assert {(NOW, "erased", "requested")} == {(one.at, one.outcome, one.reason) for one in changes.decisions}


def test_what_a_relationship_was_in_the_middle_of_goes_with_its_last_words() -> None:
    """Nothing is left of a mood when neither a record nor a message is; a survivor of either kind keeps it."""
    gone = (RuntimeState(),)
    assert gone == forget(Everything.EVERYTHING, NAME, SILK)[1].states
    assert gone == forget(Everything.EVERYTHING, messages=())[1].states
    assert gone == forget(Records(("claim-s", "m-2")), SILK, messages=(SECOND,))[1].states
    assert () == forget(Records(("claim-s",)), SILK)[1].states
    unproven = claim("identity.name", "周眠", id="claim-u")
    assert () == forget(Records(("claim-s",)), SILK, unproven, messages=(SECOND,))[1].states
