"""Offline proposing: the rules of both languages over one message.

Speech is read, pasted text is not: a sentence longer than `LONGEST_SENTENCE` is passed over, and so is what
lies beyond the first `LONGEST_SPEECH` code points of a message. Both bound the time one message can take.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, time, timedelta, tzinfo
from itertools import takewhile

import attrs

from cmemory.domain.evidence.quote import locate, quote_at
from cmemory.domain.model.candidate import (
    Candidate,
    ClaimCandidate,
    CorrectionCandidate,
    RetractionCandidate,
    ThreadProposal,
)
from cmemory.domain.model.ids import derive_id
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.message import Message, Quote
from cmemory.domain.pattern import lazy_pattern
from cmemory.domain.propose import en, zh
from cmemory.domain.propose.grammar import Correction, Draft, Finding, Reach, Reading, Rule, Stretch
from cmemory.domain.text.intent import Intent, depends, intent_of, is_joke, supposes
from cmemory.domain.text.sentences import Piece, clauses, quoted, sentences
from cmemory.domain.time.dates import resolve_day

#: Recorded with every record these rules propose; moves when their meaning does.
RULES_VERSION = "2"

#: Days after which a follow-up that a rule proposed lapses.
FOLLOW_UP_DAYS = 14

#: A message is read with the rules of the languages whose letters it holds. Order matters only where two
#: rules propose the same fact: the first one's quote is kept.
_SCRIPTS = ((lazy_pattern(r"[\u3400-\u9fff]"), zh.FAMILIES), (lazy_pattern(r"[A-Za-z]"), en.FAMILIES))

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

    Order: as found in the text, sentence by sentence. A fact found twice is proposed once. Quotes occur
    exactly once in the message; a finding whose words repeat is widened to its clause or sentence, and
    dropped when that repeats too. Of a long message only the beginning is read, see above.
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
    rules = _rules_for(text[: LONGEST_SPEECH + LONGEST_SENTENCE])
    for sentence in sentences(text):
        if sentence.start > LONGEST_SPEECH:
            break
        if len(sentence.text) > LONGEST_SENTENCE:
            continue
        stating = [(piece, Stretch(piece.text)) for piece in _stating(sentence)]
        for rule in rules if stating else ():
            for piece, stretch in stating[:1] if rule.reach is Reach.SENTENCE else stating[1:]:
                before = text[max(0, piece.start - _LOOK_BACK) : piece.start]
                for match in rule.pattern.matches(stretch):
                    for finding in rule.build(match, attrs.evolve(reading, before=before)):
                        start, end = _shift(finding.span, piece.start)
                        # Words in quotation marks are somebody's, seldom the person's own.
                        if not any(words.start <= start and end <= words.end for words in foreign):
                            yield attrs.evolve(finding, span=(start, end)), piece


def _rules_for(text: str) -> tuple[Rule, ...]:
    return tuple(
        rule
        for letters, families in _SCRIPTS
        if letters.search(text)
        for family in families
        if family.may_speak(text)
        for rule in family.rules
    )


def _stating(sentence: Piece) -> tuple[Piece, ...]:
    """Return what of a sentence the person states: the stretch for rules that span commas, then its clauses.

    Nothing comes back when nothing is stated. A supposition takes all that follows it, and what stands before
    it as well when that may depend on it.
    """
    parts = clauses(sentence)
    if intent_of(sentence.text) is Intent.HYPOTHETICAL:
        parts = _unconditional(parts)
    if not parts:
        return ()
    end = parts[-1].end
    whole = Piece(sentence.start, end, sentence.text[: end - sentence.start])
    stating = tuple(part for part in parts if intent_of(part.text) is Intent.STATEMENT)
    return (whole, *stating) if stating and intent_of(whole.text) not in _WHOLE_SENTENCE else ()


def _unconditional(parts: tuple[Piece, ...]) -> tuple[Piece, ...]:
    free = tuple(takewhile(lambda part: intent_of(part.text) is not Intent.HYPOTHETICAL, parts))
    supposed = parts[len(free) : len(free) + 1]
    independent = all(supposes(part.text) for part in supposed) and not any(
        depends(part.text) for part in free
    )
    return free if supposed and independent else ()


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
    if isinstance(finding, Correction):
        return "correction", finding.subject, finding.previous
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
            takes_over=finding.takes_over,
        )
    if isinstance(finding, Correction):
        day = resolve_day(finding.new, message.at.civil(zone).date())
        return CorrectionCandidate(
            id=derive_id(
                "x", message.id, finding.subject or "", finding.previous or "", finding.new, quote.text
            ),
            new=finding.new,
            quote=quote,
            subject=finding.subject,
            previous=finding.previous,
            predicates=finding.predicates,
            whole=finding.whole,
            day=None if day is None else day.isoformat(),
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
    """Return the follow-up with an end: a task nobody mentioned for that long is not worth asking about."""
    thread = finding.thread
    if thread is None or thread.expires_at is not None:
        return thread
    return attrs.evolve(thread, expires_at=message.at.plus(days=FOLLOW_UP_DAYS))


def _end_of(finding: Draft, zone: tzinfo) -> Instant | None:
    if finding.until is None:
        return None
    return Instant.of(datetime.combine(finding.until + timedelta(days=1), time(), tzinfo=zone))
