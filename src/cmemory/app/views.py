"""What an operation answers, as plain frozen values ready to be spelt.

The façade answers in domain values. Whoever publishes an operation (worker, tools of a model) shows these
views of them: enums by their stable tokens, records with the line by which they are shown, and of what is
withheld only the counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import attrs

from cmemory.app import inspect
from cmemory.app.compact import Checkpoint, CompactionTrace
from cmemory.app.consolidate import NightPlan, NightReport
from cmemory.app.forget import Preview
from cmemory.app.maintain import MaintainReport
from cmemory.app.meaning import Degraded
from cmemory.app.query import Hit
from cmemory.app.utterances import Utterance, Utterances
from cmemory.domain.forget.erase import ForgetReport
from cmemory.domain.forget.residue import Residue
from cmemory.domain.model.candidate import Admission, Outcome
from cmemory.domain.model.changes import Decision
from cmemory.domain.model.ids import MessageId, RecordId, Revision
from cmemory.domain.model.message import Message
from cmemory.domain.model.record import AnyRecord
from cmemory.domain.model.scope import Scope
from cmemory.domain.plan.lines import line_of
from cmemory.domain.plan.people import Entity
from cmemory.domain.plan.plan import SHOWN, Item, Plan, Why
from cmemory.domain.plan.render.brief import Brief
from cmemory.domain.plan.window import Window, WindowItem


@attrs.frozen(kw_only=True)
class RecordView:
    """A record with the line by which it is shown."""

    text: str
    record: AnyRecord


@attrs.frozen(kw_only=True)
class Records:
    """Records, in the order of the operation."""

    records: tuple[RecordView, ...]


@attrs.frozen(kw_only=True)
class People:
    """Who and what the records speak of, the most spoken of first."""

    entities: tuple[Entity, ...]


@attrs.frozen(kw_only=True)
class Admissions:
    """The answers to candidates, in their order."""

    admissions: tuple[Admission, ...]


@attrs.frozen(kw_only=True)
class Hits:
    """What was found, the best first."""

    hits: tuple[Hit | Utterance, ...]
    #: How many utterances stay untold, by reason; records that stay untold are not counted.
    withheld: Mapping[str, int] = attrs.field(factory=dict)
    #: Why a search for utterances went by words alone although there is an embedder.
    degraded: Degraded | None = None


@attrs.frozen(kw_only=True)
class Briefed:
    """What a reply may draw on."""

    #: Empty when there is nothing to say.
    text: str
    #: Code points of the text.
    chars: int
    record_ids: tuple[RecordId, ...]
    #: How many records stay back.
    withheld: int


@attrs.frozen(kw_only=True)
class Night:
    """What came of a night, or of one task of it."""

    #: The civil day that was due; null when none was.
    day: str | None
    admissions: tuple[Admission, ...]
    accepted: int
    merged: int
    rejected: Mapping[str, int]
    #: Items of answers that could not be used.
    dropped: int
    #: Tasks whose model failed, and those whose answer could not be read.
    failed: int
    unreadable: int
    #: Exchanges that still wait.
    left: int


@attrs.frozen(kw_only=True)
class Maintained:
    """What came of the chores."""

    night: Night
    #: Notes that gave way, and conclusions that nobody confirmed in time.
    faded: int
    expired: int
    #: Texts that have a vector now.
    embedded: int


@attrs.frozen(kw_only=True)
class NightTaskView:
    """One question to a model."""

    #: Names the task when its answer is handed in.
    said: tuple[MessageId, ...]
    system: str
    prompt: str
    #: Tokens the answer may take.
    max_tokens: int


@attrs.frozen(kw_only=True)
class NightTasks:
    """What the night has to do."""

    #: The civil day that is due; null when none is.
    day: str | None
    tasks: tuple[NightTaskView, ...]


@attrs.frozen(kw_only=True)
class Entry:
    """One record in one channel of a plan."""

    record_id: RecordId
    text: str
    #: How openly it may be used at most.
    surface: str
    reason: str
    score: float | None


@attrs.frozen(kw_only=True)
class Turn:
    """One turn's memory. What is withheld is counted by reason; neither ids nor texts of it are told."""

    revision: Revision
    #: By channel; only the channels that hold something.
    channels: Mapping[str, tuple[Entry, ...]]
    withheld: Mapping[str, int]
    #: What goes into the prompt.
    text: str


@attrs.frozen(kw_only=True)
class Filled:
    """Earlier words of one conversation. What is withheld is counted by reason; neither ids nor texts of it are told."""

    #: What goes into the prompt; empty when there is nothing to say.
    text: str
    #: Tokens of the text.
    tokens: int
    #: What it shows, the best first.
    items: tuple[WindowItem, ...]
    withheld: Mapping[str, int]
    #: Names this retrieval in the trace file.
    trace_id: str


@attrs.frozen(kw_only=True)
class Standing:
    """What the mention gate says of a record while nothing in a turn points at it."""

    level: str
    denial: str | None


@attrs.frozen(kw_only=True)
class Explained:
    """Why a record is believed, and what may be done with it."""

    text: str
    record: AnyRecord
    messages: tuple[Message, ...]
    decisions: tuple[Decision, ...]
    at_rest: Standing
    versions: tuple[RecordId, ...]


@attrs.frozen(kw_only=True)
class PreviewItem:
    """One record that forgetting would take."""

    record_id: RecordId
    text: str


@attrs.frozen(kw_only=True)
class Previewed:
    """What forgetting by meaning would take, and the token that confirms exactly that."""

    items: tuple[PreviewItem, ...]
    token: str


@attrs.frozen(kw_only=True)
class Forgotten:
    """What forgetting did."""

    forgotten: bool
    record_ids: tuple[RecordId, ...]
    message_ids: tuple[MessageId, ...]
    residue: tuple[Residue, ...]
    recomputed: tuple[RecordId, ...]


@attrs.frozen(kw_only=True)
class CarriedLine:
    """One message of a checkpoint, or the part of it that is carried."""

    message_id: MessageId
    speaker: str
    text: str
    #: The civil day, empty where none is named.
    day: str
    #: Whether the message is carried from end to end.
    whole: bool
    #: Why, the weightiest first.
    reasons: tuple[str, ...]
    #: What it was weighed at when it was taken, and the named parts of that.
    score: float
    parts: Mapping[str, float]


@attrs.frozen(kw_only=True)
class Compacted:
    """What is carried on of a conversation."""

    #: What goes into the prompt; empty when nothing fits.
    text: str
    lines: tuple[CarriedLine, ...]
    #: Each once, in the order of the conversation.
    kept_ids: tuple[MessageId, ...]
    trace: CompactionTrace


@attrs.frozen(kw_only=True)
class Lifted:
    """Whether there was anything to lift."""

    lifted: bool


@attrs.frozen(kw_only=True)
class Retried:
    """How many messages went back to the inbox."""

    retried: int


@attrs.frozen(kw_only=True)
class Verified:
    """Whether a text has really left the store."""

    clean: bool
    #: The files that were read.
    files: tuple[str, ...]


@attrs.frozen(kw_only=True)
class Scopes:
    """Every relationship of the database."""

    scopes: tuple[Scope, ...]


class Verification(Protocol):
    """What the façade says of a text that should be gone."""

    @property
    def clean(self) -> bool: ...

    @property
    def files(self) -> tuple[str, ...]: ...


def as_it_is(value: object) -> object:
    """Return a value that needs no other view."""
    return value


def record(one: AnyRecord) -> RecordView:
    """Return the view of a record."""
    return RecordView(text=line_of(one), record=one)


def records(found: Sequence[AnyRecord]) -> Records:
    """Return the view of several records."""
    return Records(records=tuple(map(record, found)))


def people(found: Sequence[Entity]) -> People:
    """Return the view of who and what the records speak of."""
    return People(entities=tuple(found))


def admissions(answers: Sequence[Admission]) -> Admissions:
    """Return the view of the answers to candidates."""
    return Admissions(admissions=tuple(answers))


def hits(found: Sequence[Hit] | Utterances) -> Hits:
    """Return the view of what a search found."""
    if isinstance(found, Utterances):
        return Hits(hits=found.hits, withheld=found.withheld, degraded=found.degraded)
    return Hits(hits=tuple(found))


def turn(plan: Plan) -> Turn:
    """Return the view of a plan."""
    placed = {channel: tuple(map(_entry, plan.channel(channel))) for channel in SHOWN}
    return Turn(
        revision=plan.revision,
        channels={channel.value: entries for channel, entries in placed.items() if entries},
        withheld={why.value: count for why, count in sorted(plan.withheld.items(), key=_by_token)},
        text=plan.text,
    )


def filled(window: Window) -> Filled:
    """Return the view of a window."""
    return Filled(
        text=window.text,
        tokens=window.tokens,
        items=window.items,
        withheld=dict(sorted((label.value, count) for label, count in window.withheld.items())),
        trace_id=window.trace.trace_id,
    )


def explained(explanation: inspect.Explanation) -> Explained:
    """Return the view of an explanation."""
    verdict = explanation.at_rest
    denial = None if verdict.denial is None else verdict.denial.value
    return Explained(
        text=explanation.text,
        record=explanation.record,
        messages=explanation.messages,
        decisions=explanation.decisions,
        at_rest=Standing(level=verdict.level.token, denial=denial),
        versions=explanation.versions,
    )


def previewed(preview: Preview) -> Previewed:
    """Return the view of a preview."""
    items = tuple(PreviewItem(record_id=record_id, text=text) for record_id, text in preview.items)
    return Previewed(items=items, token=preview.token)


def forgotten(report: ForgetReport) -> Forgotten:
    """Return the view of what forgetting did."""
    return Forgotten(
        forgotten=report.forgotten,
        record_ids=report.record_ids,
        message_ids=report.message_ids,
        residue=report.residue,
        recomputed=report.recomputed,
    )


def compacted(made: Checkpoint) -> Compacted:
    """Return the view of a checkpoint."""
    lines = tuple(
        CarriedLine(
            message_id=line.message_id,
            speaker=line.speaker.value,
            text=line.text,
            day=line.day,
            whole=line.whole,
            reasons=tuple(reason.value for reason in line.reasons),
            score=line.card.score,
            parts=dict(line.card.parts),
        )
        for line in made.lines
    )
    return Compacted(text=made.text, lines=lines, kept_ids=made.kept_ids, trace=made.trace)


def lifted(found: bool) -> Lifted:
    """Return the view of a lift."""
    return Lifted(lifted=found)


def retried(count: int) -> Retried:
    """Return the view of a retry."""
    return Retried(retried=count)


def verified(found: Verification) -> Verified:
    """Return the view of a verification."""
    return Verified(clean=found.clean, files=found.files)


def scopes(found: Sequence[Scope]) -> Scopes:
    """Return the view of all relationships."""
    return Scopes(scopes=tuple(found))


def briefed(brief: Brief) -> Briefed:
    """Return the view of a brief."""
    return Briefed(text=brief.text, chars=brief.chars, record_ids=brief.record_ids, withheld=brief.withheld)


def night(report: NightReport) -> Night:
    """Return the view of a night."""
    return Night(
        day=report.day,
        admissions=report.admissions,
        accepted=report.count(Outcome.ACCEPTED, Outcome.SUPERSEDING),
        merged=report.count(Outcome.MERGED),
        rejected={reason.value: count for reason, count in report.rejections.items()},
        dropped=report.dropped,
        failed=report.failed,
        unreadable=report.unreadable,
        left=report.left,
    )


def maintained(report: MaintainReport) -> Maintained:
    """Return the view of the chores."""
    return Maintained(
        night=night(report.night), faded=report.faded, expired=report.expired, embedded=report.embedded
    )


def night_tasks(plan: NightPlan) -> NightTasks:
    """Return the view of what the night has to do."""
    return NightTasks(
        day=plan.day,
        tasks=tuple(
            NightTaskView(
                said=task.said,
                system=task.prompt.system,
                prompt=task.prompt.user,
                max_tokens=task.prompt.max_tokens,
            )
            for task in plan.tasks
        ),
    )


def _entry(item: Item) -> Entry:
    return Entry(
        record_id=item.record_id,
        text=item.text,
        surface=item.surface.token,
        reason=item.reason.value,
        score=item.score,
    )


def _by_token(pair: tuple[Why, int]) -> str:
    return pair[0].value
