"""When two notes say the same: in other words, and no more than that.

Merging loses a sentence for good, so it is done only where nothing but the wording can differ: who is spoken of at the
beginning, articles and emphasis, a few words of the same meaning, and where a day stands. Order counts ("Anna likes
Ben" is not "Ben likes Anna"), and so do numbers, negation and tense.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from datetime import date

import attrs

from cmemory.domain.lexicon.alike import (
    BEFORE_A_DAY,
    DONE_ZH,
    FILLERS_EN,
    FILLERS_ZH,
    PAIRS_EN,
    SAME_EN,
    SAME_ZH,
    SUBJECTS_EN,
    SUBJECTS_ZH,
)
from cmemory.domain.model.bodies import Note
from cmemory.domain.model.record import NoteRecord
from cmemory.domain.pattern import lazy_pattern
from cmemory.domain.text.tokens import is_cjk, stem
from cmemory.domain.time.dates import named_days

#: A word with its apostrophe, a Chinese character, or a symbol such as an emoji.
_TOKEN = lazy_pattern(r"[^\W_\u3400-\u9fff]+(?:['’][a-z]+)?|[\u3400-\u9fff]|[^\w\s]")
#: Stands where a day was cut out, so that the word before it can be told.
_DAY = "\x00"

#: A subject stands at the beginning, or behind a day that does.
_SUBJECT = lazy_pattern(
    rf"(?P<day>(?:(?:{'|'.join(sorted(BEFORE_A_DAY))})?\s*{_DAY}[\s,，]*)?)"
    rf"(?:(?:{'|'.join(SUBJECTS_EN)})\b(?!'s)|{'|'.join(SUBJECTS_ZH)})\s*"
)
_SAME_ZH = lazy_pattern("|".join(sorted(SAME_ZH, key=len, reverse=True)))
_FILLERS_ZH = lazy_pattern("|".join(FILLERS_ZH))


@attrs.frozen(kw_only=True)
class Meaning:
    """What is left of a note once its wording is taken away; equal for notes that say the same."""

    about: str
    #: The words that count, in their order.
    terms: tuple[str, ...]
    #: The days it names, wherever they stand, and whether it speaks of something as done.
    days: frozenset[date]
    done: bool
    due_on: str | None

    @classmethod
    def of(cls, note: Note, *, today: date) -> Meaning:
        """Return the meaning of a note that was written on a day, from which "tomorrow" is told.

        >>> from cmemory.domain.model.bodies import NoteKind
        >>> day = date(2026, 3, 1)
        >>> notes = [Note(note_kind=NoteKind.PREFERENCE, text=text) for text in ("用户很喜欢海边", "她喜爱海边。")]
        >>> Meaning.of(notes[0], today=day) == Meaning.of(notes[1], today=day)
        True
        """
        plain = unicodedata.normalize("NFKC", note.text).lower().replace("’", "'").strip()
        named = named_days(plain, today)
        without = _cut(plain, ((one.start, one.end) for one in named))
        return cls(
            about=note.note_kind.value,
            terms=tuple(_terms(without)),
            days=frozenset(one.day for one in named),
            done=any(ch in DONE_ZH for ch in without),
            due_on=note.due_on,
        )


def meaning_of(record: NoteRecord) -> Meaning:
    """Return what a stored note says, its days told from when it was first written."""
    return Meaning.of(record.body, today=record.created_at.as_datetime().date())


def _cut(text: str, spans: Iterable[tuple[int, int]]) -> str:
    pieces, at = [], 0
    for start, end in spans:
        pieces += [text[at:start], f" {_DAY} "]
        at = end
    return "".join((*pieces, text[at:]))


def _terms(text: str) -> Iterator[str]:
    words = _joined(map(_same, filter(_counts, _TOKEN.findall(_plain(text)))))
    for word, following in zip(words, [*words[1:], ""], strict=True):
        if word != _DAY and not (following == _DAY and word in BEFORE_A_DAY):
            yield word


def _plain(text: str) -> str:
    """Return the text without its subject, and with one word for several of the same meaning."""
    plain = text.strip()
    found = _SUBJECT.match(plain)
    told = found["day"] + plain[found.end() :] if found else plain
    told = _SAME_ZH.sub(lambda match: SAME_ZH[match.group()], told)
    told = _FILLERS_ZH.sub("", told)
    return "".join(ch for ch in told if ch not in DONE_ZH)


def _counts(word: str) -> bool:
    return word not in FILLERS_EN and unicodedata.category(word[0])[0] not in "PM"


def _same(word: str) -> str:
    if len(word) == 1 and is_cjk(word):
        return word
    known = SAME_EN.get(word)
    # Only the ending of a plural or of "she walks" goes: a past stays a past.
    return known if known is not None else stem(word) if word.endswith("s") else word


def _joined(words: Iterable[str]) -> list[str]:
    """Return the words with those pairs as one that one word can say: "not like" is "dislike"."""
    found: list[str] = []
    for word in words:
        one = PAIRS_EN.get((found[-1], word)) if found else None
        if one is None:
            found.append(word)
        else:
            found[-1] = one
    return found
