"""Goes over the day of one chat: the library says what is to be read, the host's model reads it, the library decides."""

from __future__ import annotations

import asyncio
from typing import Any

import attrs

from cmemory.adapters.hosts.wechat.calls import CallError, ask
from cmemory.adapters.hosts.wechat.contract import DEADLINES_MS, Code, ModelService, Signal
from cmemory.app.consolidate import NightReport, NightTask
from cmemory.domain.model.candidate import Outcome
from cmemory.domain.model.instant import Instant
from cmemory.notebook import Notebook


@attrs.frozen(kw_only=True)
class Night:
    """What a night made of one chat or several."""

    chats: int = 0
    #: Notes that were stored, or strengthened one that says the same.
    kept: int = 0
    #: Exchanges that still wait.
    left: int = 0
    #: Why the host's model was not asked any further; its exchanges wait for the next time.
    failure: CallError | None = None

    @property
    def summary(self) -> str:
        """One line for the host's log and for a model."""
        return f"{self.kept} kept of {self.chats} chats; {self.left} exchanges wait."

    def then(self, other: Night) -> Night:
        """Return both as one."""
        return Night(
            chats=self.chats + other.chats,
            kept=self.kept + other.kept,
            left=self.left + other.left,
            failure=self.failure or other.failure,
        )


async def consolidate(
    notes: Notebook, model: ModelService | None, *, now: Instant, at: str, force: bool, signal: Signal
) -> Night:
    """Make notes of what waits in one chat, when its day is due; running late or twice changes nothing.

    Args:
        notes: the chat's.
        model: the host's; without it the library's own model or its offline rules do the reading.
        now: the present.
        at: when a day ends.
        force: take all that waits, though the day may not be over.
        signal: set when nobody waits any more.
    """
    if model is None:
        report = await asyncio.to_thread(notes.consolidate, now=now, at=at, force=force)
        return _night(report)
    plan = await asyncio.to_thread(notes.consolidate_plan, now=now, at=at, force=force)
    if not plan.tasks:
        # Closes a day that is due and left nothing, and tells what waits.
        return _night(await asyncio.to_thread(notes.consolidate, now=now, at=at))
    done = Night(chats=1)
    for task in plan.tasks:
        answer, failure = await _read(model, task, signal)
        report = await asyncio.to_thread(notes.consolidate_commit, task.said, answer, now=now, at=at)
        done = attrs.evolve(done, kept=done.kept + _night(report).kept, left=report.left, failure=failure)
        if failure is not None:
            # Who failed now would fail at the next portion too, and each may take its whole deadline.
            break
    return done


async def _read(model: ModelService, task: NightTask, signal: Signal) -> tuple[str | None, CallError | None]:
    request = {
        "system": task.prompt.system,
        "prompt": task.prompt.user,
        "maxTokens": task.prompt.max_tokens,
        "json": True,
        "signal": signal,
    }
    try:
        answer = await ask(lambda: model.generate(request), milliseconds=DEADLINES_MS["model"], signal=signal)
    except CallError as failure:
        return None, failure
    text = _text(answer)
    return text, None if text is not None else CallError(code=Code.HOST_FAILED, problem="no text came back")


def _text(answer: Any) -> str | None:
    text = answer.get("text") if isinstance(answer, dict) else None
    return text if isinstance(text, str) else None


def _night(report: NightReport) -> Night:
    return Night(chats=1, kept=report.count(Outcome.ACCEPTED, Outcome.MERGED), left=report.left)
