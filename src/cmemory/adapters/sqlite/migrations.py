"""The schema, step by step. Each step runs once, in one transaction together with the new version number.

Whoever opens a database brings it up to date; two processes that start at once do it one after the other. A
database written by a newer version is refused, and so is any file that is not ours.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable

from cmemory.adapters.sqlite import edges, vectors, waiting
from cmemory.adapters.sqlite.connection import transaction
from cmemory.adapters.sqlite.errors import DAMAGED, translated
from cmemory.adapters.sqlite.indexing import index_messages, index_stories
from cmemory.adapters.sqlite.seal import SEAL_ALL, seal
from cmemory.domain.errors import StoreError

#: Marks a file as ours in its header: ``cmem`` in ASCII.
APPLICATION_ID = 0x636D656D


def first_schema(connection: sqlite3.Connection) -> None:
    """Create everything. Instants are texts of fixed width, so the order of text is the order of time."""
    for statement in _FIRST_SCHEMA:
        connection.execute(statement)


def seals(connection: sqlite3.Connection) -> None:
    """Give the rows that hold texts a checksum."""
    for table in ("messages", "records", "threads"):
        connection.execute(f"ALTER TABLE {table} ADD COLUMN seal INTEGER")
    connection.create_function("seal", -1, seal, deterministic=True)
    for statement in SEAL_ALL:
        connection.execute(statement)


def utterances(connection: sqlite3.Connection) -> None:
    """Index what was said, all that is there included; `reindex`, which does the same, took 17 s for 100,000 messages."""
    for statement in _UTTERANCES:
        connection.execute(statement)
    for (scope,) in connection.execute("SELECT no FROM scopes").fetchall():
        index_messages(connection, scope)


def associations(connection: sqlite3.Connection) -> None:
    """Make room for edges between utterances that were of use together."""
    for statement in edges.SCHEMA:
        connection.execute(statement)


def notes(connection: sqlite3.Connection) -> None:
    """Make room for exchanges that wait to become notes, and for what a relationship is in the middle of."""
    for statement in waiting.SCHEMA:
        connection.execute(statement)


def embeddings(connection: sqlite3.Connection) -> None:
    """Make room for vectors of messages and records."""
    for statement in vectors.SCHEMA:
        connection.execute(statement)


def marks(connection: sqlite3.Connection) -> None:
    """Tell of each record at which revision it was written; of what is there already, that nobody knows."""
    for statement in _MARKS:
        connection.execute(statement)


def marks_of_suppressions(connection: sqlite3.Connection) -> None:
    """Tell of each suppression at which revision it was written; of what is there already, that nobody knows."""
    for statement in _MARKS_OF_SUPPRESSIONS:
        connection.execute(statement)


def stories(connection: sqlite3.Connection) -> None:
    """Number the stories by their words, so that one that is told again is found without looking at others."""
    for statement in _STORIES:
        connection.execute(statement)
    index_stories(connection)


#: Oldest first; the version of a database is the number of steps it has taken.
MIGRATIONS: tuple[Callable[[sqlite3.Connection], None], ...] = (
    first_schema,
    seals,
    utterances,
    associations,
    notes,
    embeddings,
    marks,
    marks_of_suppressions,
    stories,
)


def check_ours(connection: sqlite3.Connection) -> None:
    """Refuse a file of another application or of a newer version, before anything in it is changed.

    Raises:
        StoreError: the file is not ours, is newer, or cannot be read.
    """
    # One transaction: another process may be taking the first step between two reads.
    with transaction(connection, "BEGIN DEFERRED", action="open"), translated("open"):
        version, application = _pragma(connection, "user_version"), _pragma(connection, "application_id")
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if application != APPLICATION_ID and (application or version or tables):
        raise StoreError(action="open", problem="the file is the database of another application")
    _check_version(version)


def migrate(connection: sqlite3.Connection) -> None:
    """Take every step that the database has not taken yet.

    Raises:
        StoreError: another process holds the database, or it became newer in the meantime.
    """
    while _check_version(_pragma(connection, "user_version")) < len(MIGRATIONS):
        with transaction(connection, "BEGIN EXCLUSIVE", action="open"), translated("open"):
            # Another process may have taken the step while this one waited for the lock.
            version = _pragma(connection, "user_version")
            if version < len(MIGRATIONS):
                _take(connection, version)


def check_whole(connection: sqlite3.Connection) -> None:
    """Refuse a database that lacks a table or an index; reads nothing but the list of them.

    Raises:
        StoreError: something is missing.
    """
    with translated("open"):
        held = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    if _PARTS - held:
        raise StoreError(action="open", problem=DAMAGED)


def _take(connection: sqlite3.Connection, version: int) -> None:
    step = MIGRATIONS[version]
    step(connection)
    connection.execute("INSERT INTO migrations (number, name) VALUES (?, ?)", (version + 1, step.__name__))
    connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version={version + 1}")


def _check_version(version: int) -> int:
    if version > len(MIGRATIONS):
        raise StoreError(
            action="open",
            problem=f"the database has version {version}, this library {len(MIGRATIONS)}: upgrade cmemory",
        )
    return version


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    with translated("open"):
        (value,) = connection.execute(f"PRAGMA {name}").fetchone()
    return int(value)


_FIRST_SCHEMA = (
    "CREATE TABLE migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL)",
    # The secret of the store, and whether the files still have to be cleaned after forgetting.
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID",
    """
    CREATE TABLE scopes (
        no INTEGER PRIMARY KEY,
        key TEXT NOT NULL UNIQUE,
        service TEXT NOT NULL,
        owner TEXT NOT NULL,
        profile TEXT NOT NULL,
        revision INTEGER NOT NULL
    )
    """,
    """
    CREATE TABLE messages (
        no INTEGER PRIMARY KEY,
        scope INTEGER NOT NULL REFERENCES scopes (no),
        id TEXT NOT NULL,
        session TEXT NOT NULL,
        speaker TEXT NOT NULL,
        text TEXT NOT NULL,
        at TEXT NOT NULL,
        UNIQUE (scope, id)
    )
    """,
    "CREATE INDEX messages_by_time ON messages (scope, at, id)",
    "CREATE INDEX messages_by_session ON messages (scope, session, at, id)",
    # An id names one record in the whole store. ``terms`` repeats the record's index entries, so that exactly
    # those are taken out again, whatever the tokeniser has become.
    """
    CREATE TABLE records (
        no INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        scope INTEGER NOT NULL REFERENCES scopes (no),
        kind TEXT NOT NULL,
        status TEXT NOT NULL,
        predicate TEXT,
        slot TEXT,
        meaning TEXT,
        body TEXT NOT NULL,
        created_at TEXT NOT NULL,
        updated_at TEXT NOT NULL,
        valid_from TEXT NOT NULL,
        valid_until TEXT,
        supersedes TEXT,
        importance REAL NOT NULL,
        recall_count INTEGER NOT NULL,
        last_recalled_at TEXT,
        muted INTEGER NOT NULL,
        proposer TEXT NOT NULL,
        version TEXT NOT NULL,
        model TEXT,
        terms TEXT NOT NULL
    )
    """,
    "CREATE INDEX records_by_time ON records (scope, status, updated_at DESC, id)",
    """
    CREATE INDEX records_by_slot ON records (scope, slot, updated_at DESC, id)
        WHERE status = 'active' AND kind = 'claim'
    """,
    """
    CREATE INDEX records_by_meaning ON records (scope, slot, meaning)
        WHERE status = 'active' AND kind = 'claim'
    """,
    """
    CREATE INDEX records_by_predicate ON records (scope, predicate, updated_at DESC, id)
        WHERE status = 'active' AND kind = 'claim'
    """,
    """
    CREATE TABLE evidence (
        record INTEGER NOT NULL REFERENCES records (no) ON DELETE CASCADE,
        place INTEGER NOT NULL,
        source TEXT NOT NULL,
        source_id TEXT NOT NULL,
        speaker TEXT NOT NULL,
        role TEXT,
        quote_start INTEGER,
        quote_end INTEGER,
        quote TEXT,
        PRIMARY KEY (record, place)
    ) WITHOUT ROWID
    """,
    # Postings of the active records. No foreign key: it would need a second index as large as the table.
    """
    CREATE TABLE terms (
        scope INTEGER NOT NULL,
        term TEXT NOT NULL,
        record INTEGER NOT NULL,
        count INTEGER NOT NULL,
        PRIMARY KEY (scope, term, record)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE threads (
        id TEXT NOT NULL PRIMARY KEY,
        scope INTEGER NOT NULL REFERENCES scopes (no),
        record_id TEXT NOT NULL,
        summary TEXT NOT NULL,
        entity_ref TEXT,
        status TEXT NOT NULL,
        opened_at TEXT NOT NULL,
        updated_at TEXT NOT NULL,
        expires_at TEXT,
        followup_session TEXT
    )
    """,
    "CREATE INDEX threads_by_time ON threads (scope, updated_at DESC, id)",
    "CREATE INDEX threads_by_record ON threads (scope, record_id)",
    """
    CREATE TABLE suppressions (
        scope INTEGER NOT NULL REFERENCES scopes (no),
        kind TEXT NOT NULL,
        target TEXT NOT NULL,
        created_at TEXT NOT NULL,
        PRIMARY KEY (scope, kind, target)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE fingerprints (
        scope INTEGER NOT NULL REFERENCES scopes (no),
        digest TEXT NOT NULL,
        label TEXT NOT NULL,
        created_at TEXT NOT NULL,
        PRIMARY KEY (scope, digest, label)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX fingerprints_by_label ON fingerprints (scope, label)",
    """
    CREATE TABLE decisions (
        scope INTEGER NOT NULL REFERENCES scopes (no),
        id TEXT NOT NULL,
        at TEXT NOT NULL,
        action TEXT NOT NULL,
        outcome TEXT NOT NULL,
        reason TEXT NOT NULL,
        record_id TEXT,
        candidate_id TEXT,
        message_id TEXT,
        PRIMARY KEY (scope, id)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX decisions_by_time ON decisions (scope, at, id)",
    "CREATE INDEX decisions_by_record ON decisions (scope, record_id, at, id)",
    "CREATE INDEX decisions_by_message ON decisions (scope, message_id)",
    """
    CREATE TABLE pending (
        id TEXT NOT NULL PRIMARY KEY,
        scope INTEGER NOT NULL REFERENCES scopes (no),
        kind TEXT NOT NULL,
        message_id TEXT NOT NULL,
        reason TEXT NOT NULL,
        created_at TEXT NOT NULL
    )
    """,
    "CREATE INDEX pending_by_time ON pending (scope, created_at, id)",
    "CREATE INDEX pending_by_message ON pending (scope, message_id)",
    """
    CREATE TABLE jobs (
        scope INTEGER NOT NULL REFERENCES scopes (no),
        message_id TEXT NOT NULL,
        enqueued_at TEXT NOT NULL,
        attempts INTEGER NOT NULL,
        due_at TEXT NOT NULL,
        dead INTEGER NOT NULL,
        PRIMARY KEY (scope, message_id)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX jobs_by_time ON jobs (scope, enqueued_at, message_id)",
    "CREATE INDEX jobs_waiting ON jobs (scope, enqueued_at, message_id) WHERE dead = 0",
)

#: ``terms`` repeats the index entries, as for records, and ``places`` counts them, repeats included.
_UTTERANCES = (
    "ALTER TABLE messages ADD COLUMN terms TEXT NOT NULL DEFAULT '{}'",
    "ALTER TABLE messages ADD COLUMN places INTEGER NOT NULL DEFAULT 0",
    """
    CREATE TABLE utterance_terms (
        scope INTEGER NOT NULL,
        term TEXT NOT NULL,
        message INTEGER NOT NULL,
        count INTEGER NOT NULL,
        PRIMARY KEY (scope, term, message)
    ) WITHOUT ROWID
    """,
    # How many messages a term stands in; the empty term stands for all messages. The triggers alone write here, so
    # the counts cannot part from what they count.
    """
    CREATE TABLE utterance_counts (
        scope INTEGER NOT NULL,
        term TEXT NOT NULL,
        messages INTEGER NOT NULL,
        places INTEGER NOT NULL,
        PRIMARY KEY (scope, term)
    ) WITHOUT ROWID
    """,
    # Messages that are there already begin to be counted when their index entries are written.
    "INSERT INTO utterance_counts SELECT scope, '', count(*), 0 FROM messages GROUP BY scope",
    """
    CREATE TRIGGER utterance_added AFTER INSERT ON messages BEGIN
        INSERT INTO utterance_counts VALUES (new.scope, '', 1, new.places) ON CONFLICT (scope, term)
        DO UPDATE SET messages = messages + 1, places = places + excluded.places;
    END
    """,
    """
    CREATE TRIGGER utterance_changed AFTER UPDATE OF places ON messages BEGIN
        UPDATE utterance_counts SET places = places + new.places - old.places
        WHERE scope = old.scope AND term = '';
    END
    """,
    """
    CREATE TRIGGER utterance_removed AFTER DELETE ON messages BEGIN
        UPDATE utterance_counts SET messages = messages - 1, places = places - old.places
        WHERE scope = old.scope AND term = '';
        DELETE FROM utterance_counts WHERE scope = old.scope AND term = '' AND messages = 0;
    END
    """,
    """
    CREATE TRIGGER utterance_term_added AFTER INSERT ON utterance_terms BEGIN
        INSERT INTO utterance_counts VALUES (new.scope, new.term, 1, new.count) ON CONFLICT (scope, term)
        DO UPDATE SET messages = messages + 1, places = places + excluded.places;
    END
    """,
    """
    CREATE TRIGGER utterance_term_removed AFTER DELETE ON utterance_terms BEGIN
        UPDATE utterance_counts SET messages = messages - 1, places = places - old.count
        WHERE scope = old.scope AND term = old.term;
        DELETE FROM utterance_counts WHERE scope = old.scope AND term = old.term AND messages = 0;
    END
    """,
)

# A process that still runs an older version writes records without a mark and moves the revision alone, so ``marked``,
# the revision of the last writer that knew of marks, falls behind. Marks tell what changed from ``told_since`` on.
_MARKS = (
    "ALTER TABLE records ADD COLUMN written_at INTEGER NOT NULL DEFAULT 0",
    "CREATE INDEX records_by_mark ON records (scope, written_at)",
    "ALTER TABLE scopes ADD COLUMN marked INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE scopes ADD COLUMN told_since INTEGER NOT NULL DEFAULT 0",
    "UPDATE scopes SET marked = revision, told_since = revision + 1",
)

# A process that still runs the version before tells each erasure by ``told_since``, and writes no marks here.
_MARKS_OF_SUPPRESSIONS = (
    "ALTER TABLE suppressions ADD COLUMN written_at INTEGER NOT NULL DEFAULT 0",
    "CREATE INDEX suppressions_by_mark ON suppressions (scope, written_at)",
)

_STORIES = (
    "ALTER TABLE records ADD COLUMN story INTEGER",
    """
    CREATE INDEX records_stories ON records (scope, story) WHERE status = 'active' AND kind = 'episode'
    """,
)

_PARTS = frozenset(
    match.group(1)
    for match in map(
        re.compile(r"\s*CREATE (?:TABLE|INDEX|TRIGGER) (\w+)").match,
        (
            *_FIRST_SCHEMA,
            *_UTTERANCES,
            *edges.SCHEMA,
            *waiting.SCHEMA,
            *vectors.SCHEMA,
            *_MARKS,
            *_MARKS_OF_SUPPRESSIONS,
            *_STORIES,
        ),
    )
    if match
)
