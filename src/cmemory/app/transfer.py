"""Moves memory out of a store and into one: exports, their import, and dialogues from elsewhere.

Whatever comes in takes the common way: messages pass the forgetting guard, records pass admission, one by one
and in the order in which they were first believed. What a file says can therefore add belief only where its
own messages prove it, and never brings back what was forgotten here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeVar

import attrs

from cmemory.app.admit import Desk
from cmemory.app.observe import Intake, message_of, take_in
from cmemory.app.services import Services
from cmemory.app.settle import Answer, Names, Settled, Settler
from cmemory.domain.errors import UsageError, WireError
from cmemory.domain.evidence.suppression import Guard
from cmemory.domain.model.candidate import Outcome, Reason
from cmemory.domain.model.changes import OpenThread, ThreadStatus
from cmemory.domain.model.ids import derive_id
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.message import Message, Speaker
from cmemory.domain.model.record import AnyRecord, is_inference
from cmemory.domain.model.scope import Scope
from cmemory.ports.store import ANY_STATUS, Unit

#: Things that share one transaction. A crash repeats at most these, harmlessly.
BATCH = 500

#: Bytes of text after which a transaction is closed before it is full, so that long messages do not pile up.
_BATCH_BYTES = 8 * 1_048_576

_L = TypeVar("_L")


@attrs.frozen(kw_only=True)
class Snapshot:
    """All that an export holds, in the order of the file."""

    scope: Scope
    #: Oldest first, then by id.
    messages: tuple[Message, ...]
    #: Claims and episodes oldest first, replaced ones before what replaced them; then inferences likewise.
    records: tuple[AnyRecord, ...]
    #: Only those still open, oldest first.
    threads: tuple[OpenThread, ...]


@attrs.frozen(kw_only=True)
class ExportReport:
    """What an export wrote."""

    #: When it was asked for; not part of the file, whose bytes depend on nothing but the memory.
    at: Instant
    messages: int
    records: int
    threads: int
    #: Size of the file.
    bytes: int


@attrs.frozen(kw_only=True)
class ImportReport:
    """What an import brought."""

    #: Messages that were written, were here already, or were refused because they had been forgotten.
    stored: int = 0
    known: int = 0
    forgotten: int = 0
    #: What the source holds beside the dialogue, such as system prompts and pictures without words.
    skipped: int = 0
    #: Records that are new, known already or the same as another, and new with an older value replaced.
    accepted: int = 0
    merged: int = 0
    superseding: int = 0
    #: Records and threads that were refused, by the code of the reason, in the order of the codes.
    rejected: Mapping[str, int] = attrs.field(factory=dict)
    #: Records that took over an end (replaced, taken back, expired, soft-deleted), and that were muted.
    ended: int = 0
    muted: int = 0
    #: Follow-ups that were opened.
    threads: int = 0
    #: What could not be read, in the order of the file; everything else was taken in.
    errors: tuple[WireError, ...] = ()

    @property
    def resurrections(self) -> int:
        """Records that were refused because they had been forgotten."""
        return self.rejected.get(Reason.RESURRECTION.value, 0)


@attrs.frozen(kw_only=True)
class Entry:
    """One line of an export."""

    #: Where it stands, for errors; such as ``line 7: $.record``.
    place: str
    item: Message | AnyRecord | OpenThread


@attrs.frozen(kw_only=True)
class Utterance:
    """One thing somebody said, as a dialogue from elsewhere has it."""

    #: Where it stands, for errors; such as ``line 7`` or ``$[2].chat_messages[4]``.
    place: str
    speaker: Speaker
    text: str
    session: str
    #: When it was said, None when the source does not say so.
    at: Instant | None
    #: The host's own id, None to derive one.
    message_id: str | None = None
    #: What tells this utterance from any other, wherever in the file it stands.
    identity: tuple[str, ...] = ()


@attrs.frozen(kw_only=True)
class Skipped:
    """Something in the source that nobody said."""

    place: str


#: What a reader of exports yields, and what a reader of dialogues yields.
ExportLine = Entry | WireError
DialogueLine = Utterance | Skipped | WireError

#: Called after each transaction.
Progress = Callable[[], None]

#: What a host hears after each transaction: bytes of the file that are done, and all of them.
OnProgress = Callable[[int, int], None]


# -- out -----------------------------------------------------------------------------------------------------


def snapshot(services: Services, scope: Scope) -> Snapshot:
    """Return one consistent state of a relationship, without anything that must not be seen again."""
    with services.store.read(scope) as view:
        guard = services.guard(scope, view)
        records = tuple(record for record in view.records(ANY_STATUS) if not guard.hides(record))
        ids = {record.id for record in records}
        threads = (one for one in view.threads() if one.status is ThreadStatus.OPEN and one.record_id in ids)
        return Snapshot(
            scope=scope,
            messages=tuple(view.messages()),
            records=_oldest_first(records),
            threads=tuple(sorted(threads, key=lambda one: (one.opened_at, one.id))),
        )


def _oldest_first(records: Iterable[AnyRecord]) -> tuple[AnyRecord, ...]:
    by_id = {record.id: record for record in records}
    depths: dict[str, int] = {}

    def depth(record: AnyRecord) -> int:
        """Return how many values a record replaced one after another; tells the order within one moment."""
        chain = []
        while record.id not in depths and record.id not in chain:
            chain.append(record.id)
            earlier = by_id.get(record.supersedes) if record.supersedes else None
            if earlier is None:
                break
            record = earlier
        known = depths.get(record.id, -1)
        for name in reversed(chain):
            known += 1
            depths[name] = known
        return known

    for record in by_id.values():
        depth(record)
    return tuple(
        sorted(by_id.values(), key=lambda one: (is_inference(one), one.created_at, depths[one.id], one.id))
    )


# -- in ------------------------------------------------------------------------------------------------------


@attrs.define
class _Tally:
    """Counts an import as it goes."""

    intakes: Counter[Intake] = attrs.field(factory=Counter)
    outcomes: Counter[Outcome] = attrs.field(factory=Counter)
    rejected: Counter[str] = attrs.field(factory=Counter)
    skipped: int = 0
    ended: int = 0
    muted: int = 0
    threads: int = 0
    errors: list[WireError] = attrs.field(factory=list)

    def settle(self, settled: Settled) -> None:
        """Count what became of a record."""
        if isinstance(settled.answer, Outcome):
            self.outcomes[settled.answer] += 1
        else:
            self.rejected[settled.answer] += 1
        self.ended += settled.ended
        self.muted += settled.muted

    def follow(self, answer: Answer) -> None:
        """Count what became of a follow-up."""
        if not isinstance(answer, Outcome):
            self.rejected[answer] += 1
        self.threads += answer is Outcome.ACCEPTED

    def report(self) -> ImportReport:
        return ImportReport(
            stored=self.intakes[Intake.STORED],
            known=self.intakes[Intake.KNOWN],
            forgotten=self.intakes[Intake.FORGOTTEN],
            skipped=self.skipped,
            accepted=self.outcomes[Outcome.ACCEPTED],
            merged=self.outcomes[Outcome.MERGED],
            superseding=self.outcomes[Outcome.SUPERSEDING],
            rejected=dict(sorted(self.rejected.items())),
            ended=self.ended,
            muted=self.muted,
            threads=self.threads,
            errors=tuple(self.errors),
        )


def import_dialogue(
    services: Services, scope: Scope, lines: Iterable[DialogueLine], *, start: Instant, progress: Progress
) -> ImportReport:
    """Take in a dialogue from elsewhere; the user's words wait in the inbox like any others.

    Ids derive from what was said and where it comes from, so that a second import, or one that goes on after
    a crash, writes only what is missing.

    Args:
        lines: what the reader found.
        start: when the first message without a time counts as said; each further one a second later.
        progress: called after each transaction.
    """
    tally = _Tally()
    dated = _Dated(services=services, scope=scope, start=start)
    for batch in _batches(lines):
        with services.store.write(scope) as unit:
            guard = services.guard(scope, unit)
            for line in batch:
                if isinstance(line, WireError):
                    tally.errors.append(line)
                elif isinstance(line, Skipped):
                    tally.skipped += 1
                else:
                    _hear(unit, guard, dated, line, tally)
        progress()
    return tally.report()


@attrs.define
class _Dated:
    """Makes messages of utterances: gives each a time and an id."""

    services: Services
    scope: Scope
    start: Instant
    undated: int = 0
    #: How often the very same thing was said, so that saying "ok" twice is two messages.
    seen: Counter[str] = attrs.field(factory=Counter)

    def message(self, line: Utterance) -> Message:
        at = line.at
        if at is None:
            at = self.start.plus(seconds=self.undated)
            self.undated += 1
        return message_of(
            line.text,
            scope=self.scope,
            session=line.session,
            speaker=line.speaker,
            at=at,
            max_bytes=self.services.policy.admission.max_message_bytes,
            message_id=line.message_id or self._derived(line),
        )

    def _derived(self, line: Utterance) -> str:
        name = derive_id("m", self.scope.key, line.session, line.speaker.value, line.text, *line.identity)
        self.seen[name] += 1
        again = self.seen[name]
        return name if again == 1 else derive_id("m", name, str(again))


def import_records(
    services: Services,
    scope: Scope,
    origin: Scope,
    lines: Iterable[ExportLine],
    *,
    now: Instant,
    progress: Progress,
) -> ImportReport:
    """Take in an export, whether it came from this relationship or another.

    Nothing waits for extraction: what was learned from these messages is in the file too.

    Args:
        origin: whose memory the file holds; when it is not ``scope``, every id is derived anew.
        lines: what the reader found, in the order of the file.
        now: when mutes and ends were carried over, for the audit.
        progress: called after each transaction.
    """
    tally = _Tally()
    names = Names(origin=origin, scope=scope)
    for batch in _batches(lines):
        with services.store.write(scope) as unit:
            desk = Desk.open(services, scope, unit)
            settler = Settler(desk=desk, names=names, now=now)
            for line in batch:
                if isinstance(line, WireError):
                    tally.errors.append(line)
                else:
                    _settle(settler, line, tally)
        progress()
    return tally.report()


def _hear(unit: Unit, guard: Guard, dated: _Dated, line: Utterance, tally: _Tally) -> None:
    try:
        tally.intakes[take_in(unit, guard, dated.message(line), queue=True)] += 1
    except UsageError as error:
        tally.errors.append(_located(error, line.place))


def _settle(settler: Settler, entry: Entry, tally: _Tally) -> None:
    item = entry.item
    try:
        if isinstance(item, Message):
            tally.intakes[settler.message(item)] += 1
        elif isinstance(item, OpenThread):
            tally.follow(settler.thread(item))
        else:
            tally.settle(settler.record(item))
    except UsageError as error:
        tally.errors.append(_located(error, entry.place))


def _batches(lines: Iterable[_L]) -> Iterator[list[_L]]:
    """Yield the lines in portions of one transaction each, read before the transaction begins."""
    batch: list[_L] = []
    size = 0
    for line in lines:
        batch.append(line)
        size += _bytes_of(line)
        if len(batch) >= BATCH or size >= _BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _bytes_of(line: object) -> int:
    said = line.item if isinstance(line, Entry) else line
    return 4 * len(said.text) if isinstance(said, (Message, Utterance)) else 0


def _located(error: UsageError, place: str) -> WireError:
    return WireError(
        path=f"{place}.{error.field}" if "$" in place else f"{place}: $.{error.field}", problem=error.problem
    )
