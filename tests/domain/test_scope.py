"""Whose memory: what names a relationship, and what does not."""

from __future__ import annotations

from typing import Any

import pytest

from cmemory.domain.errors import UsageError
from cmemory.domain.model.scope import Scope


def scope_with(part: str, value: Any) -> Scope:
    return Scope(**{"service": "shop", "owner": "u-1", "profile": "luna", part: value})


@pytest.mark.parametrize("part", ["service", "owner", "profile"])
@pytest.mark.parametrize(
    "value",
    [
        None,
        42,
        b"u-1",
        "",
        "   ",
        "*",
        "%",
        "?",
        "u-*",
        "*-1",
        "u%",
        "%u",
        "u?",
        "_",
        " _ ",
        "a\nb",
        "a\x00b",
        "a\ud800",
    ],
)
def test_a_part_must_name_exactly_one(part: str, value: object) -> None:
    """No text, blanks, wildcards and unprintable names are refused before anything is read, by name."""
    with pytest.raises(UsageError) as caught:
        scope_with(part, value)
    assert f"scope.{part}" == caught.value.field


@pytest.mark.parametrize("value", ["u-1", "周眠", "a_b", "50%off-user", "who?me", "名 字", "🙂", "x" * 500])
def test_ordinary_names_are_taken(value: str) -> None:
    """Any script, inner punctuation and any length can name somebody."""
    assert value == scope_with("owner", value).owner


def test_the_key_cannot_be_forged() -> None:
    """No choice of characters makes two relationships one."""
    one = Scope(service='a","b', owner="c", profile="d")
    other = Scope(service="a", owner='b","c', profile="d")
    assert '["shop","u-1","月亮"]' == scope_with("profile", "月亮").key
    assert one.key != other.key


def test_equal_parts_are_the_same_relationship() -> None:
    """A scope is its three parts and nothing else."""
    assert scope_with("owner", "u-1") == scope_with("owner", "u-1")
    assert scope_with("owner", "u-1") != scope_with("owner", "U-1")
