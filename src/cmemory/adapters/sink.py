"""Where traces can go: into a file of JSON lines."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import attrs

from cmemory.domain.model.instant import Instant
from cmemory.domain.trace import RetrievalTrace, Trace


class JsonlSink:
    """Appends one JSON line per call to a file only its owner can read. Ids, codes and counts, never text.

    A failing disk loses traces, not turns.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = Path(path)

    def __call__(self, call: str, at: Instant, trace: Trace) -> None:
        steps = [
            {
                "name": step.name,
                "subject": step.subject,
                "outcome": step.outcome,
                "reason": step.reason,
                "score": step.score,
            }
            for step in trace.steps
        ]
        document: dict[str, Any] = {"call": call, "at": str(at), "steps": steps}
        if isinstance(trace, RetrievalTrace):
            document["retrieval"] = retrieval(trace)
        line = json.dumps(document, ensure_ascii=False)
        try:
            handle = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            with os.fdopen(handle, "a", encoding="utf-8") as file:
                file.write(line + "\n")
        except OSError:
            return


def retrieval(trace: RetrievalTrace) -> dict[str, Any]:
    """Return what filling a window saw, as JSON data; its steps are told by the candidates."""
    return attrs.asdict(trace, filter=lambda field, _: field.name != "steps")
