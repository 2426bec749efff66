"""A long conversation in two languages, the same on every run: two facts early on, and ninety-six turns of other things."""

from __future__ import annotations

from collections.abc import Iterator

from cmemory import Instant, ScopedMemory

BEGIN = Instant.parse("2026-03-01T01:00:00Z")

#: What has to be found again, who asks for it how, and what the answer must hold.
FACTS = (
    (
        "The spare key to the boathouse hangs behind the blue barometer.",
        "Where is the spare key to the boathouse?",
        "barometer",
    ),
    ("外婆留下的怀表在第七号储物柜，柜门密码是三一九。", "怀表放在哪个储物柜里？", "第七号"),
)

_THEMES = ("the garden", "the harbour", "a concert", "the kitchen", "天气", "电影", "跑步", "旧书店")
_EN = (
    "Today I spent a while with {theme} and noticed how item {no} had changed since spring.",
    "Somebody told a long story about {theme}; part {no} was rather slow, though the ending was fun.",
    "I am reading chapter {no} of a novel set around {theme}, and it rains on every page.",
)
_ZH = (
    "今天又想起{theme}，大概是第{no}回了，心里很平静。",
    "和同事聊了一会儿{theme}，他讲了{no}个笑话。",
    "晚上整理照片，有{no}张都和{theme}有关。",
)
_ANSWERS = ("That sounds like a full day.", "嗯，听起来不错。", "Got it!", "好的，我在听。")


def turns(count: int = 96) -> Iterator[tuple[str, str]]:
    """Yield what the person says and what the companion answers."""
    for no in range(count):
        theme = _THEMES[(no * 5 + no // 8) % len(_THEMES)]
        forms = _EN if theme.isascii() else _ZH
        yield forms[(no // 3) % len(forms)].format(theme=theme, no=no + 1), _ANSWERS[no % len(_ANSWERS)]


def talk(luna: ScopedMemory, session: str) -> Instant:
    """Let the two facts be told, and the rest after them; returns the moment when all is said."""
    told = [fact for fact, _, _ in FACTS]
    said = [("user", one) for one in told]
    said += [line for one, answer in turns() for line in (("user", one), ("assistant", answer))]
    luna.observe_many(
        luna.message(text, session=session, speaker=speaker, at=BEGIN.plus(seconds=60 * no))
        for no, (speaker, text) in enumerate(said)
    )
    return BEGIN.plus(seconds=60 * len(said))
