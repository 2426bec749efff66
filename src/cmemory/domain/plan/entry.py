"""One record as planning sees it."""

from __future__ import annotations

import attrs

from cmemory.domain.gates.reading import Statement, may_be_limit
from cmemory.domain.model.bodies import Body, Claim, Inference, Note, NoteKind
from cmemory.domain.model.record import AnyRecord
from cmemory.domain.recall.query import Profile

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
    """A record with what planning needs to know of it."""

    record: AnyRecord
    #: The line shown to a model.
    text: str
    profile: Profile
    #: Whether a boundary of the person covers it.
    shaded: bool
    order: Order
    #: Reading a statement is dear and gives the same every time, so what was read is kept, for the latest own names.
    _read: dict[frozenset[str], tuple[Statement | None]] = attrs.field(
        factory=dict, init=False, eq=False, repr=False
    )

    def perhaps_limit(self) -> bool:
        """Tell whether the words may tell a limit; far cheaper than to read the statement, and never False for one."""
        body = self.record.body
        return _distilled(body) and not _factual(body) and may_be_limit(body.shown)

    def statement(self, own_names: frozenset[str]) -> Statement | None:
        """Return the record as the release gate reads it, None where it holds no distilled statement.

        Args:
            own_names: how the person is called.
        """
        known = self._read.get(own_names)
        if known is None:
            known = (_statement(self.record, self.profile, own_names),)
            self._read.clear()
            self._read[own_names] = known
        return known[0]


def _statement(record: AnyRecord, profile: Profile, own_names: frozenset[str]) -> Statement | None:
    body = record.body
    if not _distilled(body):
        return None
    fact, aliases, tie = _factual(body), tuple[str, ...](), False
    if isinstance(body, Note):
        aliases = body.tags
    elif isinstance(body, Claim):
        aliases = profile.names if fact else (body.entity_ref or "",)
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
