"""What a host writes; checked by mypy, never run."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timezone

import attrs

from cmemory import (
    COMPANION,
    GOVERNED,
    ByEntity,
    ByPredicate,
    Channel,
    CMemoryError,
    Everything,
    ForgetReport,
    Instant,
    Memory,
    MissingExtraError,
    ModelError,
    Plan,
    Policy,
    Records,
    Scope,
    ScopedMemory,
    Signal,
    StoreError,
    UsageError,
    WireError,
)


def open_memory(path: str) -> Memory:
    """Open a file with a smaller budget."""
    tight: Policy = attrs.evolve(COMPANION, plan=attrs.evolve(GOVERNED.plan, max_tokens=400))
    return Memory.open(path, policy=tight, zone="Asia/Shanghai")


def one_turn(luna: ScopedMemory, message: str, now: datetime) -> str:
    """Take a message in, learn from it, and return what the model may know."""
    receipt = luna.observe(message, session="s1", at=now)
    report = luna.learn(now=now)
    learned: int = len(report.admissions)
    plan: Plan = luna.prepare(message, session="s1", now=now)
    shown: list[tuple[Channel, str]] = [(channel, item.text) for channel, item in plan.shown]
    withheld: Mapping[object, int] = {why.value: count for why, count in plan.withheld.items()}
    scores: list[float | None] = [item.score for item in plan.topic_activated]
    revision: int = plan.revision
    return f"{receipt.message_id} {learned} {shown} {withheld} {scores} {revision} {plan.text}"


def remember_and_search(luna: ScopedMemory) -> list[str]:
    """State a fact, look it up, correct it, and note how the person reacted."""
    admissions = luna.remember(
        "我叫周眠。", predicate="identity.name", value="周眠", at="2026-03-01T09:00:00Z", confidence=0.9
    )
    ids: list[str] = [one.record_id for one in admissions if one.record_id is not None]
    luna.update(ids[0], "阿橙", text="以后叫我阿橙吧", quote="阿橙", at=Instant.parse("2026-03-02T09:00:00Z"))
    luna.feedback(ids[0], Signal.USER_VALUED)
    luna.mute(ids[0])
    hits = luna.search("名字", message="我叫什么来着", limit=3)
    return [f"{hit.id} {hit.text} {hit.score:.2f}" for hit in hits]


def forget(luna: ScopedMemory, record_id: str) -> bool:
    """Forget in every way there is."""
    reports: list[ForgetReport] = [
        luna.forget(record_id),
        luna.forget(Records((record_id,))),
        luna.forget(ByPredicate("identity.name")),
        luna.forget(ByEntity("Mia"), now=datetime.now(timezone.utc)),
        luna.forget(Everything.EVERYTHING),
    ]
    preview = luna.preview_forget("养蚕")
    reports.append(luna.confirm_forget("养蚕", preview.token))
    return all(report.forgotten for report in reports) or luna.lift(record_id)


def guarded(path: str) -> str:
    """Tell the kinds of failures apart."""
    try:
        with open_memory(path) as memory:
            scope: Scope = memory.scope(service="app", owner="u-1", profile="luna").scope
            return scope.key + str(memory.verify_forgotten("周眠").clean)
    except UsageError as error:
        return error.field
    except StoreError as error:
        return "later" if error.retryable else error.action
    except ModelError as error:
        return error.problem
    except WireError as error:
        return error.path
    except MissingExtraError as error:
        return error.extra
    except CMemoryError as error:
        return str(error)
