"""What fits: tokens of a text, and which items give way when it gets tight."""

from __future__ import annotations

import math

import attrs

from cmemory.domain.plan.plan import Channel, Item, Plan, Why
from cmemory.domain.plan.render.companion import escape
from cmemory.domain.predicates.registry import Visibility
from cmemory.domain.text.tokens import is_cjk

#: ASCII characters per token. English prose has about four; ids and markup have fewer, so three stays on the safe side.
_ASCII_PER_TOKEN = 3.0

#: Tokens of one rendered record beside its text and id: the element, its attributes and the line break.
_FRAME_TOKENS = 25

#: Tokens of the envelope: root, policy, channel elements with their guidance, and the note on what is withheld.
_ENVELOPE_TOKENS = 315

#: Which channel gives way first. Constraints never do: an obligation is not subject to a budget.
_YIELDING = (
    Channel.DEEP_RECALL,
    Channel.TOPIC_ACTIVATED,
    Channel.CONTINUITY,
    Channel.IDENTITY,
    Channel.RESPONSE_STYLE,
)
_FIELD = {
    Channel.DEEP_RECALL: "deep_recall",
    Channel.TOPIC_ACTIVATED: "topic_activated",
    Channel.CONTINUITY: "continuity",
    Channel.IDENTITY: "identity",
    Channel.RESPONSE_STYLE: "response_style",
}


def estimate_tokens(text: str) -> int:
    """Return a cautious count of the tokens a model would read, without any model's tokeniser.

    Chinese characters count one each, other characters beyond ASCII two, ASCII a third.
    """
    ascii_chars = sum(ch < "\x80" for ch in text)
    chinese = sum(is_cjk(ch) for ch in text)
    return math.ceil(ascii_chars / _ASCII_PER_TOKEN) + chinese + 2 * (len(text) - ascii_chars - chinese)


def cost_of(item: Item) -> int:
    """Return the tokens an item takes once rendered, its escaped characters at their full length."""
    return estimate_tokens(escape(item.text)) + estimate_tokens(escape(item.record_id)) + _FRAME_TOKENS


def fit(plan: Plan, max_tokens: int | None) -> Plan:
    """Return the plan with its lowest items moved to the withheld ones until it fits.

    Within a channel the last item goes first; channels give way in a fixed order, constraints never.
    """
    if max_tokens is None:
        return plan
    excess = _ENVELOPE_TOKENS + sum(cost_of(item) for _, item in plan.shown) - max_tokens
    kept = {channel: list(plan.channel(channel)) for channel in _YIELDING}
    dropped: list[Item] = []
    for channel in _YIELDING:
        while excess > 0 and kept[channel]:
            item = kept[channel].pop()
            excess -= cost_of(item)
            if channel is not Channel.CONTINUITY:
                dropped.append(over_budget(item))
    if not dropped and kept[Channel.CONTINUITY] == list(plan.continuity):
        return plan
    changed = {_FIELD[channel]: tuple(items) for channel, items in kept.items()}
    return attrs.evolve(plan, do_not_surface=(*plan.do_not_surface, *dropped), **changed)  # type: ignore[arg-type]


def over_budget(item: Item) -> Item:
    """Return the item as it is accounted for when there was no room."""
    return attrs.evolve(item, surface=Visibility.NEVER_SURFACE, reason=Why.PROMPT_BUDGET)
