"""Rules for en."""

from __future__ import annotations

from cmemory.domain.propose.grammar import Rule

RULES: tuple[Rule, ...] = ()
