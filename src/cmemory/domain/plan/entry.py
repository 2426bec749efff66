"""One record as planning sees it."""

from __future__ import annotations

import attrs

from cmemory.domain.gates.boundary import Shield
from cmemory.domain.gates.mention import NO_CUES
from cmemory.domain.gates.reading import Statement, may_be_limit
from cmemory.domain.model.bodies import Body, Claim, Inference, Note, NoteKind
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.record import AnyRecord, is_claim
from cmemory.domain.plan.lines import spoken_texts
from cmemory.domain.plan.place import Rank, Stand, place
from cmemory.domain.policy import Policy
from cmemory.domain.recall.query import Profile, names_of

#: Where a record stands in the order of the store: claims first, then the newest, then by id.
Order = tuple[bool, int, str]

#: The one goal that is a limit.
_CONSTRAINT = "goal.constraint"

#: Domains and kinds whose records tell what is so or is to be done; what the others hold their words must tell.
_FACTUAL = frozenset({"goal", "open_loop", "person", "relationship", "identity"})
_FACTUAL_NOTES = frozenset({NoteKind.EVENT, NoteKind.PROMISE})
#: Domains whose records tie people to the person.
_TIES = frozenset({"person", "relationship"})


@attrs.frozen(kw_only=True)
class Entry:
    """A record with what planning has to find out about it.

    Thousands are held, so what the record itself tells is told again whenever it is asked for.
    """

    record: AnyRecord
    #: Whether a boundary of the person covers it.
    shaded: bool
    #: Where it stands while nothing points at it.
    rest: Stand

    @classmethod
    def of(cls, record: AnyRecord, shield: Shield, *, now: Instant, policy: Policy) -> Entry:
        """Prepare one record for a day and the boundaries of the person."""
        shaded = bool(shield.phrases) and shield.covers(*spoken_texts(record))
        rest = place(record, shaded, NO_CUES, False, now=now, policy=policy)
        return cls(record=record, shaded=shaded, rest=rest)

    @property
    def order(self) -> Order:
        """Where the record stands in the order of the store."""
        record = self.record
        return not is_claim(record), -record.updated_at.microseconds, record.id

    @property
    def rank(self) -> Rank:
        """Where it stands at rest among those that compete with it."""
        return -(self.rest.score or 0.0), self.record.id

    @property
    def profile(self) -> Profile:
        """What in a message would point at the record."""
        return Profile.of(self.record)

    @property
    def names(self) -> tuple[str, ...]:
        """The strings that name it outright, as in its profile."""
        return names_of(self.record)

    def perhaps_limit(self) -> bool:
        """Tell whether the words may tell a limit; far cheaper than to read the statement, and never False for one."""
        body = self.record.body
        return _distilled(body) and not _factual(body) and may_be_limit(body.shown)

    def statement(self, own_names: frozenset[str]) -> Statement | None:
        """Return the record as the release gate reads it, None where it holds no distilled statement.

        Args:
            own_names: how the person is called.
        """
        return _statement(self.record, self.names, own_names)


def _statement(record: AnyRecord, names: tuple[str, ...], own_names: frozenset[str]) -> Statement | None:
    body = record.body
    if not _distilled(body):
        return None
    fact, aliases, tie = _factual(body), tuple[str, ...](), False
    if isinstance(body, Note):
        aliases = body.tags
    elif isinstance(body, Claim):
        aliases = names if fact else (body.entity_ref or "",)
        tie = body.predicate.partition(".")[0] in _TIES
    return Statement.of(body.shown, fact=fact, aliases=aliases, own_names=own_names, tie=tie)


def _distilled(body: Body) -> bool:
    """Tell whether a record states something of the person; a story tells what happened, in whatever words."""
    return isinstance(body, (Note, Claim, Inference))


def _factual(body: Body) -> bool:
    """Tell whether the kind of a record says that it is no liking, opinion or manner."""
    if isinstance(body, Note):
        return body.note_kind in _FACTUAL_NOTES
    if isinstance(body, Claim):
        return body.predicate.partition(".")[0] in _FACTUAL and body.predicate != _CONSTRAINT
    return False
