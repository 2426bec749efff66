"""The extractors that need nothing beyond this library, and how a model's answer becomes candidates."""

from __future__ import annotations

from datetime import tzinfo

import attrs

from cmemory.domain.model.message import Message
from cmemory.domain.model.record import Provenance
from cmemory.domain.propose.rules import RULES_VERSION, propose
from cmemory.ports.extractor import Extraction


@attrs.frozen
class RuleExtractor:
    """Proposes by the offline rules for Chinese and English; needs no model and no network."""

    #: The person's civil time, for "tomorrow".
    zone: tzinfo

    @property
    def immediate(self) -> bool:
        return True

    def __call__(self, message: Message) -> Extraction:
        return Extraction(
            candidates=propose(message, zone=self.zone),
            provenance=Provenance(proposer="rules", version=RULES_VERSION),
        )
