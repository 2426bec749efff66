"""Masks forgotten words inside messages that must stay for what else they prove.

Every masked byte becomes one ASCII character, so the offsets of all other quotes keep their meaning.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

import attrs

from cmemory.domain.model.bodies import Claim
from cmemory.domain.model.ids import MessageId
from cmemory.domain.model.message import Evidence, Message, Quote, SourceKind
from cmemory.domain.model.record import AnyRecord
from cmemory.domain.policy import ForgettingPolicy
from cmemory.domain.predicates.registry import ValueKind, find
from cmemory.domain.text.normal import fold

#: Stands for one byte of what was said.
MASK = b"*"


def mask_messages(
    doomed: Sequence[AnyRecord],
    survivors: Sequence[AnyRecord],
    messages: Mapping[MessageId, Message],
    *,
    gone: frozenset[MessageId],
    policy: ForgettingPolicy,
) -> tuple[tuple[Message, ...], tuple[AnyRecord, ...]]:
    """Return the messages that change, and the surviving records whose quotes change with them.

    Two things are masked: the quotes of the doomed records where no survivor quotes the same bytes, and every further
    occurrence of a doomed wording in any message of the scope. A wording that a survivor itself says is left alone; the
    residue report names it.
    """
    protected = _protected(survivors)
    spoken = {fold(text) for record in survivors for text in _wordings(record.body, policy)}
    wordings = sorted(
        {
            text
            for record in doomed
            for text in _wordings(record.body, policy)
            if not any(fold(text) in survivor for survivor in spoken)
        },
        key=lambda text: (-len(text), text),
    )
    changed: dict[MessageId, Message] = {}
    for message in messages.values():
        if message.id in gone:
            continue
        quotes = [one.quote for record in doomed for one in record.evidence if _quotes(one, message.id)]
        text = _masked(message.text, [quote for quote in quotes if quote], protected.get(message.id, ()), wordings)
        if text != message.text:
            changed[message.id] = attrs.evolve(message, text=text)
    return tuple(changed.values()), _requoted(survivors, changed)


def _wordings(body: object, policy: ForgettingPolicy) -> tuple[str, ...]:
    """Return the free texts of a claim that are long enough to be told from chance; tokens and dates are not the person's."""
    if not isinstance(body, Claim):
        return ()
    row = find(body.predicate)
    free = row is not None and row.kind in (ValueKind.TEXT, ValueKind.ENTITY_REF)
    texts = (body.raw_value, body.value if free else None, body.entity_ref)
    return tuple(
        text.strip() for text in texts if isinstance(text, str) and len(text.strip()) >= policy.mask_min_chars
    )


def _protected(survivors: Iterable[AnyRecord]) -> dict[str, tuple[tuple[int, int], ...]]:
    spans: dict[str, list[tuple[int, int]]] = {}
    for record in survivors:
        for one in record.evidence:
            if one.source is SourceKind.MESSAGE and one.quote is not None:
                spans.setdefault(one.source_id, []).append((one.quote.start, one.quote.end))
    return {message: tuple(found) for message, found in spans.items()}


def _quotes(evidence: Evidence, message_id: MessageId) -> bool:
    return evidence.source is SourceKind.MESSAGE and evidence.source_id == message_id and evidence.quote is not None


def _masked(
    text: str, quotes: Sequence[Quote], protected: Sequence[tuple[int, int]], wordings: Sequence[str]
) -> str:
    encoded = bytearray(text.encode("utf-8"))
    held = bytearray(len(encoded))
    for start, end in protected:
        held[start:end] = b"\x01" * (end - start)
    for quote in quotes:
        for at in range(quote.start, quote.end):
            if not held[at]:
                encoded[at] = MASK[0]
    # A span never cuts a character, so the bytes decode.
    masked = encoded.decode("utf-8")
    for wording in wordings:
        masked = _as_word(wording).sub(lambda found: MASK.decode() * len(found.group().encode("utf-8")), masked)
    return masked


def _as_word(wording: str) -> re.Pattern[str]:
    """Return a pattern for the wording in any case, Latin edges at word boundaries only."""
    left = r"(?<![0-9A-Za-z])" if wording[0].isascii() and wording[0].isalnum() else ""
    right = r"(?![0-9A-Za-z])" if wording[-1].isascii() and wording[-1].isalnum() else ""
    return re.compile(left + re.escape(wording) + right, re.IGNORECASE)


def _requoted(survivors: Sequence[AnyRecord], changed: Mapping[MessageId, Message]) -> tuple[AnyRecord, ...]:
    """Return the survivors that quote a changed message, their quotes read from it anew."""
    touched = []
    for record in survivors:
        evidence = tuple(_reread(one, changed) for one in record.evidence)
        if evidence != record.evidence:
            touched.append(attrs.evolve(record, evidence=evidence))
    return tuple(touched)


def _reread(evidence: Evidence, changed: Mapping[MessageId, Message]) -> Evidence:
    message = changed.get(MessageId(evidence.source_id)) if evidence.source is SourceKind.MESSAGE else None
    if message is None or evidence.quote is None:
        return evidence
    quote = evidence.quote
    words = message.text.encode("utf-8")[quote.start : quote.end].decode("utf-8")
    return attrs.evolve(evidence, quote=attrs.evolve(quote, text=words))
