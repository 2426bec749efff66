"""Chinese rules for how the companion should speak and stand by: language, length, tone, advice, comfort.

What is wanted for this moment only ("今天别给我建议") is no lasting wish; the openings of a clause admit no
such word.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from cmemory.domain.lexicon.zh_speech import POLITE
from cmemory.domain.lexicon.zh_style import LANGUAGES, REPLIES, REPLY_LANGUAGE, UNWANTED, WANTED
from cmemory.domain.pattern import lazy_pattern
from cmemory.domain.propose.grammar import (
    Draft,
    Family,
    Finding,
    Pattern,
    Reach,
    Reading,
    Rule,
    meaning,
    one_of,
)
from cmemory.domain.propose.zh_shape import DEGREE, clause

ASK = rf"(?:{one_of(POLITE)}){{0,4}}"
STOP = "(?:请?(?:不要|不用|不需要|不必|不许|不准|不可以|不能|别|少|勿|请勿|千万别|先别|用不着|没必要|无需))"
AGAIN = (
    "(?:再|总是|总|老是|老|一直|动不动就|动不动|随便|急着|着急|轻易|一上来就|太|那么|这么|跟我|和我|对我|"
    "给我|向我|主动)"
)
_TONGUE = one_of(LANGUAGES)
_LESS = (
    "(?:不要|别|不用|不|少|避免|无需)(?:太|那么|这么|用|搞|弄|过于|过分|使用|发|说|列|给我列|"
    f"给我用){{0,2}}{one_of(UNWANTED)}"
)
_GLUE = (
    "(?:一点儿|一点|点儿|点|一些|些|的|地|得|、|和|又|且|而且|并且|以及|更|要|尽量|比较|稍微|就好了?|"
    "就行了?|就可以了?|即可|为主|最好|一下|为好|说|列出来|来)"
)
_RUN = rf"(?:{_LESS}|{one_of(WANTED)}|{_TONGUE}|{_GLUE}){{1,8}}"
_WISH = "(?:喜欢|希望|想要|想|要|偏好|偏爱|习惯|需要|期待|更想要|更喜欢|爱听|爱看)"
_PIECE = lazy_pattern(
    rf"(?P<less>{_LESS})|(?P<more>{one_of(WANTED)})|(?P<tongue>{_TONGUE})的?(?P<head>{one_of(REPLIES)})?"
)
_SOFT = lazy_pattern(
    r"点|些|就好|就行|即可|就可以|尽量|为主|最好|要|别|不|少|请|希望|想|喜欢|可以|偏|保持|避免|控制|语气|口吻"
)
_UNWANTED = lazy_pattern(f"{one_of(UNWANTED)}$")


def _style(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    del reading
    if not _SOFT.search(match["quote"]):
        return
    start, end = match.start("body"), match.end("quote")
    for piece in _PIECE.finditer(match.string, start, end):
        if piece["tongue"]:
            yield _reply_language(piece["tongue"], piece.span())
            continue
        word = piece["more"] or _UNWANTED.search(piece["less"])[0]  # type: ignore[index]
        predicate, token = WANTED[word] if piece["more"] else UNWANTED[word]
        yield Draft(predicate=predicate, value=token, raw_value=piece[0], span=piece.span())


def _reply_language(said: str, span: tuple[int, int]) -> Draft:
    value = REPLY_LANGUAGE.get(said, said)
    return Draft(predicate="communication.language", value=value, raw_value=said, span=span)


_ONLY_TONGUE = lazy_pattern(rf"(?:请|麻烦)?(?:用|使用){_TONGUE}")


def _language(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    # "写一封邮件，用英文" is about the mail.
    if reading.before.strip() and _ONLY_TONGUE.fullmatch(match["quote"]):
        return
    yield _reply_language(match["tongue"], match.span("quote"))


_STYLE = (
    Rule(
        name="zh.style.wish",
        pattern=clause(
            f"(?:我|个人)?{DEGREE}{{0,2}}{_WISH}(?:看|听|收到|得到|你的|你|能|用|可以|一些|一点|那种|"
            f"这种|有){{0,3}}(?P<body>{_RUN})(?:{one_of(REPLIES)})的?(?:方式|风格)?"
        ),
        build=_style,
    ),
    Rule(
        name="zh.style.of_replies",
        pattern=clause(
            f"(?:(?:我)?(?:{_WISH})|{one_of(POLITE)}){{0,4}}(?:你的|你|跟我|和我|对我|给我|"
            f"在){{0,3}}{one_of(REPLIES)}(?:我|问题|我的问题)?(?:的时候|时|的话)?"
            "(?:语气|上|内容)?(?:控制在|能|要|可以|尽量|都|请|再|更|最好|应该|就|稍微|尽可能|保持|偏|"
            f"用|是|得){{0,3}}(?P<body>{_RUN})(?:的?(?:语气|口吻|风格|方式|语言|文字))?"
        ),
        build=_style,
    ),
    Rule(
        name="zh.style.adverb",
        pattern=clause(
            f"{ASK}(?:更|用|以)?(?P<body>{_RUN})(?:的?(?:语气|口吻|方式|风格|语言))?(?:来|跟我|和我|"
            f"对我|给我){{0,2}}(?:回答|回复|回应|说话|说|讲话|讲|聊天|聊|沟通|交流)(?:我|我的问题|"
            "就好|就行)?"
        ),
        build=_style,
    ),
    Rule(
        name="zh.style.with",
        pattern=clause(
            f"{ASK}(?:用|以)(?P<body>{_RUN})的?(?:语气|口吻|方式|风格)(?:(?:跟我|和我|对我|来)(?:说话|"
            "聊天|聊|说|讲))?(?:就好|就行)?"
        ),
        build=_style,
    ),
    Rule(
        name="zh.style.you",
        pattern=clause(
            "(?:我)?(?:希望|想要|想让|喜欢|更喜欢)你(?:能|可以|对我|跟我|说话|更|再|稍微|"
            f"尽量){{0,3}}(?P<body>{_RUN})"
        ),
        build=_style,
    ),
    Rule(
        name="zh.style.asked",
        pattern=clause(
            "你?(?:能不能|可不可以|可以|能否|可否|能|请|希望你|麻烦你?)(?:以后|对我|跟我|稍微|再|更|说话){0,2}"
            f"(?P<body>{_RUN})"
        ),
        build=_style,
    ),
    Rule(
        name="zh.style.bare",
        pattern=clause(
            f"{ASK}(?P<body>(?:{_LESS}|(?:简短|简洁|精简|短|详细|直接|直白|委婉|干脆|一句话|一两句话?|"
            "两三句话?|有条理)(?:一点儿?|点儿?|一些|些|就好了?|就行了?|就可以了?|即可))+)"
        ),
        build=_style,
    ),
    Rule(
        name="zh.language.reply",
        pattern=clause(
            f"{ASK}(?:回答|回复|跟我说话|和我说话|跟我聊天|聊天)?(?:跟我|和我|对我)?(?:用|说|讲|使用|"
            f"改用|换成|切换到|切换成)(?P<tongue>{_TONGUE})"
            "(?:来|跟我|和我|给我|对我|与我|进行){0,2}(?:回答|回复|回我|交流|沟通|说话|聊天|聊|说|"
            "对话|回应|讲话|讲|就好|就行|就可以){0,2}(?:我|我的问题|就好|就行|就可以)?"
        ),
        build=_language,
    ),
    Rule(
        name="zh.too_long",
        pattern=clause(
            "你(?:的)?(?:回答|回复|说话|话|说得|说的)(?:每次)?(?:都)?(?:有点|实在|真的)?(?:太|"
            "过于)(?:长|啰嗦|罗嗦|冗长)"
        ),
        build=meaning("communication.verbosity", "short"),
    ),
    Rule(
        name="zh.to_the_point",
        pattern=clause(
            f"{ASK}(?:长话短说|(?:直接|只)?(?:说|讲|挑)重点(?:说|讲|就好|就行)?|{STOP}长篇大论|"
            f"{STOP}(?:说|讲|写|回|回复|回答)得?(?:那么|这么|太)?(?:多|长)|我?(?:不喜欢|讨厌|"
            "不想)看?(?:长篇大论|太长的(?:回答|回复|文字)))"
        ),
        build=meaning("communication.verbosity", "short"),
    ),
    Rule(
        name="zh.layout.prose",
        pattern=clause(
            f"{ASK}{STOP}{AGAIN}?(?:用|使用|列|写|分|给我列|给我用|发)?(?:列表|要点|条目|清单|一二三|"
            "一二三四|123|项目符号|分点)(?:式|格式|形式)?(?:了|回答|回复|说话)?"
        ),
        build=meaning("communication.format", "prose"),
    ),
    Rule(
        name="zh.layout.bullets",
        pattern=clause(
            f"{ASK}(?:用|使用|按)(?:列表|要点|条目|清单|项目符号|分点)(?:的?(?:形式|方式|"
            f"格式))?(?:来)?(?:回答|回复|列出来|说|给我|展示|呈现|就好|就行)?|{ASK}(?:分点|列点|分条|"
            "逐条)(?:来)?(?:回答|回复|列出来|列出|说明|说|写|列)"
        ),
        build=meaning("communication.format", "bullets"),
    ),
    Rule(
        name="zh.layout.plain",
        pattern=clause(
            f"{ASK}{STOP}{AGAIN}?(?:用|使用|发|带|加|输出)?(?:任何)?(?:markdown|Markdown|MARKDOWN|MD|"
            f"md|格式符号|加粗|星号|特殊符号)(?:格式|语法|标记|符号)?|{ASK}(?:用|发|输出|"
            "只要)纯文本(?:回答|回复|就好|就行|格式)?"
        ),
        build=meaning("communication.format", "plain"),
    ),
    Rule(
        name="zh.layout.markdown",
        pattern=clause(
            rf"{ASK}(?:用|使用)(?:markdown|Markdown|MD|md)(?:格式|语法)?(?:来)?(?:回答|回复|写|输出)?"
        ),
        build=meaning("communication.format", "markdown"),
    ),
)

_POSTURE = (
    Rule(
        name="zh.posture.initiative",
        pattern=clause(
            f"{ASK}(?:多)?主动(?:一点|点|一些)?(?:地)?(?:找我聊天|找话题|跟我聊|关心我|问我|聊|"
            "开启话题|提出话题)(?:一点|吧)?"
        ),
        build=meaning("communication.interaction_style", "initiative_taking"),
    ),
    Rule(
        name="zh.posture.reactive",
        pattern=clause(
            rf"{ASK}(?:{STOP}主动找(?:我聊天|话题)|等我(?:问|开口)(?:了)?(?:你)?再(?:说|回答|讲))"
        ),
        build=meaning("communication.interaction_style", "reactive"),
    ),
    Rule(
        name="zh.posture.socratic",
        pattern=clause(
            f"{ASK}(?:用|通过|以)(?:提问|问题|反问)(?:的方式|的形式)?(?:来)?(?:引导|启发)我(?:思考)?|"
            f"{ASK}多(?:用问题|提问|反问)(?:来)?(?:引导|启发)我"
        ),
        build=meaning("communication.interaction_style", "socratic"),
    ),
    Rule(
        name="zh.posture.together",
        pattern=clause(
            f"(?:我)?(?:{_WISH})?(?:你)?(?:能|可以)?(?:陪我|跟我|和我)一起(?:想办法|讨论|思考|"
            "分析)(?:就好|就行|问题)"
        ),
        build=meaning("communication.interaction_style", "collaborative"),
    ),
    Rule(
        name="zh.tone.friend",
        pattern=clause(
            f"{ASK}(?:像|跟|用)(?:老?朋友|好朋友|家人)(?:一样|那样|的语气|的口吻)(?:地)?(?:跟我|和我|"
            "来)?(?:说话|聊天|聊|交流|沟通|对话)?"
        ),
        build=meaning("communication.tone", "warm"),
    ),
)

_ADVICE = r"(?:任何|什么|太多|那么多|一堆|那些)?(?:的)?(?:建议|意见|主意|解决方案|方案|解决办法)"
_SAD = (
    "(?:难过|伤心|心情不好|心情很?差|情绪低落|情绪不好|崩溃|哭|emo|焦虑|不开心|生气|低落|沮丧|委屈|很?烦|"
    "压力大|难受|失落|不高兴|心烦|丧|抑郁)"
)
_WHEN = (
    f"(?:当|如果|要是|每次|只要)?我(?:很|特别|非常|真的|感到|觉得|在|一)?{_SAD}(?:了)?(?:的时候|的时侯|"
    "时候|时|的话|了)?(?:，|,)?(?:你|请|就|希望你|麻烦你|你就|可以|能|能不能|只要|只需要|先|多|"
    f"我?(?:需要|想要|希望)){{0,4}}"
)


def _sad(name: str, act: str, predicate: str, token: str) -> Rule:
    return Rule(
        name=f"zh.when_sad.{name}",
        pattern=Pattern(
            source=rf"(?:\A|[，,。！\s])\W{{0,4}}(?:以后|平时|其实|请记住)?(?P<quote>{_WHEN}{act})(?:就好了?|"
            rf"就行了?|就可以了?|吧|一会儿|一下)?\W{{0,12}}(?:\Z|[，,。！])"
        ),
        build=meaning(predicate, token),
        reach=Reach.SENTENCE,
    )


_SUPPORT = (
    Rule(
        name="zh.advice.none",
        pattern=clause(
            f"{ASK}{STOP}{AGAIN}{{0,3}}(?:(?:给|提|出|跟我提|塞|乱?给)(?:我)?(?:提|出)?{_ADVICE}|"
            "(?:给|帮)?我?(?:出主意|支招|提建议))(?:了)?"
            "|我?(?:并|真的|其实|通常|一般)?(?:不需要|不想要|不想听|不喜欢(?:别人|你|"
            "被人)?(?:随便)?给?|讨厌(?:别人|你)?(?:随便)?给?|不爱听)(?:你的?|别人的?|"
            f"别人给)?(?:给?我)?{_ADVICE}"
            rf"|(?:除非我问|除非我主动问|我没问的时候|我不问){STOP}(?:给|提)(?:我)?{_ADVICE}"
        ),
        build=meaning("support.advice_permission", "no_advice_unless_asked"),
    ),
    Rule(
        name="zh.advice.ask",
        pattern=clause(
            f"{ASK}(?:想)?(?:给|提)(?:我)?(?:提)?(?:建议|意见)(?:之前|以前|前|的时候|的话)(?:，|"
            f",)?(?:请|要|麻烦|记得|最好|都|得){{0,2}}先(?:问我|问一下我?|问问我|征求我|征得我|"
            "跟我说)(?:的?(?:同意|意见))?(?:一声|一下|需不需要|要不要|想不想听)?"
            f"|{ASK}先问(?:我|问我|一下我?)(?:需不需要|要不要|想不想听|"
            "想不想要)再给?(?:我)?(?:提)?(?:建议|意见)"
        ),
        build=meaning("support.advice_permission", "ask_before_advice"),
    ),
    Rule(
        name="zh.advice.welcome",
        pattern=clause(
            "(?:你|以后|平时|都|也){0,3}(?:可以(?:直接|随时|尽管|放心|多|大胆|主动){1,2}|(?:欢迎|"
            "尽管|放心|大胆)你?(?:直接|随时|多){0,2})(?:给|提)(?:我)?(?:一些|一点|点)?(?:提)?(?:建议|"
            "意见)"
            "|(?:你)?(?:有|想到)(?:什么|任何|好的)?(?:建议|意见|想法)(?:就|可以|请|尽管|"
            "都可以){1,2}(?:直接|随时|直说|尽管|大胆){0,2}(?:说|提|告诉我|讲|直说)?"
            "|(?:我)?(?:很|挺|也|都)?(?:想|喜欢|愿意|乐意)听(?:听)?你的(?:建议|意见)(?:就直说|"
            "的)?(?<!听听你的建议)"
        ),
        build=meaning("support.advice_permission", "advice_welcome"),
    ),
    _sad(
        "listen",
        "(?:听我(?:说|讲|倾诉|吐槽|发泄)(?:完)?|听着|倾听|听)(?:就好|就行)?",
        "support.when_distressed",
        "listen",
    ),
    _sad(
        "validate",
        "(?:安慰我|抱抱我|给我(?:一个)?拥抱|哄我|哄哄我|认可我|理解我|共情|安慰一下我)",
        "support.when_distressed",
        "validate",
    ),
    _sad(
        "solve",
        "(?:帮我(?:想办法|解决问题|分析|出主意|找解决办法)|给我(?:解决方案|办法))",
        "support.when_distressed",
        "problem_solve",
    ),
    _sad(
        "company",
        "(?:陪着我|陪我|陪陪我|陪伴我|陪我聊聊天?|陪我聊天|陪我说说话)",
        "support.presence_style",
        "companionship",
    ),
    _sad(
        "space",
        (
            "(?:让我(?:一个人|自己)?(?:静静|待着|待一会儿?|呆着|冷静)|别(?:理我|打扰我|烦我|管我)|"
            "不要(?:理我|打扰我|烦我)|给我(?:一点|点)?空间)"
        ),
        "support.presence_style",
        "space",
    ),
    _sad(
        "distract",
        "(?:转移(?:一下)?我?的?注意力|逗我(?:开心|笑)?|逗逗我|讲(?:个|点)?笑话|说点开心的)",
        "support.presence_style",
        "distraction",
    ),
    _sad(
        "no_advice",
        rf"{STOP}{AGAIN}{{0,2}}(?:给|提)(?:我)?(?:建议|意见|讲道理)",
        "support.advice_permission",
        "no_advice_unless_asked",
    ),
    Rule(
        name="zh.company.listen",
        pattern=clause(
            "(?:我)?(?:倾诉|吐槽|诉苦|抱怨|发牢骚)(?:的时候|时)(?:你)?(?:请)?(?:只要|只需要|"
            "先)?听(?:我说|着)?(?:就好|就行|完)?"
        ),
        build=meaning("support.presence_style", "listen_first"),
    ),
)

_BLUNT = (
    Rule(
        name="zh.direct",
        pattern=clause(
            f"{ASK}(?:跟我|和我|对我)?(?:有话直说|有事直说|有问题直说|有什么说什么|有啥说啥|直说|"
            "实话实说|开门见山|说话直接点|直来直去)(?:就好|就行|就可以|无妨|吧)?|我?(?:喜欢|"
            "希望)你?(?:直来直去|有话直说|直说|开门见山|实话实说)"
            rf"|{ASK}{STOP}(?:跟我|和我)?(?:绕弯子|绕弯|绕圈子|拐弯抹角|兜圈子|转弯抹角|遮遮掩掩)"
            f"|{ASK}{STOP}(?:太)?(?:照顾|顾及|顾忌|在意)我的(?:情绪|感受|面子)|"
            f"{ASK}(?:直接)?指出我的(?:问题|错误|缺点)(?:就好|就行)?"
        ),
        build=meaning("advice.directness", "direct"),
    ),
    Rule(
        name="zh.very_direct",
        pattern=clause(
            f"{ASK}(?:骂醒我|对我狠一点|说话狠一点|一针见血(?:地)?(?:说|指出)?(?:就好)?|"
            "毫不留情(?:地)?(?:批评|指出)(?:我|问题)?)"
        ),
        build=meaning("advice.directness", "very_direct"),
    ),
    Rule(
        name="zh.reasoning.conclusion",
        pattern=clause(
            f"{ASK}(?:直接|只要|只|就){{0,2}}(?:给|说|告诉我?)(?:我)?(?:结论|答案)(?:就好|就行|"
            f"就可以)|{ASK}先(?:说|给|讲)(?:我)?结论|(?:我)?只(?:要|想要|需要)(?:结论|答案)"
        ),
        build=meaning("advice.reasoning_depth", "conclusion_only"),
    ),
    Rule(
        name="zh.reasoning.brief",
        pattern=clause(
            f"{ASK}(?:简单|简要|大概)(?:地)?(?:说|讲|解释)(?:一下|下)?(?:理由|原因|思路)(?:就好|就行|就可以)?"
        ),
        build=meaning("advice.reasoning_depth", "brief_reasoning"),
    ),
    Rule(
        name="zh.reasoning.detailed",
        pattern=clause(
            f"{ASK}(?:把|给出|讲清楚|说明|写出|展示|写清楚|详细(?:地)?(?:说|讲|解释|"
            f"说明)(?:一下)?)(?:你的|完整的?|详细的?){{0,2}}(?:推理过程|推理|思考过程|思路|"
            "理由和依据)(?:写出来|讲清楚|说清楚|列出来|都写出来)?"
        ),
        build=meaning("advice.reasoning_depth", "detailed_reasoning"),
    ),
    Rule(
        name="zh.steps.stuck",
        pattern=clause(
            "(?:等|当)?我(?:卡住|卡壳|做不出来|想不出来|搞不定)(?:了)?(?:的时候|时)?(?:你)?再(?:给|"
            "提供)(?:我)?(?:步骤|提示|方法)"
        ),
        build=meaning("advice.when_to_offer_steps", "when_stuck"),
    ),
    Rule(
        name="zh.steps.request",
        pattern=clause(
            "(?:等)?我(?:问|要|开口)(?:了)?(?:的时候)?(?:你)?再(?:给|说|列|"
            "提供)(?:我)?(?:具体)?(?:的)?(?:步骤|做法|方法)"
        ),
        build=meaning("advice.when_to_offer_steps", "on_request"),
    ),
    Rule(
        name="zh.steps.never",
        pattern=clause(rf"{ASK}{STOP}(?:给|列|提供)(?:我)?(?:具体)?(?:的)?(?:操作)?步骤"),
        build=meaning("advice.when_to_offer_steps", "never"),
    ),
)

FAMILIES: tuple[Family, ...] = (
    Family(
        cue=f"{one_of((*WANTED, *UNWANTED, *LANGUAGES))}|重点|多|要点|清单|格式|符号|逐条|123|一二三",
        rules=_STYLE,
    ),
    Family(cue="主动|开口|等我问|提问|反问|问题|一起|朋友|家人", rules=_POSTURE),
    Family(cue=f"建议|意见|主意|方案|办法|支招|{_SAD}|倾诉|吐槽|诉苦|抱怨|牢骚", rules=_SUPPORT),
    Family(
        cue="直|实话|开门见山|[绕弯圈]|遮|情绪|感受|面子|指出|骂醒|狠|一针见血|留情|结论|答案|理由|原因|思路|推理|思考|步骤|做法|方法|提示|有[什啥]",
        rules=_BLUNT,
    ),
)
