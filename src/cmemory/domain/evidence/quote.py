"""Whether a quote is really what was said: verbatim, at that place, and nowhere else."""

from __future__ import annotations

from cmemory.domain.model.candidate import Reason
from cmemory.domain.model.message import Quote


def check(text: str, quote: Quote) -> Reason | None:
    """Return why the quote does not prove its place in the text, or None when it does.

    Offsets count UTF-8 bytes. The quote must not be blank, must equal the bytes at its range, and must occur once;
    overlapping repeats count, so 哈哈 is ambiguous in 哈哈哈.
    """
    encoded = text.encode("utf-8")
    wanted = quote.text.encode("utf-8", "surrogatepass")
    if not quote.text.strip() or not 0 <= quote.start <= quote.end <= len(encoded):
        return Reason.SPAN_MISMATCH
    if encoded[quote.start : quote.end] != wanted:
        return Reason.SPAN_MISMATCH
    return Reason.AMBIGUOUS_QUOTE if _occurs_twice(encoded, wanted) else None


def locate(text: str, words: str) -> Quote | Reason:
    """Return where the words stand in the text, or why that cannot be said.

    >>> locate("明天记得给花浇水。", "给花浇水")
    Quote(start=12, end=24, text='给花浇水')
    """
    trimmed = words.strip()
    start = text.find(trimmed)
    if not trimmed or start < 0:
        return Reason.SPAN_MISMATCH
    if text.find(trimmed, start + 1) >= 0:
        return Reason.AMBIGUOUS_QUOTE
    return quote_at(text, start, start + len(trimmed))


def quote_at(text: str, start: int, end: int) -> Quote:
    """Return the quote of a stretch given in code points."""
    first = len(text[:start].encode("utf-8"))
    words = text[start:end]
    return Quote(start=first, end=first + len(words.encode("utf-8")), text=words)


def overlap(one: Quote, other: Quote) -> bool:
    """Tell whether two quotes of one message share any byte."""
    return one.start < other.end and other.start < one.end


def _occurs_twice(encoded: bytes, wanted: bytes) -> bool:
    return encoded.find(wanted, encoded.find(wanted) + 1) >= 0
