"""Identities: different things never share a key."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from cmemory.domain.model.ids import derive_id
from cmemory.domain.model.scope import Scope
from cmemory.domain.predicates.identity import slot_key
from strategies import TEXTS, WILD_TEXTS

TRICKY = st.one_of(TEXTS, st.text(st.sampled_from('",[]{}:\\null '), max_size=8))
CONTEXTS = st.one_of(st.just(()), TRICKY.map(lambda value: (("context", value),)))
SLOTS = st.tuples(TRICKY, st.one_of(st.none(), TRICKY), CONTEXTS)
PARTS = st.lists(st.one_of(WILD_TEXTS, st.text(st.sampled_from("ab1:"), max_size=4)), max_size=4)


@given(SLOTS, SLOTS)
def test_slot_keys_are_injective(
    one: tuple[str, None, tuple[()]], other: tuple[str, None, tuple[()]]
) -> None:
    """Two slots share a key only when they are the same slot."""
    assert (one == other) is (slot_key(*one) == slot_key(*other))


@given(SLOTS)
def test_a_slot_key_can_be_read_back(slot: tuple[str, None, tuple[()]]) -> None:
    """The key is JSON of predicate, entity and qualifiers."""
    predicate, entity, qualifiers = json.loads(slot_key(*slot))
    assert slot == (predicate, entity, tuple(qualifiers.items()))
    spelt = json.dumps([predicate, entity, qualifiers], ensure_ascii=False, separators=(",", ":"))
    assert spelt == slot_key(*slot)


@given(PARTS, PARTS, st.sampled_from(["a", "b"]), st.sampled_from(["a", "b"]))
def test_derived_ids_are_injective(one: list[str], other: list[str], kind: str, second: str) -> None:
    """Different parts, or the same characters cut differently, give different ids; equal ones the same."""
    assert ((kind, one) == (second, other)) is (derive_id(kind, *one) == derive_id(second, *other))


NAMES = st.text(st.sampled_from('ab",[]\\'), min_size=1, max_size=4)


@given(st.tuples(NAMES, NAMES, NAMES), st.tuples(NAMES, NAMES, NAMES))
def test_scope_keys_are_injective(one: tuple[str, str, str], other: tuple[str, str, str]) -> None:
    """Two relationships share a key only when all three parts agree."""

    def key(parts: tuple[str, str, str]) -> str:
        return Scope(service=parts[0], owner=parts[1], profile=parts[2]).key

    assert (one == other) is (key(one) == key(other))
