"""Whether the full-text indexes say what records and messages say: nothing missing, nothing too much, nothing miscounted."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from cmemory.domain.audit.finding import Code
from cmemory.domain.audit.form import Found
from cmemory.domain.audit.rows import RecordRow, SaidRow, Snapshot, is_sound, name_of
from cmemory.domain.model.life import Status
from cmemory.domain.recall.index import body_terms
from cmemory.domain.recall.said import message_terms


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
    return _kind(expected, posted, (Code.INDEX_MISSING, Code.INDEX_ORPHAN, Code.INDEX_WRONG))


def said(snapshot: Snapshot) -> Iterator[Found]:
    """Yield the messages that the index gets wrong, the numbers in it that name none, and its counts when they are off."""
    for row in snapshot.said:
        if not is_sound(row):
            yield Code.ROW_MALFORMED, f"messages {name_of(row)}"
        elif (found := _said_flaw(row)) is not None:
            yield found, row.id
    for number in snapshot.said_strays:
        yield Code.SAID_ORPHAN, str(number)
    if snapshot.said_miscounted:
        yield Code.SAID_WRONG, "utterance_counts"


def _said_flaw(row: SaidRow) -> Code | None:
    expected = message_terms(row.text)
    if row.posted == expected == _entries(row.terms) and row.places == sum(expected.values()):
        return None
    return _kind(expected, row.posted, (Code.SAID_MISSING, Code.SAID_ORPHAN, Code.SAID_WRONG))


def _kind(expected: Mapping[str, int], posted: Mapping[str, int], kinds: tuple[Code, Code, Code]) -> Code:
    """Return which of three flaws it is: something missing, something too much, or something miscounted."""
    missing, orphan, wrong = kinds
    if expected.keys() - posted.keys():
        return missing
    return orphan if posted.keys() - expected.keys() else wrong


def _entries(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
