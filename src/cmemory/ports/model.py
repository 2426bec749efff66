"""A language model, as far as memory needs one."""

from __future__ import annotations

from typing import Protocol

from cmemory.domain.prompts.prompt import Prompt

__all__ = ["Model", "Prompt"]


class Model(Protocol):
    """Answers prompts."""

    @property
    def name(self) -> str:
        """Which model answers; recorded with what it proposed."""
        ...

    def complete(self, prompt: Prompt) -> str:
        """Return the answer as plain text, possibly empty.

        Not idempotent: two calls may differ.

        Raises:
            ModelError: no answer was to be had; ``retryable`` tells whether trying again makes sense.
        """
        ...
