"""What fits: tokens of a text, and which items give way when it gets tight."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

import attrs

from cmemory.domain.plan.plan import SHOWN, Channel, Item, Plan, Why, Withheld
from cmemory.domain.plan.render.companion import envelope, line_of, render, section
from cmemory.domain.predicates.registry import Visibility
from cmemory.domain.text.tokens import count_cjk

#: ASCII characters per token. English prose has about four; ids and markup have fewer, so three stays on the safe side.
_ASCII_PER_TOKEN = 3.0

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
    ascii_chars = len(text.encode("ascii", "ignore"))
    chinese = 0 if ascii_chars == len(text) else count_cjk(text)
    return math.ceil(ascii_chars / _ASCII_PER_TOKEN) + chinese + 2 * (len(text) - ascii_chars - chinese)


def _tokens_of_lines(lines: Iterable[str]) -> int:
    return sum(estimate_tokens(f"{line}\n") for line in lines)


#: Tokens of what stands around all sections, with more digits than a revision or a count will have. The note on what is
#: withheld is counted even where nothing is, since making room may bring it about.
_ENVELOPE_TOKENS = _tokens_of_lines(envelope(10**15, 10**9))

#: Tokens of what stands around the records of a channel.
_SECTION_TOKENS: Mapping[Channel, int] = {channel: _tokens_of_lines(section(channel)) for channel in SHOWN}


def cost_of(item: Item) -> int:
    """Return the tokens an item takes once rendered, its escaped characters at their full length."""
    return _tokens_of_lines([line_of(item)])


def _cost_of_plan(plan: Plan) -> int:
    sections = sum(_SECTION_TOKENS[channel] for channel in SHOWN if plan.channel(channel))
    return _ENVELOPE_TOKENS + sections + sum(cost_of(item) for _, item in plan.shown)


def fit(plan: Plan, max_tokens: int | None) -> Plan:
    """Return the plan with its lowest items moved to the withheld ones until it fits.

    Within a channel the last item goes first; channels give way in a fixed order, constraints never.
    What is counted is the rendered text; its parts never count less than the whole of it.
    """
    if max_tokens is None:
        return plan
    excess = _cost_of_plan(plan) - max_tokens
    kept = {channel: list(plan.channel(channel)) for channel in _YIELDING}
    dropped: list[Item] = []
    for channel in _YIELDING:
        while excess > 0 and kept[channel]:
            item = kept[channel].pop()
            excess -= cost_of(item)
            if not kept[channel]:
                excess -= _SECTION_TOKENS[channel]
            # A follow-up stands for a record that is placed elsewhere; a note that is due stands here alone.
            if channel is not Channel.CONTINUITY or item.reason is Why.DUE_TODAY:
                dropped.append(over_budget(item))
    if not dropped and kept[Channel.CONTINUITY] == list(plan.continuity):
        return plan
    changed = {_FIELD[channel]: tuple(items) for channel, items in kept.items()}
    held = plan.do_not_surface
    back = held.then(dropped) if isinstance(held, Withheld) else (*held, *dropped)
    return attrs.evolve(plan, do_not_surface=back, **changed)  # type: ignore[arg-type]


def worded(plan: Plan, max_tokens: int | None) -> str:
    """Return the rendered plan; nothing at all where it shows no record and there is no room for the envelope."""
    text = render(plan)
    silent = max_tokens is not None and not plan.shown and estimate_tokens(text) > max_tokens
    return "" if silent else text


def over_budget(item: Item) -> Item:
    """Return the item as it is accounted for when there was no room."""
    # Thousands in a turn: made at once, which takes a tenth of the time of changing a copy.
    return Item(
        record_id=item.record_id,
        text=item.text,
        surface=Visibility.NEVER_SURFACE,
        reason=Why.PROMPT_BUDGET,
        score=item.score,
    )
