"""Shows a person, or a developer, what is kept and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import attrs

from cmemory.app import inbox
from cmemory.app.services import Services
from cmemory.domain.errors import UsageError
from cmemory.domain.gates.mention import NO_CUES, Verdict, decide_record
from cmemory.domain.model.bodies import kind_name
from cmemory.domain.model.changes import Decision
from cmemory.domain.model.ids import RecordId, Revision
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.life import Status
from cmemory.domain.model.message import Message, SourceKind
from cmemory.domain.model.record import AnyRecord, is_claim
from cmemory.domain.model.scope import Scope
from cmemory.domain.plan.lines import line_of
from cmemory.domain.predicates.registry import MISC_ALARM_SHARE
from cmemory.ports.store import ACTIVE, ANY_STATUS, View


@attrs.frozen(kw_only=True)
class Explanation:
    """Why a record is believed, and what may be done with it."""

    record: AnyRecord
    text: str
    #: The messages its evidence stands in, oldest first.
    messages: tuple[Message, ...]
    #: What was decided about it, oldest first.
    decisions: tuple[Decision, ...]
    #: What the mention gate says while nothing in a turn points at it.
    at_rest: Verdict
    #: Earlier and later versions of the same fact, oldest first, this one included.
    versions: tuple[RecordId, ...]


@attrs.frozen(kw_only=True)
class Stats:
    """Counts of one scope."""

    revision: Revision
    records: Mapping[str, int]
    statuses: Mapping[str, int]
    predicates: Mapping[str, int]
    messages: int
    #: Messages that wait for extraction, and those set aside after too many failures, in an attached journal too.
    waiting: int
    dead: int
    #: Things that must not come back.
    forgotten: int
    muted: int
    #: Share of active claims under ``misc.unclassified``, 0 to 1.
    misc_share: float

    @property
    def misc_alarm(self) -> bool:
        """Whether the vocabulary no longer fits what is being said."""
        return self.misc_share > MISC_ALARM_SHARE


def list_records(
    services: Services,
    scope: Scope,
    *,
    now: Instant,
    kind: str | None,
    predicate: str | None,
    everything: bool,
) -> tuple[AnyRecord, ...]:
    """Return the scope's records, newest first; only those believed at ``now`` unless everything is asked for."""
    with services.store.read(scope) as view:
        guard = services.guard(scope, view)
        records = view.records(ANY_STATUS if everything else ACTIVE)
    return tuple(
        record
        for record in records
        if (everything or record.live(now))
        and not guard.hides(record)
        and kind in (None, kind_name(record.body))
        and predicate in (None, getattr(record.body, "predicate", None))
    )


def show(services: Services, scope: Scope, record_id: str) -> AnyRecord:
    """Return one record, whatever its status.

    Raises:
        UsageError: the scope has no record of that id.
    """
    with services.store.read(scope) as view:
        return known(view, record_id)


def history(services: Services, scope: Scope, record_id: str) -> tuple[AnyRecord, ...]:
    """Return every version of the fact a record states, oldest first."""
    with services.store.read(scope) as view:
        return _versions(view, known(view, record_id))


def explain(services: Services, scope: Scope, record_id: str) -> Explanation:
    """Return the proof, the decisions and the standing of a record."""
    with services.store.read(scope) as view:
        record = known(view, record_id)
        sources = {one.source_id for one in record.evidence if one.source is SourceKind.MESSAGE}
        messages = [message for message in map(view.message, sorted(sources)) if message is not None]
        return Explanation(
            record=record,
            text=line_of(record),
            messages=tuple(sorted(messages, key=lambda message: (message.at, message.id))),
            decisions=tuple(view.decisions(record_id=record.id)),
            at_rest=decide_record(record, NO_CUES),
            versions=tuple(version.id for version in _versions(view, record)),
        )


def stats(services: Services, scope: Scope) -> Stats:
    """Return the counts of a scope."""
    jobs = inbox.jobs(services, scope)
    with services.store.read(scope) as view:
        records = view.records(ANY_STATUS)
        active = [record for record in records if record.status is Status.ACTIVE]
        keys = Counter(record.body.predicate for record in active if is_claim(record))
        return Stats(
            revision=view.revision(),
            records=Counter(kind_name(record.body) for record in active),
            statuses=Counter(record.status.value for record in records),
            predicates=dict(sorted(keys.items())),
            messages=len(view.messages()),
            waiting=sum(not job.dead for job in jobs),
            dead=sum(job.dead for job in jobs),
            forgotten=len(view.suppressions()),
            muted=sum(record.salience.muted for record in active),
            misc_share=keys["misc.unclassified"] / keys.total() if keys else 0.0,
        )


def known(view: View, record_id: str) -> AnyRecord:
    """Return the record of that id, or raise a `UsageError` that says there is none."""
    record = view.record(record_id)
    if record is None:
        raise UsageError(field="record_id", problem="no such record in this scope")
    return record


def _versions(view: View, record: AnyRecord) -> tuple[AnyRecord, ...]:
    """Follow the chain both ways: what it replaced, and what replaced it."""
    chain = [record]
    while chain[0].supersedes is not None and (earlier := view.record(chain[0].supersedes)) is not None:
        chain.insert(0, earlier)
    later = {one.supersedes: one for one in view.records(ANY_STATUS) if one.supersedes is not None}
    while (successor := later.get(chain[-1].id)) is not None:
        chain.append(successor)
    return tuple(chain)
