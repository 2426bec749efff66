"""`selfcheck`: a sound database passes, and each thing that is broken in it is told, and nothing else."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from stocked import FORGOTTEN, LATER, fill, scope_of, stock

from cmemory import Memory, ScopedMemory, StoreError
from cmemory.adapters.sqlite import survey
from cmemory.adapters.sqlite.indexing import index_messages
from cmemory.adapters.sqlite.seal import SEAL_ALL, seal
from cmemory.app.selfcheck import SelfcheckReport
from cmemory.domain.audit.checks import LOG_ALARM_BYTES
from cmemory.domain.audit.finding import MENDED_BY_INDEXING, RULES, Code, Severity
from cmemory.domain.evidence.suppression import Guard
from cmemory.domain.policy import GOVERNED, AssociationPolicy, Policy, WindowPolicy

NORA = "id = 'claim-name'"


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database in which nothing is wrong."""
    path = tmp_path_factory.mktemp("stocked") / "luna.db"
    stock(path)
    return path


@pytest.fixture
def copy(sound: Path, tmp_path: Path) -> Path:
    """A copy of it to break something in."""
    path = tmp_path / "luna.db"
    shutil.copy(sound, path)
    return path


def break_it(path: Path, *statements: str, sealed: bool = True, indexed: bool = False) -> None:
    """Carry out statements as somebody might who goes round the library; seal the rows, and index the messages anew."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.create_function("seal", -1, seal, deterministic=True)
        for statement in (*statements, *(SEAL_ALL if sealed else ())):
            connection.execute(statement)
        if indexed:
            index_messages(connection, 1)


def look(path: Path, *, repair: bool = False) -> SelfcheckReport:
    with Memory.open(path) as memory:
        return memory.selfcheck(now=LATER, repair=repair)


def codes(report: SelfcheckReport) -> list[tuple[Code, str]]:
    return [(one.code, one.subject) for one in report.findings]


def test_a_sound_database_passes(sound: Path) -> None:
    """One of everything is looked at."""
    report = look(sound)
    assert ((), Severity.PASS) == (report.findings, report.severity)
    assert (1, 10, 14) == (report.scopes, report.records, report.messages)


def test_a_memory_without_a_file_passes(luna: ScopedMemory, memory: Memory) -> None:
    """Every store can be looked over."""
    fill(luna)
    report = memory.selfcheck(now=LATER)
    assert () == report.findings
    assert (1, 10, 14) == (report.scopes, report.records, report.messages)


BROKEN = {
    "a scope with another key": (Code.SCOPE_KEY, "1", "UPDATE scopes SET key = 'x'"),
    "a revision that went back": (Code.REVISION_LOW, "1", "UPDATE scopes SET revision = 3"),
    "a record that is no text": (
        Code.ROW_MALFORMED,
        "records claim-short",
        "UPDATE records SET slot = x'00' WHERE id = 'claim-short'",
    ),
    "a text that is no UTF-8": (
        Code.ROW_MALFORMED,
        "messages m-11",
        "UPDATE messages SET text = cast(x'80' AS TEXT) WHERE id = 'm-11'",
    ),
    "a body that spells nothing": (
        Code.BODY_UNREADABLE,
        "claim-short",
        "UPDATE records SET body = '{}' WHERE id = 'claim-short'",
    ),
    "a body that is no JSON": (
        Code.BODY_UNREADABLE,
        "claim-short",
        "UPDATE records SET body = 'x' WHERE id = 'claim-short'",
    ),
    "a slot that is another's": (
        Code.COLUMN_MISMATCH,
        "claim-name",
        f"UPDATE records SET slot = 'x' WHERE {NORA}",
    ),
    "a meaning that differs": (
        Code.COLUMN_MISMATCH,
        "claim-name",
        f"UPDATE records SET meaning = 'x' WHERE {NORA}",
    ),
    "a kind that is another's": (
        Code.COLUMN_MISMATCH,
        "claim-name",
        f"UPDATE records SET kind = 'episode' WHERE {NORA}",
    ),
    "a status nobody knows": (
        Code.TOKEN_UNKNOWN,
        "claim-short",
        "UPDATE records SET status = 'x' WHERE id = 'claim-short'",
    ),
    "a kind nobody knows": (Code.TOKEN_UNKNOWN, "claim-name", f"UPDATE records SET kind = 'x' WHERE {NORA}"),
    "a role nobody knows": (
        Code.TOKEN_UNKNOWN,
        "episode-fog",
        "UPDATE evidence SET role = 'x' WHERE source_id = 'm-6'",
    ),
    "a speaker nobody knows": (
        Code.TOKEN_UNKNOWN,
        "m-11",
        "UPDATE messages SET speaker = 'x' WHERE id = 'm-11'",
    ),
    "a thread status nobody knows": (Code.TOKEN_UNKNOWN, None, "UPDATE threads SET status = 'x'"),
    "an importance beyond 1": (
        Code.OUT_OF_BOUNDS,
        "claim-name",
        f"UPDATE records SET importance = 1.5 WHERE {NORA}",
    ),
    "a negative count": (Code.OUT_OF_BOUNDS, "m-9", "UPDATE jobs SET attempts = -1 WHERE message_id = 'm-9'"),
    "an instant in another form": (
        Code.INSTANT_FORM,
        "m-9",
        "UPDATE messages SET at = '2026-03-08 11:00' WHERE id = 'm-9'",
    ),
    "a day that does not exist": (
        Code.INSTANT_FORM,
        "p-1",
        "UPDATE pending SET created_at = '2026-02-30T09:00:00.000000Z'",
    ),
    "a change before the beginning": (
        Code.INSTANT_ORDER,
        "claim-name",
        f"UPDATE records SET updated_at = '2026-02-01T09:00:00.000000Z' WHERE {NORA}",
    ),
    "an index entry that is gone": (
        Code.INDEX_MISSING,
        "claim-name",
        "DELETE FROM terms WHERE term = 'nora'",
    ),
    "an index entry too much": (
        Code.INDEX_ORPHAN,
        "claim-name",
        f"INSERT INTO terms SELECT scope, 'x', no, 1 FROM records WHERE {NORA}",
    ),
    "an index entry of an ended record": (
        Code.INDEX_ORPHAN,
        "claim-short",
        "INSERT INTO terms SELECT scope, 'short', no, 1 FROM records WHERE id = 'claim-short'",
    ),
    "an index entry of nothing": (Code.INDEX_ORPHAN, "99", "INSERT INTO terms VALUES (1, 'x', 99, 1)"),
    "an index entry of no scope": (Code.INDEX_ORPHAN, "database", "INSERT INTO terms VALUES (7, 'x', 99, 1)"),
    "an index entry miscounted": (
        Code.INDEX_WRONG,
        "claim-name",
        "UPDATE terms SET count = 9 WHERE term = 'nora'",
    ),
    "a copy of the entries that differs": (
        Code.INDEX_WRONG,
        "claim-name",
        f"UPDATE records SET terms = '{{}}' WHERE {NORA}",
    ),
    "a record without proof": (
        Code.EVIDENCE_MISSING,
        "claim-name",
        "DELETE FROM evidence WHERE source_id = 'm-1'",
    ),
    "a message that is gone": (Code.SOURCE_MISSING, "claim-name", "DELETE FROM messages WHERE id = 'm-1'"),
    "a message that changed": (
        Code.QUOTE_MISMATCH,
        "claim-name",
        "UPDATE messages SET text = 'I''m Dora.' WHERE id = 'm-1'",
    ),
    "a quote that moved by a byte": (
        Code.QUOTE_MISMATCH,
        "claim-home",
        "UPDATE evidence SET quote_start = 1, quote_end = 19 WHERE source_id = 'm-2'",
    ),
    "a quote without its words": (
        Code.QUOTE_MISMATCH,
        "claim-name",
        "UPDATE evidence SET quote = NULL WHERE source_id = 'm-1'",
    ),
    "a message of another speaker": (
        Code.SPEAKER_MISMATCH,
        "claim-name",
        "UPDATE messages SET speaker = 'assistant' WHERE id = 'm-1'",
    ),
    "two values where one can be true": (
        Code.SLOT_CROWDED,
        "claim-short",
        "UPDATE records SET status = 'active', valid_until = NULL WHERE id = 'claim-short'",
    ),
    "a record that replaced nothing": (
        Code.CHAIN_DANGLING,
        "claim-long",
        "UPDATE records SET supersedes = 'x' WHERE id = 'claim-long'",
    ),
    "records that replace each other": (
        Code.CHAIN_CYCLE,
        "claim-long",
        "UPDATE records SET supersedes = 'claim-long' WHERE id = 'claim-short'",
    ),
    "a record that replaces itself": (
        Code.CHAIN_CYCLE,
        "claim-name",
        f"UPDATE records SET supersedes = id WHERE {NORA}",
    ),
    "a thread of nothing": (Code.THREAD_DANGLING, None, "UPDATE threads SET record_id = 'x'"),
    "a job of nothing": (Code.JOB_DANGLING, "x", "UPDATE jobs SET message_id = 'x' WHERE message_id = 'm-9'"),
    "a job of the companion's words": (
        Code.JOB_DANGLING,
        "m-9",
        "UPDATE messages SET speaker = 'assistant' WHERE id = 'm-9'",
    ),
    "a forgotten record": (
        Code.SUPPRESSED_PRESENT,
        "claim-name",
        "INSERT INTO suppressions VALUES (1, 'record', 'claim-name', '2026-03-08T09:00:00.000000Z', 0)",
    ),
    "a forgotten key": (
        Code.SUPPRESSED_PRESENT,
        "claim-name",
        "INSERT INTO suppressions VALUES (1, 'predicate', 'identity.name', '2026-03-08T09:00:00.000000Z', 0)",
    ),
    "a forgotten message": (
        Code.SUPPRESSED_PRESENT,
        "m-9",
        "INSERT INTO suppressions VALUES (1, 'record', 'm-9', '2026-03-08T09:00:00.000000Z', 0)",
    ),
    "a hash that nobody could lift": (
        Code.FINGERPRINT_LOOSE,
        "claim-petra",
        "DELETE FROM suppressions WHERE target = 'claim-petra'",
    ),
    "a hash that is none": (
        Code.FINGERPRINT_LOOSE,
        "claim-petra",
        "UPDATE fingerprints SET digest = 'x' WHERE digest = (SELECT min(digest) FROM fingerprints)",
    ),
    "a conclusion from nothing": (
        Code.SUPPORT_DANGLING,
        None,
        "UPDATE records SET body = replace(body, 'claim-run', 'claim-ran') WHERE kind = 'inference'",
    ),
    "a key that was retired": (Code.PREDICATE_RETIRED, "claim-name", None),
    "a token that was retired": (Code.VALUE_RETIRED, "claim-long", None),
}


def retire(path: Path, record_id: str, change: str) -> None:
    """Rewrite a body as an older vocabulary would have had it, columns and index included."""
    break_it(
        path,
        f"UPDATE records SET body = {change} WHERE id = '{record_id}'",
        f"""UPDATE records SET predicate = json_extract(body, '$.predicate'),
            meaning = lower(json_extract(body, '$.value')),
            slot = replace(slot, predicate, json_extract(body, '$.predicate')) WHERE id = '{record_id}'""",
    )
    with Memory.open(path) as memory:
        scope_of(memory).reindex()


@pytest.mark.parametrize("what", BROKEN)
def test_what_is_broken_is_told_and_nothing_else(copy: Path, what: str) -> None:
    """On a copy, going round the library."""
    code, subject, statement = BROKEN[what]
    if code is Code.PREDICATE_RETIRED:
        retire(copy, "claim-name", "json_set(body, '$.predicate', 'identity.nickname')")
    elif code is Code.VALUE_RETIRED:
        retire(copy, "claim-long", "json_set(body, '$.value', 'chatty')")
    else:
        readable = "UTF-8" not in what
        break_it(copy, str(statement), sealed=readable, indexed=readable)
    report = look(copy)
    assert [code] == [one.code for one in report.findings]
    assert subject in (None, report.findings[0].subject)
    assert RULES[code][0] is report.severity


BOW = "(SELECT no FROM messages WHERE id = 'm-10')"
ONE_EDGE = "INSERT INTO associations SELECT scope, {}, session, 0.1, 1, created_at, updated_at, turn, 0 FROM associations"

#: What somebody might do to the index of what was said and to associations, and everything that is then found.
OF_WHAT_WAS_SAID = {
    "an entry that is gone": (
        {(Code.SAID_MISSING, "m-10")},
        f"DELETE FROM utterance_terms WHERE term = 'bow' AND message = {BOW}",
    ),
    "an entry too much": (
        {(Code.SAID_ORPHAN, "m-10")},
        f"INSERT INTO utterance_terms VALUES (1, 'arrow', {BOW}, 1)",
    ),
    "an entry of nothing": (
        {(Code.SAID_ORPHAN, "99")},
        "INSERT INTO utterance_terms VALUES (1, 'arrow', 99, 1)",
    ),
    "an entry of no scope": (
        {(Code.SAID_ORPHAN, "database")},
        "INSERT INTO utterance_terms VALUES (7, 'arrow', 99, 1)",
    ),
    "an entry miscounted": (
        {(Code.SAID_WRONG, "m-10"), (Code.SAID_WRONG, "utterance_counts")},
        f"UPDATE utterance_terms SET count = 9 WHERE term = 'bow' AND message = {BOW}",
    ),
    "a copy of the entries that differs": (
        {(Code.SAID_WRONG, "m-10")},
        "UPDATE messages SET terms = '{}' WHERE id = 'm-10'",
    ),
    "a copy that is no JSON": (
        {(Code.SAID_WRONG, "m-10")},
        "UPDATE messages SET terms = 'x' WHERE id = 'm-10'",
    ),
    "places miscounted": (
        {(Code.SAID_WRONG, "m-10")},
        "UPDATE messages SET places = 9 WHERE id = 'm-10'",
    ),
    "a message that changed behind its entries": (
        {(Code.SAID_MISSING, "m-10")},
        "UPDATE messages SET text = 'I kept the bow and the arrow.' WHERE id = 'm-10'",
    ),
    "a term counted too often": (
        {(Code.SAID_WRONG, "utterance_counts")},
        "UPDATE utterance_counts SET messages = 9 WHERE term = 'bow'",
    ),
    "a term that is not counted": (
        {(Code.SAID_WRONG, "utterance_counts")},
        "DELETE FROM utterance_counts WHERE term = 'bow'",
    ),
    "a term that nobody says": (
        {(Code.SAID_WRONG, "utterance_counts")},
        "INSERT INTO utterance_counts VALUES (1, 'arrow', 1, 1)",
    ),
    "messages miscounted": (
        {(Code.SAID_WRONG, "utterance_counts")},
        "UPDATE utterance_counts SET messages = 9 WHERE term = ''",
    ),
    "counts of no scope": (
        {(Code.SAID_ORPHAN, "database")},
        "INSERT INTO utterance_counts VALUES (7, 'arrow', 1, 1)",
    ),
    "an association of nothing": (
        {(Code.EDGE_DANGLING, "m-10 m-99")},
        "UPDATE associations SET target = 'm-99'",
    ),
    "an association in the wrong order": (
        {(Code.EDGE_ORDER, "m-9 m-10")},
        "UPDATE associations SET source = 'm-9', target = 'm-10'",
    ),
    "an association with itself": (
        {(Code.EDGE_ORDER, "m-9 m-9")},
        "UPDATE associations SET source = 'm-9'",
    ),
    "an association of another conversation": (
        {(Code.EDGE_SESSION, "m-10 m-9")},
        "UPDATE associations SET session = 's1'",
    ),
    "an association across conversations": (
        {(Code.EDGE_SESSION, "m-1 m-9")},
        ONE_EDGE.format("'m-1', 'm-9'"),
    ),
    "a weight below 0": ({(Code.OUT_OF_BOUNDS, "m-10 m-9")}, "UPDATE associations SET weight = -0.1"),
    "a weight without end": ({(Code.OUT_OF_BOUNDS, "m-10 m-9")}, "UPDATE associations SET before = 9e999"),
    "an association of no use": ({(Code.OUT_OF_BOUNDS, "m-10 m-9")}, "UPDATE associations SET count = 0"),
    "an association that changed before it began": (
        {(Code.INSTANT_ORDER, "m-10 m-9")},
        "UPDATE associations SET updated_at = '2026-02-01T09:00:00.000000Z'",
    ),
    "an association too heavy": ({(Code.EDGE_EXCESS, "m-10 m-9")}, "UPDATE associations SET weight = 1.1"),
    "an exchange of nothing": (
        {(Code.EXCHANGE_DANGLING, "m-99")},
        "UPDATE exchanges SET said = 'm-99'",
    ),
    "an exchange whose answer is gone": (
        {(Code.EXCHANGE_DANGLING, "m-13")},
        "UPDATE exchanges SET answered = 'm-99'",
    ),
    "an exchange that the companion began": (
        {(Code.EXCHANGE_DANGLING, "m-14")},
        "UPDATE exchanges SET said = 'm-14'",
    ),
    "an exchange tried too seldom": (
        {(Code.OUT_OF_BOUNDS, "m-13")},
        "UPDATE exchanges SET attempts = -1",
    ),
    "an exchange of no time": (
        {(Code.INSTANT_FORM, "m-13")},
        "UPDATE exchanges SET queued_at = 'yesterday'",
    ),
    "an exchange that is no text": (
        {(Code.ROW_MALFORMED, "exchanges m-13")},
        "UPDATE exchanges SET answered = x'00'",
    ),
    "a state that is no JSON": ({(Code.STATE_UNREADABLE, "1")}, "UPDATE states SET state = '{'"),
    "a state of another form": ({(Code.STATE_UNREADABLE, "1")}, "UPDATE states SET state = '{\"mood\": 5}'"),
    "an association that is no text": (
        {(Code.ROW_MALFORMED, "edges m-10 m-9")},
        "UPDATE associations SET turn = x'00'",
    ),
}


@pytest.mark.parametrize("what", OF_WHAT_WAS_SAID)
def test_what_is_broken_of_what_was_said_is_told_and_nothing_else(copy: Path, what: str) -> None:
    """Repair mends the index and its counts, and leaves associations as they are."""
    expected, statement = OF_WHAT_WAS_SAID[what]
    break_it(copy, statement)
    assert expected == set(codes(look(copy)))
    left = {one for one in expected if one[0] not in MENDED_BY_INDEXING}
    assert left == set(codes(look(copy, repair=True)))


def test_a_long_log_is_read_in_parts(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same is found whatever their size; index entries belong to the part that has their message."""
    break_it(copy, OF_WHAT_WAS_SAID["an entry too much"][1])
    for size in (1, 3, 11):
        monkeypatch.setattr(survey, "_BATCH", size)
        assert [(Code.SAID_ORPHAN, "m-10")] == codes(look(copy))


def test_more_associations_than_a_conversation_keeps_are_told(copy: Path) -> None:
    """By the policy of whoever looks; a copy, which knows none, is held to none."""
    break_it(copy, ONE_EDGE.format("'m-10', 'm-11'"))
    assert [] == codes(look(copy))
    few = Policy(window=WindowPolicy(association=AssociationPolicy(max_edges=1)))
    with Memory.open(copy, policy=few) as memory:
        report = memory.selfcheck(now=LATER)
        assert [(Code.EDGE_EXCESS, "m-10 m-9")] == codes(report)
        assert Severity.WARN is report.severity
        assert () == memory.backup(copy.with_suffix(".copy")).findings


def test_repair_without_any_relationship_left_is_harmless(tmp_path: Path) -> None:
    """Entries of no scope can only be told then."""
    path = tmp_path / "empty.db"
    Memory.open(path).close()
    break_it(path, "INSERT INTO utterance_terms VALUES (7, 'arrow', 99, 1)")
    report = look(path, repair=True)
    assert ([(Code.SAID_ORPHAN, "database")], 0) == (codes(report), report.reindexed)


def test_a_forgotten_person_is_told(copy: Path) -> None:
    """The name is kept as a hash only; it is recognised all the same."""
    with Memory.open(copy) as memory:
        scope = scope_of(memory).scope
    digest = Guard(scope=scope, secret=bytes(range(32)), policy=GOVERNED.forgetting).entity_digest("里斯本")
    break_it(
        copy, f"INSERT INTO suppressions VALUES (1, 'entity', '{digest}', '2026-03-08T09:00:00.000000Z', 0)"
    )
    assert [(Code.SUPPRESSED_PRESENT, "claim-home")] == codes(look(copy))


def test_everything_forgotten_and_still_there_is_told(copy: Path) -> None:
    """Every record and every message."""
    break_it(copy, "INSERT INTO suppressions VALUES (1, 'all', '*', '2026-03-08T09:00:00.000000Z', 0)")
    assert {Code.SUPPRESSED_PRESENT} == {code for code, _ in codes(look(copy))}


@pytest.mark.parametrize(
    ("table", "where", "subject"),
    [("messages", "id = 'm-9'", "m-9"), ("records", NORA, "claim-name"), ("threads", "1", None)],
)
def test_a_row_that_changed_by_itself_is_told(
    copy: Path, table: str, where: str, subject: str | None
) -> None:
    """One letter of a message that nothing quotes is enough."""
    column = {"messages": "text", "records": "proposer", "threads": "summary"}[table]
    break_it(copy, f"UPDATE {table} SET {column} = {column} || 'x' WHERE {where}", sealed=False, indexed=True)
    ((code, found),) = codes(look(copy))
    assert code is Code.SEAL_BROKEN
    assert subject in (None, found)


def test_a_row_without_its_parent_is_told(copy: Path) -> None:
    """By the medium's own check."""
    break_it(copy, "INSERT INTO evidence VALUES (99, 0, 'message', 'm-1', 'user', NULL, 0, 1, 'I')")
    assert [(Code.REFERENCE_BROKEN, "evidence")] == codes(look(copy))


def test_a_file_that_others_may_read_is_told(copy: Path) -> None:
    """It holds what somebody said in confidence."""
    copy.chmod(0o644)
    report = look(copy)
    assert {(Code.FILE_MODE, name) for name in ("luna.db", "luna.db-wal", "luna.db-shm")} == set(
        codes(report)
    )
    assert report.severity is Severity.WARN


def test_a_log_that_was_left_is_told(copy: Path) -> None:
    """Of ordinary work a few megabytes stay at most."""
    with Memory.open(copy) as memory:
        scope_of(memory).observe("one more", at=LATER)
        os.truncate(f"{copy}-wal", LOG_ALARM_BYTES + 1)
        assert [(Code.LOG_LEFT_OVER, "log")] == codes(memory.selfcheck(now=LATER))


def test_an_erasure_that_a_reader_holds_up_is_told(copy: Path) -> None:
    """Until the reader ends, its snapshot needs the old pages."""
    reader = sqlite3.connect(copy, isolation_level=None)
    with Memory.open(copy) as memory:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM records").fetchone()
        scope_of(memory).forget("claim-name", now=LATER)
        assert [(Code.CLEANING_DUE, "database")] == codes(memory.selfcheck(now=LATER))
        reader.close()
        scope_of(memory).stats()
        assert () == memory.selfcheck(now=LATER).findings


def test_too_much_that_fits_no_key_is_told(copy: Path) -> None:
    """From twenty claims on; a share of few says nothing."""
    with Memory.open(copy) as memory:
        luna = scope_of(memory)
        for number in range(19):
            luna.remember(f"thing number {number}", predicate="misc.unclassified", at=LATER)
        assert [Code.MISC_SHARE] == [code for code, _ in codes(memory.selfcheck(now=LATER))]


def test_damaged_pages_are_told(copy: Path) -> None:
    """A page of the index by time loses its cells; what can be read without it is still looked over."""
    connection = sqlite3.connect(copy)
    (root,) = connection.execute(
        "SELECT rootpage FROM sqlite_master WHERE name = 'decisions_by_time'"
    ).fetchone()
    connection.close()
    with copy.open("r+b") as file:
        file.seek((root - 1) * 4096 + 3)
        file.write(b"\x00\x00")
    assert [(Code.MEDIUM_DAMAGED, "database")] == codes(look(copy))


def test_repair_rebuilds_the_index_and_nothing_else(copy: Path) -> None:
    """Whatever is wrong with it; other findings stay."""
    break_it(
        copy,
        "DELETE FROM terms",
        "UPDATE records SET terms = 'x'",
        "UPDATE scopes SET revision = 3",
        "DELETE FROM utterance_terms",
        "UPDATE messages SET terms = 'x'",
        "INSERT INTO terms VALUES (7, 'arrow', 99, 1)",
    )
    report = look(copy)
    broken = {Code.INDEX_MISSING, Code.INDEX_WRONG, Code.INDEX_ORPHAN, Code.SAID_MISSING, Code.SAID_WRONG}
    assert {Code.REVISION_LOW, *broken} == {one.code for one in report.findings}
    repaired = look(copy, repair=True)
    assert [Code.REVISION_LOW] == [one.code for one in repaired.findings]
    assert 7 < repaired.reindexed < 10
    with Memory.open(copy) as memory:
        assert ["claim-home"] == [hit.id for hit in scope_of(memory).search("里斯本", now=LATER)]
        found = scope_of(memory).search("bow", kind="utterance", now=LATER)
        assert ["m-10"] == [hit.id for hit in found]


def test_findings_hold_no_word_of_the_person(copy: Path) -> None:
    """Whatever is broken, all at once."""
    statements = [
        str(sql)
        for code, _, sql in BROKEN.values()
        if sql and code not in (Code.FINGERPRINT_LOOSE, Code.CHAIN_CYCLE)
    ]
    statements += [sql for _, sql in OF_WHAT_WAS_SAID.values()]
    for statement in statements:
        try:
            break_it(copy, statement, sealed=False)
        except sqlite3.IntegrityError:
            continue
    report = look(copy)
    said = ("Nora", "里斯本", "short", "run on", "basil", "Porto", "cello", "bow", "arrow", FORGOTTEN)
    text = " ".join(f"{one.subject} {one.advice}" for one in report.findings)
    assert len(report.findings) > 20
    assert not [word for word in said if word in text.replace("claim-short", "")]


def command(path: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "cmemory", "--database", str(path), "--now", LATER, *arguments],
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_command_tells_its_verdict_by_its_exit_code(copy: Path) -> None:
    """0 for PASS and WARN, 1 for FAIL; --repair mends the index."""
    done = command(copy, "selfcheck")
    assert (0, "PASS") == (done.returncode, done.stdout.split(":")[0])
    break_it(copy, "DELETE FROM terms")
    done = command(copy, "selfcheck", "--json")
    document = json.loads(done.stdout)
    assert (1, "fail") == (done.returncode, document["severity"])
    assert {"index_missing"} == {one["code"] for one in document["findings"]}
    assert 0 == command(copy, "selfcheck", "--repair").returncode
    copy.chmod(0o640)
    done = command(copy, "selfcheck")
    assert (0, True) == (done.returncode, "WARN" in done.stdout)


def test_a_database_that_cannot_be_opened_says_what_helps(copy: Path) -> None:
    """The look is not even begun."""
    os.truncate(copy, 4096 * 3)
    done = command(copy, "selfcheck")
    assert 3 == done.returncode
    assert "restore a backup" in done.stderr


def test_a_table_that_is_gone_is_noticed_on_open(copy: Path) -> None:
    """Instead of an odd failure later."""
    for statement in ("DROP TABLE terms", "DROP INDEX records_by_predicate"):
        again = copy.with_suffix(".again")
        shutil.copy(copy, again)
        break_it(again, statement)
        with pytest.raises(StoreError, match="restore a backup"):
            Memory.open(again)
