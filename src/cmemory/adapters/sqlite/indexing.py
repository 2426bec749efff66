"""Builds the indexes of what was said and of stories, for a migration and for whoever wants it built anew."""

from __future__ import annotations

import json
import sqlite3

from cmemory.adapters.sqlite import rows

#: Messages that are held in memory at once.
_BATCH = 1000

ADD_SAID = "INSERT INTO utterance_terms (scope, term, message, count) VALUES (?, ?, ?, ?)"


def index_messages(connection: sqlite3.Connection, scope: int) -> int:
    """Write the index entries of all messages of a scope anew, and return how many messages there are.

    Works within the caller's transaction.
    """
    connection.execute("DELETE FROM utterance_terms WHERE scope = ?", (scope,))
    # The triggers only add to these and take away, so that a wrong one would stay wrong.
    connection.execute("DELETE FROM utterance_counts WHERE scope = ?", (scope,))
    connection.execute(_COUNT_MESSAGES, (scope,))
    done = last = 0
    while batch := connection.execute(_NEXT, (scope, last, _BATCH)).fetchall():
        entries = [(no, rows.said_text(text)) for no, text in batch]
        connection.executemany(
            "UPDATE messages SET terms = ?, places = ? WHERE no = ?",
            [(terms, rows.places(terms), no) for no, terms in entries],
        )
        connection.executemany(
            ADD_SAID,
            [
                (scope, term, no, count)
                for no, terms in entries
                for term, count in rows.postings(terms).items()
            ],
        )
        done += len(batch)
        last = batch[-1][0]
    return done


def index_stories(connection: sqlite3.Connection) -> None:
    """Write the numbers of all stories anew. Works within the caller's transaction."""
    connection.create_function("story_number", 1, _story_number, deterministic=True)
    connection.execute("UPDATE records SET story = story_number(body) WHERE kind = 'episode'")


def _story_number(body: str) -> int | None:
    try:
        return rows.story_number(json.loads(body)["narrative"])
    except (ValueError, TypeError, KeyError):
        # What cannot be read is for the selfcheck to tell.
        return None


_COUNT_MESSAGES = """
    INSERT INTO utterance_counts
    SELECT scope, '', count(*), sum(places) FROM messages WHERE scope = ? GROUP BY scope
"""
_NEXT = "SELECT no, text FROM messages WHERE scope = ? AND no > ? ORDER BY no LIMIT ?"
