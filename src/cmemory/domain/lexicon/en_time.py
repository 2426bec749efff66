"""English words for days, months, numbers and how often something happens."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType


def _numbered(words: str, *, first: int) -> Mapping[str, int]:
    groups = enumerate(words.split(), start=first)
    return MappingProxyType({word: number for number, group in groups for word in group.split("/")})


#: Monday is 0, as in `datetime.date.weekday`.
WEEKDAYS = _numbered(
    "monday/mon tuesday/tues/tue wednesday/wed thursday/thurs/thur/thu friday/fri saturday/sat sunday/sun",
    first=0,
)

MONTHS = _numbered(
    (
        "january/jan february/feb march/mar april/apr may june/jun july/jul august/aug "
        "september/sept/sep october/oct "
        "november/nov december/dec"
    ),
    first=1,
)

NUMBERS = _numbered("a/an/one two/couple three four five six seven eight nine ten eleven twelve", first=1)

#: Feasts that fall on the same day every year, apostrophes removed: month and day.
FEASTS: Mapping[str, tuple[int, int]] = MappingProxyType(
    {
        "new years day": (1, 1),
        "valentines day": (2, 14),
        "halloween": (10, 31),
        "christmas eve": (12, 24),
        "christmas day": (12, 25),
        "christmas": (12, 25),
        "boxing day": (12, 26),
        "new years eve": (12, 31),
    }
)

#: Ages in words: the ones below twenty, the tens, and what stands behind a ten.
AGES_BELOW_TWENTY = _numbered(
    "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen", first=10
)
AGES_BY_TEN = MappingProxyType(
    {
        word: 10 * ten
        for ten, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2)
    }
)
UNITS = _numbered("one two three four five six seven eight nine", first=1)
