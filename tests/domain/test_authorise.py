"""Whether the person really asked that this very record be deleted."""

from __future__ import annotations

import pytest

from cmemory.domain.forget.authorise import authorises

ID = "claim-c-1a2b"

ASKED = [
    f"delete {ID}",
    f"Please DELETE {ID.upper()} now.",
    f"forget {ID}, thanks",
    f"remove({ID})",
    f"忘掉{ID}",
    f"把{ID}删掉",
    f"请删除 {ID}。",
    f"{ID}，忘了吧",
    f"don't be shy, delete {ID}",
    f"I don't need it. Delete {ID}.",
    f"不要担心，删除{ID}",
    f"don't forget to water the plants, and delete {ID}",
    f"别忘了浇花。另外删除{ID}",
    f"never mind the rest, remove {ID}",
    f"{ID} is wrong. forget it",
]
NOT_ASKED = [
    "",
    "delete it",
    f"what is {ID}?",
    f"show {ID}",
    f"delete {ID}0",
    f"delete x{ID}",
    f"delete {ID}-old",
    f"delete {ID}_b",
    "delete claim-c-1a2",
    f"don't delete {ID}",
    f"do not delete {ID}",
    f"dont ever delete {ID}",
    f"please never forget {ID}",
    f"you must not remove {ID}",
    f"you shouldn’t delete {ID}",
    f"不要删除{ID}",
    f"别忘了{ID}",
    f"先不删{ID}",
    f"不准删掉{ID}",
    f"{ID} 不要删",
    f"{ID}? don't delete it",
    f"delete {ID}? no, don't delete that",
    f"删除{ID}？不要删它",
    f"forget it, but do not delete {ID}",
]


@pytest.mark.parametrize("message", ASKED)
def test_a_deletion_word_and_the_whole_id_ask(message: str) -> None:
    """The id stands as a whole token, and a deletion verb asks, in either language and any case."""
    assert authorises(message, ID)


@pytest.mark.parametrize("message", NOT_ASKED)
def test_anything_less_does_not_ask(message: str) -> None:
    """No id, a longer id, no deletion verb, or a negation that concerns this record: nothing was asked."""
    assert not authorises(message, ID)


def test_a_longer_id_names_no_shorter_one() -> None:
    """Asking for record 10 says nothing about record 1, and both can be asked for."""
    assert not authorises("delete claim-10", "claim-1")
    assert authorises("delete claim-10 and claim-1", "claim-1")


def test_one_refused_and_one_asked() -> None:
    """A negation that names another record does not protect this one."""
    message = "delete claim-1, but don't delete claim-2"
    assert authorises(message, "claim-1")
    assert not authorises(message, "claim-2")


@pytest.mark.parametrize("record_id", ["", "   "])
def test_a_blank_id_is_never_asked_for(record_id: str) -> None:
    """No message names nothing."""
    assert not authorises("delete everything", record_id)


def test_ids_are_taken_literally() -> None:
    """Characters of an id are no pattern."""
    assert not authorises("delete claimX1", "claim.1")
    assert authorises("delete claim.1", " claim.1 ")
