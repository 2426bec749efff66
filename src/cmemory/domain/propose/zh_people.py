"""Chinese rules for the people and animals in the person's life.

``entity_ref`` is the name where the message gives one, else the relation word: 我妹妹叫周岑 is about 周岑,
我有个妹妹 about 妹妹. Words for the same person share one entity (妈 and 母亲 are 妈妈). The relation word is
kept as the wording of the relation claim, so that a retraction by it also finds a person stored under a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from cmemory.domain.lexicon.zh_people import BROAD, NOT_BY_NAME, RELATIONS
from cmemory.domain.lexicon.zh_work import JOBS, STUDENTS
from cmemory.domain.propose.grammar import Draft, Family, Finding, Reading, Rule, known, one_of
from cmemory.domain.propose.zh_identity import SURNAMED
from cmemory.domain.propose.zh_shape import (
    AFTER_NAME,
    MEASURE,
    MY,
    NAME,
    NUMBER,
    RELATION,
    WORD,
    age_of,
    canonical_relation,
    clause,
    entity_of,
    opening,
    subject_of,
    tidy,
)
from cmemory.domain.propose.zh_work import JOB
from cmemory.domain.time.phrases_zh import ANY_DAY

_THEIRS = rf"(?:{MY}(?P<word>{RELATION})|(?P<pronoun>他|她|它)|(?=[\u4e00-\u9fff]))"
#: "我妹妹周岑": a name may follow the relation; days and habits of speech look the same.
_BY_NAME = _THEIRS.replace(
    ")|(?P<pronoun>", f")(?P<name>(?!{ANY_DAY}|今年|{one_of(NOT_BY_NAME)})(?:{SURNAMED}))?|(?P<pronoun>", 1
)
_NOW = "(?:现在|目前|也|还|都|已经|今年|快|刚刚|刚|才|马上|就|平时){0,3}"
_CALLED = "(?:叫做|叫作|名叫|的?(?:名字|大名|小名|昵称)(?:叫做|叫|是)|叫)"


def _whom(match: re.Match[str], reading: Reading) -> str:
    """Return the relation word a clause is about: the one it names, or that of the clauses before."""
    if match["word"]:
        return match["word"]
    subject = subject_of(reading.before + (match["pronoun"] or ""))
    return subject if subject in RELATIONS else ""


def _relation(word: str, entity: str, span: tuple[int, int]) -> Draft:
    return known("person.relation_label", RELATIONS[word], word, entity, span)


def _named(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    word, name = _whom(match, reading), match["name"]
    if not word or name in RELATIONS:
        return
    span = match.span("quote")
    if match["word"]:
        yield _relation(word, name, span)
    yield known("person.name", name, name, name, span)


def _name_first(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    del reading
    word, name, span = match["word"], match["name"], match.span("quote")
    # Books, beds and songs are called friends too.
    thing = RELATIONS[word] in ("friend", "best_friend") and not re.match(f"(?:{SURNAMED})\\Z", name)
    if (
        thing
        or len(name) < 2
        or name in RELATIONS
        or name in JOBS
        or re.match("[个位只些]|今天|明天|昨天|周[一二三四五六日末天]|每|最|曾|其实|毕竟", name)
    ):
        return
    yield _relation(word, name, span)
    yield known("person.name", name, name, name, span)


def _owned(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    word = match["word"]
    entity = entity_of(word, reading.text)
    continued = match["quote"].startswith(("还", "也"))
    if match["me"] is None and not continued and subject_of(reading.before) != "我":
        return
    if word in BROAD and entity == canonical_relation(word):
        return
    yield _relation(word, entity, match.span("quote"))
    name = match.groupdict().get("name")
    if name:
        yield known("person.name", name, name, name, match.span("quote"))


def _occupied(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    job = tidy(match["job"], bare=True)
    if job:
        yield from _about(match, reading, "person.occupation", job, job)


def _employed(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    yield from _about(match, reading, "person.occupation", f"在{match['place']}工作", match["raw"])


def _aged(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    years = age_of(match["years"])
    if years is not None and not re.search("快|马上", match["quote"]):
        yield from _about(match, reading, "person.age", years, match["years"])


def _about(
    match: re.Match[str], reading: Reading, predicate: str, value: str | int, raw: str
) -> Iterable[Finding]:
    """Yield a fact about somebody, with who they are where the clause says so."""
    word, span = _whom(match, reading), match.span("quote")
    if not word or (RELATIONS[word] == "pet" and predicate == "person.occupation"):
        return
    name = match.groupdict().get("name")
    entity = name or entity_of(word, reading.text)
    if match["word"]:
        yield _relation(word, entity, span)
    if name:
        yield known("person.name", name, name, name, span)
    yield known(predicate, value, raw, entity, span)


def _in_touch(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    entity, often = entity_of(match["word"], reading.text), match["often"]
    yield known("relationship.contact_frequency", often, often, entity, match.span("quote"))


_HAVE = "(?:有了?|还有|养了?|养着|领养了?|收养了?|家里?有|家里?养了?|家养了?|新?捡了|又养了)"
_KEPT = rf"(?:{WORD}{{1,8}}?的|可爱的?|小|大|双胞胎|亲|{NUMBER}岁的){{0,2}}(?P<word>{RELATION})"
_OFTEN = (
    "(?P<often>每天|每晚|每周|每个?月|每个?周末|每年|经常|隔三差五|每两周|几乎每天|天天|很少|偶尔|"
    "每周[一二三四五六日天])"
)


def _two(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    for word in (match["word"], match["other"]):
        if word not in BROAD:
            yield _relation(word, entity_of(word, reading.text), match.span("quote"))


def _surnamed(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    del reading
    word = match["word"]
    entity = canonical_relation(word)
    yield _relation(word, entity, match.span("quote"))
    yield known("person.name", match["name"], match["name"], entity, match.span("quote"))


def _pointed_out(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    word = match["word"]
    entity = entity_of(word, reading.text)
    if entity != canonical_relation(word):
        yield _relation(word, entity, match.span("quote"))


_PEOPLE: tuple[Rule, ...] = (
    Rule(
        name="zh.person.name",
        pattern=opening(rf"{_THEIRS}{_CALLED}(?P<name>(?!(?:(?!不叫|不是)[一-鿿]){{5}}){NAME}){AFTER_NAME}"),
        build=_named,
    ),
    Rule(
        name="zh.person.named_pet",
        pattern=opening(
            rf"我给(?:{MY})?(?P<word>{RELATION})(?P<pronoun>\b)?(?:起|取)了?个?名字?(?:叫做|叫|"
            f"为)(?P<name>{NAME}){AFTER_NAME}"
        ),
        build=_named,
    ),
    Rule(
        name="zh.person.name_first",
        pattern=clause(rf"(?P<name>{NAME})是我(?:们?家的?|的|亲)?(?:养的)?(?P<word>{RELATION})"),
        build=_name_first,
    ),
    Rule(
        name="zh.person.is",
        pattern=clause(rf"(?:他|她|它|这)是我(?:家)?的?(?P<word>{RELATION})"),
        build=_pointed_out,
    ),
    Rule(
        name="zh.person.surname",
        pattern=clause(
            f"{MY}(?P<word>老板|领导|上司|主管|导师|室友|房东|组长|班主任|咨询师|心理医生|男朋友|"
            rf"女朋友)(?P<pronoun>\b)?姓(?P<name>[一-鿿]{{1,2}})"
        ),
        build=_surnamed,
    ),
    Rule(
        name="zh.person.had",
        pattern=clause(
            f"(?P<me>我)?(?:现在|目前|也|还|都|就|只|上面|下面|家里?){{0,2}}{_HAVE}(?:{MEASURE}|一对)?{_KEPT}"
        ),
        build=_owned,
    ),
    Rule(
        name="zh.person.had_named",
        pattern=opening(
            f"(?P<me>我)?(?:现在|目前|也|还|家里?){{0,2}}{_HAVE}(?:{MEASURE})?{_KEPT}(?:，|"
            f",)?{_CALLED}(?P<name>{NAME}){AFTER_NAME}"
        ),
        build=_owned,
    ),
    Rule(
        name="zh.person.had_called",
        pattern=clause(
            f"(?P<me>我)?(?:现在|家里?|还){{0,2}}{_HAVE}{MEASURE}?叫(?P<name>{NAME})"
            f"的{WORD}{{0,4}}?(?P<word>{RELATION})"
        ),
        build=_owned,
    ),
    Rule(
        name="zh.person.had_two",
        pattern=clause(
            f"(?P<me>我)(?:现在|还|家里?){{0,2}}{_HAVE}{MEASURE}?(?P<word>{RELATION})(?:和|、|跟|还有|"
            f"以及){MEASURE}?(?P<other>{RELATION})"
        ),
        build=_two,
    ),
    Rule(
        name="zh.person.job",
        pattern=clause(
            f"{_BY_NAME}{_NOW}(?:在{WORD}{{1,12}}?)?(?:是|当|做)(?:一?[名个位])?(?P<job>{JOB}|"
            f"{one_of(STUDENTS)})"
        ),
        build=_occupied,
    ),
    Rule(
        name="zh.person.employer",
        pattern=clause(
            f"{_THEIRS}{_NOW}(?P<raw>在(?P<place>(?!家|这|那|哪|公司|外地|外面|一起|他|她|你|"
            f"我){WORD}{{2,14}}?)(?:工作|上班|任职))"
        ),
        build=_employed,
    ),
    Rule(
        name="zh.person.age",
        pattern=clause(rf"{_BY_NAME}{_NOW}(?:满|有)?(?P<years>{NUMBER})周?岁(?:整)?"),
        build=_aged,
    ),
    Rule(
        name="zh.person.contact",
        pattern=clause(
            f"我(?:{_OFTEN.replace('?P<often>', '?P<early>')})?(?:都|会)?(?:和|跟|"
            f"给)(?:{MY})?(?P<word>{RELATION})(?:都|会)?{_OFTEN}(?:都|会|至少|要)?(?:通|打|视频|联系|"
            f"聊|见)(?:一次|两次|几次|一?个|一通|一面|面|天|电话){{0,2}}"
        ),
        build=_in_touch,
    ),
    Rule(
        name="zh.person.contact_first",
        pattern=clause(
            f"我{_OFTEN}(?:都|会|要|至少){{0,2}}(?:和|跟|给)(?:{MY})?(?P<word>{RELATION})(?:通电话|"
            "打电话|打视频|视频|联系|聊天|见面|打个电话|通话|通一?次电话)"
        ),
        build=_in_touch,
    ),
    Rule(
        name="zh.person.spouse",
        pattern=clause(
            "我(?:和|跟)(?:我的?)?(?P<word>老公|老婆|丈夫|妻子|太太|先生|男朋友|女朋友|男友|女友|"
            f"对象)(?:已经|都)?(?:结婚|在一起|恋爱|交往)(?:了|快|已经|有|差不多){{0,2}}{NUMBER}(?:年|"
            "个月)多?"
        ),
        build=lambda match, reading: (
            _relation(match["word"], entity_of(match["word"], reading.text), match.span("quote")),
        ),
    ),
)

FAMILIES: tuple[Family, ...] = (Family(cue=RELATION, rules=_PEOPLE),)
