"""Cuts that fall between what a reader sees as characters, and never inside one."""

from __future__ import annotations

import unicodedata

_JOINER = "\u200d"
_ELLIPSIS = "…"


def clip(text: str, limit: int) -> str:
    """Return the text in at most so many code points, ending in an ellipsis where something is missing.

    Args:
        text: what is cut.
        limit: code points at most, 0 or more.

    >>> clip("family 👨‍👩‍👧 trip", 11), clip("cafe\u0301s", 5), clip("short", 5)
    ('family …', 'caf…', 'short')
    """
    if len(text) <= limit:
        return text
    at = limit - len(_ELLIPSIS)
    while at > 0 and not breaks(text, at):
        at -= 1
    return text[:at] + _ELLIPSIS if at > 0 else ""


def breaks(text: str, at: int) -> bool:
    """Tell whether a text may be cut between two code points.

    It may not before a mark or a modifier, at a joiner, between the two letters of a flag, or inside a Hangul syllable or
    a line break. This errs on the side of keeping together.
    """
    if not 0 < at < len(text):
        return True
    before, after = text[at - 1], text[at]
    if _JOINER in (before, after) or unicodedata.category(after)[0] == "M" or _modifies(after):
        return False
    if _is_flag(before) and _is_flag(after):
        return _flags_before(text, at) % 2 == 0
    return not (_is_jamo(before) and _is_jamo(after)) and before + after != "\r\n"


def _modifies(ch: str) -> bool:
    # Skin tones, and the tags that make the flags of regions.
    return "\U0001f3fb" <= ch <= "\U0001f3ff" or "\U000e0020" <= ch <= "\U000e007f"


def _is_flag(ch: str) -> bool:
    return "\U0001f1e6" <= ch <= "\U0001f1ff"


def _flags_before(text: str, at: int) -> int:
    start = at
    while start > 0 and _is_flag(text[start - 1]):
        start -= 1
    return at - start


def _is_jamo(ch: str) -> bool:
    return "\u1100" <= ch <= "\u11ff" or "\uac00" <= ch <= "\ud7a3"
