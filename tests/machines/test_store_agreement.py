"""All stores, sent the same units and questions, answer the same."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import attrs
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from cmemory.adapters.inmemory import InMemoryStore
from cmemory.adapters.sqlite import SqliteStore
from cmemory.domain.errors import StoreError
from cmemory.domain.model.changes import Changes
from cmemory.domain.model.embedding import Embedded
from cmemory.domain.model.ids import Revision
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.life import Status
from cmemory.domain.model.message import Speaker
from cmemory.domain.model.record import is_claim
from cmemory.domain.model.scope import Scope
from cmemory.domain.predicates.identity import slot_of
from cmemory.domain.predicates.values import normal_value
from cmemory.domain.recall.index import record_terms
from cmemory.domain.recall.said import Among, message_terms
from cmemory.ports.store import ANY_STATUS, Store, View
from cmemory.testing import strategies

T = TypeVar("T")

_SECRET = b"0123456789abcdef0123456789abcdef"


def everything(view: View) -> list[object]:
    """Return the answers to all questions that need no choice."""
    records = view.records(ANY_STATUS)
    terms = sorted({term for record in records for term in record_terms(record)})
    slots = {slot_of(record.body) for record in records if is_claim(record)}
    return [
        view.revision(),
        list(view.records()),
        list(records),
        [view.changes_since(Revision(at)) for at in range(view.revision() + 2)],
        [view.record(record.id) for record in records],
        [list(view.slot(key)) for key in sorted(slots)],
        [list(view.slot(key, limit=1)) for key in sorted(slots)],
        [
            list(view.slot(slot_of(claim.body), meaning=normal_value(claim.body.value), limit=2))
            for claim in filter(is_claim, records)
        ],
        [attrs.evolve(one, words="") for one in view.outlines()],
        [list(view.stories(record.body.shown)) for record in records],
        view.bearers([*(f"r-{no}" for no in range(10)), *strategies.WORDS]),
        list(view.under(strategies.PREDICATES)),
        list(view.find(terms, limit=100)),
        [list(view.find([term], limit=3)) for term in terms[::8]],
        list(view.notes()),
        list(view.notes(ANY_STATUS)),
        list(view.exchanges()),
        list(view.exchanges(limit=1)),
        view.state(),
        list(view.messages()),
        *said(view),
        list(view.threads()),
        list(view.suppressions()),
        list(view.fingerprints()),
        list(view.decisions()),
        list(view.pending()),
        list(view.jobs()),
        *vectors(view),
        [list(view.edges(session)) for session in strategies.SESSIONS],
        [list(view.edges(session, ["m-0", "m-1"], limit=3)) for session in strategies.SESSIONS],
    ]


def said(view: View) -> list[object]:
    """Return the answers to the questions about everything that was said."""
    messages = view.messages()
    words = sorted({term for message in messages for term in message_terms(message.text)})
    weights = {word: 1 + len(word) for word in words}
    afterwards = Among(
        session=strategies.SESSIONS[0],
        speakers=frozenset({Speaker.USER}),
        since=min((message.at for message in messages), default=None),
    )
    return [
        view.statistics(words),
        list(view.utterances(weights, among=Among(), limit=50)),
        [list(view.utterances({word: 1}, among=Among(), limit=2)) for word in words[::8]],
        list(view.utterances(weights, among=afterwards, limit=2)),
        list(view.around([message.id for message in messages], reach=2)),
    ]


def vectors(view: View) -> list[object]:
    """Return the answers to the questions about vectors."""
    ids = {Embedded.MESSAGE: [f"m-{no}" for no in range(4)], Embedded.RECORD: [f"r-{no}" for no in range(8)]}
    spoken = Among(session=strategies.SESSIONS[0], speakers=frozenset({Speaker.USER}))
    return [
        [
            list(view.message_vectors(model, among=Among())),
            list(view.message_vectors(model, among=spoken, limit=1)),
            list(view.record_vectors(model)),
            list(view.record_vectors(model, limit=1)),
            [list(view.vectors(kind, ids[kind], model=model)) for kind in Embedded],
            [list(view.unembedded(kind, model=model)) for kind in Embedded],
            [list(view.unembedded(kind, model=model, limit=1)) for kind in Embedded],
        ]
        for model in strategies.MODELS
    ]


class _UndoneError(Exception):
    """Raised inside a unit to undo it."""


class StoreAgreement(RuleBasedStateMachine):
    """The reference in dictionaries, a file, and a database in memory."""

    @initialize()
    def open(self) -> None:
        """Start empty."""
        self.folder = Path(tempfile.mkdtemp(prefix="cmemory-agreement-"))
        self.stores: list[Store] = [
            InMemoryStore(secret=_SECRET),
            SqliteStore.open(self.folder / "memory.db", secret=_SECRET),
            SqliteStore.open(":memory:", secret=_SECRET),
        ]

    def teardown(self) -> None:
        """Leave no file behind."""
        for store in self.stores:
            store.close()
        shutil.rmtree(self.folder)

    def agree(self, ask: Callable[[Store], T]) -> T:
        """Ask every store and return the answer they share."""
        answers = [ask(store) for store in self.stores]
        assert answers[1:] == answers[:1] * (len(answers) - 1)
        return answers[0]

    @rule(scope=strategies.scopes(), batch=st.lists(strategies.changes(), min_size=1, max_size=3))
    def write(self, scope: Scope, batch: list[Changes]) -> None:
        """A unit is written everywhere or refused everywhere."""

        def apply(store: Store) -> object:
            try:
                with store.write(scope) as unit:
                    revisions = [unit.apply(changes) for changes in batch]
                    return revisions, everything(unit)
            except StoreError as error:
                return error.retryable

        self.agree(apply)

    @rule(scope=strategies.scopes(), changes=strategies.changes())
    def undo(self, scope: Scope, changes: Changes) -> None:
        """A unit that raises is undone everywhere."""

        @contextmanager
        def undone(store: Store) -> Iterator[None]:
            try:
                with store.write(scope) as unit:
                    unit.apply(changes)
                    raise _UndoneError
            except (_UndoneError, StoreError):
                yield

        for store in self.stores:
            with undone(store):
                pass

    @rule(scope=strategies.scopes(), changes=strategies.changes())
    def look_while_writing(self, scope: Scope, changes: Changes) -> None:
        """A view that is open does not see a unit that is written."""

        def ask(store: Store) -> object:
            with store.read(scope) as view:
                before = everything(view)
                try:
                    with store.write(scope) as unit:
                        unit.apply(changes)
                except StoreError:
                    pass
                assert before == everything(view)
            return before

        self.agree(ask)

    @rule(
        scope=strategies.scopes(),
        session=strategies.maybe(st.sampled_from(strategies.SESSIONS)),
        speaker=strategies.maybe(st.sampled_from(Speaker)),
        due=strategies.maybe(strategies.instants()),
        limit=st.integers(0, 4),
        statuses=st.frozensets(st.sampled_from(Status)),
        record_id=strategies.ids("r", 8),
        message_id=strategies.ids("m"),
        thread_id=strategies.ids("t", 3),
    )
    def ask(
        self,
        scope: Scope,
        session: str | None,
        speaker: Speaker | None,
        due: Instant | None,
        limit: int,
        statuses: frozenset[Status],
        record_id: str,
        message_id: str,
        thread_id: str,
    ) -> None:
        """Every question with parameters has one answer."""

        def answers(store: Store) -> list[object]:
            with store.read(scope) as view:
                return [
                    list(view.messages(session=session, speaker=speaker)),
                    list(view.jobs(due=due, limit=limit)),
                    list(view.records(statuses)),
                    view.record(record_id),
                    view.foreign(record_id),
                    list(view.decisions(record_id=record_id)),
                    view.message(message_id),
                    view.job(message_id),
                    view.thread_owner(thread_id),
                ]

        self.agree(answers)

    @rule(scope=strategies.scopes())
    def reindex(self, scope: Scope) -> None:
        """The index can be built anew at any time."""
        self.agree(lambda store: store.reindex(scope))

    @rule(word=st.sampled_from(["cello audition", "体检结果", "a\x00b", "naïve"]))
    def search_the_bytes(self, word: str) -> None:
        """What one store has kept, all have kept; what is erased in one is erased in all."""
        self.agree(lambda store: store.contains(word))

    @invariant()
    def all_hold_the_same(self) -> None:
        """In every scope."""
        for scope in self.agree(lambda store: list(store.scopes())):
            self.agree(lambda store, scope=scope: self._snapshot(store, scope))  # type: ignore[misc]

    def _snapshot(self, store: Store, scope: Scope) -> list[object]:
        with store.read(scope) as view:
            return everything(view)


TestStoreAgreement = StoreAgreement.TestCase
TestStoreAgreement.settings = settings(max_examples=20, stateful_step_count=15, deadline=None)
