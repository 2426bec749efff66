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


def blotted_in_either(one: str, other: str) -> str:
    """Return a message with everything blotted out that is so in either of its states; of two messages, the other one.

    >>> blotted_in_either("Ann and ***", "*** and Tom")
    '*** and ***'
    """
    left, right = one.encode("utf-8"), other.encode("utf-8")
    blot = ord(BLOT)
    fits = len(left) == len(right) and all(a == b or blot in (a, b) for a, b in zip(left, right, strict=True))
    if not fits:
        return other
    return bytes(blot if blot in pair else pair[0] for pair in zip(left, right, strict=True)).decode("utf-8")


def _as_word(wording: str) -> re.Pattern[str]:
    left = r"(?<![0-9A-Za-z])" if wording[0].isascii() and wording[0].isalnum() else ""
    right = r"(?![0-9A-Za-z])" if wording[-1].isascii() and wording[-1].isalnum() else ""
    return re.compile(left + re.escape(wording) + right, re.IGNORECASE)
