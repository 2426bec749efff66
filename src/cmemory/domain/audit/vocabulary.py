"""Whether what is stored still fits the vocabulary. A retired word is no damage: it is told, with what can be done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from cmemory.domain.audit.finding import Code
from cmemory.domain.audit.form import Found
from cmemory.domain.audit.rows import Snapshot
from cmemory.domain.model.bodies import Claim
from cmemory.domain.model.life import Status
from cmemory.domain.predicates.identity import read_qualifiers
from cmemory.domain.predicates.registry import MISC_ALARM_SHARE, find
from cmemory.domain.predicates.values import accept

_MISC = "misc.unclassified"

#: Active claims from which on a share says something; two of the first five prove nothing about the vocabulary.
_ENOUGH_CLAIMS = 20


def retired(snapshot: Snapshot) -> Iterator[Found]:
    """Yield the active claims under a key, or with a value or qualifier, that the vocabulary does not know."""
    for record in snapshot.records:
        body = record.body
        if not isinstance(body, Claim) or record.status != Status.ACTIVE.value:
            continue
        row = find(body.predicate)
        if row is None:
            yield Code.PREDICATE_RETIRED, record.id
        elif accept(row, body.value) is None or read_qualifiers(row, dict(body.qualifiers)) is None:
            yield Code.VALUE_RETIRED, record.id


def misc(snapshot: Snapshot) -> Iterator[Found]:
    """Yield the alarm when too much of what is believed fits no key."""
    active = (one for one in snapshot.records if one.status == Status.ACTIVE.value)
    keys = Counter(one.body.predicate for one in active if isinstance(one.body, Claim))
    if keys.total() >= _ENOUGH_CLAIMS and keys[_MISC] / keys.total() > MISC_ALARM_SHARE:
        yield Code.MISC_SHARE, _MISC
