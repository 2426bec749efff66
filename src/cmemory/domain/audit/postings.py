"""Whether the full-text index says what the records say: nothing missing, nothing too much, nothing miscounted."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from cmemory.domain.audit.finding import Code
from cmemory.domain.audit.form import Found
from cmemory.domain.audit.rows import RecordRow, Snapshot
from cmemory.domain.model.life import Status
from cmemory.domain.recall.index import body_terms


def index(snapshot: Snapshot) -> Iterator[Found]:
    """Yield the records that the index gets wrong, and the numbers in it that name none."""
    numbers = set()
    for record in snapshot.records:
        numbers.add(record.no)
        if record.body is not None:
            found = _flaw(record, snapshot.postings.get(record.no, {}))
            if found is not None:
                yield found, record.id
    for number in sorted(snapshot.postings.keys() - numbers):
        yield Code.INDEX_ORPHAN, str(number)


def _flaw(record: RecordRow, posted: Mapping[str, int]) -> Code | None:
    assert record.body is not None  # noqa: S101 - an unreadable body was told before
    expected = body_terms(record.body) if record.status == Status.ACTIVE.value else {}
    if posted == expected == _entries(record.terms):
        return None
    if expected.keys() - posted.keys():
        return Code.INDEX_MISSING
    return Code.INDEX_ORPHAN if posted.keys() - expected.keys() else Code.INDEX_WRONG


def _entries(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
