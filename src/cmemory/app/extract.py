"""The extractors that need nothing beyond this library, and how a model's answer becomes candidates."""

from __future__ import annotations

from datetime import timezone, tzinfo
from typing import TYPE_CHECKING

import attrs

from cmemory.domain.errors import ModelError
from cmemory.domain.model.message import Message, Speaker
from cmemory.domain.model.record import Provenance

if TYPE_CHECKING:
    from cmemory.ports.extractor import Extraction, Extractor
    from cmemory.ports.model import Model


@attrs.frozen
class RuleExtractor:
    """Proposes by the offline rules for Chinese and English; needs no model and no network."""

    #: The person's civil time, for "tomorrow".
    zone: tzinfo

    @property
    def immediate(self) -> bool:
        return True

    def __call__(self, message: Message) -> Extraction:
        # The rules compile hundreds of patterns; who brings a model, or only reads, never waits for that.
        from cmemory.domain.propose.rules import RULES_VERSION, propose
        from cmemory.ports.extractor import Extraction

        return Extraction(
            candidates=propose(message, zone=self.zone),
            provenance=Provenance(proposer="rules", version=RULES_VERSION),
        )


@attrs.frozen
class ModelExtractor:
    """Lets a language model read the user's messages."""

    model: Model
    #: Who reads a message that the model will never answer (refused, cut off, no access); without one it is
    #: set aside. A failure that may pass is left to the inbox, which tries again.
    fallback: Extractor | None = None
    #: The person's civil time, for "tomorrow".
    zone: tzinfo = attrs.field(default=timezone.utc, kw_only=True)

    @property
    def immediate(self) -> bool:
        return False

    def __call__(self, message: Message) -> Extraction:
        # As above: who never learns, or learns by the rules, needs no prompt.
        from cmemory.domain.prompts.extract import PROMPT_VERSION, extraction_prompt, read_answer
        from cmemory.ports.extractor import Extraction

        provenance = Provenance(proposer="model", version=PROMPT_VERSION, model=self.model.name)
        if message.speaker is not Speaker.USER:
            return Extraction(provenance=provenance)
        try:
            text = self.model.complete(extraction_prompt(message, zone=self.zone))
        except ModelError as error:
            if error.retryable or self.fallback is None:
                raise
            return self.fallback(message)
        answer = read_answer(text, message)
        return Extraction(
            candidates=answer.candidates,
            pending=answer.pending,
            provenance=provenance,
            readable=answer.readable,
            dropped=answer.dropped,
        )
