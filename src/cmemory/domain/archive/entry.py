"""What a compaction is given and what it answers: entries, frames, lines with their reasons, and the trace."""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping, Sequence

import attrs

from cmemory.domain.model.ids import MessageId
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.message import Speaker
from cmemory.domain.trace import Step

#: Stands where something of a message was left out.
GAP = "…"


class Keep(enum.Enum):
    """Why a stretch is carried."""

    #: It puts right what was said before.
    CORRECTION = "correction"
    #: The person does not want something.
    BOUNDARY = "boundary"
    DECISION = "decision"
    #: Somebody undertook to do something.
    COMMITMENT = "commitment"
    #: A question that nobody has answered.
    OPEN_QUESTION = "open_question"
    PREFERENCE = "preference"
    DATE = "date"
    NUMBER = "number"
    NAME = "name"
    NEGATION = "negation"
    #: It says something that nothing else in the checkpoint says.
    NEWS = "news"
    #: A correction or an answer means nothing without it.
    CONTEXT = "context"
    #: An earlier checkpoint carried it.
    CARRIED = "carried"
    #: Importance, recency and position chose it.
    POSITION = "position"


class Drop(enum.Enum):
    """Why a stretch is not carried."""

    #: It greets, thanks, agrees or exclaims.
    NOISE = "noise"
    #: A later stretch says the same.
    REPEAT = "repeat"
    #: A program's output, or code.
    FLOOD = "flood"
    #: A later stretch of the same conversation puts it right.
    SUPERSEDED = "superseded"
    #: It was forgotten, or is masked.
    FORGOTTEN = "forgotten"
    #: A boundary covers it.
    BOUNDARY = "boundary"
    #: It proves or names a record that is muted or put away.
    MUTED = "muted"
    #: It proved a claim that was replaced or taken back.
    OUTDATED = "outdated"
    #: A claim that is believed says it already.
    KNOWN = "known"
    #: It gives orders to a model.
    INSTRUCTION = "instruction"
    #: It holds a secret.
    SECRET = "secret"  # noqa: S105 - a code, not a password
    #: It came from a plan or a damaged checkpoint.
    RECALLED = "recalled"
    #: There was no room.
    BUDGET = "budget"


@attrs.frozen(kw_only=True)
class Bar:
    """A stretch of an entry that must not be carried, in code points: ``start`` inclusive, ``end`` exclusive."""

    start: int
    end: int
    reason: Drop


@attrs.frozen(kw_only=True)
class Entry:
    """One message that leaves the context window, or one line of an earlier checkpoint."""

    message_id: MessageId
    speaker: Speaker
    text: str
    at: Instant
    #: The civil day where the person lives, such as ``2026-03-01``; empty for none.
    day: str = ""
    #: 0 to 1, None when nobody weighed it.
    importance: float | None = None
    #: Whether it is a line of an earlier checkpoint, so that it was chosen once already.
    carried: bool = False
    #: What of it stays out whatever it weighs.
    bars: tuple[Bar, ...] = ()


@attrs.frozen(kw_only=True)
class Frame:
    """What a checkpoint costs beside what it carries, in tokens; made by whoever renders it.

    The sum of these is at least the cost of the rendered text.
    """

    heading: int
    #: Cost of one line with its speaker and line break.
    line: Callable[[Speaker, str], int]
    #: Cost of the line that names a day.
    day: Callable[[str], int]


@attrs.frozen(kw_only=True)
class StretchScore:
    """How a stretch was weighed when it was taken."""

    #: Named parts, in the order in which they were reckoned.
    parts: tuple[tuple[str, float], ...]
    score: float


@attrs.frozen(kw_only=True)
class Line:
    """One message, or the part of it that is carried."""

    message_id: MessageId
    speaker: Speaker
    text: str
    day: str
    #: Position of its entry in the input, from 0.
    at: int
    #: Whether the message is carried from end to end.
    whole: bool
    reasons: tuple[Keep, ...]
    card: StretchScore


@attrs.frozen(kw_only=True)
class Selection:
    """What is carried, in the order of the conversation, and what is not."""

    lines: tuple[Line, ...]
    #: Tokens reckoned for them with heading and days; 0 when nothing is carried.
    tokens: int
    #: Entries with any text, and their tokens.
    input_entries: int
    input_tokens: int
    #: How many stretches were left out, by reason.
    dropped: Mapping[Drop, int]

    @property
    def steps(self) -> tuple[Step, ...]:
        """What was decided, in ids and codes."""
        kept = tuple(
            Step(
                name="carry",
                subject=line.message_id,
                outcome="whole" if line.whole else "part",
                reason="+".join(one.value for one in line.reasons),
                score=line.card.score,
            )
            for line in self.lines
        )
        left = tuple(
            Step(name="leave", subject=str(count), outcome="left_out", reason=why.value)
            for why, count in sorted(self.dropped.items(), key=lambda pair: pair[0].value)
        )
        return kept + left


def total(frame: Frame, lines: Sequence[tuple[str, int]]) -> int:
    """Return the tokens of a checkpoint whose lines, in order, have these days and costs."""
    spent, today = frame.heading, ""
    for day, cost in lines:
        if day and day != today:
            spent += frame.day(day)
        spent, today = spent + cost, day
    return spent
