"""The façade a host holds: one method per use case, nothing decided here."""

from __future__ import annotations

import enum
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import timezone, tzinfo
from types import TracebackType
from typing import TYPE_CHECKING, Literal, overload

import attrs
from typing_extensions import Self

from cmemory import app, given
from cmemory.assembly import IN_MEMORY, assemble, open_store, restore_backup
from cmemory.domain.errors import UsageError
from cmemory.domain.lexicon.digest import Language
from cmemory.domain.model.message import Speaker
from cmemory.domain.model.scope import Scope
from cmemory.domain.policy import COMPANION
from cmemory.domain.time.calendar import SpanKind

# What methods take and return comes with the use case behind them, which is loaded when it is first called.
if TYPE_CHECKING:
    from cmemory.app.actions import ActionResult
    from cmemory.app.carry import RestoreReport
    from cmemory.app.compact import Checkpoint
    from cmemory.app.drain import DrainReport
    from cmemory.app.embed import EmbedReport
    from cmemory.app.forget import Preview
    from cmemory.app.infer import Promotion
    from cmemory.app.inspect import Explanation, Stats
    from cmemory.app.learn import LearnReport
    from cmemory.app.maintain import MaintainReport
    from cmemory.app.observe import Receipt
    from cmemory.app.query import Hit
    from cmemory.app.selfcheck import SelfcheckReport
    from cmemory.app.services import Services
    from cmemory.app.transfer import ExportReport, ImportReport, OnProgress
    from cmemory.app.utterances import Utterances
    from cmemory.app.warm import Planner
    from cmemory.domain.forget.erase import ByEntity, ForgetReport, Target
    from cmemory.domain.model.affect import Affect
    from cmemory.domain.model.bodies import Axis
    from cmemory.domain.model.candidate import Admission, Candidate, PendingCandidate
    from cmemory.domain.model.changes import Job
    from cmemory.domain.model.instant import Instant
    from cmemory.domain.model.message import Message
    from cmemory.domain.model.record import AnyRecord
    from cmemory.domain.plan.digest import Digest
    from cmemory.domain.plan.people import Entity, EntityKind
    from cmemory.domain.plan.plan import Plan
    from cmemory.domain.plan.window import Window
    from cmemory.domain.policy import Policy
    from cmemory.domain.recall.said import Among
    from cmemory.domain.reflect.mood import MoodReading
    from cmemory.domain.reflect.quality import Gate, Quality
    from cmemory.domain.scoring.salience import Signal
    from cmemory.given import When
    from cmemory.notebook import Notebook
    from cmemory.ports.clock import Clock
    from cmemory.ports.embedder import Embedder
    from cmemory.ports.extractor import Extractor
    from cmemory.ports.inbox import Journal
    from cmemory.ports.model import Model
    from cmemory.ports.sink import TraceSink
    from cmemory.ports.store import BackupReport, Footprint, Store

#: How sure the host is of a fact it states on the person's behalf.
_STATED = 0.9


class SearchKind(enum.Enum):
    """What a search looks through."""

    #: What is believed.
    RECORD = "record"
    #: What was said.
    UTTERANCE = "utterance"


@attrs.frozen(kw_only=True)
class Verification:
    """Whether a text has really left the store."""

    #: True when no byte of it was found.
    clean: bool
    #: The files that were read; empty for a store in memory.
    files: tuple[str, ...]


class Memory:
    """Long-term memory in one database; `scope` opens one relationship in it.

    >>> memory = Memory.open()
    >>> luna = memory.scope(service="my-app", owner="u-42", profile="luna")
    >>> _ = luna.observe("My name is Nora.", session="s1", at="2026-03-01T09:00:00Z")
    >>> _ = luna.learn(now="2026-03-01T09:01:00Z")
    >>> [item.text for item in luna.prepare("hi", now="2026-03-02T09:00:00Z").identity]
    ['identity.name: Nora']
    """

    def __init__(self, services: Services) -> None:
        self._services = services
        self._planner = app.warm.Planner(services)

    @classmethod
    def open(
        cls,
        path: str | os.PathLike[str] = IN_MEMORY,
        *,
        policy: Policy = COMPANION,
        extractor: Extractor | None = None,
        model: Model | None = None,
        embedder: Embedder | None = None,
        clock: Clock | None = None,
        zone: str | tzinfo = timezone.utc,
        trace: str | os.PathLike[str] | TraceSink | None = None,
        secret: bytes | None = None,
        store: Store | None = None,
        journal: str | os.PathLike[str] | Journal | None = None,
        quality: str | os.PathLike[str] | Quality | None = None,
    ) -> Self:
        """Open a database, making it when it does not exist.

        Args:
            path: a SQLite file, or ``:memory:`` to keep nothing.
            policy: thresholds and budgets.
            extractor: who proposes facts; the offline rules unless given.
            model: a language model that proposes facts, in place of an extractor; with ``policy.window.model_affect`` it
                reads moods as well.
            embedder: makes vectors of what is kept, when `embed` is called, and of what is searched for; without one
                words count alone. See `docs/how-to/use-an-embedder.md`.
            clock: asked where a call leaves the time out; the machine's unless given.
            zone: the person's time zone, for "tomorrow".
            trace: a file for traces as JSON lines, or a callable that takes them.
            secret: key of the forgetting hashes, at least 32 bytes; a random one is made with the database
                unless given.
            store: a ready store instead of a path.
            journal: a file in which messages wait that were taken in before the database was up; forgetting
                reaches it too, and `close` closes it.
            quality: a stored measurement of whoever reads the messages, such as ``cmemory eval extraction`` writes. One
                that meets ``policy.inference`` opens the promotion of conclusions; without one it stays closed.

        Raises:
            StoreError: the file is damaged, not ours, newer than this library, or cannot be opened.
            UsageError: the zone is unknown, the secret does not fit the database, the measurement cannot be read, or an
                extractor and a model are both given.
            WireError: the measurement is none.
        """
        if model is not None and extractor is not None:
            raise UsageError(field="model", problem="cannot be given together with extractor")
        home = store if store is not None else open_store(path, secret=secret)
        return cls(
            assemble(
                home,
                policy=policy,
                extractor=extractor,
                model=model,
                embedder=embedder,
                clock=clock,
                zone=zone,
                trace=trace,
                journal=journal,
                quality=quality,
            )
        )

    @property
    def promotion(self) -> Gate:
        """Whether conclusions may be promoted and used, and if not, why."""
        return self._services.promotion

    def scope(self, *, service: str, owner: str, profile: str) -> ScopedMemory:
        """Return the memory of one relationship: a person (``owner``) and a companion (``profile``) in a product.

        Raises:
            UsageError: a part is no string, blank, or a wildcard.
        """
        return ScopedMemory(
            self._services, self._planner, Scope(service=service, owner=owner, profile=profile)
        )

    def scopes(self) -> Sequence[Scope]:
        """Return every relationship this database holds."""
        return self._services.store.scopes()

    def verify_forgotten(self, text: str) -> Verification:
        """Look for a text in every byte that was written: deleted pages, logs and an attached journal included.

        Raises:
            UsageError: the text is blank.
        """
        store, journal = self._services.store, self._services.journal
        found = store.contains(given.filled(text, "text")) or (journal is not None and journal.contains(text))
        files = (*store.footprint().files, *(journal.files if journal is not None else ()))
        return Verification(clean=not found, files=files)

    def embed(self, *, now: When = None, limit: int | None = None) -> EmbedReport:
        """Give vectors to what lacks one in every relationship; see `ScopedMemory.embed`, whose arguments it takes."""
        most = None if limit is None else given.count(limit, "limit")
        return app.embed.embed_everything(
            self._services, now=given.moment(now, "now", self._services.clock), limit=most
        )

    def footprint(self) -> Footprint:
        """Return the files and bytes the database takes up."""
        return self._services.store.footprint()

    def selfcheck(self, *, repair: bool = False, now: When = None) -> SelfcheckReport:
        """Look over everything that is stored, and tell what contradicts itself; see `docs/explanation/reliability.md`.

        Args:
            repair: rebuild the full-text index where it is wrong. Nothing else is ever changed.
            now: claims count as live at this moment.

        Returns:
            The findings, each with a code, a severity, the id it is about, and what to do; never a word of the person.

        Raises:
            StoreError: the database cannot be read at all, or the index cannot be rebuilt.
        """
        moment = given.moment(now, "now", self._services.clock)
        return app.selfcheck.selfcheck(self._services, now=moment, repair=repair)

    def backup(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> BackupReport:
        """Copy the whole database, as it is at one moment, into one file, while others go on using it.

        The copy is looked over before it takes its place; only its owner may read it.

        Args:
            path: the file.
            overwrite: whether a file that is there may be replaced.

        Raises:
            UsageError: the file is there already, is the database itself or one in use, or this memory has no file.
            StoreError: the file cannot be written, or the copy is damaged.
        """
        return self._services.store.back_up(os.fspath(path), overwrite=overwrite)

    @staticmethod
    def restore_backup(
        backup: str | os.PathLike[str],
        path: str | os.PathLike[str],
        *,
        keep_forgetting: bool = True,
        policy: Policy = COMPANION,
        now: When = None,
    ) -> RestoreReport:
        """Put a backup in the place of a database that nobody has open, at one stroke or not at all.

        Everything since the backup is lost, but for one thing: what was forgotten since stays forgotten, and is erased
        from the restored database.

        Args:
            backup: a file that `backup` wrote; it stays as it is.
            path: the database to replace or make.
            keep_forgetting: carry the present database's forgetting over. Without it, what was forgotten since is back.
            policy: how much of a text must be masked.
            now: when it is done, for the audit.

        Raises:
            UsageError: there is no such backup, or it is of another database, whose forgetting cannot be kept.
            StoreError: the backup fails its check, is newer or not ours; or the database is open elsewhere, newer, or
                damaged so that its forgetting cannot be read.
        """
        moment = None if now is None else given.moment(now, "now", None)
        return restore_backup(backup, path, keep_forgetting=keep_forgetting, policy=policy, now=moment)

    def close(self) -> None:
        """Release the database and the journal. Closing twice is harmless."""
        self._services.store.close()
        if self._services.journal is not None:
            self._services.journal.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.close()


class ScopedMemory:
    """The memory of one relationship. Made by `Memory.scope`."""

    def __init__(self, services: Services, planner: Planner, scope: Scope) -> None:
        self._services = services
        self._planner = planner
        self._scope = scope

    @property
    def scope(self) -> Scope:
        """Whose memory this is."""
        return self._scope

    @property
    def notes(self) -> Notebook:
        """The notes of this relationship, what is recalled of them, and the night that makes them."""
        from cmemory.notebook import Notebook

        return Notebook(self._services, self._planner, self._scope)

    # -- taking in -------------------------------------------------------------------------------------------------

    def observe(
        self,
        text: str,
        *,
        session: str = "",
        at: When = None,
        speaker: str | Speaker = Speaker.USER,
        message_id: str | None = None,
    ) -> Receipt:
        """Write down what was said, durably; nothing of it is believed before `learn` has run.

        Args:
            text: the words; at most ``policy.admission.max_message_bytes``.
            session: the host's name of the conversation.
            at: when it was said.
            speaker: ``user``, ``assistant`` or ``tool``; only the user's words are ever learned from.
            message_id: the host's id; derived from the content unless given.

        Raises:
            UsageError: the text or a name cannot be used; nothing is written.
        """
        message = self._message(text, session=session, at=at, speaker=speaker, message_id=message_id)
        return app.observe.observe(self._services, self._scope, (message,))[0]

    def observe_many(self, messages: Iterable[Message]) -> tuple[Receipt, ...]:
        """Write many messages in one transaction; see `message` for how to make them."""
        return app.observe.observe(self._services, self._scope, messages)

    def message(
        self,
        text: str,
        *,
        session: str = "",
        at: When = None,
        speaker: str | Speaker = Speaker.USER,
        message_id: str | None = None,
    ) -> Message:
        """Return a checked message for `observe_many`; takes the arguments of `observe`."""
        return self._message(text, session=session, at=at, speaker=speaker, message_id=message_id)

    def learn(self, *, now: When = None, limit: int | None = None) -> LearnReport:
        """Work off the inbox: propose facts from what was observed, and admit, merge or reject each.

        Args:
            now: messages due by then are worked.
            limit: messages at most.
        """
        most = None if limit is None else given.count(limit, "limit")
        return app.learn.learn(self._services, self._scope, now=self._instant(now, "now"), limit=most)

    def embed(self, *, now: When = None, limit: int | None = None) -> EmbedReport:
        """Give a vector to each message and record that lacks one of the present embedder, the newest first.

        To be called as `learn` is, after the answer or by a scheduler. It goes on where it was interrupted, and when the
        model changes it begins anew. Every batch is written by itself; what is erased meanwhile gets no vector.

        Args:
            now: the moment, for the trace.
            limit: messages and records at most.

        Returns:
            How many have a vector now and how many still wait. A failing embedder is told there, not raised.

        Raises:
            UsageError: no embedder was given to `Memory.open`.
        """
        most = None if limit is None else given.count(limit, "limit")
        return app.embed.embed(self._services, self._scope, now=self._instant(now, "now"), limit=most)

    def inbox(self) -> tuple[Job, ...]:
        """Return how the waiting messages stand, those in an attached journal too, oldest first."""
        return app.inbox.jobs(self._services, self._scope)

    def dead_letters(self) -> tuple[Job, ...]:
        """Return those of `inbox` that were given up after too many failures; ``due_at`` says when that was."""
        return tuple(job for job in self.inbox() if job.dead)

    def retry_dead(self, *, now: When = None) -> int:
        """Put messages whose extraction was given up back into the inbox; returns how many."""
        return app.inbox.retry_dead(self._services, self._scope, now=self._instant(now, "now"))

    def drain(self, journal: Journal | None = None, *, now: When = None) -> DrainReport:
        """Take in what waits for this relationship in a journal; `learn` then reads it. Doing so again is harmless.

        Args:
            journal: where it waits; the one that was attached with `Memory.open` unless given.
            now: messages due by then are moved.

        Returns:
            A receipt for each message, and what can never be taken in and was set aside.

        Raises:
            UsageError: there is no journal.
            StoreError: the database or the journal failed; what was not moved still waits.
        """
        source = journal if journal is not None else self._services.journal
        if source is None:
            raise UsageError(field="journal", problem="must be given, as none is attached to this memory")
        moment = self._instant(now, "now")
        return app.drain.drain(self._services, self._scope, source.inbox(self._scope), now=moment)

    def remember(
        self,
        text: str,
        *,
        predicate: str | None = None,
        value: object = None,
        quote: str | None = None,
        entity: str | None = None,
        qualifiers: object = None,
        confidence: float = _STATED,
        session: str = "",
        at: When = None,
        message_id: str | None = None,
    ) -> tuple[Admission, ...]:
        """Take in one statement of the person and decide on it at once.

        With only a text, the extractor reads it. With a predicate, the text proves exactly that fact.

        Args:
            text: the person's words.
            predicate: the key of the fact.
            value: its value; the text itself unless given.
            quote: the proving stretch of the text; all of it unless given.
            entity: whom or what it is about.
            qualifiers: such as ``{"context": "home"}``.
            confidence: 0 to 1.
            session, at, message_id: as in `observe`.

        Raises:
            UsageError: the text cannot be used, or the quote does not stand in it exactly once.
            ModelError: the extractor has no answer.
        """
        message = self._message(text, session=session, at=at, speaker=Speaker.USER, message_id=message_id)
        if predicate is None:
            return app.remember.remember(self._services, self._scope, message)
        candidate = app.remember.stated_claim(
            message,
            predicate=predicate,
            value=text if value is None else value,
            quote=quote,
            entity=entity,
            qualifiers=qualifiers,
            confidence=confidence,
        )
        return app.remember.admit(self._services, self._scope, message, (candidate,))

    def admit(
        self,
        text: str,
        candidates: Sequence[Candidate],
        *,
        pending: Sequence[PendingCandidate] = (),
        session: str = "",
        at: When = None,
        speaker: str | Speaker = Speaker.USER,
        message_id: str | None = None,
    ) -> tuple[Admission, ...]:
        """Decide on candidates that a host's own extractor proposed from one message.

        Returns:
            One answer each, in order; those for pending pointers last.

        Raises:
            UsageError: the text cannot be used.
            StoreError: the message id names another text.
        """
        message = self._message(text, session=session, at=at, speaker=speaker, message_id=message_id)
        return app.remember.admit(self._services, self._scope, message, candidates, pending=pending)

    def update(
        self,
        record_id: str,
        value: object,
        *,
        text: str,
        quote: str | None = None,
        session: str = "",
        at: When = None,
    ) -> tuple[Admission, ...]:
        """Give a claim another value, proved by the person's words; the old value becomes history.

        Raises:
            UsageError: there is no such claim, or the quote does not stand in the text exactly once.
        """
        message = self._message(text, session=session, at=at, speaker=Speaker.USER, message_id=None)
        return app.remember.update(self._services, self._scope, record_id, message, value=value, quote=quote)

    def infer(
        self,
        value: str,
        *,
        axis: str | Axis,
        predicate: str,
        support: Sequence[str],
        confidence: float,
        now: When = None,
    ) -> Admission:
        """Write down a slow conclusion of a batch job; it has no effect before it is promoted, see `promote`.

        Args:
            value: the conclusion in words.
            axis: see `Axis`.
            predicate: a key that allows inference.
            support: ids of records or messages; everything they name must be the user's own.
            confidence: 0 to 1; held under the cap.
            now: when it was drawn.

        Returns:
            Accepted; merged when it is stored already, which stays as it is; or rejected with the rules that its words
            or its support break.
        """
        from cmemory.domain.model.bodies import Axis

        return app.infer.infer(
            self._services,
            self._scope,
            axis=given.member(Axis, axis, "axis"),
            predicate=given.filled(predicate, "predicate"),
            value=given.text(value, "value"),
            support=tuple(support),
            confidence=confidence,
            now=self._instant(now, "now"),
        )

    def promote(
        self, record_id: str, *, distinct_contexts: int, counter_examples_checked: int, now: When = None
    ) -> Promotion:
        """Let a conclusion shape answers, if a measurement of reading opened that and its evidence suffices.

        A promoted conclusion stays in the background: it is never recited. Sessions and days are counted here from the
        messages that prove the support; what they have in common only the batch job can tell.

        Args:
            record_id: a conclusion that `infer` wrote.
            distinct_contexts: kinds of occasions on which the support was said.
            counter_examples_checked: counter-examples that were looked for, found or not.
            now: when it is decided; a pattern must be confirmed within ``policy.inference.review_days``.

        Returns:
            The conclusion as it stands now, with everything that keeps it from promotion; nothing when it was promoted.

        Raises:
            UsageError: there is no such record, or it is no conclusion that stands.
        """
        return app.infer.promote(
            self._services,
            self._scope,
            record_id,
            distinct_contexts=given.count(distinct_contexts, "distinct_contexts"),
            counter_examples_checked=given.count(counter_examples_checked, "counter_examples_checked"),
            now=self._instant(now, "now"),
        )

    # -- using -----------------------------------------------------------------------------------------------------

    def prepare(
        self,
        message: str,
        *,
        session: str = "",
        now: When = None,
        new_session: bool | None = None,
        forced: Iterable[str] = (),
    ) -> Plan:
        """Return what the model may know in this turn, rendered in ``text``.

        Args:
            message: what the person just said; may be empty.
            session: the conversation.
            now: the moment of the turn.
            new_session: whether the conversation begins here; told from the log unless given.
            forced: ids that count as named, for evaluations. No gate opens wider for them.

        Raises:
            UsageError: the message is no text.
        """
        return self._planner.prepare(
            self._scope,
            given.text(message, "message"),
            now=self._instant(now, "now"),
            session=given.text(session, "session"),
            new_session=new_session,
            forced=frozenset(forced),
        )

    def window(
        self,
        query: str,
        *,
        session: str,
        now: When = None,
        token_budget: int | None = None,
        history: bool | None = None,
        affect: Affect | Mapping[str, object] | None = None,
        turn: str | None = None,
        plan: Plan | Iterable[str] | None = None,
    ) -> Window:
        """Return earlier words of one conversation that bear on what the person says now, rendered in ``text``.

        Everything observed in the session is weighed, and nothing outside it. What was forgotten, muted, put away or
        fenced off is withheld whatever it scores; see `docs/explanation/adaptive-window.md`.

        Args:
            query: what the person says now; several messages of one turn, a line each.
            session: the conversation.
            now: the moment of the turn.
            token_budget: tokens of the whole window at most; the policy's unless given.
            history: whether what was replaced may be shown; told from the query unless given.
            affect: the mood of the query as valence, arousal and dominance, a hint of low weight; read from its words,
                or by the model where the policy says so, unless given.
            turn: the host's name of the turn. With it, utterances shown together are associated, once for each pair
                and turn; without it nothing is written.
            plan: what `prepare` returned for the same turn, or the ids of the records it shows; utterances that prove
                any of them are left out, so that nothing is said twice.

        Raises:
            UsageError: the query or a name is no text, or the budget is negative.
        """
        return app.window.window(
            self._services,
            self._planner.readings,
            self._scope,
            given.text(query, "query"),
            session=given.text(session, "session"),
            now=self._instant(now, "now"),
            token_budget=None if token_budget is None else given.count(token_budget, "token_budget"),
            history=history,
            affect=given.affect(affect),
            turn=None if turn is None else given.filled(turn, "turn"),
            shown=given.shown(plan),
        )

    @overload
    def search(
        self,
        terms: str,
        *,
        kind: Literal["record"] = "record",
        message: str | None = None,
        now: When = None,
        limit: int = 10,
    ) -> tuple[Hit, ...]: ...

    @overload
    def search(
        self,
        terms: str,
        *,
        kind: Literal["utterance"],
        message: str | None = None,
        session: str | None = None,
        speaker: str | Speaker | None = None,
        since: When = None,
        until: When = None,
        now: When = None,
        limit: int = 10,
    ) -> Utterances: ...

    @overload
    def search(
        self,
        terms: str,
        *,
        kind: str,
        message: str | None = None,
        session: str | None = None,
        speaker: str | Speaker | None = None,
        since: When = None,
        until: When = None,
        now: When = None,
        limit: int = 10,
    ) -> tuple[Hit, ...] | Utterances: ...

    def search(
        self,
        terms: str,
        *,
        kind: str = "record",
        message: str | None = None,
        session: str | None = None,
        speaker: str | Speaker | None = None,
        since: When = None,
        until: When = None,
        now: When = None,
        limit: int = 10,
    ) -> tuple[Hit, ...] | Utterances:
        """Return what matches the terms and may be told: records, or what was said word for word.

        Args:
            terms: what is looked for.
            kind: ``record`` for what is believed, ``utterance`` for everything that was said, by both sides.
            message: what the person just said, which alone gives leave to tell. Pass it whenever a model chose
                the terms;
                without it the terms count as the person's own words.
            session: utterances of this conversation only.
            speaker: utterances by ``user``, ``assistant`` or ``tool`` only; by the first two unless given.
            since: utterances of this moment or later.
            until: utterances before this moment.
            now: recency counts to this moment.
            limit: hits at most.

        Raises:
            UsageError: the kind or speaker is unknown, or records are to be narrowed like utterances.
        """
        wanted = given.member(SearchKind, kind, "kind")
        words, most, moment = (
            given.text(terms, "terms"),
            given.count(limit, "limit"),
            self._instant(now, "now"),
        )
        if wanted is SearchKind.UTTERANCE:
            return app.utterances.search_utterances(
                self._services,
                self._scope,
                words,
                message=None if message is None else given.text(message, "message"),
                among=self._among(session, speaker, since, until),
                now=moment,
                limit=most,
            )
        narrowed = {"session": session, "speaker": speaker, "since": since, "until": until}
        if field := next((name for name, value in narrowed.items() if value is not None), None):
            raise UsageError(field=field, problem="narrows utterances only")
        said = words if message is None else given.text(message, "message")
        return app.query.search(
            self._services,
            self._scope,
            words,
            message=said,
            now=moment,
            limit=most,
            shelf=self._planner.familiar,
        )

    def compact(
        self,
        source: str | Iterable[Message],
        *,
        token_budget: int = 900,
        now: When = None,
        carry_known: bool = False,
    ) -> Checkpoint:
        """Return what to carry on of a conversation that leaves the context window: its own words, in their order.

        Nothing is written. What was forgotten, what a boundary covers and what proves a muted record is not carried,
        in whatever words the host hands it in.

        Args:
            source: the name of a session in the log, or messages in the order of the conversation, such as `message`
                makes; an earlier checkpoint among them, said by the companion or a tool, is carried on in its lines.
            token_budget: tokens at most, heading included; too few for a line give an empty text.
            now: the moment of the call.
            carry_known: carry also what an active claim says already, which `prepare` would show by itself.

        Raises:
            UsageError: the budget is no whole number, or below 0.
        """
        return app.compact.compact(
            self._services,
            self._scope,
            source,
            token_budget=given.count(token_budget, "token_budget"),
            now=self._instant(now, "now"),
            carry_known=carry_known,
        )

    def act(
        self,
        action: str,
        arguments: Mapping[str, object],
        *,
        message: str,
        session: str = "",
        message_id: str | None = None,
        now: When = None,
    ) -> ActionResult:
        """Carry out what a model asks for on the person's behalf; see `docs/reference/actions.md`.

        Args:
            action: its name, such as ``remember`` or ``search-memory``.
            arguments: as the model filled them in, unchecked; a mistake is answered with a code, not raised.
            message: the person's current message, which proves what is remembered and gives leave to what is told.
            session: the conversation.
            message_id: the host's id of the message; derived from the content unless given.
            now: when it was said, and the moment of the action.

        Raises:
            UsageError: the message or a name cannot be used.
        """
        said = self._message(message, session=session, at=now, speaker=Speaker.USER, message_id=message_id)
        turn = app.actions.Turn(services=self._services, scope=self._scope, message=said, now=said.at)
        return app.actions.act(turn, given.filled(action, "action"), arguments)

    def mood(self, *, now: When = None) -> MoodReading:
        """Return the companion's mood, and the line that hints at it and at the part of the day.

        `Notebook.exchange` moves it, and time brings it back to ``policy.mood``. It is a background for the tone: nothing is
        ranked or withheld by it, and it is not to be mentioned.

        Args:
            now: the moment; the part of the day is that of the person's zone.
        """
        return app.mood.read_mood(self._services, self._scope, now=self._instant(now, "now"))

    def feedback(self, record_id: str, signal: str | Signal, *, now: When = None) -> AnyRecord:
        """Note how the person reacted to a memory; see `Signal`. ``none`` changes nothing, however often.

        Raises:
            UsageError: there is no such record or signal.
        """
        from cmemory.domain.scoring.salience import Signal

        moment = self._instant(now, "now")
        return app.amend.feedback(
            self._services, self._scope, record_id, given.member(Signal, signal, "signal"), now=moment
        )

    def note_recall(self, record_id: str, *, now: When = None) -> AnyRecord:
        """Note that an answer really used a memory."""
        return app.amend.note_recall(self._services, self._scope, record_id, now=self._instant(now, "now"))

    def close_session(self, session: str, *, now: When = None) -> int:
        """End a conversation; returns how many of its follow-ups expired."""
        return app.session.close_session(self._services, self._scope, session, now=self._instant(now, "now"))

    def maintain(self, *, now: When = None, at: str | None = None) -> MaintainReport:
        """Do the chores that are due: the night's notes, fading, conclusions whose time is up, and vectors that are lacking.

        Doing so again is harmless. Nothing here calls it; a host, `cmemory maintain` or a scheduler does, once a day or as
        often as it likes.

        Args:
            now: the present.
            at: the hour at which a day ends where the person lives; ``policy.night.at`` unless given.

        Raises:
            UsageError: the hour is no time of day such as ``23:50``.
        """
        hour = None if at is None else given.text(at, "at")
        return app.maintain.maintain(self._services, self._scope, now=self._instant(now, "now"), at=hour)

    # -- seeing ----------------------------------------------------------------------------------------------------

    def list(
        self,
        *,
        kind: str | None = None,
        predicate: str | None = None,
        everything: bool = False,
        now: When = None,
    ) -> tuple[AnyRecord, ...]:
        """Return the records, newest first.

        Args:
            kind: only ``claim``, ``episode``, ``inference`` or ``note``.
            predicate: only this key.
            everything: also what was replaced, taken back, expired, faded or soft-deleted.
            now: what is believed at this moment.
        """
        return app.inspect.list_records(
            self._services,
            self._scope,
            now=self._instant(now, "now"),
            kind=kind,
            predicate=predicate,
            everything=everything,
        )

    def show(self, record_id: str) -> AnyRecord:
        """Return one record, whatever its status.

        Raises:
            UsageError: there is no such record.
        """
        return app.inspect.show(self._services, self._scope, record_id)

    def history(self, record_id: str) -> tuple[AnyRecord, ...]:
        """Return all versions of the fact a record states, oldest first."""
        return app.inspect.history(self._services, self._scope, record_id)

    def explain(self, record_id: str) -> Explanation:
        """Return why a record is believed: its quotes, the messages they stand in, and what was decided about it."""
        return app.inspect.explain(self._services, self._scope, record_id)

    def people(
        self, *, kind: str | EntityKind | None = None, everything: bool = False, now: When = None
    ) -> tuple[Entity, ...]:
        """Return who and what the records speak of, what is said of each, and how the person stands to them.

        Nothing of it is stored: it is read off the records each time, so forgetting, muting and correcting reach it at
        once. See `docs/how-to/see-people-and-digests.md`.

        Args:
            kind: only ``person``, ``place``, ``event`` or ``other``.
            everything: also what is muted, fenced off, never spoken of or kept in the background, each marked with
                the reason; for its owner's eyes only.
            now: what is believed at this moment.

        Returns:
            The most spoken of first, then by name.

        Raises:
            UsageError: the kind is unknown.
        """
        from cmemory.domain.plan.people import EntityKind

        return app.review.people(
            self._services,
            self._scope,
            now=self._instant(now, "now"),
            kind=None if kind is None else given.member(EntityKind, kind, "kind"),
            everything=everything,
        )

    def digest(
        self,
        day: str | None = None,
        *,
        span: str | SpanKind = SpanKind.DAY,
        language: str | Language = Language.EN,
        now: When = None,
    ) -> Digest:
        """Return what a civil day or an ISO week brought, picked from the records in the person's own words.

        It is told to the person: what is muted, fenced off, put away or never spoken of is only counted. A day that
        brought nothing gives an empty text.

        Args:
            day: such as ``2026-03-01``, in the zone of the `Memory`; the day of ``now`` unless given.
            span: ``day``, or ``week`` for the days from Monday to Sunday around it.
            language: of the words around the person's own, ``en`` or ``zh``.
            now: what is believed at this moment.

        Raises:
            UsageError: there is no such day, span or language.
        """
        return app.review.look_back(
            self._services,
            self._scope,
            day=None if day is None else given.day(day, "day"),
            span=given.member(SpanKind, span, "span"),
            language=given.member(Language, language, "language"),
            now=self._instant(now, "now"),
        )

    def reindex(self) -> int:
        """Rebuild the full-text indexes, of messages too; returns how many records were indexed."""
        return self._services.store.reindex(self._scope)

    def stats(self) -> Stats:
        """Return the counts of this relationship."""
        return app.inspect.stats(self._services, self._scope)

    # -- changing one's mind ---------------------------------------------------------------------------------------

    def mute(self, record_id: str, *, now: When = None) -> AnyRecord:
        """Keep a record but never mention it."""
        return app.amend.mute(self._services, self._scope, record_id, True, now=self._instant(now, "now"))

    def unmute(self, record_id: str, *, now: When = None) -> AnyRecord:
        """Let a muted record be mentioned again, as far as its gate allows."""
        return app.amend.mute(self._services, self._scope, record_id, False, now=self._instant(now, "now"))

    def delete(self, record_id: str, *, now: When = None) -> AnyRecord:
        """Put a record away; `restore` brings it back. To erase it for good, `forget` it."""
        return app.amend.soft_delete(self._services, self._scope, record_id, now=self._instant(now, "now"))

    def restore(self, record_id: str, *, now: When = None) -> AnyRecord:
        """Bring a soft-deleted record or a faded note back.

        Raises:
            UsageError: it was neither deleted nor faded, or another value has taken its place since.
        """
        return app.amend.undelete(self._services, self._scope, record_id, now=self._instant(now, "now"))

    def forget(self, target: str | Target, *, now: When = None) -> ForgetReport:
        """Erase for good: rows, index, log, and what was derived; a keyed hash keeps it from coming back.

        Args:
            target: a record or message id, or `Records`, `ByPredicate`, `ByEntity`, `Everything.EVERYTHING`.
            now: when the person asked.

        Returns:
            What is gone, and what still resembles it. Unknown ids are no error: ``forgotten`` is then False.
        """
        wanted, moment = app.forget.target_of(target), self._instant(now, "now")
        with self._letting_go(moment):
            return app.forget.forget(self._services, self._scope, wanted, now=moment)

    def preview_forget(self, meaning: str) -> Preview:
        """Return what a description matches and the token that confirms forgetting exactly that."""
        return app.forget.preview(self._services, self._scope, meaning)

    def confirm_forget(self, meaning: str, token: str, *, now: When = None) -> ForgetReport:
        """Erase what a preview listed.

        Raises:
            UsageError: the token does not belong to this description, or something has changed since.
        """
        moment = self._instant(now, "now")
        with self._letting_go(moment):
            return app.forget.forget_matching(self._services, self._scope, meaning, token=token, now=moment)

    def lift(self, label: str | ByEntity, *, now: When = None) -> bool:
        """Let a forgotten thing be remembered again when the person says it again; only they may ask for this.

        Args:
            label: the id of what was forgotten, a predicate, ``*`` after forgetting everything, or `ByEntity`.
            now: when the person asked.
        """
        return app.forget.lift(self._services, self._scope, label, now=self._instant(now, "now"))

    # -- moving in and out -----------------------------------------------------------------------------------------

    def export(self, path: str | os.PathLike[str], *, now: When = None) -> ExportReport:
        """Write the log, the records of every status and the open follow-ups into a file of JSON lines.

        The same state gives the same bytes. What was forgotten is not in it, and neither are the inbox, the mood,
        telemetry, or anything secret. Only its owner may read the file; it replaces an older one whole or not at all.

        Raises:
            StoreError: the file cannot be written.
            UsageError: the path names the database itself.
        """
        from cmemory.adapters.files.moves import export_records

        return export_records(self._services, self._scope, path, now=self._instant(now, "now"))

    def import_records(
        self, path: str | os.PathLike[str], *, now: When = None, on_progress: OnProgress | None = None
    ) -> ImportReport:
        """Take in an export, of this relationship or another. Doing so again changes nothing.

        Everything is admitted anew, proved by its messages; what was forgotten here is refused.

        Args:
            path: the file.
            now: when it is done, for the audit.
            on_progress: told the bytes done and in all after each transaction.

        Returns:
            What came of it, with an error for each line that could not be read.

        Raises:
            WireError: the file is no export, or of a version this library does not know.
            UsageError: the file cannot be read.
        """
        from cmemory.adapters.files.moves import import_records

        moment = self._instant(now, "now")
        return import_records(self._services, self._scope, path, now=moment, on_progress=on_progress)

    def import_dialogue(
        self,
        path: str | os.PathLike[str],
        *,
        format: str = "auto",  # noqa: A002 - the word people look for
        user: str | None = None,
        start: When = None,
        on_progress: OnProgress | None = None,
    ) -> ImportReport:
        """Take in a conversation from elsewhere; `learn` then reads the person's part of it. Doing so again is harmless.

        Args:
            path: the file.
            format: ``jsonl``, ``chatgpt``, ``claude``, ``chat``, or ``auto`` to tell by the content.
            user: the person's name in a plain chat; who speaks first unless given.
            start: when the first message without a time counts as said; the present unless given.
            on_progress: told the bytes done and in all after each transaction.

        Returns:
            What came of it, with an error for each message that could not be read.

        Raises:
            WireError: the file is empty or of no known form.
            UsageError: the file cannot be read, the format is unknown, or nobody is called ``user``.
        """
        from cmemory.adapters.files.dialogue import DialogueFormat
        from cmemory.adapters.files.moves import import_dialogue

        return import_dialogue(
            self._services,
            self._scope,
            path,
            form=given.member(DialogueFormat, format, "format"),
            user=None if user is None else given.filled(user, "user"),
            start=self._instant(start, "start"),
            on_progress=on_progress,
        )

    # -- verbs people know -----------------------------------------------------------------------------------------

    add = remember
    get = show

    def delete_all(self, *, now: When = None) -> ForgetReport:
        """Erase every record and message for good. New things can be remembered; the erased ones stay forgotten."""
        moment = self._instant(now, "now")
        with self._letting_go(moment):
            return app.forget.forget_all_records(self._services, self._scope, now=moment)

    # -- edges -----------------------------------------------------------------------------------------------------

    @contextmanager
    def _letting_go(self, now: Instant) -> Iterator[None]:
        """Keep no word in this process either of what is forgotten; of the whole relationship none, where that fails."""
        try:
            yield
        except BaseException:
            self._planner.drop(self._scope)
            raise
        self._planner.forget(self._scope, now=now)

    def _message(
        self, text: object, *, session: str, at: When, speaker: str | Speaker, message_id: str | None
    ) -> Message:
        return app.observe.message_of(
            text,
            scope=self._scope,
            session=session,
            speaker=given.member(Speaker, speaker, "speaker"),
            at=self._instant(at, "at"),
            max_bytes=self._services.policy.admission.max_message_bytes,
            message_id=None if message_id is None else given.filled(message_id, "message_id"),
        )

    def _among(self, session: str | None, speaker: str | Speaker | None, since: When, until: When) -> Among:
        from cmemory.domain.recall.said import Among

        return Among(
            session=None if session is None else given.text(session, "session"),
            speakers=app.utterances.CONVERSATION
            if speaker is None
            else frozenset({given.member(Speaker, speaker, "speaker")}),
            since=None if since is None else self._instant(since, "since"),
            until=None if until is None else self._instant(until, "until"),
        )

    def _instant(self, when: When, field: str, default: Instant | None = None) -> Instant:
        if when is None and default is not None:
            return default
        return given.moment(when, field, self._services.clock)
