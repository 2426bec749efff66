"""Words with which people ask that something be deleted, and with which they ask that it be not."""

from __future__ import annotations

import re

from cmemory.domain.pattern import lazy_pattern

_ZH_VERBS = "忘掉|忘了|忘记|删除|删掉|移除"
_EN_VERBS = "forget|delete|remove"

DELETION: re.Pattern[str] = lazy_pattern(rf"{_ZH_VERBS}|{_EN_VERBS}")

#: A negation that governs the deletion verb, with at most a few words between them.
NEGATED_DELETION: re.Pattern[str] = lazy_pattern(
    rf"(?:不要|别|不许|不可以|不能|先不|不用|不准)[^，,。]{{0,4}}(?:{_ZH_VERBS}|忘|删)"
    rf"|(?:don['’]?t|do not|dont|never|must not|mustn['’]?t|shouldn['’]?t|should not)\s+(?:\w+\s+){{0,2}}(?:{_EN_VERBS})"
)

#: What may follow a negated deletion verb that points back at something named elsewhere, or at nothing in particular.
#: With an object of its own ("don't forget to water the plants") the negation is about something else.
POINTS_BACK: re.Pattern[str] = lazy_pattern(
    r"[了掉除]*\s*(?:it|this|that|them|these|those|anything|yet|now|它|它们|这个|这条|那个|那条|任何|吧|啊|哦|呢)?"
    r"\s*(?:please|yet|now|吧|啊|哦)?[\s，,。.！!？?；;]*"
)
