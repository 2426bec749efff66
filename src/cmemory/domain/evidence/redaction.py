"""Blots words out of a message without moving anything else: every byte becomes one ASCII character.

All other quotes of the message keep their byte offsets.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

#: Stands for one byte of what was said.
BLOT = "*"

Span = tuple[int, int]


def blot_spans(text: str, spans: Iterable[Span], protected: Iterable[Span] = ()) -> str:
    """Return the text with the bytes of the spans blotted out, except where a protected span covers them.

    Spans count UTF-8 bytes and never cut a character.
    """
    encoded = bytearray(text.encode("utf-8"))
    held = bytearray(len(encoded))
    for start, end in protected:
        held[start:end] = b"\x01" * (end - start)
    for start, end in spans:
        for at in range(start, end):
            if not held[at]:
                encoded[at] = ord(BLOT)
    return encoded.decode("utf-8")


def blot_words(text: str, wordings: Sequence[str]) -> str:
    """Return the text with every occurrence of the wordings blotted out: any case, Latin edges at word boundaries only.

    >>> blot_words("Ann went to Annecy. ANN!", ["ann"])
    '*** went to Annecy. ***!'
    """
    for wording in wordings:
        text = _as_word(wording).sub(lambda found: BLOT * len(found.group().encode("utf-8")), text)
    return text


def _as_word(wording: str) -> re.Pattern[str]:
    left = r"(?<![0-9A-Za-z])" if wording[0].isascii() and wording[0].isalnum() else ""
    right = r"(?![0-9A-Za-z])" if wording[-1].isascii() and wording[-1].isalnum() else ""
    return re.compile(left + re.escape(wording) + right, re.IGNORECASE)
