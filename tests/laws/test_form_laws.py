"""Forms of a text: stable, and the same for every disguise."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from cmemory.domain.lexicon.lookalikes import LOOKALIKES
from cmemory.domain.predicates.values import equivalent, normal_value
from cmemory.domain.text.normal import canonical, fold, is_well_formed, visible
from strategies import CROWDED_TEXTS, TEXTS, WILD_TEXTS, WORDS

INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff\u00ad\u034f\ufe0f\u202e\u0301"
LATIN = {latin: other for other, latin in LOOKALIKES.items()}
ANY = st.one_of(TEXTS, CROWDED_TEXTS)


def disguised(draw: st.DrawFn, ch: str) -> str:
    """Return a character in other type: case, width, look-alike, with invisible company."""
    forms = [ch, ch.upper(), ch.lower(), LATIN.get(ch.lower(), ch)]
    if "!" <= ch <= "~":
        forms.append(chr(ord(ch) + 0xFEE0))
    return draw(st.sampled_from(forms)) + draw(
        st.sampled_from(["", "", "", " ", "\u3000", ".", "，", *INVISIBLE])
    )


@st.composite
def disguises(draw: st.DrawFn) -> tuple[str, str]:
    """Draw a text and one of its disguises."""
    text = draw(WORDS)
    return text, "".join(disguised(draw, ch) for ch in text)


@given(ANY)
def test_fold_is_idempotent(text: str) -> None:
    """A folded text folds to itself and stands on one line without edges."""
    folded = fold(text)
    assert folded == fold(folded) == folded.strip()
    assert "  " not in folded


@given(ANY)
def test_canonical_is_idempotent(text: str) -> None:
    """The canonical form of a canonical form is itself."""
    assert canonical(text) == canonical(canonical(text))


@given(disguises())
def test_canonical_survives_disguise(pair: tuple[str, str]) -> None:
    """Width, case, invisible characters, punctuation and look-alikes never make another text."""
    text, disguise = pair
    assert canonical(text) == canonical(disguise)


@given(ANY)
def test_normal_forms_of_unicode_do_not_matter(text: str) -> None:
    """Composed or decomposed, compatible or not, it is the same text."""
    assert {canonical(text)} == {
        canonical(unicodedata.normalize(form, text)) for form in ("NFC", "NFD", "NFKC", "NFKD")
    }


@given(ANY, ANY, ANY)
def test_equal_values_are_an_equivalence(a: str, b: str, c: str) -> None:
    """Equality of values is reflexive, symmetric and transitive."""
    assert equivalent(a, a)
    assert equivalent(a, b) is equivalent(b, a)
    if equivalent(a, b) and equivalent(b, c):
        assert equivalent(a, c)


@given(st.one_of(ANY, st.integers(), st.floats(allow_nan=False, allow_infinity=False)))
def test_a_value_equals_its_normal_form(value: object) -> None:
    """Comparing by normal forms and comparing normal forms is the same."""
    assert normal_value(value) == normal_value(normal_value(value))


@given(WILD_TEXTS)
def test_what_is_shown_is_stable_and_on_one_line(text: str) -> None:
    """A text that may be shown is shown unchanged, encodes, and has no line breaks or controls."""
    shown = visible(text)
    assert shown == visible(shown)
    assert is_well_formed(shown)
    assert len(shown.splitlines()) <= 1
    assert not any(unicodedata.category(ch) == "Cc" for ch in shown)
