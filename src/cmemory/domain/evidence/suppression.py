"""The lasting part of forgetting: what may neither be shown nor written again, kept without its words.

Content is remembered only as a keyed hash (HMAC-SHA256 under the store's secret, salted with the scope), of a form
that survives disguise. Nobody can read the forgotten text from it, and without the text nobody can find it; which also
means that a paraphrase said later cannot be recognised.
"""

from __future__ import annotations

import enum
import hmac
import unicodedata
from collections.abc import Iterable, Iterator, Mapping

import attrs

from cmemory.domain.evidence.quote import quote_at
from cmemory.domain.model.bodies import BODY_KINDS, Body, Claim, Episode, Inference, Note, kind_name
from cmemory.domain.model.changes import Fingerprint, Suppression, SuppressionKind
from cmemory.domain.model.ids import RecordId
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.message import Quote
from cmemory.domain.model.record import AnyRecord
from cmemory.domain.model.scope import Scope
from cmemory.domain.pattern import lazy_pattern
from cmemory.domain.policy import ForgettingPolicy
from cmemory.domain.predicates.registry import PREDICATES, ValueKind, find
from cmemory.domain.predicates.values import normal_value
from cmemory.domain.text.normal import canonical, fold
from cmemory.domain.text.sentences import clauses, sentences

#: Target of a suppression that covers everything.
EVERYTHING = "*"

_FREE_TEXT = frozenset({ValueKind.TEXT, ValueKind.ENTITY_REF})


class Ban(enum.Enum):
    """Why something may not come back."""

    ALL = "all_suppressed"
    RECORD = "record_suppressed"
    PREDICATE = "predicate_suppressed"
    ENTITY = "entity_suppressed"
    CONTENT = "fingerprint_match"


#: Clauses side by side in which something is looked for that was one before.
_MOST_CLAUSES = 3

#: Under what proving words may be kept, see `quote_key`.
_QUOTE_KEYS = (*PREDICATES, *BODY_KINDS)

#: What the person may say again: everything but a conclusion.
Sayable = Claim | Episode | Note

#: Words of a forgotten text that is looked for inside another; longer ones are not.
_MOST_WORDS = 12
# A Chinese character is a word of its own, as nothing parts them.
_WORDS = lazy_pattern(r"[\u3400-\u9fff\uf900-\ufaff]|[^\W_\u3400-\u9fff\uf900-\ufaff]+")


@attrs.frozen(kw_only=True)
class Repeat:
    """A stretch of a message that proved something forgotten; it counts UTF-8 bytes."""

    start: int
    end: int
    #: Under what it proved that, see `quote_key`.
    keys: frozenset[str]

    def covers(self, quote: Quote, key: str) -> bool:
        """Tell whether a quote would prove the same from a part of the same words."""
        return key in self.keys and self.start <= quote.start and quote.end <= self.end


@attrs.frozen(kw_only=True)
class Guard:
    """Everything one scope must not see again."""

    scope: Scope
    secret: bytes = attrs.field(repr=False)
    policy: ForgettingPolicy
    everything: bool = False
    records: frozenset[str] = frozenset()
    predicates: frozenset[str] = frozenset()
    entities: frozenset[str] = frozenset()
    #: Digest to label; where two forgotten records share content, the smallest label stands.
    contents: Mapping[str, RecordId] = attrs.field(factory=dict)

    @classmethod
    def of(
        cls,
        suppressions: Iterable[Suppression],
        fingerprints: Iterable[Fingerprint],
        *,
        scope: Scope,
        secret: bytes,
        policy: ForgettingPolicy,
    ) -> Guard:
        """Return the guard of a scope from what its store holds."""
        targets: dict[SuppressionKind, set[str]] = {kind: set() for kind in SuppressionKind}
        for suppression in suppressions:
            targets[suppression.kind].add(suppression.target)
        contents: dict[str, RecordId] = {}
        for fingerprint in sorted(fingerprints, key=lambda one: one.label, reverse=True):
            contents[fingerprint.digest] = fingerprint.label
        return cls(
            scope=scope,
            secret=secret,
            policy=policy,
            everything=bool(targets[SuppressionKind.ALL]),
            records=frozenset(targets[SuppressionKind.RECORD]),
            predicates=frozenset(targets[SuppressionKind.PREDICATE]),
            entities=frozenset(targets[SuppressionKind.ENTITY]),
            contents=contents,
        )

    def entity_digest(self, entity_ref: str) -> str:
        """Return the form in which a forgotten person's or place's name is kept."""
        return self._digest("entity", canonical(entity_ref))

    def content_digests(self, body: Sayable) -> frozenset[str]:
        """Return the digests by which a body would be recognised when it is said again."""
        if not isinstance(body, Claim):
            return frozenset({self._digest("", canonical(body.shown) or fold(body.shown))})
        row = find(body.predicate)
        free = row is not None and row.kind in _FREE_TEXT
        forms = {canonical(text) or _exact(text) for text in _worded(body, free=free)}
        if not free:
            forms.add(_exact(normal_value(body.value)))
        digests = set()
        for plain in forms:
            digests.add(self._digest(body.predicate, plain))
            if free and len(plain) >= self.policy.unscoped_min_chars:
                digests.add(self._digest("", plain))
        return frozenset(digests)

    def quote_digest(self, predicate: str, quote: str) -> str:
        """Return the digest of the proving words under one predicate."""
        return self._digest(f"quote:{predicate}", canonical(quote) or fold(quote))

    def words_digest(self, quote: str) -> str:
        """Return the digest of proving words, whatever they prove."""
        return self._digest("words", canonical(quote) or fold(quote))

    def ban(self, body: Sayable, *, record_id: str, quotes: Iterable[str] = ()) -> Ban | None:
        """Return why this content may not be written, or None when nothing speaks against it."""
        hidden = self._hidden(record_id, body)
        if hidden is not None or not self.contents:
            return hidden
        digests = set(self.content_digests(body))
        digests.update(self.quote_digest(quote_key(body), quote) for quote in quotes)
        return Ban.CONTENT if not digests.isdisjoint(self.contents) else None

    def speaks_of_forgotten(self, text: str) -> bool:
        """Tell whether a forgotten text or name stands in a text as words of their own.

        For texts that a proposer words freely; a claim's value is compared as a whole.
        """
        if not (self.contents or self.entities):
            return False
        shortest = self.policy.unscoped_min_chars
        spans = {span for span in spoken_forms(text) if len(span) >= shortest}
        return any(
            self._digest("", span) in self.contents or self._digest("entity", span) in self.entities
            for span in sorted(spans)
        )

    def said_again(self, text: str) -> tuple[Repeat, ...]:
        """Return the stretches of a message that proved something forgotten, in whatever spelling.

        Looked at are sentences, clauses, and clauses that stand side by side, since a space may part what was one.
        """
        return tuple(self._repeats(text)) if self.contents else ()

    def _repeats(self, text: str) -> Iterator[Repeat]:
        for start, end in _stretches(text):
            words = text[start:end].rstrip()
            if self.words_digest(words) in self.contents:
                keys = frozenset(key for key in _QUOTE_KEYS if self.quote_digest(key, words) in self.contents)
                quote = quote_at(text, start, start + len(words))
                yield Repeat(start=quote.start, end=quote.end, keys=keys)

    def hides(self, record: AnyRecord) -> bool:
        """Tell whether a stored record is covered by a suppression of id, predicate, entity or everything."""
        return self._hidden(record.id, record.body) is not None

    def hides_name(self, name: str) -> bool:
        """Tell whether somebody or something of that name was forgotten."""
        return self.everything or (bool(self.entities) and self.entity_digest(name) in self.entities)

    def _hidden(self, record_id: str, body: object) -> Ban | None:
        if self.everything:
            return Ban.ALL
        if record_id in self.records:
            return Ban.RECORD
        predicate = getattr(body, "predicate", None)
        if predicate is not None and predicate in self.predicates:
            return Ban.PREDICATE
        if any(map(self.hides_name, entities_of(body))):
            return Ban.ENTITY
        return None

    def _digest(self, under: str, text: str) -> str:
        message = "\x00".join((self.scope.key, under, text)).encode("utf-8", "surrogatepass")
        return hmac.digest(self.secret, message, "sha256").hex()


def _stretches(text: str) -> Iterator[tuple[int, int]]:
    for sentence in sentences(text):
        yield sentence.start, sentence.end
        parts = clauses(sentence)
        for at, first in enumerate(parts):
            for last in parts[at : at + _MOST_CLAUSES]:
                # All of them side by side say what the sentence says.
                if (first, last) != (parts[0], parts[-1]):
                    yield first.start, last.end


def entities_of(body: object) -> tuple[str, ...]:
    """Return the names a body is structurally about; a narrative is never guessed at."""
    if isinstance(body, Claim):
        return (body.entity_ref,) if body.entity_ref is not None else ()
    if isinstance(body, Episode):
        return tuple(one.entity_ref for one in body.participants if one.entity_ref is not None)
    return body.tags if isinstance(body, Note) else ()


def quote_key(body: Body) -> str:
    """Return under what the proving words of a body are kept: its predicate, or its kind where it has none."""
    return body.predicate if isinstance(body, Claim) else kind_name(body)


def fingerprints_of(
    record: AnyRecord, guard: Guard, *, now: Instant, spoken_for: frozenset[tuple[str, str]] = frozenset()
) -> tuple[Fingerprint, ...]:
    """Return what is kept of a record that is erased.

    Args:
        record: the record that goes.
        guard: supplies key and scope.
        now: when it was forgotten.
        spoken_for: pairs of predicate and quote that also prove a surviving record; those words stay sayable.
    """
    body = record.body
    if isinstance(body, Inference):
        return ()
    digests, key = set(guard.content_digests(body)), quote_key(body)
    for evidence in record.evidence:
        if evidence.quote is not None and (key, evidence.quote.text) not in spoken_for:
            digests.add(guard.quote_digest(key, evidence.quote.text))
            digests.add(guard.words_digest(evidence.quote.text))
    return tuple(Fingerprint(digest=digest, label=record.id, created_at=now) for digest in sorted(digests))


def _worded(body: Claim, *, free: bool) -> tuple[str, ...]:
    """Return the person's own words in a claim. Those behind a token or a number mean something under its key only."""
    texts = (normal_value(body.value) if free else None, body.raw_value)
    return tuple(text for text in texts if text is not None)


def spoken_forms(text: str) -> Iterator[str]:
    """Yield the canonical form of every run of neighbouring words in a text."""
    words = [canonical(word) for word in _WORDS.findall(unicodedata.normalize("NFKC", text))]
    for at in range(len(words)):
        for end in range(at + 1, min(at + _MOST_WORDS, len(words)) + 1):
            yield "".join(words[at:end])


def _exact(text: str) -> str:
    # Tokens, numbers and dates differ by their punctuation, so they keep it.
    return fold(unicodedata.normalize("NFKC", text))
