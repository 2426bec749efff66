"""Tokens, hashes and vectors, against the published values."""

from __future__ import annotations

import sys
import unicodedata

import pytest

from cmemory.domain.text.normal import compact, shortened
from cmemory.domain.text.tokens import TOKEN_RUN, bag_tokens
from cmemory.domain.text.vectors import Rarity, cosine, hash32, stable_hash, vector_of
from cmemory.domain.text.view import scoring_view


def vector(text: str) -> dict[int, float]:
    return dict(vector_of(bag_tokens(text, final_stops=True), dimensions=192))


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Hello, World! Don't panic.", "hello world don t panic."),
        ("端口：8247。", "端 端口 口 口: : :8 8 82 2 24 4 47 7"),
        ("Rex住在3楼", "r re e ex x x住 住 住在 在 在3 3 3楼 楼"),
        ("我喜欢绿茶", "我 我喜 喜 喜欢 欢 欢绿 绿 绿茶 茶"),
        ("ＡＢＣ　１２", "abc 12"),
        ("コーヒー", "コ コー ー ーヒ ヒ ヒー ー"),
        ("한국 v1.5 a@b.c foo-bar", "한 한국 국 v1.5 a@b.c foo-bar"),
        ("", ""),
        ("!?。", ""),
        ("𠮷野", "𠮷 𠮷野 野"),
    ],
)
def test_tokens_as_published(text: str, tokens: str) -> None:
    assert tokens.split() == bag_tokens(text, final_stops=True)


def test_letters_and_numbers_are_those_of_unicode() -> None:
    """Every code point: a letter or a number by its category belongs to a token, and nothing else but seven marks."""
    everything = map(chr, [*range(0xD800), *range(0xE000, sys.maxunicode + 1)])
    odd = [
        ch
        for ch in everything
        if bool(TOKEN_RUN.match(ch)) != (ch in "_./:@\\-" or unicodedata.category(ch)[0] in "LN")
    ]
    assert odd == []


def test_a_stop_behind_a_word_is_the_sentences() -> None:
    """Decision 2: "port" and "port." are one word; a number keeps the point inside it, and a lone mark is no token."""
    assert bag_tokens("The port. It is v1.5. - Yes:") == ["the", "port", "it", "is", "v1.5", "yes"]


@pytest.mark.parametrize(
    ("text", "digits", "place"),
    [
        ("", "811c9dc59e3779b9", 133),
        ("a", "e40c292ce954cf08", 172),
        ("cedar", "711cce3c2fb12ba8", 188),
        ("port", "7be412a6d83f3caa", 166),
        ("记忆", "9b9e4dcb8ae6b617", 11),
        ("hello world", "d58b3fa773ce8683", 39),
    ],
)
def test_hashes_as_published(text: str, digits: str, place: int) -> None:
    assert digits == stable_hash(text)
    assert place == hash32(text, 0x811C9DC5) % 192


def test_vectors_as_published() -> None:
    third = pytest.approx(1 / 3)
    assert vector("green tea") == {
        41: pytest.approx(-0.707107, abs=1e-6),
        124: pytest.approx(0.707107, abs=1e-6),
    }
    assert vector("tea tea green") == {
        41: pytest.approx(-0.894427, abs=1e-6),
        124: pytest.approx(0.447214, abs=1e-6),
    }
    signs = {place: value > 0 for place, value in vector("我喜欢绿茶").items()}
    assert signs == {
        **dict.fromkeys((46, 78, 160, 168, 188), True),
        **dict.fromkeys((37, 73, 123, 155), False),
    }
    assert all(abs(value) == third for value in vector("我喜欢绿茶").values())
    assert vector("") == {}


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("green tea", "I like green tea.", 0.353553),
        ("green tea", "I like green tea", 0.707107),
        ("我喜欢绿茶", "我爱喝绿茶", 0.444444),
        ("green tea", "", 0),
    ],
)
def test_cosines_as_published(one: str, other: str, alike: float) -> None:
    assert alike == pytest.approx(cosine(vector(one), vector(other)), abs=1e-6)


def test_rare_words_count_more() -> None:
    """Coverage and overlap of the published example."""
    corpus = [
        frozenset(bag_tokens(scoring_view(text), final_stops=True))
        for text in (
            "The Juniper gateway port is 4410.",
            "The Alder gateway port is 5520.",
            "I like green tea.",
        )
    ]
    rarity, query = Rarity.of(corpus), frozenset(bag_tokens("Juniper gateway port"))
    assert [1, 0.603340, 0] == [pytest.approx(rarity.coverage(query, text), abs=1e-6) for text in corpus]
    assert [0.715994, 0.336438, 0] == [
        pytest.approx(rarity.overlap(query, text), abs=1e-6) for text in corpus
    ]
    assert rarity.coverage(frozenset(), corpus[0]) == 0
    assert rarity.overlap(frozenset(), frozenset()) == 0
    assert rarity.weight("茶") == rarity.weight("茶茶") / 4


def test_white_space_is_that_of_ecmascript() -> None:
    """Decision 1: a byte order mark is a space, and an information separator is none."""
    assert compact("a\ufeff\u3000b\u2003") == "a b"
    assert compact("a\x1cb\x85c") == "a\x1cb\x85c"


@pytest.mark.parametrize(
    ("length", "limit", "head", "sizes"),
    [(800, 800, 0.72, None), (900, 800, 0.72, (576, 223)), (9, 1, 0.5, (0, 0))],
)
def test_long_texts_keep_head_and_tail(
    length: int, limit: int, head: float, sizes: tuple[int, int] | None
) -> None:
    text = "".join(chr(0x4E00 + at) for at in range(length))
    cut = shortened(text, limit, head=head)
    if sizes is None:
        assert cut == text
    else:
        front, back = sizes
        assert cut == text[:front] + "…" + text[length - back :]
        assert len(cut) == limit
