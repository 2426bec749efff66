"""What is kept of a run: one case for each repetition, arm and turn, with every link from a candidate to an answer."""

from __future__ import annotations

import enum

import attrs

from cmemory.bench.eval.arms import Arm
from cmemory.bench.eval.fixture import ActKind, Fixture
from cmemory.domain.model.candidate import Outcome, Reason
from cmemory.domain.plan.plan import Channel, Why

#: What an artefact file says of itself.
FORMAT = 1


class Purpose(enum.Enum):
    """What the model was asked for."""

    REPLY = "reply"
    EXTRACT = "extract"
    NIGHT = "night"


@attrs.frozen(kw_only=True)
class Call:
    """One question to the model, and what came back: a text, or the problem."""

    #: For an answer, for reading a message, or for the notes of a night.
    purpose: Purpose
    #: Digest of the prompt; a resumed run must ask the same.
    prompt: str
    #: What the model said; absent where it had no answer.
    text: str | None = None
    #: Why it had none, and whether asking later may help.
    problem: str | None = None
    retryable: bool = False


@attrs.frozen(kw_only=True)
class Placed:
    """Where one record stood in the plan of the turn, withheld ones included."""

    #: Which record.
    record_id: str
    #: Its place in the plan; ``doNotSurface`` when it was withheld.
    channel: Channel
    #: Why it stands there.
    reason: Why
    #: How openly it may be used at most.
    surface: str
    #: What it says.
    text: str
    #: Its weight, where records compete.
    score: float | None = None

    @property
    def shown(self) -> bool:
        """Whether the model saw it."""
        return self.channel is not Channel.DO_NOT_SURFACE


@attrs.frozen(kw_only=True)
class Written:
    """One candidate, and what admission made of it."""

    #: Which candidate.
    candidate_id: str
    #: ``claim``, ``episode``, ``note``, ``retraction`` or ``correction``.
    kind: str
    #: What it says, as its record would be shown.
    text: str
    #: What admission made of it, and why.
    outcome: Outcome
    reason: Reason
    #: The record that now stands for it; absent when it was refused.
    record_id: str | None = None
    #: Records that lost their standing through it.
    ended: tuple[str, ...] = ()
    #: Of a wrong fact: the words that betray it in an answer.
    tells: tuple[str, ...] = ()
    #: Whether it is a wrong fact.
    wrong: bool = False


@attrs.frozen(kw_only=True)
class Acted:
    """What an act of the person reached."""

    #: What was done.
    do: ActKind
    #: To which records; none where the arm had none of that kind.
    record_ids: tuple[str, ...]


@attrs.frozen(kw_only=True)
class Extracted:
    """How reading fared: of the turn's message, and at night of the exchanges since."""

    #: Messages by day, portions of exchanges at night.
    read: int = 0
    #: What got no answer, and answers that could not be read.
    failed: int = 0
    unreadable: int = 0


@attrs.frozen(kw_only=True)
class Case:
    """One turn in one arm of one repetition."""

    #: Names it, such as ``r0/gold_forced/day-7t0``.
    id: str
    #: From 0.
    repetition: int
    #: Which arm.
    arm: Arm
    #: Which turn.
    turn: str
    #: Whether the arm had nothing to show here and no model was asked.
    skipped: bool = False
    #: Of the plan.
    revision: int = 0
    #: Records that counted as named.
    forced: tuple[str, ...] = ()
    #: Where every record stood in the plan.
    placed: tuple[Placed, ...] = ()
    #: What the model was asked, in order.
    calls: tuple[Call, ...] = ()
    #: What was put to admission after the turn, and the night before it.
    written: tuple[Written, ...] = ()
    #: What the person did to records after the turn.
    acted: tuple[Acted, ...] = ()
    #: How the extractor fared.
    extracted: Extracted = attrs.field(factory=Extracted)

    @property
    def reply(self) -> Call | None:
        """What the model answered last, None when it was not asked."""
        replies = [call for call in self.calls if call.purpose is Purpose.REPLY]
        return replies[-1] if replies else None

    @property
    def answer(self) -> str:
        """The text of the answer, empty when there is none."""
        reply = self.reply
        return (reply.text or "").strip() if reply is not None else ""


@attrs.frozen(kw_only=True)
class Header:
    """What was run."""

    format: int
    fixture: Fixture
    repetitions: int
    #: Name of the model that answers, and who proposes facts in the normal arm: ``model`` or ``rules``.
    model: str
    extractor: str
    #: Digest of the thresholds and budgets of the memory under test.
    policy: str


@attrs.frozen(kw_only=True)
class Artefacts:
    """A run as its file has it."""

    header: Header
    cases: tuple[Case, ...] = ()

    @property
    def expected(self) -> int:
        """How many cases a finished run has."""
        turns = sum(len(session.turns) for session in self.header.fixture.sessions)
        return turns * len(Arm) * self.header.repetitions


def case_id(repetition: int, arm: Arm, turn: str) -> str:
    """Return the name of a case, such as ``r0/gold_forced/week-2t0``."""
    return f"r{repetition}/{arm.value}/{turn}"
