"""Forms of a text: the one in which values are compared, the one that no disguise escapes, and what is safe to show."""

from __future__ import annotations

import math
import unicodedata

from cmemory.domain.lexicon.lookalikes import LOOKALIKES
from cmemory.domain.pattern import lazy_pattern

_SPACE = lazy_pattern(r"\s+")


def fold(text: str) -> str:
    """Return the text with white space collapsed, trimmed and lower-cased: equality of values.

    >>> fold("  New \\t York ")
    'new york'
    """
    return " ".join(text.split()).lower()


def canonical(text: str) -> str:
    """Return a form that survives disguise: width, case, look-alike letters, accents, white space, invisible characters.

    Two texts with the same canonical form are the same thing said in other type. Used where a forgotten text must not
    slip back in; too coarse for telling values apart.

    >>> canonical("Ｌｉｎ\\u200b Yu\\u0435") == canonical("linyue")
    True
    """
    # Twice: normalisation would turn the lunate sigma, which passes for a c, into a plain one, and bring up others.
    compatible = unicodedata.normalize("NFKC", _as_latin(text.casefold())).casefold()
    letters = _as_latin(unicodedata.normalize("NFKD", compatible))
    return unicodedata.normalize("NFC", "".join(ch for ch in letters if _counts(ch)))


def _as_latin(text: str) -> str:
    return "".join(LOOKALIKES.get(ch, ch) for ch in text)


def _counts(ch: str) -> bool:
    # Letters, digits and symbols (emoji among them) carry meaning; marks, punctuation, spaces and controls do not.
    return unicodedata.category(ch)[0] in "LNS"


def is_well_formed(text: str) -> bool:
    """Tell whether a text can be encoded as UTF-8, that is, holds no lone surrogate."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def well_formed(text: str) -> str:
    """Return the text without lone surrogates."""
    return text if is_well_formed(text) else text.encode("utf-8", "ignore").decode("utf-8")


def visible(text: str) -> str:
    """Return the text without control and direction characters, on one line: what may stand in a prompt.

    Joiners inside emoji stay, since removing them would change what is shown.
    """
    spaced = _SPACE.sub(" ", text)
    if spaced.isprintable():
        # Nothing that follows would be taken out, and most texts are.
        return spaced.strip()
    return "".join(
        ch for ch in spaced if unicodedata.category(ch) not in ("Cc", "Cs") and ch not in _UNSHOWN
    ).strip()


#: Marks that reorder or isolate text, harmless in a chat and misleading inside a fenced record; and the two code points
#: that no XML document may hold.
_UNSHOWN = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufffe\uffff")


#: White space as ECMAScript has it, which is what the retrieval protocol was measured with.
_PROTOCOL_SPACE = lazy_pattern("[\t-\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+")


def compact(text: str) -> str:
    """Return the text in NFKC with every run of white space as one space, trimmed: the form all comparing starts from.

    >>> compact("  Ａ，b\\n c ")
    'A,b c'
    """
    return _PROTOCOL_SPACE.sub(" ", unicodedata.normalize("NFKC", text)).strip(" ")


def shortened(text: str, limit: int, *, head: float) -> str:
    """Return the text cut to a number of code points, its head and its tail kept and joined by an ellipsis.

    Args:
        text: what is cut.
        limit: code points at most.
        head: share of what is kept that stands before the ellipsis, 0 to 1.

    >>> shortened("abcdefghij", 6, head=0.72)
    'abcd…j'
    """
    if len(text) <= limit:
        return text
    front = math.ceil((limit - 1) * head)
    back = limit - 1 - front
    return text[:front] + "…" + (text[-back:] if back else "")
