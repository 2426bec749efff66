"""What a decision saw: names, counts, codes and hashes, never the person's words.

A trace may be logged, stored and sent to a dashboard without telling anybody what was said.
"""

from __future__ import annotations

from collections.abc import Mapping

import attrs


@attrs.frozen(kw_only=True)
class Step:
    """One thing that was decided."""

    #: What kind of decision, such as ``gate`` or ``budget``.
    name: str
    #: The record or candidate it was about.
    subject: str
    #: Where it ended, such as a channel.
    outcome: str
    #: The stable code of why.
    reason: str
    #: How it was weighed, where weighing took place.
    score: float | None = None


@attrs.frozen(kw_only=True)
class Trace:
    """All steps of one call, in the order in which they were taken."""

    steps: tuple[Step, ...] = ()

    def about(self, subject: str) -> tuple[Step, ...]:
        """Return the steps that concern one record or candidate."""
        return tuple(step for step in self.steps if step.subject == subject)


@attrs.frozen(kw_only=True)
class CandidateTrace:
    """How one utterance was weighed, and what became of it. Scores are from 0 to 1."""

    message_id: str
    #: Cosine, shared words, and their blend.
    embedding_score: float
    lexical_score: float
    similarity_score: float
    recency_score: float
    importance_score: float
    association_score: float
    affect_score: float
    final_score: float
    #: Tokens of its line, were it shown.
    estimated_tokens: int
    decision: str
    content_kind: str
    utility_factor: float
    #: Share of the query's words it holds; 1 where that is not asked.
    query_coverage: float
    #: Share of the query's names it holds; 1 where that is not asked. The names themselves are nowhere told.
    focus_overlap: float
    #: Whether it is active, replaced, muted and so on.
    standing: str


@attrs.frozen(kw_only=True)
class RetrievalTrace(Trace):
    """What filling one window saw: ids, scores, labels and counts, neither the query nor any text."""

    #: How it was weighed; compare only equal ones.
    scoring_version: str
    graph_version: str
    trace_id: str
    session: str
    #: Keyed digest of the query, so that equal queries can be told without a guess at their words.
    query_fingerprint: str
    query_chars: int
    started_at: str
    #: By the clock of the memory, not by the moment of the call.
    duration_ms: float = attrs.field(default=0.0, eq=False)
    token_budget: int
    estimated_tokens: int
    candidate_count: int
    selected_count: int
    association_seed_count: int
    association_edges_read: int
    association_edges_applied: int
    association_boosted_candidates: int
    reinforcement_eligible: int
    reinforcement_pairs_proposed: int
    #: What this call really learned; 0 when the turn had been learned before.
    reinforced_edges: int
    association_edges_pruned: int
    #: Edges of the conversation; 0 when nothing was to be learned.
    association_edges_stored: int
    #: Valence, arousal and dominance of the query, where they counted.
    query_affect: Mapping[str, float] | None
    #: Where that mood was read from, and why not by the model that should have read it.
    query_affect_source: str | None = None
    query_affect_failure: str | None = None
    #: Normalised, by part.
    weights: Mapping[str, float]
    #: The best ones by score, so many as the policy allows.
    candidates: tuple[CandidateTrace, ...]
