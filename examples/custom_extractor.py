"""An extractor of your own: the house rules of a game, beside the built-in rules.

Run it with ``python examples/custom_extractor.py``.
"""

from __future__ import annotations

import re
from datetime import timezone

from cmemory import Memory
from cmemory.domain.evidence.quote import locate
from cmemory.domain.model.candidate import ClaimCandidate, Reason
from cmemory.domain.model.ids import derive_id
from cmemory.domain.model.message import Message, Speaker
from cmemory.domain.model.record import Provenance
from cmemory.domain.propose.rules import propose
from cmemory.ports.extractor import Extraction

_CLASS = re.compile(r"我玩的是(?P<zh>\w{1,6})|I play an? (?P<en>\w+)")


class GameExtractor:
    """Learns which class somebody plays, and everything the built-in rules hear."""

    @property
    def immediate(self) -> bool:
        """Whether it answers at once; a model would not."""
        return True

    def __call__(self, message: Message) -> Extraction:
        """Return what the message proves."""
        who = Provenance(proposer="game-rules", version="1")
        found = _CLASS.search(message.text)
        if message.speaker is not Speaker.USER or found is None:
            return Extraction(candidates=propose(message, zone=timezone.utc), provenance=who)
        quote = locate(message.text, found.group())
        if isinstance(quote, Reason):  # the words stand there twice, so they prove no particular place
            return Extraction(provenance=who)
        name = found["zh"] or found["en"]
        role = ClaimCandidate(
            id=derive_id("c", message.id, "class", name),
            predicate="identity.role",
            value=name,
            raw_value=name,
            quote=quote,
            confidence=0.9,
        )
        return Extraction(candidates=(*propose(message, zone=timezone.utc), role), provenance=who)


memory = Memory.open(extractor=GameExtractor())
guild = memory.scope(service="my-game", owner="u-42", profile="guide")

for text in ("我玩的是法师。", "My name is Nora. I play a ranger in the other guild."):
    for answer in guild.remember(text, session="s1", at="2026-03-01T20:00:00Z"):
        if answer.record_id is None:
            print(f"{answer.outcome.value}: {answer.reason.value}")
            continue
        claim = guild.show(answer.record_id).body
        print(f"{answer.outcome.value}: {getattr(claim, 'predicate', '')} = {claim.shown}")
