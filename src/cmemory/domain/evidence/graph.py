"""Who supports whom, and whether it may.

Only the speaker decides admissibility. Being suppressed does not make an unknown source known: both are reported.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping

import attrs

from cmemory.domain.evidence.quote import overlap
from cmemory.domain.model.bodies import ADMISSIBLE_SPEAKER, Inference
from cmemory.domain.model.message import Evidence, SourceKind
from cmemory.domain.model.record import (
    AnyRecord,
    ClaimRecord,
    EpisodeRecord,
    Provenance,
    is_claim,
    is_episode,
)
from cmemory.domain.predicates.registry import is_boundary, may_infer


class Violation(enum.Enum):
    """What is wrong with one piece of support, in the order in which it is looked for."""

    #: The companion said it, so it proves nothing about the user.
    ASSISTANT_SPEAKER = "assistant_speaker"
    UNKNOWN_SOURCE = "unknown_source"
    #: The id exists, but names another kind of record.
    SOURCE_TYPE_MISMATCH = "source_type_mismatch"
    SUPPRESSED_SOURCE = "suppressed_source"
    #: An obligation is no evidence about a person.
    BOUNDARY_IS_CONSTRAINT = "boundary_is_constraint"
    INFERENCE_DISALLOWED = "inference_disallowed"


class Holding(enum.Enum):
    """Whether a conclusion still stands."""

    OK = "ok"
    NO_LIVE_SUPPORT = "no_live_support"
    PREDICATE_DISALLOWS_INFERENCE = "predicate_disallows_inference"
    NO_ADMISSIBLE_SUPPORT = "no_admissible_support"


@attrs.frozen(kw_only=True)
class Sources:
    """What references can resolve to. Messages always resolve; only suppression removes them."""

    claims: Mapping[str, ClaimRecord]
    episodes: Mapping[str, EpisodeRecord]
    suppressed: frozenset[str] = frozenset()

    @classmethod
    def of(cls, live: Iterable[AnyRecord], *, suppressed: frozenset[str] = frozenset()) -> Sources:
        """Return what references can resolve to among live records."""
        records = tuple(live)
        return cls(
            claims={record.id: record for record in records if is_claim(record)},
            episodes={record.id: record for record in records if is_episode(record)},
            suppressed=suppressed,
        )

    def resolves(self, evidence: Evidence) -> bool:
        """Tell whether the source exists as the kind it is said to be."""
        if evidence.source is SourceKind.MESSAGE:
            return True
        home = self.claims if evidence.source is SourceKind.CLAIM else self.episodes
        return evidence.source_id in home

    def provenances(self, inference: Inference) -> tuple[Provenance, ...]:
        """Return who read the records that a conclusion rests on, as far as they are there."""
        known: dict[str, AnyRecord] = {**self.claims, **self.episodes}
        found = (known.get(one.source_id) for one in inference.support)
        return tuple(record.provenance for record in found if record is not None)

    def live(self, evidence: Evidence) -> bool:
        """Tell whether the source exists and was not forgotten; says nothing about admissibility."""
        return self.resolves(evidence) and evidence.source_id not in self.suppressed

    def violations(self, evidence: Evidence) -> tuple[Violation, ...]:
        """Return everything that is wrong with one piece of support, in rule order."""
        found = []
        if evidence.speaker is not ADMISSIBLE_SPEAKER:
            found.append(Violation.ASSISTANT_SPEAKER)
        if not self.resolves(evidence):
            elsewhere = evidence.source_id in self.claims or evidence.source_id in self.episodes
            found.append(Violation.SOURCE_TYPE_MISMATCH if elsewhere else Violation.UNKNOWN_SOURCE)
        if evidence.source_id in self.suppressed:
            found.append(Violation.SUPPRESSED_SOURCE)
        if evidence.source is SourceKind.CLAIM and evidence.source_id in self.claims:
            found.extend(_unfit(self.claims[evidence.source_id].body.predicate))
        return tuple(found)


def audit(support: tuple[Evidence, ...], sources: Sources) -> tuple[tuple[int, Violation], ...]:
    """Return every violation with the position of its reference; an empty support list has none."""
    return tuple((at, found) for at, evidence in enumerate(support) for found in sources.violations(evidence))


def collapsed(inference: Inference, sources: Sources) -> bool:
    """Tell whether a conclusion has lost all its support and is void by itself."""
    return not any(sources.live(evidence) for evidence in inference.support)


def holding(inference: Inference, sources: Sources) -> Holding:
    """Return whether a stored conclusion may still be held; a clean `audit` is asked of every write besides."""
    live = [evidence for evidence in inference.support if sources.live(evidence)]
    if not live:
        return Holding.NO_LIVE_SUPPORT
    if not may_infer(inference.predicate):
        return Holding.PREDICATE_DISALLOWS_INFERENCE
    if all(sources.violations(evidence) for evidence in live):
        return Holding.NO_ADMISSIBLE_SUPPORT
    return Holding.OK


def objections(inference: Inference, sources: Sources) -> tuple[Violation | Holding, ...]:
    """Return why an inference may not be written; a single inadmissible support is enough."""
    found: list[Violation | Holding] = [violation for _, violation in audit(inference.support, sources)]
    held = holding(inference, sources)
    if held is not Holding.OK:
        found.append(held)
    return tuple(found)


def _unfit(predicate: str) -> tuple[Violation, ...]:
    if is_boundary(predicate):
        return (Violation.BOUNDARY_IS_CONSTRAINT,)
    return () if may_infer(predicate) else (Violation.INFERENCE_DISALLOWED,)


def share_words(one: AnyRecord, other: AnyRecord) -> bool:
    """Tell whether two records rest on overlapping words of a message, so that they say parts of the same."""
    return any(
        mine.source_id == theirs.source_id and overlap(mine.quote, theirs.quote)
        for mine in one.evidence
        for theirs in other.evidence
        if mine.quote is not None and theirs.quote is not None
    )
