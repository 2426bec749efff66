"""Made-up facts, stories and questions for the measurements of speed: ours, in English and Chinese, the same on every run.

A word stands in about one record of eighty, whatever the size, so a question points at more records in a larger
database, as it would in a longer life.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import attrs

from cmemory.domain.evidence.quote import quote_at
from cmemory.domain.model.candidate import Candidate, ClaimCandidate, EpisodeCandidate

_DEEDS = (
    "mend sort plant bake paint tune wash read sketch carve knit copy frame varnish sand polish trim fold label stitch"
).split()
_THINGS = (
    "kite cello letter basil bread lighthouse bicycle atlas kettle lantern harp quilt chessboard canoe telescope teapot "
    "mandolin compass herbarium sundial accordion saddle barometer hammock loom violin easel tapestry globe beehive "
    "trellis birdhouse puppet windmill carousel greenhouse sextant gramophone typewriter marionette"
).split()
_WITH = (
    "from Porto|for Mira|before the frost|with grandpa Ole|in the attic|after the choir|by the canal|on the balcony|"
    "for the spring fair|near the old mill|with Hanna|under the stairs|for cousin Teo|by the harbour|in the blue room"
).split("|")
_ZH_DEEDS = "修好 整理 种下 练会 画完 读完 擦亮 缝补 抄写 装裱 打磨 收集 晾晒 测量 调试 编织 包装 清洗 拆开 上漆".split()
_ZH_THINGS = (
    "风筝 提琴 信件 罗勒 面包 灯塔 单车 地图 水壶 灯笼 竖琴 被面 棋盘 小船 望远镜 茶具 曼陀铃 罗盘 标本 日晷 "
    "手风琴 马鞍 气压计 吊床 织机 画架 挂毯 地球仪 蜂箱 花架 鸟屋 木偶 风车 木马 温室 六分仪 唱机 打字机 剪纸 陶罐"
).split()
_ZH_WITH = (
    "送给米拉|在阁楼上|霜降以前|和奥勒爷爷一起|合唱结束以后|沿着运河|摆在阳台|为了春天的集市|在旧磨坊旁边|"
    "和汉娜一起|放在楼梯下面|给表弟泰奥|靠近港口|在蓝色房间"
).split("|")

_KEYS = (
    "goal.current_focus",
    "ritual.recurring_activity",
    "goal.long_term_objective",
    "open_loop.pending_action",
)

#: One record of so many is a story, the others are facts.
_STORIES = 5


@attrs.frozen(kw_only=True)
class Told:
    """One message and what is proposed from it."""

    id: str
    text: str
    candidates: tuple[Candidate, ...]


@attrs.frozen(kw_only=True)
class Planted:
    """A text that is found by name, and erased again."""

    text: str
    question: str
    #: Words of the text that stand in no other text and in no question.
    mark: str
    chinese: bool


#: As many in Chinese as in English, in turn.
PLANTED = tuple(
    Planted(text=text, question=question, mark=mark, chinese=chinese)
    for text, question, mark, chinese in (
        ("把奶奶的算盘收进了樟木箱", "奶奶的算盘放在哪里？", "樟木箱", True),
        ("put the brass astrolabe into the camphor chest", "Where is the brass astrolabe?", "camphor", False),
        ("给陶笛配了一个呢绒套", "陶笛配了什么？", "呢绒套", True),
        ("sew a loden cover for the ocarina", "What about the ocarina?", "loden", False),
        ("照壁上的砖雕要请石匠补", "照壁上的砖雕怎么办？", "石匠补", True),
        ("ask the stonecutter about the gargoyle", "Who looks after the gargoyle?", "stonecutter", False),
        ("和外婆一起腌了雪里蕻", "外婆那边腌了什么？", "雪里蕻", True),
        ("pickle samphire with Aunt Dorle", "What did we do with Aunt Dorle?", "samphire", False),
    )
)


def fact(number: int) -> str:
    """Return the words of a made-up fact; no two are equal.

    >>> fact(0), fact(1)
    ('frame the easel from Porto, 0', '画完唱机在蓝色房间，1')
    """
    draw = random.Random(number)  # noqa: S311 - made-up words, not a secret
    if number % 2:
        return f"{draw.choice(_ZH_DEEDS)}{draw.choice(_ZH_THINGS)}{draw.choice(_ZH_WITH)}，{number}"
    return f"{draw.choice(_DEEDS)} the {draw.choice(_THINGS)} {draw.choice(_WITH)}, {number}"


def told(numbers: Sequence[int]) -> Told:
    """Return a message that states these facts, one for each line."""
    return stated([(number, fact(number)) for number in numbers])


def stated(facts: Sequence[tuple[int, str]]) -> Told:
    """Return a message that states these numbered words, one for each line; every fifth is a story."""
    text = "\n".join(f"{words}。" for _, words in facts)
    return Told(
        id=f"m-{facts[0][0]}",
        text=text,
        candidates=tuple(_candidate(text, number, words) for number, words in facts),
    )


def asked(number: int) -> str:
    """Return what the person says in a turn: a question about a thing, or now and then a greeting."""
    draw = random.Random(-1 - number)  # noqa: S311 - the same
    if number % 7 == 6:
        return "Good morning!" if number % 2 else "早上好！"
    if number % 2:
        return f"{draw.choice(_ZH_THINGS)}后来怎么样了？"
    return f"How is the {draw.choice(_THINGS)} getting on?"


def _candidate(text: str, number: int, words: str) -> Candidate:
    start = text.index(words + "。")
    quote = quote_at(text, start, start + len(words) + 1)
    if number % _STORIES == _STORIES - 1:
        return EpisodeCandidate(id=f"e{number}", narrative=words, quote=quote, confidence=0.8)
    return ClaimCandidate(
        id=f"c{number}", predicate=_KEYS[number % len(_KEYS)], value=words, quote=quote, confidence=0.8
    )
