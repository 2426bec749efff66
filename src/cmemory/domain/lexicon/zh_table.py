"""How the Chinese word tables are written: words parted by spaces."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType


def words(text: str) -> tuple[str, ...]:
    """Return the words of a table."""
    return tuple(text.split())


def tokens(*rows: tuple[str, str]) -> Mapping[str, str]:
    """Return word → token for rows of a token and its words."""
    return MappingProxyType({word: token for token, text in rows for word in words(text)})
