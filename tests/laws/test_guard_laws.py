"""The guard: what was erased is known in any disguise, and nothing else is banned."""

from __future__ import annotations

from hypothesis import assume, given
from hypothesis import strategies as st
from test_form_laws import disguises

from builders import NOW, claim, episode, guard
from cmemory.domain.evidence.suppression import Ban, Guard, fingerprints_of
from cmemory.domain.model.record import AnyRecord
from cmemory.domain.predicates.registry import PREDICATES, ValueKind
from cmemory.domain.text.normal import canonical
from strategies import WORDS

FREE = [row.key for row in PREDICATES.values() if row.kind is ValueKind.TEXT]
ENUMS = [(row.key, token) for row in PREDICATES.values() for token in row.enum_values]
KEYS = st.sampled_from(FREE)


def after_forgetting(*records: AnyRecord) -> Guard:
    return guard(
        fingerprints=[one for record in records for one in fingerprints_of(record, guard(), now=NOW)]
    )


def banned(one: Guard, record: AnyRecord) -> bool:
    return one.ban(record.body, record_id="claim-new") is Ban.CONTENT  # type: ignore[arg-type]


@given(KEYS, disguises())
def test_an_erased_text_is_known_in_any_disguise(key: str, pair: tuple[str, str]) -> None:
    """Under its own key a forgotten value never comes back, as value or as wording."""
    text, disguise = pair
    one = after_forgetting(claim(key, text))
    assert banned(one, claim(key, disguise))
    assert banned(one, claim(key, "something else", raw=disguise))


@given(KEYS, KEYS, disguises())
def test_longer_texts_are_banned_under_every_text_key(key: str, other: str, pair: tuple[str, str]) -> None:
    """From two characters on, a forgotten text may not return under another key either."""
    text, disguise = pair
    assume(len(canonical(text)) >= 2)
    assert banned(after_forgetting(claim(key, text)), claim(other, disguise))


@given(KEYS, KEYS, st.sampled_from("琴xY🙂8"))
def test_a_single_character_is_banned_under_its_own_key_only(key: str, other: str, text: str) -> None:
    """One character says nothing about other keys."""
    assert (key == other) is banned(after_forgetting(claim(key, text)), claim(other, text))


@given(st.sampled_from(ENUMS), st.sampled_from(ENUMS), st.one_of(st.none(), WORDS))
def test_a_token_is_banned_under_its_own_key_only(
    gone: tuple[str, str], new: tuple[str, str], wording: str | None
) -> None:
    """Forgetting a token, however it was worded, bans that key's token and no other key."""
    one = after_forgetting(claim(*gone, raw=wording, entity="Mia"))
    assert (gone == new) is banned(one, claim(*new, entity="Mia"))
    if gone[0] != new[0]:
        assert not banned(one, claim(*new, raw=wording, entity="Mia"))


@given(KEYS, WORDS, WORDS)
def test_other_texts_are_not_banned(key: str, gone: str, new: str) -> None:
    """A text is banned only when it is the forgotten one in other type."""
    assert (canonical(gone) == canonical(new)) is banned(after_forgetting(claim(key, gone)), claim(key, new))


@given(disguises(), WORDS)
def test_erased_stories_are_known_in_any_disguise(pair: tuple[str, str], other: str) -> None:
    """The same holds for what happened; a claim with the same words is another matter of its own keys."""
    text, disguise = pair
    one = after_forgetting(episode(text))
    assert banned(one, episode(disguise))
    assert (canonical(text) == canonical(other)) is banned(one, episode(other))
