"""What is sent to a language model, whatever it is asked for."""

from __future__ import annotations

import attrs


@attrs.frozen(kw_only=True)
class Prompt:
    """One request: instructions, and the text they are about."""

    system: str
    user: str
    #: Tokens the answer may take.
    max_tokens: int
