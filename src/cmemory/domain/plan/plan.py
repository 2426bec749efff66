"""The memory usage plan: what the model gets to see in one turn, through which channel, and what stays back."""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import overload

import attrs
from typing_extensions import override

from cmemory.domain.model.ids import RecordId, Revision
from cmemory.domain.predicates.registry import Visibility
from cmemory.domain.trace import Step, Trace


class Channel(enum.Enum):
    """How the model may use a record; the values are the names on the wire."""

    #: Obligations: respected, never explained.
    CONSTRAINTS = "constraints"
    #: Whom it is talking to.
    IDENTITY = "identity"
    #: How to speak.
    RESPONSE_STYLE = "responseStyle"
    #: One light follow-up in this greeting.
    CONTINUITY = "continuity"
    #: What the person brought up.
    TOPIC_ACTIVATED = "topicActivated"
    #: What may shape the answer without being recited.
    DEEP_RECALL = "deepRecall"
    #: Counted, never shown.
    DO_NOT_SURFACE = "doNotSurface"


class Why(enum.Enum):
    """Why a record stands in its channel."""

    CONSTRAINT_POLICY = "constraint_policy"
    #: Allowed, but only in the background.
    BACKGROUND_POLICY = "background_policy"
    FORCED_ORACLE_INJECTION = "forced_oracle_injection"
    CURRENT_TURN_CUE = "current_turn_cue"
    TOPIC_IMPLIED = "topic_implied"
    #: A limit of the person's that bears on what the message asks for.
    BEARS = "bears"
    #: Allowed without a cue.
    POLICY_MEMORY = "policy_memory"
    #: No cue, or not to be surfaced at all.
    MENTION_GATE_DENIED = "mention_gate_denied"
    MENTION_GATE = "mention_gate"
    #: The person asked that it not be mentioned.
    MUTED = "muted"
    #: The person fenced the topic off.
    BOUNDARY_POLICY = "boundary_policy"
    #: Did not fit.
    PROMPT_BUDGET = "prompt_budget"
    ONE_SESSION_GREETING_FOLLOWUP = "one_session_greeting_followup"
    #: Free to mention, but too weak to come unasked.
    BELOW_RECALL_THRESHOLD = "below_recall_threshold"
    #: An episode that nothing in this turn points at.
    EPISODE_AT_REST = "episode_at_rest"
    #: A note that nothing in this turn points at.
    NOTE_AT_REST = "note_at_rest"
    #: A note whose day this is.
    DUE_TODAY = "due_today"
    #: A claim that is shown says it already.
    SAID_ALREADY = "said_already"
    #: May only shape an answer, and this turn gives it nothing to shape.
    BACKGROUND_AT_REST = "background_at_rest"
    # What follows is said by the release gate; the names are those of `cmemory.domain.policy.Reason`.
    #: The message wants what is known of the person's liking left aside.
    EXCLUDED = "excluded"
    #: An opinion nobody asked for.
    OPINION = "opinion"
    #: A private subject that the message does not open.
    PRIVATE = "private"
    #: The message says it itself.
    MESSAGE_SAYS_IT = "message_says_it"
    #: The same name, borne by somebody else.
    OTHER_BEARER = "other_bearer"
    #: The message wants nobody's taste.
    CLOSED_REQUEST = "closed_request"
    #: The taste or limit of somebody whom the message leaves out.
    OTHER_PERSON = "other_person"
    #: The message asks on behalf of somebody else.
    THIRD_PARTY = "third_party"
    #: A way of spending one's own time that the message does not open.
    OWN_TIME = "own_time"
    #: Nothing in the message opens it.
    UNOPENED = "unopened"


@attrs.frozen(kw_only=True)
class Item:
    """One record in one channel."""

    record_id: RecordId
    text: str
    surface: Visibility
    reason: Why
    #: Its weight, where records compete; None where they do not.
    score: float | None = None


class Withheld(Sequence[Item]):
    """Items that are made when somebody looks at them; how many there are is known without that.

    Thousands are withheld in a turn, and hardly anybody looks. Equal to a tuple of the same items.

    Args:
        counts: how many there are, by reason.
        items: makes them.
    """

    __slots__ = ("_counts", "_items", "_made")

    def __init__(self, counts: Mapping[Why, int], items: Callable[[], Iterable[Item]]) -> None:
        self._counts = counts
        self._items = items
        self._made: tuple[Item, ...] | None = None

    @property
    def counts(self) -> Mapping[Why, int]:
        """How many there are, by reason."""
        return self._counts

    def then(self, more: Sequence[Item]) -> Withheld:
        """Return these items and some more behind them."""
        counts = Counter(self._counts)
        counts.update(item.reason for item in more)
        return Withheld(counts, lambda: (*self, *more))

    def _all(self) -> tuple[Item, ...]:
        if self._made is None:
            self._made = tuple(self._items())
        return self._made

    @override
    def __len__(self) -> int:
        return sum(self._counts.values())

    @overload
    def __getitem__(self, at: int) -> Item: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Item, ...]: ...
    @override
    def __getitem__(self, at: int | slice) -> Item | tuple[Item, ...]:
        return self._all()[at]

    @override
    def __iter__(self) -> Iterator[Item]:
        return iter(self._all())

    @override
    def __eq__(self, other: object) -> bool:
        return self._all() == tuple(other) if isinstance(other, (tuple, Withheld)) else NotImplemented

    @override
    def __hash__(self) -> int:
        return hash(self._all())

    @override
    def __repr__(self) -> str:
        return repr(self._all())

    @override
    def __reduce__(self) -> tuple[type[tuple[Item, ...]], tuple[tuple[Item, ...]]]:
        return tuple, (self._all(),)


@attrs.frozen(kw_only=True)
class Plan:
    """One turn's memory. Every active record of the scope stands in exactly one channel, save that the continuity
    entry may repeat one."""

    revision: Revision
    constraints: tuple[Item, ...] = ()
    identity: tuple[Item, ...] = ()
    response_style: tuple[Item, ...] = ()
    continuity: tuple[Item, ...] = ()
    topic_activated: tuple[Item, ...] = ()
    deep_recall: tuple[Item, ...] = ()
    #: Kept back, with the reason. The texts are for audit only; no renderer shows them.
    do_not_surface: Sequence[Item] = attrs.field(default=(), repr=False)
    #: The rendered text that goes into the prompt.
    text: str = attrs.field(default="", repr=False)

    def channel(self, channel: Channel) -> Sequence[Item]:
        """Return the items of one channel."""
        items: Sequence[Item] = getattr(self, _FIELDS[channel])
        return items

    @property
    def shown(self) -> tuple[tuple[Channel, Item], ...]:
        """Everything the model sees, in the order in which it is rendered."""
        return tuple((channel, item) for channel in SHOWN for item in self.channel(channel))

    @property
    def withheld(self) -> Mapping[Why, int]:
        """How many records were kept back, by reason."""
        back = self.do_not_surface
        counts = back.counts if isinstance(back, Withheld) else Counter(item.reason for item in back)
        return {why: counts[why] for why in Why if counts.get(why)}

    @property
    def trace(self) -> Trace:
        """Where each record went and why, in ids and codes."""
        placed = (*self.shown, *((Channel.DO_NOT_SURFACE, item) for item in self.do_not_surface))
        return Trace(
            steps=tuple(
                Step(
                    name="place",
                    subject=item.record_id,
                    outcome=channel.value,
                    reason=item.reason.value,
                    score=item.score,
                )
                for channel, item in placed
            )
        )


_FIELDS = {
    Channel.CONSTRAINTS: "constraints",
    Channel.IDENTITY: "identity",
    Channel.RESPONSE_STYLE: "response_style",
    Channel.CONTINUITY: "continuity",
    Channel.TOPIC_ACTIVATED: "topic_activated",
    Channel.DEEP_RECALL: "deep_recall",
    Channel.DO_NOT_SURFACE: "do_not_surface",
}

#: The channels a model sees, in rendering order.
SHOWN = tuple(channel for channel in Channel if channel is not Channel.DO_NOT_SURFACE)
