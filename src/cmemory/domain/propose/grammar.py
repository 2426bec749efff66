"""The machinery of the offline rules: how small rules read a message and what they may propose.

A rule is a pattern over one clause or sentence and a function that turns a match into drafts. Rules know nothing of
storage, ids or each other. Before any rule runs, whole stretches are set aside that state nothing about the person:
questions, hypotheticals, reported speech, jokes and passing moods (`cmemory.domain.text.intent`).
The rules are conservative: a fact missed today is said again tomorrow, a wrong one is believed for months.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Callable, Iterable, Mapping
from datetime import date
from typing import Union

import attrs

from cmemory.domain.model.candidate import ThreadProposal


class Reach(enum.Enum):
    """What a rule's pattern is matched against."""

    #: One clause: the stretch between commas.
    CLAUSE = "clause"
    #: One sentence, for facts that span commas.
    SENTENCE = "sentence"


@attrs.frozen(kw_only=True)
class Draft:
    """A claim as a rule found it."""

    predicate: str
    value: str | int
    #: Match offsets of the proving words, in code points of the matched stretch.
    span: tuple[int, int]
    #: The person's own wording of the value, when the value is a token or was tidied up.
    raw_value: str | None = None
    entity_ref: str | None = None
    qualifiers: Mapping[str, str] | None = None
    #: How sure the rule is, 0–1; 0.9 for an explicit statement, 0.7 for a likely one.
    confidence: float = 0.9
    #: Last day on which the statement says it holds.
    until: date | None = None
    #: A light follow-up, for small practical matters only.
    thread: ThreadProposal | None = None


@attrs.frozen(kw_only=True)
class Withdrawal:
    """A retraction as a rule found it: see `RetractionCandidate` for what the narrowing fields mean."""

    predicates: tuple[str, ...]
    span: tuple[int, int]
    entity_ref: str | None = None
    value: str | None = None
    qualifiers: Mapping[str, str] | None = None


@attrs.frozen(kw_only=True)
class Reading:
    """What a rule may know beside its match."""

    #: The whole message.
    text: str
    #: The civil day on which it was said, for "tomorrow" and "next Friday".
    today: date
    #: What the message says just before the matched stretch: whom words without a subject are about.
    before: str = ""


Finding = Union[Draft, Withdrawal]
Build = Callable[["re.Match[str]", Reading], Iterable[Finding]]


@attrs.frozen(kw_only=True)
class Rule:
    """One way in which people state one kind of fact."""

    #: For traces and tests, such as ``zh.name``.
    name: str
    pattern: re.Pattern[str]
    build: Build
    reach: Reach = Reach.CLAUSE


def fixed(predicate: str, value: str, *, group: str = "quote", **more: object) -> Build:
    """Return a build function for a rule whose match always means the same token.

    The named group is the quote and the person's own wording.
    """

    def build(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
        del reading
        yield Draft(
            predicate=predicate,
            value=value,
            raw_value=match[group],
            span=match.span(group),
            **more,  # type: ignore[arg-type]
        )

    return build
