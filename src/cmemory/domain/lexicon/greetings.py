"""Words that only open a conversation."""

from __future__ import annotations

#: Greetings after which one light follow-up is natural; the protocol's closed list.
GREETINGS: tuple[str, ...] = ("hi", "hello", "hey", "你好", "您好", "早", "晚上好")

#: What is said to open, keep up or close a conversation, and asks for nothing that is remembered; without punctuation.
SMALL_TALK: tuple[str, ...] = (
    *GREETINGS,
    *"你好呀 你好啊 哈喽 嗨 嘿 在吗 在不在 在么 早安 早上好 上午好 中午好 下午好 晚安 午安 好久不见 吃了吗 吃了没 吃饭了吗".split(),
    *"忙吗 干嘛呢 在干嘛 你在干嘛 最近怎么样 最近好吗 拜拜 再见 回见 明天见 谢谢 谢谢你 多谢 辛苦了 哈哈 哈哈哈 嘿嘿 呵呵".split(),
    *(
        "good morning",
        "good afternoon",
        "good evening",
        "good night",
        "morning",
        "night",
        "goodnight",
        "hi there",
    ),
    *(
        "hello there",
        "hey there",
        "how are you",
        "how are you doing",
        "hows it going",
        "whats up",
        "sup",
        "yo",
    ),
    *(
        "you there",
        "are you there",
        "bye",
        "goodbye",
        "see you",
        "see ya",
        "take care",
        "thanks",
        "thank you",
        "haha",
    ),
    *("nice", "cool", "lol"),
)
