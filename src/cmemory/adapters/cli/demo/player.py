"""Plays a script through the façade: observe, prepare, answer, learn, turn by turn."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime
from zoneinfo import ZoneInfo

from cmemory.adapters.cli.demo.frames import (
    AskFrame,
    ForgetFrame,
    Frame,
    Kept,
    MuteFrame,
    SceneFrame,
    Shown,
    SumFrame,
    TurnFrame,
    VerifyFrame,
)
from cmemory.adapters.cli.demo.script import Ask, Forget, Mute, Say, Scene, Script, Verify
from cmemory.domain.errors import UsageError
from cmemory.domain.model.candidate import Admission, Outcome
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.message import Speaker
from cmemory.domain.plan.lines import line_of
from cmemory.memory import Memory, ScopedMemory

#: Seconds from what the person says to the answer, and to learning.
_ANSWERED, _LEARNED = 20, 60

#: The person's memory is one scope of the demo's database.
_SERVICE = "demo"


class Player:
    """One conversation on one database."""

    def __init__(self, memory: Memory, script: Script) -> None:
        self._memory = memory
        self._script = script
        self._zone = ZoneInfo(script.zone)
        self._counts: Counter[str] = Counter()
        self._rejections: Counter[str] = Counter()
        self._erased = 0
        self._luna: ScopedMemory = memory.scope(
            service=_SERVICE, owner=script.person, profile=script.companion
        )

    def play(self) -> Iterator[Frame]:
        """Play act after act; each frame is what came of one, the last one counts them all."""
        for act in self._script.acts:
            match act:
                case Scene():
                    yield SceneFrame(title=act.title, hint=act.hint)
                case Say():
                    yield self._say(act)
                case Ask():
                    hits = self._luna.search(act.terms, now=self._instant(act.at))
                    yield AskFrame(at=act.at, terms=act.terms, found=tuple(hit.text for hit in hits))
                case Mute():
                    yield self._mute(act)
                case Forget():
                    yield self._forget(act)
                case Verify():
                    proof = self._memory.verify_forgotten(act.text)
                    yield VerifyFrame(at=act.at, text=act.text, clean=proof.clean, files=_names(proof.files))
        yield self._sum()

    def _say(self, act: Say) -> TurnFrame:
        at = self._instant(act.at)
        session = act.at[:10]
        self._luna.observe(act.text, session=session, at=at)
        plan = self._luna.prepare(act.text, session=session, now=at)
        if act.reply:
            answered = at.plus(seconds=_ANSWERED)
            self._luna.observe(act.reply, session=session, at=answered, speaker=Speaker.ASSISTANT)
        report = self._luna.learn(now=at.plus(seconds=_LEARNED))
        self._counts.update(one.outcome.value for one in report.admissions)
        self._rejections.update({reason.value: count for reason, count in report.rejections.items()})
        return TurnFrame(
            at=act.at,
            said=act.text,
            reply=act.reply,
            shown=tuple(
                Shown(channel=channel.value, text=item.text, reason=item.reason.value)
                for channel, item in plan.shown
            ),
            silent={
                why.value: count
                for why, count in sorted(plan.withheld.items(), key=lambda pair: pair[0].value)
            },
            learned=tuple(map(self._kept, report.admissions)),
        )

    def _kept(self, admission: Admission) -> Kept:
        return Kept(
            outcome=admission.outcome.value,
            reason=admission.reason.value,
            text=self._line(admission.record_id) if admission.record_id else None,
            ended=tuple(map(self._line, admission.ended)),
        )

    def _mute(self, act: Mute) -> MuteFrame:
        now = self._instant(act.at)
        record = next((one for one in self._luna.list(now=now) if act.words in line_of(one)), None)
        if record is None:
            raise UsageError(field="script", problem=f"nothing to mute at {act.at}")
        self._luna.mute(record.id, now=now)
        return MuteFrame(at=act.at, text=line_of(record))

    def _forget(self, act: Forget) -> ForgetFrame:
        stood_before = not self._memory.verify_forgotten(act.meaning).clean
        preview = self._luna.preview_forget(act.meaning)
        report = self._luna.confirm_forget(act.meaning, preview.token, now=self._instant(act.at))
        proof = self._memory.verify_forgotten(act.meaning)
        self._erased += len(report.record_ids)
        return ForgetFrame(
            at=act.at,
            meaning=act.meaning,
            listed=tuple(text for _, text in preview.items),
            token=preview.token,
            records=len(report.record_ids),
            messages=len(report.message_ids),
            stood_before=stood_before,
            clean=proof.clean,
            files=_names(proof.files),
        )

    def _sum(self) -> SumFrame:
        said = [act for act in self._script.acts if isinstance(act, Say)]
        first, last = (datetime.fromisoformat(act.at) for act in (said[0], said[-1]))
        return SumFrame(
            messages=len(said),
            days=(last.date() - first.date()).days + 1,
            counts={outcome.value: self._counts[outcome.value] for outcome in Outcome},
            rejections=dict(sorted(self._rejections.items())),
            believed=len(self._luna.list(now=self._instant(said[-1].at).plus(seconds=_LEARNED))),
            erased=self._erased,
        )

    def _line(self, record_id: str) -> str:
        return line_of(self._luna.show(record_id))

    def _instant(self, at: str) -> Instant:
        return Instant.of(datetime.fromisoformat(at).replace(tzinfo=self._zone), field="at")


def _names(paths: Iterable[str]) -> tuple[str, ...]:
    """Return file names without their folder, which differs from run to run."""
    return tuple(os.path.basename(path) for path in paths)
