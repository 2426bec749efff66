"""Chinese words by which a stretch of speech shows that it states nothing lasting."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

MARKS: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {
        "joke": re.compile(r"开玩笑|逗你的|骗你的|说着玩|闹着玩|瞎编的"),
        "hypothetical": re.compile(r"如果|要是|假如|假设|倘若|万一|的话(?:就|，|,|$)"),
        "reported": re.compile(r"(?:他|她|他们|她们|别人|人家|有人|朋友|同事|妈妈|爸爸|老师)(?:们)?(?:说|问|觉得|告诉|表示)"),
        "question": re.compile(r"[？?]|吗$|呢$|什么|怎么|为什么|哪[里儿个些]|几[个岁点]|多少|是不是|有没有|要不要|能不能|谁"),
        "mood": re.compile(r"^(?:我)?(?:今天|现在|刚才|刚刚|这会儿|此刻).{0,4}(?:好|很|有点|太|真)(?:累|烦|困|难过|开心|高兴|生气|饿|焦虑|无聊)"),
    }
)
