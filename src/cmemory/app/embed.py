"""Gives messages and records the vectors they lack, the newest first, some at a time and each time durably."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator, Sequence

import attrs

from cmemory.app.meaning import vectors
from cmemory.app.services import Services
from cmemory.domain.errors import ModelError, UsageError
from cmemory.domain.model.changes import Changes
from cmemory.domain.model.embedding import Embedded, Embedding
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.message import Speaker
from cmemory.domain.model.record import AnyRecord, is_claim, is_inference
from cmemory.domain.model.scope import Scope
from cmemory.domain.plan.lines import line_of
from cmemory.domain.policy import EmbeddingPolicy
from cmemory.domain.predicates.registry import is_boundary
from cmemory.domain.trace import Step, Trace
from cmemory.ports.embedder import Embedder, Purpose
from cmemory.ports.store import View

Name = tuple[Embedded, str]


class EmbedFailure(enum.Enum):
    """Why giving vectors ended before its time."""

    #: The embedder gave no answer; trying again later may help.
    UNAVAILABLE = "embedder_unavailable"
    #: It refuses, or answers with something else than vectors; somebody has to look at how it is set up.
    REFUSED = "embedder_refused"


@attrs.frozen(kw_only=True)
class EmbedReport:
    """What giving vectors brought."""

    #: Texts that have a vector now.
    embedded: int = 0
    #: Texts that were looked at and get none: what tools put in, what says nothing, what the embedder refuses.
    passed: int = 0
    #: Texts that still lack one.
    waiting: int = 0
    #: Why it ended early, and in the embedder's words; None when it did not.
    failure: EmbedFailure | None = None
    problem: str | None = None

    def then(self, later: EmbedReport) -> EmbedReport:
        """Return both reports as one."""
        return EmbedReport(
            embedded=self.embedded + later.embedded,
            passed=self.passed + later.passed,
            waiting=self.waiting + later.waiting,
            failure=later.failure or self.failure,
            problem=later.problem or self.problem,
        )


def embed_everything(services: Services, *, now: Instant, limit: int | None) -> EmbedReport:
    """Give vectors in every relationship, so many in all at most; a failure ends it."""
    report = EmbedReport()
    for scope in services.store.scopes():
        left = None if limit is None else limit - report.embedded - report.passed
        # After a failure the others are only counted.
        left = left if report.failure is None else 0
        report = report.then(embed(services, scope, now=now, limit=left))
    return report


def embed(services: Services, scope: Scope, *, now: Instant, limit: int | None) -> EmbedReport:
    """Give vectors to what lacks one of the present model: messages and active records, so many at most.

    The embedder is asked outside any transaction, and each batch is written in one of its own, so that a crash loses the
    batch under way and nothing else. A text that was erased or masked meanwhile gets none.

    Raises:
        UsageError: there is no embedder.
        StoreError: the store failed.
    """
    embedder = services.embedder
    if embedder is None:
        raise UsageError(
            field="embedder", problem="must be given to Memory.open before anything can be embedded"
        )
    policy = services.policy.recall.embedding
    with services.store.read(scope) as view:
        lacking: list[Name] = [
            (kind, name) for kind in Embedded for name in view.unembedded(kind, model=embedder.name)
        ]
    report = EmbedReport(waiting=len(lacking))
    for batch in _batches(lacking[:limit], policy.batch):
        step = _embed_batch(services, scope, batch, embedder, policy)
        report = attrs.evolve(
            report.then(attrs.evolve(step, waiting=0)), waiting=report.waiting - step.embedded - step.passed
        )
        if step.failure is not None:
            break
    _trace(services, report, embedder.name, now)
    return report


def _batches(names: Sequence[Name], size: int) -> Iterator[Sequence[Name]]:
    return (names[first : first + size] for first in range(0, len(names), max(1, size)))


def _embed_batch(
    services: Services, scope: Scope, batch: Sequence[Name], embedder: Embedder, policy: EmbeddingPolicy
) -> EmbedReport:
    with services.store.read(scope) as view:
        texts = {name: _text(view, name) for name in batch}
    asked = [name for name, text in texts.items() if text.strip()]
    try:
        made = dict(zip(asked, _ask(embedder, [texts[name] for name in asked], policy), strict=True))
    except ModelError as error:
        failure = EmbedFailure.UNAVAILABLE if error.retryable else EmbedFailure.REFUSED
        return EmbedReport(failure=failure, problem=error.problem)
    except UsageError as error:
        return EmbedReport(failure=EmbedFailure.REFUSED, problem=str(error))
    with services.store.write(scope) as unit:
        # What the vector was made of may be gone, or have lost a word.
        same = [name for name in batch if _text(unit, name) == texts[name]]
        rows = (
            Embedding(kind=kind, id=name, model=embedder.name, vector=made.get((kind, name), b""))
            for kind, name in same
        )
        unit.apply(Changes(embeddings=tuple(rows)))
    return EmbedReport(
        embedded=sum(bool(made.get(name)) for name in batch),
        passed=sum(not made.get(name) for name in batch),
    )


def _ask(embedder: Embedder, texts: Sequence[str], policy: EmbeddingPolicy) -> list[bytes]:
    """Return a vector for each text; empty for one that the embedder refuses by itself, while it takes others."""
    if not texts:
        return []
    try:
        return vectors(embedder, texts, purpose=Purpose.PASSAGE, policy=policy)
    except ModelError as error:
        if error.retryable or len(texts) == 1:
            raise
        refusal: ModelError | UsageError = error
    except UsageError as error:
        if len(texts) == 1:
            raise
        refusal = error
    made = list(_one_by_one(embedder, texts, policy))
    if not any(made):
        raise refusal
    return made


def _one_by_one(embedder: Embedder, texts: Iterable[str], policy: EmbeddingPolicy) -> Iterator[bytes]:
    for text in texts:
        try:
            yield from vectors(embedder, [text], purpose=Purpose.PASSAGE, policy=policy)
        except UsageError:
            yield b""
        except ModelError as error:
            if error.retryable:
                raise
            yield b""


def _text(view: View, name: Name) -> str:
    """Return what a vector is made of; nothing for what is never found, or is not there any more."""
    kind, key = name
    if kind is Embedded.RECORD:
        record = view.record(key)
        return "" if record is None or not _is_found(record) else line_of(record)
    message = view.message(key)
    return "" if message is None or message.speaker is Speaker.TOOL else message.text


def _is_found(record: AnyRecord) -> bool:
    return not (is_inference(record) or (is_claim(record) and is_boundary(record.body.predicate)))


def _trace(services: Services, report: EmbedReport, model: str, now: Instant) -> None:
    if services.sink is not None:
        counts = {"embedded": report.embedded, "passed": report.passed, "waiting": report.waiting}
        reason = "done" if report.failure is None else report.failure.value
        steps = (
            Step(name="embed", subject=model, outcome=outcome, reason=reason, score=float(count))
            for outcome, count in counts.items()
        )
        services.sink("embed", now, Trace(steps=tuple(steps)))
