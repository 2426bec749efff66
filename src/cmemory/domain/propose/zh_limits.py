"""Chinese rules for boundaries: topics to leave alone, acts that are forbidden, what must stay private."""

from __future__ import annotations

import re
from collections.abc import Iterable

from cmemory.domain.lexicon.zh_speech import POINTERS
from cmemory.domain.pattern import lazy_pattern
from cmemory.domain.propose.grammar import (
    Build,
    Draft,
    Family,
    Finding,
    Pattern,
    Reach,
    Reading,
    Rule,
    one_of,
)
from cmemory.domain.propose.zh_manner import AGAIN, ASK, STOP
from cmemory.domain.propose.zh_shape import BOUND, DEGREE, LIST, WORD, clause, last_day, tidy

_RAISE = (
    "(?:提起|提到|提及|提|聊到|聊起|聊|谈论|谈到|谈起|谈|说起|说到|讨论|问起|问到|问我|问及|打听|八卦|追问)"
)
_WITH_ME = (
    "(?:主动|在我面前|当着我的面|当着我面|跟我|和我|对我|再|总是|老是|老|总|一直|随便|轻易|又|多|瞎|乱)"
)
_NO_TOPIC = lazy_pattern(
    rf"{one_of((*POINTERS, '了', '为什么', '为啥', '也', '有多', '要求', '建议', '意见'))}|多(?!肉)|"
    r"(?:起|话|天|一下|一句|问题|醒|前|到|我|我们|过|过去|事|一次|聊天|说话)\Z"
)
_OF_TOPIC = lazy_pattern(
    r"(?:的|这些?|那些?)?(?:话题|事情|事儿|事|问题|内容|往事|任何事|一切)$|(?:这件事|这事|那件事)$|的$"
)
_BEFORE_TOPIC = lazy_pattern(r"^(?:任何|有?关于|有关|和我|跟我|我和|涉及)*(?:我的|我们的|我(?=[^\W]{2}))?")
_MARKS = lazy_pattern(r"[“”「」\"]")
_PRIVATE = (
    "(?:告诉|说给|透露给|讲给|泄露给?|传出去|传给|说出去|发给|分享给|讲出去|记下来|记下|记住|记录|保存|"
    "存|写进)"
)
_ANYONE = (
    "(?:别人|任何人|其他人|外人|我妈妈?|我爸爸?|我家人|我爸妈|我父母|我老公|我老婆|我男朋友|我女朋友|"
    "我朋友|我同事|我老板|他|她|第三方|谁)"
)


def bare_topic(words: str) -> str:
    """Return the topic itself: 我前任的事 is about 前任; empty when the words only point at something."""
    topic = _OF_TOPIC.sub("", tidy(words))
    topic = tidy(_BEFORE_TOPIC.sub("", topic))
    return "" if not topic or len(topic) > 12 or _NO_TOPIC.match(topic) else topic


def _topic(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    topic = bare_topic(match["topic"])
    if topic:
        until = last_day(match, reading.today) if "period" in match.groupdict() else None
        yield Draft(
            predicate="boundary.topic_avoid",
            value=topic,
            raw_value=topic,
            span=match.span("quote"),
            until=until,
        )


def _topic_before(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    del reading
    topic = bare_topic(match["about"] or match["matter"])
    if topic:
        yield Draft(predicate="boundary.topic_avoid", value=topic, raw_value=topic, span=match.span("quote"))


def _forbidding(predicate: str) -> Build:
    def build(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
        del reading
        act = tidy(match["act"])
        yield Draft(predicate=predicate, value=_MARKS.sub("", act), raw_value=act, span=match.span("quote"))

    return build


_TOPICS = (
    Rule(
        name="zh.topic.avoid",
        pattern=clause(
            rf"{BOUND}{ASK}{STOP}{_WITH_ME}{{0,3}}{_RAISE}(?:有关|关于|任何)?(?P<topic>{LIST}{{1,16}}?)"
        ),
        build=_topic,
    ),
    Rule(
        name="zh.topic.avoid_saying",
        pattern=clause(
            rf"{ASK}{STOP}(?:再)?(?:跟我|和我|对我)说(?P<topic>{WORD}{{2,12}}?)(?:的话题|的事情?)"
        ),
        build=_topic,
    ),
    Rule(
        name="zh.topic.named_before",
        pattern=Pattern(
            source=rf"(?:\A|[，,])\W{{0,4}}(?P<quote>(?:(?:关于|有关)(?P<about>{WORD}{{2,10}}?)|"
            f"(?P<matter>{WORD}{{2,10}}?)(?:的事情?|的话题|"
            rf"这件事))[，,]\s?{ASK}{STOP}{_WITH_ME}{{0,3}}{_RAISE}(?:了|它)?)\W{{0,12}}(?:\Z|[，,])"
        ),
        build=_topic_before,
        reach=Reach.SENTENCE,
    ),
    Rule(
        name="zh.topic.leave",
        pattern=clause(
            f"{ASK}(?:关于|有关|跟)?(?P<topic>{WORD}{{1,14}}?)(?:这个|这种|"
            "这类)?(?:相关)?(?:的)?(?:话题|这件事|那件事|这事|事情|事儿|事|问题|内容)?(?:请|就|你|"
            f"以后|也|先|都|最好|千万|我){{0,3}}"
            f"(?:不要|别|不想|不许|不准|不能|不愿意?){_WITH_ME}{{0,3}}(?:提起|提到|提及|提|聊到|聊起|"
            "聊|谈起|谈|说起|问我?|讨论)(?:了|它|起|我)?"
        ),
        build=_topic,
    ),
    Rule(
        name="zh.topic.unwilling",
        pattern=clause(
            f"(?:我)?(?:真的|其实|{DEGREE})?(?:不想|不愿意?|不太想|不喜欢|不爱|讨厌|不希望|最烦|反感|"
            "拒绝|害怕|怕)(?:你|别人|有人|被人|再|跟你|跟人|和你|和别人|跟别人|人家|"
            f"老){{0,3}}{_RAISE}(?:有关|关于|任何)?(?P<topic>{LIST}{{2,14}}?)"
        ),
        build=_topic,
    ),
    Rule(
        name="zh.topic.taboo",
        pattern=clause(
            f"(?P<topic>{WORD}{{2,12}}?)(?:的?(?:话题|事))?(?:对我来说)?是我的(?:禁区|雷区|雷点|禁忌|"
            "痛处|敏感话题|伤心事)"
        ),
        build=_topic,
    ),
    Rule(
        name="zh.topic.around",
        pattern=clause(
            f"{ASK}(?:避开|回避|绕开|避免谈?|跳过)(?:有关|关于|跟|"
            f"和)?(?P<topic>{WORD}{{2,12}}?)(?:有关|相关)?的(?:话题|内容|事)"
        ),
        build=_topic,
    ),
)

#: Acts that a weak "don't" forbids for good: they are done to the person, by the companion.
_ACTS = (
    rf"(?:叫我(?:[“「\"]{WORD}{{1,8}}?[”」\"]|(?![了啦吧啊]){WORD}{{1,8}}?)|"
    f"喊我(?![了啦吧啊]){WORD}{{1,8}}?|称呼我{WORD}{{1,10}}?|催我{WORD}{{0,8}}?|骂我|吼我|"
    f"打断我(?:说话)?|教育我|评价我{WORD}{{0,6}}?|评判我{WORD}{{0,6}}?|批评我{WORD}{{0,6}}?|"
    f"讽刺我|嘲笑我|取笑我|嘲讽我|数落我|教训我|PUA我|pua我|监督我{WORD}{{0,8}}?|劝我{WORD}{{1,10}}?|"
    f"逼我{WORD}{{1,10}}?|说教|讲大道理|跟我讲大道理|和我讲道理|跟我讲道理|"
    f"给我灌鸡汤|灌鸡汤|说脏话|爆粗口|剧透{WORD}{{0,6}}?|替我做(?:决定|主)|帮我做决定|拿我(?:和|跟|"
    f"开){WORD}{{1,10}}?|把我当{WORD}{{1,10}}?|用{WORD}{{0,8}}?(?:语气|口吻|称呼|表情|emoji|"
    f"表情包){WORD}{{0,6}}?|"
    f"发(?:语音|表情|表情包|颜文字|emoji|图片|链接){WORD}{{0,4}}?|重复我的?话|复述我的?话|"
    f"假装{WORD}{{1,8}}?|敷衍我|对我(?:撒谎|说谎|发脾气|大吼大叫|凶)|半夜{WORD}{{0,6}}?(?:找我|打扰我|"
    "发消息)(?:给我)?|"
    r"(?:晚上|夜里|凌晨|睡前|上班时间|工作时间)(?:给我)?(?:发消息|打扰我|找我|提醒我))"
)
#: Acts that only a strong "never" forbids; otherwise they are said in the heat of the moment.
_MORE_ACTS = (
    f"(?:骗我|逗我|笑我|凶我|管我|丢下我|离开我|联系{WORD}{{1,8}}?|查{WORD}{{1,8}}?|说{WORD}{{2,8}}?|"
    f"用{WORD}{{2,10}}?|发{WORD}{{2,8}}?|给我{WORD}{{2,10}}?|对我{WORD}{{2,10}}?|跟我{WORD}{{2,10}}?|"
    f"拿{WORD}{{2,10}}?|把{WORD}{{3,12}}?)"
)

_ACTIONS = (
    Rule(
        name="zh.forbid",
        pattern=clause(rf"(?!{WORD}{{0,6}}?(?:最好|尽量)){ASK}{STOP}{AGAIN}{{0,2}}(?P<act>{_ACTS})"),
        build=_forbidding("boundary.prohibition"),
    ),
    Rule(
        name="zh.forbid.strongly",
        pattern=clause(
            f"{ASK}(?:不许|不准|禁止|严禁|绝对不要|绝对不能|永远不要|千万不要|千万别)(?:再|总是|老是|"
            f"老|随便)?(?!(?:跟我|和我)?{_RAISE})(?P<act>{_ACTS}|{_MORE_ACTS})"
        ),
        build=_forbidding("boundary.prohibition"),
    ),
    Rule(
        name="zh.forbid.dislike",
        pattern=clause(
            f"我{DEGREE}{{0,2}}(?:不喜欢|讨厌|受不了|反感|不希望|不想)(?:你|被|被人|被你|别人|人家|"
            f"有人)(?:总是|老是|老|一直|随便|再)?(?P<act>{_ACTS})"
        ),
        build=_forbidding("boundary.prohibition"),
    ),
    Rule(
        name="zh.rather_not",
        pattern=clause(rf"{ASK}(?:尽量|最好|能不就|可能的话)(?:不要|别|少)(?:再|总是|老是)?(?P<act>{_ACTS})"),
        build=_forbidding("boundary.soft_preference"),
    ),
    Rule(
        name="zh.refuse",
        pattern=clause(
            rf"我(?:拒绝|不接受|坚决不接受|从不接受)(?P<act>(?!了|不了|你|这|那|他|她|过){WORD}{{2,10}}?)"
        ),
        build=_forbidding("boundary.refusal"),
    ),
)


def _private(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    del reading
    act = tidy(match["act"])
    if not act.startswith(("我不", "你", "他", "她")):
        yield Draft(predicate="boundary.privacy_rule", value=act, raw_value=act, span=match.span("quote"))


_SECRETS = (
    Rule(
        name="zh.private.tell",
        pattern=clause(
            f"{ASK}(?P<act>(?:{STOP}把{WORD}{{1,14}}?{_PRIVATE}(?:{_ANYONE})?|{WORD}{{1,14}}?(?:请|"
            f"千万|你|就|也){{0,2}}(?:不要|别|不许|不能|不准)(?:{_PRIVATE}|记|存)(?:{_ANYONE}|下来|"
            "了)?|"
            f"{STOP}(?:跟|和|对|向)(?:{_ANYONE})(?:说|提|讲|提起|透露)(?:起)?{WORD}{{2,14}}?|"
            f"{WORD}{{2,14}}?(?:请|千万|就){{0,2}}(?:不要|别|不许|不能)(?:跟|和|对|"
            f"向)(?:{_ANYONE})(?:说|提|讲|提起|透露)|"
            f"{STOP}告诉(?:{_ANYONE}){WORD}{{2,14}}?|{STOP}(?:记录|保存|存储|记住|记下|存|"
            f"记)我的?{WORD}{{2,10}}?))"
        ),
        build=_private,
    ),
    Rule(
        name="zh.private.keep",
        pattern=clause(
            f"{ASK}(?P<act>(?:帮我|替我|为我)?(?:把)?{WORD}{{2,12}}?(?:请|要|得|必须|一定要|你要|帮我|"
            f"替我){{1,3}}保密|{WORD}{{2,12}}?是(?:我们的|咱们的|我的)?秘密)"
        ),
        build=_private,
    ),
)


#: A word of refusal.
_NO = "[别不勿少没无]"

FAMILIES: tuple[Family, ...] = (
    Family(cue=f"{_NO}|保密|秘密", rules=_SECRETS),
    Family(cue=f"{_NO}|讨厌|反感|拒绝|怕|烦|我的[禁雷痛敏伤]|避|绕开|跳过", rules=_TOPICS),
    Family(cue=f"{_NO}|禁|讨厌|反感|拒绝", rules=_ACTIONS),
)
