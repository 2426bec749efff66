"""Words that may differ between two notes that say the same."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType


def _by_form(table: str) -> Mapping[str, str]:
    rows = (line.split(":") for line in table.strip().splitlines())
    return MappingProxyType({form: word.strip() for word, forms in rows for form in forms.split()})


#: Whom a note is about, where it begins with them: in notes that is the person.
SUBJECTS_EN = ("the user", "this user", "the person", "user", "she", "he", "they", "i")
SUBJECTS_ZH = ("这位用户", "用户", "对方", "主人", "她", "他", "我")

#: Words without which an English note says the same.
FILLERS_EN = frozenset(
    "a an the my his her their user's really very so quite truly actually also just absolutely much lot".split()
)
#: Those before a day: "on Friday" is Friday.
BEFORE_A_DAY = frozenset("on at by for this the 在 于 到".split())

#: Words and characters without which a Chinese note says the same. Only those that are part of no other word that matters:
#: 还 is also "give back", 超 stands in 超市.
FILLERS_ZH = tuple("真的 非常 特别 十分 超级 格外 很 的 吧 呢 啊 呀 哦 啦 嘛 也 在".split())

#: Marks of something that is over or has come to be; where they stand does not matter.
DONE_ZH = frozenset("了过")

#: Forms by the word they are read as.
SAME_EN = _by_form(
    """
    like: likes love loves enjoy enjoys adore adores
    dislike: dislikes hate hates detest detests
    not: doesn't don't
    is: are am
    mother: mom mum mommy mama
    father: dad daddy papa
    has: have
    want: wants
    """
)
#: Pairs of those words that one word can say.
PAIRS_EN: Mapping[tuple[str, str], str] = MappingProxyType(
    {("does", "not"): "not", ("do", "not"): "not", ("not", "like"): "dislike"}
)
SAME_ZH = _by_form(
    """
    讨厌: 不喜欢 不爱 厌恶 反感 最烦
    喜欢: 喜爱 热爱 酷爱
    喜欢吃: 爱吃
    喜欢喝: 爱喝
    喜欢看: 爱看
    喜欢听: 爱听
    妈妈: 母亲 老妈
    爸爸: 父亲 老爸
    丈夫: 老公
    妻子: 老婆 太太
    女儿: 闺女
    准备: 打算 计划
    """
)
