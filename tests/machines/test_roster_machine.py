"""A roster that is kept up with changes answers as one that is made from the same records at once."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import attrs
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

import strategies
from builders import MEASURED, NOW, SCOPE, claim, days, episode, inference, quote, ref
from builders import record as envelope
from cmemory.adapters.inmemory import InMemoryStore
from cmemory.adapters.sqlite import SqliteStore
from cmemory.app.services import Services
from cmemory.app.warm import Planner
from cmemory.assembly import assemble
from cmemory.domain.model.bodies import InferenceState, Note, NoteKind
from cmemory.domain.model.changes import Changes, Suppression, SuppressionKind
from cmemory.domain.model.ids import RecordId, Revision
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.life import Status
from cmemory.domain.model.message import SourceKind, Speaker
from cmemory.domain.model.record import AnyRecord, Provenance
from cmemory.domain.plan.block import Block
from cmemory.domain.plan.compose import Turn, compose
from cmemory.domain.plan.plan import Channel, Plan
from cmemory.domain.plan.roster import Roster
from cmemory.domain.policy import GOVERNED, PlanPolicy, ReleasePolicy
from cmemory.domain.recall.query import Query
from cmemory.domain.reflect.quality import CLOSED, Gate
from cmemory.ports.store import Store

SMALL = attrs.evolve(GOVERNED, plan=PlanPolicy(max_tokens=200, topic_cap=2, deep_recall_cap=2, due_cap=1))

#: The same, with a release gate that has little time to look.
SPARING = attrs.evolve(SMALL, release=ReleasePolicy(looks=2))

#: Moments of a few days, some of them just before and just after each other.
MOMENTS = st.sampled_from([days(count) for count in (-1, -0.5, 0, 0.25, 1, 1.25, 2)])

#: One message that proves claims and notes, so that notes repeat claims.
SAID = "学琴 养蚕 Mia"


@st.composite
def notes(draw: st.DrawFn) -> AnyRecord:
    """Draw a note, perhaps with a day, perhaps proven by words that prove a claim."""
    body = Note(
        note_kind=NoteKind.PROMISE,
        text=draw(
            st.sampled_from(
                ["学琴", "Mia likes the red lake", "养蚕", "用户对花生过敏", "Cannot stand crowds."]
            )
        ),
        tags=draw(st.sampled_from([(), ("mia",)])),
        due_on=draw(st.sampled_from([None, "2026-03-01", "2026-03-02"])),
    )
    made: AnyRecord = envelope(
        body,
        id=f"note-{draw(st.integers(0, 3))}",
        at=days(-draw(st.integers(0, 3))),
        last_recalled_at=draw(st.sampled_from([None, NOW])),
        status=draw(st.sampled_from([Status.ACTIVE, Status.ACTIVE, Status.FADED])),
    )
    return draw(proven(made))


def proven(record: AnyRecord) -> st.SearchStrategy[AnyRecord]:
    """Return a record with proofs of few kinds, or none."""
    proof = st.sampled_from(["学琴", "养蚕", "Mia", SAID]).map(
        lambda words: attrs.evolve(ref(SourceKind.MESSAGE, "m-1"), quote=quote(SAID, words))
    )
    return st.lists(proof, max_size=2).map(lambda held: attrs.evolve(record, evidence=tuple(held)))


def strong() -> st.SearchStrategy[AnyRecord]:
    """Return records that come up unasked, so that freshness decides about them."""
    return st.builds(
        lambda at, words, age: claim(
            "goal.current_focus", words, id=f"claim-{at}", importance=0.9, at=days(-age)
        ),
        st.integers(0, 11),
        st.sampled_from(["学琴", "养蚕", "the red lake"]),
        st.integers(0, 40),
    )


def called() -> st.SearchStrategy[AnyRecord]:
    """Return records that tell how the person is called: whoever bears that name is nobody else."""
    return st.builds(
        lambda at, name, status, ends: claim(
            "identity.name", name, id=f"claim-{at}", status=status, valid_until=ends
        ),
        st.integers(0, 11),
        st.sampled_from(["Mia", "阿橙"]),
        st.sampled_from([Status.ACTIVE, Status.ACTIVE, Status.SUPERSEDED]),
        st.sampled_from([None, None, days(1)]),
    )


@st.composite
def bases(draw: st.DrawFn) -> AnyRecord:
    """Draw what a conclusion may rest on, in one case as something else than it is said to be."""
    fields = {
        "id": f"base-{draw(st.integers(0, 1))}",
        "status": draw(st.sampled_from([Status.ACTIVE] * 5 + [Status.FADED])),
        "valid_until": draw(st.sampled_from([None] * 4 + [NOW, days(1)])),
        "provenance": Provenance(version=draw(st.sampled_from([""] * 5 + ["2"]))),
    }
    made: tuple[AnyRecord, ...] = (
        claim("goal.current_focus", "学琴", **fields),  # type: ignore[arg-type]
        claim("boundary.topic_avoid", "前任", **fields),  # type: ignore[arg-type]
        episode("用户去看海。", **fields),  # type: ignore[arg-type]
    )
    return draw(st.sampled_from([made[0]] * 3 + [*made]))


@st.composite
def conclusions(draw: st.DrawFn) -> AnyRecord:
    """Draw a conclusion that may be used, if what it rests on may be."""
    kinds = st.sampled_from([SourceKind.CLAIM] * 4 + [SourceKind.EPISODE])
    names = draw(st.lists(st.sampled_from(["base-0", "base-1"]), min_size=1, max_size=2, unique=True))
    return inference(
        draw(st.sampled_from(["学琴很久", "Mia and the red lake"])),
        id=f"conclusion-{draw(st.integers(0, 1))}",
        state=draw(st.sampled_from([InferenceState.ACTIVE] * 9 + list(InferenceState))),
        support=[
            ref(draw(kinds), name, draw(st.sampled_from([Speaker.USER] * 9 + list(Speaker))))
            for name in names
        ],
        expires_at=draw(st.sampled_from([None, NOW, NOW, days(1)])),
        status=draw(st.sampled_from([Status.ACTIVE] * 4 + [Status.FADED])),
        valid_until=draw(st.sampled_from([None, None, None, days(1)])),
        at=days(-draw(st.integers(0, 3))),
    )


CONCLUDED = st.lists(bases() | conclusions(), min_size=1, max_size=3, unique_by=lambda one: one.id)

#: Requests that a release gate answers in different ways, beside what people may say otherwise.
SAYINGS = strategies.MESSAGES | st.sampled_from(
    [
        "推荐一本关于养蚕的书",
        "Recommend a place by the red lake for Mia",
        "给 Mia 推荐学琴的地方",
        "晚饭吃什么好？帮我推荐一下",
        "Where should I go out on Saturday?",
    ]
)

RECORDS = (
    notes()
    | strong()
    | called()
    | bases()
    | conclusions()
    | st.integers(0, 11).flatmap(lambda at: strategies.records(at=at)).flatmap(proven)
)


def told(plan: Plan) -> list[object]:
    """Return everything a plan says, what is made on demand included."""
    assert len(plan.do_not_surface) == len(tuple(plan.do_not_surface)) == sum(plan.withheld.values())
    reasons = [item.reason for item in plan.do_not_surface]
    assert plan.withheld == {why: reasons.count(why) for why in reasons}
    return [plan.revision, plan.withheld, *(tuple(plan.channel(channel)) for channel in Channel)]


def indexes(block: Block) -> list[object]:
    """Return what leads to the entries of a block; in which order records stand under a key says nothing."""
    held = (block.by_pair, block.by_word, block.by_name, block.due, block.proven)
    return [block.pool, *({key: sorted(found) for key, found in index.items()} for index in held)]


class KeptUp(RuleBasedStateMachine):
    """The records of a scope, a roster that follows them, and the moment it stands at."""

    policy = SMALL
    promotion: Gate = CLOSED

    @initialize(first=st.lists(RECORDS, max_size=12))
    def begin(self, first: list[AnyRecord]) -> None:
        """Start with a few records."""
        self.held: dict[RecordId, AnyRecord] = {one.id: one for one in first}
        self.hidden: frozenset[RecordId] = frozenset()
        self.now, self.revision = NOW, Revision(1)
        self.kept = self.made()

    def made(self) -> Roster:
        """Return a roster of the records as they are."""
        seen = [one for one in self.held.values() if one.id not in self.hidden]
        return Roster.of(
            seen, revision=self.revision, now=self.now, policy=self.policy, promotion=self.promotion
        )

    def follow(self, changed: list[AnyRecord]) -> None:
        """Bring the kept roster to where the records are."""
        self.kept = self.kept.after(
            (one for one in changed if one.id not in self.hidden),
            (one.id for one in changed if one.id in self.hidden),
            revision=self.revision,
            now=self.now,
        )
        if not self.hidden.isdisjoint(one.id for one in changed):
            assert sum(len(block.entries) for block in self.kept.blocks) == len(list(self.kept.entries()))

    @rule(changed=st.lists(RECORDS, min_size=1, max_size=4, unique_by=lambda one: one.id), hide=st.booleans())
    def write_some(self, changed: list[AnyRecord], hide: bool) -> None:
        """Records come, change, end, or are hidden."""
        self.write(changed, hide)

    def write(self, changed: list[AnyRecord], hide: bool) -> None:
        """Bring records to where they are, and the roster after them."""
        ids = {one.id for one in changed}
        self.hidden = self.hidden | ids if hide and len(ids) == 1 else self.hidden - ids
        self.held.update((one.id, one) for one in changed)
        self.revision = Revision(self.revision + 1)
        self.follow(changed)

    @rule(now=MOMENTS)
    def wait(self, now: Instant) -> None:
        """Time passes, or a clock is set back."""
        self.now = now
        if not self.kept.serves(self.revision, now):
            self.follow([])

    @rule()
    def say_the_same_again(self) -> None:
        """To be told of records that did not change does no harm."""
        self.follow(list(self.held.values()))

    @rule(said=SAYINGS, today=st.sampled_from(["", "2026-03-01", "2026-03-02"]), force=st.booleans())
    def ask(self, said: str, today: str, force: bool) -> None:
        """Every turn has the same plan, word for word, and so has what stays back."""
        forced = frozenset(sorted(self.held)[::2]) if force else frozenset()
        turn = Turn(query=Query.of(said), forced=forced, today=today)
        (kept, _), (made, _) = (compose(one, turn, now=self.now) for one in (self.kept, self.made()))
        assert told(made) == told(kept)
        assert made == kept

    @invariant()
    def nothing_is_kept_that_is_not_live(self) -> None:
        """And nothing is counted twice."""
        made, kept = self.made(), self.kept
        assert {one.record.id: one for one in made.entries()} == {
            one.record.id: one for one in kept.entries()
        }
        assert (made.standing, made.withheld, made.pooled) == (kept.standing, kept.withheld, kept.pooled)
        assert made.count == kept.count
        assert (made.shield, made.since, made.until) == (kept.shield, kept.since, kept.until)
        assert (made.names, made.own_names) == (kept.names, kept.own_names)
        assert (made.timed, made.conclusions) == (kept.timed, kept.conclusions)
        for block in kept.blocks:
            assert indexes(Block.of(block.entries, block.gone)) == indexes(block)
        if self.policy.release.enabled:
            ids = [one.record.id for one in made.entries()]
            assert list(map(made.statement, ids)) == list(map(kept.statement, ids))
        assert list(made.pool(frozenset())) == list(kept.pool(frozenset()))


class KeptUpUnderTheGates(KeptUp):
    """The same while the release gate is asked and conclusions may be used."""

    policy = SPARING
    promotion = MEASURED

    @rule(changed=CONCLUDED, hide=st.booleans())
    def conclude(self, changed: list[AnyRecord], hide: bool) -> None:
        """Conclusions, and what they rest on, come and go."""
        self.write(changed, hide)


def _hidden(record_id: str) -> Suppression:
    return Suppression(kind=SuppressionKind.RECORD, target=record_id, created_at=NOW)


@st.composite
def writes(draw: st.DrawFn) -> Changes:
    """Draw what one decision may write: records come, change, are erased, hidden, or seen again."""
    ids = [RecordId("base-0"), RecordId("conclusion-0"), *(RecordId(f"claim-{at}") for at in range(12))]
    some = st.lists(st.sampled_from(ids), max_size=1).map(tuple)
    return Changes(
        records=tuple(draw(st.lists(RECORDS, max_size=3, unique_by=lambda one: one.id))),
        erase_records=draw(some),
        suppressions=tuple(map(_hidden, draw(some))),
        lift_suppressions=tuple(map(_hidden, draw(some))),
        # What merely adds a proof moves no revision, and is seen by the time something does.
        revision_step=draw(st.sampled_from([0, 1, 1, 1])),
    )


class KeptPlanner(RuleBasedStateMachine):
    """Planners that keep what they prepared, and whatever may be written beside them."""

    policy = SMALL
    promotion: Gate = CLOSED

    @initialize(first=writes())
    def open(self, first: Changes) -> None:
        """Two processes share a file; a third keeps everything in memory."""
        self.folder = Path(tempfile.mkdtemp(prefix="cmemory-roster-"))
        secret = bytes(range(32))
        one, other = (SqliteStore.open(self.folder / "memory.db", secret=secret) for _ in range(2))
        self.stores: list[Store] = [one, other, InMemoryStore(secret=secret)]
        self.planners = [Planner(self.services(store)) for store in self.stores]
        self.moved = True
        self.write(first, 0)

    def teardown(self) -> None:
        """Leave no file behind."""
        for store in self.stores:
            store.close()
        shutil.rmtree(self.folder)

    @rule(changes=writes(), at=st.integers(0, 1))
    def write_some(self, changes: Changes, at: int) -> None:
        """Either process writes, and nobody tells the planners."""
        self.write(changes, at)

    def write(self, changes: Changes, at: int) -> None:
        """Write in one process, and in the store that is in memory."""
        for store in (self.stores[at], self.stores[2]):
            with store.write(SCOPE) as unit:
                unit.apply(changes)
        self.moved = bool(changes.revision_step) or (self.moved and not changes)

    def services(self, store: Store) -> Services:
        """Return what a planner over that store needs."""
        made = assemble(
            store, policy=self.policy, extractor=None, model=None, clock=lambda: NOW, zone="UTC", trace=None
        )
        return attrs.evolve(made, promotion=self.promotion)

    @rule(said=SAYINGS, now=MOMENTS)
    def ask(self, said: str, now: Instant) -> None:
        """Every planner answers as a new one would."""
        for store, planner in zip(self.stores, self.planners, strict=True) if self.moved else ():
            kept = planner.prepare(SCOPE, said, now=now)
            made = Planner(self.services(store)).prepare(SCOPE, said, now=now)
            assert told(made) == told(kept)
            assert made == kept


class KeptPlannerUnderTheGates(KeptPlanner):
    """The same while the release gate is asked and conclusions may be used."""

    policy = SPARING
    promotion = MEASURED

    @rule(changed=CONCLUDED, at=st.integers(0, 1))
    def conclude(self, changed: list[AnyRecord], at: int) -> None:
        """Conclusions, and what they rest on, come and go."""
        self.write(Changes(records=tuple(changed), revision_step=1), at)


TestKeptUp = KeptUp.TestCase
TestKeptUp.settings = settings(max_examples=50, stateful_step_count=20, deadline=None)
TestKeptPlanner = KeptPlanner.TestCase
TestKeptPlanner.settings = settings(max_examples=25, stateful_step_count=20, deadline=None)
TestKeptUpUnderTheGates = KeptUpUnderTheGates.TestCase
TestKeptUpUnderTheGates.settings = settings(max_examples=100, stateful_step_count=20, deadline=None)
TestKeptPlannerUnderTheGates = KeptPlannerUnderTheGates.TestCase
TestKeptPlannerUnderTheGates.settings = settings(max_examples=25, stateful_step_count=20, deadline=None)
