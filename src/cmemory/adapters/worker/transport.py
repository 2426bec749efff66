"""The one way a client reaches a worker: lines in, lines out, and an end."""

from __future__ import annotations

from typing import Protocol

#: Longest answer in bytes, without its line feed. Version 1 bounds requests only and searches have no limit,
#: so this stands far above any honest answer; it keeps a worker gone mad from filling the host's memory.
MAX_ANSWER_BYTES = 64 * 1024 * 1024


class Transport(Protocol):
    """One running worker. Never restarted: whoever needs another worker launches another transport.

    Lines are written by several threads, read by one. The methods with a body have a working default.
    """

    def write_line(self, line: bytes, deadline: float) -> None:
        """Hand over one line, line feed included; lines of several threads never mix.

        Args:
            line: the whole line.
            deadline: a moment of `time.monotonic` by which the worker must have taken it.

        Raises:
            TimeoutError: it has not; part of the line may be on its way.
            OSError: the worker takes no input any more.
        """
        ...

    def read_line(self) -> bytes | None:
        """Wait for the next line, line feed included; None once the output has ended.

        A line without its line feed was cut off: by the end of the output, or because it is longer than
        `MAX_ANSWER_BYTES`.
        """
        ...

    def kill(self) -> None:
        """End the worker at once, and with it a `read_line` that waits. Killing twice is harmless."""
        ...

    def stop(self, grace_seconds: float) -> None:
        """End the worker kindly: no more input, then asking, then `kill`, each after the grace period."""
        self.kill()

    def status(self) -> int | None:
        """Return how the worker ended by itself: its exit status, or minus a signal's number, or None."""
        return None

    def release(self) -> None:
        """Give everything back. Called once, by the reading thread, after its last `read_line`."""
        return

    def abandon(self) -> None:
        """Let go of the worker without ending it: after a fork it belongs to the parent process alone."""
        return

    def diagnostics(self) -> bytes:
        """Return the last bytes the worker wrote for its operator."""
        return b""


class Launch(Protocol):
    """Starts a worker."""

    def __call__(self) -> Transport:
        """Return a fresh worker that nobody else uses.

        Raises:
            WorkerError: it could not be started.
        """
        ...
