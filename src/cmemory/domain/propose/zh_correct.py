"""Chinese rules for corrections: orders to change what is believed, and the right word set against the wrong one.

What they propose names no record. Admission looks for the one claim that is meant and changes nothing when there is
none, so a talk about the settings of some program passes without harm.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from cmemory.domain.lexicon.corrections import LAUGHTER, NOT_NOW, SLIPS_ZH, TELLING_ZH, UNDECIDED
from cmemory.domain.pattern import lazy_pattern
from cmemory.domain.propose.grammar import (
    Correction,
    Draft,
    Family,
    Finding,
    Pattern,
    Reach,
    Reading,
    Rule,
    one_of,
    proof,
)
from cmemory.domain.propose.zh_shape import NAME, opening

_ERRED = "[打写说讲记搞弄]错[了啦咯]?字?[了啦咯]?"
_REGRET = lazy_pattern(rf"{_ERRED}\W*\Z")
_SLIP = f"(?P<slip>(?:(?:我|刚才|刚刚|是|上面){{0,2}}(?:{one_of(SLIPS_ZH)}|{_ERRED})[，,：:；。！!～…\\s]{{0,3}}){{1,2}})"
_SLIPPED = lazy_pattern(f"(?:{one_of(SLIPS_ZH)}|{_ERRED})[，,：:；。！!～…\\s]{{0,3}}\\Z")
_STOPS = r"，,。！？!?；;：:、…\n"
_PART = rf"[^{_STOPS}\s](?:[^{_STOPS}]{{0,58}}?[^{_STOPS}\s])??"
#: One side of a contrast is short, and holds no other contrast.
_SIDE = rf"(?:(?!不是|而是)[^{_STOPS}]){{1,20}}?"
_THANKS = (
    "(?:[了啦哦噢啊呀哈嘛]{0,2}[，,。！!；;～~\\s]{0,3}"
    "(?:谢谢(?:你|提醒|啦|啊)?|多谢|谢啦|感谢|辛苦了?|麻烦了|拜托了?|不好意思|抱歉|please|thanks|(?:我|刚才|刚刚){0,2}[打写说记搞]错了?)?)"
    r"{0,2}[^\w?？]{0,12}\Z"
)
#: "He", "you" and "this" are no names of what is corrected.
_TOPIC = rf"(?:我的?)?(?P<subject>(?![我你您他她它这那谁别不没])(?:(?!不是|而是)[^{_STOPS}]){{1,40}}?)"
_CHANGED = "(?:更改为|更新为|替换为|替换成|修改为|修改成|改为|改成|换成)"
_MOVED = "(?:改到|推迟到|提前到|延期到|改成|改为)"
_ASKING = "(?:(?:请你?|麻烦你?|帮我|帮忙|拜托|你帮我|给我)[，,\\s]?){0,3}"

#: What of a matter changes, where only the matter itself is remembered by name.
_ASPECT = lazy_pattern(r"(?<=\w)的(?:值|时间|日期|日子)\Z")
_OWN_NAME = lazy_pattern(r"我的?(?:名字|姓名|称呼)\Z")
_OWN = lazy_pattern(r"\A我(?:自己)?的(?=.)")


def _clean(words: str | None) -> str | None:
    """Return a part without what only says whose it is; None when nothing is left."""
    return _OWN.sub("", _ASPECT.sub("", (words or "").strip(" 　“”「」\"'").strip())) or None


def _ordered(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    """Read 把端口从 80 改为 81, unless anything leaves it open, or laughs about it."""
    groups = match.groupdict()
    subject, new = _clean(groups["subject"]), _clean(groups["new"])
    open_ended = any(pattern.search(reading.text) for pattern in (UNDECIDED, LAUGHTER))
    if not subject or not new or open_ended or NOT_NOW.search(match.string):
        return
    if _OWN_NAME.match(groups["subject"].strip()):
        if re.fullmatch(NAME, new):
            yield Draft(predicate="identity.name", value=new, raw_value=new, span=proof(match))
    else:
        yield Correction(subject=subject, previous=_clean(groups.get("previous")), new=new, span=proof(match))


def _contrasted(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    """Read 不是周三，是周四."""
    groups = match.groupdict()
    wrong, right = _clean(groups["previous"]), _clean(groups["new"])
    if not wrong or not right or _settled_nothing(match.string):
        return
    before = reading.before + match.string[: match.start("quote")]
    slip = groups.get("slip") or _SLIPPED.search(before) or _REGRET.search(match.string)
    yield Correction(
        previous=wrong,
        new=right,
        whole=not (slip or TELLING_ZH.search(wrong)),
        span=proof(match),
    )


def _subject_contrasted(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    """Read 面试不是周三，是周四."""
    del reading
    groups = match.groupdict()
    subject, right = _clean(groups["subject"]), _clean(groups["new"])
    if subject and right and not _settled_nothing(match.string):
        yield Correction(
            subject=subject, previous=_clean(groups.get("previous")), new=right, span=proof(match)
        )


def _settled_nothing(sentence: str) -> bool:
    return UNDECIDED.search(sentence) is not None or NOT_NOW.search(sentence) is not None


def _after_slip(body: str) -> Pattern:
    return opening(f"{_SLIP}?(?:我(?:是说|说的|指的))?(?:应该)?{body}{_THANKS}")


_ORDERS = (
    Rule(
        name="zh.correct.change",
        pattern=opening(
            rf"(?:{_SLIP})?{_ASKING}(?:我已经|我刚刚?|我)?(?:把|将(?![来要会军近士就才]))\s?(?P<subject>{_PART})\s?"
            rf"(?:从\s?(?P<previous>{_PART})\s?)?{_CHANGED}\s?[“「\"]?(?P<new>{_PART})[”」\"]?{_THANKS}"
        ),
        build=_ordered,
        reach=Reach.SENTENCE,
    ),
    Rule(
        name="zh.correct.moved",
        pattern=opening(
            rf"(?:{_SLIP})?{_TOPIC}(?:已经|现在)?(?:从\s?(?P<previous>{_SIDE})\s?)?{_MOVED}\s?(?P<new>{_SIDE}){_THANKS}"
        ),
        build=lambda match, reading: (
            () if match["subject"].startswith(("把", "将", "请", "帮", "麻烦")) else _ordered(match, reading)
        ),
        reach=Reach.SENTENCE,
    ),
)

_CONTRASTS = (
    Rule(
        name="zh.correct.but_this",
        pattern=_after_slip(rf"不是(?P<previous>{_SIDE})[，,、\s]{{0,2}}(?:而|应该)?是(?P<new>{_SIDE})"),
        build=_contrasted,
        reach=Reach.SENTENCE,
    ),
    Rule(
        name="zh.correct.not_that",
        pattern=_after_slip(
            rf"(?:其实)?是(?P<new>{_SIDE})[，,、\s]{{0,2}}(?:而|并)?不是(?P<previous>{_SIDE})"
        ),
        build=_contrasted,
        reach=Reach.SENTENCE,
    ),
    Rule(
        name="zh.correct.subject",
        pattern=opening(
            rf"(?:{_SLIP})?{_TOPIC}(?:其实|并)?不(?:是|在)(?P<previous>{_SIDE})[，,、\s]{{0,2}}(?:而|应该)?(?:是|在|改到)"
            rf"(?P<new>{_SIDE}){_THANKS}"
        ),
        build=_subject_contrasted,
        reach=Reach.SENTENCE,
    ),
    Rule(
        name="zh.correct.subject_is",
        pattern=opening(
            rf"(?:{_SLIP})?{_TOPIC}(?:其实|应该)?(?:是|在)(?P<new>{_SIDE})[，,、\s]{{0,2}}(?:而|并)?不(?:是|在)"
            rf"(?P<previous>{_SIDE}){_THANKS}"
        ),
        build=_subject_contrasted,
        reach=Reach.SENTENCE,
    ),
)

FAMILIES: tuple[Family, ...] = (
    Family(cue="[改换更替推提延]", rules=_ORDERS),
    Family(cue="不是|不在", rules=_CONTRASTS),
)
