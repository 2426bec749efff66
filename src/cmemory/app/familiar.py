"""Keeps the records of a relationship as a search last saw them, so that the next one only compares them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from sys import intern

import attrs

from cmemory.domain.model.ids import RecordId, Revision
from cmemory.domain.recall.match import Known
from cmemory.ports.store import View

#: Records of one relationship that are kept, the last ones that were found.
_MOST = 10_000

#: After so many writes it costs less to read anew what is found than to read what changed.
_TOO_MANY_WRITES = 500


@attrs.frozen(kw_only=True)
class Familiar:
    """Records that were found lately, as they are at a revision."""

    revision: Revision
    known: Mapping[RecordId, Known] = attrs.field(factory=dict, repr=False)

    def at(self, view: View) -> Familiar:
        """Return what of them still holds: all but what was written since, nothing where that cannot be told."""
        revision = view.revision()
        if revision == self.revision:
            return self
        few = 0 <= revision - self.revision <= _TOO_MANY_WRITES
        since = view.changes_since(self.revision) if few else None
        if since is None:
            return Familiar(revision=revision)
        gone = since.suppressed.union(record.id for record in since.records)
        left = {name: one for name, one in self.known.items() if name not in gone}
        return Familiar(revision=revision, known=left)

    def read(self, view: View, ids: Sequence[RecordId]) -> Familiar:
        """Return these records as well, as far as they are there."""
        lacking = [name for name in ids if name not in self.known]
        if not lacking:
            return self
        known = {**self.known, **{record.id: _sparing(Known.of(record)) for record in view.named(lacking)}}
        spare = max(0, len(known) - max(_MOST, len(ids)))
        return attrs.evolve(self, known=dict(islice(known.items(), spare, None)))


def _sparing(known: Known) -> Known:
    """Return what is known of a record with each word held once in the process: most stand in many records.

    A word that nothing holds any more goes, as any other text.
    """
    pairs, words = (frozenset(map(intern, some)) for some in (known.profile.pairs, known.profile.words))
    return attrs.evolve(
        known,
        profile=attrs.evolve(known.profile, pairs=pairs, words=words),
        counts={intern(term): count for term, count in known.counts.items()},
    )
