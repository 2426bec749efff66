"""Write-sets: joining is associative and has a neutral element."""

from __future__ import annotations

import attrs
from hypothesis import given
from hypothesis import strategies as st

from cmemory.domain.model.changes import Changes
from cmemory.domain.model.ids import MessageId, RecordId

IDS = st.lists(st.sampled_from(["a", "b", "c"]), max_size=3).map(tuple)
CHANGES = st.builds(
    Changes,
    erase_records=IDS.map(lambda ids: tuple(map(RecordId, ids))),
    erase_messages=IDS.map(lambda ids: tuple(map(MessageId, ids))),
    lift_labels=IDS.map(lambda ids: tuple(map(RecordId, ids))),
    done=IDS.map(lambda ids: tuple(map(MessageId, ids))),
    revision_step=st.integers(0, 3),
)


@given(CHANGES, CHANGES, CHANGES)
def test_joining_is_associative(a: Changes, b: Changes, c: Changes) -> None:
    """It does not matter which two write-sets are joined first."""
    assert a.then(b).then(c) == a.then(b.then(c))


@given(CHANGES)
def test_nothing_is_neutral(one: Changes) -> None:
    """Joining nothing changes nothing, and only nothing counts as false."""
    assert one == Changes().then(one) == one.then(Changes())
    assert bool(one) is (one != Changes())


@given(CHANGES, CHANGES)
def test_every_field_is_joined_in_order(a: Changes, b: Changes) -> None:
    """The earlier entries come first in every field, and steps add up."""
    joined = a.then(b)
    for field in attrs.fields(Changes):
        assert getattr(a, field.name) + getattr(b, field.name) == getattr(joined, field.name)
