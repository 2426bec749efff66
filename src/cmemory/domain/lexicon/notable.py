"""Words by which a sentence shows that it is worth a note, and what kind of note it makes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from cmemory.domain.pattern import lazy_pattern


def _words(table: str) -> re.Pattern[str]:
    return lazy_pattern("|".join(table.split()))


def _english(table: str) -> re.Pattern[str]:
    forms = "|".join(form.strip().replace(" ", r"\s+") for form in table.split(","))
    return lazy_pattern(rf"\b(?:{forms.replace(chr(39), '[' + chr(39) + '’]?')})\b", re.IGNORECASE)


#: What asks that something be kept; it is no part of what is to be kept.
KEEP_ZH = lazy_pattern(
    r"\A\W*(?:请|麻烦|帮我|你要?|给我){0,3}(?:记住|记着|记下来?|记一下|别忘了?)(?:了|哦|啊|一下)?[，,：:\s]*"
)
KEEP_EN = lazy_pattern(
    r"\A\W*(?:(?:please|can you|could you|and|also)\s+){0,2}(?:remember|note|keep in mind|don['’]?t forget)"
    r"(?:\s+that)?[,:\s]+(?!to\b|me\b)",
    re.IGNORECASE,
)

#: Who speaks of themselves; and in Chinese, what begins without anybody.
SELF_ZH = lazy_pattern("[我咱俺]")
SELF_EN = lazy_pattern(r"\b(?:i|i['’](?:m|ve|d|ll)|my|me|we|our|us|mine)\b", re.IGNORECASE)

#: What follows a named day without anybody being named: 周五要复查.
TO_COME_ZH = _words("要 得 会 准备 打算 约了 有")

NOTABLE_ZH: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {
        "promise": _words("提醒我 答应 约好 说好了? 保证 一言为定 记得(?!吗) 别忘 帮我记 欠(?:我|你|他|她)"),
        "lesson": _words(
            "明白了 学会了? 学到了? 意识到 吸取 教训 以后.{0,8}(?:一定|再也不|不再|都要) 下次(?:要|得|不) 终于懂"
        ),
        "feeling": _words(
            "难过 伤心 害怕 焦虑 孤独 委屈 想念 想家 后悔 愧疚 骄傲 自豪 感动 幸福 失望 崩溃 压力 舍不得 心疼"
        ),
        "preference": _words(
            "喜欢 讨厌 最爱 爱吃 爱喝 爱看 爱听 不爱 不吃 不喝 受不了 过敏 偏爱 宁愿 不习惯 怕(?:吵|冷|热|黑|生)"
        ),
        "event": _words(
            "考试 面试 手术 复查 体检 生日 婚礼 结婚 搬家 旅行 旅游 出差 毕业 入职 离职 升职 辞职 分手 怀孕 住院 出院 演出 "
            "比赛 葬礼 去世 签证 答辩 聚会 报到 开学 搬到 搬去 录取 领养 退休"
        ),
    }
)
NOTABLE_EN: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {
        "promise": _english(
            "remind me, promised, i promise, don't let me forget, we agreed, made a deal, i owe, owes me"
        ),
        "lesson": _english(
            "learned that, learnt that, learned to, realized, realised, next time i, never again, lesson, taught me"
        ),
        "feeling": _english(
            "sad, scared, afraid, anxious, lonely, hurt, homesick, regret, guilty, proud, touched, disappointed, miss her, "
            "miss him, miss my, heartbroken, grateful, ashamed, pressure, overwhelmed"
        ),
        "preference": _english(
            "i like, i love, i hate, i prefer, i dislike, i enjoy, can't stand, don't like, don't eat, don't drink, allergic, "
            "my favorite, my favourite, i'd rather, i adore"
        ),
        "event": _english(
            "exam, exams, interview, surgery, operation, check-up, checkup, birthday, wedding, married, moving, moved, trip, "
            "graduated, graduation, graduate, new job, promoted, promotion, quit, broke up, pregnant, hospital, concert, "
            "performance, competition, funeral, passed away, visa, audition, retired, adopted"
        ),
    }
)

#: What makes a feeling more than the mood of the hour: that it lasts, returns, or has a reason.
LASTING_ZH = _words("一直 总是 总会 每次 每当 每年 最近 这几年 这段时间 这阵子 因为 还是会 常常 从小 自从")
LASTING_EN = _english(
    "always, every time, whenever, since, because, for years, for months, lately, still, ever since, these days"
)
