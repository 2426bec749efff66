"""The plug-in for a host in Python: hooks, actions and the nightly call, over one `Memory`.

Nothing of it ever raises. What cannot be done is traced, and the chat goes on without it: a hook answers None, an action
says why. Each feature needs a capability, a permission or a setting of its own, and is off without it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from functools import partial
from typing import Any

import attrs

from cmemory.adapters.hosts.wechat.calls import CallError, Either, Never, ask, within
from cmemory.adapters.hosts.wechat.contract import (
    ACTION,
    API_VERSION,
    CONSOLIDATE,
    DEADLINES_MS,
    NIGHTLY,
    REFUSALS,
    SCHEDULE,
    SERVICE,
    WRITING,
    Code,
    Feature,
    Hook,
    Host,
    Line,
    ModelService,
    Settings,
    Signal,
    available,
    profile_of,
    profile_prefix,
    read_input,
    read_now,
)
from cmemory.adapters.hosts.wechat.mirror import mirror
from cmemory.adapters.hosts.wechat.night import Night, consolidate
from cmemory.adapters.system import system_clock
from cmemory.app.actions import ACTIONS
from cmemory.domain.model.instant import Instant
from cmemory.domain.policy import COMPANION, Policy
from cmemory.domain.trace import Step, Trace
from cmemory.memory import Memory, ScopedMemory
from cmemory.ports.sink import TraceSink

#: What a host calls: an input, and what comes along with it (``signal``, ``now``, ``timeZone``).
Call = Callable[..., Awaitable[Any]]

_Work = Callable[[Any, Any, Signal], Coroutine[Any, Any, Any]]


def policy_of(host: Host, base: Policy = COMPANION) -> Policy:
    """Return the policy for `Memory.open` that the host's settings ask for."""
    most = Settings.of(host.settings).max_memories
    return attrs.evolve(base, notes=attrs.evolve(base.notes, max_active=most))


async def activate(host: Host, *, memory: Memory, trace: TraceSink | None = None) -> Plugin:
    """Return the running plug-in. The memory stays the caller's, who closes it after `Plugin.dispose`.

    Args:
        host: what the host offers.
        memory: opened with the person's zone, and with `policy_of` the host.
        trace: told of whatever could not be done, in names and codes.
    """
    plugin = Plugin(host, memory, trace)
    await plugin.start()
    return plugin


class Plugin:
    """The running plug-in. Made by `activate`."""

    def __init__(self, host: Host, memory: Memory, trace: TraceSink | None) -> None:
        self.hooks: Mapping[str, Call] = {}
        self.actions: Mapping[str, Call] = {}
        self.schedules: Mapping[str, Call] = {}
        self._host = host
        self._memory = memory
        self._trace = trace
        self._running: set[asyncio.Future[None]] = set()
        self._later: set[asyncio.Task[None]] = set()
        self._disposed = False
        self._stopped = asyncio.Event()
        self._night = asyncio.Lock()
        self._mirror = asyncio.Lock()
        self._scheduled = False

    async def start(self) -> None:
        """Offer what the host can use, and ask it for the nightly call."""
        await self._guarded("activate", self._start, None, None, milliseconds=DEADLINES_MS["host"])

    async def dispose(self) -> None:
        """Take no more calls, and let those that run end; done within five seconds."""
        if self._disposed:
            return
        self._disposed = True
        ending = asyncio.ensure_future(self._unschedule())
        waited: set[asyncio.Future[Any]] = {ending, *self._running, *self._later}
        _, late = await asyncio.wait(waited, timeout=DEADLINES_MS["dispose"] / 1_000)
        self._stopped.set()
        for one in late & {ending, *self._later}:
            one.cancel()

    async def settled(self) -> None:
        """Wait for the copies that are still being written."""
        while self._later:
            await asyncio.wait(self._later)

    # -- what the host calls ------------------------------------------------------------------------

    async def _start(self, given: Any, context: Any, signal: Signal) -> None:
        if self._host.api_version != API_VERSION:
            raise CallError(code=Code.NOT_AVAILABLE, problem="the host speaks another version")
        self.hooks = {
            Hook.BEFORE_CONTEXT.value: partial(
                self._hook, Hook.BEFORE_CONTEXT.value, self._before_context, DEADLINES_MS["beforeContext"]
            ),
            Hook.AFTER_RESPONSE.value: partial(
                self._hook, Hook.AFTER_RESPONSE.value, self._after_response, DEADLINES_MS["call"]
            ),
        }
        self.schedules = {NIGHTLY: self._scheduled_call}
        if self._has(Feature.ACTIONS):
            self.actions = {name: partial(self._action, name) for name in ACTIONS}
        schedule = self._host.schedule
        if self._has(Feature.SCHEDULE) and schedule is not None:
            request = {"id": NIGHTLY, "at": self._settings.consolidate_at}
            await ask(lambda: schedule.daily(request), milliseconds=DEADLINES_MS["host"])
            self._scheduled = True

    async def _hook(self, name: str, work: _Work, milliseconds: int, given: Any, context: Any = None) -> Any:
        done = await self._guarded(name, work, given, context, milliseconds=milliseconds)
        return None if isinstance(done, CallError) else done

    async def _action(self, name: str, given: Any, context: Any = None) -> dict[str, Any]:
        slow = DEADLINES_MS["model"] if name == CONSOLIDATE else 0
        done = await self._guarded(
            name, partial(self._act, name), given, context, milliseconds=DEADLINES_MS["call"] + slow
        )
        if isinstance(done, CallError):
            return {"ok": False, "code": done.code.value, "text": REFUSALS[done.code]}
        answer: dict[str, Any] = done
        return answer

    async def _scheduled_call(self, given: Any, context: Any = None) -> dict[str, Any]:
        # No deadline of its own: every single step has one, and the host may stop it by its signal.
        done = await self._guarded(NIGHTLY, self._consolidate_all, given, context, milliseconds=None)
        if isinstance(done, CallError):
            return {"ok": False, "summary": done.code.value}
        night: Night = done
        return {"ok": night.failure is None, "summary": night.summary}

    # -- what is done -------------------------------------------------------------------------------

    async def _before_context(self, given: Any, context: Any, signal: Signal) -> dict[str, Any] | None:
        read = read_input(Hook.BEFORE_CONTEXT.value, given)
        line = Line.of(read)
        now = read_now(context, line.at)
        if self._is_stranger(line):
            return None
        brief = await asyncio.to_thread(
            self._chat(line.chat).notes.brief,
            line.text,
            session=line.chat,
            now=now,
            max_chars=min(read["budgetChars"], self._settings.recall_max_chars),
            mood=self._has(Feature.MOOD),
        )
        return {"text": brief.text, "usedChars": brief.chars} if brief.text else None

    async def _after_response(self, given: Any, context: Any, signal: Signal) -> None:
        read = read_input(Hook.AFTER_RESPONSE.value, given)
        line, response = Line.of(read), read["response"]
        said = bool(line.text.strip())
        if not said or not self._has(Feature.QUEUE) or self._is_stranger(line):
            return
        sent = response["text"].strip() and not response.get("silent", False)
        await asyncio.to_thread(
            self._chat(line.chat).notes.exchange,
            line.text,
            response["text"] if sent else None,
            session=line.chat,
            at=line.at,
            answered_at=response["at"],
            message_id=line.id,
        )

    async def _act(self, name: str, given: Any, context: Any, signal: Signal) -> dict[str, Any]:
        read = read_input(ACTION, given)
        line = Line.of(read)
        now = read_now(context, line.at)
        if self._is_stranger(line):
            raise CallError(code=Code.NOT_THE_OWNER)
        if name == CONSOLIDATE and self._model is not None:
            answer = await self._consolidate_now(line.chat, now, signal)
        else:
            answer = await self._carry_out(name, read["arguments"], line)
        if name in WRITING:
            self._copy_later(line.chat, now)
        return answer

    async def _carry_out(self, name: str, arguments: Mapping[str, Any], line: Line) -> dict[str, Any]:
        done = await asyncio.to_thread(
            self._chat(line.chat).act,
            name,
            arguments,
            message=line.text,
            session=line.chat,
            message_id=line.id,
            now=line.at,
        )
        if not done.ok:
            return {"ok": False, "code": done.code, "text": done.text}
        return {"ok": True, "text": done.text, "data": done.data}

    async def _consolidate_now(self, chat: str, now: Instant, signal: Signal) -> dict[str, Any]:
        night = await self._consolidate(chat, now, self._model, force=True, signal=signal)
        if night.failure is not None:
            raise night.failure
        return {"ok": True, "text": night.summary, "data": {"kept": night.kept, "left": night.left}}

    async def _consolidate_all(self, given: Any, context: Any, signal: Signal) -> Night:
        now = read_now(context, read_input(SCHEDULE, given)["firedAt"])
        done = Night()
        if not self._settings.auto_consolidate:
            return done
        for chat in await asyncio.to_thread(self._chats):
            if signal.is_set():
                raise CallError(code=Code.CANCELLED)
            night = await self._consolidate(chat, now, self._model, force=False, signal=signal)
            if night.failure is None and not night.left:
                # The other chores; what still waits they would read by rule.
                await asyncio.to_thread(self._chat(chat).maintain, now=now, at=self._settings.consolidate_at)
            done = done.then(night)
            self._copy_later(chat, now)
            if done.failure is not None:
                self._note(NIGHTLY, done.failure)
                break
        return done

    async def _consolidate(
        self, chat: str, now: Instant, model: ModelService | None, *, force: bool, signal: Signal
    ) -> Night:
        async with self._night:
            at = self._settings.consolidate_at
            notes = self._chat(chat).notes
            return await consolidate(notes, model, now=now, at=at, force=force, signal=signal)

    # -- the mirror ---------------------------------------------------------------------------------

    def _copy_later(self, chat: str, now: Instant) -> None:
        """Bring the chat's documents up to date once the caller has its answer."""
        if self._has(Feature.MIRROR) and not self._disposed:
            task = asyncio.ensure_future(self._copy(chat, now))
            self._later.add(task)
            task.add_done_callback(self._later.discard)

    async def _copy(self, chat: str, now: Instant) -> None:
        async with self._mirror:
            await self._guarded("mirror", partial(self._copied, chat, now), None, None, milliseconds=None)

    async def _copied(self, chat: str, now: Instant, given: Any, context: Any, signal: Signal) -> None:
        documents = self._host.documents
        if documents is None:
            return
        notes = await asyncio.to_thread(self._chat(chat).notes.list, everything=True, now=now)
        done = await mirror(documents, chat, notes)
        for name in done.conflicts:
            self._note(name, CallError(code=Code.CONFLICT))

    # -- the rest -----------------------------------------------------------------------------------

    async def _guarded(
        self, subject: str, work: _Work, given: Any, context: Any, *, milliseconds: float | None
    ) -> Any:
        """Return what the work returns, or the error that it ended in, which is traced."""
        if self._disposed:
            return self._note(subject, CallError(code=Code.DISPOSED))
        signal = Either(_signal(context), self._stopped)
        ticket: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._running.add(ticket)
        try:
            return await within(
                self._checked(work, given, context, signal), milliseconds=milliseconds, signal=signal
            )
        except CallError as error:
            return self._note(subject, error)
        finally:
            self._running.discard(ticket)
            ticket.set_result(None)

    async def _checked(self, work: _Work, given: Any, context: Any, signal: Signal) -> Any:
        if signal.is_set():
            raise CallError(code=Code.CANCELLED)
        return await work(given, context, signal)

    async def _unschedule(self) -> None:
        schedule = self._host.schedule
        if self._scheduled and schedule is not None:
            try:
                await ask(lambda: schedule.cancel(NIGHTLY), milliseconds=DEADLINES_MS["dispose"])
            except CallError as error:
                self._note("dispose", error)

    @property
    def _settings(self) -> Settings:
        return Settings.of(self._host.settings)

    @property
    def _model(self) -> ModelService | None:
        return self._host.model if self._has(Feature.MODEL) else None

    def _has(self, feature: Feature) -> bool:
        return available(self._host, feature, self._settings)

    def _is_stranger(self, line: Line) -> bool:
        return line.group and line.sender != (self._settings.owner_sender_id or self._host.owner)

    def _chat(self, key: str) -> ScopedMemory:
        profile = profile_of(self._host.persona, key)
        return self._memory.scope(service=SERVICE, owner=self._host.owner, profile=profile)

    def _chats(self) -> list[str]:
        prefix = profile_prefix(self._host.persona)
        return [
            one.profile.removeprefix(prefix)
            for one in self._memory.scopes()
            if (one.service, one.owner) == (SERVICE, self._host.owner) and one.profile.startswith(prefix)
        ]

    def _note(self, subject: str, error: CallError) -> CallError:
        """Trace an error, and return it."""
        if self._trace is not None:
            step = Step(name="wechat", subject=subject, outcome="failed", reason=error.code.value)
            self._trace("wechat", system_clock(), Trace(steps=(step,)))
        return error


def _signal(context: Any) -> Signal:
    given = context.get("signal") if isinstance(context, Mapping) else None
    usable = hasattr(given, "is_set") and hasattr(given, "wait")
    return given if usable and given is not None else Never()
