"""The mention gate: may this record be spoken of in this turn?

It sees levels and cues, never a score: ranking is not permission.
"""

from __future__ import annotations

import enum

import attrs

from cmemory.domain.gates.visibility import meet
from cmemory.domain.model.bodies import Axis, Claim, Episode, Inference, InferenceState, Note
from cmemory.domain.model.record import AnyRecord
from cmemory.domain.predicates.registry import Visibility, visibility_of


@attrs.frozen(kw_only=True)
class Cues:
    """What in the current turn speaks for a record. All False is the resting state."""

    #: The person named it.
    referenced: bool = False
    #: The topic of the turn is its topic.
    implied: bool = False
    #: What it forbids or rules out bears on what the turn asks for, shared words or not.
    bears: bool = False
    #: A time trigger was fired for it, and whether the person had allowed that.
    time_trigger: bool = False
    time_trigger_authorised: bool = False
    #: The turn uses the shared private word the record is about.
    shared_term: bool = False

    @property
    def any(self) -> bool:
        """Whether the turn itself points at the record."""
        return self.referenced or self.implied or self.bears


NO_CUES = Cues()


class Denial(enum.Enum):
    """Why a record stays silent."""

    DO_NOT_SURFACE = "do_not_surface"
    NEVER_SURFACE = "never_surface"
    TIME_TRIGGER_NOT_AUTHORISED = "time_trigger_not_authorised"
    USES_UNLICENSED_SHARED_TERM = "uses_unlicensed_shared_term"
    AWAITING_USER_CUE = "awaiting_user_cue"
    INFERENCE_NOT_ACTIVE = "inference_not_active"


@attrs.frozen(kw_only=True)
class Verdict:
    """The answer: how openly at most, and why not, if not."""

    level: Visibility
    denial: Denial | None = None

    @property
    def allowed(self) -> bool:
        return self.denial is None

    @property
    def background_only(self) -> bool:
        """Whether the record may shape the answer but not be said."""
        return self.allowed and self.level is Visibility.BACKGROUND_ONLY


def level_of(record: AnyRecord) -> Visibility:
    """Return how openly a record may be used at most, before any cue is looked at."""
    if record.salience.muted:
        return Visibility.NEVER_SURFACE
    match record.body:
        case Claim(predicate=key):
            return visibility_of(key)
        case Episode() | Note():
            return Visibility.MENTION_IF_USER_CUES
        case Inference(predicate=key):
            return meet(visibility_of(key), Visibility.BACKGROUND_ONLY)


def decide(level: Visibility, cues: Cues, *, muted: bool = False, shared_world: bool = False) -> Verdict:
    """Return the verdict for a level and the cues of a turn; the first rule that fits wins.

    Args:
        level: the record's own ceiling.
        cues: what the turn offers.
        muted: whether the level is 0 because the person asked for silence.
        shared_world: whether the record uses a private word that only the person may bring up.
    """
    denial: Denial | None = None
    if level is Visibility.NEVER_SURFACE:
        denial = Denial.DO_NOT_SURFACE if muted else Denial.NEVER_SURFACE
    elif cues.time_trigger and not cues.time_trigger_authorised:
        denial = Denial.TIME_TRIGGER_NOT_AUTHORISED
    elif shared_world and level >= Visibility.MENTION_IF_USER_CUES and not cues.shared_term:
        denial = Denial.USES_UNLICENSED_SHARED_TERM
    elif level is Visibility.MENTION_IF_USER_CUES and not (cues.any or cues.time_trigger_authorised):
        denial = Denial.AWAITING_USER_CUE
    return Verdict(level=level, denial=denial)


def decide_record(record: AnyRecord, cues: Cues) -> Verdict:
    """Return the verdict for a record; an inference that was not promoted is silent whatever the cues."""
    level = level_of(record)
    body = record.body
    if isinstance(body, Inference):
        if body.state is not InferenceState.ACTIVE:
            return Verdict(level=level, denial=Denial.INFERENCE_NOT_ACTIVE)
        return decide(level, cues, muted=record.salience.muted, shared_world=body.axis is Axis.SHARED_WORLD)
    return decide(level, cues, muted=record.salience.muted)
