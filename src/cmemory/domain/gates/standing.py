"""May an utterance be shown again? What was forgotten, muted, put away, replaced or fenced off stays unsaid.

One record has one voice: what is withheld as a record is withheld as the words it was taken from. It sees records and
words, never a score.
"""

from __future__ import annotations

import enum
from collections import defaultdict
from collections.abc import Iterable, Mapping

import attrs

from cmemory.domain.evidence.redaction import Span
from cmemory.domain.evidence.suppression import Guard
from cmemory.domain.gates.boundary import Shield
from cmemory.domain.gates.mention import level_of
from cmemory.domain.model.ids import MessageId
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.life import Status
from cmemory.domain.model.message import Message, SourceKind
from cmemory.domain.model.record import AnyRecord, is_claim, is_inference
from cmemory.domain.predicates.registry import Visibility, is_boundary


class Standing(enum.Enum):
    """How an utterance stands, the most silent first."""

    #: The utterance, or a record it proves, was forgotten; or words in it are blotted out.
    SUPPRESSED = "suppressed"
    #: The person asked not to hear a record it proves.
    MUTED = "muted"
    #: Nothing under the key of a record it proves is ever spoken.
    NEVER_SURFACE = "never_surface"
    #: A boundary of the person covers it, or it is the boundary itself.
    BOUNDARY = "boundary"
    #: A record it proves was put away.
    DELETED = "deleted"
    #: All it proved was replaced, taken back, or is over.
    SUPERSEDED = "superseded"
    ACTIVE = "active"


#: Where a stretch ends that reaches to the end, whatever the text.
_ALL = 1 << 31


@attrs.frozen(kw_only=True)
class Bench:
    """What decides how utterances stand: the records they prove, and what the person fenced off."""

    guard: Guard
    shield: Shield
    now: Instant
    #: Records by the messages that prove them.
    proven: Mapping[str, tuple[AnyRecord, ...]] = attrs.field(repr=False)

    @classmethod
    def of(cls, records: Iterable[AnyRecord], *, guard: Guard, now: Instant) -> Bench:
        """Return the bench of a scope.

        Args:
            records: those of every status that the utterances prove, and the person's boundaries; others change nothing.
            guard: what must not be seen again.
            now: records are live, replaced or over at this moment.
        """
        proven: dict[str, list[AnyRecord]] = defaultdict(list)
        live = []
        for record in records:
            if record.live(now) and is_claim(record) and not guard.hides(record):
                live.append(record)
            if is_inference(record):
                continue
            for evidence in record.evidence:
                if evidence.source is SourceKind.MESSAGE:
                    proven[evidence.source_id].append(record)
        return cls(
            guard=guard,
            shield=Shield.of(live),
            now=now,
            proven={name: tuple(found) for name, found in proven.items()},
        )

    def standing(self, message: Message) -> Standing:
        """Return how an utterance stands; the most silent of what applies."""
        if self._suppressed(message, self.proven.get(message.id, ())):
            return Standing.SUPPRESSED
        return self.silence(message)

    def silence(self, message: Message) -> Standing:
        """Return how an utterance stands, forgetting aside: for those who show what is left beside the masked words."""
        records = self.proven.get(message.id, ())
        if any(record.salience.muted for record in records):
            return Standing.MUTED
        current = [record for record in records if record.live(self.now)]
        if any(level_of(record) is Visibility.NEVER_SURFACE for record in current):
            return Standing.NEVER_SURFACE
        if self.shield.covers(message.text) or any(
            is_claim(record) and is_boundary(record.body.predicate) for record in current
        ):
            return Standing.BOUNDARY
        if any(record.status is Status.DELETED for record in records):
            return Standing.DELETED
        return Standing.SUPERSEDED if records and not current else Standing.ACTIVE

    def voiced(self, shown: Iterable[str]) -> Mapping[MessageId, tuple[Span, ...]]:
        """Return the utterances that prove any of the given records, and their stretches that do, in UTF-8 bytes.

        A proof without a quote is the whole utterance.
        """
        ids = frozenset(shown)
        found: dict[MessageId, list[Span]] = defaultdict(list)
        for name, records in self.proven.items():
            for evidence in (one for record in records if record.id in ids for one in record.evidence):
                if evidence.source_id == name:
                    quote = evidence.quote
                    found[MessageId(name)].append((0, _ALL) if quote is None else (quote.start, quote.end))
        return {name: tuple(spans) for name, spans in found.items()}

    def _suppressed(self, message: Message, records: tuple[AnyRecord, ...]) -> bool:
        guard = self.guard
        # Forgetting names the messages in which it masked words as well as those it took.
        return (
            guard.everything or message.id in guard.records or any(guard.hides(record) for record in records)
        )
