"""Chinese numerals."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

#: Digits as people write them, the spoken forms of two among them.
DIGITS: Mapping[str, int] = MappingProxyType(
    {
        "〇": 0,
        "零": 0,
        "一": 1,
        "二": 2,
        "两": 2,
        "三": 3,
        "四": 4,
        "五": 5,
        "六": 6,
        "七": 7,
        "八": 8,
        "九": 9,
    }
)

#: Days of the week after 周, 星期 and 礼拜; Monday is 0.
WEEKDAYS: Mapping[str, int] = MappingProxyType(
    {"一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "六": 5, "日": 6, "天": 6}
)

#: Days of the solar year that have a name: month and day.
FEASTS: Mapping[str, tuple[int, int]] = MappingProxyType(
    {
        "元旦": (1, 1),
        "情人节": (2, 14),
        "妇女节": (3, 8),
        "五一": (5, 1),
        "劳动节": (5, 1),
        "六一": (6, 1),
        "儿童节": (6, 1),
        "教师节": (9, 10),
        "十一": (10, 1),
        "国庆节": (10, 1),
        "国庆": (10, 1),
        "平安夜": (12, 24),
        "圣诞节": (12, 25),
        "圣诞": (12, 25),
    }
)
