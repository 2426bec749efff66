"""The host's end of the worker: typed, synchronous, shared between threads.

A client starts its worker on the first request and starts another one after any fault. There is one
background thread for each running worker: it reads what the worker says, is a daemon, and ends with the
worker; `close` waits for it. Nothing is kept of earlier answers, so nothing stale can ever be returned.
"""

from __future__ import annotations

import itertools
import math
import os
import sys
import threading
import time
import weakref
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Any, TypeVar

from typing_extensions import Self

from cmemory.adapters.worker import results
from cmemory.adapters.worker.answers import encode_request
from cmemory.adapters.worker.connection import Connection, PendingAnswer, closed_error
from cmemory.adapters.worker.faults import WorkerCode, fault
from cmemory.adapters.worker.fields import Fields
from cmemory.adapters.worker.operations import OPERATIONS
from cmemory.adapters.worker.params import (
    Moment,
    SpokenCandidate,
    claim_data,
    episode_data,
    moment,
    pending_data,
    scope_data,
    spoken,
)
from cmemory.adapters.worker.process import Command
from cmemory.adapters.worker.transport import Launch
from cmemory.domain.errors import UsageError, WireError
from cmemory.domain.model.candidate import ClaimCandidate, EpisodeCandidate, PendingCandidate
from cmemory.domain.model.scope import Scope

_T = TypeVar("_T")

#: Deadline of `WorkerClient.warm`: somebody waits for an answer, and a chat without memory beats no chat.
WARM_TIMEOUT_MS = 4_000

#: Deadline of everything else, which nobody should have to wait for.
TIMEOUT_MS = 30_000

_LONGEST_TIMEOUT_MS = 86_400_000

#: How long a worker may take to end once its input ended, and again once it was asked to.
GRACE_SECONDS = 2.0

#: The path that means "keep nothing on disk".
_IN_MEMORY = ":memory:"


class Worker:
    """One worker after another behind one launch: at most one of them is current."""

    def __init__(self, launch: Launch) -> None:
        self._launch = launch
        self._lock = threading.Lock()
        self._numbers = itertools.count(1)
        self._current: Connection | None = None
        self._former: list[Connection] = []
        self._closed = False
        _EVERY_WORKER.add(self)

    def submit(self, op: str, params: Mapping[str, object], *, timeout_ms: float) -> PendingAnswer:
        """Send a request and return where its answer will be."""
        deadline = time.monotonic() + _checked(timeout_ms) / 1_000
        request_id = str(next(self._numbers))
        line = encode_request(request_id, op, params)
        connection, waiting = self._enlist(request_id, deadline)
        connection.send(line, deadline, extended=op not in OPERATIONS)
        return waiting

    def close(self) -> None:
        """End the worker, and wait for the threads of its predecessors as well."""
        with self._lock:
            self._closed = True
            current, self._current = self._current, None
            former, self._former = self._former, []
        if current is not None:
            current.close(GRACE_SECONDS)
        for one in former:
            one.join(GRACE_SECONDS)

    def diagnostics(self) -> str:
        """Return the last bytes of the current worker's standard error, or of its predecessor's."""
        with self._lock:
            known = [*self._former, *([] if self._current is None else [self._current])]
        return known[-1].diagnostics().decode("utf-8", "replace") if known else ""

    def forked(self) -> None:
        """Leave the worker to the parent process; called in the child, where no other thread runs."""
        self._lock = threading.Lock()
        left = [*self._former, *([] if self._current is None else [self._current])]
        self._current, self._former = None, []
        for one in left:
            one.abandon()

    def _enlist(self, request_id: str, deadline: float) -> tuple[Connection, PendingAnswer]:
        with self._lock:
            if self._closed:
                raise closed_error()
            current = self._current
            waiting = None if current is None else current.enlist(request_id, deadline)
            if current is None or waiting is None:
                return self._begin(request_id, deadline)
            return current, waiting

    def _begin(self, request_id: str, deadline: float) -> tuple[Connection, PendingAnswer]:
        """Start a fresh worker. It cannot fail unnoticed: the request waits before the first line is read."""
        self._retire()
        fresh = Connection(self._launch())
        waiting = fresh.enlist(request_id, deadline)
        assert waiting is not None  # noqa: S101  # nobody has read from it yet
        fresh.start()
        self._current = fresh
        return fresh, waiting

    def _retire(self) -> None:
        self._former = [one for one in self._former if not one.join(0)]
        if self._current is not None:
            self._former.append(self._current)
            self._current = None


class WorkerClient:
    """A handle on a worker process. Safe to share between threads.

    Clients of the same command and database share one process; each is closed for itself, and the last one
    ends the process. Requests of several threads are sent at once and answered one after another, so one slow
    request also uses up the time of those behind it.

    Every method raises `WorkerError` when there is no result: under a `WorkerCode` when the worker failed,
    under the worker's own code when it refused. After a fault the next request starts a fresh worker.
    """

    def __init__(self, worker: Worker, release: Callable[[], None]) -> None:
        """Not for hosts, who use `acquire` or `over`."""
        self._worker = worker
        self._release = release
        self._open = threading.Lock()
        self._closed = False

    @classmethod
    def acquire(
        cls,
        database: str | os.PathLike[str],
        *,
        command: Sequence[str] | None = None,
        arguments: Sequence[str] = (),
        environment: Mapping[str, str] | None = None,
        shared: bool = True,
    ) -> Self:
        """Return a client that shares its process with all equal ones. Nothing is started yet.

        Args:
            database: the database file.
            command: the program and its first arguments; this Python with ``-m cmemory worker`` unless given.
            arguments: further arguments, before ``--database``.
            environment: variables the worker gets beside the few that every worker inherits.
            shared: False for a process of its own, for example where slow requests would hold up others.

        Raises:
            UsageError: an argument cannot be used.
        """
        launch = _command(database, command, arguments, environment or {})
        if not shared:
            return cls.over(launch)
        worker = _SHARED.take(launch)
        return cls(worker, lambda: _SHARED.give_back(launch, worker))

    @classmethod
    def over(cls, launch: Launch) -> Self:
        """Return a client that shares its worker with nobody.

        Args:
            launch: starts the worker, for example a `Command`, or a fake in a test.
        """
        worker = Worker(launch)
        return cls(worker, worker.close)

    def close(self) -> None:
        """Give the worker back; the last to do so ends it. Closing twice is harmless."""
        with self._open:
            already, self._closed = self._closed, True
        if not already:
            self._release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.close()

    def health(self, *, timeout_ms: float = TIMEOUT_MS) -> results.WorkerHealth:
        """Return the worker's versions and vocabulary.

        Args:
            timeout_ms: milliseconds until ``WORKER_TIMEOUT``.

        Raises:
            WorkerError: there is no result.
        """
        return self._ask("health", {}, results.health, timeout_ms)

    def warm(
        self,
        scope: Scope,
        message: str,
        *,
        now: Moment,
        session: str = "",
        new_session: bool = False,
        turn_key: str = "",
        force_record_ids: Sequence[str] = (),
        timeout_ms: float = WARM_TIMEOUT_MS,
    ) -> results.WorkerPlan:
        """Return the plan for one turn.

        Args:
            scope: whose memory.
            message: what the person just said.
            now: the moment of the turn.
            session: the conversation; empty if unknown.
            new_session: whether it begins with this message.
            turn_key: names the turn where ``now`` does not.
            force_record_ids: records to treat as if the person had named them; for evaluations.
            timeout_ms: milliseconds until ``WORKER_TIMEOUT``; short, since somebody waits.

        Raises:
            UsageError: ``now`` is no moment.
            WorkerError: there is no plan; answer without one.
        """
        params = {
            "scope": scope_data(scope),
            "current_message": message,
            "now": moment(now),
            "session_id": session,
            "new_session": new_session,
            "turn_key": turn_key,
            "force_record_ids": list(force_record_ids),
        }
        return self._ask("warm", params, results.plan, timeout_ms)

    def admit(
        self,
        scope: Scope,
        text: str,
        candidates: Sequence[SpokenCandidate] = (),
        *,
        message_id: str,
        session: str,
        now: Moment,
        pending: Sequence[PendingCandidate] = (),
        timeout_ms: float = TIMEOUT_MS,
    ) -> results.WorkerAdmission:
        """Propose what to remember of one message.

        After a fault some candidates may be stored and others not. Repeating the call is safe: what is stored
        comes back as merged.

        Args:
            scope: whose memory.
            text: the person's message, which every candidate quotes.
            candidates: claims and episodes.
            message_id: the message's id.
            session: the conversation.
            now: when it was said.
            pending: pointers to keep aside.
            timeout_ms: milliseconds until ``WORKER_TIMEOUT``.

        Raises:
            UsageError: a candidate is of a kind, or holds a field, that the protocol does not know.
            WorkerError: there is no result.
        """
        offered = [spoken(one) for one in candidates]
        params = {
            "scope": scope_data(scope),
            "now": moment(now),
            "source": {"id": message_id, "session_id": session, "text": text},
            "candidates": [claim_data(one) for one in offered if isinstance(one, ClaimCandidate)],
            "episodes": [episode_data(one) for one in offered if isinstance(one, EpisodeCandidate)],
            "pending": [pending_data(one) for one in pending],
        }
        return self._ask("admit", params, results.admission, timeout_ms)

    def query(
        self, scope: Scope, terms: str, *, message: str, now: Moment, timeout_ms: float = TIMEOUT_MS
    ) -> tuple[results.WorkerRecord, ...]:
        """Return what the terms find and the person's message gives leave to tell.

        Args:
            scope: whose memory.
            terms: what to look for; usually a model's words.
            message: what the person just said. Without it nothing is found.
            now: the moment of the turn.
            timeout_ms: milliseconds until ``WORKER_TIMEOUT``.

        Raises:
            UsageError: ``now`` is no moment.
            WorkerError: there is no result.
        """
        params = {
            "scope": scope_data(scope),
            "action": "search",
            "terms": terms,
            "current_message": message,
            "now": moment(now),
        }
        return self._ask("query", params, results.records, timeout_ms)

    def forget(
        self, scope: Scope, record_id: str, *, message: str, now: Moment, timeout_ms: float = TIMEOUT_MS
    ) -> results.WorkerForgetting:
        """Erase one record for good.

        Args:
            scope: whose memory.
            record_id: the record.
            message: what the person just said; it must itself name the record and ask to delete it.
            now: when they asked.
            timeout_ms: milliseconds until ``WORKER_TIMEOUT``.

        Raises:
            UsageError: ``now`` is no moment.
            WorkerError: there is no result; ``INVALID_REQUEST`` when the message does not ask for it.
        """
        params = {
            "scope": scope_data(scope),
            "action": "forget",
            "record_id": record_id,
            "current_message": message,
            "now": moment(now),
        }
        return self._ask("forget", params, results.forgetting, timeout_ms)

    def session_closed(
        self, scope: Scope, session: str, *, now: Moment, timeout_ms: float = TIMEOUT_MS
    ) -> int:
        """End a conversation, and return how many records ended with it.

        Args:
            scope: whose memory.
            session: the conversation.
            now: when it ended.
            timeout_ms: milliseconds until ``WORKER_TIMEOUT``.

        Raises:
            UsageError: ``now`` is no moment.
            WorkerError: there is no result.
        """
        params = {"scope": scope_data(scope), "session_id": session, "now": moment(now)}
        return self._ask("session_closed", params, results.expired, timeout_ms)

    def call(
        self, op: str, params: Mapping[str, object], *, timeout_ms: float = TIMEOUT_MS
    ) -> dict[str, Any]:
        """Carry out any operation and return its result as JSON has it.

        Extended operations need no ``capabilities`` first: each fresh worker is told when one is used.

        Args:
            op: the operation.
            params: its parameters, under the names of the protocol.
            timeout_ms: milliseconds until ``WORKER_TIMEOUT``.

        Raises:
            UsageError: the deadline cannot be used.
            WorkerError: there is no result.
        """
        return self.submit(op, params, timeout_ms=timeout_ms).result()

    def submit(
        self, op: str, params: Mapping[str, object], *, timeout_ms: float = TIMEOUT_MS
    ) -> PendingAnswer:
        """Send a request and do not wait for its answer; `PendingAnswer` can wait and cancel.

        Handing the request over takes time only when so many are ahead of it that the pipe is full.

        Args:
            op: the operation.
            params: its parameters, under the names of the protocol.
            timeout_ms: milliseconds until ``WORKER_TIMEOUT``, counted from now.

        Raises:
            UsageError: the deadline cannot be used.
            WorkerError: the client is closed, no worker could be started, or the request is not valid.
        """
        if self._closed:
            raise closed_error()
        return self._worker.submit(op, params, timeout_ms=timeout_ms)

    def diagnostics(self) -> str:
        """Return the end of what the worker wrote to its standard error: 4096 bytes at most, never logged.

        For a person who looks for the cause of a fault. It is the worker's own text, so treat it as private.
        """
        return self._worker.diagnostics()

    def _ask(
        self, op: str, params: Mapping[str, object], read: Callable[[Fields], _T], timeout_ms: float
    ) -> _T:
        result = self.call(op, params, timeout_ms=timeout_ms)
        try:
            return read(Fields.of(result))
        except WireError as error:
            # The lines are still in step, so the process is kept.
            raise fault(WorkerCode.WORKER_ERROR, f"the result cannot be read: {error}").error() from None


class _Shared:
    """The workers in use, each with the number of its users."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._workers: dict[Command, Worker] = {}
        self._users: dict[Command, int] = {}

    def take(self, command: Command) -> Worker:
        """Return the worker of a command, with one user more."""
        with self._lock:
            self._users[command] = self._users.get(command, 0) + 1
            if command not in self._workers:
                self._workers[command] = Worker(command)
            return self._workers[command]

    def give_back(self, command: Command, worker: Worker) -> None:
        """Count one user less; the last one ends the worker."""
        with self._lock:
            self._users[command] -= 1
            last = not self._users[command]
            if last:
                del self._users[command], self._workers[command]
        if last:
            worker.close()

    def forked(self) -> None:
        """Forget who held the lock: whoever it was does not exist in this process."""
        self._lock = threading.Lock()


_EVERY_WORKER: weakref.WeakSet[Worker] = weakref.WeakSet()
_SHARED = _Shared()


def _forked() -> None:
    _SHARED.forked()
    for worker in list(_EVERY_WORKER):
        worker.forked()


# In the child at once, before it can send a line into its parent's pipes, or keep them open after the parent
# has closed them. Comparing process ids on each request would notice too late for the second.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)


def _command(
    database: str | os.PathLike[str],
    command: Sequence[str] | None,
    arguments: Sequence[str],
    environment: Mapping[str, str],
) -> Command:
    path = os.fspath(database)
    if not path.strip():
        raise UsageError(field="database", problem="must not be empty")
    if isinstance(command, str) or isinstance(arguments, str) or (command is not None and not command):
        raise UsageError(field="command", problem="must be a list of words; no shell splits it")
    words = (sys.executable, "-m", "cmemory", "worker") if command is None else tuple(command)
    return Command(
        words=(*words, *arguments),
        database=path if path == _IN_MEMORY else os.path.abspath(path),
        environment=tuple(sorted(environment.items())),
    )


def _checked(timeout_ms: float) -> float:
    if not math.isfinite(timeout_ms) or not 0 < timeout_ms <= _LONGEST_TIMEOUT_MS:
        raise UsageError(field="timeout_ms", problem=f"must lie above 0 and up to {_LONGEST_TIMEOUT_MS}")
    return timeout_ms
