"""Which records a request to forget has to look at, told from an outline of all.

To make a record of every row takes longer than all the rest of forgetting, and hardly any of them has to do with what
goes. What is left out here changes nothing of the answer: `erase` says the same of these records as of all.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

import attrs

from cmemory.domain.evidence.outline import Outline
from cmemory.domain.evidence.redaction import blot_words
from cmemory.domain.forget.erase import Holdings, Records, doomed_by
from cmemory.domain.forget.mask import figures_of, wordings_of
from cmemory.domain.forget.residue import compared, share_held
from cmemory.domain.model.ids import MessageId, RecordId
from cmemory.domain.model.message import Message
from cmemory.domain.model.record import AnyRecord
from cmemory.domain.policy import ForgettingPolicy
from cmemory.domain.text.normal import fold
from cmemory.domain.text.tokens import residue_tokens

#: Above so many records that go it takes less to look at everything than to compare every outline with each of them.
_FEW = 16

#: Kinds of which every record is looked at: conclusions may rest on what goes, and notes may say it again.
_ALWAYS = frozenset({"inference", "note"})


def concerned(
    target: Records,
    outlines: Sequence[Outline],
    holdings: Callable[[Iterable[RecordId]], Holdings],
    policy: ForgettingPolicy,
) -> Holdings:
    """Return what forgetting records or messages by their ids has to look at.

    Args:
        target: what is forgotten.
        outlines: those of all records of the scope.
        holdings: returns the records of some ids in the order of the store, and all messages.
        policy: what counts as resembling.
    """
    reached = _reached(target.ids, outlines)
    first = holdings(reached)
    doomed, unsaid, _ = doomed_by(target, first)
    if not (doomed or unsaid):
        return first
    if len(doomed) > _FEW:
        return holdings(one.id for one in outlines)
    sources = {
        *unsaid,
        *(one.source_id for record in doomed for one in record.evidence),
        *_masked(doomed, first.messages, policy),
    }
    quotes = {one.quote.text for record in doomed for one in record.evidence if one.quote is not None}
    resembles = _likeness(doomed, policy)
    near = {
        one.id
        for one in outlines
        if not sources.isdisjoint(one.sources) or not quotes.isdisjoint(one.quotes) or resembles(one.words)
    }
    found = holdings(reached | near)
    return attrs.evolve(found, more=len(found.records) < len(outlines))


def _reached(names: Collection[str], outlines: Iterable[Outline]) -> set[RecordId]:
    """Return what may go: what is named or proved by it, all that stands in a chain with that, and all of some kinds."""
    named = frozenset(names)
    beside: dict[str, list[RecordId]] = defaultdict(list)
    always: set[RecordId] = set()
    waiting: list[RecordId] = []
    for one in outlines:
        if one.supersedes is not None:
            beside[one.supersedes].append(one.id)
            beside[one.id].append(one.supersedes)
        if one.id in named or not named.isdisjoint(one.sources):
            waiting.append(one.id)
        elif one.kind in _ALWAYS:
            always.add(one.id)
    reached: set[RecordId] = set()
    while waiting:
        at = waiting.pop()
        reached.add(at)
        waiting += (other for other in beside[at] if other not in reached)
    return reached | always


def _masked(
    doomed: Sequence[AnyRecord], messages: Mapping[MessageId, Message], policy: ForgettingPolicy
) -> set[MessageId]:
    """Return the messages in which a word of what goes stands, whether or not it will be masked."""
    wordings = sorted({text for record in doomed for text in wordings_of(record.body, policy)})
    figures = figures_of(doomed, policy)
    return {
        message.id
        for message in messages.values()
        if blot_words(message.text, (*wordings, *figures.get(message.id, ()))) != message.text
    }


def _likeness(doomed: Sequence[AnyRecord], policy: ForgettingPolicy) -> Callable[[str], bool]:
    """Return what tells whether a record can resemble what goes, or say its words, by the text of its outline.

    What contains a text contains its tokens, and what shares half of its tokens contains half of them.
    """
    wordings = {fold(text) for record in doomed for text in wordings_of(record.body, policy)}
    asked = [
        *((residue_tokens(text), policy.residue_similarity) for _, text in compared(doomed)),
        *((residue_tokens(text), 1.0) for text in wordings),
    ]
    # What has no token stands for everything, since nothing tells where it is contained.
    if not all(tokens for tokens, _ in asked):
        return lambda words: True

    def resembles(words: str) -> bool:
        lowered = words.lower()
        return any(share_held(tokens, lowered) >= least for tokens, least in asked)

    return resembles
