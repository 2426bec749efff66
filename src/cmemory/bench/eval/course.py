"""One arm of one repetition, played turn by turn on a memory of its own, through the library's public face.

A turn is prepared and answered first; only then is anything of it remembered. Whatever the model was asked is kept with
the case, so that a case can be played again from what is kept, and must come out the same.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Iterator, Sequence
from types import TracebackType

import attrs
from typing_extensions import Self, override

from cmemory.adapters.system import zone_of
from cmemory.bench.eval.arms import CONDUCT, Arm, Source, writing
from cmemory.bench.eval.cases import Acted, Call, Case, Extracted, Placed, Purpose, Written, case_id
from cmemory.bench.eval.fixture import Act, ActKind, Fixture, GoldClaim, Place, holds
from cmemory.bench.eval.golds import claim_candidate, episode_candidate, note_candidate
from cmemory.bench.eval.watched import Watched, reader
from cmemory.domain.errors import ModelError, UsageError
from cmemory.domain.model.bodies import kind_name
from cmemory.domain.model.candidate import (
    Admission,
    Candidate,
    ClaimCandidate,
    CorrectionCandidate,
    EpisodeCandidate,
    NoteCandidate,
    RetractionCandidate,
)
from cmemory.domain.model.ids import derive_id
from cmemory.domain.model.instant import Instant
from cmemory.domain.plan.lines import line_of
from cmemory.domain.plan.plan import Channel, Plan
from cmemory.domain.policy import Policy
from cmemory.memory import Memory
from cmemory.ports.model import Model, Prompt

#: Tokens an answer may take, as in the protocol.
REPLY_TOKENS = 400

#: Attempts at an answer; the second only when the first is empty.
_ATTEMPTS = 2

#: Seconds after a turn at which it is learned from.
_LEARN_AFTER_SECONDS = 30

#: Key of the forgetting hashes. Nothing of a run is anybody's secret, and runs must come out the same.
_SECRET = hashlib.sha256(b"cmemory evaluation").digest()


class Tape(Model):
    """A model whose answers are kept, and given again where they are kept already."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._kept: deque[Call] | None = None
        #: What the next questions are for.
        self.purpose = Purpose.REPLY
        #: The questions since `begin`.
        self.calls: list[Call] = []

    @property
    @override
    def name(self) -> str:
        return self._model.name

    def begin(self, kept: Sequence[Call] | None) -> None:
        """Begin a case: with the answers that are kept of it, or None to ask the model."""
        self._kept = None if kept is None else deque(kept)
        self.calls = []

    @override
    def complete(self, prompt: Prompt) -> str:
        digest = digest_of(prompt)
        call = self._ask(prompt, digest) if self._kept is None else self._again(digest)
        self.calls.append(call)
        if call.problem is not None:
            raise ModelError(problem=call.problem, retryable=call.retryable)
        return call.text or ""

    def _ask(self, prompt: Prompt, digest: str) -> Call:
        try:
            return Call(purpose=self.purpose, prompt=digest, text=self._model.complete(prompt))
        except ModelError as error:
            return Call(purpose=self.purpose, prompt=digest, problem=error.problem, retryable=error.retryable)

    def _again(self, digest: str) -> Call:
        kept = self._kept.popleft() if self._kept else None
        if kept is None or (kept.purpose, kept.prompt) != (self.purpose, digest):
            raise UsageError(
                field="artefacts", problem="were made by another version of the library; name a new file"
            )
        return kept


def digest_of(prompt: Prompt) -> str:
    """Return what names a prompt."""
    return derive_id("prompt", prompt.system, prompt.user, str(prompt.max_tokens))


@attrs.frozen(kw_only=True)
class _Proposed:
    """A candidate with what is kept of it."""

    candidate: Candidate
    wrong: GoldClaim | None = None


class Course:
    """One arm of one repetition."""

    def __init__(
        self, fixture: Fixture, arm: Arm, *, repetition: int, model: Model, by_rules: bool, policy: Policy
    ) -> None:
        self._fixture = fixture
        self._arm = arm
        self._repetition = repetition
        self._conduct = CONDUCT[arm]
        self._tape = Tape(model)
        self._by_rules = by_rules
        zone = zone_of(fixture.zone)
        self._watched = Watched(reader(None if by_rules else self._tape, zone=zone))
        self._memory = Memory.open(
            policy=self._conduct.policy(policy), extractor=self._watched, zone=zone, secret=_SECRET
        )
        self._scope = self._memory.scope(service="evaluation", owner=fixture.name, profile=arm.value)
        #: What counts as named where the arm forces, in the order in which it was written.
        self._named: dict[str, None] = {}
        self._wrong: set[str] = set()
        self._session = ""
        self._lines: list[str] = []

    def play(self, place: Place, kept: Case | None) -> Case:
        """Play the next turn and return its case.

        Args:
            place: the turn; turns are played in order, none left out.
            kept: the case as it is kept, whose answers are given again; None to ask the model.

        Raises:
            ModelError: the model has no answer now; nothing of the turn was done that a new run would miss.
            UsageError: the kept case does not come out again.
        """
        at = self._fixture.moment(place)
        self._tape.begin(None if kept is None else kept.calls)
        skipped = self._skips(place, at)
        night, extracted = self._night(place, at)
        if self._conduct.writes is not Source.NOTHING:
            self._scope.observe(place.turn.text, session=place.session.id, at=at)
        forced = tuple(self._named) if self._conduct.forces else ()
        plan = Plan(revision=self._scope.stats().revision)
        self._hear(place)
        if not skipped:
            plan = self._scope.prepare(place.turn.text, session=place.session.id, now=at, forced=forced)
            answer = self._answer(plan)
            if self._conduct.writes is Source.EXTRACTOR:
                self._scope.notes.exchange(place.turn.text, answer or None, session=place.session.id, at=at)
        written, learned = self._write(place, at)
        case = Case(
            id=case_id(self._repetition, self._arm, place.name),
            repetition=self._repetition,
            arm=self._arm,
            turn=place.name,
            skipped=skipped,
            revision=plan.revision,
            forced=() if skipped else forced,
            placed=_placed(plan),
            calls=tuple(self._tape.calls),
            written=(*night, *written),
            acted=tuple(self._act(act, at) for act in place.turn.acts),
            extracted=_sum(extracted, learned),
        )
        if kept is not None and case != kept:
            raise UsageError(
                field="artefacts",
                problem=f"do not come out again at {case.id}: made by another version; name a new file",
            )
        return case

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self._memory.close()

    # -- answering -------------------------------------------------------------------------------------------------

    def _skips(self, place: Place, at: Instant) -> bool:
        """Tell whether the arm has nothing to show: no wrong fact declared in the turn, and none held."""
        if self._conduct.writes is not Source.COUNTERFACTUAL or place.turn.counterfactual:
            return False
        return self._wrong.isdisjoint(record.id for record in self._scope.list(now=at))

    def _hear(self, place: Place) -> None:
        """Add what the person says to the lines of the session, which the model sees in every arm."""
        if place.session.id != self._session:
            self._session, self._lines = place.session.id, []
        self._lines.append(f"Person: {place.turn.text}")

    def _answer(self, plan: Plan) -> str:
        """Return the model's answer, empty when it has none and never will."""
        prompt = Prompt(
            system=f"{self._fixture.instructions}\n\n{plan.text}",
            user="\n".join([*self._lines, "You:"]),
            max_tokens=REPLY_TOKENS,
        )
        self._tape.purpose = Purpose.REPLY
        answer = ""
        for _ in range(_ATTEMPTS):
            try:
                answer = self._tape.complete(prompt).strip()
            except ModelError as error:
                if error.retryable:
                    raise
                break
            if answer:
                break
        if answer:
            self._lines.append(f"You: {answer}")
        return answer

    # -- remembering -----------------------------------------------------------------------------------------------

    def _write(self, place: Place, at: Instant) -> tuple[tuple[Written, ...], Extracted]:
        if self._conduct.writes is Source.EXTRACTOR:
            return self._learn(at)
        proposed = tuple(self._proposed(place))
        if not proposed:
            return (), Extracted()
        admissions = self._scope.admit(
            place.turn.text, [one.candidate for one in proposed], session=place.session.id, at=at
        )
        written = tuple(
            self._written(admission, one.candidate, one.wrong)
            for admission, one in zip(admissions, proposed, strict=True)
        )
        return written, Extracted()

    def _learn(self, at: Instant) -> tuple[tuple[Written, ...], Extracted]:
        self._tape.purpose = Purpose.EXTRACT
        self._watched.seen.clear()
        report = self._scope.learn(now=at.plus(seconds=_LEARN_AFTER_SECONDS))
        candidates = {candidate.id: candidate for candidate in self._watched.seen}
        written = tuple(
            self._written(admission, candidates.get(admission.candidate_id))
            for admission in report.admissions
        )
        failed = len(report.postponed) + len(report.dead)
        extracted = Extracted(
            read=len(report.learned) + failed,
            failed=failed,
            unreadable=sum(not one.readable for one in report.learned),
        )
        return written, extracted

    def _night(self, place: Place, at: Instant) -> tuple[tuple[Written, ...], Extracted]:
        """Make notes of the exchanges since the last session, as a host does between two days."""
        if self._conduct.writes is not Source.EXTRACTOR or place.index > 0:
            return (), Extracted()
        notes = self._scope.notes
        admissions: list[Admission] = []
        read = failed = unreadable = 0
        self._tape.purpose = Purpose.NIGHT
        if self._by_rules:
            report = notes.consolidate(now=at)
            admissions.extend(report.admissions)
        else:
            for task in notes.consolidate_plan(now=at).tasks:
                try:
                    answer = self._tape.complete(task.prompt)
                except ModelError:
                    # The portion waits for the next night, as it would with a host.
                    read, failed = read + 1, failed + 1
                    continue
                report = notes.consolidate_commit(task.said, answer, now=at, model=self._tape.name)
                admissions.extend(report.admissions)
                read, unreadable = read + 1, unreadable + report.unreadable
        written = tuple(self._written(admission, None) for admission in admissions)
        return written, Extracted(read=read, failed=failed, unreadable=unreadable)

    def _proposed(self, place: Place) -> Iterator[_Proposed]:
        put = writing(self._conduct.writes, place.turn)
        for claim in put.claims:
            yield _Proposed(candidate=claim_candidate(place, claim))
        for episode in put.episodes:
            yield _Proposed(candidate=episode_candidate(place, episode))
        for note in put.notes:
            yield _Proposed(candidate=note_candidate(self._fixture, place, note))
        for wrong in put.wrong:
            yield _Proposed(candidate=claim_candidate(place, wrong), wrong=wrong)

    def _written(
        self, admission: Admission, candidate: Candidate | None, wrong: GoldClaim | None = None
    ) -> Written:
        """Return what is kept of an answer of admission, and keep its record in mind."""
        record_id = admission.record_id
        if record_id is not None:
            if not (isinstance(candidate, NoteCandidate) and candidate.due_on is not None):
                self._named[record_id] = None
            if wrong is not None:
                self._wrong.add(record_id)
        kind, text = _of_candidate(candidate) if candidate is not None else self._of_record(record_id)
        tells = () if wrong is None else (wrong.tells or (str(wrong.value),))
        return Written(
            candidate_id=admission.candidate_id,
            kind=kind,
            text=text,
            outcome=admission.outcome,
            reason=admission.reason,
            record_id=record_id,
            ended=admission.ended,
            tells=tells,
            wrong=wrong is not None,
        )

    def _of_record(self, record_id: str | None) -> tuple[str, str]:
        """Return kind and text of a record the night made; of what it was refused, nothing is known."""
        if record_id is None:
            return "note", ""
        record = self._scope.show(record_id)
        return kind_name(record.body), line_of(record)

    def _act(self, act: Act, at: Instant) -> Acted:
        """Do what the person does, to every record that holds all of the tokens."""
        later = at.plus(seconds=_LEARN_AFTER_SECONDS)
        found = sorted(
            record.id
            for record in self._scope.list(now=later)
            if all(holds(line_of(record), token) for token in act.tokens)
        )
        for record_id in found:
            match act.do:
                case ActKind.MUTE:
                    self._scope.mute(record_id, now=later)
                case ActKind.DELETE:
                    self._scope.delete(record_id, now=later)
                case ActKind.FORGET:
                    self._scope.forget(record_id, now=later)
        return Acted(do=act.do, record_ids=tuple(found))


def _of_candidate(candidate: Candidate) -> tuple[str, str]:
    """Return kind and text of a candidate, as its record would be shown."""
    match candidate:
        case ClaimCandidate():
            said = candidate.raw_value if candidate.raw_value is not None else candidate.value
            return "claim", f"{candidate.predicate}: {said}"
        case EpisodeCandidate():
            return "episode", candidate.narrative
        case NoteCandidate():
            return "note", candidate.text
        case RetractionCandidate():
            return "retraction", ", ".join((*candidate.predicates, candidate.value or ""))
        case CorrectionCandidate():
            return "correction", candidate.new


def _placed(plan: Plan) -> tuple[Placed, ...]:
    silent = ((Channel.DO_NOT_SURFACE, item) for item in plan.do_not_surface)
    return tuple(
        Placed(
            record_id=item.record_id,
            channel=channel,
            reason=item.reason,
            surface=item.surface.token,
            text=item.text,
            score=item.score,
        )
        for channel, item in (*plan.shown, *silent)
    )


def _sum(first: Extracted, second: Extracted) -> Extracted:
    return Extracted(
        read=first.read + second.read,
        failed=first.failed + second.failed,
        unreadable=first.unreadable + second.unreadable,
    )
