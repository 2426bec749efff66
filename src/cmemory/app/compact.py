"""Makes the continuity checkpoint of a conversation: what may be carried, then what is worth it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import attrs

from cmemory.app.services import Services
from cmemory.domain.archive.barring import Barring
from cmemory.domain.archive.compact import select
from cmemory.domain.archive.entry import Bar, Drop, Entry, Line, Selection
from cmemory.domain.model.ids import MessageId, derive_id
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.message import Message, Speaker
from cmemory.domain.model.scope import Scope
from cmemory.domain.plan.budget import estimate_tokens
from cmemory.domain.plan.render import checkpoint as rendering
from cmemory.domain.trace import Step, Trace
from cmemory.ports.store import ANY_STATUS, View


@attrs.frozen(kw_only=True)
class CompactionTrace:
    """What a compaction saw and chose, in ids and counts."""

    trace_id: str
    session_id: str
    started_at: Instant
    #: How long it took by the clock of the memory; no part of what makes two traces equal.
    duration_ms: float = attrs.field(eq=False)
    #: Messages with any text, lines of earlier checkpoints each counted.
    input_entries: int
    input_estimated_tokens: int
    selected_entries: int
    #: Positions in the input, from 0, ascending.
    selected_input_indexes: tuple[int, ...]
    output_estimated_tokens: int
    token_budget: int
    #: Stretches left out, by reason.
    dropped: Mapping[str, int]


@attrs.frozen(kw_only=True)
class Checkpoint:
    """What is carried on of a conversation that leaves the context window."""

    #: What goes into the prompt; empty when nothing fits.
    text: str
    #: The lines behind it, in the order of the conversation.
    lines: tuple[Line, ...]
    #: Messages that are carried, whole or in part, each once and in order.
    kept_ids: tuple[MessageId, ...]
    trace: CompactionTrace


def compact(
    services: Services,
    scope: Scope,
    source: str | Iterable[Message],
    *,
    token_budget: int,
    now: Instant,
    carry_known: bool = False,
) -> Checkpoint:
    """Return the checkpoint of a session, or of the messages given.

    Of a message that the log holds, the log's text counts, in which forgotten words are masked.

    Args:
        services: ports and settings.
        scope: whose conversation.
        source: the host's name of a session in the log, or messages in the order of the conversation.
        token_budget: tokens at most, heading included.
        now: validity of records and recency are counted to this moment.
        carry_known: whether to carry also what a believed claim says already.
    """
    started = services.clock()
    policy = services.policy.compaction
    with services.store.read(scope) as view:
        given = tuple(view.messages(session=source)) if isinstance(source, str) else tuple(source)
        barring = Barring.of(
            view.records(ANY_STATUS),
            guard=services.guard(scope, view),
            now=now,
            carry_known=carry_known,
            policy=policy,
        )
        entries = tuple(entry for message in given for entry in _entries(services, barring, view, message))
    chosen = select(
        entries, frame=rendering.frame(estimate_tokens), token_budget=token_budget, now=now, policy=policy
    )
    session = source if isinstance(source, str) else _session_of(given)
    made = _checkpoint(scope, session, given, chosen, token_budget=token_budget, now=now)
    elapsed = (services.clock().microseconds - started.microseconds) / 1_000
    made = attrs.evolve(made, trace=attrs.evolve(made.trace, duration_ms=elapsed))
    if services.sink is not None:
        services.sink("compact", now, _told(made.trace, chosen))
    return made


def _entries(services: Services, barring: Barring, view: View, message: Message) -> Iterator[Entry]:
    """Yield a message as entries: one, or one for each line when it is an earlier checkpoint."""
    stored = view.message(message.id)
    said = stored if stored is not None else message
    if said.speaker is not Speaker.USER and rendering.looks_like_one(said.text):
        yield from _carried(barring, said)
        return
    day = f"{said.at.civil(services.zone):%Y-%m-%d}" if services.policy.compaction.names_days else ""
    entry = Entry(message_id=said.id, speaker=said.speaker, text=said.text, at=said.at, day=day)
    yield attrs.evolve(entry, bars=barring.bars(said, entry))


def _carried(barring: Barring, message: Message) -> Iterator[Entry]:
    lines = rendering.read_back(message.text)
    if lines is None:
        bar = Bar(start=0, end=len(message.text), reason=Drop.RECALLED)
        yield Entry(
            message_id=message.id, speaker=message.speaker, text=message.text, at=message.at, bars=(bar,)
        )
        return
    for line in lines:
        entry = Entry(
            message_id=message.id,
            speaker=line.speaker,
            text=line.text,
            at=message.at,
            day=line.day,
            carried=True,
        )
        yield attrs.evolve(entry, bars=barring.bars(message, entry))


def _checkpoint(
    scope: Scope,
    session: str,
    given: Sequence[Message],
    chosen: Selection,
    *,
    token_budget: int,
    now: Instant,
) -> Checkpoint:
    text = rendering.render(chosen.lines)
    trace = CompactionTrace(
        trace_id=derive_id("ct", scope.key, session, str(now), str(token_budget), *(one.id for one in given)),
        session_id=session,
        started_at=now,
        duration_ms=0.0,
        input_entries=chosen.input_entries,
        input_estimated_tokens=chosen.input_tokens,
        selected_entries=len(chosen.lines),
        selected_input_indexes=tuple(line.at for line in chosen.lines),
        output_estimated_tokens=estimate_tokens(text),
        token_budget=token_budget,
        dropped={
            why.value: count for why, count in sorted(chosen.dropped.items(), key=lambda one: one[0].value)
        },
    )
    kept = tuple(dict.fromkeys(line.message_id for line in chosen.lines))
    return Checkpoint(text=text, lines=chosen.lines, kept_ids=kept, trace=trace)


def _told(trace: CompactionTrace, chosen: Selection) -> Trace:
    counts = {
        "input_entries": trace.input_entries,
        "input_estimated_tokens": trace.input_estimated_tokens,
        "selected_entries": trace.selected_entries,
        "output_estimated_tokens": trace.output_estimated_tokens,
        "token_budget": trace.token_budget,
    }
    summary = tuple(
        Step(name="count", subject=trace.trace_id, outcome=name, reason="compaction", score=float(count))
        for name, count in counts.items()
    )
    return Trace(steps=(*summary, *chosen.steps))


def _session_of(messages: Sequence[Message]) -> str:
    """Return the session all messages belong to; empty when they differ."""
    sessions = {message.session for message in messages}
    return sessions.pop() if len(sessions) == 1 else ""
