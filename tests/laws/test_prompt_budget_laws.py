"""What comes into the prompt keeps its budget, whatever was said; counted anew, through the public interface."""

from __future__ import annotations

import attrs
from hypothesis import given, settings
from hypothesis import strategies as st

from cmemory import COMPANION, Memory, ScopedMemory
from cmemory.domain.plan.plan import Channel
from counting import counted

SAID = (
    st.sampled_from(
        [
            "I live in Oslo and work as a baker.",
            "My sister Ines plays the cello.",
            "我叫周眠，最近在等体检结果。",
            "我对花生过敏，也不喜欢香菜。",
            "Please don't bring up my ex.",
            "以后别再提我前男友。",
            "Does Ines still play?",
            "好的",
        ]
    )
    | st.text(max_size=40)
    | st.text("ab &<学琴🙂é ", max_size=900)
).map(lambda text: f"{text.encode('utf-8', 'ignore').decode('utf-8')}.")
CONVERSATIONS = st.lists(st.tuples(st.sampled_from(("user", "assistant")), SAID), max_size=8)
#: None at all, too little for the frame, around the frame, and enough.
BUDGETS = st.just(0) | st.integers(1, 40) | st.integers(41, 500) | st.integers(501, 2_000)


def heard(memory: Memory, conversation: list[tuple[str, str]]) -> ScopedMemory:
    """Let a conversation be said and learned from."""
    luna = memory.scope(service="lamplight", owner="u-42", profile="luna")
    for no, (speaker, text) in enumerate(conversation):
        luna.observe(text, speaker=speaker, session="s1", at=f"2026-03-01T09:{no:02}:00Z")
    luna.learn(now="2026-03-01T10:00:00Z")
    return luna


@given(CONVERSATIONS, SAID, BUDGETS)
@settings(max_examples=60)
def test_a_window_keeps_its_budget(conversation: list[tuple[str, str]], query: str, budget: int) -> None:
    """By any budget, 0 included; and it says truly how much it takes."""
    with Memory.open() as memory:
        luna = heard(memory, conversation)
        made = luna.window(query, session="s1", now="2026-03-01T11:00:00Z", token_budget=budget)
    assert counted(made.text) == made.tokens <= budget
    assert bool(made.items) == bool(made.text)


@given(CONVERSATIONS, SAID, BUDGETS)
@settings(max_examples=60)
def test_a_plan_keeps_its_budget(conversation: list[tuple[str, str]], message: str, budget: int) -> None:
    """Unless obligations alone take more: they are always shown, and nothing else is shown beside them then."""
    policy = attrs.evolve(COMPANION, plan=attrs.evolve(COMPANION.plan, max_tokens=budget))
    with Memory.open(policy=policy) as memory:
        made = heard(memory, conversation).prepare(message, session="s1", now="2026-03-01T11:00:00Z")
    shown = {channel for channel, _ in made.shown}
    assert counted(made.text) <= budget or shown == {Channel.CONSTRAINTS}
