"""Offline proposing: the rules of both languages over one message."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, time, timedelta, tzinfo

import attrs

from cmemory.domain.evidence.quote import locate, quote_at
from cmemory.domain.model.candidate import Candidate, ClaimCandidate, RetractionCandidate, ThreadProposal
from cmemory.domain.model.ids import derive_id
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.message import Message, Quote
from cmemory.domain.propose import en, zh
from cmemory.domain.propose.grammar import Draft, Finding, Reach, Reading, Rule
from cmemory.domain.text.intent import Intent, intent_of, is_joke
from cmemory.domain.text.sentences import Piece, clauses, quoted, sentences

#: Recorded with every record these rules propose; moves when their meaning does.
RULES_VERSION = "1"

#: Days after which a follow-up that a rule proposed lapses.
FOLLOW_UP_DAYS = 14

#: All rules. Order matters only where two propose the same fact: the first one's quote is kept.
RULES: tuple[Rule, ...] = (*zh.RULES, *en.RULES)

#: A sentence is read with the rules of the languages whose letters it holds.
_SCRIPTS = ((re.compile(r"[\u3400-\u9fff]"), zh.RULES), (re.compile(r"[A-Za-z]"), en.RULES))

#: What a clause in each of these moods says is not the person's own lasting statement.
_WHOLE_SENTENCE = frozenset({Intent.HYPOTHETICAL, Intent.REPORTED})

#: Code points. A longer sentence is pasted text, not something a person says of themselves.
LONGEST_SENTENCE = 600

#: Code points. Nobody says more of themselves at once; what lies beyond in a message is pasted text.
LONGEST_SPEECH = 20_000

#: Code points of the message a rule may look back over.
_LOOK_BACK = 200


def propose(message: Message, *, zone: tzinfo) -> tuple[Candidate, ...]:
    """Return what the message explicitly and lastingly states, each with its proving words.

    Order: as found in the text, sentence by sentence. A fact found twice is proposed once. Quotes occur exactly once
    in the message; a finding whose words repeat is widened to its clause or sentence, and dropped when that repeats too.
    """
    if is_joke(message.text):
        return ()
    reading = Reading(text=message.text, today=message.at.civil(zone).date())
    seen: dict[tuple[object, ...], Candidate] = {}
    for finding, stretch in _findings(message.text, reading):
        quote = _unique_quote(message.text, finding.span, stretch)
        if quote is None:
            continue
        candidate = _candidate(message, finding, quote, zone)
        seen.setdefault(_meaning(finding), candidate)
    return tuple(seen.values())


def _findings(text: str, reading: Reading) -> Iterator[tuple[Finding, Piece]]:
    foreign = quoted(text)
    for sentence in sentences(text):
        if sentence.start > LONGEST_SPEECH:
            break
        if len(sentence.text) > LONGEST_SENTENCE or intent_of(sentence.text) in _WHOLE_SENTENCE:
            continue
        stating = [piece for piece in clauses(sentence) if intent_of(piece.text) is Intent.STATEMENT]
        for rule in (rule for letters, rules in _SCRIPTS if letters.search(sentence.text) for rule in rules):
            stretches = stating if rule.reach is Reach.CLAUSE else [sentence] if stating else []
            for stretch in stretches:
                for match in rule.pattern.finditer(stretch.text):
                    before = text[max(0, stretch.start - _LOOK_BACK) : stretch.start]
                    for finding in rule.build(match, attrs.evolve(reading, before=before)):
                        start, end = _shift(finding.span, stretch.start)
                        # Words in quotation marks are somebody's, seldom the person's own.
                        if not any(words.start <= start and end <= words.end for words in foreign):
                            yield attrs.evolve(finding, span=(start, end)), stretch


def _shift(span: tuple[int, int], by: int) -> tuple[int, int]:
    return span[0] + by, span[1] + by


def _unique_quote(text: str, span: tuple[int, int], stretch: Piece) -> Quote | None:
    for start, end in (span, (stretch.start, stretch.end)):
        words = text[start:end]
        left = len(words) - len(words.lstrip())
        found = locate(text, words)
        if isinstance(found, Quote):
            return quote_at(text, start + left, start + left + len(words.strip()))
    return None


def _meaning(finding: Finding) -> tuple[object, ...]:
    if isinstance(finding, Draft):
        qualifiers = tuple(sorted((finding.qualifiers or {}).items()))
        return finding.predicate, finding.entity_ref, qualifiers, finding.value
    return "withdrawal", finding.predicates, finding.entity_ref, finding.value


def _candidate(message: Message, finding: Finding, quote: Quote, zone: tzinfo) -> Candidate:
    if isinstance(finding, Draft):
        name = derive_id(
            "c", message.id, finding.predicate, finding.entity_ref or "", str(finding.value), quote.text
        )
        return ClaimCandidate(
            id=name,
            predicate=finding.predicate,
            value=finding.value,
            quote=quote,
            raw_value=finding.raw_value,
            entity_ref=finding.entity_ref,
            qualifiers=finding.qualifiers,
            confidence=finding.confidence,
            valid_until=_end_of(finding, zone),
            thread=_follow_up(finding, message),
        )
    return RetractionCandidate(
        id=derive_id(
            "r", message.id, *finding.predicates, finding.entity_ref or "", finding.value or "", quote.text
        ),
        predicates=finding.predicates,
        quote=quote,
        entity_ref=finding.entity_ref,
        value=finding.value,
        qualifiers=finding.qualifiers,
    )


def _follow_up(finding: Draft, message: Message) -> ThreadProposal | None:
    """Return the follow-up with an end: a small task nobody mentioned for that long is no longer worth asking about."""
    thread = finding.thread
    if thread is None or thread.expires_at is not None:
        return thread
    return attrs.evolve(thread, expires_at=message.at.plus(days=FOLLOW_UP_DAYS))


def _end_of(finding: Draft, zone: tzinfo) -> Instant | None:
    if finding.until is None:
        return None
    return Instant.of(datetime.combine(finding.until + timedelta(days=1), time(), tzinfo=zone))
