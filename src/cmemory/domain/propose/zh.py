"""The Chinese offline rules, one family per module.

A family reads one kind of statement: who the person is, whom they know, how the companion should be, what it
must leave alone, what lies ahead, what is so as a rule, what is taken back and what is
corrected. Each rule covers a whole
clause; `zh_shape` says how, and whom a clause without a subject is about.
"""

from __future__ import annotations

from cmemory.domain.propose import (
    zh_correct,
    zh_habits,
    zh_identity,
    zh_limits,
    zh_manner,
    zh_people,
    zh_plans,
    zh_withdraw,
    zh_work,
)
from cmemory.domain.propose.grammar import Family

FAMILIES: tuple[Family, ...] = (
    *zh_identity.FAMILIES,
    *zh_work.FAMILIES,
    *zh_people.FAMILIES,
    *zh_manner.FAMILIES,
    *zh_limits.FAMILIES,
    *zh_plans.FAMILIES,
    *zh_habits.FAMILIES,
    *zh_withdraw.FAMILIES,
    *zh_correct.FAMILIES,
)
