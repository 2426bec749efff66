"""What every inbox must do: one test for each promise of `cmemory.ports.inbox`.

Run it against an inbox of your own by overriding one fixture::

    import pytest

    from cmemory.ports.inbox import Inbox
    from cmemory.testing.contracts import InboxContract


    class TestMyInbox(InboxContract):
        @pytest.fixture
        def inbox(self) -> Inbox:
            return MyInbox(...)
"""

# ruff: noqa: S101  # these are tests

from __future__ import annotations

from collections.abc import Sequence

import attrs
import pytest

from cmemory.domain.errors import UsageError
from cmemory.domain.model.changes import Job
from cmemory.domain.policy import InboxPolicy
from cmemory.ports.inbox import Inbox, InboxSize, Queued, Waiting
from cmemory.testing.builders import at, message
from cmemory.testing.contracts.store import HARD_TEXTS

POLICY = InboxPolicy(first_retry_seconds=0.5, longest_retry_seconds=30.0, max_attempts=8)


def fill(inbox: Inbox, *names: str) -> None:
    """Enqueue messages a second apart."""
    for second, name in enumerate(names):
        inbox.enqueue(message(name, f"text of {name}"), now=at(second))


def names(waiting: Sequence[Waiting]) -> list[str]:
    """Return the message ids in order."""
    return [one.message.id for one in waiting]


def job_of(inbox: Inbox, name: str) -> Job:
    """Return how a message stands."""
    found = inbox.find(name)
    assert found is not None
    return found.job


class InboxContract:
    """The promises of an inbox. Override `inbox` with an empty one."""

    @pytest.fixture
    def inbox(self) -> Inbox:
        """Return a fresh inbox."""
        raise NotImplementedError

    # -- in and out ------------------------------------------------------------------------------------------

    def test_a_message_waits_as_it_was(self, inbox: Inbox) -> None:
        """Every field of it, and it is due at once."""
        said = message("m-1", "我叫周眠。", session="s-9", second=5)
        assert inbox.enqueue(said, now=at(7)) is Queued.ACCEPTED
        job = Job(message_id=said.id, enqueued_at=at(7), due_at=at(7))
        assert list(inbox.held()) == [Waiting(message=said, job=job)]
        assert inbox.find("m-1") == Waiting(message=said, job=job)

    @pytest.mark.parametrize("text", HARD_TEXTS.values(), ids=HARD_TEXTS.keys())
    def test_any_text_comes_back(self, inbox: Inbox, text: str) -> None:
        """No character is special."""
        inbox.enqueue(message("m-1", text), now=at(0))
        (waiting,) = inbox.held()
        assert text == waiting.message.text

    def test_the_same_message_again_is_no_second_one(self, inbox: Inbox) -> None:
        """It is answered for, and keeps its place and its attempts."""
        fill(inbox, "m-1", "m-2")
        inbox.put_off("m-1", now=at(1), policy=POLICY)
        before = list(inbox.held())
        assert inbox.enqueue(message("m-1", "text of m-1"), now=at(9)) is Queued.KNOWN
        assert before == list(inbox.held())

    def test_an_id_cannot_name_two_texts(self, inbox: Inbox) -> None:
        """The second text is refused; the first still waits."""
        fill(inbox, "m-1")
        with pytest.raises(UsageError):
            inbox.enqueue(message("m-1", "something else"), now=at(1))
        assert [one.message.text for one in inbox.held()] == ["text of m-1"]

    def test_what_is_done_is_gone(self, inbox: Inbox) -> None:
        """Several at once; what is not there is passed over, and doing it again is harmless."""
        fill(inbox, "m-1", "m-2", "m-3")
        for _ in range(2):
            inbox.done(("m-1", "m-3", "m-unknown"))
            assert names(inbox.held()) == ["m-2"]
        assert inbox.find("m-1") is None
        inbox.done(())
        assert inbox.size() == InboxSize(waiting=1, dead=0)

    def test_what_is_done_can_come_again(self, inbox: Inbox) -> None:
        """Whether it is known by then is not the inbox's affair."""
        fill(inbox, "m-1")
        inbox.done(("m-1",))
        assert inbox.enqueue(message("m-1", "text of m-1"), now=at(5)) is Queued.ACCEPTED
        assert job_of(inbox, "m-1").enqueued_at == at(5)

    # -- order and time --------------------------------------------------------------------------------------

    def test_first_come_first_then_by_id(self, inbox: Inbox) -> None:
        """The order is that of coming in, whenever it was said."""
        for name, second in (("m-3", 2), ("m-2", 1), ("m-1", 2), ("m-4", 0)):
            inbox.enqueue(message(name, second=10 - second), now=at(second))
        assert names(inbox.held()) == ["m-4", "m-2", "m-1", "m-3"]
        assert names(inbox.due(at(9))) == ["m-4", "m-2", "m-1", "m-3"]

    def test_due_is_what_has_its_time_behind_it(self, inbox: Inbox) -> None:
        """The very moment counts, and a limit cuts from the end."""
        fill(inbox, "m-1", "m-2", "m-3")
        assert names(inbox.due(at(1))) == ["m-1", "m-2"]
        assert names(inbox.due(at(9), limit=2)) == ["m-1", "m-2"]
        assert names(inbox.due(at(9), limit=0)) == []
        assert names(inbox.due(at(-1))) == []

    # -- failing and deferring -------------------------------------------------------------------------------

    def test_pauses_double_up_to_the_longest(self, inbox: Inbox) -> None:
        """After the last attempt the message is dead, and stays held."""
        fill(inbox, "m-1")
        now, pauses = at(0), []
        for attempt in range(1, POLICY.max_attempts):
            job = inbox.put_off("m-1", now=now, policy=POLICY)
            assert job is not None
            assert (job, job.attempts, job.dead) == (job_of(inbox, "m-1"), attempt, False)
            pauses.append((job.due_at.microseconds - now.microseconds) / 1e6)
            assert names(inbox.due(job.due_at.plus(seconds=-0.001))) == []
            assert names(inbox.due(job.due_at)) == ["m-1"]
            now = job.due_at
        assert pauses == [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0]
        last = inbox.put_off("m-1", now=now, policy=POLICY)
        assert last is not None
        assert (last.dead, last.due_at) == (True, now)
        assert (names(inbox.due(at(1e6))), names(inbox.dead())) == ([], ["m-1"])
        assert inbox.size() == InboxSize(waiting=0, dead=1)

    def test_what_can_never_succeed_is_given_up_at_once(self, inbox: Inbox) -> None:
        """One attempt is counted, and when it was is kept."""
        fill(inbox, "m-1")
        inbox.put_off("m-1", now=at(3), policy=POLICY, retryable=False)
        (dead,) = inbox.dead()
        assert (dead.job.attempts, dead.job.due_at, dead.message.text) == (1, at(3), "text of m-1")

    def test_a_deferral_is_no_failure(self, inbox: Inbox) -> None:
        """The pauses are the same, attempts are not counted, and it never ends."""
        fill(inbox, "m-1")
        now, pauses = at(0), []
        for _ in range(20):
            job = inbox.defer("m-1", now=now, policy=POLICY)
            assert job is not None
            assert (job.attempts, job.dead) == (0, False)
            pauses.append((job.due_at.microseconds - now.microseconds) / 1e6)
            now = job.due_at
        assert pauses == [0.5, 1.0, 2.0, 4.0, 8.0, 16.0] + [30.0] * 14

    def test_nothing_waits_behind_another(self, inbox: Inbox) -> None:
        """Whether the first one fails, is dead, or is deferred."""
        fill(inbox, "m-1", "m-2", "m-3", "m-4")
        inbox.put_off("m-1", now=at(9), policy=POLICY)
        inbox.put_off("m-2", now=at(9), policy=POLICY, retryable=False)
        inbox.defer("m-3", now=at(9), policy=POLICY)
        assert names(inbox.due(at(9), limit=1)) == ["m-4"]
        assert names(inbox.held()) == ["m-1", "m-2", "m-3", "m-4"]

    def test_what_is_not_held_cannot_be_put_off(self, inbox: Inbox) -> None:
        """Somebody else was faster; nothing comes back."""
        fill(inbox, "m-1")
        job = job_of(inbox, "m-1")
        inbox.done(("m-1",))
        assert inbox.put_off("m-1", now=at(1), policy=POLICY) is None
        assert inbox.defer("m-1", now=at(1), policy=POLICY) is None
        inbox.update((attrs.evolve(job, attempts=3),))
        assert list(inbox.held()) == []

    def test_a_clock_that_goes_back_loses_nothing(self, inbox: Inbox) -> None:
        """What was put off waits for its time or a call to wake; what comes in is due by the new clock."""
        inbox.enqueue(message("m-1"), now=at(3600))
        inbox.put_off("m-1", now=at(3600), policy=POLICY)
        inbox.enqueue(message("m-2"), now=at(0))
        inbox.defer("m-2", now=at(0), policy=POLICY)
        inbox.put_off("m-2", now=at(-60), policy=POLICY)
        assert job_of(inbox, "m-2").due_at == at(-59.5)
        assert names(inbox.due(at(0))) == ["m-2"]
        assert inbox.defer("m-1", now=at(1), policy=POLICY) == attrs.evolve(
            job_of(inbox, "m-1"), attempts=1, due_at=at(1.5)
        )
        assert names(inbox.due(at(2))) == ["m-2", "m-1"]

    # -- trying again ----------------------------------------------------------------------------------------

    def test_waking_makes_due_what_was_put_off(self, inbox: Inbox) -> None:
        """Attempts stay counted; the dead stay dead."""
        fill(inbox, "m-1", "m-2", "m-3", "m-4")
        inbox.put_off("m-1", now=at(9), policy=POLICY)
        inbox.defer("m-2", now=at(9), policy=POLICY)
        inbox.put_off("m-3", now=at(9), policy=POLICY, retryable=False)
        assert inbox.wake(now=at(9)) == 2
        assert names(inbox.due(at(9))) == ["m-1", "m-2", "m-4"]
        assert (job_of(inbox, "m-1").attempts, names(inbox.dead())) == (1, ["m-3"])
        assert inbox.wake(now=at(9)) == 0

    def test_reviving_begins_anew(self, inbox: Inbox) -> None:
        """Only the dead are touched, and they keep their place."""
        fill(inbox, "m-1", "m-2", "m-3")
        inbox.put_off("m-1", now=at(5), policy=POLICY, retryable=False)
        inbox.put_off("m-2", now=at(5), policy=POLICY)
        assert inbox.revive(now=at(6)) == 1
        assert job_of(inbox, "m-1") == attrs.evolve(
            job_of(inbox, "m-1"), attempts=0, due_at=at(6), dead=False
        )
        assert job_of(inbox, "m-2").attempts == 1
        assert names(inbox.held()) == ["m-1", "m-2", "m-3"]
        assert inbox.revive(now=at(7)) == 0

    def test_the_dead_can_be_let_go(self, inbox: Inbox) -> None:
        """As when the person has them forgotten."""
        fill(inbox, "m-1")
        inbox.put_off("m-1", now=at(5), policy=POLICY, retryable=False)
        inbox.done(("m-1",))
        assert (list(inbox.dead()), inbox.size()) == ([], InboxSize(waiting=0, dead=0))
