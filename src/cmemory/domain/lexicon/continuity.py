"""Words by which a stretch of a conversation shows that it must outlive the conversation, or need not.

Each table has an English and a Chinese row; a stretch is tried against both, since people mix them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from cmemory.domain.pattern import lazy_pattern

_A = "['’]?"
_I = re.IGNORECASE


def _either(english: str, chinese: str) -> tuple[re.Pattern[str], ...]:
    return lazy_pattern(english, _I), lazy_pattern(chinese, _I)


_MONTHS = (
    "january|february|march|april|june|july|august|september|october|november|december"
    "|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec"
)
_WEEKDAYS = "monday|tuesday|wednesday|thursday|friday|saturday|sunday"
_ZH_NUMBER = "[0-9零〇一二两三四五六七八九十百千万半]"

#: What keeps a stretch in, by the value of its reason.
KEEPING: Mapping[str, tuple[re.Pattern[str], ...]] = MappingProxyType(
    {
        "decision": _either(
            rf"\b(?:decid(?:e|ed|ing)|decision|(?:we|i|let{_A}s|i{_A}ve|we{_A}ve) (?:all |both )?(?:agreed?|settled?|chose|choose|pick(?:ed)?|go(?:ing)? with|stick(?:ing)? (?:to|with))"
            rf"|(?:it{_A}s|that{_A}s) (?:settled|final|decided|agreed|a deal)|made up my mind|final (?:choice|answer|version|plan)|approved|signed off|requirements?|must|the (?:plan|deadline|goal|aim) is)\b",
            "决定|定下|定了|敲定|说好了|商量好|约好|约定|选定|就这么[办定]|选了|确定[用为是要]|最终方案|最后选|采用|同意了|批准|拍板|必须|要求|目标是|截止|先不做|不再做",
        ),
        "commitment": _either(
            rf"\b(?:i['’]ll|i will|we['’]ll|we will|i promise|i{_A}m going to|i am going to|we{_A}re going to|i{_A}m gonna|i(?:{_A}ve| have) to|i need to|i plan to|i{_A}m planning|i intend to|remind me|don{_A}t forget to|(?:i|we) owe)\b",
            "我会|我们会|我来(?!说|自)|我去(?!年|过)|我答应|我保证|我承诺|我打算|我准备|我要去|我得|我需要|提醒我|别忘了|到时候我|我们打算|我计划|我负责|包在我身上",
        ),
        "preference": _either(
            rf"\b(?:i (?:really |also |just |absolutely |much )?(?:love|like|prefer|enjoy|adore|hate|dislike|can{_A}t stand)|my favou?rites?|i{_A}m (?:allergic|into|a fan|fond)|i['’]d rather|i(?:{_A}m| am) (?:a |an )?(?:vegetarian|vegan)|call me)\b",
            "我(?:最|很|特别|比较|更|还是|就|也)?(?:喜欢|爱[吃喝看听]|偏爱|偏好|讨厌|不喜欢|受不了|不吃|不喝)|我对.{1,12}过敏|过敏|我的最爱|我宁愿|叫我|口味",
        ),
        "boundary": _either(
            rf"\b(?:(?:please )?(?:don{_A}t|do not|never|stop) (?:\w+ )?(?:mention|bring|talk|ask|call|tell|share|remind|send|text|joke)|don{_A}t want to (?:talk|hear)|off limits|keep (?:this|it|that) (?:between|private|secret)|i (?:won{_A}t|will not|refuse to) (?:talk|discuss))\b",
            "(?:别|不要|不许|请勿|禁止|不准)(?:再|跟|对|给|向)?.{0,6}(?:提|说|问|聊|叫|告诉|发|开玩笑)|保密|不想(?:再)?(?:聊|谈|提|说)|别外传|只有你知道|禁用",
        ),
        "negation": _either(
            rf"\b(?:not|never|no longer|no one|nobody|none|nothing|without|cannot|neither|can{_A}t|don{_A}t|doesn{_A}t|didn{_A}t|won{_A}t|isn{_A}t|aren{_A}t|wasn{_A}t|weren{_A}t|haven{_A}t|hasn{_A}t|couldn{_A}t|shouldn{_A}t|wouldn{_A}t)\b",
            "不(?!过|错|仅|但|好意思|客气|用谢|管)|没(?!事|关系|问题)|从未|未(?!来)|无法|别(?!人|的)|勿|非(?!常)",
        ),
        "number": _either(
            r"[0-9]|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|hundred|thousand|million|dozen|twice|half)\b",
            f"{_ZH_NUMBER}{{1,6}}(?:个|只|条|本|位|次|岁|块|元|万|斤|公斤|公里|米|号|楼|层|分钟|小时|点|天|周|星期|月|年|人|张|件|杯|份|%|％)",
        ),
        "date": _either(
            rf"\b(?:{_MONTHS}|may [0-9]{{1,2}}|[0-9]{{1,2}}(?:st|nd|rd|th)? (?:of )?may|in may|{_WEEKDAYS}|[0-9]{{4}}-[0-9]{{2}}(?:-[0-9]{{2}})?|[0-9]{{1,2}}(?::[0-9]{{2}})? ?[ap]\.?m|tomorrow|yesterday|tonight|(?:next|last|this) (?:week|weekend|month|year|{_MONTHS}|{_WEEKDAYS}|spring|summer|fall|autumn|winter)|(?:days?|weeks?|months?|years?) (?:ago|from now)|deadline|birthday|anniversary|due)\b",
            f"{_ZH_NUMBER}{{1,4}}(?:年|月|日|号|点|时)|(?:周|星期|礼拜)[一二三四五六日天末]|明天|后天|昨天|前天|今晚|明晚|下周|上周|下个?月|上个?月|明年|去年|生日|纪念日|截止",
        ),
    }
)

#: What a correction says of itself. The strong ones are corrections wherever they stand, the weak ones only where
#: something can be found that they correct.
CORRECTING: Mapping[str, tuple[re.Pattern[str], ...]] = MappingProxyType(
    {
        "strong": _either(
            rf"\b(?:correction|i meant|scratch that|i misspoke|i was wrong|my mistake|i got (?:that|it) wrong|change (?:it|that) to|changed? (?:\w+ ){{1,4}}(?:from .{{1,30}} )?to|(?:moved|rescheduled|postponed|pushed|switched) (?:\w+ ){{0,3}}to|make (?:it|that) \w|instead of|no longer|wait,? no|not \w[^.,;]{{0,30}}, but\b|it{_A}s not [^.,;]{{1,30}}, it{_A}s|sorry, (?:it{_A}s|i mean))",
            "更正|纠正|说错了|记错了|搞错了|写错了|不对[，,。！]|改成|改到|改为|改在|换成|换到|不是[^，。]{1,20}[，,]?(?:而)?是|其实(?:是|不)|挪到|推迟到|提前到|调整[为到]|不再是",
        ),
        "weak": _either(
            r"\b(?:actually|turns out|sorry|rather|instead|now it|update|the new)\b|^no\b",
            "应该是|其实|现在是|最新|抱歉|不好意思|取消",
        ),
    }
)

#: How a question is put, beside its mark.
ASKING: tuple[re.Pattern[str], ...] = _either(
    r"\?\W*\Z", r"[？?]\W*\Z|(?:吗|呢|么)[。！~～]*\Z|\A(?:请问|什么时候|为什么|怎么|哪)"
)

#: An answer that leaves the question open.
EVADING: tuple[re.Pattern[str], ...] = _either(
    rf"\b(?:i don{_A}t know|not sure|no idea|let me (?:check|think|see|look)|i['’]ll (?:check|think|ask|find out|let you know|look)|get back to you|(?:decide|talk|see) later|still (?:thinking|undecided))\b",
    "不知道|不确定|不清楚|再看|再说|再想|我查|我想想|我问问|回头|晚点|之后(?:再)?告诉|还没(?:想好|定|决定)|考虑一下",
)

_THANKS = "thanks?(?: you)?(?: so much| a lot| again)?|thx|ty|cheers|appreciate it"
_YES = "ok(?:ay)?|k|yes|yeah|yep|yup|sure(?: thing)?|alright|all right|right|exactly|absolutely|definitely|totally|of course|indeed|true|agreed?|fine|got it|i see|understood|noted|no problem|no worries|sounds (?:good|great|fun|amazing|awesome|like fun)|makes sense|will do|same here|me too|ack|received"
_WOW = "wow+|whoa|oh(?: no| wow| my god| my)?|ah+|aww+|haha\\w*|lol|hmm+|yay|nice(?: one)?|great|cool|awesome|amazing|wonderful|perfect|lovely|fantastic|congrats?(?:ulations)?|good (?:for you|job|luck|point|idea|call)|well done|way to go|that(?:'|’)?s (?:so |really |very )?(?:great|awesome|amazing|cool|nice|wonderful|good|fantastic|awful|sad|too bad|incredible|lovely|true|right|fun)(?: to hear| news)?|so (?:cool|nice|sweet|true)|love (?:it|that)|you too|likewise"
_HELLO = "hi+|hey+|hello+|yo|good (?:morning|afternoon|evening|night|to (?:see|hear from) you)|how are you(?: doing)?|how(?:'|’)?s it going|what(?:'|’)?s (?:up|new)|long time no see|how have you been|nice to (?:meet|see) you|bye+|goodbye|see (?:you|ya)(?: later| soon)?|take care|talk (?:to you )?(?:soon|later)|have a (?:great|good|nice) (?:day|one|time|evening|weekend)|welcome back|great to hear from you"
_ZH_NOISE = (
    "好的?|好[啊呀吧呢哒嘞]|嗯+|哦+|噢|喔|哈+|嘿+|呵+|哇+|啊+|诶|是的?|对[的啊呀]?|行[吧啊]?|可以[的啊]?|没问题|没事|没关系|收到|明白了?|知道了|了解|懂了|谢谢你?|多谢|感谢|不客气|不用谢|辛苦了|"
    "太好了|真好|真棒|太棒了|不错|厉害|恭喜|加油|你好[啊呀]?|您好|早[啊安]?|早上好|中午好|下午好|晚上好|晚安|再见|拜拜|回头见|在吗|在不在|好久不见|最近怎么样|约定已收到|已收到|确实|同意|原来如此|真的吗|是吗"
)
# A name or a form of address may follow, as in "Thanks, Mel!".
_NOISE = f"(?:{_THANKS}|{_YES}|{_WOW}|{_HELLO}|{_ZH_NOISE})"

#: A whole stretch that greets, thanks, agrees or exclaims, and says nothing besides.
NOISE: re.Pattern[str] = lazy_pattern(
    rf"\W*{_NOISE}(?:[\s,，、!！。.~～-]+(?:(?-i:[A-Z])\w{{1,15}}|{_NOISE}|too|there|man|dear|buddy|for that|again|then|亲|亲爱的|宝|呀|啦))*\W*",
    _I,
)

#: Lines that a program wrote: code, dumps, logs, tables.
FLOOD: re.Pattern[str] = lazy_pattern(
    r"^\s*(?:>|[{}\[\]]|\"[\w.-]+\"\s*:|at \S+\(|File \"|Traceback|\|.*\||[+-]{3,}|={3,}|#!|<\?|</?\w|import \w|from \w+ import|def \w|class \w|return\b|"
    r"\[?[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9:.,]+|(?:DEBUG|INFO|WARN(?:ING)?|ERROR|TRACE)\b)|\S{90,}",
)

#: Titles and surnames by which Chinese writes a name, works in title marks, and Latin names inside Chinese.
NAMES_ZH: re.Pattern[str] = lazy_pattern(
    "《[^》]{1,20}》|(?:叫|名叫|名字是|姓)(?![我你他她做什])[一-鿿]{1,3}|[小老阿][王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗]|"
    "[王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文]"
    "(?:先生|女士|老师|医生|总|经理|工|哥|姐|叔|阿姨|教授|主任|导)|(?<=[一-鿿])\\s?[A-Z][A-Za-z]{1,15}|[A-Z][A-Za-z]{1,15}\\s?(?=[一-鿿])"
)

#: A capital inside an English sentence.
NAMES_EN: re.Pattern[str] = lazy_pattern(r"(?<![.!?…:\"“]\s)(?<!\A)(?<![\w'’])(?-i:[A-Z])[\w&'’-]*[a-z]\w*")

#: Capitalised words that name nobody.
NO_NAMES = frozenset(
    f"i i'm i’m i've i’ve i'll i’ll i'd i’d {_WEEKDAYS} {_MONTHS} may ok okay the wow thanks".replace(
        "|", " "
    ).split()
)

#: Kinds of value, of which a correction puts one in the place of another.
VALUES: Mapping[str, tuple[re.Pattern[str], ...]] = MappingProxyType(
    {
        "figure": (
            lazy_pattern(r"[0-9]+(?:[.:,/-][0-9]+)*%?"),
            lazy_pattern(
                "[零〇一二两三四五六七八九十百千万半]{1,6}(?=[个只条本位次岁块元斤公米号楼层分小点天周月年人张件杯份日])"
            ),
            lazy_pattern(
                r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|noon|midnight)\b",
                _I,
            ),
        ),
        "day": (
            lazy_pattern(
                r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|(?:周|星期|礼拜)[一二三四五六日天末]|明天|大?后天|今晚|明晚|下周|下个月",
                _I,
            ),
        ),
        "month": (
            lazy_pattern(
                r"\b(?:january|february|march|april|june|july|august|september|october|november|december)\b",
                _I,
            ),
        ),
    }
)
