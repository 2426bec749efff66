"""What a check of plain rows finds, where no broken database shows it; see `tests/hosts/test_selfcheck.py` for those."""

from __future__ import annotations

from typing import Any

import attrs
import pytest

from cmemory.domain.audit.checks import LOG_ALARM_BYTES, check, check_medium
from cmemory.domain.audit.finding import MENDED_BY_INDEXING, RULES, Code, Finding, Severity, verdict
from cmemory.domain.audit.form import is_instant
from cmemory.domain.audit.rows import (
    EvidenceRow,
    Medium,
    MessageRow,
    RecordRow,
    ScopeRow,
    Snapshot,
    is_sound,
    name_of,
)
from cmemory.domain.model.bodies import Claim
from cmemory.domain.model.instant import EARLIEST, LATEST, Instant
from cmemory.domain.predicates.identity import slot_of
from cmemory.domain.recall.index import body_terms

AT = "2026-03-01T09:00:00.000000Z"
NOW = Instant.parse("2026-03-02T09:00:00Z")
SECRET = b"0123456789abcdef0123456789abcdef"
SCOPE = ScopeRow(1, '["s","o","p"]', "s", "o", "p", 9)


def record(name: str = "r-1", *, no: int = 1, body: Any = None, **fields: Any) -> RecordRow:
    """Return a sound record of a claim, but for the given fields."""
    said = body or Claim(predicate="identity.name", value="Nora")
    row = RecordRow(
        no, name, "claim", "active", said.predicate, slot_of(said), str(said.value).lower(), AT, AT, AT, None, None, 0.5, 0,
        None, "{}", body=said, sealed=True,
    )  # fmt: skip
    return attrs.evolve(row, **fields)


def proof(no: int = 1, **fields: Any) -> EvidenceRow:
    """Return the proof of a record, but for the given fields."""
    return attrs.evolve(EvidenceRow(no, "message", "m-1", "user", None, 5, 9, "Nora"), **fields)


def snapshot(*records: RecordRow, **rows: Any) -> Snapshot:
    """Return the rows of a scope whose index fits its records."""
    given = {
        "scope": SCOPE,
        "evidence": tuple(proof(one.no) for one in records),
        "messages": (MessageRow("m-1", "s", "user", "I'm, Nora", AT, sealed=True),),
        **rows,
    }
    fitting = tuple(attrs.evolve(one, terms=_json(one)) for one in records)
    postings = {
        one.no: body_terms(one.body) for one in fitting if one.body is not None and one.status == "active"
    }
    return Snapshot(records=fitting, postings=postings, **given)


def _json(one: RecordRow) -> str:
    import json

    return json.dumps(dict(body_terms(one.body)) if one.body is not None and one.status == "active" else {})


def found(rows: Snapshot) -> list[tuple[Code, str]]:
    return [(one.code, one.subject) for one in check(rows, secret=SECRET, now=NOW)]


def test_sound_rows_pass() -> None:
    """Nothing is found, and nothing is PASS."""
    rows = snapshot(record(), evidence=(proof(start=5, end=9),))
    assert [] == found(rows)
    assert Severity.PASS is verdict(check(rows, secret=SECRET, now=NOW))


def test_every_code_has_a_severity_and_says_what_helps() -> None:
    """And only warnings and failures are found."""
    assert set(Code) == set(RULES)
    for code in Code:
        finding = Finding(code=code, subject="x")
        assert finding.severity in (Severity.WARN, Severity.FAIL)
        assert finding.advice
    assert all("--repair" in RULES[code][1] for code in MENDED_BY_INDEXING)


def test_the_verdict_is_the_worst() -> None:
    """Whatever the order."""
    warn, fail = (Finding(code=code, subject="x") for code in (Code.FILE_MODE, Code.SCOPE_KEY))
    assert [Severity.PASS, Severity.WARN, Severity.FAIL, Severity.FAIL] == [
        verdict(each) for each in ((), (warn,), (warn, fail), (fail, warn))
    ]


def test_a_scope_that_is_malformed_hides_nothing_else_of_the_form() -> None:
    """Its rows cannot be looked at further, since nobody knows whose they are."""
    rows = snapshot(record(id=7), scope=ScopeRow(3, b"x", "s", "o", "p", 9))  # type: ignore[arg-type]
    assert [(Code.ROW_MALFORMED, "records 7"), (Code.ROW_MALFORMED, "scopes 3")] == found(rows)


def test_a_scope_that_names_nobody_is_told() -> None:
    """Without its names no hash can be compared; the rest is looked at."""
    rows = snapshot(record(), scope=ScopeRow(1, '["*","o","p"]', "*", "o", "p", 0))
    assert [(Code.REVISION_LOW, "1")] == found(rows)


def test_a_proof_by_a_record_that_is_gone_is_told() -> None:
    """Records may prove records."""
    other = proof(source="claim", source_id="r-2")
    assert [(Code.SOURCE_MISSING, "r-1")] == found(snapshot(record(), evidence=(other,)))
    assert [] == found(snapshot(record(), evidence=(attrs.evolve(other, source_id="r-1"),)))


@pytest.mark.parametrize(("start", "end"), [(None, 9), (5, None), (-4, 9), (9, 5), (5, 99), (4, 8)])
def test_a_quote_at_another_place_is_told(start: int | None, end: int | None) -> None:
    """Byte for byte."""
    rows = snapshot(record(), evidence=(proof(start=start, end=end),))
    assert [(Code.QUOTE_MISMATCH, "r-1")] == found(rows)


def test_two_values_count_only_while_both_hold() -> None:
    """An end in the past ends it, one in the future does not."""
    other = Claim(predicate="identity.name", value="Nora Vale")
    for until, crowded in ((str(EARLIEST), False), (AT, False), (str(LATEST), True), (None, True)):
        rows = snapshot(record(valid_until=until), record("r-2", no=2, body=other))
        codes = {code for code, _ in found(rows)} - {Code.INSTANT_ORDER}
        assert codes == ({Code.SLOT_CROWDED} if crowded else set())


def test_a_circle_is_told_once_however_long() -> None:
    """By its smallest id; what leads into it is not part of it."""
    ring = [record(f"r-{no}", no=no, status="superseded", supersedes=f"r-{no % 3 + 1}") for no in (1, 2, 3)]
    tail = record("r-0", no=9, status="superseded", supersedes="r-2")
    assert [(Code.CHAIN_CYCLE, "r-1")] == found(snapshot(tail, *ring))


def test_the_medium_is_told_with_its_files_and_tables() -> None:
    """Each kind of trouble by itself."""
    medium = Medium(
        complaints=3,
        orphaned_tables=("evidence",),
        exposed_files=("luna.db",),
        log_bytes=LOG_ALARM_BYTES + 1,
        cleaning_due=True,
        stray_postings=1,
    )
    assert () == check_medium(Medium(log_bytes=LOG_ALARM_BYTES))
    assert {
        Code.MEDIUM_DAMAGED,
        Code.REFERENCE_BROKEN,
        Code.FILE_MODE,
        Code.LOG_LEFT_OVER,
        Code.CLEANING_DUE,
        Code.INDEX_ORPHAN,
    } == {one.code for one in check_medium(medium)}


@pytest.mark.parametrize(
    "text",
    ["", "2026-03-01", "2026-W09-7T09:00:00.00000Z", AT.lower(), AT + " ", "2026-13-01T09:00:00.000000Z"],
)
def test_only_the_form_of_fixed_width_is_an_instant(text: str) -> None:
    """Text order is time order in no other."""
    assert not is_instant(text)
    assert is_instant(AT) and is_instant(str(EARLIEST)) and is_instant(str(LATEST))


def test_a_row_is_named_by_what_names_it() -> None:
    """And by a question mark when that itself cannot be read."""
    assert ["r-1", "1", "?", "?"] == [
        name_of(row) for row in (record(), proof(), record(id="\ud800"), attrs.evolve(proof(), record=None))
    ]
    assert not is_sound(record(id="\ud800"))
