"""Topics, index terms and the tokens by which texts are compared."""

from __future__ import annotations

import pytest
import snowballstemmer

from cmemory.domain.text.tokens import (
    cjk_characters,
    contains_word,
    index_terms,
    is_cjk,
    jaccard,
    residue_tokens,
    stem,
    topic_pairs,
    topic_words,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("签证结果", {"签证", "证结", "结果"}),
        ("签 证", {"签证"}),
        ("签，证", set()),
        ("签a证", set()),
        ("今天", set()),
        ("我们，什么", set()),
        ("猫", set()),
        ("", set()),
        ("さくら サクラ 사과", set()),
        ("楼下那只三花猫", {"楼下", "下那", "那只", "只三", "三花", "花猫"}),
    ],
)
def test_topic_pairs(text: str, expected: set[str]) -> None:
    """A topic is two adjacent Chinese characters that are neither both grammar nor a generic pair."""
    assert expected == topic_pairs(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I'm still waiting on the cello audition", {"wait", "cello", "audit"}),
        ("What should I do today?", set()),
        ("my sister's wedding", {"sister", "wed"}),
        ("It is 12345", set()),
        ("go to bo", set()),
        ("naïve café", {"naïv", "café"}),
        ("Москва", {"москва"}),
    ],
)
def test_topic_words(text: str, expected: set[str]) -> None:
    """A topic is the stem of a word of three letters or more that is no stop word and no bare number."""
    assert expected == topic_words(text)


@pytest.mark.parametrize(
    ("haystack", "needle", "expected"),
    [
        ("the category", "cat", False),
        ("my cat sleeps", "cat", True),
        ("category of my cat", "cat", True),
        ("养了猫咪", "猫咪", True),
        ("我叫nora呀", "nora", True),
        ("anna and ann", "ann", True),
        ("room 12", "2", False),
        ("cat", "dog", False),
        ("c++ is fun", "c++", True),
        ("école", "cole", False),
    ],
)
def test_latin_words_are_found_whole(haystack: str, needle: str, expected: bool) -> None:
    """Latin edges count at word boundaries only; Chinese has none."""
    assert expected is contains_word(haystack, needle)


@pytest.mark.parametrize(
    ("ch", "expected"),
    [("猫", True), ("㐀", True), ("a", False), ("，", False), ("か", False), ("가", False)],
)
def test_chinese_characters(ch: str, expected: bool) -> None:
    """Kana, hangul and full-width punctuation are not Chinese characters."""
    assert expected is is_cjk(ch)


def test_grammar_is_not_counted_as_a_character() -> None:
    """Only characters that can mean something on their own are compared."""
    assert {"猫"} == cjk_characters("我想聊聊猫")


def test_index_terms_keep_everything() -> None:
    """A text is found by stems, and by Chinese characters and pairs, repeats included."""
    assert ["wait", "审", "批", "审批"] == index_terms("Waiting 审批")
    assert ["cat", "cat"] == index_terms("cats cat")


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("i am anxious about work deadlines", "i am anxious about work.", 5 / 6),
        ("i am anxious about work deadlines", "i feel anxious about work deadlines.", 5 / 7),
        ("i am anxious about work deadlines", "we discussed work deadlines.", 2 / 8),
        ("", "", 0.0),
        ("花", "花", 1.0),
    ],
)
def test_wording_overlap(one: str, other: str, expected: float) -> None:
    """Overlap is shared tokens over all tokens."""
    assert expected == pytest.approx(jaccard(residue_tokens(one), residue_tokens(other)))


def test_residue_tokens_pair_what_is_not_ascii() -> None:
    """Latin runs stay whole, everything else becomes overlapping pairs, punctuation included."""
    assert {"lake", "蓝湖", "湖。"} == residue_tokens("lake 蓝湖。")
    assert {"湖"} == residue_tokens("湖")


def test_stems_are_english() -> None:
    """Inflected forms of a word share a stem; other scripts pass."""
    assert stem("walking") == stem("walked") == "walk"
    assert "猫" == stem("猫")


def test_numbers_are_their_own_stems() -> None:
    """The stemmer would say the same, at its price."""
    plain = snowballstemmer.stemmer("english")
    for number in ("0", "7", "10", "2026", "10001", "00", "9" * 40):
        assert number == stem(number) == plain.stemWord(number)
