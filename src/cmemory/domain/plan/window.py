"""Fills a window with earlier words of one conversation: weigh, admit in a fixed order of rules, pack under a budget.

Two steps, since edges are looked up by what the first one finds: `weigh` ranks the utterances and names the seeds,
`fill` adds what edges lend and decides. Ranking is not permission: what is withheld stays withheld at any score.
"""

from __future__ import annotations

import enum
import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

import attrs

from cmemory.domain.evidence.redaction import Span
from cmemory.domain.gates.hygiene import (
    ContentKind,
    Look,
    exclusion,
    focus_overlap,
    utility_of,
)
from cmemory.domain.gates.standing import Standing
from cmemory.domain.model.affect import Affect, AffectFailure
from cmemory.domain.model.association import Edge
from cmemory.domain.model.ids import MessageId
from cmemory.domain.model.instant import Instant, age_in_days
from cmemory.domain.model.message import Message, Speaker
from cmemory.domain.plan.budget import estimate_tokens
from cmemory.domain.plan.render.window import FRAME, line_of_message, render_window
from cmemory.domain.policy import WindowPolicy, WindowWeights
from cmemory.domain.recall.window import Reading, WindowQuery, features_of
from cmemory.domain.scoring.association import Learned, Spread, seeds_of, spread
from cmemory.domain.scoring.blend import ScoreCard, normalised
from cmemory.domain.scoring.decay import hyperbolic
from cmemory.domain.scoring.parts import (
    closeness,
    similarity,
)
from cmemory.domain.text.tokens import jaccard
from cmemory.domain.text.vectors import Rarity, cosine
from cmemory.domain.text.view import Features
from cmemory.domain.trace import CandidateTrace, RetrievalTrace, Step

#: How edges lend and learn; stands in every trace.
GRAPH_VERSION = "bounded_coactivation"


class Label(enum.Enum):
    """What became of an utterance, in the order in which the rules are tried."""

    SUPPRESSED = "suppressed"
    MUTED = "muted"
    NEVER_SURFACE = "never_surface"
    BOUNDARY = "boundary"
    DELETED = "deleted"
    SUPERSEDED = "superseded"
    #: What of it bears on the query is said by the plan of this turn already.
    IN_PLAN = "in_plan"
    CURRENT_QUERY = "current_query"
    LOW_UTILITY = "low_utility"
    CONDITIONAL = "conditional"
    FOCUS_MISMATCH = "focus_mismatch"
    #: It holds too little of the query.
    BELOW_MIN_RELEVANCE = "below_min_relevance"
    BELOW_MIN_SCORE = "below_min_score"
    #: Enough are selected already.
    LIMIT = "limit"
    #: Did not fit.
    BUDGET = "budget"
    #: Something better says the same.
    REDUNDANT = "redundant"
    SELECTED = "selected"


@attrs.frozen(kw_only=True)
class Heard:
    """One utterance with how it stands."""

    message: Message
    standing: Standing = Standing.ACTIVE
    #: Its stretches that the plan of this turn says already, in UTF-8 bytes.
    voiced: tuple[Span, ...] = ()


@attrs.frozen(kw_only=True)
class Weighed:
    """One utterance with everything that decides about it."""

    heard: Heard
    features: Features = attrs.field(repr=False)
    kind: ContentKind
    card: ScoreCard
    #: Share of the query's words it holds, by weight.
    coverage: float
    #: Share of the query's names it holds.
    overlap: float
    echo: bool
    #: Whether the plan of this turn says already what of it bears on the query.
    in_plan: bool

    @property
    def id(self) -> MessageId:
        return self.heard.message.id

    @property
    def rank(self) -> tuple[float, int, str]:
        """Sorts the best first; of equal ones the newer, then the smaller id."""
        return -self.card.final, -self.heard.message.at.microseconds, self.id


@attrs.frozen(kw_only=True)
class Ranking:
    """The utterances of one conversation, weighed for one query."""

    query: WindowQuery
    policy: WindowPolicy
    now: Instant
    weights: WindowWeights
    candidates: tuple[Weighed, ...]
    #: Base scores of what edges may lift, the best first.
    eligible: Mapping[MessageId, float] = attrs.field(init=False)

    @eligible.default
    def _eligible(self) -> Mapping[MessageId, float]:
        fit = (one for one in self.candidates if _eligible(one, self.policy))
        return {one.id: one.card.base for one in sorted(fit, key=lambda one: one.rank)}

    @property
    def seeds(self) -> tuple[MessageId, ...]:
        """The candidates whose edges are asked for; none when edges are switched off."""
        association = self.policy.association
        return seeds_of(self.eligible, association) if association.enabled else ()


@attrs.frozen(kw_only=True)
class WindowItem:
    """One utterance that is shown."""

    message_id: MessageId
    speaker: Speaker
    at: Instant
    text: str
    score: float
    #: Tokens of its line.
    tokens: int


@attrs.frozen(kw_only=True)
class WindowDecision:
    """What became of one utterance."""

    message_id: MessageId
    label: Label
    score: float


@attrs.frozen(kw_only=True)
class Packed:
    """What was decided about a ranking."""

    ranking: Ranking
    lent: Spread
    #: Every candidate, the best first, with its label.
    labelled: tuple[tuple[Weighed, Label], ...]
    budget: int

    @property
    def selected(self) -> tuple[Weighed, ...]:
        """What is shown, the best first."""
        return tuple(one for one, label in self.labelled if label is Label.SELECTED)

    @property
    def members(self) -> Mapping[MessageId, float]:
        """Final scores of what was of use together and may learn: active statements only, even where a query for plans or
        history admitted others."""
        policy = self.ranking.policy
        if not policy.association.enabled:
            return {}
        return {one.id: one.card.final for one in self.selected if _may_associate(one, policy)}

    @property
    def text(self) -> str:
        """The rendered window; empty when nothing is shown."""
        return render_window(line_of_message(one.heard.message, self.ranking.policy) for one in self.selected)


@attrs.frozen(kw_only=True)
class Window:
    """What one turn may read of what was said earlier in its conversation."""

    #: What goes into the prompt; empty when there is nothing to say.
    text: str = attrs.field(repr=False)
    items: tuple[WindowItem, ...]
    #: Every utterance that was weighed, the best first.
    decisions: tuple[WindowDecision, ...]
    #: Tokens of the text, at most the budget.
    tokens: int
    trace: RetrievalTrace = attrs.field(repr=False)

    @property
    def withheld(self) -> Mapping[Label, int]:
        """How many utterances were kept back, by reason."""
        return Counter(one.label for one in self.decisions if one.label is not Label.SELECTED)


def weigh(
    query: WindowQuery,
    heard: Sequence[Heard],
    *,
    now: Instant,
    policy: WindowPolicy,
    read: Callable[[Message, WindowPolicy], Reading] = Reading.of,
) -> Ranking:
    """Return the utterances weighed for a query; a blank query weighs none.

    Args:
        query: what the person says now.
        heard: one conversation; beyond the policy's number the newest count.
        now: recency counts to this moment.
        policy: scoring version, weights and thresholds.
        read: reads an utterance; one that remembers makes no difference but in time.
    """
    weights = normalised(policy.weights)
    newest = sorted(heard, key=lambda one: (-one.message.at.microseconds, one.message.id))
    listed = [] if query.blank else newest[: max(0, policy.max_candidates)]
    readings = [read(one.message, policy) for one in listed]
    rarity = Rarity.of([one.features.terms for one in readings])
    candidates = (
        _weighed(one, reading, query, rarity, weights, now, policy)
        for one, reading in zip(listed, readings, strict=True)
    )
    return Ranking(query=query, policy=policy, now=now, weights=weights, candidates=tuple(candidates))


def _weighed(
    heard: Heard,
    reading: Reading,
    query: WindowQuery,
    rarity: Rarity,
    weights: WindowWeights,
    now: Instant,
    policy: WindowPolicy,
) -> Weighed:
    asked, scoring, features, kind = query.features, policy.scoring, reading.features, reading.kind
    alike = cosine(asked.vector, features.vector)
    lexical = (rarity.overlap if scoring.aware else jaccard)(asked.terms, features.terms)
    return Weighed(
        heard=heard,
        features=features,
        kind=kind,
        card=ScoreCard(
            cosine=alike,
            lexical=lexical,
            similarity=similarity(alike, lexical, cosine_share=policy.cosine_share),
            recency=hyperbolic(age_in_days(heard.message.at, now), policy.recency_half_life_days),
            importance=reading.importance,
            affect=closeness(query.affect, reading.mood),
            utility=utility_of(kind, plans_wanted=query.plans_wanted) if scoring.aware else 1.0,
            weights=weights,
        ),
        coverage=rarity.coverage(asked.terms, features.terms) if scoring.aware else 1.0,
        overlap=focus_overlap(query.focus, features.view) if scoring.hygiene else 1.0,
        echo=query.echoed_by(features),
        in_plan=bool(heard.voiced) and not _adds(heard, asked, rarity, policy),
    )


def _adds(heard: Heard, asked: Features, rarity: Rarity, policy: WindowPolicy) -> bool:
    """Tell whether an utterance still bears on the query without the stretches that the plan says already."""
    rest = features_of(_without(heard.message.text, heard.voiced), policy)
    coverage = rarity.coverage(asked.terms, rest.terms)
    return coverage > 0 and coverage >= policy.min_coverage


def _without(text: str, spans: Iterable[Span]) -> str:
    encoded, kept, at = text.encode("utf-8"), [], 0
    for start, end in sorted(spans):
        kept.append(encoded[at:start])
        at = max(at, end)
    # A stretch never cuts a character; a whole one leaves nothing.
    return " ".join(part.decode("utf-8", "ignore") for part in (*kept, encoded[at:]))


def _may_associate(one: Weighed, policy: WindowPolicy) -> bool:
    statement = not policy.scoring.aware or one.kind is ContentKind.STATEMENT
    return one.heard.standing is Standing.ACTIVE and statement


def _eligible(one: Weighed, policy: WindowPolicy) -> bool:
    """Tell whether edges may lift a candidate: only where nothing but its score could keep it out."""
    clean = not policy.scoring.hygiene or (not one.echo and one.overlap > 0)
    return _may_associate(one, policy) and clean and not one.in_plan and _relevant(one, policy)


def _relevant(one: Weighed, policy: WindowPolicy) -> bool:
    return one.coverage > 0 and one.coverage >= policy.min_coverage


def fill(
    ranking: Ranking, edges: Sequence[Edge] = (), *, token_budget: int | None = None, turn: str | None = None
) -> Packed:
    """Return what is shown and why everything else is not.

    Args:
        ranking: of `weigh`.
        edges: those that touch one of the ranking's seeds, the heaviest first.
        token_budget: tokens the whole window may take; the policy's unless given.
        turn: digest of the turn; what it taught itself does not count in it.
    """
    policy = ranking.policy
    association = policy.association
    lent = (
        spread(edges, ranking.eligible, now=ranking.now, policy=association, turn=turn)
        if association.enabled
        else Spread()
    )
    candidates = (_lifted(one, lent.scores.get(one.id)) for one in ranking.candidates)
    budget = max(0, policy.token_budget if token_budget is None else token_budget)
    packer = _Packer(ranking.query, policy, budget)
    labelled = tuple((one, packer.label(one)) for one in sorted(candidates, key=lambda one: one.rank))
    return Packed(ranking=ranking, lent=lent, labelled=labelled, budget=budget)


def _lifted(one: Weighed, lent: float | None) -> Weighed:
    return one if lent is None else attrs.evolve(one, card=one.card.lent(lent))


class _Packer:
    """Walks the candidates from best to worst and remembers what is in.

    What the frame costs is counted before the first line, and the parts of a text never count less than the whole of it;
    so nothing has to be taken out after rendering, and a smaller line may still fit where a larger one did not.
    """

    def __init__(self, query: WindowQuery, policy: WindowPolicy, budget: int) -> None:
        self._query = query
        self._policy = policy
        self._left = budget - estimate_tokens(FRAME)
        self._taken: list[Weighed] = []

    def label(self, one: Weighed) -> Label:
        """Return what becomes of the next candidate; the first rule that fires decides."""
        kept_out = self._withheld(one) or self._crowded(one)
        if kept_out is not None:
            return kept_out
        self._left -= tokens_of(one.heard.message, self._policy)
        self._taken.append(one)
        return Label.SELECTED

    def _withheld(self, one: Weighed) -> Label | None:
        standing, policy, query = one.heard.standing, self._policy, self._query
        history = standing is Standing.SUPERSEDED and query.history_wanted
        if standing is not Standing.ACTIVE and not history:
            return Label(standing.value)
        if one.in_plan:
            return Label.IN_PLAN
        look = Look(kind=one.kind, echo=one.echo, plans_wanted=query.plans_wanted, overlap=one.overlap)
        excluded = exclusion(look) if policy.scoring.hygiene else None
        if excluded is not None:
            return Label(excluded.value)
        return None if _relevant(one, policy) else Label.BELOW_MIN_RELEVANCE

    def _crowded(self, one: Weighed) -> Label | None:
        policy = self._policy
        if one.card.final < policy.min_score:
            return Label.BELOW_MIN_SCORE
        if len(self._taken) >= policy.limit:
            return Label.LIMIT
        if tokens_of(one.heard.message, policy) > self._left:
            return Label.BUDGET
        return Label.REDUNDANT if policy.scoring.hygiene and self._repeats(one) else None

    def _repeats(self, one: Weighed) -> bool:
        terms = one.features.terms
        return any(jaccard(terms, other.features.terms) >= self._policy.redundancy for other in self._taken)


def tokens_of(message: Message, policy: WindowPolicy) -> int:
    """Return the tokens an utterance takes in a window, its line break included."""
    return estimate_tokens(line_of_message(message, policy) + "\n")


def window_of(packed: Packed, trace: RetrievalTrace) -> Window:
    """Return the window of what was decided, with its trace."""
    policy = packed.ranking.policy
    text = packed.text
    return Window(
        text=text,
        items=tuple(_item(one, policy) for one in packed.selected),
        decisions=tuple(
            WindowDecision(message_id=one.id, label=label, score=one.card.final)
            for one, label in packed.labelled
        ),
        tokens=estimate_tokens(text),
        trace=trace,
    )


def _item(one: Weighed, policy: WindowPolicy) -> WindowItem:
    message = one.heard.message
    return WindowItem(
        message_id=message.id,
        speaker=message.speaker,
        at=message.at,
        text=message.text,
        score=one.card.final,
        tokens=tokens_of(message, policy),
    )


def scoring_version(policy: WindowPolicy) -> str:
    """Return the name under which a policy's scores may be compared."""
    return policy.scoring.value + ("_original" if policy.original_reading else "")


def trace_of(
    packed: Packed,
    *,
    trace_id: str,
    session: str,
    fingerprint: str,
    learned: Learned | None = None,
    affect_failure: AffectFailure | None = None,
    duration_ms: float = 0.0,
) -> RetrievalTrace:
    """Return what was decided in ids, scores, labels and counts.

    Args:
        packed: what was decided.
        trace_id: names this retrieval.
        session: the conversation.
        fingerprint: keyed digest of the query.
        learned: what the turn taught; None when nothing was to be learned.
        affect_failure: why the mood was not read by the model that should have; None when nothing went wrong.
        duration_ms: how long it took.
    """
    ranking, members = packed.ranking, packed.members
    affect = ranking.query.affect
    listed = packed.labelled[: ranking.policy.trace_candidates]
    pairs = math.comb(len(members), 2)
    taught = Learned() if learned is None else learned
    return RetrievalTrace(
        steps=tuple(_step(one, label) for one, label in listed),
        scoring_version=scoring_version(ranking.policy),
        graph_version=GRAPH_VERSION,
        trace_id=trace_id,
        session=session,
        query_fingerprint=fingerprint,
        query_chars=len(ranking.query.features.plain),
        started_at=str(ranking.now),
        duration_ms=duration_ms,
        token_budget=packed.budget,
        estimated_tokens=estimate_tokens(packed.text),
        candidate_count=len(packed.labelled),
        selected_count=len(packed.selected),
        association_seed_count=len(ranking.seeds),
        association_edges_read=packed.lent.read,
        association_edges_applied=packed.lent.applied,
        association_boosted_candidates=len(packed.lent.scores),
        reinforcement_eligible=len(members),
        reinforcement_pairs_proposed=pairs,
        reinforced_edges=taught.reinforced,
        association_edges_pruned=taught.pruned,
        association_edges_stored=taught.stored,
        query_affect=None if affect is None else _numbers(affect),
        query_affect_source=None if affect is None else affect.source.value,
        query_affect_failure=None if affect_failure is None else affect_failure.value,
        weights=attrs.asdict(ranking.weights),
        candidates=tuple(_candidate(one, label, ranking.policy) for one, label in listed),
    )


def _numbers(affect: Affect) -> Mapping[str, float]:
    return {"valence": affect.valence, "arousal": affect.arousal, "dominance": affect.dominance}


def _step(one: Weighed, label: Label) -> Step:
    outcome = "shown" if label is Label.SELECTED else "withheld"
    return Step(name="window", subject=one.id, outcome=outcome, reason=label.value, score=one.card.final)


def _candidate(one: Weighed, label: Label, policy: WindowPolicy) -> CandidateTrace:
    card = one.card
    return CandidateTrace(
        message_id=one.id,
        embedding_score=card.cosine,
        lexical_score=card.lexical,
        similarity_score=card.similarity,
        recency_score=card.recency,
        importance_score=card.importance,
        association_score=card.association,
        affect_score=card.affect,
        final_score=card.final,
        estimated_tokens=tokens_of(one.heard.message, policy),
        decision=label.value,
        content_kind=one.kind.value,
        utility_factor=card.utility,
        query_coverage=one.coverage,
        focus_overlap=one.overlap,
        standing=one.heard.standing.value,
    )
