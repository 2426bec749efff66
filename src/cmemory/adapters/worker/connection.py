"""One worker's life as its client sees it: who waits for which answer, until it fails, once, for everybody.

A connection owns its transport, its reading thread and its waiting requests, and is never used again after a
fault. Whatever a dead worker's pipes still say therefore reaches nobody but those who asked *that* worker.
"""

from __future__ import annotations

import threading
import time

from cmemory.adapters.worker.answers import Outcome, Result, decode_answer, encode_request
from cmemory.adapters.worker.faults import Fault, WorkerCode, fault
from cmemory.adapters.worker.server import CAPABILITIES, START_FAILED
from cmemory.adapters.worker.transport import MAX_ANSWER_BYTES, Transport
from cmemory.domain.errors import WorkerError

#: How long a failed write waits for the news that the worker has ended, which tells more.
_NEWS_SECONDS = 0.5

#: Asks a fresh worker for the extended operations. Its answer is addressed to nobody: a worker that has none
#: says so again to the request that follows.
_INTRODUCTION = encode_request("introduction", CAPABILITIES, {})

_CANCELLED = fault(WorkerCode.WORKER_CLOSED, "the request was cancelled")
_CLOSED = fault(WorkerCode.WORKER_CLOSED, "the client was closed")
_LEFT_BEHIND = fault(WorkerCode.WORKER_CLOSED, "the request was made before a fork, in the parent process")


class PendingAnswer:
    """An answer that may still be on its way. May be waited for, and cancelled, from any thread."""

    def __init__(self, connection: Connection, request_id: str, deadline: float) -> None:
        self._connection = connection
        self._id = request_id
        self._deadline = deadline
        self._settled = threading.Event()
        self._outcome: Outcome = _CANCELLED

    def result(self) -> Result:
        """Wait for the answer, at most until the request's deadline, and return its result.

        Raises:
            WorkerError: there is none. After a missed deadline the worker is gone, and all who waited for it.
        """
        try:
            if not self._settled.wait(max(0.0, self._deadline - time.monotonic())):
                self._connection.expire(self._id)
        finally:
            # Whoever stops waiting, if only by Ctrl-C, leaves nothing behind.
            self._connection.withdraw(self._id, _CANCELLED)
        if isinstance(self._outcome, Fault):
            raise self._outcome.error()
        return self._outcome

    def cancel(self) -> None:
        """Stop waiting: `result` raises ``WORKER_CLOSED`` unless the answer is there already.

        The worker is not told; it may still carry the request out, and its answer is then dropped.
        """
        self._connection.withdraw(self._id, _CANCELLED)

    @property
    def done(self) -> bool:
        """Whether `result` returns or raises at once."""
        return self._settled.is_set()

    def settle(self, outcome: Outcome) -> None:
        """Hand over what came of the request; called by the connection, once, under its lock."""
        self._outcome = outcome
        self._settled.set()

    def leave_behind(self) -> None:
        """Settle in the child of a fork, where a thread that is no more may hold the event's lock."""
        self._settled = threading.Event()
        self.settle(_LEFT_BEHIND)


class Connection:
    """The client's side of one transport."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._lock = threading.Lock()
        self._pending: dict[str, PendingAnswer] = {}
        self._fault: Fault | None = None
        self._answered = False
        self._introduced = False
        self._reader = threading.Thread(target=self._read, name="cmemory-worker-reader", daemon=True)

    def start(self) -> None:
        """Begin to read answers.

        Raises:
            WorkerError: no thread could be started; the worker is gone.
        """
        try:
            self._reader.start()
        except RuntimeError:
            failed = fault(WorkerCode.WORKER_START_FAILED, "no thread could be started")
            self.fail(failed)
            self._transport.release()
            raise failed.error() from None

    def enlist(self, request_id: str, deadline: float) -> PendingAnswer | None:
        """Return a place to wait in for one answer; None when this worker is gone already."""
        with self._lock:
            if self._fault is not None:
                return None
            waiting = PendingAnswer(self, request_id, deadline)
            self._pending[request_id] = waiting
            return waiting

    def send(self, line: bytes, deadline: float, *, extended: bool = False) -> None:
        """Hand a line over. A failure reaches the caller as it reaches everybody: by `PendingAnswer`.

        Args:
            line: the request.
            deadline: a moment of `time.monotonic`.
            extended: whether the worker must first hear that its client knows more than version 1.
        """
        try:
            if extended and not self._introduced:
                # Two threads may both say it; saying it twice is harmless, asking before it is not.
                self._transport.write_line(_INTRODUCTION, deadline)
                self._introduced = True
            self._transport.write_line(line, deadline)
        except TimeoutError:
            self.fail(fault(WorkerCode.WORKER_TIMEOUT, "the worker did not take the request in time"))
        except OSError:
            self._reader.join(_NEWS_SECONDS)
            self.fail(fault(WorkerCode.WORKER_WRITE_FAILED, "the worker takes no requests any more"))
        except BaseException:
            # Ctrl-C may have left half a line in the pipe, which would spoil the next one.
            self.fail(fault(WorkerCode.WORKER_WRITE_FAILED, "handing a request over was interrupted"))
            raise

    def fail(self, reason: Fault) -> None:
        """End the worker, and every request that waits, with one reason; later reasons change nothing."""
        if self._settle_all(reason):
            self._transport.kill()

    def expire(self, request_id: str) -> None:
        """Fail because the deadline of one request has passed, unless its answer came just now."""
        with self._lock:
            late = request_id in self._pending
        if late:
            self.fail(fault(WorkerCode.WORKER_TIMEOUT, "no answer came in time"))

    def withdraw(self, request_id: str, reason: Fault) -> None:
        """Let one request wait no longer; nothing happens when it does not."""
        with self._lock:
            waiting = self._pending.pop(request_id, None)
            if waiting is not None:
                waiting.settle(reason)

    def close(self, grace_seconds: float) -> None:
        """End the worker kindly. Those who wait are told at once."""
        self._settle_all(_CLOSED)
        self._transport.stop(grace_seconds)
        self.join(grace_seconds)

    def join(self, seconds: float) -> bool:
        """Wait for the reading thread to give everything back, and return whether it has."""
        self._reader.join(seconds)
        return not self._reader.is_alive()

    def abandon(self) -> None:
        """Let go without ending the worker; called in the child of a fork, where no other thread runs."""
        self._lock = threading.Lock()
        self._fault = _LEFT_BEHIND
        for waiting in self._pending.values():
            waiting.leave_behind()
        self._pending = {}
        self._transport.abandon()

    def diagnostics(self) -> bytes:
        """Return the last bytes the worker wrote for its operator."""
        return self._transport.diagnostics()

    def _settle_all(self, reason: Fault) -> bool:
        """Give every waiting request the reason, and return whether this was the first one."""
        with self._lock:
            if self._fault is not None:
                return False
            self._fault = reason
            for waiting in self._pending.values():
                waiting.settle(reason)
            self._pending.clear()
            return True

    def _read(self) -> None:
        """Hand out answers until there are none; after a fault, read on only to keep the pipe flowing."""
        while (line := self._transport.read_line()) is not None:
            reason = self._hand_out(line)
            if reason is not None:
                self.fail(reason)
        if self._fault is None:
            self.fail(self._ending())
        self._transport.release()

    def _hand_out(self, line: bytes) -> Fault | None:
        """Give an answer to whom it belongs; return why the worker is of no use any more, if it is not."""
        if not line.endswith(b"\n"):
            return self._cut_off(line)
        received = decode_answer(line)
        if isinstance(received, Fault):
            return received
        self._answered = True
        with self._lock:
            waiting = self._pending.pop(received.id, None)
            if waiting is not None:
                waiting.settle(received.outcome)
        return None

    def _cut_off(self, line: bytes) -> Fault:
        if len(line) > MAX_ANSWER_BYTES:
            return fault(
                WorkerCode.WORKER_PROTOCOL_ERROR, f"an answer is longer than {MAX_ANSWER_BYTES} bytes"
            )
        return self._ending()

    def _ending(self) -> Fault:
        status = self._transport.status()
        if status == START_FAILED and not self._answered:
            return fault(WorkerCode.WORKER_START_FAILED, f"the worker ended at once with status {status}")
        how = "by closing its output" if status is None else f"with status {status}"
        return fault(WorkerCode.WORKER_EXITED, f"the worker ended {how}")


def closed_error() -> WorkerError:
    """Return the error of a request to a client that was closed."""
    return _CLOSED.error()
