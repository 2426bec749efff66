"""Chinese rules for who the person is: names, age, places, work, roles, languages, lasting traits."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, timedelta

from cmemory.domain.lexicon.zh_people import KIND_ENDINGS, SURNAMES
from cmemory.domain.lexicon.zh_places import NO_PLACES, PLACE_ENDINGS, PLACES
from cmemory.domain.lexicon.zh_style import LANGUAGES
from cmemory.domain.lexicon.zh_work import CONDITIONS, FIELDS, JOBS, NO_EMPLOYERS, ROLES, STUDENTS, TRAITS
from cmemory.domain.propose.grammar import Draft, Finding, Reading, Rule
from cmemory.domain.propose.zh_shape import (
    ADVERB,
    AFTER_NAME,
    DEGREE,
    END,
    LIST,
    ME,
    NAME,
    NUMBER,
    WORD,
    age_of,
    clause,
    is_vague,
    one_of,
    opening,
    own,
    split_list,
    stating,
    tidy,
)
from cmemory.domain.time.dates import resolve_day
from cmemory.domain.time.phrases_zh import ANY_DAY

# ------------------------------------------------------------------------------------------------ names


_SPOKE_OF_SELF = re.compile(r"我(?:姓|是|来自|今年)\w{1,12}[，,。\s]{1,3}\Z")


def _name(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    # Dishes, films and pets are also "叫…": without a subject only right after another word on oneself.
    if match["me"] or _SPOKE_OF_SELF.search(reading.before):
        yield _named(match)


def _call_me(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    del reading
    yield _named(match)


def _named(match: re.Match[str]) -> Draft:
    return Draft(predicate="identity.name", value=match["name"], raw_value=match["name"], span=match.span("quote"))


_GREETED = re.compile(r"(?:你好|您好|嗨|哈喽|大家好|hi|hello|hey|早上好|下午好|晚上好|初次见面|自我介绍)\W{0,12}", re.IGNORECASE)
_INTRODUCED = re.compile(r"[，,。！!\s~]{1,3}(?:今年|很高兴|高兴|初次|请多|多多|第一次|来自|住在|叫我|你可以叫)")


def _introduction(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    """"I am X" introduces by name only beside a greeting, and only when X is shaped like a name."""
    greeted = _GREETED.search(reading.before[-20:] + match.string[: match.start("quote")])
    after = reading.text.partition(match["quote"])[2]
    name = match["name"]
    if (greeted or _INTRODUCED.match(after)) and not (len(name) > 2 and name[-1] in KIND_ENDINGS) and name not in TRAITS:
        yield _named(match)


_SURNAMED = rf"{one_of(SURNAMES)}(?:[一-鿿]{{1,2}})(?<![的了啊呀])|[小阿](?!时|学|朋友|孩|伙|说)[一-鿿]{{1,2}}|[A-Z][a-z]{{1,15}}"

_NAMES = (
    Rule(
        name="zh.name",
        pattern=opening(
            rf"(?P<me>我)?(?:的)?(?:(?:真实?|大|中文)?名字?|本名|全名|姓名)?(?:叫做|叫作|名叫|叫)(?P<name>{NAME}){AFTER_NAME}"
        ),
        build=_name,
    ),
    Rule(
        name="zh.name.is",
        pattern=opening(rf"(?P<me>我)的?(?:真实?|大|中文)?(?:名字?|本名|全名|姓名)是(?P<name>{NAME}){AFTER_NAME}"),
        build=_name,
    ),
    Rule(
        name="zh.name.call_me",
        pattern=clause(
            rf"(?:请|(?:你们?|您)(?:以后)?(?:也|就)?(?:可以)?|以后|之后|可以|直接|就){{0,3}}(?:叫|喊|称呼)我(?:为|做)?(?P<name>{NAME})"
            r"(?:就好了?|就行了?|就可以了?|就成|即可|好了|也行|也可以|都行|都可以)?"
        ),
        build=_call_me,
    ),
    Rule(name="zh.name.introduction", pattern=opening(rf"我是(?P<name>{_SURNAMED}){AFTER_NAME}"), build=_introduction),
    Rule(
        name="zh.pronouns",
        pattern=clause(
            r"(?:请|可以|你可以|希望你)?(?:用|以)[“「]?(?P<pronoun>他们|她|他|TA|ta|Ta)[”」]?来?(?:称呼|指代|指称|代称|叫)我"
            r"|我的(?:人称)?代词(?:是|用)(?P<pronoun2>他们|她|他|TA|ta|Ta|she/her|he/him|they/them)"
        ),
        build=lambda match, reading: _pronouns(match),
    ),
)

_PRONOUNS = {"她": "she/her", "she/her": "she/her", "他": "he/him", "he/him": "he/him"}


def _pronouns(match: re.Match[str]) -> Iterable[Finding]:
    said = match["pronoun"] or match["pronoun2"]
    yield Draft(
        predicate="identity.pronouns", value=_PRONOUNS.get(said, "they/them"), raw_value=said, span=match.span("quote")
    )


# ------------------------------------------------------------------------------------------------ age


def _age(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    years = age_of(match["years"])
    if years is not None and own(match, reading):
        yield Draft(predicate="identity.age", value=years, raw_value=match["years"], span=match.span("quote"))


def _birth_year(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    del reading
    yield Draft(predicate="identity.age", value=int(match["year"]), raw_value=match["year"], span=match.span("quote"))


_AGES = (
    Rule(
        name="zh.age",
        pattern=clause(rf"{ME}(?:今年|现在|已经|都|刚刚?|刚满|满|也|就|才|是){{0,3}}(?P<years>{NUMBER})周?岁(?:整|多(?=\Z))?"),
        build=_age,
    ),
    Rule(name="zh.age.bare", pattern=clause(r"(?P<me>我)今年(?:已经|都|刚|才)?(?P<years>[0-9]{2})"), build=_age),
    Rule(name="zh.birth_year", pattern=clause(r"我是(?P<year>(?:19|20)[0-9]{2})年(?:出?生|的)的?人?"), build=_birth_year),
)

# ------------------------------------------------------------------------------------------------ places

_PLACE = rf"(?:{one_of(PLACES)}(?:市|省|县|州)?(?:{WORD}{{1,6}}?[{PLACE_ENDINGS}])?|{WORD}{{1,7}}?[{PLACE_ENDINGS}])"
_CITY = rf"(?:{one_of(PLACES)}(?:市|省|县|州)?(?:{WORD}{{1,6}}?[{PLACE_ENDINGS}])?|{WORD}{{2,5}}?[市县镇区])"
_KNOWN_PLACE = re.compile(one_of(PLACES))
_NO_PLACE = re.compile(one_of(NO_PLACES))
_HERE = "(?:这边|那边|这里|这儿|市里|市区|本地)?"
_PERIODS = "这周|本周|这个?星期|这个?礼拜|这个?月|本月|今年|今天|这两天|这几天|最近|现在|目前|暂时"


def _at(match: re.Match[str], place: str, context: str | None, *, until: date | None = None) -> Draft:
    return Draft(
        predicate="identity.location",
        value=place,
        raw_value=place,
        span=match.span("quote"),
        entity_ref=place,
        qualifiers={"context": context} if context else None,
        until=until,
        confidence=0.9 if context else 0.7,
    )


def _home(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    place = tidy(match["place"])
    if own(match, reading) and not is_vague(place) and not _NO_PLACE.match(place):
        yield _at(match, place, "home")


def _work_place(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    if own(match, reading):
        yield _at(match, match["place"], "work")


def _current(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    if (match["me"] or match["me2"] or match["stay"]) and own(match, reading):
        yield _at(match, match["place"], "current", until=_end_of(match, reading.today))


def _origin(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    if own(match, reading):
        yield _at(match, match["place"], None)


def _end_of(match: re.Match[str], today: date) -> date | None:
    """Return the last day of the period a statement bounds itself to: this week, this month, or until a day."""
    if match["day"] is not None:
        return resolve_day(match["day"], today)
    period = match["period"] or ""
    if period == "今天":
        return today
    if period in ("这周", "本周") or "星期" in period or "礼拜" in period:
        return today + timedelta(days=6 - today.weekday())
    return resolve_day("月底", today) if period.endswith("月") else None


_BOUND = rf"(?:(?P<period>{_PERIODS})|(?:一直)?到(?P<day>{ANY_DAY})(?:之前|以前|为止|前)?)?"

_LOCATIONS = (
    Rule(
        name="zh.home",
        pattern=clause(rf"{ME}{ADVERB}{{0,3}}(?:一个人|独自|自己|和家人|跟家人)?(?:住在|定居在?|家住在?|家在|常住在?|住(?=北|上|广|深|杭|成|南|苏|武|西))(?P<place>{LIST}{{2,12}}?){_HERE}"),
        build=_home,
    ),
    Rule(name="zh.home.ours", pattern=clause(rf"(?P<me>我们?)家(?:现在|目前)?(?:就)?(?:住在?|在)(?P<place>{_PLACE}){_HERE}"), build=_home),
    Rule(
        name="zh.home.moved",
        pattern=clause(
            rf"{ME}(?:{ADVERB}|上个月|上周|去年|前年|前不久|不久前|今年|这个月|最近才|才|毕业后|终于|从{WORD}{{2,6}}){{0,3}}(?:搬家?到|搬来|搬去|搬回|移居到?|定居到?)了?(?P<place>{_PLACE}){_HERE}(?:来|住|生活|定居)?"
        ),
        build=_home,
    ),
    Rule(
        name="zh.work_place",
        pattern=opening(
            rf"{ME}(?:{ADVERB}|毕业后){{0,3}}在(?P<place>{_CITY})(?:的)?(?:{WORD}{{0,12}}?)(?:工作|上班|做{WORD}{{2,8}}?|当{WORD}{{2,6}}?|创业)(?:[0-9一二两三四五六七八九十几多]{{1,3}}年)?(?={END})"
        ),
        build=_work_place,
    ),
    Rule(
        name="zh.current",
        pattern=clause(
            rf"{ME}(?:也|还|人|都|刚|正){{0,2}}{_BOUND}(?P<me2>我)?(?:人|都|会|要|还|正|也|临时){{0,3}}在(?P<place>{one_of(PLACES)})(?:这边|那边|这里)?"
            r"(?P<stay>出差|旅游|旅行|度假|玩|开会|培训|读书|上学|上大学|念书|留学|读研|读博|交换|实习|探亲|过年|休假|参加培训)?"
        ),
        build=_current,
    ),
    Rule(
        name="zh.origin",
        pattern=clause(rf"{ME}(?:{ADVERB}){{0,2}}(?:来自|老家在|老家是|家乡在|家乡是|是土生土长的|是地道的?|是)(?P<place>{_PLACE})(?P<person>人)?{_HERE}"),
        build=lambda match, reading: _origin(match, reading) if match["person"] or "是" not in match["quote"][:3] else (),
    ),
)

# ------------------------------------------------------------------------------------------------ work

_PLAIN = r"[^\s，。！？、…；：,.!?;:“”\"「」『』（）()的说想来去问找看觉被把跟和次当年上让给你我他她它最不了着过]"
JOB = rf"(?:{_PLAIN}{{1,12}}?的?)?(?:{_PLAIN}{{0,6}}?){one_of(JOBS)}"
_FIELD = rf"{_PLAIN}{{0,8}}?{one_of(FIELDS)}(?:开发|设计|工程|运营|研发|分析|管理|推广|方面|相关|类|这块)?(?:的?研发)?"
_NO_EMPLOYER = re.compile(rf"(?:{one_of(NO_EMPLOYERS)})\Z|(?:这|那|哪|他|她|你|家里|努力|认真|做|从事|忙|找|准备)")
_SINCE = r"(?:[0-9一二两三四五六七八九十几多半快]{1,4}年多?了?)?"


def _employer(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    place = match["place"]
    if not own(match, reading) or _NO_EMPLOYER.match(place) or _KNOWN_PLACE.fullmatch(place):
        return
    raw = match.string[match.start("place") - 1 : match.end("work")]
    yield Draft(predicate="identity.occupation", value=f"在{place}工作", raw_value=raw, span=match.span("quote"))


def _role(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    if own(match, reading):
        yield Draft(
            predicate="identity.role", value=tidy(match["value"]), raw_value=match["value"], span=match.span("quote")
        )


_WORK = (
    Rule(
        name="zh.job",
        pattern=clause(rf"{ME}{ADVERB}{{0,3}}是(?:一?[名个位])?(?P<value>{JOB})"),
        build=stating("identity.occupation"),
    ),
    Rule(
        name="zh.job.as",
        pattern=clause(rf"{ME}{ADVERB}{{0,3}}(?:在{WORD}{{1,14}}?)?(?:当|做|担任)(?:一?[名个位])?(?P<value>{JOB}){_SINCE}"),
        build=stating("identity.occupation"),
    ),
    Rule(
        name="zh.job.field",
        pattern=clause(
            rf"{ME}{ADVERB}{{0,3}}(?:在{WORD}{{1,14}}?)?(?:是|在)?(?:做|搞|从事|干)(?P<value>{_FIELD})(?:的|行业|工作|的工作|这行|这一行|这块)?{_SINCE}"
        ),
        build=stating("identity.occupation", prefix="做"),
    ),
    Rule(
        name="zh.job.named",
        pattern=clause(rf"(?P<me>我)现?在?的?(?:本职)?(?:工作|职业)(?:就)?是(?P<value>(?!{DEGREE}|远程|一份|为了|自己|这|那|很|从|需要|要){WORD}{{2,16}}?)"),
        build=stating("identity.occupation"),
    ),
    Rule(
        name="zh.job.employer",
        pattern=clause(rf"{ME}{ADVERB}{{0,3}}在(?P<place>{WORD}{{2,16}}?)(?:里|那边)?(?P<work>工作|上班|任职|就职){_SINCE}"),
        build=_employer,
    ),
    Rule(
        name="zh.job.shop",
        pattern=clause(rf"(?P<me>我)(?:自己|现在|目前|和老公|和老婆|跟朋友){{0,2}}开了?(?:一?[家个间])(?P<value>{WORD}{{1,8}}?(?:店|馆|公司|工作室|餐厅|民宿|诊所|厂))"),
        build=stating("identity.occupation", prefix="开"),
    ),
    Rule(
        name="zh.job.retired",
        pattern=clause(rf"{ME}(?:{ADVERB}|去年|前年|刚){{0,2}}(?P<value>退休)(?:了|好几年了|{_SINCE})"),
        build=stating("identity.occupation"),
    ),
    Rule(
        name="zh.student",
        pattern=clause(rf"{ME}{ADVERB}{{0,3}}(?:是|在?读|在?上)(?:一?[名个位])?(?P<value>(?:{_PLAIN}{{0,8}}的?)?{one_of(STUDENTS)})"),
        build=_role,
    ),
    Rule(
        name="zh.role",
        pattern=clause(rf"{ME}{ADVERB}{{0,3}}(?:是|当上?)(?:一?[名个位])?(?P<value>(?:[一两二三四五]个(?:孩子|娃|宝宝|女儿|儿子|小孩)的|{_PLAIN}{{1,6}}的)?{one_of(ROLES)})"),
        build=_role,
    ),
)

# ------------------------------------------------------------------------------------------------ languages, zone, traits

_TONGUE = one_of(LANGUAGES)
_TONGUES = rf"{_TONGUE}(?:(?:[、和跟与及]|以及|还有){_TONGUE}){{0,5}}"


def _languages(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    if own(match, reading):
        for tongue in split_list(match["tongues"]):
            yield Draft(predicate="identity.language", value=tongue, raw_value=tongue, span=match.span("quote"))


_ZONES = {
    "北京时间": "Asia/Shanghai", "东八区": "Asia/Shanghai", "东京时间": "Asia/Tokyo", "东九区": "Asia/Tokyo", "伦敦时间": "Europe/London",
    "美东时间": "America/New_York", "纽约时间": "America/New_York", "美西时间": "America/Los_Angeles", "太平洋时间": "America/Los_Angeles",
    "悉尼时间": "Australia/Sydney", "新加坡时间": "Asia/Singapore", "巴黎时间": "Europe/Paris", "柏林时间": "Europe/Berlin",
}  # fmt: skip


def _zone(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    del reading
    said = match["zone"]
    yield Draft(
        predicate="identity.timezone", value=_ZONES.get(said, said), raw_value=said, span=match.span("quote")
    )


_OTHERS = (
    Rule(
        name="zh.language",
        pattern=clause(
            rf"{ME}{ADVERB}{{0,2}}(?:(?:会|能)(?:说|讲|用|写)?(?:一点点?|一些|点|流利的?|简单的?)?(?P<tongues>{_TONGUES})|的?母语是(?P<mother>{_TONGUE}))"
        ),
        build=lambda match, reading: _languages(match, reading) if match["tongues"] else _mother_tongue(match, reading),
    ),
    Rule(name="zh.language.mother", pattern=clause(rf"(?P<mother>{_TONGUE})是(?P<me>我)的?母语"), build=lambda match, reading: _mother_tongue(match, reading)),
    Rule(
        name="zh.timezone",
        pattern=clause(rf"我(?:这边|这里|所在|现在)?的?(?:时区)?(?:是|在|用的?是|用)(?P<zone>{one_of(_ZONES)}|(?:UTC|GMT)[+-][0-9]{{1,2}})"),
        build=_zone,
    ),
    Rule(
        name="zh.trait",
        pattern=clause(rf"{ME}{ADVERB}{{0,2}}(?:是)?(?:一?个)?(?P<value>{one_of(TRAITS)})"),
        build=lambda match, reading: _trait(match, reading),
    ),
    Rule(
        name="zh.zodiac",
        pattern=clause(r"(?P<me>我)是?(?P<value>属[鼠牛虎兔龙蛇马羊猴鸡狗猪])"),
        build=stating("misc.unclassified", bare=False),
    ),
    Rule(
        name="zh.birthday",
        pattern=clause(rf"(?P<me>我)的?(?P<value>生日(?:是|在)(?:每年)?(?:农历|阴历)?{NUMBER}月{NUMBER}[日号]?)"),
        build=stating("misc.unclassified", bare=False),
    ),
    Rule(
        name="zh.condition",
        pattern=clause(rf"{ME}{ADVERB}{{0,2}}(?:一直|从小|被诊断出|被确诊为?|确诊了?|得了|患有|有){{1,2}}(?:点儿?|轻度|中度|重度|先天性?|慢性){{0,2}}(?P<value>{one_of(CONDITIONS)})(?:{_SINCE})"),
        build=stating("misc.unclassified", prefix="有"),
    ),
)


def _mother_tongue(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    if own(match, reading):
        tongue = match["mother"]
        yield Draft(predicate="identity.language", value=tongue, raw_value=tongue, span=match.span("quote"))


def _trait(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    # "女生" alone answers a question; only a subject or a copula makes it a statement.
    if own(match, reading) and (match["me"] or "是" in match["quote"]):
        yield Draft(
            predicate="misc.unclassified", value=match["value"], raw_value=match["value"], span=match.span("quote")
        )


RULES: tuple[Rule, ...] = (*_NAMES, *_AGES, *_LOCATIONS, *_WORK, *_OTHERS)
