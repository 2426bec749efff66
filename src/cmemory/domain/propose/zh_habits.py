"""Chinese rules for what a person does and likes as a rule: habits, tastes, dislikes, allergies.

The vocabulary has no key for tastes; they are kept under ``misc.unclassified``, as the statement without
its subject and without words of degree: 喜欢海边. A habit's value is the bare act; how often it happens is
a claim of its own about that act.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from cmemory.domain.lexicon.zh_matters import HABITS
from cmemory.domain.lexicon.zh_style import REPLIES
from cmemory.domain.pattern import lazy_pattern
from cmemory.domain.propose.grammar import Draft, Family, Finding, Reading, Rule, one_of
from cmemory.domain.propose.zh_shape import (
    ADVERB,
    DEGREE,
    LIST,
    ME,
    WORD,
    clause,
    is_vague,
    own,
    points_away,
    stating,
    tidy,
)

# ------------------------------------------------------------------------------ habits

_N = "(?:[0-9一二两三四五六七八九十几]{1,3})"
_HOUR = f"(?:{_N}点(?:半|多|左右)?)"
_PART = (
    "(?:(?:早上|早晨|清晨|上午|中午|下午|傍晚|晚上|睡前|饭后|下班后|下班|放学后|凌晨|起床后|"
    f"夜里){_HOUR}?|{_HOUR})"
)
_EVERY = (
    f"(?:每隔?{_N}?(?:天|周|个?星期|个?礼拜|个?月|年|个季度)|天天|每(?:周|个?星期|"
    f"礼拜)[一二三四五六日天、到至和]{{1,7}}|每个?(?:周末|工作日|早上|早晨|清晨|晚上|傍晚|中午|下午|"
    "夏天|冬天|寒暑假|暑假|寒假)|每晚|每早|"
    "隔天|隔三差五|工作日|周[一二三四五六日天]|(?:一到|每到|每逢)(?:周末|冬天|夏天|晚上)|周末|经常|"
    "常常|常年)"
)
_WEAK = lazy_pattern("^(?:周|工作日)")
_SELDOM = lazy_pattern(r"了(?!\Z)|过|感到|感觉|觉得|累|烦|不|得很|的时候|都在|加班到崩溃|打扰")
#: 去 before another verb only says that one goes out for it; before a place it is the habit.
_GOING = lazy_pattern(rf"去(?:{HABITS})")
#: A place one goes to for the sake of the act named after it.
_ELSEWHERE = lazy_pattern(rf"去{WORD}{{2,8}}?[跑骑游爬打踢练](?=[步车泳山球拳])")
_TIMES = rf"(?P<times>{_N}(?:次|天|趟|回|小时|公里|遍))"


def _habit(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    act = tidy(match["value"])
    act = act[1:] if _GOING.match(act) else act
    often = "".join(match[group] or "" for group in ("often", "part") if group in match.groupdict())
    if not own(match, reading) or is_vague(act) or _SELDOM.search(act):
        return
    if _WEAK.match(often) and not re.search("都|一般|通常|经常|会|总|喜欢|常|习惯", match["quote"]):
        return
    # "去金鸡湖跑步" is kept as the bare act, by which it is found again when it is given up.
    bare = act[found.end() - 1 :] if (found := _ELSEWHERE.match(act)) else act
    yield Draft(predicate="ritual.recurring_activity", value=bare, raw_value=act, span=match.span("quote"))
    times = match.groupdict().get("times") or ""
    if often:
        yield Draft(
            predicate="ritual.frequency",
            value=often + times,
            raw_value=often if not times else None,
            span=match.span("quote"),
            entity_ref=bare,
        )


_USUALLY = (
    "(?:都会|都要|都|会|一般|通常|基本上?|几乎|总会|总要|总是|坚持|必须?|一定会?|固定|习惯|喜欢|自己|"
    "一个人|也|还|就|要|至少|差不多|大概|雷打不动){0,3}"
)

_HABITS = (
    Rule(
        name="zh.habit.often",
        pattern=clause(
            f"{ME}(?:{ADVERB}|基本上?|几乎|总会|习惯|坚持|会|一般|"
            f"通常){{0,3}}(?P<often>{_EVERY}){_USUALLY}(?P<part>{_PART})?{_USUALLY}(?:去)"
            f"?(?P<value>(?:{HABITS}){LIST}{{0,14}}?)"
        ),
        build=_habit,
    ),
    Rule(
        name="zh.habit.counted",
        pattern=clause(
            f"{ME}{ADVERB}{{0,2}}(?P<often>[每一](?:周|个?星期|个?礼拜|个?月|天|年))(?:都|会|大概|要|"
            f"至少|坚持){{0,2}}(?:去)?(?P<value>(?:{HABITS}){WORD}{{0,6}}?){_TIMES}"
        ),
        build=_habit,
    ),
    Rule(
        name="zh.habit.custom",
        pattern=clause(
            f"(?P<me>我)(?:一直|也|都|平时|向来|已经)?(?:有{WORD}{{0,4}}?的习惯|习惯于?|"
            "养成了)(?P<value>(?:每天|每晚|睡前|饭后|早上|晚上|下班后|起床后|先|"
            f"一边){{0,2}}(?:{HABITS}){LIST}{{0,14}}?)(?:的习惯)?"
        ),
        build=_habit,
    ),
    Rule(
        name="zh.habit.having",
        pattern=clause(
            "(?P<me>我)(?:一直|也|都)?有(?P<value>(?:每天|每晚|睡前|饭后|早上|"
            f"晚上)?(?:{HABITS}){WORD}{{0,10}}?)的习惯"
        ),
        build=_habit,
    ),
    Rule(
        name="zh.habit.part",
        pattern=clause(
            f"(?P<me>我)(?:平时|一般|通常|平常)(?:都|会){{0,2}}(?P<often>{_PART})(?:都|会|"
            f"一般){{0,2}}(?:去)?(?P<value>(?:{HABITS}){LIST}{{0,12}}?)"
        ),
        build=_habit,
    ),
    Rule(
        name="zh.habit.persist",
        pattern=clause(
            f"{ME}(?:一直|都|已经|还)?(?:坚持|保持着?)(?P<value>(?:{HABITS}){WORD}{{0,6}}?)(?:的习惯|"
            f"(?:已经|有)?{_N}(?:年|个月)多?)"
        ),
        build=_habit,
    ),
)

# ------------------------------------------------------------------------------ tastes

_LIKE = (
    "(?:喜欢|喜爱|热爱|钟爱|偏爱|酷爱|爱好|最爱|迷恋|痴迷于?|"
    "爱(?=[吃喝看听玩睡读唱跳画笑逛拍写打做养喝泡运学])|(?<=[超最很巨])爱(?!你|他|她|它|上|我))"
)
_DISLIKE = (
    "(?:讨厌|厌恶|反感|受不了|害怕|忍不了|恨|怕(?=蛇|蝎|虫|蜘蛛|黑|高|狗|猫|鼠|老鼠|打雷|水|鬼|冷|热|疼|"
    "痛|辣|吵|打针|死|坐飞机|蟑螂|密|人多|孤独))"
)
_NOT = lazy_pattern(
    r"上(?:了|你|他)|(?:的|过|了)\Z|一(?:件|首|部|场|本|个)|自己(?:现在|最近)|里面|你|"
    rf"{one_of(w for w in REPLIES if len(w) > 1)}(?:方式|风格)?\Z|^(?:的|是|上|和(?!平)|跟|我|才)|"
    "^[过着了]|"
    r"的\w{0,6}就?是|的时候|之后|[这那][种样个]|(?:电影|书|小说|歌|剧|故事|片子)[里中]|得[真很好]"
)
_BREAK = lazy_pattern("但是|但|不过|可是|因为|所以|而且|尤其|特别是|比如|等等|等$|之类.*$")


def _taste(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    thing = tidy(_BREAK.split(match["value"])[0])
    if not own(match, reading) or not thing or points_away(thing) or _NOT.search(thing):
        return
    attitude = match["attitude"]
    if attitude.startswith("不") and match.string[match.end("quote") :].startswith("了"):
        return
    span = match.start("quote"), match.start("value") + len(thing)
    yield Draft(
        predicate="misc.unclassified",
        value=attitude + thing,
        raw_value=match.string[slice(*span)],
        span=span,
    )


def _said(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    words = tidy(match["value"])
    # "不吃素了" says what has ended.
    changed = words.startswith("不") and match.string[match.end("quote") :].startswith("了")
    if own(match, reading) and not changed and not points_away(words) and not re.search("他|她|这|那", words):
        yield Draft(
            predicate="misc.unclassified", value=words, raw_value=match["quote"], span=match.span("quote")
        )


def _allergy(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    if own(match, reading):
        value = match["value"]
        yield Draft(
            predicate="misc.unclassified",
            value=f"{value}过敏",
            raw_value=match["quote"],
            span=match.span("quote"),
        )


def _interest(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    del reading
    yield Draft(
        predicate="misc.unclassified",
        value=f"{match['value']}感兴趣",
        raw_value=match["quote"],
        span=match.span("quote"),
    )


_TASTES = (
    Rule(
        name="zh.taste.like",
        pattern=clause(
            f"{ME}(?:个人|平时)?{DEGREE}{{0,3}}(?P<attitude>(?:(?:一点儿?(?:也|都))?不(?:太|怎么|是很|"
            f"大)?)?{_LIKE})(?P<value>(?!不喜欢|长篇大论|直来直去|[聊谈提]|有话直说){LIST}{{1,28}}?)"
        ),
        build=_taste,
    ),
    Rule(
        name="zh.taste.dislike",
        pattern=clause(
            f"{ME}(?:个人)?{DEGREE}{{0,3}}(?P<attitude>{_DISLIKE})(?!别人|你|有人|人家|自己|"
            f"失去)(?P<value>(?:(?!会|不|没|我|他|她){LIST}){{1,12}}?)"
        ),
        build=_taste,
    ),
    Rule(
        name="zh.taste.favourite",
        pattern=clause(
            f"(?P<me>我)(?P<value>最(?:喜欢|爱|讨厌)(?:的)?{WORD}{{0,8}}?(?:就)?是(?!一|什么){LIST}{{1,20}}?)"
        ),
        build=_said,
    ),
    Rule(
        name="zh.taste.favourite_is",
        pattern=clause(
            "(?P<value>(?!你|他|她|这|那|它|今天|昨天|但|可|不|而|就|才|都|也|还|只|于|"
            f"总){WORD}{{1,10}}?是我最(?:喜欢|爱|讨厌)的{WORD}{{1,8}}?)(?P<me>)"
        ),
        build=_said,
    ),
    Rule(
        name="zh.taste.hobby",
        pattern=clause(
            "(?P<me>我)(?:平时|最大)?的?(?:业余|个人)?(?P<value>(?:兴趣爱好|爱好|兴趣|特长)(?:就|"
            f"主要|一直)?(?:是|有|包括)(?!什么){LIST}{{2,24}}?)"
        ),
        build=_said,
    ),
    Rule(
        name="zh.taste.interest",
        pattern=clause(
            "(?P<me>我)(?:一直|也|还|都|从小|其实|个人)?(?P<value>对(?!你|他|她|它|这|那)(?:(?!不|"
            f"没){LIST}){{1,14}}?)(?:都|也|很|非常|特别|比较|最|挺|还|真的|一直|更|超级?){{0,2}}感兴趣"
        ),
        build=_interest,
    ),
    Rule(
        name="zh.taste.not_eaten",
        pattern=clause(
            f"{ME}(?:{ADVERB}|从来|从|真的|完全|一般|一点都){{0,2}}(?P<value>不(?:吃|喝|抽|碰)(?!饭|"
            f"完|下|到|了|惯|消|早|晚|午|东西){LIST}{{1,12}}?|不吃辣|不抽烟|不喝酒|滴酒不沾|不能吃辣)"
        ),
        build=_said,
    ),
    Rule(
        name="zh.allergy",
        pattern=clause(
            f"{ME}(?:{ADVERB}|严重|有点|从小){{0,2}}(?P<value>对(?!你|他|她|它|这|那)(?:(?!不|没|"
            f"有){LIST}){{1,14}}?)有?(?:{ADVERB}|严重|有点儿?|会|非常|很|"
            f"轻微){{0,2}}(?P<allergic>过敏)"
        ),
        build=_allergy,
    ),
    Rule(
        name="zh.allergy.noun",
        pattern=clause(
            f"{ME}{ADVERB}{{0,2}}(?:会|有)?(?P<value>(?:花生|海鲜|坚果|牛奶|鸡蛋|芒果|花粉|尘螨|"
            f"青霉素|头孢|酒精|猫毛|狗毛|虾|蟹|大豆|小麦|麸质|乳糖|紫外线){{1,3}}过敏)"
        ),
        build=stating("misc.unclassified"),
    ),
)


FAMILIES: tuple[Family, ...] = (
    Family(
        cue="[每常]|天天|习惯|养成|坚持|保持|周[一二三四五六日天末]|一(?:周|个?星期|个?礼拜|个?月|天|年)|工作日|隔天|隔三|平时|一般|通常",
        rules=_HABITS,
    ),
    Family(
        cue="[喜爱怕恨]|讨厌|厌恶|反感|受不了|忍不了|痴迷|迷恋|兴趣|特长|不[吃喝抽碰能]|滴酒|过敏",
        rules=_TASTES,
    ),
)
