"""Chinese rules for who the person is: names, age, places, languages, lasting traits."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date

import attrs

from cmemory.domain.lexicon.zh_people import CALMING, COMPANY, KIND_ENDINGS, RELATIONS, SURNAMES
from cmemory.domain.lexicon.zh_places import NO_PLACES, PLACE_ENDINGS, PLACES, ZONES
from cmemory.domain.lexicon.zh_style import LANGUAGES
from cmemory.domain.lexicon.zh_work import CONDITIONS, TRAITS
from cmemory.domain.pattern import lazy_pattern
from cmemory.domain.propose.grammar import Draft, Family, Finding, Reading, Rule, one_of
from cmemory.domain.propose.zh_shape import (
    ADVERB,
    AFTER_NAME,
    BOUND,
    END,
    LIST,
    ME,
    NAME,
    NUMBER,
    SINCE,
    WORD,
    age_of,
    clause,
    is_vague,
    last_day,
    opening,
    own,
    split_list,
    stating,
    tidy,
)

# ------------------------------------------------------------------------------ names


_SPOKE_OF_SELF = lazy_pattern(r"我(?:姓|是|来自|今年)\w{1,12}[，,。\s]{1,3}\Z")


def _name(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    # Dishes, films and pets are also "叫…": without a subject only right after another word on oneself.
    if match["me"] or _SPOKE_OF_SELF.search(reading.before):
        yield _named(match)


def _call_me(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    del reading
    yield _named(match)


def _named(match: re.Match[str]) -> Draft:
    return Draft(
        predicate="identity.name", value=match["name"], raw_value=match["name"], span=match.span("quote")
    )


_GREETED = lazy_pattern(
    r"(?:你好|您好|嗨|哈喽|大家好|hi|hello|hey|早上好|下午好|晚上好|初次见面|自我介绍)\W{0,12}", re.IGNORECASE
)
_INTRODUCED = lazy_pattern(
    r"[，,。！!\s~]{1,3}(?:今年|很高兴|高兴|初次|请多|多多|第一次|来自|住在|叫我|你可以叫)"
)


def _introduction(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    """ "I am X" introduces by name only beside a greeting, and only when X is shaped like a name."""
    greeted = _GREETED.search(reading.before[-20:] + match.string[: match.start("quote")])
    after = reading.text.partition(match["quote"])[2]
    name = match["name"]
    if (
        (greeted or _INTRODUCED.match(after))
        and not (len(name) > 2 and name[-1] in KIND_ENDINGS)
        and name not in TRAITS
    ):
        yield _named(match)


SURNAMED = (
    f"{one_of(SURNAMES)}(?:[一-鿿]{{1,2}})(?<![的了啊呀])|[小阿](?!时|学|朋友|孩|伙|说)[一-鿿]{{1,2}}|"
    f"[小阿老][A-Za-z]{{1,10}}|[A-Z][a-z]{{1,15}}"
)


_NICKNAME = (
    f"(?:{SURNAMED}|老{one_of(SURNAMES)}|(?P<twice>[一-鿿])(?P=twice)|[一-鿿]{{1,2}}[哥姐爷总]"
    f'|[“「『"](?P<quoted>{NAME})[”」』"])'
)


def _nickname(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    """Read "大家都叫我小北", unless the message says the person's own name: that goes first."""
    name = match["quoted"] or match["name"]
    if _OWN_NAME.search(reading.before) is None and name not in RELATIONS:
        yield Draft(predicate="identity.name", value=name, raw_value=name, span=match.span("quote"))


_OWN_NAME = lazy_pattern("我的?(?:本名|真名|名字)?(?:叫|是)")


def _pronouns(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    del reading
    said = match["pronoun"] or match["pronoun2"]
    yield Draft(
        predicate="identity.pronouns",
        value=_PRONOUNS.get(said, "they/them"),
        raw_value=said,
        span=match.span("quote"),
    )


_NAMES = (
    Rule(
        name="zh.name",
        pattern=opening(
            "(?P<me>我)?(?:的)?(?:(?:真实?|大|中文)?名字?|本名|全名|姓名)?(?:改名)?(?:叫做|叫作|名叫|"
            rf"叫)\s{{0,2}}[“「\"]?(?P<name>{NAME})[”」\"]?{AFTER_NAME}"
        ),
        build=_name,
    ),
    Rule(
        name="zh.name.is",
        pattern=opening(
            "(?:(?P<me>我)的?(?:真实?|大|中文)?(?:名字?|本名|全名|姓名)|(?P<self>全名|本名|大名|"
            rf"姓名))是\s{{0,2}}(?P<name>{NAME}){AFTER_NAME}"
        ),
        build=_call_me,
    ),
    Rule(
        name="zh.name.call_me",
        pattern=clause(
            "(?:我觉得)?(?:请|(?:你们?|您)(?:以后)?(?:也|就)?(?:可以)?|以后|之后|可以|直接|"
            f"就){{0,3}}(?:叫|喊|"
            rf"称呼)我(?:为|做)?\s{{0,2}}[“「\"]?(?P<name>{NAME})[”」\"]?"
            r"(?:就好了?|就行了?|就可以了?|就成|即可|好了|也行|也可以|都行|都可以)?"
        ),
        build=_call_me,
    ),
    Rule(
        name="zh.name.nickname",
        pattern=clause(
            f"(?:大家|{one_of(COMPANY)}们?|家里人|身边的?人|所有人|别人|他们)(?:平时|一般|平常|经常"
            f"|从小)?(?:都|习惯|喜欢|也都){{1,2}}"
            f"(?:[叫喊]|称呼)我(?:为|做)?(?P<name>(?!{one_of(CALMING)}){_NICKNAME})"
        ),
        build=_nickname,
    ),
    Rule(
        name="zh.name.introduction",
        pattern=opening(rf"我是(?P<name>{SURNAMED}){AFTER_NAME}"),
        build=_introduction,
    ),
    Rule(
        name="zh.pronouns",
        pattern=clause(
            '(?:请|可以|你可以|希望你)?(?:用|以)[“「『"]?(?P<pronoun>他们|她|他|TA|ta|'
            'Ta)[”」』"]?来?(?:称呼|指代|指称|代称|叫)我'
            r"|我的(?:人称)?代词(?:是|用)(?P<pronoun2>他们|她|他|TA|ta|Ta|she/her|he/him|they/them)"
        ),
        build=_pronouns,
    ),
)

_PRONOUNS = {"她": "she/her", "she/her": "she/her", "他": "he/him", "he/him": "he/him"}


# ------------------------------------------------------------------------------ age


def _age(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    years = age_of(match["years"])
    # A bare number is an age only right beside the person.
    bare = "岁" not in match["quote"] and not match["me"] and "我" not in reading.before
    if years is not None and not bare and own(match, reading):
        yield Draft(predicate="identity.age", value=years, raw_value=match["years"], span=match.span("quote"))


def _birth_year(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    del reading
    year = int(match["year"])
    year += 0 if year > 1000 else 1900 if year > 30 else 2000
    yield Draft(predicate="identity.age", value=year, raw_value=match["year"], span=match.span("quote"))


_AGES = (
    Rule(
        name="zh.age",
        pattern=clause(
            f"{ME}(?:今年|现在|已经|都|刚刚?|刚满|满|也|就|才|是){{0,3}}(?P<years>{NUMBER})周?岁(?:整|"
            r"多(?=\Z))?"
        ),
        build=_age,
    ),
    Rule(
        name="zh.age.bare",
        pattern=clause(
            rf"{ME}今年(?:已经|都|刚|才)?(?P<years>[0-9]{{2}}|[二三四五六七八九]?十[一二三四五六七八九]?)"
        ),
        build=_age,
    ),
    Rule(
        name="zh.birth_year",
        pattern=clause(r"我是(?P<year>(?:19|20)?[0-9]{2})年(?:出?生|的)的?人?"),
        build=_birth_year,
    ),
)

# ------------------------------------------------------------------------------ places

_PLACE = (
    f"(?:{one_of(PLACES)}{{1,2}}(?:市|省|县|州)?(?:{WORD}{{1,6}}?[{PLACE_ENDINGS}])?|"
    f"{WORD}{{1,7}}?[{PLACE_ENDINGS}])"
)
_CITY = rf"(?:{one_of(PLACES)}(?:市|省|县|州)?(?:{WORD}{{1,6}}?[{PLACE_ENDINGS}])?|{WORD}{{2,5}}?[市县镇区])"
_NO_PLACE = lazy_pattern(rf"{one_of(NO_PLACES)}|{NUMBER}楼")
_HERE = "(?:这边|那边|这里|这儿|市里|市区|本地)?"


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


def _home(match: re.Match[str], reading: Reading) -> Iterable[Draft]:
    place = tidy(match["place"])
    if own(match, reading) and not is_vague(place) and not _NO_PLACE.match(place):
        yield _at(match, place, "home")


def _moved(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    for found in _home(match, reading):
        yield attrs.evolve(found, takes_over=True)


def _work_place(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    if own(match, reading):
        yield _at(match, match["place"], "work")


def _current(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    if (match["me"] or match["me2"] or match["stay"]) and own(match, reading):
        yield _at(match, match["place"], "current", until=last_day(match, reading.today))


def _grown(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    if own(match, reading):
        yield _at(match, match["place"] or match["born"], None)


def _origin(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    if own(match, reading):
        yield _at(match, match["place"], None)


_LOCATIONS = (
    Rule(
        name="zh.home",
        pattern=clause(
            f"{ME}{ADVERB}{{0,3}}(?:一个人|独自|自己|和家人|跟家人)?(?:住在|定居在?|家住在?|家在|"
            f"常住在?|住(?=北|上|广|深|杭|成|南|苏|武|西))(?P<place>{LIST}{{2,12}}?){_HERE}(?:已经|快|"
            f"有)?(?:[0-9一二两三四五六七八九十几半多]{{1,3}}年多?)?"
        ),
        build=_home,
    ),
    Rule(
        name="zh.home.ours",
        pattern=clause(rf"(?P<me>我们?)家(?:现在|目前)?(?:就)?(?:住在?|在)(?P<place>{_PLACE}){_HERE}"),
        build=_home,
    ),
    Rule(
        name="zh.home.moved",
        pattern=clause(
            f"{ME}(?:{ADVERB}|上个月|上周|去年|前年|前不久|不久前|今年|这个月|最近才|才|毕业后|终于|"
            f"从{WORD}{{2,6}}){{0,3}}(?:搬家?到|搬来|搬去|搬回|移居到?|"
            f"定居到?)了?(?P<place>{_PLACE}){_HERE}(?:来|住|生活|定居)?"
        ),
        build=_moved,
    ),
    Rule(
        name="zh.work_place",
        pattern=opening(
            f"{ME}(?:{ADVERB}|毕业后){{0,3}}在(?P<place>{_CITY})(?:的)?(?:{WORD}{{0,12}}?)(?:工作|"
            f"上班|做{WORD}{{2,8}}?|当{WORD}{{2,6}}?|创业)(?:[0-9一二两三四五六七八九十几多]{{1,3}}年)"
            f"?(?={END})"
        ),
        build=_work_place,
    ),
    Rule(
        name="zh.current",
        pattern=clause(
            f"{ME}(?:也|还|人|都|刚|正){{0,2}}{BOUND}(?:最近|现在|目前|暂时|今年)?(?P<me2>我)?(?:人|"
            f"都|会|要|还|正|也|临时){{0,3}}在(?P<place>{one_of(PLACES)})(?:这边|那边|这里)?"
            "(?P<stay>出差|旅游|旅行|度假|玩|开会|培训|读书|上学|上大学|念书|留学|读研|读博|交换|"
            "实习|探亲|过年|休假|参加培训)?"
        ),
        build=_current,
    ),
    Rule(
        name="zh.grew_up",
        pattern=clause(
            f"{ME}(?:{ADVERB}|从小){{0,2}}(?:在(?P<place>{_PLACE})(?:长大|出生)(?:的)?|(?:出生在|"
            f"出生于|生在)(?P<born>{_PLACE}))"
        ),
        build=_grown,
    ),
    Rule(
        name="zh.origin",
        pattern=clause(
            f"{ME}(?:{ADVERB}){{0,2}}(?:来自|老家在|老家是|家乡在|家乡是|是土生土长的|是地道的?|"
            f"是)(?P<place>{_PLACE})(?P<person>人)?{_HERE}"
        ),
        build=lambda match, reading: (
            _origin(match, reading) if match["person"] or "是" not in match["quote"][:3] else ()
        ),
    ),
)

# ------------------------------------------------------------------------------ languages, zone, traits

_TONGUE = one_of(LANGUAGES)
_TONGUES = rf"{_TONGUE}(?:(?:[、和跟与及]|以及|还有){_TONGUE}){{0,5}}"


def _languages(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    if own(match, reading):
        for tongue in split_list(match["tongues"]):
            yield Draft(
                predicate="identity.language", value=tongue, raw_value=tongue, span=match.span("quote")
            )


def _zone(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    del reading
    said = match["zone"]
    yield Draft(
        predicate="identity.timezone", value=ZONES.get(said, said), raw_value=said, span=match.span("quote")
    )


def _mother_tongue(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    if own(match, reading):
        tongue = match["mother"]
        yield Draft(predicate="identity.language", value=tongue, raw_value=tongue, span=match.span("quote"))


def _trait(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    # "女生" alone answers a question; only a subject or a copula makes it a statement.
    if own(match, reading) and (match["me"] or "是" in match["quote"]):
        yield Draft(
            predicate="misc.unclassified",
            value=match["value"],
            raw_value=match["value"],
            span=match.span("quote"),
        )


_OTHERS = (
    Rule(
        name="zh.language",
        pattern=clause(
            f"{ME}{ADVERB}{{0,2}}(?:(?:会|能)(?:说|讲|用|写)?(?:一点点?|一些|点|流利的?|"
            f"简单的?)?(?P<tongues>{_TONGUES})|的?母语是(?P<mother>{_TONGUE}))"
        ),
        build=lambda match, reading: (
            _languages(match, reading) if match["tongues"] else _mother_tongue(match, reading)
        ),
    ),
    Rule(
        name="zh.language.mother",
        pattern=clause(rf"(?P<mother>{_TONGUE})是(?P<me>我)的?母语"),
        build=_mother_tongue,
    ),
    Rule(
        name="zh.timezone",
        pattern=clause(
            f"我(?:这边|这里|所在|现在)?的?(?:时区)?(?:是|在|用的?是|用)(?P<zone>{one_of(ZONES)}|"
            f"(?:UTC|GMT)[+-][0-9]{{1,2}})"
        ),
        build=_zone,
    ),
    Rule(
        name="zh.trait",
        pattern=clause(rf"{ME}{ADVERB}{{0,2}}(?:是)?(?:一?个)?(?P<value>{one_of(TRAITS)})"),
        build=_trait,
    ),
    Rule(
        name="zh.zodiac",
        pattern=clause(r"(?P<me>我)是?(?P<value>属[鼠牛虎兔龙蛇马羊猴鸡狗猪])"),
        build=stating("misc.unclassified", bare=False),
    ),
    Rule(
        name="zh.birthday",
        pattern=clause(
            "(?P<me>我)的?(?P<value>生日(?:是|在)(?:每年)?(?:农历|"
            f"阴历)?(?:[0-9]{{4}}年)?{NUMBER}月{NUMBER}[日号]?)"
        ),
        build=stating("misc.unclassified", bare=False),
    ),
    Rule(
        name="zh.condition",
        pattern=clause(
            f"{ME}{ADVERB}{{0,2}}(?:一直|从小|被诊断出|被确诊为?|确诊了?|得了|患有|有){{1,2}}(?:点儿?|"
            f"轻度|中度|重度|先天性?|慢性){{0,2}}(?P<value>{one_of(CONDITIONS)})(?:{SINCE})"
        ),
        build=stating("misc.unclassified", prefix="有"),
    ),
)


FAMILIES: tuple[Family, ...] = (
    Family(cue="叫|喊|名|称|我是|代词", rules=_NAMES),
    Family(cue="岁|年", rules=_AGES),
    Family(cue="[住家搬在来人生居]", rules=_LOCATIONS),
    Family(cue=f"[会能是属有患得语时区用]|生日|诊|{one_of(TRAITS)}", rules=_OTHERS),
)
