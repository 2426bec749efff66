"""The Chinese offline rules, one family per module.

A family reads one kind of statement: who the person is, whom they know, how the companion should be, what it
must leave alone, what lies ahead, what is so as a rule, and what is taken back. Each rule covers a whole
clause; `zh_shape` says how, and whom a clause without a subject is about.
"""

from __future__ import annotations

from cmemory.domain.propose import (
    zh_habits,
    zh_identity,
    zh_limits,
    zh_manner,
    zh_people,
    zh_plans,
    zh_withdraw,
    zh_work,
)
from cmemory.domain.propose.grammar import Rule

RULES: tuple[Rule, ...] = (
    *zh_identity.RULES,
    *zh_work.RULES,
    *zh_people.RULES,
    *zh_manner.RULES,
    *zh_limits.RULES,
    *zh_plans.RULES,
    *zh_habits.RULES,
    *zh_withdraw.RULES,
)
