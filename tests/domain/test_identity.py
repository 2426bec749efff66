"""Which claims share a slot."""

from __future__ import annotations

import pytest

from builders import claim
from cmemory.domain.predicates.identity import read_qualifiers, readable_slot, slot_key, slot_of
from cmemory.domain.predicates.registry import PREDICATES

PLACE = PREDICATES["identity.location"]
LENGTH = PREDICATES["communication.verbosity"]
NAME = PREDICATES["identity.name"]


@pytest.mark.parametrize("raw", [None, {}])
@pytest.mark.parametrize("row", [PLACE, LENGTH, NAME])
def test_no_qualifiers_are_always_fine(row: object, raw: object) -> None:
    """Absent, null and an empty object mean the same."""
    assert () == read_qualifiers(row, raw)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("row", "context"),
    [(PLACE, "current"), (PLACE, "home"), (PLACE, "work"), (LENGTH, "work"), (LENGTH, "casual")],
)
def test_listed_contexts_are_read(row: object, context: str) -> None:
    """The contexts a row lists are its qualifiers."""
    assert (("context", context),) == read_qualifiers(row, {"context": context})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("row", "raw"),
    [
        (PLACE, {"context": "casual"}),
        (PLACE, {"context": "Home"}),
        (PLACE, {"context": None}),
        (PLACE, {"context": 1}),
        (PLACE, {"use": "home"}),
        (PLACE, {"context": "home", "use": "x"}),
        (PLACE, {1: "home"}),
        (PLACE, "home"),
        (PLACE, ["context", "home"]),
        (PLACE, 0),
        (LENGTH, {"context": "home"}),
        (NAME, {"context": "work"}),
        (NAME, {"a": "b"}),
    ],
)
def test_invented_qualifiers_break_the_contract(row: object, raw: object) -> None:
    """Unknown keys, unlisted or other values and non-objects are refused: they would make parallel slots."""
    assert read_qualifiers(row, raw) is None  # type: ignore[arg-type]


def test_slot_key_is_compact_json() -> None:
    """The key holds predicate, entity and qualifiers, and nothing of the value."""
    assert '["identity.name",null,{}]' == slot_key("identity.name", None, ())
    assert '["person.name","妈妈",{}]' == slot_key("person.name", "妈妈", ())
    key = slot_of(claim("identity.location", "上海", entity="上海", context="home").body)
    assert '["identity.location","上海",{"context":"home"}]' == key


def test_no_entity_is_not_an_empty_entity() -> None:
    """A missing entity and one of no characters are two slots."""
    assert slot_key("misc.unclassified", None, ()) != slot_key("misc.unclassified", "", ())


def test_characters_cannot_join_two_slots() -> None:
    """Delimiters inside a name never make two slots one."""
    one = slot_key("person.name", 'a",{"context":"b', ())
    other = slot_key("person.name", "a", (("context", "b"),))
    assert one != other


def test_value_time_and_weight_are_no_part_of_the_slot() -> None:
    """Two values of one fact share a slot; two contexts do not."""
    one, other = claim("identity.name", "阿橙"), claim("identity.name", "Nora", confidence=0.1)
    assert slot_of(one.body) == slot_of(other.body)
    work = claim("communication.verbosity", "long", context="work").body
    casual = claim("communication.verbosity", "short", context="casual").body
    assert slot_of(work) != slot_of(casual)


def test_readable_slot_is_for_people() -> None:
    """The diagnostic form names entity and qualifiers without quotes."""
    place = claim("identity.location", "shanghai", entity="shanghai", context="work")
    assert "identity.location@shanghai{context=work}" == readable_slot(place.body)
    assert "identity.name" == readable_slot(claim("identity.name", "Nora").body)
