"""What was forgotten and is said again, in words that nothing reads as a fact."""

from __future__ import annotations

import pytest

from cmemory import Memory, ScopedMemory
from cmemory.domain.model.ids import MessageId


def logged(memory: Memory, luna: ScopedMemory, message_id: str) -> str:
    """Return a message as the log has it."""
    with memory._services.store.read(luna._scope) as view:
        found = view.message(MessageId(message_id))
    assert found is not None
    return found.text


@pytest.mark.parametrize(
    ("told", "again", "left"),
    [
        (
            "My name is Lin Yue.",
            "Good morning! My name is Ｌｉｎ　Ｙｕｅ. It rains.",
            "Good morning! {} It rains.",
        ),
        ("我叫慕容晚秋。", "早上好。我叫慕容 晚秋。下雨了。", "早上好。{}下雨了。"),
        ("我在学吹陶笛。", "我在学吹 陶笛，今天下雨。", "{}今天下雨。"),
        ("I am learning to play the ocarina.", "I am learning to play  the\tocarina", "{}"),
    ],
)
def test_the_same_words_in_another_spelling_do_not_stay(
    memory: Memory, luna: ScopedMemory, told: str, again: str, left: str
) -> None:
    """No candidate comes of them, so none could be refused; all else the person says stays as they said it."""
    luna.observe(told, session="s1", at="2026-03-01T09:00:00Z", message_id="m-1")
    luna.learn(now="2026-03-01T09:01:00Z")
    (known,) = luna.list(now="2026-03-01T10:00:00Z")
    assert luna.forget(known.id, now="2026-03-02T09:00:00Z").forgotten
    luna.observe(again, session="s2", at="2026-03-03T09:00:00Z", message_id="m-2")
    luna.learn(now="2026-03-03T09:01:00Z")
    stars = len(again.encode()) - len(left.format("").encode())
    assert left.format("*" * stars) == logged(memory, luna, "m-2")
    assert () == luna.list(now="2026-03-04T09:00:00Z")


def test_what_others_say_and_what_says_more_stays(memory: Memory, luna: ScopedMemory) -> None:
    """Forgetting reaches back: only what said just that is recognised, and only in the person's own words."""
    luna.observe("My name is Lin Yue.", session="s1", at="2026-03-01T09:00:00Z", message_id="m-1")
    luna.learn(now="2026-03-01T09:01:00Z")
    (known,) = luna.list(now="2026-03-01T10:00:00Z")
    luna.forget(known.id, now="2026-03-02T09:00:00Z")
    for at, (speaker, text) in enumerate(
        [
            ("assistant", "My name is Lin  Yue"),
            ("user", "Lin Yue called about the kettle."),
            ("user", "My name is long."),
        ]
    ):
        name = f"m-{at + 2}"
        luna.observe(text, session="s2", at="2026-03-03T09:00:00Z", message_id=name, speaker=speaker)
        luna.learn(now="2026-03-03T09:01:00Z")
        assert text == logged(memory, luna, name)
