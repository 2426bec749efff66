"""A worker as a child process: three pipes, no shell, a small environment.

Output and diagnostics are read by the one thread that calls `read_line`, so a worker that writes a lot for
its operator never blocks on it. Needs ``poll``, which every system but Windows has.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import threading
import time
from collections.abc import Mapping

import attrs
from typing_extensions import override

from cmemory.adapters.worker.faults import WorkerCode, fault
from cmemory.adapters.worker.transport import MAX_ANSWER_BYTES, Transport

#: What a worker inherits of the host's environment; nothing else, so that the host's keys stay with the host.
INHERITED = (
    # Where programs, and the system itself, are.
    "PATH",
    "SYSTEMROOT",
    # Temporary files.
    "TMPDIR",
    "TEMP",
    "TMP",
    # Home.
    "HOME",
    "USERPROFILE",
    # What Python needs to start and to find this package, and the encoding of file names.
    "PYTHONHOME",
    "PYTHONPATH",
    "VIRTUAL_ENV",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    # The zone of civil days.
    "TZ",
)

#: Set for every worker: modules that happen to lie in the host's current folder are not the worker's.
_FIXED = {"PYTHONSAFEPATH": "1"}

#: Bytes of the worker's standard error that are kept.
DIAGNOSTICS_BYTES = 4_096

_CHUNK_BYTES = 65_536

#: How long a worker that closed its output may take to show its exit status.
_STATUS_SECONDS = 0.25


@attrs.frozen(kw_only=True)
class Command:
    """How to start a worker; equal commands may share a process."""

    #: Program and arguments.
    words: tuple[str, ...]
    #: Absolute path of the database.
    database: str
    #: Further variables of the environment.
    environment: tuple[tuple[str, str], ...] = attrs.field(default=(), repr=False)

    def __call__(self) -> ProcessTransport:
        """Start the process.

        Raises:
            WorkerError: the system refused.
        """
        if not hasattr(select, "poll"):
            raise fault(WorkerCode.WORKER_START_FAILED, "this system has no poll()").error()
        try:
            return ProcessTransport(self._start())
        except (OSError, ValueError) as error:
            reason = type(error).__name__
            raise fault(
                WorkerCode.WORKER_START_FAILED, f"the process could not be started: {reason}"
            ).error() from None

    def _start(self) -> subprocess.Popen[bytes]:
        # A session of its own keeps Ctrl-C in the host's terminal from ending the worker before the host.
        return subprocess.Popen(  # noqa: S603  # the host chose the command; no shell is involved
            [*self.words, "--database", self.database],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            env=worker_environment(os.environ, dict(self.environment)),
            start_new_session=True,
        )


def worker_environment(host: Mapping[str, str], further: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of a worker: what is inherited, what is fixed, and what the host adds."""
    return {**{name: host[name] for name in INHERITED if name in host}, **_FIXED, **further}


class ProcessTransport(Transport):
    """One child process and our ends of its pipes."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None  # noqa: S101
        self._process = process
        self._input, self._output, self._errors = process.stdin, process.stdout, process.stderr
        self._writing = threading.Lock()
        self._ending = threading.Lock()
        self._killed = False
        self._received = bytearray()
        self._searched = 0
        self._output_ended = False
        self._tail = b""
        for pipe in (self._input, self._errors):
            os.set_blocking(pipe.fileno(), False)
        self._poll = select.poll()
        self._poll.register(self._output, select.POLLIN)
        self._poll.register(self._errors, select.POLLIN)

    @property
    def pid(self) -> int:
        """The process's id."""
        return self._process.pid

    @override
    def write_line(self, line: bytes, deadline: float) -> None:
        if not self._writing.acquire(timeout=max(0.0, deadline - time.monotonic())):
            raise TimeoutError
        try:
            self._write(memoryview(line), deadline)
        finally:
            self._writing.release()

    def _write(self, rest: memoryview, deadline: float) -> None:
        if self._input.closed:
            raise BrokenPipeError
        while rest:
            try:
                rest = rest[os.write(self._input.fileno(), rest) :]
            except BlockingIOError:
                _wait_for_room(self._input.fileno(), deadline)

    @override
    def read_line(self) -> bytes | None:
        while (line := self._next_line()) is None and not self._output_ended:
            self._receive()
        return line or self._take(len(self._received)) or None

    def _next_line(self) -> bytes | None:
        """Return the next whole line, or one that has grown too long; None when more must be received."""
        end = self._received.find(b"\n", self._searched)
        self._searched = len(self._received)
        if end >= 0:
            return self._take(end + 1)
        return self._take(self._searched) if self._searched > MAX_ANSWER_BYTES else None

    def _take(self, length: int) -> bytes:
        taken = bytes(self._received[:length])
        del self._received[:length]
        self._searched = 0
        return taken

    def _receive(self) -> None:
        """Wait until the worker says something, on either pipe, and keep it."""
        ready = {fd for fd, _ in self._poll.poll()}
        if self._errors.fileno() in ready and not self._keep_errors():
            self._poll.unregister(self._errors)
        if self._output.fileno() in ready:
            chunk = os.read(self._output.fileno(), _CHUNK_BYTES)
            self._received += chunk
            self._output_ended = not chunk

    def _keep_errors(self) -> bool:
        """Read some diagnostics, if there are any, and return whether more may come."""
        try:
            chunk = os.read(self._errors.fileno(), _CHUNK_BYTES)
        except BlockingIOError:
            return True
        self._tail = (self._tail + chunk)[-DIAGNOSTICS_BYTES:]
        return bool(chunk)

    @override
    def kill(self) -> None:
        with self._ending:
            # A process that was waited for has given its id back; it may be a stranger's by now.
            if not self._killed and self._process.returncode is None:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(self._process.pid, signal.SIGKILL)
            self._killed = True

    @override
    def stop(self, grace_seconds: float) -> None:
        self._close_input(grace_seconds)
        if not self._gone_within(grace_seconds):
            self._process.terminate()
        if not self._gone_within(grace_seconds):
            self.kill()

    def _close_input(self, patience_seconds: float) -> None:
        if self._writing.acquire(timeout=patience_seconds):
            try:
                self._input.close()
            finally:
                self._writing.release()

    def _gone_within(self, seconds: float) -> bool:
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    @override
    def status(self) -> int | None:
        return self._process.returncode if self._gone_within(_STATUS_SECONDS) else None

    @override
    def release(self) -> None:
        self._process.wait()
        self._keep_errors()
        self._output.close()
        self._errors.close()
        with self._writing:
            self._input.close()

    @override
    def abandon(self) -> None:
        for pipe in (self._input, self._output, self._errors):
            pipe.close()
        # The parent's child is none of ours, which is all that Popen has to find out to stay silent about it.
        self._process.poll()

    @override
    def diagnostics(self) -> bytes:
        return self._tail


def _wait_for_room(fd: int, deadline: float) -> None:
    """Wait until a pipe takes more.

    Raises:
        TimeoutError: the deadline has passed.
    """
    room = select.poll()
    room.register(fd, select.POLLOUT)
    remaining = deadline - time.monotonic()
    if remaining <= 0 or not room.poll(remaining * 1_000):
        raise TimeoutError
