"""Puts candidates before the domain, inside the transaction that writes the answers.

Every write path comes through here: learning, remembering, importing, and every tool of a model.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import attrs

from cmemory.app.draft import Draft
from cmemory.app.services import Services
from cmemory.domain.admit.claims import admit_claim, claim_record_id, read_claim
from cmemory.domain.admit.correction import (
    Resolved,
    joined,
    resolve,
    retraction_of,
    with_correction,
    with_proof_of,
)
from cmemory.domain.admit.episodes import admit_episode, episode_record_id
from cmemory.domain.admit.ground import Decided, Ground
from cmemory.domain.admit.notes import admit_note, note_record_id
from cmemory.domain.admit.pending import admit_pending
from cmemory.domain.admit.retraction import admit_retraction
from cmemory.domain.errors import StoreError
from cmemory.domain.evidence.redaction import blot_spans, blot_words
from cmemory.domain.evidence.suppression import Guard, Repeat
from cmemory.domain.model.bodies import Claim
from cmemory.domain.model.candidate import (
    Admission,
    Candidate,
    ClaimCandidate,
    CorrectionCandidate,
    EpisodeCandidate,
    NoteCandidate,
    Outcome,
    PendingCandidate,
    Reason,
    RetractionCandidate,
)
from cmemory.domain.model.changes import Changes, Suppression, SuppressionKind
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.life import Status
from cmemory.domain.model.message import Message, SourceKind, Speaker
from cmemory.domain.model.record import ClaimRecord, NoteRecord, Provenance, is_claim, is_note
from cmemory.domain.model.scope import Scope
from cmemory.domain.predicates.identity import slot_of
from cmemory.domain.predicates.registry import PREDICATES
from cmemory.domain.predicates.values import normal_value
from cmemory.domain.reflect.fade import crowd_out
from cmemory.ports.store import Unit

#: What is taken back and what is corrected goes before what is stated, whatever the order of the candidates.
_TURNS: Mapping[type[Candidate], int] = {RetractionCandidate: 0, CorrectionCandidate: 1}

_Quoted = tuple[Candidate, Admission]


@attrs.frozen(kw_only=True)
class Desk:
    """One unit of admission work: a message's candidates against one state of the scope."""

    services: Services
    scope: Scope
    unit: Unit
    guard: Guard

    @classmethod
    def open(cls, services: Services, scope: Scope, unit: Unit) -> Desk:
        """Return a desk inside an open transaction."""
        return cls(services=services, scope=scope, unit=unit, guard=services.guard(scope, unit))

    def admit(
        self,
        message: Message,
        candidates: Iterable[Candidate],
        *,
        provenance: Provenance,
        now: Instant,
        pending: Iterable[PendingCandidate] = (),
    ) -> tuple[Admission, ...]:
        """Decide on a message's candidates and write the outcomes; later ones see what earlier ones did.

        What is taken back goes first, whatever its place among them: "I moved to Porto" ends the old home and must not
        end the new one. Then comes what is corrected. The answers come in the order of the candidates.

        Args:
            message: where all the quotes stand; it is written along with the first record it proves.
            candidates: what was proposed.
            provenance: who proposed.
            now: the moment the facts count from.
            pending: pointers to store beside them; their answers come last.

        Raises:
            StoreError: the message's id names another text; never retryable.
        """
        message = self._as_stored(message)
        proposed = tuple(candidates)
        repeats = self.guard.said_again(message.text) if message.speaker is Speaker.USER else ()
        sitting = _Sitting(
            services=self.services,
            scope=self.scope,
            draft=Draft(self.unit),
            guard=self.guard,
            message=message,
            provenance=provenance,
            now=now,
            repeats=repeats,
        )
        answered = list(zip(proposed, sitting.hold(proposed), strict=True))
        self._hide_forgotten(message, answered, repeats)
        waiting = [admit_pending(one, message, now=now) for one in pending]
        for _, changes in waiting:
            self.unit.apply(changes)
        return (*(admission for _, admission in answered), *(admission for admission, _ in waiting))

    def _as_stored(self, message: Message) -> Message:
        """Return the message as the log has it: once a part of it was forgotten, only the rest can prove anything."""
        stored = self.unit.message(message.id)
        if stored is None or stored.text == message.text:
            return message
        if message.id in self.guard.records:
            return stored
        raise StoreError(action="admit", problem="the message id already names another text")

    def _hide_forgotten(
        self, message: Message, answered: Iterable[_Quoted], repeats: Iterable[Repeat]
    ) -> None:
        """Blot out what the person had forgotten and now said again, so that it does not come back through the log."""
        again = [candidate for candidate, admission in answered if admission.reason is Reason.RESURRECTION]
        stored = self.unit.message(message.id) if again or repeats else None
        if stored is None:
            return
        # What is said again in a spelling that no proposer reads proves nothing, and would stay all the same.
        spans = [(one.start, one.end) for one in repeats]
        spans += [(candidate.quote.start, candidate.quote.end) for candidate in again]
        text = blot_spans(stored.text, spans, self._proven_spans(message, answered))
        text = blot_words(text, self._wordings(again))
        mark = Suppression(kind=SuppressionKind.RECORD, target=message.id, created_at=message.at)
        self.unit.apply(Changes(messages=(attrs.evolve(stored, text=text),), suppressions=(mark,)))

    def _wordings(self, refused: Iterable[Candidate]) -> list[str]:
        """Return the refused texts that are long enough to be told from chance wherever else they stand."""
        texts = (
            getattr(one, name, None)
            for one in refused
            for name in ("value", "raw_value", "entity_ref", "new")
        )
        shortest = self.services.policy.forgetting.mask_min_chars
        return [text.strip() for text in texts if isinstance(text, str) and len(text.strip()) >= shortest]

    def _proven_spans(self, message: Message, answered: Iterable[_Quoted]) -> list[tuple[int, int]]:
        """Return the stretches of the message that records rest on."""
        ids = {admission.record_id for _, admission in answered if admission.record_id is not None}
        records = (self.unit.record(record_id) for record_id in sorted(ids))
        return [
            (one.quote.start, one.quote.end)
            for record in records
            if record is not None
            for one in record.evidence
            if one.source is SourceKind.MESSAGE and one.source_id == message.id and one.quote is not None
        ]


@attrs.frozen(kw_only=True)
class _Sitting:
    """The candidates of one message before the domain, one after the other."""

    services: Services
    scope: Scope
    draft: Draft
    guard: Guard
    message: Message
    provenance: Provenance
    now: Instant
    #: Stretches of the message that proved something forgotten.
    repeats: tuple[Repeat, ...]

    def hold(self, proposed: Sequence[Candidate]) -> list[Admission]:
        """Return the answers in the order of the candidates; all that was decided is written."""
        self.draft.expect(map(_record_id, proposed))
        answers: dict[int, Admission] = {}
        for at in sorted(range(len(proposed)), key=lambda at: _TURNS.get(type(proposed[at]), len(_TURNS))):
            answers[at], changes = self._decide(proposed[at])
            self.draft.apply(changes)
        self.draft.write()
        return [answers[at] for at in range(len(proposed))]

    def _decide(self, candidate: Candidate) -> Decided:
        now = self.now
        if isinstance(candidate, ClaimCandidate):
            return self._decide_claim(candidate, self.message.text)
        if isinstance(candidate, CorrectionCandidate):
            return self._correct(candidate)
        if isinstance(candidate, EpisodeCandidate):
            known = tuple(self.draft.stories(candidate.narrative))
            return admit_episode(candidate, known, self._ground(_record_id(candidate)), now=now)
        if isinstance(candidate, NoteCandidate):
            notes = self.draft.notes()
            decided = admit_note(candidate, notes, self._ground(_record_id(candidate)), now=now)
            return self._crowded_out(decided, notes)
        active = tuple(one for one in self.draft.under(candidate.predicates) if one.live(now))
        return admit_retraction(candidate, active, self._ground(_record_id(candidate)), now=now)

    def _ground(self, record_id: str) -> Ground:
        message = self.message
        return Ground(
            message=message,
            guard=self.guard,
            policy=self.services.policy,
            provenance=self.provenance,
            holder=self.draft.record(record_id),
            foreign=self.draft.foreign(record_id),
            unsaid=message.id in self.guard.records and self.draft.message(message.id) is None,
            repeats=self.repeats,
        )

    def _crowded_out(self, decided: Decided, notes: Iterable[NoteRecord]) -> Decided:
        """Return a decision on a note with what gives way to it."""
        admission, changes = decided
        kept = {record.id: record for record in notes if record.status is Status.ACTIVE}
        kept.update((record.id, record) for record in changes.records if is_note(record))
        fading = crowd_out(
            tuple(kept.values()),
            scope=self.scope,
            newest=admission.record_id,
            now=self.now,
            policy=self.services.policy.notes,
        )
        return admission, changes.then(fading)

    def _decide_claim(self, candidate: ClaimCandidate, source_text: str) -> Decided:
        claim = read_claim(candidate, source_text)
        slot = self._rivals(claim, candidate) if isinstance(claim, Claim) else ()
        before = self._predecessors(claim, candidate) if isinstance(claim, Claim) else ()
        return admit_claim(
            candidate,
            claim,
            tuple(filter(self._seen, slot)),
            self._ground(_record_id(candidate)),
            now=self.now,
            predecessors=tuple(filter(self._seen, before)),
        )

    def _correct(self, candidate: CorrectionCandidate) -> Decided:
        """Decide on a correction: the claim it comes to is admitted like any other, or nothing is written."""
        ground, now = self._ground(_record_id(candidate)), self.now
        active = list(filter(self._seen, self.draft.under(tuple(PREDICATES))))
        found = resolve(candidate, active, ground, now=now)
        if not isinstance(found, Resolved):
            return found
        old = found.main.old
        main = self._decide_claim(found.main.candidate, ground.message.text)
        if main[0].outcome is Outcome.REJECTED or old.id == main[0].record_id:
            return main
        main = main[0], with_correction(old, candidate, ground, main[1])
        further = []
        retraction = retraction_of(candidate, old)
        if retraction is not None:
            further.append(admit_retraction(retraction, (old,), ground, now=now))
        for step in found.followers:
            # The person's own wording stays theirs, though it stands in an earlier message.
            said = "\n".join((ground.message.text, step.old.body.raw_value or ""))
            admission, changes = self._decide_claim(step.candidate, said)
            further.append((admission, with_proof_of(step.old, changes)))
        return joined(main, further, ground, now=now)

    def _seen(self, record: ClaimRecord) -> bool:
        return record.live(self.now) and not self.guard.hides(record)

    def _rivals(self, claim: Claim, candidate: ClaimCandidate) -> tuple[ClaimRecord, ...]:
        """Return what a claim has to be compared with: those that say the same, the newest of its slot, the corrected one.

        A slot may hold thousands of claims, and no rule looks at any other of them.
        """
        key = slot_of(claim)
        found = [*self.draft.saying(key, normal_value(claim.value)), *self.draft.newest(key)]
        corrected = self.draft.record(candidate.replaces) if candidate.replaces is not None else None
        if corrected is not None and is_claim(corrected) and slot_of(corrected.body) == key:
            found.append(corrected)
        return tuple({record.id: record for record in found}.values())

    def _predecessors(self, claim: Claim, candidate: ClaimCandidate) -> list[ClaimRecord]:
        """Return the claims of other slots, under the same key and qualifiers, that give way: all or the corrected one."""
        if not candidate.takes_over and candidate.replaces is None:
            return []
        under = self.draft.under((claim.predicate,))
        alike = (one for one in under if one.body.qualifiers == claim.qualifiers)
        return [
            one
            for one in alike
            if slot_of(one.body) != slot_of(claim) and (candidate.takes_over or one.id == candidate.replaces)
        ]


def _record_id(candidate: Candidate) -> str:
    """Return the id of the record that a candidate becomes; the one it takes back has none of its own."""
    if isinstance(candidate, (ClaimCandidate, CorrectionCandidate)):
        return claim_record_id(candidate.id)
    if isinstance(candidate, EpisodeCandidate):
        return episode_record_id(candidate.id)
    return note_record_id(candidate.id) if isinstance(candidate, NoteCandidate) else candidate.id
