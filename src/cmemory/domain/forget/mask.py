"""Masks forgotten words inside messages that must stay for what else they prove."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import attrs

from cmemory.domain.evidence.redaction import Span, blot_spans, blot_words
from cmemory.domain.model.bodies import Claim, Note
from cmemory.domain.model.ids import MessageId
from cmemory.domain.model.message import Evidence, Message, SourceKind
from cmemory.domain.model.record import AnyRecord
from cmemory.domain.policy import ForgettingPolicy
from cmemory.domain.predicates.registry import ValueKind, find
from cmemory.domain.predicates.wording import own_words
from cmemory.domain.text.normal import fold


def mask_messages(
    doomed: Sequence[AnyRecord],
    survivors: Sequence[AnyRecord],
    messages: Mapping[MessageId, Message],
    *,
    gone: frozenset[MessageId],
    policy: ForgettingPolicy,
) -> tuple[tuple[Message, ...], tuple[AnyRecord, ...]]:
    """Return the messages that change, and the surviving records whose quotes change with them.

    Masked are the quotes of the doomed records where no survivor quotes the same bytes, every further occurrence of a
    doomed wording in any message of the scope, and a doomed number or date in the messages that proved it, since
    elsewhere it may well mean something else. A wording that a survivor itself says is left alone; the residue report
    names it.
    """
    quoted, protected = _spans(doomed), _spans(survivors)
    figures = figures_of(doomed, policy)
    spoken = {fold(text) for record in survivors for text in wordings_of(record.body, policy)}
    wordings = sorted(
        {
            text
            for record in doomed
            for text in wordings_of(record.body, policy)
            if not any(fold(text) in survivor for survivor in spoken)
        },
        key=lambda text: (-len(text), text),
    )
    changed: dict[MessageId, Message] = {}
    for message in messages.values():
        if message.id in gone:
            continue
        spans = quoted.get(message.id, ())
        text = blot_spans(message.text, spans, protected.get(message.id, ())) if spans else message.text
        text = blot_words(text, (*wordings, *figures.get(message.id, ())))
        if text != message.text:
            changed[message.id] = attrs.evolve(message, text=text)
    return tuple(changed.values()), requoted(survivors, changed)


def wordings_of(body: object, policy: ForgettingPolicy) -> tuple[str, ...]:
    """Return the texts of a claim or note that are long enough to be told from chance: wording, value, names, tags."""
    texts: tuple[str, ...] = own_words(body) if isinstance(body, Claim) else ()
    if isinstance(body, Note):
        texts = (body.text, *body.tags)
    return tuple(text.strip() for text in texts if len(text.strip()) >= policy.mask_min_chars)


def figures_of(doomed: Sequence[AnyRecord], policy: ForgettingPolicy) -> dict[str, tuple[str, ...]]:
    """Return the numbers and dates of the doomed records, by the messages that proved them."""
    found: dict[str, tuple[str, ...]] = {}
    for record in doomed:
        row = find(record.body.predicate) if isinstance(record.body, Claim) else None
        if row is None or row.kind not in (ValueKind.NUMBER, ValueKind.DATE):
            continue
        figure = str(getattr(record.body, "value", "")).strip()
        for one in record.evidence:
            if len(figure) >= policy.mask_min_chars:
                found[one.source_id] = (*found.get(one.source_id, ()), figure)
    return found


def _spans(records: Iterable[AnyRecord]) -> dict[str, tuple[Span, ...]]:
    spans: dict[str, list[Span]] = {}
    for record in records:
        for one in record.evidence:
            if one.source is SourceKind.MESSAGE and one.quote is not None:
                spans.setdefault(one.source_id, []).append((one.quote.start, one.quote.end))
    return {message: tuple(found) for message, found in spans.items()}


def requoted(survivors: Sequence[AnyRecord], changed: Mapping[MessageId, Message]) -> tuple[AnyRecord, ...]:
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
