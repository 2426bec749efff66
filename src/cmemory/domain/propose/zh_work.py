"""Chinese rules for what the person does: jobs, employers, studies and roles."""

from __future__ import annotations

import re
from collections.abc import Iterable

from cmemory.domain.lexicon.zh_places import PLACES
from cmemory.domain.lexicon.zh_work import FIELDS, JOBS, NO_EMPLOYERS, ROLES, STUDENTS
from cmemory.domain.pattern import lazy_pattern
from cmemory.domain.propose.grammar import Draft, Family, Finding, Reading, Rule, one_of
from cmemory.domain.propose.zh_shape import ADVERB, DEGREE, ME, SINCE, WORD, clause, own, stating, tidy

_PLAIN = (
    r"[^\s，。！？、…；：,.!?;:“”\"「」『』（）()的说想来去问找看觉被把跟和次当年上让给你我他她它最不了着"
    "过是在有会时]"
)
JOB = rf"(?:{_PLAIN}{{1,12}}?的?)?(?:{_PLAIN}{{0,6}}?){one_of(JOBS)}"
_FIELD = (
    f"{_PLAIN}{{0,8}}?{one_of(FIELDS)}(?:开发|设计|工程|运营|研发|分析|管理|推广|方面|相关|类|"
    "这块)?(?:的?研发)?"
)
_NO_EMPLOYER = lazy_pattern(
    rf"(?:{one_of(NO_EMPLOYERS)})\Z|(?:这|那|哪|他|她|你|家里|努力|认真|做|从事|忙|找|准备|考虑|想|换)"
)


def _employer(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    place = match["place"]
    if not own(match, reading) or _NO_EMPLOYER.match(place) or place in PLACES:
        return
    raw = match.string[match.start("place") - 1 : match.end("work")]
    yield Draft(
        predicate="identity.occupation", value=f"在{place}工作", raw_value=raw, span=match.span("quote")
    )


def _role(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    if own(match, reading):
        yield Draft(
            predicate="identity.role",
            value=tidy(match["value"]),
            raw_value=match["value"],
            span=match.span("quote"),
        )


_WORK = (
    Rule(
        name="zh.job",
        pattern=clause(rf"{ME}{ADVERB}{{0,3}}是(?:一?[名个位])?(?P<value>{JOB})"),
        build=stating("identity.occupation"),
    ),
    Rule(
        name="zh.job.as",
        pattern=clause(
            f"{ME}{ADVERB}{{0,3}}(?:在{WORD}{{1,14}}?)?(?:当|担任|"
            f"做(?!{one_of(FIELDS)}))(?:一?[名个位])?(?P<value>{JOB}){SINCE}"
        ),
        build=stating("identity.occupation"),
    ),
    Rule(
        name="zh.job.field",
        pattern=clause(
            f"{ME}{ADVERB}{{0,3}}(?:在{WORD}{{1,14}}?)?(?:是|在)?(?:做|搞|从事|"
            f"干)(?P<value>{_FIELD})(?:的|行业|工作|的工作|这行|这一行|这块)?{SINCE}"
        ),
        build=stating("identity.occupation", prefix="做"),
    ),
    Rule(
        name="zh.job.named",
        pattern=clause(
            f"(?P<me>我)现?在?的?(?:本职)?(?:工作|职业)(?:就)?是(?P<value>(?!{DEGREE}|远程|一份|为了|"
            f"自己|这|那|很|从|需要|要){WORD}{{2,16}}?)"
        ),
        build=stating("identity.occupation"),
    ),
    Rule(
        name="zh.job.employer",
        pattern=clause(
            f"{ME}{ADVERB}{{0,3}}在(?P<place>{WORD}{{2,16}}?)(?:里|那边)?(?P<work>工作|上班|任职|就职){SINCE}"
        ),
        build=_employer,
    ),
    Rule(
        name="zh.job.shop",
        pattern=clause(
            f"(?P<me>我)(?:自己|现在|目前|和老公|和老婆|跟朋友){{0,2}}开了?(?:一?[家个间])"
            f"(?P<value>{WORD}{{1,8}}?(?:店|馆|公司|工作室|餐厅|民宿|诊所|厂))"
        ),
        build=stating("identity.occupation", prefix="开"),
    ),
    Rule(
        name="zh.job.retired",
        pattern=clause(rf"{ME}(?:{ADVERB}|去年|前年|刚){{0,2}}(?P<value>退休)(?:了|好几年了|{SINCE})"),
        build=stating("identity.occupation"),
    ),
    Rule(
        name="zh.student",
        pattern=clause(
            f"{ME}{ADVERB}{{0,3}}(?:是|在?读|在?上)(?:一?[名个位])?(?P<value>(?:{_PLAIN}{{0,8}}的?)"
            f"?{one_of(STUDENTS)})"
        ),
        build=_role,
    ),
    Rule(
        name="zh.student.year",
        pattern=clause(
            "(?P<me>我)(?:今年|现在|才|刚|已经|在|念|读|上){0,2}(?P<value>(?:大|研|高|"
            "初)[一二三四]|小学?[一二三四五六]年级|[一二三四五六]年级)"
        ),
        build=_role,
    ),
    Rule(
        name="zh.role",
        pattern=clause(
            f"{ME}{ADVERB}{{0,3}}(?:是|当上?)(?:一?[名个位])?(?P<value>(?:[一两二三四五]个(?:孩子|娃|"
            f"宝宝|女儿|儿子|小孩)的|{_PLAIN}{{1,6}}的)?{one_of(ROLES)})"
        ),
        build=_role,
    ),
)

FAMILIES: tuple[Family, ...] = (
    Family(cue="[是做当在读上干搞开念大研高初]|年级|工作|职|退休|从事", rules=_WORK),
)
