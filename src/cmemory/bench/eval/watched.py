"""Who reads the messages of a measurement, with what they propose in view before admission decides on it."""

from __future__ import annotations

from datetime import tzinfo

from typing_extensions import override

from cmemory.app.extract import ModelExtractor, RuleExtractor
from cmemory.domain.model.candidate import Candidate
from cmemory.domain.model.message import Message
from cmemory.domain.model.record import Provenance
from cmemory.ports.extractor import Extraction, Extractor
from cmemory.ports.model import Model


def reader(model: Model | None, *, zone: tzinfo) -> Extractor:
    """Return the extractor that asks a model, or the offline rules when there is none."""
    return RuleExtractor(zone) if model is None else ModelExtractor(model, zone=zone)


class Watched(Extractor):
    """An extractor whose candidates are seen before admission decides."""

    def __init__(self, extractor: Extractor) -> None:
        self._extractor = extractor
        #: The candidates since the last look, and who proposed them.
        self.seen: list[Candidate] = []
        self.provenance: Provenance | None = None

    @property
    @override
    def immediate(self) -> bool:
        return self._extractor.immediate

    @override
    def __call__(self, message: Message) -> Extraction:
        extraction = self._extractor(message)
        self.seen.extend(extraction.candidates)
        self.provenance = extraction.provenance
        return extraction
