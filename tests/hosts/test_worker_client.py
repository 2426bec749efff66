"""The worker's client: joined to the server, with a real process, and with a worker that misbehaves."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timezone
from pathlib import Path

import pytest
from typing_extensions import override

from cmemory import CMemoryError, Instant, Memory, Scope, UsageError, WorkerError
from cmemory.adapters.worker import connection as connection_module
from cmemory.adapters.worker import process as process_module
from cmemory.adapters.worker.client import WorkerClient
from cmemory.adapters.worker.faults import WorkerCode
from cmemory.adapters.worker.process import INHERITED, Command, worker_environment
from cmemory.adapters.worker.protocol import Result, decode, encode
from cmemory.adapters.worker.results import (
    WorkerAdmission,
    WorkerMerge,
    WorkerRecord,
    WorkerRejection,
    WorkerResidue,
)
from cmemory.adapters.worker.transport import Transport
from cmemory.domain.model.bodies import ArcPoint, Participant
from cmemory.domain.model.candidate import (
    ClaimCandidate,
    EpisodeCandidate,
    PendingCandidate,
    RetractionCandidate,
    ThreadProposal,
)
from cmemory.domain.model.message import Quote
from cmemory.domain.plan.plan import Channel
from cmemory.domain.predicates.registry import Visibility
from cmemory.testing.workers import JoinedWorker

UGLY = str(Path(__file__).with_name("ugly_worker.py"))
REAL = (sys.executable, "-m", "cmemory", "worker")
LUNA = Scope(service="lamplight", owner="u-42", profile="luna")
NOW = "2026-03-01T09:00:00Z"
TEXT = "我叫周眠，住在杭州。"

#: Long enough for a busy machine, short enough to notice.
PATIENT_MS = 20_000


def quoted(text: str, words: str) -> Quote:
    start = len(text[: text.index(words)].encode())
    return Quote(start=start, end=start + len(words.encode()), text=words)


def name_claim(number: int = 1, text: str = TEXT) -> ClaimCandidate:
    return ClaimCandidate(
        id=f"claim-{number}",
        predicate="identity.name",
        value="周眠",
        quote=quoted(text, "我叫周眠"),
        confidence=0.9,
    )


def city_claim() -> ClaimCandidate:
    return ClaimCandidate(
        id="claim-city",
        predicate="identity.location",
        value="杭州",
        entity_ref="杭州",
        quote=quoted(TEXT, "住在杭州"),
    )


def code_of(call: Callable[[], object]) -> str:
    with pytest.raises(WorkerError) as caught:
        call()
    return caught.value.code


def alive(pid: int) -> bool:
    """Whether a process exists and is no zombie."""
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        # The second one: it went between opening and reading.
        return False


def gone(pid: int, within: float = 5.0) -> bool:
    end = time.monotonic() + within
    while alive(pid) and time.monotonic() < end:
        time.sleep(0.005)
    return not alive(pid)


def descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


def readers() -> int:
    """How many reading threads of clients there are."""
    return sum(thread.name == "cmemory-worker-reader" for thread in threading.enumerate())


@pytest.fixture
def joined() -> Iterator[WorkerClient]:
    """A client and a server with no pipe between them."""
    with Memory.open() as memory, WorkerClient.over(lambda: JoinedWorker(memory)) as client:
        yield client


class Ugly:
    """Clients of ugly workers, and how often those were started."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._counter = folder / "starts"

    def command(self, *plays: str) -> Command:
        words = (sys.executable, "-I", "-S", UGLY, str(self._counter), *plays)
        return Command(words=words, database=str(self._folder / "none.db"))

    def client(self, *plays: str) -> WorkerClient:
        return WorkerClient.over(self.command(*plays))

    @property
    def starts(self) -> int:
        return self._counter.stat().st_size if self._counter.exists() else 0


@pytest.fixture
def ugly(tmp_path: Path) -> Ugly:
    return Ugly(tmp_path)


# -- back to back -----------------------------------------------------------------------------------


def test_health_names_the_version_and_the_vocabulary(joined: WorkerClient) -> None:
    """The first thing a host may want to know."""
    health = joined.health()
    assert (1, 47) == (health.protocol_version, len(health.predicate_keys))
    assert list(health.predicate_keys) == [one["key"] for one in health.predicate_schemas]


def test_what_was_admitted_is_planned_found_and_forgotten(joined: WorkerClient) -> None:
    """The six operations carry a fact through its whole life."""
    admitted = joined.admit(
        LUNA, TEXT, [name_claim(), city_claim()], message_id="m-1", session="s-1", now=NOW
    )
    assert ((), 0) == (admitted.rejected, admitted.pending)
    name, city = admitted.accepted

    plan = joined.warm(LUNA, "杭州今天下雨吗？", now=Instant.parse(NOW), session="s-1")
    assert set(Channel) == set(plan.channels)
    [shown] = [item for item in plan.channel(Channel.IDENTITY) if item.record_id == name]
    assert Visibility.FREELY_MENTIONABLE is shown.surface
    assert "周眠" in shown.text
    assert name in {item.record_id for _, item in plan.shown}
    assert plan.revision > 0

    found = joined.query(
        LUNA, "杭州", message="我住在杭州哪里？", now=datetime(2026, 3, 1, 10, tzinfo=timezone.utc)
    )
    assert [city] == [one.id for one in found]
    assert isinstance(found[0], WorkerRecord)

    gone = joined.forget(LUNA, city, message=f"请忘掉 {city}", now=NOW)
    assert gone.forgotten
    assert city in gone.record_ids
    assert not gone.residue_scan_failed
    assert () == joined.query(LUNA, "杭州", message="我住在杭州哪里？", now=NOW)
    assert 0 == joined.session_closed(LUNA, "s-1", now=NOW)


def test_the_same_fact_again_is_merged(joined: WorkerClient) -> None:
    """A repeated call tells which record stands for the candidate."""
    [record] = joined.admit(LUNA, TEXT, [name_claim()], message_id="m-1", session="s", now=NOW).accepted
    again = joined.admit(LUNA, TEXT, [name_claim(2)], message_id="m-2", session="s", now=NOW)
    assert (WorkerRejection(candidate_id="claim-2", reason="merged", code="merged"),) == again.rejected
    assert (WorkerMerge(candidate_id="claim-2", record_id=record),) == again.merged


def test_episodes_threads_and_pending_pointers_are_spoken(joined: WorkerClient) -> None:
    """Everything that version 1 can propose reaches the server as it was meant."""
    text = "I failed my driving test today and cried. My exam is next week."
    episode = EpisodeCandidate(
        id="episode-1",
        narrative="failed my driving test",
        quote=quoted(text, "I failed my driving test today and cried"),
        participants=(Participant(role="user"),),
        emotional_arc=(ArcPoint(at_turn=0, labels=("sad",), intensity=0.5),),
    )
    claim = ClaimCandidate(
        id="claim-1",
        predicate="goal.current",
        value="pass the exam",
        quote=quoted(text, "My exam is next week"),
        thread=ThreadProposal(
            id="thread-1", summary="the exam", expires_at=Instant.parse("2026-04-01T00:00:00Z")
        ),
    )
    pointer = PendingCandidate(id="pending-1", kind="unknown", reason="later")
    admitted = joined.admit(
        LUNA, text, [episode, claim], message_id="m", session="s", now=NOW, pending=[pointer]
    )
    assert 2 == len(admitted.accepted) + len(
        [one for one in admitted.rejected if one.candidate_id != "pending-1"]
    )


@pytest.mark.parametrize(
    "candidate",
    [
        RetractionCandidate(id="r", predicates=("identity.name",), quote=quoted(TEXT, "周眠")),
        ClaimCandidate(
            id="c",
            predicate="identity.name",
            value="周眠",
            quote=quoted(TEXT, "周眠"),
            valid_until=Instant.parse(NOW),
        ),
    ],
)
def test_what_the_protocol_has_no_word_for_is_not_sent(
    joined: WorkerClient, candidate: ClaimCandidate
) -> None:
    """Leaving a part of a proposal out would change what it means."""
    with pytest.raises(UsageError, match="candidates"):
        joined.admit(LUNA, TEXT, [candidate], message_id="m", session="s", now=NOW)


def test_the_workers_own_codes_pass_through(joined: WorkerClient) -> None:
    """A refusal keeps its code and says whether another attempt may help, and the worker goes on."""
    with pytest.raises(WorkerError) as unsupported:
        joined.call("dance", {})
    assert ("UNSUPPORTED_OPERATION", False) == (unsupported.value.code, unsupported.value.retryable)
    with pytest.raises(WorkerError) as invalid:
        joined.forget(LUNA, "claim-1", message="I like tea", now=NOW)
    assert ("INVALID_REQUEST", False) == (invalid.value.code, invalid.value.retryable)
    assert 1 == joined.health().protocol_version


def nested(depth: int) -> object:
    inner: object = 0
    for _ in range(depth):
        inner = [inner]
    return inner


@pytest.mark.parametrize(
    "params",
    [
        {"text": "\ud800"},
        {"text": "x" * 1_048_576},
        {"score": float("nan")},
        {"number": 10**400},
        {"thing": object()},
        {"deep": nested(130)},
        {"deep": nested(100_000)},
    ],
    ids=["surrogate", "long", "nan", "big", "object", "deep", "abyss"],
)
def test_a_line_that_nobody_could_answer_by_name_is_refused_here(
    joined: WorkerClient, params: dict[str, object]
) -> None:
    """The worker answers an unreadable line without its id; such a request would wait in vain."""
    with pytest.raises(WorkerError) as caught:
        joined.call("health", params)
    assert ("INVALID_REQUEST", False) == (caught.value.code, caught.value.retryable)
    assert 1 == joined.health().protocol_version


@pytest.mark.parametrize("timeout_ms", [0, -1, float("nan"), float("inf"), 1e12])
def test_a_deadline_must_be_one(joined: WorkerClient, timeout_ms: float) -> None:
    """A deadline that never or always passes is a mistake."""
    with pytest.raises(UsageError, match="timeout_ms"):
        joined.health(timeout_ms=timeout_ms)


def test_a_naive_moment_is_a_mistake(joined: WorkerClient) -> None:
    """Nobody can tell which moment it means."""
    with pytest.raises(UsageError, match="now"):
        joined.session_closed(LUNA, "s", now=datetime(2026, 3, 1))


def test_many_threads_share_a_joined_pair(joined: WorkerClient) -> None:
    """Each gets the answer to its own question."""
    with ThreadPoolExecutor(4) as threads:
        plans = list(threads.map(lambda at: joined.warm(LUNA, f"hi {at}", now=NOW), range(40)))
    assert {0} == {plan.revision for plan in plans}


# -- a real worker ----------------------------------------------------------------------------------


def test_a_real_process_answers_and_keeps(tmp_path: Path) -> None:
    """What one client admitted is there for the next one, in another process."""
    database = tmp_path / "luna.db"
    with WorkerClient.acquire(database, command=REAL) as client:
        [record] = client.admit(LUNA, TEXT, [name_claim()], message_id="m", session="s", now=NOW).accepted
        assert "" == client.diagnostics()
    with WorkerClient.acquire(database, command=REAL) as client:
        plan = client.warm(LUNA, "hello", now=NOW)
    assert [record] == [item.record_id for item in plan.channel(Channel.IDENTITY)]


def test_extended_operations_are_there_after_every_restart(tmp_path: Path) -> None:
    """A fresh worker speaks version 1 only; the client tells it of the rest before it asks for it."""
    scope = {"service_id": "lamplight", "owner_user_id": "u-42", "companion_profile_id": "luna"}
    with WorkerClient.acquire(tmp_path / "luna.db") as client:
        client.call("observe", {"scope": scope, "text": "My name is Nora.", "session_id": "s", "at": NOW})
        assert "WORKER_TIMEOUT" == code_of(lambda: client.call("stats", {"scope": scope}, timeout_ms=0.001))
        client.call("learn", {"scope": scope, "now": NOW})
        plan = client.warm(LUNA, "hello", now=NOW, turn_key="t-1")
    assert ["identity.name: Nora"] == [item.text for item in plan.channel(Channel.IDENTITY)]


def test_a_database_that_will_not_open_is_a_failed_start(tmp_path: Path) -> None:
    """The worker's status 2 says so; the next attempt is a fresh one."""
    broken = tmp_path / "broken.db"
    broken.write_bytes(b"this is no database, and long enough to be sure of that. " * 100)
    with WorkerClient.acquire(broken, command=REAL) as client:
        assert "WORKER_START_FAILED" == code_of(client.health)
        assert "cmemory worker" in client.diagnostics()
        broken.unlink()
        assert 1 == client.health().protocol_version


def test_a_worker_killed_in_the_middle_loses_nothing_acknowledged(tmp_path: Path) -> None:
    """Killed before it answers: that request fails as WORKER_EXITED; what was acknowledged is there."""
    launched: list[int] = []
    command = Command(words=REAL, database=str(tmp_path / "luna.db"))

    def launch() -> process_module.ProcessTransport:
        transport = command()
        launched.append(transport.pid)
        return transport

    def admit(claim: ClaimCandidate) -> WorkerAdmission:
        return client.admit(LUNA, TEXT, [claim], message_id="m", session="s", now=NOW)

    with WorkerClient.over(launch) as client, ThreadPoolExecutor(1) as threads:
        [kept] = admit(name_claim()).accepted
        # A stopped process takes the request and cannot answer it any more.
        os.kill(launched[0], signal.SIGSTOP)
        failing = threads.submit(lambda: code_of(lambda: admit(city_claim())))
        time.sleep(0.1)
        assert not failing.done()
        os.kill(launched[0], signal.SIGKILL)
        assert "WORKER_EXITED" == failing.result()
        plan = client.warm(LUNA, "hello", now=NOW)
        assert kept in {item.record_id for item in plan.channel(Channel.IDENTITY)}
        assert ["merged"] == [one.reason for one in admit(name_claim(2)).rejected]
        assert 1 == len(admit(city_claim()).accepted)
    assert 2 == len(launched)
    assert all(gone(pid) for pid in launched)


def test_eight_threads_write_and_read_through_one_process(tmp_path: Path) -> None:
    """Fifty requests each; every answer belongs to its question, and nothing is lost."""

    def work(client: WorkerClient, who: int) -> set[str]:
        scope = Scope(service="lamplight", owner=f"u-{who}", profile="luna")
        seen = set()
        for turn in range(50):
            if turn == 0:
                text = f"My name is N{who}."
                claim = ClaimCandidate(
                    id=f"claim-{who}", predicate="identity.name", value=f"N{who}", quote=quoted(text, text)
                )
                client.admit(scope, text, [claim], message_id=f"m-{who}", session="s", now=NOW)
            plan = client.warm(scope, "hello", now=NOW, timeout_ms=PATIENT_MS)
            seen |= {item.text for item in plan.channel(Channel.IDENTITY)}
        return seen

    with (
        WorkerClient.acquire(tmp_path / "many.db", command=REAL) as client,
        ThreadPoolExecutor(8) as threads,
    ):
        seen = list(threads.map(lambda who: work(client, who), range(8)))
    assert [{f"identity.name: N{who}"} for who in range(8)] == seen


# -- a worker that misbehaves -----------------------------------------------------------------------

FAULTS = [
    ("garbage", "WORKER_BAD_JSON"),
    ("nan", "WORKER_BAD_JSON"),
    ("no_text", "WORKER_BAD_JSON"),
    ("wrong_version", "WORKER_PROTOCOL_ERROR"),
    ("no_id", "WORKER_PROTOCOL_ERROR"),
    ("no_verdict", "WORKER_PROTOCOL_ERROR"),
    ("no_object", "WORKER_PROTOCOL_ERROR"),
    ("exit_in_answer", "WORKER_EXITED"),
    ("exit_at_request", "WORKER_EXITED"),
    ("exit_at_start", "WORKER_EXITED"),
    ("refuse_to_start", "WORKER_START_FAILED"),
    ("close_output", "WORKER_EXITED"),
]


@pytest.mark.parametrize(("play", "code"), FAULTS, ids=[play for play, _ in FAULTS])
def test_a_fault_fails_all_who_wait_and_the_next_request_starts_afresh(
    ugly: Ugly, play: str, code: str
) -> None:
    """Whatever the worker does, everybody hears the same code, and the process after it is a new one."""
    with ugly.client(play) as client:
        waiting = [client.submit("x", {}, timeout_ms=PATIENT_MS) for _ in range(3)]
        with pytest.raises(WorkerError) as caught:
            waiting[0].result()
        assert (code, True) == (caught.value.code, caught.value.retryable)
        # The others failed with it, or met the fresh process when the fault was faster than they were.
        assert {code} >= {code_of(one.result) for one in waiting[1:] if ugly.starts == 1}
        assert "x" == client.call("x", {})["op"]
        assert 2 == ugly.starts


def test_no_answer_in_time_fails_all_who_wait(ugly: Ugly) -> None:
    """One missed deadline ends the process, and with it the hope of everybody else."""
    with ugly.client("silent") as client:
        patient = client.submit("x", {}, timeout_ms=PATIENT_MS)
        assert "WORKER_TIMEOUT" == code_of(lambda: client.call("x", {}, timeout_ms=300))
        assert patient.done
        assert "WORKER_TIMEOUT" == code_of(patient.result)
        assert "x" == client.call("x", {})["op"]
        assert 2 == ugly.starts


def test_warm_gives_up_soon_and_returns_no_plan(ugly: Ugly) -> None:
    """A slow memory does not hold up the chat."""
    with ugly.client("silent") as client:
        began = time.monotonic()
        assert "WORKER_TIMEOUT" == code_of(lambda: client.warm(LUNA, "hi", now=NOW, timeout_ms=200))
        assert time.monotonic() - began < 2


def test_a_worker_that_reads_nothing_cannot_hold_the_writer(ugly: Ugly) -> None:
    """A request larger than the pipe is given up at its deadline, though writing it would block for ever."""
    with ugly.client("deaf") as client:
        big = {"text": "x" * 900_000}
        began = time.monotonic()
        with ThreadPoolExecutor(2) as threads:
            hasty = threads.submit(lambda: code_of(lambda: client.call("x", big, timeout_ms=400)))
            time.sleep(0.1)
            behind = threads.submit(lambda: code_of(lambda: client.call("x", {}, timeout_ms=PATIENT_MS)))
        assert ["WORKER_TIMEOUT"] * 2 == [hasty.result(), behind.result()]
        assert time.monotonic() - began < 5
        assert "x" == client.call("x", big)["op"]


def test_a_worker_that_takes_no_requests_is_a_failed_write(ugly: Ugly) -> None:
    """It lives and has closed its input: nothing could be handed over."""
    with ugly.client("close_input") as client:
        # The first lines may still find room in the pipe, while the worker is starting.
        first = waiting = client.submit("x", {}, timeout_ms=PATIENT_MS)
        while not waiting.done:
            time.sleep(0.01)
            waiting = client.submit("x", {}, timeout_ms=PATIENT_MS)
        assert "WORKER_WRITE_FAILED" == code_of(waiting.result)
        assert "WORKER_WRITE_FAILED" == code_of(first.result)
        assert "x" == client.call("x", {})["op"]
        assert 2 == ugly.starts


def test_a_command_that_is_not_there_is_a_failed_start(tmp_path: Path) -> None:
    """And says nothing about where it was looked for."""
    with WorkerClient.acquire(tmp_path / "x.db", command=[str(tmp_path / "nobody")]) as client:
        with pytest.raises(WorkerError) as caught:
            client.health()
        assert ("WORKER_START_FAILED", True) == (caught.value.code, caught.value.retryable)
        assert str(tmp_path) not in str(caught.value)


def test_answers_to_strangers_are_ignored(ugly: Ugly) -> None:
    """An unknown id harms nobody."""
    with ugly.client("stranger_first") as client:
        assert {1: "x"} == {1: client.call("x", {})["op"]}
        assert 1 == ugly.starts


def test_a_process_that_ends_between_requests_is_replaced_silently(ugly: Ugly) -> None:
    """Nobody waited, so nobody needs to know."""
    with ugly.client("exit_after_answer") as client:
        assert gone(client.call("x", {})["pid"])
        end = time.monotonic() + 5
        while readers() and time.monotonic() < end:
            time.sleep(0.005)
        assert "x" == client.call("x", {})["op"]
        assert 2 == ugly.starts


def test_a_huge_answer_arrives(ugly: Ugly) -> None:
    """Only requests are short."""
    with ugly.client("huge") as client:
        assert 8 * 1024 * 1024 // 3 == len(client.call("x", {})["text"])


def test_an_answer_without_end_is_cut_off(ugly: Ugly, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker gone mad does not fill the host's memory."""
    monkeypatch.setattr(process_module, "MAX_ANSWER_BYTES", 5_000_000)
    monkeypatch.setattr(connection_module, "MAX_ANSWER_BYTES", 5_000_000)
    with ugly.client("endless") as client:
        assert "WORKER_PROTOCOL_ERROR" == code_of(lambda: client.call("x", {}))
        assert "x" == client.call("x", {})["op"]


def test_a_slow_answer_is_waited_for(ugly: Ugly) -> None:
    """Slow is no fault while the deadline holds; those behind are served in turn."""
    with ugly.client() as client:
        slow = client.submit("slow", {"sleep": 0.3})
        quick = client.submit("quick", {})
        assert not slow.done
        assert ["slow", "quick"] == [slow.result()["op"], quick.result()["op"]]
        assert 1 == ugly.starts


def test_a_flood_of_diagnostics_blocks_nobody_and_is_not_told(
    ugly: Ugly, capfd: pytest.CaptureFixture[str]
) -> None:
    """Four megabytes on standard error: the answer comes, the end is kept, our own streams stay silent."""
    with ugly.client("chatty") as client:
        assert "x" == client.call("x", {})["op"]
        kept = client.diagnostics()
    assert kept.endswith("the last words\n")
    assert 4_096 == len(kept)
    assert ("", "") == capfd.readouterr()


def test_a_worker_may_close_its_diagnostics(ugly: Ugly) -> None:
    """They are for people; the protocol does not need them."""
    with ugly.client("close_errors") as client:
        assert ["x", "y"] == [client.call(op, {})["op"] for op in ("x", "y")]


@pytest.mark.parametrize(
    ("envelope", "code", "retryable"),
    [
        (
            {"ok": False, "error": {"code": "STORAGE_ERROR", "retryable": True, "summary": "busy"}},
            "STORAGE_ERROR",
            True,
        ),
        (
            {"ok": False, "error": {"code": "MODEL_ERROR", "retryable": False, "summary": "no"}},
            "MODEL_ERROR",
            False,
        ),
        ({"ok": False, "error": {"code": "NEW_CODE", "summary": "?"}}, "NEW_CODE", False),
        ({"ok": False, "error": {"summary": "something"}}, "WORKER_ERROR", True),
        ({"ok": False}, "WORKER_ERROR", True),
        ({"result": [1]}, "WORKER_ERROR", True),
    ],
)
def test_a_failure_in_good_form_keeps_the_process(
    ugly: Ugly, envelope: dict[str, object], code: str, retryable: bool
) -> None:
    """Its code passes through; one without a code is the client's WORKER_ERROR."""
    with ugly.client() as client:
        with pytest.raises(WorkerError) as caught:
            client.call("x", {"envelope": envelope})
        assert (code, retryable) == (caught.value.code, caught.value.retryable)
        assert "x" == client.call("x", {})["op"]
        assert 1 == ugly.starts


def test_half_a_plan_is_no_plan(ugly: Ugly) -> None:
    """A result that lacks what the operation promises is an error, never an emptier plan."""
    with ugly.client() as client:
        assert "WORKER_ERROR" == code_of(lambda: client.warm(LUNA, "hi", now=NOW))
        assert "WORKER_ERROR" == code_of(client.health)
        assert "WORKER_ERROR" == code_of(lambda: client.query(LUNA, "x", message="x", now=NOW))
        assert 1 == ugly.starts


def test_a_cancelled_request_waits_no_longer(ugly: Ugly) -> None:
    """Its late answer is dropped, and the others do not notice."""
    with ugly.client() as client:
        slow = client.submit("slow", {"sleep": 0.6})
        after = client.submit("after", {})
        timer = threading.Timer(0.05, slow.cancel)
        timer.start()
        began = time.monotonic()
        assert "WORKER_CLOSED" == code_of(slow.result)
        assert time.monotonic() - began < 0.5
        timer.join()
        assert "after" == after.result()["op"]
        slow.cancel()
        after.cancel()
        assert "after" == after.result()["op"]
        assert 1 == ugly.starts


def test_a_late_word_of_a_dead_worker_does_not_touch_its_successor(ugly: Ugly) -> None:
    """Handlers belong to one process: its death, late as the news may be, costs only those who asked it."""
    with ugly.client(*["exit_at_request", "garbage"] * 5) as client, ThreadPoolExecutor(4) as threads:
        outcomes = list(threads.map(lambda _: _attempts(client), range(4)))
        pid = client.call("x", {})["pid"]
        time.sleep(0.2)
        assert pid == client.call("x", {})["pid"]
    assert all(outcomes)
    assert 11 == ugly.starts


def _attempts(client: WorkerClient) -> bool:
    for _ in range(20):
        try:
            return bool(client.call("x", {}, timeout_ms=PATIENT_MS)["pid"])
        except WorkerError as error:
            assert error.code in {"WORKER_EXITED", "WORKER_BAD_JSON"}, error
    return False


def test_eight_threads_get_their_own_answers(ugly: Ugly) -> None:
    """Fifty requests each, all at once in one pipe."""

    def work(client: WorkerClient, who: int) -> bool:
        waiting = [
            client.submit("x", {"who": who, "turn": turn}, timeout_ms=PATIENT_MS) for turn in range(50)
        ]
        return [{"who": who, "turn": turn} for turn in range(50)] == [
            one.result()["params"] for one in waiting
        ]

    with ugly.client() as client, ThreadPoolExecutor(8) as threads:
        assert all(threads.map(lambda who: work(client, who), range(8)))
        assert 1 == ugly.starts


# -- a worker that exists only in the test ----------------------------------------------------------


class Canned(Transport):
    """Gives one result to every request, or raises instead of taking it."""

    def __init__(self, result: dict[str, object], refusal: BaseException | None = None) -> None:
        self._result = result
        self._refusal = refusal
        self._answers: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()

    @override
    def write_line(self, line: bytes, deadline: float) -> None:
        if self._refusal is not None:
            raise self._refusal
        request = decode(line.removesuffix(b"\n"))
        self._answers.put(encode(Result(id=request.id, result=self._result)))

    @override
    def read_line(self) -> bytes | None:
        return self._answers.get()

    @override
    def kill(self) -> None:
        self._answers.put(None)


def plan_result(surface: str) -> dict[str, object]:
    item = {"recordId": "r", "text": "t", "surface": surface, "reason": "a_reason_of_next_year"}
    return {"revision": 7, "plan": {channel.value: [item] for channel in Channel}}


def test_a_plan_of_a_newer_worker_may_have_new_reasons_but_no_new_surfaces() -> None:
    """How openly a record may be used must be understood; why it stands there need not."""
    with WorkerClient.over(lambda: Canned(plan_result("background_only"))) as client:
        plan = client.warm(LUNA, "hi", now=NOW)
        assert {Visibility.BACKGROUND_ONLY} == {item.surface for _, item in plan.shown}
        assert (7, 6) == (plan.revision, len(plan.shown))
    with WorkerClient.over(lambda: Canned(plan_result("shout_it_out"))) as client:
        assert "WORKER_ERROR" == code_of(lambda: client.warm(LUNA, "hi", now=NOW))


def test_residue_is_told_in_both_kinds() -> None:
    """What repeats the forgotten words, and what is only like them."""
    exact = {"kind": "exact", "sourceType": "claim", "sourceId": "claim-2", "matchedId": "claim-1"}
    alike = {"kind": "suspected", "sourceType": "episode", "sourceId": "episode-3", "similarity": 0.5}
    result: dict[str, object] = {
        "forgotten": True,
        "recordIds": ["claim-1"],
        "residue": [exact, alike],
        "residueScanFailed": True,
    }
    with WorkerClient.over(lambda: Canned(result)) as client:
        report = client.forget(LUNA, "claim-1", message="forget claim-1", now=NOW)
    assert report.residue_scan_failed
    assert (
        WorkerResidue(kind="exact", source_type="claim", source_id="claim-2", matched_id="claim-1"),
        WorkerResidue(kind="suspected", source_type="episode", source_id="episode-3", similarity=0.5),
    ) == report.residue


def test_an_interrupted_write_ends_the_worker() -> None:
    """Half a line may be in the pipe; the next request must not be glued to it."""
    launched: list[Transport] = []
    refusals: list[BaseException | None] = [KeyboardInterrupt(), None]

    def launch() -> Transport:
        launched.append(Canned({"expired": 3}, refusals.pop(0)))
        return launched[-1]

    with WorkerClient.over(launch) as client:
        with pytest.raises(KeyboardInterrupt):
            client.session_closed(LUNA, "s", now=NOW)
        assert 3 == client.session_closed(LUNA, "s", now=NOW)
    assert 2 == len(launched)


def test_a_host_without_another_thread_to_spare_is_told(ugly: Ugly, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process that nobody could read from does not stay behind."""
    before = descriptors()

    def refuse(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    with ugly.client() as client:
        with monkeypatch.context() as patched:
            patched.setattr(threading.Thread, "start", refuse)
            assert "WORKER_START_FAILED" == code_of(lambda: client.call("x", {}))
        assert before == descriptors()
        assert "x" == client.call("x", {})["op"]


def test_a_system_without_poll_is_told(ugly: Ugly, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has other ways to use the library."""
    monkeypatch.delattr("select.poll")
    assert "WORKER_START_FAILED" == code_of(lambda: ugly.client().call("x", {}))


# -- sharing, closing, forking ----------------------------------------------------------------------


def test_equal_clients_share_one_process_until_the_last_is_closed(ugly: Ugly) -> None:
    """Counted by handle: closing one twice does not take the process from another."""
    same, database = ugly.command().words, ugly.command().database
    one = WorkerClient.acquire(database, command=same[:1], arguments=same[1:])
    two = WorkerClient.acquire(Path(database), command=same)
    other = WorkerClient.acquire(database + "2", command=same)
    pid = one.call("x", {})["pid"]
    assert pid == two.call("x", {})["pid"]
    assert pid != other.call("x", {})["pid"]
    one.close()
    one.close()
    assert "WORKER_CLOSED" == code_of(lambda: one.call("x", {}))
    assert pid == two.call("x", {})["pid"]
    two.close()
    assert not alive(pid)
    with WorkerClient.acquire(database, command=same) as again:
        assert pid != again.call("x", {})["pid"]
    other.close()


def test_a_client_may_have_a_process_of_its_own(ugly: Ugly) -> None:
    """Slow requests then hold up nobody else."""
    command = ugly.command()
    with (
        WorkerClient.acquire(command.database, command=command.words) as quick,
        WorkerClient.acquire(command.database, command=command.words, shared=False) as slow,
    ):
        assert quick.call("x", {})["pid"] != slow.call("x", {})["pid"]


def test_a_different_environment_is_a_different_worker(ugly: Ugly) -> None:
    """A key meant for one worker does not reach another."""
    command = ugly.command()
    with (
        WorkerClient.acquire(command.database, command=command.words) as one,
        WorkerClient.acquire(command.database, command=command.words, environment={"KEY": "k"}) as two,
    ):
        assert one.call("x", {})["pid"] != two.call("x", {})["pid"]


def test_nothing_starts_before_the_first_request(ugly: Ugly) -> None:
    """Holding a client costs nothing."""
    before = descriptors()
    with ugly.client() as client:
        assert (0, before, "") == (ugly.starts, descriptors(), client.diagnostics())


def test_closing_tells_those_who_wait(ugly: Ugly) -> None:
    """They hear WORKER_CLOSED at once, and the worker ends."""
    client = ugly.client()
    pid = client.call("x", {})["pid"]
    waiting = client.submit("x", {"sleep": 0.2})
    timer = threading.Timer(0.05, client.close)
    timer.start()
    assert "WORKER_CLOSED" == code_of(waiting.result)
    timer.join()
    assert not alive(pid)


def test_a_stubborn_worker_is_killed(ugly: Ugly, monkeypatch: pytest.MonkeyPatch) -> None:
    """End of input, then the polite signal, then the other one."""
    monkeypatch.setattr("cmemory.adapters.worker.client.GRACE_SECONDS", 0.2)
    with ugly.client("stubborn") as client:
        pid = client.call("x", {})["pid"]
    assert not alive(pid)


def test_fifty_clients_leave_nothing_behind(ugly: Ugly) -> None:
    """No process, no descriptor, no thread."""
    before, pids = descriptors(), set()
    for _ in range(50):
        with ugly.client() as client:
            pids.add(client.call("x", {})["pid"])
    assert 50 == len(pids)
    assert not any(map(alive, pids))
    assert (before, 0) == (descriptors(), readers())


def test_faults_leave_nothing_behind(ugly: Ugly) -> None:
    """Neither does a worker that had to be killed."""
    before = descriptors()
    with ugly.client(*["garbage", "exit_at_start", "close_output", "no_id"] * 3) as client:
        for _ in range(12):
            code_of(lambda: client.call("x", {}))
        client.call("x", {})
    assert (before, 0) == (descriptors(), readers())


def test_a_forked_child_gets_its_own_process(ugly: Ugly) -> None:
    """The child leaves its parent's pipes alone, and the parent's worker ends with the parent's client."""
    client = ugly.client()
    pid = client.call("x", {})["pid"]
    waiting = client.submit("x", {"sleep": 0.2})
    read, write = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        _in_child(client, waiting.result, write)
    os.close(write)
    with os.fdopen(read) as told:
        said = told.readline().split()
    assert "x" == waiting.result()["op"]
    assert pid == client.call("x", {})["pid"]
    began = time.monotonic()
    client.close()
    assert not alive(pid)
    # The child lives until it is asked; it holds no pipe of ours, so the worker ended with its input.
    assert time.monotonic() - began < 1.5
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    assert "WORKER_CLOSED" == said[1]
    assert str(pid) != said[0]
    assert gone(int(said[0]))


def _in_child(client: WorkerClient, inherited: Callable[[], object], told: int) -> None:
    try:
        code = code_of(inherited)
        os.write(told, f"{client.call('x', {})['pid']} {code}\n".encode())
        time.sleep(60)
    finally:
        os._exit(1)


def test_a_host_that_dies_takes_its_worker_along(ugly: Ugly) -> None:
    """The end of the input is the end of the worker, however the host ended."""
    command = ugly.command()
    host = (
        "import os\n"
        "from cmemory.adapters.worker.client import WorkerClient\n"
        f"client = WorkerClient.acquire({command.database!r}, command={command.words!r})\n"
        "print(client.call('x', {})['pid'], flush=True)\n"
        "os.kill(os.getpid(), 9)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", host], capture_output=True, text=True, check=False, timeout=20
    )
    assert gone(int(done.stdout))


def test_a_host_that_forgets_to_close_ends_in_silence(ugly: Ugly) -> None:
    """No traceback and no warning at the end of the program."""
    command = ugly.command()
    host = (
        "from cmemory.adapters.worker.client import WorkerClient\n"
        f"client = WorkerClient.acquire({command.database!r}, command={command.words!r})\n"
        "print(client.call('x', {})['pid'], flush=True)\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", host], capture_output=True, text=True, check=True, timeout=20
    )
    assert "" == done.stderr
    assert gone(int(done.stdout))


# -- what is written down ---------------------------------------------------------------------------


def test_the_codes_are_these() -> None:
    """Hosts in any language compare against the same eight words."""
    assert [
        "WORKER_TIMEOUT",
        "WORKER_BAD_JSON",
        "WORKER_PROTOCOL_ERROR",
        "WORKER_EXITED",
        "WORKER_START_FAILED",
        "WORKER_WRITE_FAILED",
        "WORKER_CLOSED",
        "WORKER_ERROR",
    ] == [code.value for code in WorkerCode]
    assert all(code.name == code.value for code in WorkerCode)
    assert WorkerCode.WORKER_TIMEOUT == "WORKER_TIMEOUT"
    assert issubclass(WorkerError, CMemoryError)


def test_the_environment_is_small() -> None:
    """No key of the host reaches the worker unless the host says so."""
    host = {"PATH": "/bin", "HOME": "/h", "CMEMORY_API_KEY": "secret", "AWS_SECRET_ACCESS_KEY": "secret"}
    shown = worker_environment(host, {"CMEMORY_MODEL": "m"})
    assert {"PATH": "/bin", "HOME": "/h", "PYTHONSAFEPATH": "1", "CMEMORY_MODEL": "m"} == shown
    assert len(set(INHERITED)) == len(INHERITED)


@pytest.mark.parametrize(
    ("database", "command"), [("", None), ("  ", None), ("x.db", "cmemory worker"), ("x.db", [])]
)
def test_a_command_is_a_list_of_words(database: str, command: list[str] | None) -> None:
    """No shell reads it, and a database has a name."""
    with pytest.raises(UsageError):
        WorkerClient.acquire(database, command=command)
