"""Words that only open a conversation."""

from __future__ import annotations

#: Greetings after which one light follow-up is natural; the protocol's closed list.
GREETINGS: tuple[str, ...] = ("hi", "hello", "hey", "你好", "您好", "早", "晚上好")
