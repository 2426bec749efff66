"""Every threshold of the domain, frozen, with its unit and where it came from.

An ablation or a roll-back is a `Policy` value, never a branch in the code.
Numbers without another source are those of the governed kernel (``docs/explanation/governed-memory.md``).
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from types import MappingProxyType

import attrs

from cmemory.domain.errors import UsageError


@attrs.frozen(kw_only=True)
class AdmissionPolicy:
    """What a candidate needs to become a record."""

    #: Importance a new record has at least; 0.5 is also the neutral starting value.
    importance_floor: float = 0.5
    #: Longest text of one message, in UTF-8 bytes. Larger ones are refused whole, since a cut would break quotes.
    max_message_bytes: int = 1_048_576
    #: Longest value, narrative, quote or name in Unicode code points; a fact is a phrase, not a document.
    max_value_chars: int = 2_000


@attrs.frozen(kw_only=True)
class SaliencePolicy:
    """How records lose and gain weight."""

    #: Days after which an untouched record counts half.
    half_life_days: float = 90.0
    #: What one observed positive reaction adds to importance, which is capped at 1.
    feedback_step: float = 0.10
    #: Factor on the score of a record that an explicit trigger names.
    trigger_factor: float = 1.25
    #: Relevance of a record the person named, and of one whose topic the turn implies.
    relevance_named: float = 1.0
    relevance_implied: float = 0.8


@attrs.frozen(kw_only=True)
class NotePolicy:
    """How notes are kept and fade (``docs/explanation/notes.md``)."""

    #: Notes kept active at most; the lightest beyond fade.
    max_active: int = 400
    #: Code points of one note; it is a sentence or two.
    max_chars: int = 300
    #: Days after which a note nobody touched weighs half, and how much longer full importance and full emotional weight
    #: make that, as a share: with both the half-life is three times as long.
    half_life_days: float = 30.0
    importance_slows: float = 1.0
    emotion_slows: float = 1.0


@attrs.frozen(kw_only=True)
class NightPolicy:
    """How the day's exchanges become notes (``docs/explanation/notes.md``)."""

    #: The hour at which a day ends where the person lives.
    at: str = "23:50"
    #: Code points and exchanges of one portion, far within the window of any model that can do this.
    portion_chars: int = 12_000
    portion_exchanges: int = 40
    #: Code points of one message that a model is shown; of a longer one the middle is left out.
    shown_chars: int = 1_500
    #: Answers that cannot be read after which the offline rules make the notes of an exchange instead.
    max_attempts: int = 3


@attrs.frozen(kw_only=True)
class BriefPolicy:
    """What a brief holds, for hosts that count characters (``docs/explanation/notes.md``)."""

    #: Code points at most, frame included; 600 to 1200 serve well.
    max_chars: int = 900
    #: Whether boundaries, style and identity are told beside what was raised.
    standing: bool = True


class Reason(enum.Enum):
    """Why the release gate answers as it does, in the order in which its rules are asked.

    The rules are told in ``docs/explanation/governed-memory.md``.
    """

    #: The message wants what is known of the person's liking left aside.
    EXCLUDED = "excluded"
    #: It says how to answer, which holds for every message.
    MANNER = "manner"
    #: An opinion, and nobody asked for the person's own view.
    OPINION = "opinion"
    #: An opinion, and the person asks for their own view.
    OWN_VIEW = "own_view"
    #: A private subject that the message does not open.
    PRIVATE = "private"
    #: A private subject that the message opens itself.
    PRIVATE_OPENED = "private_opened"
    #: The message says itself what the statement says.
    MESSAGE_SAYS_IT = "message_says_it"
    #: The same name, borne by somebody else.
    OTHER_BEARER = "other_bearer"
    #: The message names what the statement is about.
    NAMED = "named"
    #: The message names it with one slip of the fingers.
    MISSPELT = "misspelt"
    #: "My thesis": the person has one, and this is it.
    UNDERTAKING = "undertaking"
    #: The message asks for something to the person's own taste.
    OWN_TASTE = "own_taste"
    #: A text, a translation, a program, a fact or words for a talk is wanted, and nobody's taste.
    CLOSED_REQUEST = "closed_request"
    #: The message is about the same kinsman, friend or colleague.
    KIN = "kin"
    #: Somebody who is going to eat along must not, or does not, eat everything.
    SHARED_TABLE = "shared_table"
    #: It is the taste or limit of somebody whom the message leaves out.
    OTHER_PERSON = "other_person"
    #: The message asks on behalf of somebody else.
    THIRD_PARTY = "third_party"
    #: A limit, and the message asks for something it bears on.
    LIMIT = "limit"
    #: A way of spending one's own time that the message opens.
    OWN_TIME_OPENED = "own_time_opened"
    #: A way of spending one's own time that the message does not open.
    OWN_TIME = "own_time"
    #: What the person looks for in things of this kind.
    CRITERION = "criterion"
    #: What the person works toward, and the message asks for advice in its field.
    PURSUIT = "pursuit"
    #: What the person has, does or loves in the field in which advice is asked.
    SAME_FIELD = "same_field"
    #: The message and the statement share a subject.
    SHARED_SUBJECT = "shared_subject"
    #: The message names a tie or an undertaking, and the statement is about whom that leads to.
    HOP = "hop"
    #: Nothing in the message opens the statement.
    UNOPENED = "unopened"


@attrs.frozen(kw_only=True)
class ReleasePolicy:
    """When a distilled statement may speak (``docs/explanation/governed-memory.md``)."""

    #: Whether the plan of a turn asks the release gate at all.
    enabled: bool = True
    #: Rules that are left out, by the reason they give; for comparisons.
    without: tuple[Reason, ...] = ()
    #: Whether a statement that has names is opened by them alone, as suits the records of a project: there most words are
    #: shared by chance, and every thing goes by a name.
    names_only: bool = False
    #: Share of a statement's words, 0 to 1, from which a message says itself what the statement says.
    said_share: float = 0.5
    #: Shared words that a message needs to open a private subject where it asks for something; else one is enough.
    private_words: int = 2
    #: Records the plan of a turn asks about for each place there is; what weighs less stays back unasked.
    looks: int = 4
    #: Whether a limit of the person's that bears on the message is brought up although no word points at it.
    raise_limits: bool = True


class PartOfDay(enum.Enum):
    """A stretch of the civil day, as people name it."""

    EARLY_MORNING = "early_morning"
    MORNING = "morning"
    NOON = "noon"
    AFTERNOON = "afternoon"
    EVENING = "evening"
    #: Goes on after midnight.
    LATE_NIGHT = "late_night"


@attrs.frozen(kw_only=True)
class DayPart:
    """When a part of the day begins, and what it does to the companion's energy."""

    name: PartOfDay
    #: Full hour on the person's clock, 0 to 23; the part lasts until another begins.
    from_hour: int
    #: Added to arousal, -1 to 1.
    energy: float


#: The day as most people keep it.
DAY = (
    DayPart(name=PartOfDay.EARLY_MORNING, from_hour=5, energy=-0.3),
    DayPart(name=PartOfDay.MORNING, from_hour=8, energy=0.2),
    DayPart(name=PartOfDay.NOON, from_hour=11, energy=0.0),
    DayPart(name=PartOfDay.AFTERNOON, from_hour=14, energy=0.1),
    DayPart(name=PartOfDay.EVENING, from_hour=18, energy=-0.1),
    DayPart(name=PartOfDay.LATE_NIGHT, from_hour=23, energy=-0.6),
)


def _some(_: object, attribute: attrs.Attribute[tuple[DayPart, ...]], value: tuple[DayPart, ...]) -> None:
    if not value:
        raise UsageError(field=attribute.name, problem="must name a part of the day")


class Language(enum.Enum):
    """In which language the library words a line of its own."""

    EN = "en"
    ZH = "zh"


@attrs.frozen(kw_only=True)
class MoodPolicy:
    """How the companion's mood moves, and how it is told (``docs/explanation/notes.md``)."""

    #: Whether there is one; without it nothing is kept and nothing is told.
    enabled: bool = True
    #: What the mood returns to, -1 to 1 each.
    baseline_pleasure: float = 0.0
    baseline_arousal: float = 0.0
    baseline_dominance: float = 0.0
    #: Hours after which half the distance to the baseline is left; 0 keeps the mood as it is.
    half_life_hours: float = 6.0
    #: How far one exchange moves each of the three at most.
    step: float = 0.3
    #: Share of the step that the person's words have, 0 to 1; the rest is that of the answer.
    said_share: float = 0.6
    #: Distance from neutral from which a number is told at all, and from which it is told outright.
    told_from: float = 0.1
    outright_from: float = 0.4
    #: Energy, up or down, from which it is told.
    energy_from: float = 0.25
    #: The parts of the day, in any order; at least one.
    day: tuple[DayPart, ...] = attrs.field(default=DAY, validator=_some)
    #: The language of the line.
    language: Language = Language.EN


@attrs.frozen(kw_only=True)
class PlanPolicy:
    """How much one plan may hold."""

    #: Records at most in the two ranked channels.
    topic_cap: int = 8
    #: Whether what a message points at stands by how well it matches, recency only adding to that (True), or by weight and
    #: freshness whatever the match, as the original protocol has it. Measured in ``docs/explanation/benchmarks.md``.
    by_match: bool = True
    deep_recall_cap: int = 8
    #: Notes at most that come up because their day has come.
    due_cap: int = 3
    #: Score an uncued record needs to shape the answer silently.
    deep_recall_threshold: float = 0.25
    #: Tokens the rendered text may take, None for no limit. Constraints are never dropped for it.
    max_tokens: int | None = 800
    #: Whether a record that lacks its cue is kept out of the identity channel (True) or shown there as the
    #: original protocol did.
    identity_needs_cue: bool = True


@attrs.frozen(kw_only=True)
class InferencePolicy:
    """When a slow conclusion may be trusted."""

    #: Highest confidence before the person acknowledged the conclusion.
    unacknowledged_cap: float = 0.65
    #: Days after which an active pattern must have been confirmed.
    review_days: int = 90
    #: Factor on the confidence of a conclusion that expires.
    expiry_factor: float = 0.80
    #: Evidence needed for promotion: distinct sessions, days between first and last, distinct contexts.
    min_sessions: int = 3
    min_span_days: int = 14
    min_contexts: int = 2
    #: Measured reading that opens promotion (``docs/how-to/evaluate-a-companion.md``): labelled messages, and shares 0 to 1,
    #: overall and in each language. A conclusion multiplies what was misread, so little of it may be; what was missed only
    #: delays it.
    min_messages: int = 120
    min_precision: float = 0.95
    min_recall: float = 0.6


@attrs.frozen(kw_only=True)
class ForgettingPolicy:
    """How forgetting looks for what it must take along or report."""

    #: Token overlap (Jaccard, 0–1) from which a surviving record is reported as a suspected leftover.
    residue_similarity: float = 0.5
    #: A forgotten text shorter than this many code points is guarded under its own key only, as "short" under
    #: ``communication.verbosity`` says nothing about "short" elsewhere.
    unscoped_min_chars: int = 2
    #: A forgotten value is masked in the message log from this many code points on; single characters are
    #: too common to be blotted out wherever they stand.
    mask_min_chars: int = 2
    #: Records a forget by meaning may list at most, so that a person can read what they confirm.
    preview_limit: int = 20


@attrs.frozen(kw_only=True)
class InboxPolicy:
    """How extraction jobs are retried."""

    #: Seconds before the first and the longest pause before a later attempt; the pause doubles in between.
    first_retry_seconds: float = 0.5
    longest_retry_seconds: float = 30.0
    #: Failed attempts after which a job is set aside as a dead letter.
    max_attempts: int = 8


@attrs.frozen(kw_only=True)
class EmbeddingPolicy:
    """How nearness in meaning counts beside words, where an embedder is configured; see `docs/explanation/recall.md`."""

    #: What full nearness adds to the score of a message, for terms in Latin letters and in Chinese; 0 leaves it out.
    weight: float = 6.0
    weight_chinese: float = 6.0
    #: Share of the nearness of a message that it has together with its neighbours; the rest it has by itself.
    around: float = 2 / 3
    #: What full nearness counts in the match of a record, beside `RecallPolicy.record_own` and ``record_sitting``.
    record_meaning: float = 2.0
    #: What likeness to the best matches counts beside meaning, as a share of ``RecallPolicy.record_kin``: both tell much
    #: the same.
    kin_share: float = 0.5
    #: Share of what all that is asked has in common in what is taken off a question about records; the rest is what all
    #: records have in common.
    usual_share: float = 0.5
    #: Vectors looked through for one search: those of the newest texts.
    scan: int = 1_000
    #: Texts that become candidates for being near, and how near, 0 to 1, makes a hit without a word in common.
    nearest: int = 20
    floor: float = 0.2
    #: Vectors it takes to know what all of them share; with fewer, words count alone.
    min_vectors: int = 16
    #: Texts handed to the embedder at once, which is also what one transaction writes.
    batch: int = 32
    #: Code points of a text that are handed over; the rest of a longer one is left out.
    max_chars: int = 2_000


@attrs.frozen(kw_only=True)
class RecallPolicy:
    """How what was said is ranked; see `docs/explanation/recall.md`. A weight of 0 leaves a part out."""

    #: Saturation of repeats and weight of length in BM25, for Latin words and for Chinese characters.
    k1: float = 0.9
    b: float = 0.4
    k1_chinese: float = 1.2
    b_chinese: float = 0.75
    #: Weights of the parts of a score.
    own: float = 1.0
    window: float = 2.0
    coverage: float = 2.0
    reply: float = 1.0
    speaker: float = 1.5
    date: float = 3.0
    answer: float = 4.0
    question: float = -0.5
    reaction: float = -0.25
    theme: float = 1.0
    #: What the words of another question, and of a statement, count beside what is asked in the end.
    beside_question: float = 0.6
    beside_statement: float = 0.1
    #: What a pair of Chinese characters of the best hit counts that stands in few messages, in so many at most; how many
    #: of them are looked for, the rarest first, and how many messages they may add. 0 looks for what was asked alone.
    echo: float = 0.25
    echo_holding: int = 6
    echo_terms: int = 6
    echo_candidates: int = 12
    #: Messages before and after a candidate that count as its surroundings.
    reach: int = 3
    #: Words after which a neighbour counts half.
    half_words: float = 12.0
    #: Candidates that are ranked for each wanted hit, and at least.
    candidates_per_hit: int = 4
    min_candidates: int = 40
    #: Index entries read at most for one search; the rarest terms come first, and the rarest is always read.
    max_postings: int = 5_000
    #: What an embedder adds.
    embedding: EmbeddingPolicy = attrs.field(factory=EmbeddingPolicy)
    #: How much of a record's match are its own words, and how much of what is looked for stands in it and in what was
    #: learned along with it.
    record_own: float = 1.0
    record_sitting: float = 2.0
    #: How much it counts that a record shares words with those that match best, for terms in Latin letters and in Chinese,
    #: where pairs of characters stand for words; and how many of the best are compared with.
    record_kin: float = 0.0
    record_kin_chinese: float = 1.0
    kin_of: int = 3
    #: Weight of length for the Latin words of a record, which was put into words by somebody already.
    record_b: float = 0.2
    #: What the last line of the terms counts, where the lines before it count 1.
    record_last: float = 1.5
    #: What a term counts that the person did not say, where theirs count 1.
    record_unsaid: float = 0.5
    #: Hours without anything learned after which another sitting begins.
    sitting_hours: float = 6.0
    #: How much more a record of this moment counts than one of long ago, which always counts once; and days after which
    #: half of that is left.
    record_recent: float = 1.0
    recent_days: float = 20.0


class Scoring(enum.Enum):
    """How the adaptive window weighs; traces of different versions are not comparable."""

    #: The texts as they are, no gate but status and score.
    RAW = "raw"
    #: Scoring views, rare words count more, and something of the query must be covered.
    CONTENT_AWARE = "content_aware"
    #: Besides, echoes, questions, thanks, plans and foreign names stay out.
    WINDOW_HYGIENE = "window_hygiene"

    @property
    def aware(self) -> bool:
        """Whether scoring views are compared."""
        return self is not Scoring.RAW

    @property
    def hygiene(self) -> bool:
        """Whether exclusion classes apply."""
        return self is Scoring.WINDOW_HYGIENE


@attrs.frozen(kw_only=True)
class WindowWeights:
    """Shares of the five parts of a score; only their proportion counts. 0 or more each, and not all of them 0."""

    similarity: float = 0.55
    recency: float = 0.15
    importance: float = 0.10
    association: float = 0.15
    affect: float = 0.05


@attrs.frozen(kw_only=True)
class AssociationPolicy:
    """How utterances that were of use together lift one another."""

    #: Whether edges are read and learned.
    enabled: bool = True
    #: Candidates, the best first, whose edges are looked at.
    seed_limit: int = 4
    #: Edges read at most for one window.
    edge_limit: int = 256
    #: What one common use adds at most.
    learning_rate: float = 0.08
    #: Heaviest an edge becomes.
    max_weight: float = 1.0
    #: Days after which an edge weighs half.
    half_life_days: float = 45.0
    #: Edges one conversation keeps at most.
    max_edges: int = 2048


@attrs.frozen(kw_only=True)
class WindowPolicy:
    """What the adaptive window of one conversation holds (``docs/explanation/adaptive-window.md``)."""

    scoring: Scoring = Scoring.WINDOW_HYGIENE
    #: Whether words are read exactly as the published protocol reads them, its weaknesses included; for comparing numbers.
    original_reading: bool = False
    weights: WindowWeights = attrs.field(factory=WindowWeights)
    association: AssociationPolicy = attrs.field(factory=AssociationPolicy)
    #: Whether a language model reads the mood of a query that comes without one; asked once for each window, and only
    #: where one is configured. Failing that, a few words are counted.
    model_affect: bool = False
    #: Tokens the rendered window may take, its frame included.
    token_budget: int = 1400
    #: Utterances shown at most.
    limit: int = 8
    #: Utterances weighed at most, the newest ones.
    max_candidates: int = 2000
    #: Share of the query's words, by weight, that an utterance must hold.
    min_coverage: float = 0.15
    #: Score an utterance needs.
    min_score: float = 0.12
    #: Token overlap of two views (Jaccard, 0–1) from which the weaker one is left out as a repetition.
    redundancy: float = 0.92
    #: Days after which an utterance's recency is one half; the curve is hyperbolic.
    recency_half_life_days: float = 30.0
    #: Importance of what the person, the companion and anything else says, and what a signal word adds.
    user_importance: float = 0.65
    assistant_importance: float = 0.48
    other_importance: float = 0.35
    signal_bonus: float = 0.18
    #: Share of the cosine in similarity; the rest is that of shared words.
    cosine_share: float = 0.65
    #: Places of a hashed vector.
    dimensions: int = 192
    #: Longest utterance shown in code points; more is cut in the middle, and this share of the rest stays in front.
    item_chars: int = 800
    head_share: float = 0.72
    #: Candidates a trace lists at most, the best ones.
    trace_candidates: int = 100


class Ranking(enum.Enum):
    """How a checkpoint chooses what it carries; see ``docs/explanation/compaction.md``."""

    #: What adds most that is not carried yet, per token; what must outlive the conversation weighs more.
    COVERAGE = "coverage"
    #: Importance, recency and position of whole messages, as the window protocol has it.
    POSITION = "position"


@attrs.frozen(kw_only=True)
class ReasonWeights:
    """What each reason to carry a stretch adds to its weight; one rare word adds about a tenth, a topic up to 1."""

    correction: float = 1.5
    boundary: float = 1.2
    decision: float = 0.9
    commitment: float = 0.8
    open_question: float = 0.9
    preference: float = 0.8
    date: float = 0.5
    number: float = 0.3
    name: float = 0.3
    negation: float = 0.4


@attrs.frozen(kw_only=True)
class CompactionPolicy:
    """How the continuity checkpoint of a conversation is chosen."""

    ranking: Ranking = Ranking.COVERAGE
    reasons: ReasonWeights = attrs.field(factory=ReasonWeights)
    #: Stretches carried for a date, number, name or negation after which that reason adds half; others never wear off.
    facet_half_count: float = 2.0
    #: Factor on the weight of what a companion or a tool said; the person's own words count 1.
    assistant_factor: float = 0.8
    tool_factor: float = 0.3
    #: Messages from which a word counts as a topic in full; the fewer use it, the less it is one.
    topic_cap: int = 10
    #: Share of a word's weight that is left when the checkpoint has the word already.
    repeat_share: float = 0.1
    #: How strongly length counts against a stretch: 0 not at all, 1 in proportion.
    cost_exponent: float = 0.9
    #: Factor on the weight of a question that was answered.
    answered_factor: float = 0.35
    #: What the newest stretch gains over the oldest, as a share of its weight.
    recency_share: float = 0.15
    #: Overlap of words (Jaccard, 0–1) from which two stretches say the same; the later one is carried.
    repeat_similarity: float = 0.8
    #: Code points of one stretch; a longer sentence is cut into clauses, a longer clause loses its middle.
    max_stretch_chars: int = 200
    #: Code points of a tool's output that are looked at.
    max_tool_chars: int = 600
    #: Whether each civil day of the conversation is named before its lines.
    names_days: bool = True
    # The rest belongs to `Ranking.POSITION`.
    #: Shares of importance, recency and position.
    importance_weight: float = 0.55
    recency_weight: float = 0.20
    position_weight: float = 0.25
    #: Importance of a message that brings none, from the person and from others.
    user_importance: float = 0.65
    other_importance: float = 0.48
    #: Days after which recency counts half.
    half_life_days: float = 7.0
    #: Code points of one line, and the share of them that the head keeps when the middle is cut.
    max_line_chars: int = 600
    head_share: float = 0.72
    #: Tokens that are spent however small the budget.
    least_tokens: int = 32


@attrs.frozen(kw_only=True)
class Policy:
    """All thresholds together; pass one to `Memory.open` to change any of them."""

    admission: AdmissionPolicy = attrs.field(factory=AdmissionPolicy)
    salience: SaliencePolicy = attrs.field(factory=SaliencePolicy)
    plan: PlanPolicy = attrs.field(factory=PlanPolicy)
    inference: InferencePolicy = attrs.field(factory=InferencePolicy)
    forgetting: ForgettingPolicy = attrs.field(factory=ForgettingPolicy)
    notes: NotePolicy = attrs.field(factory=NotePolicy)
    brief: BriefPolicy = attrs.field(factory=BriefPolicy)
    night: NightPolicy = attrs.field(factory=NightPolicy)
    mood: MoodPolicy = attrs.field(factory=MoodPolicy)
    inbox: InboxPolicy = attrs.field(factory=InboxPolicy)
    compaction: CompactionPolicy = attrs.field(factory=CompactionPolicy)
    recall: RecallPolicy = attrs.field(factory=RecallPolicy)
    window: WindowPolicy = attrs.field(factory=WindowPolicy)
    release: ReleasePolicy = attrs.field(factory=ReleasePolicy)


#: The release gate is ours: no original has it.
_NO_RELEASE = ReleasePolicy(enabled=False)

#: The governed kernel as its protocol has it: channel caps, no token limit, and no release gate.
GOVERNED = Policy(plan=PlanPolicy(max_tokens=None, by_match=False), release=_NO_RELEASE)

#: What `Memory.open` uses unless told otherwise.
COMPANION = Policy()

#: The adaptive window as its protocol has it, reading included.
WINDOW = Policy(
    plan=PlanPolicy(by_match=False), window=WindowPolicy(original_reading=True), release=_NO_RELEASE
)

#: Lifecycle notes as their protocol has them: a brief tells what was raised and nothing else.
NOTES = Policy(plan=PlanPolicy(by_match=False), brief=BriefPolicy(standing=False), release=_NO_RELEASE)

_NO_EDGES = AssociationPolicy(enabled=False)

#: What the adaptive window is compared with, by the name under which a benchmark reports it.
WINDOW_ABLATIONS: Mapping[str, WindowPolicy] = MappingProxyType(
    {
        "full": WindowPolicy(),
        "no_window_hygiene": WindowPolicy(scoring=Scoring.CONTENT_AWARE),
        "no_hebbian": WindowPolicy(weights=WindowWeights(association=0.0), association=_NO_EDGES),
        "similarity_only": WindowPolicy(
            weights=WindowWeights(similarity=1.0, recency=0.0, importance=0.0, association=0.0, affect=0.0),
            association=_NO_EDGES,
        ),
        "no_recency": WindowPolicy(weights=WindowWeights(similarity=0.65, recency=0.0, importance=0.15)),
        "no_importance": WindowPolicy(weights=WindowWeights(similarity=0.65, importance=0.0)),
    }
)

#: The checkpoint as the window protocol has it: whole messages by importance, recency and position.
POSITIONAL = CompactionPolicy(ranking=Ranking.POSITION, names_days=False)
