"""The views that are read off the records: the order of records is nothing, and silence only takes away."""

from __future__ import annotations

from datetime import date, timezone
from random import Random

import attrs
from hypothesis import given
from hypothesis import strategies as st

from builders import NOW, guard
from cmemory.domain.evidence.suppression import entities_of
from cmemory.domain.forget.erase import ByEntity, Holdings, erase
from cmemory.domain.model.changes import Changes
from cmemory.domain.model.record import AnyRecord
from cmemory.domain.plan.digest import Digest, digest
from cmemory.domain.plan.people import Entity, entities
from cmemory.domain.plan.telling import Telling
from cmemory.domain.policy import GOVERNED
from cmemory.domain.text.normal import canonical
from cmemory.domain.time.calendar import CivilSpan, SpanKind
from strategies import scopes_of_records

SPAN = CivilSpan.around(date(2026, 3, 1), SpanKind.WEEK)


def telling(records: list[AnyRecord], forgotten: tuple[str, ...] = ()) -> Telling:
    return Telling.of(records, guard=guard(entities=forgotten), now=NOW)


def people(
    records: list[AnyRecord], forgotten: tuple[str, ...] = (), *, everything: bool = False
) -> tuple[Entity, ...]:
    return entities(telling(records, forgotten), {}, everything=everything)


def look(records: list[AnyRecord], forgotten: tuple[str, ...] = ()) -> Digest:
    return digest(telling(records, forgotten), (), (), span=SPAN, zone=timezone.utc)


def ids_in(found: tuple[Entity, ...], made: Digest) -> set[str]:
    """Return the records that either view tells."""
    told = (*made.learned, *made.happened, *made.ahead, *made.felt)
    changed = (one for change in made.changed for one in (change.before, change.after) if one is not None)
    return {
        *(said.record_id for one in found for said in one.said),
        *(one.record_id for one in (*told, *changed)),
    }


@given(scopes_of_records(), st.randoms(use_true_random=False))
def test_the_order_of_records_is_nothing(records: list[AnyRecord], chance: Random) -> None:
    """Whatever comes first, the views are equal to the last tie."""
    other = list(records)
    chance.shuffle(other)
    assert (people(records, everything=True), look(records)) == (people(other, everything=True), look(other))


@given(scopes_of_records(), st.integers(0, 13))
def test_muting_only_takes_away(records: list[AnyRecord], at: int) -> None:
    """What is muted is told nowhere, and nothing is told that was not told before."""
    before = ids_in(people(records), look(records))
    quiet = [
        attrs.evolve(one, salience=attrs.evolve(one.salience, muted=True)) if no == at else one
        for no, one in enumerate(records)
    ]
    muted = {one.id for no, one in enumerate(records) if no == at}
    # A muted boundary stands, so nothing comes out from behind it.
    assert before - muted == ids_in(people(quiet), look(quiet))


@given(scopes_of_records())
def test_what_a_host_sees_is_what_the_owner_sees_unmarked(records: list[AnyRecord]) -> None:
    """The owner sees the same records and more of them, and every mark is one that the host lacks."""
    host = {said.record_id for one in people(records) for said in one.said}
    owner = {said.record_id: said.untold for one in people(records, everything=True) for said in one.said}
    assert host == {name for name, why in owner.items() if why is None}


@given(scopes_of_records(), st.sampled_from(["mia", "ＭＩＡ", "妈 妈"]))
def test_whoever_is_forgotten_is_in_no_view(records: list[AnyRecord], name: str) -> None:
    """Neither while the suppression alone hides them, nor when the records are gone."""
    about = {one.id for one in records if canonical(name) in map(canonical, entities_of(one.body))}
    holdings = Holdings(records=tuple(records), messages={}, guard=guard())
    _, changes = erase(ByEntity(name), holdings, now=NOW, policy=GOVERNED)
    for left in (records, _after(records, changes)):
        found = people(left, (name,), everything=True)
        assert canonical(name) not in {
            canonical(one) for entity in found for one in (entity.name, *entity.also)
        }
        assert about.isdisjoint(ids_in(found, look(left, (name,))))


def _after(records: list[AnyRecord], changes: Changes) -> list[AnyRecord]:
    gone = frozenset(changes.erase_records)
    changed = {one.id: one for one in changes.records}
    return [changed.get(one.id, one) for one in records if one.id not in gone]
