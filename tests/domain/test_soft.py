"""Reversible acts: mute and unmute, delete and restore."""

from __future__ import annotations

import attrs
import pytest

from builders import NOW, SCOPE, claim, days, episode
from cmemory.domain.errors import UsageError
from cmemory.domain.forget.soft import delete, restore, set_muted
from cmemory.domain.model.life import Status
from cmemory.domain.model.record import AnyRecord, ClaimRecord

RECORD = claim("goal.current_focus", "养蚕", at=days(-5))


def test_muting_and_unmuting_cancel_out() -> None:
    """A muted record is kept as it is; unmuting gives back exactly what was there."""
    muted = set_muted(RECORD, True, scope=SCOPE, now=NOW)
    assert attrs.evolve(RECORD, salience=attrs.evolve(RECORD.salience, muted=True)) == muted.records[0]
    assert (RECORD,) == set_muted(muted.records[0], False, scope=SCOPE, now=NOW).records
    assert ["mute"] == [line.action for line in muted.decisions]
    assert 1 == muted.revision_step


@pytest.mark.parametrize("muted", [True, False])
def test_asking_twice_writes_nothing(muted: bool) -> None:
    """A record that stands that way already is left alone."""
    record = attrs.evolve(RECORD, salience=attrs.evolve(RECORD.salience, muted=muted))
    assert not set_muted(record, muted, scope=SCOPE, now=NOW)


def test_delete_and_restore() -> None:
    """A deleted record is kept but not believed, and can be believed again."""
    deleted = delete(RECORD, scope=SCOPE, now=NOW).records[0]
    assert (Status.DELETED, NOW, False) == (deleted.status, deleted.updated_at, deleted.live(NOW))
    back = restore(deleted, scope=SCOPE, now=days(1)).records[0]
    assert attrs.evolve(RECORD, updated_at=days(1)) == back


@pytest.mark.parametrize(
    ("record", "rival", "barred"),
    [
        (claim("identity.name", "阿橙", id="claim-1"), claim("identity.name", "Nora", id="claim-2"), True),
        (
            claim("identity.language", "法语", id="claim-1"),
            claim("identity.language", "德语", id="claim-2"),
            False,
        ),
        (
            claim("identity.language", "法语", id="claim-1"),
            claim("identity.language", " 法语", id="claim-2"),
            True,
        ),
        (claim("identity.name", "阿橙", id="claim-1"), claim("identity.name", "阿橙", id="claim-1"), False),
        (claim("hobby.chess", "daily", id="claim-1"), claim("hobby.chess", "weekly", id="claim-2"), False),
        (episode("用户去看海。"), claim("identity.name", "Nora"), False),
    ],
)
def test_what_took_its_place_is_in_the_way(record: AnyRecord, rival: ClaimRecord, barred: bool) -> None:
    """A record comes back unless another value stands where only one may, or the same one stands already."""
    gone = attrs.evolve(record, status=Status.DELETED)
    if barred:
        with pytest.raises(UsageError, match="taken its place"):
            restore(gone, [rival], scope=SCOPE, now=NOW)
    else:
        assert Status.ACTIVE is restore(gone, [rival], scope=SCOPE, now=NOW).records[0].status


def test_only_what_fits_can_be_done() -> None:
    """History cannot be deleted, and what was not deleted cannot be restored."""
    with pytest.raises(UsageError):
        restore(RECORD, scope=SCOPE, now=NOW)
    with pytest.raises(UsageError):
        delete(attrs.evolve(RECORD, status=Status.SUPERSEDED), scope=SCOPE, now=NOW)
