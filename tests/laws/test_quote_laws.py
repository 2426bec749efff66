"""Quotes against a naive oracle, and blotting that moves nothing."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cmemory.domain.evidence.quote import check, locate, quote_at
from cmemory.domain.evidence.redaction import BLOT, blot_spans, blot_words
from cmemory.domain.model.candidate import Reason
from cmemory.domain.model.message import Quote
from strategies import CROWDED_TEXTS, TEXTS

ANY = st.one_of(TEXTS, CROWDED_TEXTS, st.text(st.sampled_from("哈a🙂"), max_size=12))


def oracle(text: str, quote: Quote) -> Reason | None:
    """Say the rule in the slowest way: walk over every byte position."""
    encoded, wanted = text.encode(), quote.text.encode("utf-8", "surrogatepass")
    inside = 0 <= quote.start <= quote.end <= len(encoded)
    if not quote.text.strip() or not inside or encoded[quote.start : quote.end] != wanted:
        return Reason.SPAN_MISMATCH
    places = [at for at in range(len(encoded)) if encoded[at : at + len(wanted)] == wanted]
    return None if [quote.start] == places else Reason.AMBIGUOUS_QUOTE


@st.composite
def quotes(draw: st.DrawFn) -> tuple[str, Quote]:
    """Draw a text with a quote that is right, nearly right, or wrong."""
    text = draw(ANY)
    size = len(text.encode())
    edges = st.sampled_from([len(text[:at].encode()) for at in range(len(text) + 1)])
    offset = st.one_of(edges, edges, st.integers(-4, size + 1))
    start, end = draw(offset), draw(offset)
    words = draw(
        st.one_of(
            st.just(text.encode()[max(start, 0) : max(end, 0)].decode("utf-8", "ignore")), st.text(max_size=3)
        )
    )
    return text, Quote(start=start, end=end, text=words)


@given(quotes())
def test_check_agrees_with_the_oracle(case: tuple[str, Quote]) -> None:
    """A quote proves its place exactly when the bytes agree there and nowhere else."""
    text, quote = case
    assert oracle(text, quote) is check(text, quote)


@st.composite
def stretches(draw: st.DrawFn) -> tuple[str, int, int]:
    text = draw(ANY)
    start = draw(st.integers(0, len(text)))
    return text, start, draw(st.integers(start, len(text)))


@given(stretches())
def test_a_stretch_of_a_text_is_quoted_at_its_place(case: tuple[str, int, int]) -> None:
    """Cutting the bytes of a quote gives the stretch it was made from."""
    text, start, end = case
    quote = quote_at(text, start, end)
    assert text[start:end] == quote.text == text.encode()[quote.start : quote.end].decode()


@given(stretches())
def test_what_is_located_verifies(case: tuple[str, int, int]) -> None:
    """Words taken from a text are found and verify, unless they are blank or stand there twice."""
    text, start, end = case
    words = text[start:end].strip()
    found = locate(text, text[start:end])
    if not words:
        assert found is Reason.SPAN_MISMATCH
    elif sum(text.startswith(words, at) for at in range(len(text))) > 1:
        assert found is Reason.AMBIGUOUS_QUOTE
    else:
        assert isinstance(found, Quote)
        assert check(text, found) is None


@st.composite
def blottings(draw: st.DrawFn) -> tuple[str, list[tuple[int, int]], list[tuple[int, int]]]:
    """Draw a text with spans to blot and spans to protect, both along its characters."""
    text = draw(ANY)
    edges = [len(text[:at].encode()) for at in range(len(text) + 1)]
    span = st.tuples(st.sampled_from(edges), st.sampled_from(edges)).map(lambda pair: (min(pair), max(pair)))
    return text, draw(st.lists(span, max_size=3)), draw(st.lists(span, max_size=2))


@given(blottings())
def test_blotting_keeps_every_other_byte(
    case: tuple[str, list[tuple[int, int]], list[tuple[int, int]]],
) -> None:
    """Bytes inside the spans and outside the protected ones are blotted, all others stay in place."""
    text, spans, protected = case
    before, after = text.encode(), blot_spans(text, spans, protected).encode()

    def inside(at: int, ranges: list[tuple[int, int]]) -> bool:
        return any(start <= at < end for start, end in ranges)

    expected = bytes(
        ord(BLOT) if inside(at, spans) and not inside(at, protected) else byte
        for at, byte in enumerate(before)
    )
    assert expected == after


@given(ANY, st.lists(st.sampled_from(["哈", "a", "ab", "猫", "天m", "今天", "🙂"]), max_size=3))
def test_blotting_words_keeps_the_length(text: str, words: list[str]) -> None:
    """However words are blotted, every byte keeps its place, and no Chinese word is left."""
    after = blot_words(text, words)
    assert len(text.encode()) == len(after.encode())
    assert not any(word in after for word in words if not word.isascii() and word[-1] not in "m")
