"""Proposals and the answers to them.

A candidate is what somebody *would like* remembered; nothing in it is trusted. An `Admission` is the domain's
answer, and always a value: a refusal is a normal outcome.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping

import attrs

from cmemory.domain.model.bodies import ArcPoint, NoteKind, Participant
from cmemory.domain.model.ids import RecordId
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.message import Quote


@attrs.frozen(kw_only=True)
class ThreadProposal:
    """An unresolved matter that may be followed up once."""

    id: str
    summary: str
    entity_ref: str | None = None
    expires_at: Instant | None = None


@attrs.frozen(kw_only=True)
class ClaimCandidate:
    """A proposed claim. ``value`` and ``qualifiers`` are as they came, unchecked."""

    id: str
    predicate: str
    value: object
    quote: Quote
    raw_value: str | None = None
    entity_ref: str | None = None
    qualifiers: object = None
    confidence: float = 0.5
    #: When the statement itself says until when it holds.
    valid_until: Instant | None = None
    #: The claim that the person corrects by this one, where the key would let both stand. It must stand in the same
    #: slot, or under the same key and qualifiers when the correction is about whom or where it is.
    replaces: RecordId | None = None
    #: Whether the person says that this takes the place of whatever held under the same key and qualifiers, as moving
    #: house ends the old home, although it is about another place.
    takes_over: bool = False
    thread: ThreadProposal | None = None


@attrs.frozen(kw_only=True)
class EpisodeCandidate:
    """A proposed episode."""

    id: str
    narrative: str
    quote: Quote
    confidence: float = 0.5
    participants: tuple[Participant, ...] = ()
    emotional_arc: tuple[ArcPoint, ...] = ()
    user_reaction: str | None = None
    response_ref: str | None = None


@attrs.frozen(kw_only=True)
class RetractionCandidate:
    """A proposed end to what was believed: "actually I have no sister".

    It reaches the active claims under any of the predicates, narrowed by entity, value and qualifiers where given.
    """

    id: str
    predicates: tuple[str, ...]
    quote: Quote
    #: The person or thing the retracted claims are about.
    entity_ref: str | None = None
    #: Only claims whose value means the same.
    value: str | None = None
    #: Only claims with these qualifiers.
    qualifiers: Mapping[str, str] | None = None


@attrs.frozen(kw_only=True)
class CorrectionCandidate:
    """A proposed change of what one claim says: "change the interview from Wednesday to Thursday", "not Anna, Hanna".

    Which claim is meant is for admission to find: the only one of the scope that speaks of the subject and of the
    previous value. At least one of the two is needed.
    """

    id: str
    #: What is now so, in the person's words.
    new: str
    quote: Quote
    #: What the claim is about, in the person's words.
    subject: str | None = None
    #: What was believed, in the person's words.
    previous: str | None = None
    #: Only claims under one of these keys; any when empty.
    predicates: tuple[str, ...] = ()
    #: Whether the previous value must be all that the claim says: "it's love, not work" speaks of no office.
    whole: bool = False
    #: The day that the new value names, for claims that hold a date.
    day: str | None = None


@attrs.frozen(kw_only=True)
class NoteCandidate:
    """A proposed note: something worth keeping, in a sentence that the quote bears out."""

    id: str
    note_kind: NoteKind
    text: str
    quote: Quote
    tags: tuple[str, ...] = ()
    importance: float = 0.5
    emotional_weight: float = 0.0
    #: The civil day on which it should come up by itself, unchecked.
    due_on: str | None = None


@attrs.frozen(kw_only=True)
class PendingCandidate:
    """A pointer to something that may become a record once its quality gate is open; never recalled."""

    id: str
    kind: str
    reason: str


Candidate = ClaimCandidate | EpisodeCandidate | RetractionCandidate | CorrectionCandidate | NoteCandidate


class Outcome(enum.Enum):
    """What became of a candidate."""

    #: A new record.
    ACCEPTED = "accepted"
    #: A new record that replaced an older one.
    SUPERSEDING = "superseding"
    #: The same as an existing record, which gained the new evidence.
    MERGED = "merged"
    #: Existing records were taken back.
    RETRACTED = "retracted"
    #: Kept aside until a quality gate opens.
    PENDING = "pending"
    REJECTED = "rejected"


class Reason(enum.Enum):
    """Why. Each value is a stable code; `Admission.detail` says it in words."""

    ADMITTED = "admitted"
    MERGED = "merged"
    #: The id or the predicate is blank.
    MISSING_IDENTIFIER = "missing_identifier"
    UNKNOWN_PREDICATE = "unknown_predicate"
    #: Qualifiers outside the predicate's contract.
    QUALIFIER_CONTRACT = "qualifier_contract"
    #: The quote is not at that place in the message.
    SPAN_MISMATCH = "span_mismatch"
    #: The quote occurs more than once, so it proves no particular place.
    AMBIGUOUS_QUOTE = "ambiguous_quote"
    #: The message was not spoken by the user.
    NOT_USER_SPEECH = "not_user_speech"
    REQUIRES_ENTITY_REF = "requires_entity_ref"
    INVALID_VALUE = "invalid_value"
    #: A structured field of an episode is malformed or not in the source.
    STRUCTURED_FIELDS = "episode_structure"
    TYPE_INCOMPATIBLE = "type_incompatible"
    #: A coarser date may not replace a finer one that it contains.
    COARSER_DATE = "coarser_date"
    #: The content was forgotten and may not come back.
    RESURRECTION = "resurrection"
    #: The id already names something else.
    ID_CONFLICT = "id_conflict"
    ID_IN_OTHER_SCOPE = "id_in_other_scope"
    #: The text gives orders to a model.
    INSTRUCTION = "instruction"
    #: The text holds a key, a password or a card number.
    SECRET = "secret"  # noqa: S105 - the code of a refusal
    #: Longer than a fact may be.
    TOO_LONG = "too_long"
    #: An older statement arriving late; what was said after it stands.
    OUTDATED = "outdated"
    #: The person put it away after this was said, and has not said it again since.
    PUT_AWAY = "put_away"
    #: A conclusion that rests on something that may not support it; a note with a number that nobody said.
    UNSUPPORTED = "unsupported"
    PENDING_REVIEW = "pending_review"
    #: A pointer of no known kind, or without an id.
    UNSUPPORTED_PENDING = "unsupported_pending"
    #: A retraction that reaches no active claim.
    NOTHING_TO_RETRACT = "nothing_to_retract"
    #: A correction that speaks of no active claim.
    CORRECTION_NOT_FOUND = "correction_not_found"
    #: A correction that may be meant of several claims, or of several parts of one.
    CORRECTION_AMBIGUOUS = "correction_ambiguous"


@attrs.frozen(kw_only=True)
class Admission:
    """The answer to one candidate."""

    candidate_id: str
    outcome: Outcome
    reason: Reason
    #: One sentence for a developer; names fields, never contents.
    detail: str
    #: The record that now stands for the candidate (also when merged), None when rejected.
    record_id: RecordId | None = None
    #: Records that lost their standing through this candidate.
    ended: tuple[RecordId, ...] = ()

    @property
    def stored(self) -> bool:
        """Whether a new record was written."""
        return self.outcome in (Outcome.ACCEPTED, Outcome.SUPERSEDING)


def count_of(admissions: Iterable[Admission], *outcomes: Outcome) -> int:
    """Return how many answers have one of the outcomes."""
    return sum(admission.outcome in outcomes for admission in admissions)


def rejections_of(admissions: Iterable[Admission]) -> dict[Reason, int]:
    """Return how many candidates were rejected, by reason, in the order of the reasons."""
    found = [one.reason for one in admissions if one.outcome is Outcome.REJECTED]
    return {reason: found.count(reason) for reason in Reason if reason in found}
