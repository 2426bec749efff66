"""Every threshold of the domain, frozen, with its unit and where it came from.

An ablation or a roll-back is a `Policy` value, never a branch in the code.
Numbers without another source are those of the governed kernel (``docs/explanation/governed-memory.md``).
"""

from __future__ import annotations

import attrs


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
class PlanPolicy:
    """How much one plan may hold."""

    #: Records at most in the two ranked channels.
    topic_cap: int = 8
    deep_recall_cap: int = 8
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
class Policy:
    """All thresholds together; pass one to `Memory.open` to change any of them."""

    admission: AdmissionPolicy = attrs.field(factory=AdmissionPolicy)
    salience: SaliencePolicy = attrs.field(factory=SaliencePolicy)
    plan: PlanPolicy = attrs.field(factory=PlanPolicy)
    inference: InferencePolicy = attrs.field(factory=InferencePolicy)
    forgetting: ForgettingPolicy = attrs.field(factory=ForgettingPolicy)
    inbox: InboxPolicy = attrs.field(factory=InboxPolicy)


#: The governed kernel as its protocol has it: channel caps, no token limit.
GOVERNED = Policy(plan=PlanPolicy(max_tokens=None))

#: What `Memory.open` uses unless told otherwise.
COMPANION = Policy()
