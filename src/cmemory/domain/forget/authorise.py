"""Whether the person really asked, in this very message, that this very record be deleted.

Asked of every request that comes through a model or a wire; a host that acts on a person's click has its own proof.
"""

from __future__ import annotations

import re

from cmemory.domain.lexicon.deletion import DELETION, NEGATED_DELETION, POINTS_BACK
from cmemory.domain.text.sentences import clauses, sentences

_ID_CHARACTER = r"[0-9a-z_\-]"


def authorises(message: str, record_id: str) -> bool:
    """Tell whether a message asks for the deletion of the record with that id.

    The id must stand as a whole token, so that naming ``claim-10`` says nothing about ``claim-1``. A deletion word must
    stand in the message and not be negated; "don't be shy, delete claim-1" asks, "don't delete claim-1" does not.
    """
    lowered = message.lower()
    wanted = record_id.strip().lower()
    if not wanted or not _names(lowered, wanted):
        return False
    asked = refused = False
    for sentence in sentences(lowered):
        for clause in clauses(sentence):
            negation = NEGATED_DELETION.search(clause.text)
            if negation is None:
                asked = asked or DELETION.search(clause.text) is not None
            else:
                refused = refused or _concerns(clause.text, negation.end(), wanted)
    return asked and not refused


def asks_for_deletion(message: str) -> bool:
    """Tell whether a message asks that anything be deleted; enough for what can be undone.

    >>> [asks_for_deletion(text) for text in ("忘掉刚才那句话", "别忘了我的生日", "Forget that, please.", "Don't forget it")]
    [True, False, True, False]
    """
    return any(
        DELETION.search(clause.text) is not None and NEGATED_DELETION.search(clause.text) is None
        for sentence in sentences(message.lower())
        for clause in clauses(sentence)
    )


def _names(text: str, record_id: str) -> bool:
    pattern = rf"(?<!{_ID_CHARACTER}){re.escape(record_id)}(?!{_ID_CHARACTER})"
    return re.search(pattern, text) is not None


def _concerns(clause: str, end: int, record_id: str) -> bool:
    """Tell whether a negated deletion that ends there speaks of this record: by its id, or by nothing but a pointer."""
    return _names(clause, record_id) or POINTS_BACK.fullmatch(clause, end) is not None
