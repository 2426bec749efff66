"""The English rules, family by family; how they are written stands in `en_shape`.

Withdrawals come first: what a sentence takes back is not also learned from it by a looser rule.
"""

from __future__ import annotations

from cmemory.domain.propose import (
    en_aims,
    en_habits,
    en_limits,
    en_people,
    en_replies,
    en_retract,
    en_self,
    en_support,
    en_work,
)
from cmemory.domain.propose.grammar import Rule

RULES: tuple[Rule, ...] = (
    *en_retract.RULES,
    *en_self.RULES,
    *en_work.RULES,
    *en_people.RULES,
    *en_replies.RULES,
    *en_support.RULES,
    *en_limits.RULES,
    *en_aims.RULES,
    *en_habits.RULES,
)
