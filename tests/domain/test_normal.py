"""Forms of a text: for equality, against disguise, and safe to show."""

from __future__ import annotations

import pytest

from cmemory.domain.text.normal import canonical, fold, is_well_formed, visible


@pytest.mark.parametrize(
    ("text", "expected"),
    [("  New \t York ", "new york"), ("学\u3000琴", "学 琴"), ("", ""), (" \n ", ""), ("ÉCOLE", "école")],
)
def test_fold(text: str, expected: str) -> None:
    """White space collapses, edges go, case goes; nothing else."""
    assert expected == fold(text)


@pytest.mark.parametrize(
    "disguise",
    [
        "LIN YUE",
        "Ｌｉｎ Ｙｕｅ",
        "l\u200bi\u200cn\u2060yue",
        "lin\u00a0yue",
        "L.i.n-Y_u_e!",
        "l\u0456n yu\u0435",
        "𝓵𝓲𝓷 𝔂𝓾𝓮",
        "lín yüè",
        "\ufefflinyue\u202e",
        "l\ufe0fi\ufe0fnyue",
        "ⓛⓘⓝⓨⓤⓔ",
    ],
)
def test_no_disguise_escapes_the_canonical_form(disguise: str) -> None:
    """Width, case, spaces, invisible characters, accents, styles and look-alikes all mean the same text."""
    assert "linyue" == canonical(disguise)


@pytest.mark.parametrize("disguise", ["林 越", "林\u200b越", "「林越」", "林\n越。", "林\ufe00越"])
def test_chinese_disguises_are_seen_through(disguise: str) -> None:
    """Spaces, invisible characters and punctuation do not change a Chinese name."""
    assert canonical("林越") == canonical(disguise)


@pytest.mark.parametrize(
    ("one", "other"), [("猫", "狗"), ("c++", "c"), ("🙂", "🙃"), ("1", "2"), ("Ann", "Anna")]
)
def test_different_things_stay_different(one: str, other: str) -> None:
    """Symbols and digits carry meaning."""
    assert canonical(one) != canonical(other)


def test_lone_surrogates_are_told() -> None:
    """A text with half a character cannot be stored."""
    assert is_well_formed("好 🙂")
    assert not is_well_formed("a\ud83d")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("one\ntwo\r\n three", "one two three"),
        ("a\x00b\x1bc\x7fd", "abcd"),
        ("\u202eabc\u2066d\u2069", "abcd"),
        ("👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧"),
        ("❤\ufe0f", "❤\ufe0f"),
        ("a\u2028b\u0085c", "a b c"),
        ("  \t ", ""),
        ("a\ud800b", "ab"),
        ("a\uffff\ufffeb", "ab"),
    ],
)
def test_what_is_shown_stands_on_one_line(text: str, expected: str) -> None:
    """Line breaks become spaces; controls, direction marks and unpaired halves go; emoji stay whole."""
    assert expected == visible(text)
