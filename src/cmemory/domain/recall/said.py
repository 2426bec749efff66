"""What was said, as the search over it sees it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

import attrs

from cmemory.domain.model.instant import Instant
from cmemory.domain.model.message import Message, Speaker
from cmemory.domain.text.tokens import content_terms


def message_terms(text: str) -> Mapping[str, int]:
    """Return the terms by which a message is found and how often each stands in it."""
    return Counter(content_terms(text))


@attrs.frozen(kw_only=True)
class Among:
    """Which messages a search is about."""

    #: Only this conversation.
    session: str | None = None
    speakers: frozenset[Speaker] = frozenset(Speaker)
    #: Said at this moment or later.
    since: Instant | None = None
    #: Said before this moment.
    until: Instant | None = None

    def admits(self, message: Message) -> bool:
        """Tell whether a message is one of them."""
        return (
            self.session in (None, message.session)
            and message.speaker in self.speakers
            and (self.since is None or self.since <= message.at)
            and (self.until is None or message.at < self.until)
        )


@attrs.frozen(kw_only=True)
class Said:
    """One message with its index entries."""

    message: Message
    terms: Mapping[str, int]
    #: How many terms it has, repeats counted.
    length: int

    @classmethod
    def of(cls, message: Message) -> Said:
        """Return a message with its index entries worked out."""
        terms = message_terms(message.text)
        return cls(message=message, terms=terms, length=sum(terms.values()))


#: Messages that follow one another in one session, oldest first.
Stretch = tuple[Said, ...]


@attrs.frozen(kw_only=True)
class Statistics:
    """How common terms are in everything that was said in a scope."""

    #: Messages, and terms in all of them together.
    messages: int
    places: int
    #: In how many messages a term stands; terms that stand in none are absent.
    holding: Mapping[str, int]

    def holding_any(self, terms: Iterable[str]) -> float:
        """Return in about how many messages any of the terms stands, taken that none draws another along."""
        without = 1.0
        # In the order of their names, so that products are alike.
        for holding in (self.holding.get(term, 0) for term in sorted(terms)):
            without *= 1 - min(1.0, holding / max(1, self.messages))
        return self.messages * (1 - without)
