"""Counts tokens anew, as the library promises to count them, without asking the library."""

from __future__ import annotations

import math


def counted(text: str) -> int:
    """Return the tokens of a text: a third for an ASCII character, one for a Chinese one, two for any other, rounded up."""
    kinds = [
        1 / 3 if ch < "\x80" else 1 if "\u3400" <= ch <= "\u9fff" or "\uf900" <= ch <= "\ufaff" else 2
        for ch in text
    ]
    return math.ceil(round(sum(kinds), 6))
