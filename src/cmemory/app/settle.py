"""Takes in one thing from an export, against the state of the scope it comes to.

Everything is asked for again: a message of the forgetting guard, a record of admission, a thread of the rules
for threads. What the file adds to that is how things ended, and it can only make them quieter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import attrs

from cmemory.app.admit import Desk
from cmemory.app.observe import Intake, message_of, take_in
from cmemory.domain.admit.claims import admit_claim, claim_record_id, read_claim
from cmemory.domain.admit.episodes import episode_record_id
from cmemory.domain.admit.ground import Ground
from cmemory.domain.admit.inferences import check_inference
from cmemory.domain.admit.moved import ENDS, candidate_of, ended, proposal_of, standing_again, weighed
from cmemory.domain.admit.notes import note_record_id
from cmemory.domain.errors import UsageError
from cmemory.domain.evidence.graph import Sources, Violation, objections
from cmemory.domain.evidence.quote import check
from cmemory.domain.forget.soft import set_muted
from cmemory.domain.model.bodies import Inference, InferenceState, kind_name
from cmemory.domain.model.candidate import ClaimCandidate, Outcome, Reason
from cmemory.domain.model.changes import Changes, Decision, OpenThread
from cmemory.domain.model.ids import MessageId, RecordId, derive_id
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.life import Status
from cmemory.domain.model.message import Evidence, Message, Quote, SourceKind, Speaker
from cmemory.domain.model.record import AnyRecord, InferenceRecord, is_claim, is_inference
from cmemory.domain.model.scope import Scope
from cmemory.domain.reflect.inference import capped
from cmemory.ports.store import Unit

#: A record none of whose messages is here, so that nothing proves it.
UNPROVED = "unproved"

#: A thread whose record may not be followed up.
NO_FOLLOW_UP = "no_follow_up"

#: How admission names the record that a candidate of each kind becomes.
_NAMING = {"claim": claim_record_id, "episode": episode_record_id, "note": note_record_id}

#: What became of a record: an outcome, or the code of the reason against it.
Answer = Outcome | str


@attrs.frozen(kw_only=True)
class Names:
    """What the things of a file are called here.

    Within one relationship they keep their names. Names of records are unique in a whole database, so another
    relationship gives them new ones, always the same.
    """

    #: Whose memory the file holds, and whose it becomes.
    origin: Scope
    scope: Scope

    def message(self, name: str) -> MessageId:
        """Return the id of a message."""
        return MessageId(name if self.origin == self.scope else self._anew("m", name))

    def candidate(self, name: str, prefix: str) -> str:
        """Return the id of the candidate that becomes a record; admission puts ``prefix`` before it."""
        if self.origin == self.scope and name.startswith(prefix):
            return name[len(prefix) :]
        return self._anew("c", name)

    def record(self, name: str, kind: str) -> RecordId:
        """Return the id of a claim, an episode or a note."""
        naming = _NAMING[kind]
        return naming(self.candidate(name, naming("")))

    def inference(self, name: str) -> RecordId:
        """Return the id of an inference."""
        return RecordId(name if self.origin == self.scope else self._anew("inference", name))

    def evidence(self, given: Evidence) -> Evidence:
        """Return a piece of evidence that points at the same source here."""
        if given.source is SourceKind.MESSAGE:
            return attrs.evolve(given, source_id=self.message(given.source_id))
        return attrs.evolve(given, source_id=self.record(given.source_id, given.source.value))

    def _anew(self, kind: str, name: str) -> str:
        return derive_id(kind, self.scope.key, self.origin.key, name)


@attrs.frozen(kw_only=True)
class Settled:
    """What became of one record."""

    answer: Answer
    #: Whether it took over the end it had come to, and whether it was muted.
    ended: bool = False
    muted: bool = False


@attrs.frozen(kw_only=True)
class Settler:
    """Takes in things from one file, inside one transaction."""

    desk: Desk
    names: Names
    #: When it is done, for the audit.
    now: Instant

    @property
    def _unit(self) -> Unit:
        return self.desk.unit

    # -- messages --------------------------------------------------------------------------------------------

    def message(self, original: Message) -> Intake:
        """Write a message to the log; nothing waits for extraction.

        Raises:
            UsageError: it cannot be used, or its id names another text here.
        """
        if not original.id.strip():
            raise UsageError(field="id", problem="must not be blank")
        renamed = message_of(
            original.text,
            scope=self.desk.scope,
            session=original.session,
            speaker=original.speaker,
            at=original.at,
            max_bytes=self.desk.services.policy.admission.max_message_bytes,
            message_id=self.names.message(original.id),
        )
        return take_in(self._unit, self.desk.guard, renamed, queue=False)

    # -- records ---------------------------------------------------------------------------------------------

    def record(self, original: AnyRecord) -> Settled:
        """Ask for a record again, and carry over how it ended.

        Raises:
            UsageError: it changed before it was made.
        """
        if original.updated_at < original.created_at:
            raise UsageError(field="updated_at", problem="lies before created_at")
        if is_inference(original):
            return self._inference(original)
        kind = kind_name(original.body)
        name = self.names.record(original.id, kind)
        before = self._unit.record(name)
        with self._standing(self._replaced(original) if before is None else None):
            answer = self._asked(original, self.names.candidate(original.id, _NAMING[kind]("")), before)
        return self._carry(original, name, answer, fresh=before is None)

    @contextmanager
    def _standing(self, replaced: RecordId | None) -> Iterator[None]:
        """Let the value that a record replaced stand while the record is decided on, to be replaced again."""
        earlier = self._unit.record(replaced) if replaced is not None else None
        if earlier is None or earlier.status is not Status.SUPERSEDED:
            yield
            return
        self._unit.apply(Changes(records=(standing_again(earlier),)))
        try:
            yield
        finally:
            left = self._unit.record(earlier.id)
            if left is not None and left.status is Status.ACTIVE:
                self._unit.apply(Changes(records=(earlier,)))

    def _replaced(self, original: AnyRecord) -> RecordId | None:
        """Return what the value that a claim replaced is called here."""
        if original.supersedes is None or not is_claim(original):
            return None
        return self.names.record(original.supersedes, SourceKind.CLAIM.value)

    def _asked(self, original: AnyRecord, candidate_id: str, before: AnyRecord | None) -> Answer:
        """Put every proof before admission; the first that convinces decides, the others are added to it."""
        found: list[Answer] = []
        for message, quote in self._proofs(original.evidence):
            candidate = candidate_of(
                original, quote, candidate_id=candidate_id, replaces=self._replaced(original)
            )
            if candidate is None:
                continue
            if before is not None and before.body == original.body and _rests_on(before, message, quote):
                found.append(Outcome.MERGED)
            elif check(message.text, quote) is not None and self._forgotten(original):
                found.append(Reason.RESURRECTION.value)
            else:
                (admission,) = self.desk.admit(
                    message, (candidate,), provenance=original.provenance, now=original.created_at
                )
                refused = admission.outcome is Outcome.REJECTED
                found.append(admission.reason.value if refused else admission.outcome)
        if not found:
            return Reason.RESURRECTION.value if self._forgotten(original) else UNPROVED
        return next((answer for answer in found if isinstance(answer, Outcome)), found[0])

    def _proofs(self, evidence: Iterable[Evidence]) -> Iterator[tuple[Message, Quote]]:
        """Yield the quotes whose messages are here."""
        for one in evidence:
            if one.source is SourceKind.MESSAGE and one.quote is not None:
                message = self._unit.message(self.names.message(one.source_id))
                if message is not None:
                    yield message, one.quote

    def _forgotten(self, original: AnyRecord) -> bool:
        body = original.body
        if isinstance(body, Inference):
            return False
        quotes = [one.quote.text for one in original.evidence if one.quote is not None]
        name = self.names.record(original.id, kind_name(body))
        return self.desk.guard.ban(body, record_id=name, quotes=quotes) is not None

    def _carry(self, original: AnyRecord, name: RecordId, answer: Answer, *, fresh: bool) -> Settled:
        """Give a record that was admitted, or known, the weight, the end and the silence it had."""
        admitted = self._unit.record(name)
        if admitted is None or not isinstance(answer, Outcome):
            return Settled(answer=answer)
        changed = ended(weighed(admitted, original) if fresh else admitted, original)
        over = changed.status is not admitted.status
        if changed != admitted:
            lines = (self._line(changed, original),) if over else ()
            self._unit.apply(Changes(records=(changed,), decisions=lines, revision_step=1))
        muting = (
            set_muted(changed, True, scope=self.desk.scope, now=self.now)
            if original.salience.muted
            else Changes()
        )
        self._unit.apply(muting)
        return Settled(answer=answer, ended=over, muted=bool(muting))

    def _line(self, record: AnyRecord, original: AnyRecord) -> Decision:
        action = ENDS[original.status].value
        return Decision(
            id=derive_id("d", self.desk.scope.key, str(original.updated_at), action, record.id, "import"),
            at=self.now,
            action=action,
            outcome="done",
            reason="imported",
            record_id=record.id,
        )

    # -- inferences ------------------------------------------------------------------------------------------

    def _inference(self, original: InferenceRecord) -> Settled:
        """Take in an inference whose every support is here and fit to prove something, or refuse it."""
        moved = self._moved(original)
        here = self._unit.record(moved.id)
        if here is None:
            refusal = self._objection(moved)
            if refusal is not None:
                return Settled(answer=refusal)
            line = Decision(
                id=derive_id("d", self.desk.scope.key, str(self.now), "admit_inference", moved.id),
                at=self.now,
                action="admit_inference",
                outcome=Outcome.ACCEPTED.value,
                reason="imported",
                record_id=moved.id,
            )
            self._unit.apply(Changes(records=(moved,), decisions=(line,), revision_step=1))
            return self._carry(original, moved.id, Outcome.ACCEPTED, fresh=True)
        if not is_inference(here):
            return Settled(answer=Reason.ID_CONFLICT.value)
        return self._carry(original, moved.id, Outcome.MERGED, fresh=False)

    def _moved(self, original: InferenceRecord) -> InferenceRecord:
        """Return the inference as it would stand here, before anything ended it."""
        body, names = original.body, self.names
        standing = original.status is Status.ACTIVE
        # Whether it may be used is for promotion here to say, not for a file.
        promoted = body.state is InferenceState.ACTIVE
        return attrs.evolve(
            original,
            id=names.inference(original.id),
            evidence=tuple(map(names.evidence, original.evidence)),
            body=attrs.evolve(
                body,
                state=InferenceState.ACCUMULATING if promoted else body.state,
                expires_at=None if promoted else body.expires_at,
                support=tuple(map(names.evidence, body.support)),
                counter=tuple(map(names.evidence, body.counter)),
                confidence=capped(
                    body.confidence,
                    acknowledged=body.acknowledged_at is not None,
                    policy=self.desk.services.policy.inference,
                ),
            ),
            status=Status.ACTIVE,
            updated_at=original.updated_at if standing else original.created_at,
            salience=attrs.evolve(original.salience, muted=False),
            supersedes=None,
        )

    def _objection(self, moved: InferenceRecord) -> str | None:
        """Return the code of the first reason against an inference, or None."""
        body = moved.body
        refused = check_inference(
            moved,
            guard=self.desk.guard,
            policy=self.desk.services.policy.admission,
            foreign=self._unit.foreign(moved.id),
        )
        if refused is not None:
            return refused.value
        cited = (*body.support, *body.counter, *moved.evidence)
        unsound = next(filter(None, map(self._unsound, cited)), None)
        if unsound is not None:
            return unsound
        found = objections(body, self._sources(cited))
        return found[0].value if found else None

    def _unsound(self, cited: Evidence) -> str | None:
        """Return why a source that an inference names does not say what the file has it say, or None."""
        if cited.source is not SourceKind.MESSAGE:
            return None if self._unit.record(cited.source_id) is not None else Violation.UNKNOWN_SOURCE.value
        message = self._unit.message(cited.source_id)
        if message is None:
            return Violation.UNKNOWN_SOURCE.value
        if cited.speaker is Speaker.USER and message.speaker is not Speaker.USER:
            return Violation.ASSISTANT_SPEAKER.value
        reason = check(message.text, cited.quote) if cited.quote is not None else None
        return None if reason is None else reason.value

    def _sources(self, cited: Iterable[Evidence]) -> Sources:
        found = (self._unit.record(one.source_id) for one in cited if one.source is not SourceKind.MESSAGE)
        records = [one for one in found if one is not None and one.status is Status.ACTIVE]
        return Sources.of(records, suppressed=self.desk.guard.records)

    # -- threads ---------------------------------------------------------------------------------------------

    def thread(self, original: OpenThread) -> Answer:
        """Open a follow-up again, if admission would open it for its record.

        Raises:
            UsageError: it changed before it was opened.
        """
        if original.updated_at < original.opened_at:
            raise UsageError(field="updated_at", problem="lies before opened_at")
        record = self._unit.record(self.names.record(original.record_id, SourceKind.CLAIM.value))
        if record is None or record.status is not Status.ACTIVE:
            return UNPROVED
        opened = self._opened(record, original)
        if not isinstance(opened, OpenThread):
            return opened
        owner = self._unit.thread_owner(opened.id)
        if owner is not None:
            return Outcome.MERGED if owner == self.desk.scope else Reason.ID_IN_OTHER_SCOPE.value
        self._unit.apply(Changes(threads=(opened,), revision_step=1))
        return Outcome.ACCEPTED

    def _opened(self, record: AnyRecord, original: OpenThread) -> OpenThread | str:
        """Return the thread that admission opens for the record as if it were new, or why it opens none."""
        for one in record.evidence:
            message = self._unit.message(one.source_id) if one.source is SourceKind.MESSAGE else None
            if message is None or one.quote is None:
                continue
            candidate = candidate_of(
                record,
                one.quote,
                candidate_id=record.id.removeprefix(claim_record_id("")),
                thread=proposal_of(original),
            )
            if not isinstance(candidate, ClaimCandidate):
                return NO_FOLLOW_UP
            ground = Ground(
                message=message,
                guard=self.desk.guard,
                policy=self.desk.services.policy,
                provenance=record.provenance,
            )
            claim = read_claim(candidate, message.text)
            admission, changes = admit_claim(candidate, claim, (), ground, now=original.opened_at)
            if admission.outcome is Outcome.REJECTED:
                return admission.reason.value
            return next(
                (
                    attrs.evolve(
                        opened,
                        record_id=record.id,
                        updated_at=original.updated_at,
                        followup_session=original.followup_session,
                    )
                    for opened in changes.threads
                ),
                NO_FOLLOW_UP,
            )
        return UNPROVED


def _rests_on(record: AnyRecord, message: Message, quote: Quote) -> bool:
    return any(one.source_id == message.id and one.quote == quote for one in record.evidence)
