"""What a check of the stored state can find, how bad it is, and what to do about it.

A finding names its subject by an id of ours, a number or a table, and never repeats what a person said.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from types import MappingProxyType

import attrs


class Severity(enum.Enum):
    """How bad it is."""

    #: Nothing was found.
    PASS = "pass"  # noqa: S105 - a verdict, no password
    #: Nothing is wrong with the state, but somebody should look.
    WARN = "warn"
    #: The state contradicts itself.
    FAIL = "fail"


class Code(enum.Enum):
    """What was found."""

    #: The medium's own check complains, or a table cannot be read.
    MEDIUM_DAMAGED = "medium_damaged"
    #: A row names a parent that is not there.
    REFERENCE_BROKEN = "reference_broken"
    #: A file of the database can be read by others than its owner.
    FILE_MODE = "file_mode"
    #: The write-ahead log has grown and is not cut: somebody reads for a very long time.
    LOG_LEFT_OVER = "log_left_over"
    #: Erased text may still be in the files, since a reader has been holding them.
    CLEANING_DUE = "cleaning_due"
    #: The parts of a scope do not spell its key.
    SCOPE_KEY = "scope_key"
    #: The revision is lower than the records that moved it.
    REVISION_LOW = "revision_low"
    #: A column holds a value of the wrong type, or a text that is no text.
    ROW_MALFORMED = "row_malformed"
    #: The checksum does not fit the row.
    SEAL_BROKEN = "seal_broken"
    #: A body spells no claim, episode or inference.
    BODY_UNREADABLE = "body_unreadable"
    #: A column repeats something of the body, and differs.
    COLUMN_MISMATCH = "column_mismatch"
    #: A status, speaker, kind or role is none we know.
    TOKEN_UNKNOWN = "token_unknown"  # noqa: S105 - no password
    #: An importance outside 0 to 1, an association that weighs less than 0 or no number, or a count that is too low.
    OUT_OF_BOUNDS = "out_of_bounds"
    #: An instant is not written in our one form.
    INSTANT_FORM = "instant_form"
    #: Something changed before it began.
    INSTANT_ORDER = "instant_order"
    #: An active record lacks index entries.
    INDEX_MISSING = "index_missing"
    #: The index names a record that is not there, not active, or does not say the term.
    INDEX_ORPHAN = "index_orphan"
    #: The index counts a term wrongly.
    INDEX_WRONG = "index_wrong"
    #: A message lacks index entries.
    SAID_MISSING = "said_missing"
    #: The index of what was said names a message that is not there, or that does not say the term.
    SAID_ORPHAN = "said_orphan"
    #: The index of what was said counts a term wrongly, in a message or in all of them.
    SAID_WRONG = "said_wrong"
    #: A claim or an episode has no proof.
    EVIDENCE_MISSING = "evidence_missing"
    #: A proof names a message or a record that is not there.
    SOURCE_MISSING = "source_missing"
    #: A quote is not what stands at its place in the message.
    QUOTE_MISMATCH = "quote_mismatch"
    #: A proof names another speaker than its message.
    SPEAKER_MISMATCH = "speaker_mismatch"
    #: Several live claims stand where only one can be true.
    SLOT_CROWDED = "slot_crowded"
    #: A record replaced one that is not there and was not forgotten.
    CHAIN_DANGLING = "chain_dangling"
    #: Records replace each other in a circle.
    CHAIN_CYCLE = "chain_cycle"
    #: A follow-up belongs to a record that is not there.
    THREAD_DANGLING = "thread_dangling"
    #: A message that waits to be learned from is not there, or is not the user's.
    JOB_DANGLING = "job_dangling"
    #: An association names a message that is not there.
    EDGE_DANGLING = "edge_dangling"
    #: The two ends of an association are the same, or in the wrong order.
    EDGE_ORDER = "edge_order"
    #: An association joins messages of another conversation than its own.
    EDGE_SESSION = "edge_session"
    #: An association is heavier than the policy lets it become, or a conversation has more of them.
    EDGE_EXCESS = "edge_excess"
    #: An exchange that waits for the night names a message that is not there, or that another one said.
    EXCHANGE_DANGLING = "exchange_dangling"
    #: The mood and the last night of a relationship cannot be read.
    STATE_UNREADABLE = "state_unreadable"
    #: What was forgotten is there.
    SUPPRESSED_PRESENT = "suppressed_present"
    #: A hash of forgotten content that nobody could lift, or that is no hash.
    FINGERPRINT_LOOSE = "fingerprint_loose"
    #: A conclusion names a source that is neither there nor forgotten.
    SUPPORT_DANGLING = "support_dangling"
    #: A key that is not in the vocabulary (any more).
    PREDICATE_RETIRED = "predicate_retired"
    #: A value or qualifier that its key does not take (any more).
    VALUE_RETIRED = "value_retired"
    #: Too much of what is said fits no key.
    MISC_SHARE = "misc_share"


_RESTORE = "restore a backup (cmemory restore-backup), or save what is left with the sqlite3 shell's .recover"
_REBUILD = "rebuild the index: cmemory selfcheck --repair"
_ERASE = "forget it again (cmemory forget ID)"
_LOOK = "look at it with cmemory explain ID; forget it, or restore a backup"
_CLOCK = "a clock went backwards; nothing has to be done"
_RETIRED = (
    "its slot takes no new value while this one stands: ask the person again and put the old one away "
    "(cmemory delete ID), or erase it (cmemory forget ID)"
)

_FAIL, _WARN = Severity.FAIL, Severity.WARN

#: How bad each finding is, and what helps.
RULES: Mapping[Code, tuple[Severity, str]] = MappingProxyType(
    {
        Code.MEDIUM_DAMAGED: (_FAIL, _RESTORE),
        Code.REFERENCE_BROKEN: (_FAIL, _RESTORE),
        Code.FILE_MODE: (_WARN, "let only its owner read it: chmod 600"),
        Code.LOG_LEFT_OVER: (_WARN, "end the process that has been reading for so long, then run it again"),
        Code.CLEANING_DUE: (
            _WARN,
            "end long readers and open the database again; opening finishes the erasure",
        ),
        Code.SCOPE_KEY: (_FAIL, _RESTORE),
        Code.REVISION_LOW: (_FAIL, _RESTORE),
        Code.ROW_MALFORMED: (_FAIL, _RESTORE),
        Code.SEAL_BROKEN: (_FAIL, _RESTORE),
        Code.BODY_UNREADABLE: (_FAIL, _RESTORE),
        Code.COLUMN_MISMATCH: (_FAIL, _RESTORE),
        Code.TOKEN_UNKNOWN: (_FAIL, _RESTORE),
        Code.OUT_OF_BOUNDS: (_FAIL, _RESTORE),
        Code.INSTANT_FORM: (_FAIL, _RESTORE),
        Code.INSTANT_ORDER: (_WARN, _CLOCK),
        Code.INDEX_MISSING: (_FAIL, _REBUILD),
        Code.INDEX_ORPHAN: (_FAIL, _REBUILD),
        Code.INDEX_WRONG: (_FAIL, _REBUILD),
        Code.SAID_MISSING: (_FAIL, _REBUILD),
        Code.SAID_ORPHAN: (_FAIL, _REBUILD),
        Code.SAID_WRONG: (_FAIL, _REBUILD),
        Code.EVIDENCE_MISSING: (_FAIL, _LOOK),
        Code.SOURCE_MISSING: (_FAIL, _LOOK),
        Code.QUOTE_MISMATCH: (_FAIL, _LOOK),
        Code.SPEAKER_MISMATCH: (_FAIL, _LOOK),
        Code.SLOT_CROWDED: (_FAIL, "decide which one is true and put the others away: cmemory delete ID"),
        Code.CHAIN_DANGLING: (_FAIL, _LOOK),
        Code.CHAIN_CYCLE: (_FAIL, _RESTORE),
        Code.THREAD_DANGLING: (_FAIL, _RESTORE),
        Code.JOB_DANGLING: (_FAIL, "run cmemory learn, which drops what it cannot read, or restore a backup"),
        Code.EDGE_DANGLING: (_FAIL, _RESTORE),
        Code.EDGE_ORDER: (_FAIL, _RESTORE),
        Code.EDGE_SESSION: (_FAIL, _RESTORE),
        Code.EDGE_EXCESS: (
            _WARN,
            "nothing has to be done: associations fade, and turns that teach prune them",
        ),
        Code.EXCHANGE_DANGLING: (_FAIL, "run cmemory consolidate --force, which passes over it"),
        Code.STATE_UNREADABLE: (_FAIL, _RESTORE),
        Code.SUPPRESSED_PRESENT: (_FAIL, _ERASE),
        Code.FINGERPRINT_LOOSE: (_FAIL, _RESTORE),
        Code.SUPPORT_DANGLING: (
            _WARN,
            "the conclusion rests on less than it says; forget it, or draw it again",
        ),
        Code.PREDICATE_RETIRED: (_WARN, _RETIRED),
        Code.VALUE_RETIRED: (_WARN, _RETIRED),
        Code.MISC_SHARE: (_WARN, "the vocabulary no longer fits what is said; see what stands under misc"),
    }
)

#: Findings that rebuilding the indexes mends, since they hold nothing that records and messages do not.
MENDED_BY_INDEXING = frozenset(
    {
        Code.INDEX_MISSING,
        Code.INDEX_ORPHAN,
        Code.INDEX_WRONG,
        Code.SAID_MISSING,
        Code.SAID_ORPHAN,
        Code.SAID_WRONG,
    }
)


@attrs.frozen(kw_only=True)
class Finding:
    """One thing that is not as it should be."""

    code: Code
    #: An id of ours, a table or a file name; never a word of the person.
    subject: str
    #: The key of the scope it was found in, None when it concerns the whole store.
    scope: str | None = None

    @property
    def severity(self) -> Severity:
        """How bad it is."""
        return RULES[self.code][0]

    @property
    def advice(self) -> str:
        """What to do about it."""
        return RULES[self.code][1]


def verdict(findings: Iterable[Finding]) -> Severity:
    """Return the worst severity among findings; PASS when there are none."""
    found = {finding.severity for finding in findings}
    return next((one for one in (Severity.FAIL, Severity.WARN) if one in found), Severity.PASS)
