"""Refuses texts that are dangerous to remember, whoever proposes them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from cmemory.domain.lexicon.lookalikes import LOOKALIKES
from cmemory.domain.lexicon.screening import (
    CARD_NUMBER,
    IDENTITY_NUMBER,
    INSTRUCTION_MARKS,
    INSTRUCTIONS,
    SECRET_MARKS,
    SECRETS,
)
from cmemory.domain.model.candidate import Reason
from cmemory.domain.pattern import lazy_pattern

# The weights and check characters of ISO 7064 MOD 11-2, which identity numbers use.
_IDENTITY_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_IDENTITY_CHECKS = "10x98765432"

_SPACE = lazy_pattern(r"\s+")
_BETWEEN_CHINESE = lazy_pattern(r"(?<=[\u3400-\u9fff])[\s.·*_-]+(?=[\u3400-\u9fff])")
# Variation selectors, joiners and fillers that show nothing, although Unicode counts them as marks or letters.
_UNSEEN = frozenset(
    map(chr, (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180C, 0x180D, 0x3164, *range(0xFE00, 0xFE10)))
)

_LETTERS = str.maketrans(dict(LOOKALIKES))


def screen(texts: Iterable[str | None]) -> Reason | None:
    """Return why one of the texts may not be remembered, or None. Instructions are looked for before secrets."""
    plain = {form for text in texts if text for form in _forms(text)}
    if any(_is_found(text, INSTRUCTION_MARKS, INSTRUCTIONS) for text in plain):
        return Reason.INSTRUCTION
    return Reason.SECRET if any(_holds_secret(text) for text in plain) else None


def unfit(texts: Iterable[str | None], *, max_chars: int) -> Reason | None:
    """Return why one of the texts may not be stored as a fact, or None: it is too long, or `screen` refuses it."""
    given = [text for text in texts if text]
    return Reason.TOO_LONG if any(len(text) > max_chars for text in given) else screen(given)


def _is_found(text: str, marks: re.Pattern[str], patterns: tuple[re.Pattern[str], ...]) -> bool:
    return marks.search(text) is not None and any(pattern.search(text) for pattern in patterns)


def _forms(text: str) -> frozenset[str]:
    """Return the shapes in which a text is looked at.

    Line by line, since fake roles start lines; on one line, since a break may split an order; with look-alike letters
    read as what they pass for; and with Chinese closed up, since it needs no spaces and a disguise may put some in.
    """
    # Invisible characters between letters are a common disguise. White space is none of them: it parts words.
    compatible = unicodedata.normalize("NFKC", text).lower()
    plain = compatible
    # Nothing that can be printed is a control or a format character, so hardly any text is walked through.
    if not (compatible.isprintable() and _UNSEEN.isdisjoint(compatible)):
        plain = "".join(ch for ch in compatible if ch.isspace() or not _invisible(ch))
    line = _SPACE.sub(" ", plain)
    letters = line.translate(_LETTERS)
    return frozenset({plain, line, letters, _BETWEEN_CHINESE.sub("", line)})


def _invisible(ch: str) -> bool:
    return unicodedata.category(ch) in ("Cf", "Cc") or ch in _UNSEEN


def _holds_secret(text: str) -> bool:
    if _is_found(text, SECRET_MARKS, SECRETS):
        return True
    if any(_is_card(found.group()) for found in CARD_NUMBER.finditer(text)):
        return True
    return any(_is_identity(found.group()) for found in IDENTITY_NUMBER.finditer(text))


def _is_card(run: str) -> bool:
    """Tell whether a run of digits passes the Luhn check, as every bank card does."""
    digits = [int(ch) for ch in run if ch.isdigit()]
    doubled = [sum(divmod(2 * digit, 10)) for digit in digits[-2::-2]]
    return len(set(digits)) > 1 and (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0


def _is_identity(number: str) -> bool:
    total = sum(weight * int(ch) for weight, ch in zip(_IDENTITY_WEIGHTS, number, strict=False))
    return _IDENTITY_CHECKS[total % 11] == number[-1]
