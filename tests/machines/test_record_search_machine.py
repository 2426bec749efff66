"""A search that keeps records at hand answers as one that reads everything anew."""

from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from builders import NOW, SCOPE, claim, days, episode
from builders import record as envelope
from cmemory.adapters.inmemory import InMemoryStore
from cmemory.app.query import search
from cmemory.app.warm import Planner
from cmemory.assembly import assemble
from cmemory.domain.model.bodies import Note, NoteKind
from cmemory.domain.model.changes import Changes, Suppression, SuppressionKind
from cmemory.domain.model.ids import RecordId
from cmemory.domain.model.life import Status
from cmemory.domain.model.record import AnyRecord
from cmemory.domain.policy import COMPANION

WORDS = st.sampled_from(["学琴", "养蚕", "Mia likes the red lake", "the lake", "bees", "蜜蜂 bees"])
NAMES = st.integers(0, 5)
STATUSES = st.sampled_from([Status.ACTIVE, Status.ACTIVE, Status.DELETED, Status.SUPERSEDED])
RECORDS: st.SearchStrategy[AnyRecord] = st.one_of(
    st.builds(
        lambda at, words, age, status: episode(words, id=f"one-{at}", at=days(-age), status=status),
        NAMES,
        WORDS,
        st.integers(0, 40),
        STATUSES,
    ),
    st.builds(
        lambda at, words, status: claim("goal.current_focus", words, id=f"one-{at}", status=status),
        NAMES,
        WORDS,
        STATUSES,
    ),
    st.builds(
        lambda at, words: envelope(
            Note(note_kind=NoteKind.PROMISE, text=words, tags=("mia",)), id=f"one-{at}", at=NOW
        ),
        NAMES,
        WORDS,
    ),
    st.builds(lambda at: claim("boundary.topic_avoid", "bees", id=f"one-{at}"), NAMES),
)


class RecordSearchMachine(RuleBasedStateMachine):
    """Writes at random, and compares each search with one that keeps nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.services = assemble(
            InMemoryStore(secret=bytes(32)),
            policy=COMPANION,
            extractor=None,
            model=None,
            clock=None,
            zone="UTC",
            trace=None,
        )
        self.shelf = Planner(self.services).familiar

    def write(self, changes: Changes) -> None:
        with self.services.store.write(SCOPE) as unit:
            unit.apply(changes)

    @rule(records=st.lists(RECORDS, min_size=1, max_size=3, unique_by=lambda one: one.id))
    def tell(self, records: list[AnyRecord]) -> None:
        self.write(Changes(records=tuple(records), revision_step=1))

    @rule(at=NAMES)
    def erase(self, at: int) -> None:
        self.write(Changes(erase_records=(RecordId(f"one-{at}"),), revision_step=1))

    @rule(at=NAMES)
    def suppress(self, at: int) -> None:
        one = Suppression(kind=SuppressionKind.RECORD, target=f"one-{at}", created_at=NOW)
        self.write(Changes(suppressions=(one,), revision_step=1))

    @invariant()
    def both_tell_the_same(self) -> None:
        for terms in ("the bees by the lake", "学琴 养蚕 mia"):
            kept, anew = (
                search(self.services, SCOPE, terms, message=terms, now=NOW, limit=9, shelf=shelf)
                for shelf in (self.shelf, None)
            )
            assert repr(anew) == repr(kept)


TestRecordSearch = RecordSearchMachine.TestCase
TestRecordSearch.settings = settings(max_examples=30, stateful_step_count=15, deadline=None)
