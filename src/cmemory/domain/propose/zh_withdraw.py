"""Chinese rules for taking something back: what is no longer so, or never was.

People are withdrawn by the relation word, which the domain finds as an entity or as the wording of the
relation; the token of the relation would also end every other sibling or pet. A bare denial ("我没有妹妹")
takes back as much as a marked one; nothing happens when nothing was believed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from cmemory.domain.lexicon.zh_matters import (
    AIMS,
    AWAITED,
    CHORES,
    FINISHED,
    HABITS,
    HANDED_IN,
    TASKS,
    VARIANTS,
    VICES,
)
from cmemory.domain.lexicon.zh_people import BROAD, RELATIONS
from cmemory.domain.lexicon.zh_places import PLACES
from cmemory.domain.pattern import lazy_pattern
from cmemory.domain.propose.grammar import (
    HABIT_KEYS,
    TASK_KEYS,
    Build,
    Correction,
    Family,
    Finding,
    Pattern,
    Reach,
    Reading,
    Rule,
    Withdrawal,
    forgotten,
    given_up,
    known,
    one_of,
)
from cmemory.domain.propose.zh_limits import bare_topic
from cmemory.domain.propose.zh_shape import (
    END,
    LIST,
    ME,
    MY,
    NAME,
    RELATION,
    WORD,
    canonical_relation,
    clause,
    opening,
    tidy,
)
from cmemory.domain.propose.zh_work import JOB
from cmemory.domain.time.phrases_zh import ANY_DAY

_NOW = "(?:其实|现在|已经|早就|早已|很久|好久|最近|并|根本|从来|压根|真的|也|都|目前|后来){0,3}"


def _end(*predicates: str, group: str = "value", form: str = "{}") -> Build:
    """Return a build function that ends the claims whose value, wording or entity is the group."""

    def build(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
        del reading
        words = tidy(match[group])
        if words:
            yield Withdrawal(predicates=predicates, value=form.format(words), span=match.span("quote"))

    return build


def _person(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    del reading
    word = match["word"]
    if word not in BROAD - {"宝宝", "对象", "宠物"}:
        for said in dict.fromkeys((canonical_relation(word), word)):
            yield forgotten(said, match.span("quote"))


def _misnamed(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    """Read "叫周岑，不叫周琴": the wrong name goes, with whatever was kept under it of whom the sentence names."""
    groups, wrong, span = match.groupdict(), match["wrong"], match.span("quote")
    word = groups["word"]
    if groups.get("me"):
        yield Withdrawal(predicates=("identity.name",), value=wrong, span=span)
    elif word:
        right = match["right"]
        yield forgotten(wrong, span)
        yield known("person.relation_label", RELATIONS[word], word, right, span)
        yield known("person.name", right, right, right, span)
    else:
        # Who she is, only the memory knows: whoever bears the wrong name.
        yield Correction(
            previous=wrong, new=match["right"], predicates=("person.name",), whole=True, span=span
        )


def _parted(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    del reading
    for token in ("spouse",) if "离婚" in match["quote"] else ("partner",):
        yield Withdrawal(predicates=("person.relation_label",), value=token, span=match.span("quote"))


def _arrived(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    del reading
    what = tidy(match["value"], bare=True)
    what = what[2:] if what.startswith("我的") else what
    # "签证下来了" ends waiting for 签证结果 as well.
    decided = what.endswith(("签证", "面试", "体检", "审批", "录取", "手术", "考试", "复查"))
    for value in (what, f"{what}结果") if decided else (what,):
        yield Withdrawal(predicates=("open_loop.waiting_on",), value=value, span=match.span("quote"))


def _stopped(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    del reading
    act = tidy(match["value"])
    if len(act) > 1:
        yield from given_up((act, *VARIANTS.get(act, ())), match.span("quote"), keys=_PRACTICES)


def _weaned(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    """Read "我戒烟了": the habit was smoking."""
    del reading
    yield from given_up(VICES[match["value"]], match.span("quote"), keys=_PRACTICES)


def _done(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    """Read "快递已经取了": the task is 取快递. What is handed in is due no more."""
    del reading
    verb, matter = match["verb"], re.sub("^(?:我的|我|的)|的$", "", match["matter"])
    yield from given_up((f"{verb}{matter}",), match.span("quote"), keys=TASK_KEYS)
    if verb in HANDED_IN:
        yield Withdrawal(predicates=("open_loop.deadline",), entity_ref=matter, span=match.span("quote"))


#: What says only that a task is done: 买好了票 was 买票.
_ASPECT = lazy_pattern("(?<=^.)[完好掉]?了?")


def _acted(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    """Read "我已经给花浇水了"."""
    del reading
    act = _ASPECT.sub("", tidy(match["value"]))
    yield from given_up((act, f"去{act}"), match.span("quote"), keys=TASK_KEYS)


_PRACTICES = (*HABIT_KEYS, "goal.current_focus", "goal.constraint")


def _moved_away(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    del reading
    yield Withdrawal(
        predicates=("identity.location",),
        entity_ref=match["value"],
        qualifiers={"context": "work" if match["work"] else "home"},
        span=match.span("quote"),
    )


def _topic(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    del reading
    topic = bare_topic(match["value"])
    if topic:
        yield Withdrawal(predicates=("boundary.topic_avoid",), value=topic, span=match.span("quote"))


def _misnaming(body: str) -> Pattern:
    """Return a pattern that may begin after any comma of a sentence, and ends with a clause."""
    return Pattern(
        source=rf"(?:\A|[，,：:。；\s])[^\w“「\"]{{0,4}}其?实?(?P<quote>{body})(?={END}|[，,。！；])"
    )


_RAISE = "(?:提起|提到|提|聊起|聊到|聊|谈起|谈论|谈|说起|说|讨论|问)"
_PLACE = one_of(PLACES)


def _left(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    del reading
    groups = match.groupdict()
    place = groups.get("value") or groups.get("value2") or ""
    if place:
        yield Withdrawal(
            predicates=("identity.occupation",), value=f"在{place}工作", span=match.span("quote")
        )


_PEOPLE = (
    Rule(
        name="zh.not.name",
        pattern=opening(rf"我{_NOW}不叫(?P<value>{NAME})(?=[了啊呀哦]?\W*\Z)"),
        build=_end("identity.name"),
    ),
    Rule(
        name="zh.not.person_name",
        pattern=opening(rf"{MY}{RELATION}{_NOW}不叫(?P<value>{NAME})(?=[了啊呀哦]?\W*\Z)"),
        build=_end("person.name"),
    ),
    Rule(
        name="zh.not.this_name",
        pattern=_misnaming(
            rf"(?:(?P<me>我)|{MY}(?P<word>{RELATION})|(?P<pronoun>她|他|它))的?(?:现在|其实)?"
            rf"(?:叫做|名字?叫|名字是|是叫|叫)(?P<right>{NAME})[，,、；]?\s?[我她他它]?而?"
            rf"(?:不叫|并?不是叫?)(?P<wrong>{NAME})"
        ),
        build=_misnamed,
        reach=Reach.SENTENCE,
    ),
    Rule(
        name="zh.not.that_name",
        pattern=_misnaming(
            rf"(?:{MY}(?P<word>{RELATION})|(?P<pronoun>她|他|它))的?(?:现在|其实)?(?:名字)?(?:不叫|不是叫?)(?P<wrong>{NAME})"
            rf"[，,、；]?\s?(?:而是|而)?[她他它]?(?:叫做|叫|是)(?P<right>{NAME})"
        ),
        build=_misnamed,
        reach=Reach.SENTENCE,
    ),
    Rule(
        name="zh.not.person",
        pattern=clause(rf"{ME}{_NOW}(?:没有|没)(?:什么|一?个|任何)?(?P<word>{RELATION})"),
        build=_person,
    ),
    Rule(
        name="zh.not.kept",
        pattern=clause(rf"{ME}(?:家)?{_NOW}(?:不养|没养|没在养|没再养)(?:过)?(?P<word>{RELATION})"),
        build=_person,
    ),
    Rule(
        name="zh.not.together",
        pattern=clause(
            rf"我{_NOW}(?:(?:和|跟)(?:我的?)?(?:{RELATION}|{WORD}{{2,4}}))?(?:{_NOW})(?:分手|离婚)了"
        ),
        build=_parted,
    ),
)

_CALLINGS = (
    Rule(
        name="zh.not.employed",
        pattern=clause(
            rf"{ME}{_NOW}(?:不在|没在|不再在)(?!家|这|那)(?P<value>{WORD}{{2,14}}?)(?:工作|上班|干|做)了?"
        ),
        build=lambda match, reading: () if re.fullmatch(_PLACE, match["value"]) else _left(match, reading),
    ),
    Rule(
        name="zh.not.left",
        pattern=clause(
            f"{ME}(?:{_NOW}|上周|上个月|刚刚?|昨天|去年|前几天|"
            f"今年)(?:从(?P<value>{WORD}{{2,12}}?)(?:离职|辞职|跳槽|离开|退休|毕业)|"
            f"离开(?P<value2>(?!你|他|她|这|那){WORD}{{2,12}}?(?:公司|集团|厂|医院|银行|学校)))了"
        ),
        build=_left,
    ),
    Rule(
        name="zh.not.job",
        pattern=clause(
            f"{ME}(?:现在|已经|早就|早){{0,2}}(?:不是|不做|不当|不再是|"
            f"不再做)(?:一?[名个位])?(?P<value>{JOB})了"
        ),
        build=_end("identity.occupation", "identity.role"),
    ),
    Rule(
        name="zh.not.here",
        pattern=clause(
            f"{ME}{_NOW}(?:(?:不住在?|不在|没住在?|不再住在?)(?P<value>{_PLACE})(?:住|(?P<work>上班|"
            "工作))?了)"
        ),
        build=_moved_away,
    ),
    Rule(
        name="zh.not.stayed",
        pattern=clause(
            rf"{ME}{_NOW}(?:搬离|搬出|离开|从)(?P<value>{_PLACE})(?P<work>\b)?(?:搬走|搬出来|搬离)?了"
        ),
        build=_moved_away,
    ),
)

_CUSTOMS = (
    Rule(
        name="zh.not.habit",
        pattern=clause(
            f"{ME}(?:{_NOW})(?:(?P<sure>不再|没再|没有再)|不去?)(?:每天|天天|经常)?(?P<value>(?:{HABITS}|学|"
            f"备考|准备考|减肥|考研|考公|健身|抽烟|吸烟){WORD}{{0,8}}?)(?(sure)了?|了)"
        ),
        build=_stopped,
    ),
    Rule(
        name="zh.not.vice",
        pattern=clause(rf"{ME}{_NOW}(?:终于)?戒(?:掉)?(?P<value>{one_of(VICES)})(?:成功)?了"),
        build=_weaned,
    ),
    Rule(
        name="zh.not.goal",
        pattern=clause(
            rf"{ME}{_NOW}(?:不想|不打算|不准备|不要|放弃|不考虑|取消)(?:去)?(?P<value>(?:{AIMS}))了"
        ),
        build=_end("goal.long_term_objective", "goal.current_focus", "goal.aspiration"),
    ),
    Rule(
        name="zh.not.taste",
        pattern=clause(
            f"{ME}{_NOW}(?:不|没那么)(?:再)?(?P<attitude>喜欢|爱|讨厌)(?P<value>(?!你|他|她|"
            f"我){LIST}{{1,14}}?)了"
        ),
        build=lambda match, reading: _end("misc.unclassified", form=match["attitude"] + "{}")(match, reading),
    ),
    Rule(
        name="zh.not.allergic",
        pattern=clause(rf"{ME}{_NOW}对(?P<value>{WORD}{{1,10}}?){_NOW}不(?:再)?过敏(?:了)?"),
        build=_end("misc.unclassified", form="对{}过敏"),
    ),
)

_DONE = (
    Rule(
        name="zh.done.acted",
        pattern=clause(
            f"{ME}(?:今天|刚刚?|昨天|也|都){{0,2}}(?:已经|终于|总算|刚刚?)(?:去)?"
            f"(?P<value>{CHORES}|(?:{TASKS})[完好掉]?(?P<done>了)?{WORD}{{1,10}}?)(?(done)[了啦]?|[了啦])"
        ),
        build=_acted,
    ),
    Rule(
        name="zh.done.matter_first",
        pattern=clause(
            f"{ME}(?:的|把)?(?P<matter>(?!你|他|她|它|这|那|别|等"
            f"|{ANY_DAY})(?:(?![没不别要就还都会再]){WORD}){{1,8}}?)"
            f"(?:我|也|都|今天|昨天){{0,2}}(?:已经|终于|总算|刚刚?)?(?<!快)"
            f"(?P<verb>{one_of(FINISHED)})(?:完|好|掉|上去|过)?(?:了|啦)"
        ),
        build=_done,
    ),
)

_ARRIVALS = (
    Rule(
        name="zh.arrived",
        pattern=clause(
            f"{ME}的?(?P<value>(?!你|他|她|等|还|没|不|快|什么){WORD}{{0,8}}?{one_of(AWAITED)})"
            f"(?:终于|已经|今天|刚刚|刚|昨天|总算|都|也){{0,2}}(?:下来|出来|批下来|到|收到|出|拿到|批|"
            "通过|办下来|办好|公布|送到)了"
        ),
        build=_arrived,
    ),
    Rule(
        name="zh.received",
        pattern=clause(
            f"{ME}(?:终于|已经|今天|刚刚|刚|昨天|总算){{0,2}}(?:收到|拿到|等到|"
            f"等来)了?(?P<value>(?!你|他|她){WORD}{{0,8}}?{one_of(AWAITED)})"
        ),
        build=_arrived,
    ),
)

_LIFTED = (
    Rule(
        name="zh.topic.open",
        pattern=clause(
            f"(?:你|我)?(?:现在|以后|又){{0,2}}可以(?:跟我|和我|再|"
            f"随便){{0,2}}{_RAISE}(?:有关|关于)?(?P<value>(?![聊个一]){WORD}{{1,12}}?)了"
        ),
        build=_topic,
    ),
    Rule(
        name="zh.topic.open_first",
        pattern=clause(
            f"(?P<value>{WORD}{{1,12}}?)(?:的话题|的事|这个话题)?(?:现在|以后)?(?:可以|能)(?:跟我|"
            f"和我|再|随便){{0,2}}{_RAISE}了"
        ),
        build=_topic,
    ),
    Rule(
        name="zh.allowed",
        pattern=clause(
            rf"(?:你)?(?:现在|以后){{0,2}}可以(?P<value>(?:叫我|喊我|催我|提醒我){WORD}{{0,8}}?)了"
        ),
        build=_end("boundary.prohibition"),
    ),
)

FAMILIES: tuple[Family, ...] = (
    Family(cue="[没不]|分手|离婚", rules=_PEOPLE),
    Family(cue="[不没]|离|辞职|跳槽|退休|毕业|搬", rules=_CALLINGS),
    Family(cue="[不没戒]|放弃|取消", rules=_CUSTOMS),
    Family(cue="[来到出批过好]|收|拿|公布", rules=_ARRIVALS),
    Family(cue="可以|能", rules=_LIFTED),
    Family(cue="[了啦]", rules=_DONE),
)
