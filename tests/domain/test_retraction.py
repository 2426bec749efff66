"""Taking back what was said, without a new value."""

from __future__ import annotations

from typing import Any

import pytest

from builders import NOW, claim, days, ground, message, quote
from cmemory.domain.admit.ground import Decided
from cmemory.domain.admit.retraction import admit_retraction
from cmemory.domain.model.candidate import Outcome, Reason, RetractionCandidate
from cmemory.domain.model.changes import Changes
from cmemory.domain.model.life import Status
from cmemory.domain.model.message import Quote, Speaker
from cmemory.domain.model.record import ClaimRecord

TEXT = "其实我没有姐姐。"
SISTER = (
    claim("person.relation_label", "sibling", id="claim-1", entity="姐姐", at=days(-9)),
    claim("person.name", "周敏", id="claim-2", entity="姐姐", at=days(-8)),
    claim("person.name", "周强", id="claim-3", entity="哥哥", at=days(-7)),
)
KEYS = ("person.relation_label", "person.name")


def decide(*active: ClaimRecord, speaker: Speaker = Speaker.USER, **narrowed: Any) -> Decided:
    given: dict[str, Any] = {"id": "r-1", "predicates": KEYS, "quote": quote(TEXT, "没有姐姐"), **narrowed}
    source = message(TEXT, id="m-9", speaker=speaker)
    return admit_retraction(RetractionCandidate(**given), active, ground(source), now=NOW)


def test_everything_about_the_entity_ends() -> None:
    """All claims about the named person under the keys become history; others stand."""
    admission, changes = decide(*SISTER, entity_ref="姐姐")
    assert (Outcome.RETRACTED, ("claim-1", "claim-2"), None) == (
        admission.outcome,
        admission.ended,
        admission.record_id,
    )
    assert {(Status.RETRACTED, NOW, NOW)} == {
        (one.status, one.updated_at, one.valid_until) for one in changes.records
    }
    assert 1 == changes.revision_step


def test_the_words_that_take_it_back_are_kept_as_proof() -> None:
    """Forgetting the fact later reaches the message that took it back."""
    _, changes = decide(*SISTER, entity_ref="姐姐")
    assert {"m-9"} == {one.evidence[-1].source_id for one in changes.records}
    assert ["m-9"] == [one.id for one in changes.messages]


def test_each_ended_record_has_its_own_audit_line() -> None:
    """The audit of a record says when it was taken back."""
    _, changes = decide(*SISTER, entity_ref="姐姐")
    assert ["claim-1", "claim-2"] == [one.record_id for one in changes.decisions]
    assert 2 == len({one.id for one in changes.decisions})


def test_a_value_reaches_all_about_its_entity() -> None:
    """Naming one fact about a person ends what the keys say about that person."""
    admission, _ = decide(*SISTER, value="周敏")
    assert ("claim-1", "claim-2") == admission.ended


def test_no_narrowing_reaches_all_under_the_keys() -> None:
    """Without entity or value everything under the keys ends."""
    assert ("claim-1", "claim-2", "claim-3") == decide(*SISTER)[0].ended


@pytest.mark.parametrize(
    ("narrowed", "expected"),
    [
        ({"value": " FRENCH "}, ("claim-1",)),
        ({"value": "français"}, ("claim-2",)),
        ({"value": "Deutsch"}, ()),
        ({"entity_ref": "姐姐"}, ()),
    ],
)
def test_values_are_compared_folded_or_by_wording(
    narrowed: dict[str, str], expected: tuple[str, ...]
) -> None:
    """A value matches whatever its case, and so does the person's own wording."""
    active = (
        claim("identity.language", "French", id="claim-1", at=days(-1)),
        claim("identity.language", "Fr", id="claim-2", raw="français", at=days(-1)),
    )
    assert expected == decide(*active, predicates=("identity.language",), **narrowed)[0].ended


def test_qualifiers_narrow() -> None:
    """Only the place of that context is taken back."""
    active = (
        claim("identity.location", "上海", id="claim-1", entity="上海", context="work", at=days(-1)),
        claim("identity.location", "杭州", id="claim-2", entity="杭州", context="home", at=days(-1)),
    )
    admission, _ = decide(*active, predicates=("identity.location",), qualifiers={"context": "home"})
    assert ("claim-2",) == admission.ended


def test_later_statements_stand() -> None:
    """What was said after the retraction is not touched by it."""
    later = claim("person.name", "周敏", id="claim-9", entity="姐姐", at=days(1))
    assert ("claim-1", "claim-2") == decide(*SISTER, later, entity_ref="姐姐")[0].ended


@pytest.mark.parametrize(
    ("reason", "fields"),
    [
        (Reason.NOTHING_TO_RETRACT, {"entity_ref": "妹妹"}),
        (Reason.SPAN_MISMATCH, {"quote": Quote(start=0, end=3, text="没")}),
        (Reason.NOT_USER_SPEECH, {"speaker": Speaker.ASSISTANT}),
    ],
)
def test_refusals(reason: Reason, fields: dict[str, Any]) -> None:
    """Only the person's own words can take something back, and only what is there."""
    admission, changes = decide(*SISTER, **fields)
    assert (Outcome.REJECTED, reason) == (admission.outcome, admission.reason)
    assert Changes(decisions=changes.decisions) == changes
