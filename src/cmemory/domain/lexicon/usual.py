"""What people say to a companion in any week of the year, in both languages.

Vectors of what people ask share more than vectors of what is kept: the voice of somebody who talks about today. Their
mean over such sentences is what a question about anything has in common with every other, and is taken off. So the
sentences stay general, cover good days and bad ones, and none is about a thing that a memory might be about.
"""

from __future__ import annotations

USUAL_ZH = (
    "今天过得怎么样？",
    "我有点累了，想休息一下。",
    "最近工作好忙啊。",
    "我不知道该怎么办。",
    "你觉得我应该怎么做？",
    "周末我想出去走走。",
    "我心情不太好。",
    "谢谢你，听你这么说我好多了。",
    "昨天晚上没睡好。",
    "我和朋友吵架了。",
    "我想学点新东西。",
    "家里人最近身体不太好。",
    "有什么好吃的推荐吗？",
    "我很开心，今天有好消息。",
    "你还记得我跟你说过的事吗？",
    "我有点紧张，明天有重要的事。",
)
USUAL_EN = (
    "How was your day?",
    "I'm a bit tired and want some rest.",
    "Work has been really busy lately.",
    "I don't know what to do.",
    "What do you think I should do?",
    "I'd like to go out this weekend.",
    "I'm not in a good mood.",
    "Thank you, I feel better now.",
    "I didn't sleep well last night.",
    "I had an argument with a friend.",
    "I want to learn something new.",
    "My family hasn't been well lately.",
    "Any food you would recommend?",
    "I'm so happy, I got good news today.",
    "Do you remember what I told you?",
    "I'm a little nervous, something important is tomorrow.",
)
