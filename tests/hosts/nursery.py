"""The test's end of `store_child`: sends commands, kills workers, collects what they said."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


class Nursery:
    """One running `store_child`."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def run(self, *commands: str, kill_after: float | None = None) -> list[str]:
        """Run commands at the same time and return the lines they printed.

        Args:
            commands: each ``COMMAND SEED DATABASE``.
            kill_after: seconds after which the first worker is killed without warning.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(";".join(commands) + "\n")
        self._process.stdin.flush()
        lines: list[str] = []
        timers: list[threading.Timer] = []
        for line in self._process.stdout:
            word, _, rest = line.rstrip("\n").partition(" ")
            if word == "dead":
                for timer in timers:
                    timer.cancel()
                return lines
            if word == "pid" and kill_after is not None:
                timers.append(threading.Timer(kill_after, _kill, (int(rest),)))
                timers[-1].start()
            elif word != "pid":
                lines.append(line.rstrip("\n"))
        raise AssertionError("the nursery has ended")


def _kill(process: int) -> None:
    # It may have ended by itself in the meantime.
    with suppress(ProcessLookupError):
        os.kill(process, signal.SIGKILL)


@contextmanager
def nursery(script: str = "store_child.py") -> Iterator[Nursery]:
    """Start a `store_child`, or a script that speaks like it, and end it with the block."""
    process = subprocess.Popen(
        [sys.executable, str(Path(__file__).with_name(script))],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        yield Nursery(process)
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(timeout=60) == 0
