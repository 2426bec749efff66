"""Ninety-six turns are compacted and dropped, and two facts from the beginning are found again.

Run it with ``python examples/long_conversation.py``; nothing is written to disk.
"""

from __future__ import annotations

from collections.abc import Iterator

from cmemory import Instant, Memory, ScopedMemory

BEGIN = Instant.parse("2026-03-01T01:00:00Z")

#: What is told first, how it is asked for later, and what the answer must hold.
FACTS = (
    (
        "The spare key to the boathouse hangs behind the blue barometer.",
        "Where is the spare key to the boathouse?",
        "barometer",
    ),
    ("外婆留下的怀表在第七号储物柜，柜门密码是三一九。", "怀表放在哪个储物柜里？", "第七号"),
)

THEMES = ("the garden", "the harbour", "a concert", "the kitchen", "天气", "电影", "跑步", "旧书店")
EN = (
    "Today I spent a while with {theme} and noticed how item {no} had changed since spring.",
    "Somebody told a long story about {theme}; part {no} was rather slow, though the ending was fun.",
    "I am reading chapter {no} of a novel set around {theme}, and it rains on every page.",
)
ZH = (
    "今天又想起{theme}，大概是第{no}回了，心里很平静。",
    "和同事聊了一会儿{theme}，他讲了{no}个笑话。",
    "晚上整理照片，有{no}张都和{theme}有关。",
)
ANSWERS = ("That sounds like a full day.", "嗯，听起来不错。", "Got it!", "好的，我在听。")


def turns() -> Iterator[tuple[str, str]]:
    """Yield what the person says in each of ninety-six turns, and what the companion answers."""
    for no in range(96):
        theme = THEMES[(no * 5 + no // 8) % len(THEMES)]
        forms = EN if theme.isascii() else ZH
        yield forms[(no // 3) % len(forms)].format(theme=theme, no=no + 1), ANSWERS[no % len(ANSWERS)]


def dialogue() -> list[tuple[str, str]]:
    """Return who says what: the two facts, and the rest after them."""
    told = [("user", fact) for fact, _, _ in FACTS]
    return told + [line for one, answer in turns() for line in (("user", one), ("assistant", answer))]


def talk(luna: ScopedMemory, session: str) -> Instant:
    """Let all of it be said, a line a minute; returns the moment after it."""
    luna.observe_many(
        luna.message(text, session=session, speaker=speaker, at=BEGIN.plus(seconds=60 * no))
        for no, (speaker, text) in enumerate(dialogue())
    )
    return BEGIN.plus(seconds=60 * len(dialogue()))


def main() -> None:
    """Talk, compact, and ask."""
    luna = Memory.open().scope(service="my-app", owner="u-42", profile="luna")
    now = talk(luna, "s1")
    context = [text for _, text in dialogue()]

    # The dialogue leaves the model's context; the checkpoint takes its place.
    made = luna.compact("s1", token_budget=300, now=now)
    print(f"{len(context)} messages, {made.trace.input_estimated_tokens} tokens, give way to:\n{made.text}")
    context = [made.text]

    for fact, question, _ in FACTS:
        window = luna.window(question, session="s1", now=now, token_budget=150)
        print(f"\n{question}\n  in the context still: {any(fact in text for text in context)}")
        print(f"  in a window of {window.tokens} tokens: {[one.text for one in window.items]}")


if __name__ == "__main__":
    main()
