"""A message analysed once, and what records are compared with."""

from __future__ import annotations

import attrs

from cmemory.domain.gates.mention import NO_CUES, Cues
from cmemory.domain.model.bodies import Claim, Episode, Note
from cmemory.domain.model.record import AnyRecord
from cmemory.domain.predicates.wording import own_words
from cmemory.domain.text.normal import is_well_formed
from cmemory.domain.text.tokens import cjk_characters, contains_word, topic_pairs, topic_words


@attrs.frozen(kw_only=True)
class Query:
    """What the person just said, in the forms the domain compares."""

    text: str
    #: Lower-cased, not trimmed.
    lowered: str
    pairs: frozenset[str]
    words: frozenset[str]

    @classmethod
    def of(cls, text: str) -> Query:
        """Analyse a message. Lone surrogates, which no stored text contains, are dropped."""
        sound = text if is_well_formed(text) else text.encode("utf-8", "ignore").decode("utf-8")
        lowered = sound.lower()
        return cls(text=sound, lowered=lowered, pairs=topic_pairs(lowered), words=topic_words(lowered))

    @property
    def blank(self) -> bool:
        """Whether nothing was said."""
        return not self.text.strip()


@attrs.frozen(kw_only=True)
class Profile:
    """What in a message would point at a record."""

    #: Strings that name the record outright; lower-cased, longer than one character.
    names: tuple[str, ...]
    pairs: frozenset[str]
    words: frozenset[str]

    @classmethod
    def of(cls, record: AnyRecord) -> Profile:
        """Return the profile of a record. The predicate's own words never take part: they are ours, not the person's."""
        texts = _topics(record)
        joined = "\n".join(texts).lower()
        return cls(
            names=_named(record, texts),
            pairs=topic_pairs_each(texts),
            words=topic_words(joined),
        )


def topic_pairs_each(texts: tuple[str, ...]) -> frozenset[str]:
    """Return the topic pairs of several texts, none reaching across two of them."""
    if len(texts) == 1:
        return topic_pairs(texts[0].lower())
    return frozenset().union(*(topic_pairs(text.lower()) for text in texts))


def cue(query: Query, profile: Profile) -> Cues:
    """Return how a message points at a record: by name, else by a shared topic, else not at all.

    Latin names count at word boundaries only.
    """
    if query.blank:
        return NO_CUES
    if any(contains_word(query.lowered, name) for name in profile.names):
        return Cues(referenced=True)
    if not query.pairs.isdisjoint(profile.pairs) or not query.words.isdisjoint(profile.words):
        return Cues(implied=True)
    return NO_CUES


def finds(terms: Query, record: AnyRecord, profile: Profile) -> bool:
    """Tell whether search terms make a record a candidate. Being found authorises nothing.

    Episodes and notes are found a little more loosely than claims: either text may contain the other, and one shared
    character that is not grammar is enough.
    """
    if terms.blank:
        return False
    if cue(terms, profile).any:
        return True
    if not isinstance(record.body, (Episode, Note)):
        return False
    narrative = record.body.shown.lower()
    if contains_word(narrative, terms.lowered.strip()) or narrative in terms.lowered:
        return True
    return not cjk_characters(terms.lowered).isdisjoint(cjk_characters(narrative))


def names_of(record: AnyRecord) -> tuple[str, ...]:
    """Return the strings that name a record outright; lower-cased, longer than one character, each once."""
    return _named(record, _topics(record))


def _named(record: AnyRecord, topics: tuple[str, ...]) -> tuple[str, ...]:
    body = record.body
    if isinstance(body, Note):
        names = body.tags
    elif isinstance(body, (Claim, Episode)):
        names = tuple(text.strip().lower() for text in topics)
    else:
        names = ()
    return tuple(dict.fromkeys(name for name in names if len(name) > 1))


def _topics(record: AnyRecord) -> tuple[str, ...]:
    """Return the texts whose topics are those of a record."""
    body = record.body
    if isinstance(body, Claim):
        return own_words(body)
    return (body.text, *body.tags) if isinstance(body, Note) else (body.shown,)
