"""Rules for zh."""

from __future__ import annotations

from cmemory.domain.propose import zh_identity
from cmemory.domain.propose.grammar import Rule

RULES: tuple[Rule, ...] = (*zh_identity.RULES,)
