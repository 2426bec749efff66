"""English words by which a stretch of speech shows that it states nothing lasting."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

MARKS: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {
        "joke": re.compile(r"\b(?:just kidding|i'm kidding|only joking|just joking|jk)\b", re.IGNORECASE),
        "hypothetical": re.compile(r"\b(?:if (?:i|only)|suppose|imagine|what if|hypothetically|let's say|wish i)\b", re.IGNORECASE),
        "reported": re.compile(
            r"\b(?:he|she|they|someone|somebody|people|my \w+|[A-Z]\w+) (?:said|says|asked|asks|told|tells|thinks|claims)\b"
        ),
        "question": re.compile(r"\?|^\s*(?:do|does|did|are|is|can|could|would|will|what|where|when|why|who|how)\b", re.IGNORECASE),
        "mood": re.compile(
            r"\bi(?:'m| am| feel)\s+(?:so |very |really |a bit |kind of )*(?:tired|sad|happy|angry|bored|hungry|exhausted|anxious)\b",
            re.IGNORECASE,
        ),
    }
)
