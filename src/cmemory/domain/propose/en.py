"""The English rules, family by family; how they are written stands in `en_shape`.

Withdrawals come first: what a sentence takes back is not also learned from it by a looser rule.
"""

from __future__ import annotations

from cmemory.domain.propose import (
    en_aims,
    en_correct,
    en_habits,
    en_limits,
    en_people,
    en_replies,
    en_retract,
    en_self,
    en_support,
    en_work,
)
from cmemory.domain.propose.grammar import Family

FAMILIES: tuple[Family, ...] = (
    *en_retract.FAMILIES,
    *en_correct.FAMILIES,
    *en_self.FAMILIES,
    *en_work.FAMILIES,
    *en_people.FAMILIES,
    *en_replies.FAMILIES,
    *en_support.FAMILIES,
    *en_limits.FAMILIES,
    *en_aims.FAMILIES,
    *en_habits.FAMILIES,
)
