"""How Chinese rules are written: the frame of a clause, tidy values, and whom a clause is about.

A pattern made by `clause` must fill its clause from the opening words to the closing particles, so that a
statement buried in another one ("我觉得我叫…", "…的时候") never counts. All repetition is bounded, so no text
is slow to read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date, timedelta

from cmemory.domain.lexicon.zh_people import NOT_NAMES, RELATIONS, SAME_PERSON
from cmemory.domain.lexicon.zh_speech import (
    CONSENT,
    OPENINGS,
    PARTICLES,
    POINTERS,
    PREDICATE_OPENINGS,
    VOCATIVES,
)
from cmemory.domain.pattern import lazy_pattern
from cmemory.domain.propose.grammar import Build, Draft, Finding, Frame, Pattern, Reading, one_of
from cmemory.domain.time.dates import resolve_day
from cmemory.domain.time.phrases_zh import ANY_DAY, numeral

_NO_MARK = r"[^\w“\"「『《（(*]"
_BEGIN = Frame(
    breaks=lazy_pattern(rf"\A{_NO_MARK}{{0,12}}"),
    openings=((lazy_pattern(rf"{one_of(OPENINGS)}{_NO_MARK}{{0,6}}"), 4),),
)
#: A wish may be put as a question; `intent_of` has told them apart before.
END = rf"[{PARTICLES}]{{0,3}}(?:{one_of(CONSENT)})?[^\w]{{0,40}}\Z"

#: The person speaking; without it the clause before must be about them.
ME = r"(?P<me>我(?:自己|本人|这边|个人)?|本人|俺)?"
ADVERB = (
    "(?:现在|目前|也|还|都|就|一直|平时|平常|一般|已经|又|真的|确实|主要|暂时|刚刚|刚|今年|最近|其实|"
    "本来就|从小|从小就|通常|始终|尤其|个人|算)"
)
DEGREE = (
    "(?:很|非常|特别|超级?|挺|最|比较|更|蛮|十分|真的?|好|有点儿?|相当|极其|贼|巨|太|尤其|还是|也|都|还|"
    "一直|从小就?|平时|也是)"
)
#: A stretch inside a clause; 、 belongs to lists.
WORD = r"[^\s，。！？、…；：,!?;:“”\"「」『』（）()~～]"
LIST = r"[^\s，。！？…；：,!?;:“”\"「」『』（）()~～]"
MEASURE = "(?:[一两二三四五六七八九十几0-9]{0,2}(?:个|只|条|位|名|头|对|双|家|间|份|门|本|所))"
#: How long something has been so, at the end of a clause.
SINCE = r"(?:[0-9一二两三四五六七八九十几多半快]{1,4}年多?了?)?"
NUMBER = r"(?:[0-9]{1,3}|[〇零一二两三四五六七八九十百]{1,5})"

_NAME_CHAR = (
    r"(?:(?![的了着过吗呢啊吧呀啦哦不没就都也很我你他她它这那是在把被让跟去说做给吃喝看找打买帮送来])[一-鿿])"
)
NAME = (
    rf"(?!{one_of(NOT_NAMES)})(?:(?:来(?=[福财宝喜]))?{_NAME_CHAR}{{1,6}}?(?:·{_NAME_CHAR}{{1,8}}){{0,2}}"
    rf"|[小阿老大][A-Za-z]{{1,10}}|[A-Za-z][A-Za-z'’.\-]{{0,20}}(?: [A-Z][A-Za-z'’.\-]{{0,20}}){{0,2}})"
)
#: Where a name ends.
AFTER_NAME = rf"(?={END}|不叫|不是|今年|现在|来自|住在|住|是|在|很高兴|也可以|你可以|\d|（|\()"
RELATION = one_of(RELATIONS)
#: "My" before a relation.
MY = "我(?:们?家里?的?|的|们的)?(?:那个|一个|有个|这个)?"


def clause(body: str) -> Pattern:
    """Return a pattern that fills a clause; what opening and closing leave is the group ``quote``."""
    return Pattern(source=f"(?P<quote>{body}){END}", frame=_BEGIN)


def opening(body: str) -> Pattern:
    """Return a pattern that begins a clause and says itself where it ends."""
    return Pattern(source=f"(?P<quote>{body})", frame=_BEGIN)


_LEADING = lazy_pattern(rf"^(?:{MEASURE}(?=[^\W\d]{{2}})|一些|一下|去|关于|有关)")
_TRAILING = lazy_pattern(rf"[\s{PARTICLES}、~～-]+$")


def tidy(words: str, *, bare: bool = False) -> str:
    """Return the words without closing particles; ``bare`` also drops a leading measure word or 去.

    >>> tidy("一个签证结果呢", bare=True), tidy("喜欢海边啦")
    ('签证结果', '喜欢海边')
    """
    words = _TRAILING.sub("", words.strip())
    if bare:
        words = _LEADING.sub("", words)
    return words


_POINTER = lazy_pattern(
    rf"{one_of(POINTERS)}|我自己|[一这那]下|\w{{0,20}}?(?:[你您]|的时候|今天|昨天|刚才|现在的)"
)


def points_away(value: str) -> bool:
    """Tell whether a value only points at something, or is about the companion or the moment."""
    return _POINTER.match(value) is not None


def is_vague(value: str) -> bool:
    """Tell whether a value says nothing that could be remembered."""
    return len(value) < 2 or points_away(value)


# ------------------------------------------------------------------------------ whom it is about

_CUT = lazy_pattern(r"[，,。！？!?；;：:\s~～…]+")
_STARTS_PREDICATE = lazy_pattern(one_of(PREDICATE_OPENINGS))
_CALL_ME = lazy_pattern("(?:你们?|大家)?(?:也|就|都|可以|直接){0,2}叫我")
_OWN_RELATION = lazy_pattern(f"{MY}(?P<word>{RELATION})(?!一起|一块|说|们)")
_IS_MINE = lazy_pattern(rf"(?:[他她它这那]|{WORD}{{1,6}}?)是我(?:家)?的?(?P<word>{RELATION})\Z")
_INTRODUCED = lazy_pattern(
    f"(?:有了?|养了?|领养了?|收养了?|家有){MEASURE}?(?:{WORD}{{0,6}}?的)"
    rf"?{WORD}{{0,3}}?(?P<word>{RELATION})(?=\Z|叫|名)"
)


def subject_of(before: str) -> str:
    """Return whom a clause without a subject is about: ``我``, a relation word, or nothing if unclear.

    >>> subject_of("我叫周眠，"), subject_of("我有个妹妹，今年"), subject_of("杭州很美，")
    ('我', '妹妹', '')
    """
    third_person = False
    for part in reversed(_CUT.split(before)):
        words = part[_BEGIN.starts(part)[0][0] :]
        if not words or words in VOCATIVES:
            continue
        found = _INTRODUCED.search(words) or _OWN_RELATION.match(words) or _IS_MINE.match(words)
        if found is not None:
            return found["word"]
        if words.startswith(("他", "她", "它")):
            third_person = True
        elif third_person:
            continue
        elif words.startswith("我"):
            return (
                ""
                if re.search("[他她它]", words)
                or (words.startswith(("我们", "我家", "我的")) and "名字" not in words)
                else "我"
            )
        elif _CALL_ME.match(words):
            return "我"
        elif not _STARTS_PREDICATE.match(words):
            return ""
    return "" if third_person else "我"


def own(match: re.Match[str], reading: Reading) -> bool:
    """Tell whether a match is about the person speaking."""
    return match["me"] is not None or subject_of(reading.before) == "我"


def canonical_relation(word: str) -> str:
    """Return the relation word under which somebody is kept: 妈 and 母亲 are 妈妈."""
    return SAME_PERSON.get(word, word)


def entity_of(word: str, text: str) -> str:
    """Return the name the message gives the person of that relation word, else the word."""
    # Within a longer text a name also ends at any mark.
    ends = rf"(?=[{PARTICLES}]?(?:[^\w]|\Z)|不叫|不是|今年|现在|是|在)"
    named = re.search(
        rf"{re.escape(word)}(?:[，,。\s]{{0,2}}(?:他|她|它)?)(?:的?(?:大名|名字|名))?(?:叫做|叫作|名叫|"
        f"叫|名字是)(?P<name>{NAME}){ends}",
        text,
    ) or re.search(rf"(?P<name>{NAME})是我(?:的|家的?)?{re.escape(word)}", text)
    called = re.search(rf"叫(?P<name>{NAME})的{WORD}{{0,4}}?{re.escape(word)}", text)
    found = called or named
    return found["name"] if found is not None and found["name"] not in RELATIONS else canonical_relation(word)


# ------------------------------------------------------------------------------ common builders


def stating(predicate: str, *, prefix: str = "", bare: bool = True, confidence: float = 0.9) -> Build:
    """Return a build function for a statement about the person, whose value is the tidied group ``value``."""

    def build(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
        words = tidy(match["value"], bare=bare)
        if own(match, reading) and not is_vague(words):
            yield Draft(
                predicate=predicate,
                value=prefix + words,
                raw_value=words,
                span=match.span("quote"),
                confidence=confidence,
            )

    return build


def age_of(text: str) -> int | None:
    """Return an age in years that a person can have, or None."""
    try:
        years = numeral(text)
    except ValueError:
        return None
    return years if 1 <= years <= 110 else None


#: Periods that bound a statement, and the day up to which it holds.
BOUND = (
    "(?:(?P<period>这周|本周|这个?星期|这个?礼拜|这个?月|本月|这两天|这几天)|"
    f"(?:一直)?到(?P<day>{ANY_DAY})(?:之前|以前|为止|前)?)?"
)


def last_day(match: re.Match[str], today: date) -> date | None:
    """Return the last day of the period a match bounds itself to (`BOUND`), or None when it names none."""
    if match["day"] is not None:
        return resolve_day(match["day"], today)
    period = match["period"] or ""
    if period in ("这周", "本周") or period.endswith(("星期", "礼拜")):
        return today + timedelta(days=6 - today.weekday())
    return resolve_day("月底", today) if period.endswith("月") else None


def split_list(text: str) -> Sequence[str]:
    """Return the items of a list such as 英语、法语和粤语."""
    return [part for part in re.split("[、和跟与及]|以及|还有", text) if part]
