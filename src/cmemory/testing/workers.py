"""A worker without a process: client and server back to back, for tests of hosts that use the worker."""

from __future__ import annotations

import queue
import threading

from typing_extensions import override

from cmemory.adapters.worker.protocol import encode
from cmemory.adapters.worker.server import Exchange
from cmemory.adapters.worker.transport import Transport
from cmemory.memory import Memory


class JoinedWorker(Transport):
    """Answers each line at once, in the thread that writes it; the memory stays with the caller.

    >>> from cmemory.adapters.worker.client import WorkerClient
    >>> with Memory.open() as memory, WorkerClient.over(lambda: JoinedWorker(memory)) as client:
    ...     client.health().protocol_version
    1

    Args:
        memory: what the worker answers from.
    """

    def __init__(self, memory: Memory) -> None:
        self._exchange = Exchange(memory, memory)
        self._turn = threading.Lock()
        self._answers: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()

    @override
    def write_line(self, line: bytes, deadline: float) -> None:
        with self._turn:
            self._answers.put(encode(self._exchange.answer(line.removesuffix(b"\n"))))

    @override
    def read_line(self) -> bytes | None:
        return self._answers.get()

    @override
    def kill(self) -> None:
        self._answers.put(None)
