"""The checkpoint of the window protocol: whole messages, ranked by importance, recency and position.

Kept so that its figures can be compared and hosts that rely on it can go on (`POSITIONAL`).
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from cmemory.domain.archive.entry import Drop, Entry, Frame, Keep, Line, Selection, StretchScore, total
from cmemory.domain.model.instant import Instant, age_in_days
from cmemory.domain.model.message import Speaker
from cmemory.domain.policy import CompactionPolicy
from cmemory.domain.scoring.decay import half_life
from cmemory.domain.text.normal import compact, shortened


@attrs.frozen(kw_only=True)
class _Ranked:
    at: int
    entry: Entry
    text: str
    card: StretchScore


def select(
    entries: Sequence[Entry], *, frame: Frame, token_budget: int, now: Instant, policy: CompactionPolicy
) -> Selection:
    """Return the messages of the highest score that fit; a later copy of a message stands for the earlier ones.

    Barred entries are left out whole. The budget counts as at least ``policy.least_tokens``.
    """
    texts = [compact(entry.text) for entry in entries]
    filled = [at for at, text in enumerate(texts) if text]
    open_to_all = [at for at in filled if not entries[at].bars]
    last = {texts[at]: at for at in open_to_all}
    latest = max([now, *(entry.at for entry in entries)])
    ranked = [
        _Ranked(
            at=at,
            entry=entries[at],
            text=shortened(texts[at], policy.max_line_chars, head=policy.head_share),
            card=_card(entries[at], at, len(filled), latest, policy),
        )
        for at in sorted(last.values())
    ]
    ranked.sort(key=lambda one: (-one.card.score, -one.at))
    kept = _packed(ranked, frame, max(policy.least_tokens, token_budget))
    dropped = {Drop.BUDGET: len(ranked) - len(kept), Drop.REPEAT: len(open_to_all) - len(ranked)}
    for at in filled:
        for reason in {bar.reason for bar in entries[at].bars}:
            dropped[reason] = dropped.get(reason, 0) + 1
    return Selection(
        lines=tuple(map(_line, kept)),
        tokens=total(frame, [("", frame.line(one.entry.speaker, one.text)) for one in kept]) if kept else 0,
        input_entries=len(filled),
        input_tokens=sum(frame.line(entries[at].speaker, texts[at]) for at in filled),
        dropped={reason: count for reason, count in dropped.items() if count},
    )


def _card(entry: Entry, at: int, count: int, latest: Instant, policy: CompactionPolicy) -> StretchScore:
    own = policy.user_importance if entry.speaker is Speaker.USER else policy.other_importance
    importance = own if entry.importance is None else min(1.0, max(0.0, entry.importance))
    age = age_in_days(entry.at, latest)
    parts = (
        ("importance", policy.importance_weight * importance),
        ("recency", policy.recency_weight * half_life(age, policy.half_life_days)),
        ("position", policy.position_weight * (1.0 if count <= 1 else at / (count - 1))),
    )
    return StretchScore(parts=parts, score=sum(value for _, value in parts))


def _packed(ranked: Sequence[_Ranked], frame: Frame, budget: int) -> list[_Ranked]:
    spent, kept = frame.heading, []
    for one in ranked:
        cost = frame.line(one.entry.speaker, one.text)
        if spent + cost <= budget:
            spent += cost
            kept.append(one)
    return sorted(kept, key=lambda one: one.at)


def _line(one: _Ranked) -> Line:
    return Line(
        message_id=one.entry.message_id,
        speaker=one.entry.speaker,
        text=one.text,
        day="",
        at=one.at,
        whole=one.text == one.entry.text,
        reasons=(Keep.POSITION,),
        card=one.card,
    )
