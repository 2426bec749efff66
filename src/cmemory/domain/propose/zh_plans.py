"""Chinese rules for what lies ahead: goals, what is awaited, due or still to do."""

from __future__ import annotations

import re
from collections.abc import Iterable

from cmemory.domain.lexicon.zh_matters import AIMS, AWAITED, CHORES, DUE, EVENTS, PURSUITS, TASKS
from cmemory.domain.pattern import lazy_pattern
from cmemory.domain.propose.grammar import Draft, Family, Finding, Reading, Rule, chore, one_of
from cmemory.domain.propose.zh_shape import (
    ADVERB,
    LIST,
    ME,
    NUMBER,
    RELATION,
    WORD,
    clause,
    is_vague,
    own,
    stating,
    tidy,
)
from cmemory.domain.time.dates import resolve_day
from cmemory.domain.time.phrases_zh import ANY_DAY

# ------------------------------------------------------------------------------ goals

_SOON = (
    "(?:最近|目前|现在|这段时间|这阵子|这个月|这学期|近期|今年|这几个月|这半年|正|正在|一直|还|都|也|主要)"
)
_SPAN = (
    f"(?:{NUMBER}(?:年|个月|周|个星期)(?:之内|以内|内)|(?:今年|明年|后年|年底|今年年底|明年年底|毕业|退休|"
    f"{NUMBER}岁|下半年|上半年)(?:之前|以前|前)?)"
)
_FAR = rf"(?:{_SPAN}|以后|将来|未来|有一天|有朝一日|毕业后|退休后|长大后?)"
_HARD = lazy_pattern(r"有些|有点|困难|吃力|难|但|总|感觉|觉得|很|太|不|的时候|时$|的过程|怎么|没|了")


def _pursuit(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    words = tidy(match["value"])
    if own(match, reading) and not _HARD.search(words) and not is_vague(words):
        yield Draft(predicate="goal.current_focus", value=words, raw_value=words, span=match.span("quote"))


def _plan(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    words = tidy(match["value"])
    # "我要学习了" is about the next minute.
    at_once = "想" not in match["quote"] and re.search(r"了\W*\Z", match.string)
    if own(match, reading) and not is_vague(words) and not at_once and not words.endswith("饭"):
        yield Draft(
            predicate="goal.long_term_objective",
            value=words,
            raw_value=words,
            span=match.span("quote"),
            confidence=0.8,
        )


_GOALS = (
    Rule(
        name="zh.goal.focus",
        pattern=clause(
            f"{ME}{_SOON}{{0,3}}(?P<me2>我)?{_SOON}{{0,2}}(?:在|正在|忙着|忙于|开始)(?:努力|认真|拼命|"
            f"慢慢|自己)?(?P<value>(?:{PURSUITS}){WORD}{{0,14}}?)"
        ),
        build=_pursuit,
    ),
    Rule(
        name="zh.goal.preparing",
        pattern=clause(rf"{ME}{_SOON}{{0,3}}(?P<me2>我)?(?P<value>(?:备考|备战|备孕){WORD}{{0,10}}?)"),
        build=_pursuit,
    ),
    Rule(
        name="zh.goal.named",
        pattern=clause(
            "(?:(?P<me>我)(?:给自己定的|自己)?的?|给自己定的)?(?:今年|明年|这个月|这学期|近期|短期|"
            "中期|长期|人生|终极|最大|当前|现在|第一|下一个|新年|年度|未来)?的?(?:小|"
            f"大)?目标(?:就)?是(?:要|能|在)?(?P<value>{WORD}{{2,24}}?)"
        ),
        build=_plan,
    ),
    Rule(
        name="zh.goal.within",
        pattern=clause(
            f"{ME}{ADVERB}{{0,2}}(?:很|特别)?(?:想|要|打算|计划|希望|准备|争取|决定|立志)(?:能|能够|"
            f"可以|要)?(?P<value>(?:在)?{_SPAN}(?:我)?(?:能|能够|可以|要|就)?{WORD}{{2,20}}?)"
        ),
        build=_plan,
    ),
    Rule(
        name="zh.goal.within_first",
        pattern=clause(
            rf"(?P<me>我)(?P<value>{_SPAN}(?:一定)?(?:要|想|打算|计划|准备|希望|争取)(?:能)?{WORD}{{2,20}}?)"
        ),
        build=_plan,
    ),
    Rule(
        name="zh.goal.aim",
        pattern=clause(
            f"(?P<me>我)(?!一直|从小){ADVERB}{{0,2}}正?(?:想|要|打算|计划|准备|决定|下定决心|决心|"
            f"希望)(?:要|开始|努力|自己|能|去|新|再){{0,2}}(?P<value>(?:{AIMS}))"
        ),
        build=_plan,
    ),
    Rule(
        name="zh.goal.travel",
        pattern=clause(
            f"(?P<me>我)(?:{_SOON}){{0,2}}(?:在)?(?:打算|计划)(?P<value>(?:{_FAR}|下个月|暑假|寒假|"
            f"国庆|春节|五一)?(?:和{WORD}{{1,5}})?去{WORD}{{2,10}}?(?:旅游|旅行|留学|定居|读研|读书|"
            "工作|生活|发展))"
        ),
        build=_plan,
    ),
    Rule(
        name="zh.goal.dream",
        pattern=clause(
            "(?P<me>我)(?:从小)?的?(?:最大的?|人生|儿时|小时候的|毕生)?(?:梦想|理想|愿望|"
            f"心愿)(?:一直|就){{0,2}}是(?:能|想|要|可以){{0,2}}(?P<value>{WORD}{{2,24}}?)"
        ),
        build=stating("goal.aspiration"),
    ),
    Rule(
        name="zh.goal.longing",
        pattern=clause(
            f"(?P<me>我)(?:其实)?(?:(?:一直|从小|从小就|一直都|做梦都){{1,2}}(?:很)?(?:梦想|想|希望|"
            f"渴望|憧憬|向往)|梦想)(?:着|能|要|可以|自己|有一天){{0,2}}(?P<value>{WORD}{{2,24}}?)"
        ),
        build=stating("goal.aspiration", bare=False),
    ),
    Rule(
        name="zh.goal.someday",
        pattern=clause(
            f"(?P<me>我)(?:很|特别|真的|好){{0,2}}(?:想|希望)(?:自己)?(?:以后|将来|未来|有一天|"
            "有朝一日|毕业后|退休后|长大后?)(?:我)?(?:能|能够|"
            f"可以|会|要){{0,2}}(?P<value>(?!不|没){WORD}{{2,24}}?)"
        ),
        build=stating("goal.aspiration", bare=False),
    ),
    Rule(
        name="zh.goal.become",
        pattern=clause(
            f"(?P<me>我)(?:很|特别|真的|也|长大后?|以后|将来){{0,2}}(?:想|希望)(?:自己)?(?:能|能够|"
            f"可以){{0,2}}(?:和{WORD}{{1,5}}一样)?(?P<value>(?:成为|当(?!面|时|场|天)上?)(?!你|他|"
            f"她)(?:一?[名个位])?{WORD}{{2,14}}?)"
        ),
        build=stating("goal.aspiration", bare=False),
    ),
)

_CONSTRAINTS = (
    Rule(
        name="zh.limit.food",
        pattern=clause(
            "(?P<me>我)(?:一直|从来|平时|医生说|现在|真的|完全)?(?P<value>(?:晚上|早上|空腹|睡前|"
            f"中午)?(?:不能|没法|不可以)(?:吃|喝|碰|沾|熬夜|久坐|久站|剧烈运动)(?!了){LIST}{{0,14}}?)"
        ),
        build=stating("goal.constraint", bare=False),
    ),
    Rule(
        name="zh.limit.diet",
        pattern=clause(
            f"{ME}{ADVERB}{{0,2}}(?P<value>吃素|吃全素|戒糖|戒酒|忌口|控糖|生酮饮食|乳糖不耐受|"
            "不吃(?:猪|牛|羊)肉)(?:的人)?"
        ),
        build=stating("goal.constraint"),
    ),
    Rule(
        name="zh.limit.budget",
        pattern=clause(
            f"{ME}的?{WORD}{{0,6}}?(?P<value>预算(?:只有|大概|大约|最多|不超过|是|在|也就|"
            f"控制在){{1,3}}{WORD}{{0,3}}[0-9一二三四五六七八九十百千万两几]{{1,8}}{WORD}{{0,6}}?)"
        ),
        build=stating("goal.constraint"),
    ),
    Rule(
        name="zh.limit.time",
        pattern=clause(
            "(?P<me>我)(?:平时|每天|每周|工作日|一般)?(?P<value>(?:每天|每周|平时|周末)?只有(?:周末|"
            f"晚上|早上|午休|周[一二三四五六日天]|[0-9一二两三四五六七八九十半]{{1,3}}个?(?:小时|钟头|"
            f"分钟)){WORD}{{0,3}}?(?:有空|有时间|的?时间|休息)?)"
        ),
        build=stating("goal.constraint", bare=False),
    ),
)

# ------------------------------------------------------------------------------ awaited

_RESULT = (
    r"(?!(?:一?个)?(?:消息|电话|回复|回音|答复)(?!\w)|你|我(?!的)|他|她|着|一下|这|那|"
    f"什么){WORD}{{0,12}}?{one_of(AWAITED)}"
)
_COMES = "(?:下来|出来|到货|到|寄到|公布|通过|批下来|出炉|送到|回来)"


def _awaited(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    words = tidy(match["value"], bare=True)
    words = words[2:] if words.startswith("我的") else words
    if own(match, reading) and not is_vague(words):
        yield Draft(predicate="open_loop.waiting_on", value=words, raw_value=words, span=match.span("proof"))


_AWAITED = (
    Rule(
        name="zh.waiting",
        pattern=clause(
            f"{ME}{_SOON}{{0,3}}(?P<me2>我)?(?:仍然|仍|依然|每天|天天)?(?P<proof>(?:在|还在|正在|"
            "一直在|都在|就)?(?:焦急地|苦苦|耐心)?等(?:着|待|"
            f"候)?(?P<value>{_RESULT})(?:的?{_COMES})?)(?:中)?"
        ),
        build=_awaited,
    ),
    Rule(
        name="zh.waiting.not_received",
        pattern=clause(
            f"(?P<proof>{ME}(?:还|一直|迟迟|仍然?|至今){{1,2}}没有?(?:收到|拿到|等到|"
            f"等来)(?P<value>{_RESULT}))"
        ),
        build=_awaited,
    ),
    Rule(
        name="zh.waiting.not_yet",
        pattern=clause(
            f"(?P<proof>{ME}的?(?P<value>{_RESULT})(?:怎么)?(?:到现在|目前)?(?:还|一直|迟迟|仍|都|"
            f"至今|依然){{1,2}}(?:没有?|未)(?:{_COMES}|收到|出|批|发|消息|动静|回音|来))"
        ),
        build=_awaited,
    ),
)

# ------------------------------------------------------------------------------ due

_PART = (
    "(?:一?早|早上|上午|中午|下午|傍晚|晚上|凌晨|[0-9一二三四五六七八九十]{1,2}[点:][0-9半]{0,2}分?|之前|"
    "以前|前|那天|当天|的){0,3}"
)
_MUST = "(?:就要|就得|就|得|要|必须|需要|还要|还得|是|到|该|会){0,2}"
_MATTER = (
    f"(?!我|你|他|她|这|那|就|还|都|现在|目前|最近|明天|今天|可能|打算|快|{ANY_DAY})(?:(?!每){WORD}){{1,10}}?"
)
_MOVED = "(?:改到|改成|改为|改在|推迟到|推后到|延到|延期到|延长到|提前到|挪到|换到|变成)了?"
_DUE_THINGS = lazy_pattern(
    "论文|报告|作业|项目|方案|报名|稿子|稿件|申请材料|申请|PPT|ppt|简历|材料|毕设|毕业设计|策划案|"
    "合同|房租|贷款|信用卡|标书|设计稿|翻译稿|周报|月报|总结|实验|文件|表格|问卷|作品集|剧本"
)


def _deadline(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    day = resolve_day(match["day"], reading.today)
    groups = match.groupdict()
    matter = _matter(groups.get("value") or "", reading.before)
    # "论文还没写完，下周五截止": the clause before names what is due instead of the person.
    if (
        day is None
        or day < reading.today
        or not (own(match, reading) or (matter and not groups.get("value")))
    ):
        return
    yield Draft(
        predicate="open_loop.deadline",
        value=day.isoformat(),
        raw_value=match["day"],
        span=match.span("quote"),
        entity_ref=matter,
    )


def _matter(said: str, before: str) -> str | None:
    words = re.sub(r"^(?:我的|我|的)", "", tidy(said, bare=True))
    if words:
        return words
    named = _DUE_THINGS.findall(before[-40:])
    return named[-1] if named else None


_DEADLINES = (
    Rule(
        name="zh.due.matter_first",
        pattern=clause(
            f"{ME}(?:现在|目前|最近)?的?(?P<value>{_MATTER})(?:的)?(?:截止日期|截止时间|截止日|ddl|DDL|deadline)?(?:在|"
            f"是|最晚|最迟|得|要|必须|定在|安排在|也){{0,2}}(?P<day>{ANY_DAY}){_PART}{_MUST}(?:{DUE}|"
            "截止|开始)(?:了)?"
        ),
        build=_deadline,
    ),
    Rule(
        name="zh.due.limit",
        pattern=clause(
            f"{ME}的?(?P<value>{_MATTER})?的?(?:截止日期|截止时间|截止日|ddl|DDL|deadline|"
            f"Deadline)(?:现在|已经|被)?(?:在|是|为|就在|就是|{_MOVED})?(?P<day>{ANY_DAY}){_PART}"
        ),
        build=_deadline,
    ),
    Rule(
        name="zh.due.bare",
        pattern=clause(
            rf"{ME}(?P<day>{ANY_DAY}){_PART}(?:就|要|就要|得|必须){{0,2}}(?:截止|到期|截稿|交稿|due)"
        ),
        build=_deadline,
    ),
    Rule(
        name="zh.due.act",
        pattern=clause(
            f"{ME}(?:最晚|最迟)?(?P<day>{ANY_DAY}){_PART}(?P<me2>我)?(?:就|还|必须|一定){{0,2}}(?:要|"
            f"得|需要|必须|该)(?:把)?(?:{DUE})(?P<value>(?!给|到|往|朋友|友|流){WORD}{{2,10}}?)"
        ),
        build=_deadline,
    ),
    Rule(
        name="zh.due.act_by",
        pattern=clause(
            f"{ME}(?:必须|得|要|需要){{1,2}}(?:在)?(?P<day>{ANY_DAY})(?:之前|以前|"
            f"前)(?:把)?(?:{DUE})?(?P<value>{WORD}{{2,10}}?)(?:{DUE}|交上去|写完|做完|搞定|改完)?"
        ),
        build=_deadline,
    ),
    Rule(
        name="zh.due.event",
        pattern=clause(
            f"{ME}(?P<day>{ANY_DAY}){_PART}(?P<me2>我)?(?:就|还|也)?(?:要参加|要去|要考|要做|还有|"
            "会有|要有|参加|要|得|有|去|考|做|是)?(?:一?[个场次])?(?P<value>(?!你|他|她|"
            f"我|{RELATION}){WORD}{{0,8}}?{one_of(EVENTS)})"
        ),
        build=_deadline,
    ),
    Rule(
        name="zh.due.event_first",
        pattern=clause(
            f"{ME}的?(?P<value>(?!你|他|她|我){WORD}{{0,6}}?{one_of(EVENTS)})(?:现在|已经"
            f"|被)?(?:安排在|定在|约在|{_MOVED}|"
            f"是在|就在|在|是)(?P<day>{ANY_DAY}){_PART}"
        ),
        build=_deadline,
    ),
)

# ------------------------------------------------------------------------------ to do

_DONE = lazy_pattern("过$|过了|完了|饭$|觉$")


def _task(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    if own(match, reading) and not _DONE.search(tidy(match["value"])):
        yield from _reminder(match, reading)


def _reminder(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    words = tidy(match["value"])
    if _CHORE.fullmatch(words):
        yield chore(words, reading.today, match.span("quote"))
    elif not is_vague(words):
        yield Draft(
            predicate="open_loop.pending_action", value=words, raw_value=words, span=match.span("quote")
        )


_CHORE = lazy_pattern(CHORES)


def _dated_chore(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    day = resolve_day(match["day"], reading.today)
    if day is not None and day >= reading.today and own(match, reading):
        yield chore(match["value"], day, match.span("quote"))


_TASKS = (
    Rule(
        name="zh.todo.not_yet",
        pattern=clause(
            f"{ME}(?:{ADVERB}|到现在|居然|竟然){{0,2}}(?:(?:还|一直|都|又)(?:没有?|忘了|忘记)|忘了|"
            f"忘记)(?:去|来得及|把)?(?P<value>(?:{TASKS}){WORD}{{0,12}}?)(?:呢)?"
        ),
        build=_task,
    ),
    Rule(
        name="zh.todo.must",
        pattern=clause(
            f"(?P<me>我)(?:{ADVERB}|{ANY_DAY}|周末|回头|改天|过几天|过两天){{0,2}}(?:还)?(?:得|必须|"
            f"需要|应该|该|要记得|记得要|得记得|还要){{1,2}}(?:赶紧|尽快|去|抽空|"
            f"找时间){{0,2}}(?P<value>(?:{CHORES})|(?:{TASKS}){WORD}{{1,14}}?)"
        ),
        build=_task,
    ),
    Rule(
        name="zh.todo.remind",
        pattern=clause(
            f"(?:请|麻烦|你|到时候|到时|记得|别忘了|不要忘了|帮忙|一定要|要|可以|帮我|{ANY_DAY}|"
            f"{_PART}){{0,4}}提醒(?:我|一下我|我一下)(?:一下|要|记得|别忘了|去|{ANY_DAY}|"
            f"{_PART}){{0,4}}(?P<value>{WORD}{{2,16}}?)"
        ),
        build=_reminder,
    ),
    Rule(
        name="zh.todo.chore",
        pattern=clause(
            f"{ME}(?P<day>{ANY_DAY}){_PART}(?P<me2>我)?(?:要|得|打算|准备|记得|还要|还得|"
            f"想){{1,2}}(?:去)?(?P<value>{CHORES})"
        ),
        build=_dated_chore,
    ),
)

FAMILIES: tuple[Family, ...] = (
    Family(
        cue="[想要在备忙梦]|目标|打算|计划|希望|争取|决定|立志|理想|愿望|心愿|开始|决心|渴望|憧憬|向往",
        rules=_GOALS,
    ),
    Family(cue="不能|没法|不可以|素|戒|忌口|控糖|生酮|乳糖|不吃|预算|只有", rules=_CONSTRAINTS),
    Family(cue="[等没未]", rules=_AWAITED),
    Family(cue=ANY_DAY, rules=_DEADLINES),
    Family(cue=f"[没忘得该]|必须|需要|还要|提醒|{ANY_DAY}", rules=_TASKS),
)
