"""Looks over a stored state and tells what contradicts itself. Reads plain rows, decides and writes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs

from cmemory.domain.audit import form, guarding, links, postings, vocabulary
from cmemory.domain.audit.finding import Code, Finding
from cmemory.domain.audit.form import Found
from cmemory.domain.audit.rows import Medium, Snapshot, is_sound, name_of
from cmemory.domain.model.instant import Instant
from cmemory.domain.policy import AssociationPolicy

#: A log longer than this was not cut for a long time; in ordinary work it stays below 5 MB.
LOG_ALARM_BYTES = 64 * 1024 * 1024


def check_medium(medium: Medium) -> tuple[Finding, ...]:
    """Return what is wrong with the medium as a whole."""
    found = [Finding(code=Code.REFERENCE_BROKEN, subject=table) for table in medium.orphaned_tables]
    found += [Finding(code=Code.FILE_MODE, subject=name) for name in medium.exposed_files]
    if medium.complaints:
        found.append(Finding(code=Code.MEDIUM_DAMAGED, subject="database"))
    if medium.log_bytes > LOG_ALARM_BYTES:
        found.append(Finding(code=Code.LOG_LEFT_OVER, subject="log"))
    if medium.cleaning_due:
        found.append(Finding(code=Code.CLEANING_DUE, subject="database"))
    if medium.stray_postings:
        found.append(Finding(code=Code.INDEX_ORPHAN, subject="database"))
    if medium.stray_said:
        found.append(Finding(code=Code.SAID_ORPHAN, subject="database"))
    return tuple(found)


def check(
    snapshot: Snapshot, *, secret: bytes, now: Instant, limits: AssociationPolicy | None = None
) -> tuple[Finding, ...]:
    """Return what is wrong with one scope.

    Args:
        snapshot: its rows.
        secret: key of the forgetting hashes.
        now: claims count as live at this moment.
        limits: what associations may weigh and how many a conversation keeps; neither is held against them when nobody
            knows the policy they were made under.

    Returns:
        Each code once for each subject, in the order of codes and subjects.
    """
    key = snapshot.scope.key if is_sound(snapshot.scope) else str(snapshot.scope.no)
    found = set(_malformed(snapshot))
    if is_sound(snapshot.scope):
        sound = _sound_part(snapshot)
        found.update(_all(sound, secret, now))
        found.update(() if limits is None else links.edge_excess(sound, limits))
    order = {code: place for place, code in enumerate(Code)}
    ordered = sorted(found, key=lambda one: (order[one[0]], one[1]))
    return tuple(Finding(code=code, subject=subject, scope=key) for code, subject in ordered)


def _all(snapshot: Snapshot, secret: bytes, now: Instant) -> Iterator[Found]:
    yield from form.scope_row(snapshot)
    yield from form.seals(snapshot)
    yield from form.bodies(snapshot)
    yield from form.tokens(snapshot)
    yield from form.bounds(snapshot)
    yield from form.instants(snapshot)
    yield from postings.index(snapshot)
    yield from postings.said(snapshot)
    yield from links.proofs(snapshot)
    yield from links.support(snapshot)
    yield from links.slots(snapshot, str(now))
    yield from links.chains(snapshot)
    yield from links.followups(snapshot)
    yield from links.jobs(snapshot)
    yield from links.edges(snapshot)
    yield from links.exchanges(snapshot)
    if not snapshot.state_readable:
        yield Code.STATE_UNREADABLE, str(snapshot.scope.no)
    guard = guarding.guard_of(snapshot, secret)
    if guard is not None:
        yield from guarding.suppressed(snapshot, guard)
    yield from guarding.fingerprints(snapshot)
    yield from vocabulary.retired(snapshot)
    yield from vocabulary.misc(snapshot)


_TABLES = (
    "records",
    "evidence",
    "messages",
    "threads",
    "suppressions",
    "fingerprints",
    "decisions",
    "pending",
    "jobs",
    "edges",
    "exchanges",
)


def _malformed(snapshot: Snapshot) -> Iterator[Found]:
    if not is_sound(snapshot.scope):
        yield Code.ROW_MALFORMED, f"scopes {snapshot.scope.no}"
    for table in _TABLES:
        for row in getattr(snapshot, table):
            if not is_sound(row):
                yield Code.ROW_MALFORMED, f"{table} {name_of(row)}"


def _sound_part(snapshot: Snapshot) -> Snapshot:
    """Return the rows that can be looked at further."""
    sound: dict[str, Any] = {
        table: tuple(row for row in getattr(snapshot, table) if is_sound(row)) for table in _TABLES
    }
    return attrs.evolve(snapshot, **sound)
