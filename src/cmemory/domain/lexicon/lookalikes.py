"""Letters of other scripts that pass for Latin ones.

The Cyrillic and Greek letters whose shapes people use to write Latin words around a filter; widths, accents and
styled letters need no entry, Unicode normalisation already resolves them.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

LOOKALIKES: Mapping[str, str] = MappingProxyType(
    {
        # Cyrillic
        "а": "a", "в": "b", "е": "e", "ё": "e", "і": "i", "ї": "i", "ј": "j", "к": "k", "м": "m", "н": "h", "о": "o",
        "р": "p", "ѕ": "s", "с": "c", "т": "t", "у": "y", "х": "x", "ԁ": "d", "ԛ": "q", "ԝ": "w", "ӏ": "l", "һ": "h",
        # Greek
        "α": "a", "β": "b", "ε": "e", "η": "n", "ι": "i", "κ": "k", "μ": "m", "ν": "v", "ο": "o", "ρ": "p", "τ": "t",
        "υ": "u", "χ": "x", "ϲ": "c", "ϳ": "j",
        # Latin letters that normalisation keeps apart
        "ı": "i", "ɡ": "g", "ɑ": "a", "ø": "o", "ł": "l", "đ": "d", "ħ": "h",
    }
)  # fmt: skip
