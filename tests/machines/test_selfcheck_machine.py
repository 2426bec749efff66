"""Whatever a host does, in whatever order, the stored state never contradicts itself."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from cmemory import ByEntity, ByPredicate, Everything, Memory, ScopedMemory, UsageError
from cmemory.domain.audit.finding import Severity
from cmemory.domain.evidence.quote import locate
from cmemory.domain.model.candidate import ClaimCandidate, EpisodeCandidate, RetractionCandidate
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.message import Quote
from cmemory.domain.model.record import AnyRecord
from cmemory.domain.scoring.salience import Signal

START = Instant.parse("2026-03-01T09:00:00Z")

#: Key, values that are also words of a message, and whom it is about.
FACTS = (
    ("identity.name", "Nora", None),
    ("identity.name", "诺拉", None),
    ("person.name", "Petra", "Petra"),
    ("person.occupation", "nurse", "Petra"),
    ("identity.location", "Lisbon", "Lisbon"),
    ("communication.verbosity", "short", None),
    ("communication.verbosity", "long", None),
    ("goal.current_focus", "the cello", None),
    ("ritual.recurring_activity", "swims at dawn", None),
    ("support.physical_context", "mobile", None),
)
SAID = "Well, {} it is, 真的, and {} too!"

facts = st.sampled_from(FACTS)
places = st.integers(0, 40)
hours = st.integers(0, 72)
sessions = st.sampled_from(("s1", "s2"))


class SelfcheckMachine(RuleBasedStateMachine):
    """Drives one database through the façade, its clock only ever going forward."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="cmemory-"))
        self.memory = Memory.open(self.folder / "luna.db", secret=bytes(range(32)))
        self.scopes: list[ScopedMemory] = []
        self.now = START
        self.labels: list[str] = []

    @initialize()
    def begin(self) -> None:
        self.scopes = [self.memory.scope(service="s", owner=owner, profile="p") for owner in ("ann", "bo")]

    @property
    def luna(self) -> ScopedMemory:
        return self.scopes[0]

    def tick(self, by: int) -> Instant:
        self.now = self.now.plus(seconds=3600 * by + 1)
        return self.now

    def any_record(self, place: int) -> AnyRecord | None:
        held = self.luna.list(everything=True, now=self.now)
        return held[place % len(held)] if held else None

    @rule(fact=facts, other=facts, hour=hours, session=sessions, again=st.booleans())
    def say(
        self,
        fact: tuple[str, str, str | None],
        other: tuple[str, str, str | None],
        hour: int,
        session: str,
        again: bool,
    ) -> None:
        """Two facts in one message, the second perhaps under a message id that is known."""
        text = SAID.format(fact[1], other[1])
        candidates = [
            self.claim(text, one, f"{len(self.labels)}-{at}") for at, one in enumerate((fact, other))
        ]
        found = [one for one in candidates if one is not None]
        name = "m-again" if again and self.luna.list(everything=True, now=self.now) == () else None
        answers = self.luna.admit(text, found, session=session, at=self.tick(hour), message_id=name)
        self.labels += [one.record_id for one in answers if one.record_id is not None]

    def claim(self, text: str, fact: tuple[str, str, str | None], name: str) -> ClaimCandidate | None:
        key, value, entity = fact
        quote = locate(text, value)
        if not isinstance(quote, Quote):
            return None
        return ClaimCandidate(
            id=name,
            predicate=key,
            value=value,
            quote=quote,
            raw_value=value,
            entity_ref=entity,
            confidence=0.9,
        )

    @rule(fact=facts, hour=hours)
    def tell(self, fact: tuple[str, str, str | None], hour: int) -> None:
        text = f"Yesterday {fact[1]} came up at dinner"
        quote = locate(text, text)
        assert isinstance(quote, Quote)
        told = EpisodeCandidate(id=f"e{len(self.labels)}", narrative=text, quote=quote, confidence=0.6)
        (answer,) = self.luna.admit(text, (told,), at=self.tick(hour))
        self.labels += [answer.record_id] if answer.record_id else []

    @rule(fact=facts, hour=hours)
    def take_back(self, fact: tuple[str, str, str | None], hour: int) -> None:
        text = f"No {fact[1]} any more, {hour}"
        quote = locate(text, fact[1])
        assert isinstance(quote, Quote)
        back = RetractionCandidate(id=f"r{len(self.labels)}", predicates=(fact[0],), quote=quote)
        self.luna.admit(text, (back,), at=self.tick(hour))

    @rule(fact=facts, hour=hours, session=sessions, speaker=st.sampled_from(("user", "assistant")))
    def observe(self, fact: tuple[str, str, str | None], hour: int, session: str, speaker: str) -> None:
        self.luna.observe(
            f"My {fact[1]}, {fact[2]}: I like that.", session=session, speaker=speaker, at=self.tick(hour)
        )

    @rule(hour=hours)
    def learn(self, hour: int) -> None:
        self.luna.learn(now=self.tick(hour))

    @rule(place=places, hour=hours)
    def update(self, place: int, hour: int) -> None:
        record = self.any_record(place)
        if record is not None and getattr(record.body, "predicate", "") == "goal.current_focus":
            self.luna.update(record.id, "the oboe", text=f"It is the oboe now, {hour}", at=self.tick(hour))

    @rule(place=places, hour=hours)
    def infer(self, place: int, hour: int) -> None:
        record = self.any_record(place)
        support = (record.id,) if record else ("nothing",)
        predicate = "ritual.recurring_activity"
        self.luna.infer(
            "likes water",
            axis="pattern",
            predicate=predicate,
            support=support,
            confidence=0.9,
            now=self.tick(hour),
        )

    @rule(
        place=places,
        hour=hours,
        act=st.sampled_from(("mute", "unmute", "delete", "restore", "note_recall", "feedback")),
    )
    def amend(self, place: int, hour: int, act: str) -> None:
        record = self.any_record(place)
        if record is None:
            return
        try:
            if act == "feedback":
                self.luna.feedback(record.id, Signal.USER_VALUED, now=self.tick(hour))
            else:
                getattr(self.luna, act)(record.id, now=self.tick(hour))
        except UsageError:
            pass

    @rule(place=places, hour=hours, message=st.booleans())
    def forget(self, place: int, hour: int, message: bool) -> None:
        record = self.any_record(place)
        if record is None:
            return
        sources = [one.source_id for one in record.evidence]
        target = sources[0] if message and sources else record.id
        self.luna.forget(target, now=self.tick(hour))
        self.labels.append(target)

    @rule(fact=facts, hour=hours, how=st.sampled_from(("entity", "predicate", "all", "everything")))
    def forget_widely(self, fact: tuple[str, str, str | None], hour: int, how: str) -> None:
        now = self.tick(hour)
        if how == "entity":
            self.luna.forget(ByEntity(fact[2] or "Petra"), now=now)
        elif how == "predicate":
            self.luna.forget(ByPredicate(fact[0]), now=now)
            self.labels.append(fact[0])
        elif how == "all":
            self.luna.delete_all(now=now)
        elif hour % 8 == 0:
            self.luna.forget(Everything.EVERYTHING, now=now)
            self.labels.append("*")

    @rule(place=places, hour=hours)
    def lift(self, place: int, hour: int) -> None:
        if self.labels:
            self.luna.lift(self.labels[place % len(self.labels)], now=self.tick(hour))

    @rule(session=sessions, hour=hours)
    def close_session(self, session: str, hour: int) -> None:
        self.luna.close_session(session, now=self.tick(hour))

    @rule(hour=hours, session=sessions)
    def prepare(self, hour: int, session: str) -> None:
        self.luna.prepare("hi", session=session, now=self.tick(hour), new_session=True)

    @rule(fact=facts, hour=hours, session=sessions, turn=st.integers(0, 3))
    def window(self, fact: tuple[str, str, str | None], hour: int, session: str, turn: int) -> None:
        """What is shown together is associated; a turn may be assembled again."""
        self.luna.window(
            f"Tell me about my {fact[1]} and what I like",
            session=session,
            now=self.tick(hour),
            turn=f"t{turn}",
        )

    @rule(hour=hours)
    def move(self, hour: int) -> None:
        """Into another relationship, and back into the same."""
        file = self.folder / "luna.jsonl"
        self.luna.export(file, now=self.now)
        for scope in self.scopes:
            scope.import_records(file, now=self.tick(hour))

    @rule()
    def reopen(self) -> None:
        self.memory.close()
        self.memory = Memory.open(self.folder / "luna.db")
        self.begin()

    @rule()
    def go_back(self) -> None:
        """A backup is made and restored at once: nothing changes but the file."""
        self.memory.backup(self.folder / "backup.db", overwrite=True)
        self.memory.close()
        Memory.restore_backup(self.folder / "backup.db", self.folder / "luna.db", now=self.now)
        self.memory = Memory.open(self.folder / "luna.db")
        self.begin()

    @invariant()
    def nothing_contradicts_itself(self) -> None:
        report = self.memory.selfcheck(now=self.now)
        assert () == report.findings
        assert report.severity is Severity.PASS

    def teardown(self) -> None:
        self.memory.close()
        shutil.rmtree(self.folder)


TestSelfcheck = SelfcheckMachine.TestCase
TestSelfcheck.settings = settings(max_examples=25, stateful_step_count=25, deadline=None)
