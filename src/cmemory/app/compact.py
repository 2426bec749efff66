"""Makes the continuity checkpoint of a conversation: what may be carried, then what is worth it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

import attrs

from cmemory.app.services import Services
from cmemory.domain.admit.screening import screen
from cmemory.domain.archive.compact import select
from cmemory.domain.archive.entry import Bar, Drop, Entry, Line, Selection
from cmemory.domain.archive.stretches import pieces
from cmemory.domain.evidence.echo import Echoes
from cmemory.domain.evidence.redaction import BLOT
from cmemory.domain.evidence.suppression import Guard
from cmemory.domain.gates.boundary import Shield
from cmemory.domain.model.candidate import Reason
from cmemory.domain.model.ids import MessageId, derive_id
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.life import Status
from cmemory.domain.model.message import Evidence, Message, SourceKind, Speaker
from cmemory.domain.model.record import AnyRecord, is_claim
from cmemory.domain.model.scope import Scope
from cmemory.domain.plan.budget import estimate_tokens
from cmemory.domain.plan.render import checkpoint as rendering
from cmemory.domain.policy import CompactionPolicy
from cmemory.domain.predicates.wording import own_words
from cmemory.domain.text.normal import fold
from cmemory.domain.text.tokens import contains_word
from cmemory.domain.trace import Step, Trace
from cmemory.ports.store import ANY_STATUS, View

#: A masked word: blots that are no Markdown emphasis, whose marks touch what they embrace.
_MASK = re.compile(rf"{re.escape(BLOT)}{{3,}}|(?<![*\w]){re.escape(BLOT)}{{2}}(?![*\w])")
#: Share of a stretch that must be the proof of a claim for the claim to say it all.
_MOSTLY = 0.6
_GONE = frozenset({Status.SUPERSEDED, Status.RETRACTED})
_SCREENED = {Reason.INSTRUCTION: Drop.INSTRUCTION, Reason.SECRET: Drop.SECRET}
#: Opens a block that a plan rendered; what was recalled is no news.
_PLAN_BLOCK = re.compile(r"<\s*companion_memory\b", re.IGNORECASE)


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
        rules = _Rules.of(services.guard(scope, view), view, now=now, carry_known=carry_known, policy=policy)
        entries = tuple(entry for message in given for entry in _entries(services, rules, view, message))
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


@attrs.frozen(kw_only=True)
class _Rules:
    """What of any message must stay out, as the records of the scope have it."""

    guard: Guard
    echoes: Echoes
    shield: Shield
    policy: CompactionPolicy
    #: Messages that prove a silenced record, and the wordings of such records, folded.
    silent: frozenset[str]
    wordings: tuple[str, ...]
    #: Quoted byte ranges by message, with why they stay out.
    quoted: Mapping[str, tuple[tuple[int, int, Drop], ...]]

    @classmethod
    def of(
        cls, guard: Guard, view: View, *, now: Instant, carry_known: bool, policy: CompactionPolicy
    ) -> _Rules:
        """Read the rules from the records of every status."""
        records = view.records(ANY_STATUS)
        silenced = [one for one in records if _silenced(one, guard)]
        live = [one for one in records if one.live(now) and not guard.hides(one)]
        quoted: dict[str, list[tuple[int, int, Drop]]] = {}
        held = {_place(one) for record in live for one in _quotes(record)}
        for record in records:
            why = _why_quoted(record, now, carry_known)
            if why is None:
                continue
            for one in _quotes(record):
                if why is Drop.KNOWN or _place(one) not in held:
                    quoted.setdefault(one.source_id, []).append((*_place(one)[1:], why))
        least = guard.policy.mask_min_chars
        return cls(
            guard=guard,
            echoes=Echoes(guard),
            shield=Shield.of(one for one in live if is_claim(one)),
            policy=policy,
            silent=frozenset(one.source_id for record in silenced for one in record.evidence),
            wordings=tuple(sorted({text for record in silenced for text in _wordings(record, least)})),
            quoted={message: tuple(found) for message, found in quoted.items()},
        )

    def bars(self, message: Message, entry: Entry) -> tuple[Bar, ...]:
        """Return what of an entry stays out."""
        whole = self._whole(message.id, entry.text)
        if whole is not None:
            return (Bar(start=0, end=len(entry.text), reason=whole),)
        return tuple(self._partial(message, entry))

    def _whole(self, message_id: str, text: str) -> Drop | None:
        if self.guard.everything or message_id in self.guard.records:
            return Drop.FORGOTTEN
        if self.shield.covers(text):
            return Drop.BOUNDARY
        folded = fold(text)
        if message_id in self.silent or any(contains_word(folded, words) for words in self.wordings):
            return Drop.MUTED
        return Drop.RECALLED if _PLAN_BLOCK.search(text) else None

    def _partial(self, message: Message, entry: Entry) -> Iterator[Bar]:
        for piece in pieces(entry, self.policy):
            refused = screen((piece.text,))
            if _MASK.search(piece.text) or self.echoes.found_in(piece.text):
                yield Bar(start=piece.start, end=piece.end, reason=Drop.FORGOTTEN)
            elif refused is not None:
                yield Bar(start=piece.start, end=piece.end, reason=_SCREENED[refused])
        if not entry.carried:
            yield from self._proven(message, entry)

    def _proven(self, message: Message, entry: Entry) -> Iterator[Bar]:
        """Yield what proved a record; what is known only where next to nothing else is said."""
        encoded = message.text.encode("utf-8")
        for first, last, why in self.quoted.get(message.id, ()):
            start, end = _chars(encoded[:first]), _chars(encoded[:last])
            for piece in pieces(entry, self.policy):
                shared = min(end, piece.end) - max(start, piece.start)
                if shared > 0 and (why is Drop.OUTDATED or shared >= _MOSTLY * len(piece.text.strip())):
                    yield Bar(start=piece.start, end=piece.end, reason=why)


def _entries(services: Services, rules: _Rules, view: View, message: Message) -> Iterator[Entry]:
    """Yield a message as entries: one, or one for each line when it is an earlier checkpoint."""
    stored = view.message(message.id)
    said = stored if stored is not None else message
    if said.speaker is not Speaker.USER and rendering.looks_like_one(said.text):
        yield from _carried(rules, said)
        return
    day = f"{said.at.civil(services.zone):%Y-%m-%d}" if rules.policy.names_days else ""
    entry = Entry(message_id=said.id, speaker=said.speaker, text=said.text, at=said.at, day=day)
    yield attrs.evolve(entry, bars=rules.bars(said, entry))


def _carried(rules: _Rules, message: Message) -> Iterator[Entry]:
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
        yield attrs.evolve(entry, bars=rules.bars(message, entry))


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


def _silenced(record: AnyRecord, guard: Guard) -> bool:
    """Tell whether nothing of a record may be heard: it is muted, put away, or suppressed."""
    return record.salience.muted or record.status is Status.DELETED or guard.hides(record)


def _why_quoted(record: AnyRecord, now: Instant, carry_known: bool) -> Drop | None:
    """Return why the words that proved a record stay out, or None where they may be carried."""
    if record.status in _GONE:
        return Drop.OUTDATED
    known = not carry_known and is_claim(record) and record.live(now)
    return Drop.KNOWN if known else None


def _quotes(record: AnyRecord) -> tuple[Evidence, ...]:
    return tuple(one for one in record.evidence if one.source is SourceKind.MESSAGE and one.quote is not None)


def _place(evidence: Evidence) -> tuple[str, int, int]:
    quote = evidence.quote
    return (evidence.source_id, quote.start, quote.end) if quote is not None else (evidence.source_id, 0, 0)


def _wordings(record: AnyRecord, least: int) -> Iterator[str]:
    if is_claim(record):
        yield from (folded for text in own_words(record.body) if len(folded := fold(text)) >= least)


def _chars(encoded: bytes) -> int:
    return len(encoded.decode("utf-8", "ignore"))
