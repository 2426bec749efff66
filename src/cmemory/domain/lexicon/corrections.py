"""Words of corrections: what announces one, and what makes it none."""

from __future__ import annotations

import re

from cmemory.domain.pattern import lazy_pattern

#: "Typo: …": the person says that what stands before was a slip.
SLIPS_EN = (
    "correction,to correct myself,typo,a typo,oops,whoops,sorry,wait,i misspoke,i mistyped,my mistake,my bad,"
    "i made a mistake,i got that wrong,that was wrong,that's wrong,that's not right,actually,no,i was wrong"
).split(",")
SLIPS_ZH = tuple(
    "哦不 啊不 不不 打错了 打错字了 打错 说错了 说错 写错了 写错 讲错了 口误 笔误 手滑 手滑了 我记错了 记错了 搞错了 弄错了 更正一下 "
    "更正 纠正一下 纠正 不对 刚才说错了 刚才打错了 我说错了 我打错了 我搞错了".split()
)

#: With one of these in a message nothing is settled yet. May is a month unless it stands before a verb.
UNDECIDED = lazy_pattern(
    r"\b(?:might|could|perhaps|maybe|possibly|later|consider(?:ing)?|thinking (?:of|about)|not sure|unsure)\b"
    r"|(?-i:\bmay\b)|也许|可能|或许|说不定|以后|考虑|打算|回头再|改天|将来|到时候|再说|不确定|拿不准|要不要",
    re.IGNORECASE,
)

#: With one of these in its sentence it holds under a condition, at another time, or for somebody else to say.
NOT_NOW = lazy_pattern(
    r"[?？`]|\A\s*>|\b(?:if|unless|when(?:ever)?|once|until|after|before|tomorrow|someday|soon|eventually|one day"
    r"|next (?:week|month|year|time)|in case|would|should|wish|hope|want|plan(?:ning)?|intend|suppose|imagine"
    r"|pretend|never|don['’]?t|do not|going to|gonna)\b"
    r"|如果|假如|要是|万一|假设|等(?:我|到|他|她|下)|的话|想要?把|计划|准备把|应不应该|是不是|就是|还是|只是|也是|都是|总是|"
    r"老是|希望|但愿|最好|似乎|好像|大概|吗\W*\Z|吧\W*\Z|好不好|行不行|可不可以|能不能|要不",
    re.IGNORECASE,
)

#: What shows that an order is not meant.
LAUGHTER = lazy_pattern(
    r"\b(?:lo+l|lmao|rofl|jk|(?:ha){2,}|hehe)\b|哈哈|嘿嘿|嘻嘻|[😂🤣😜😝😆]", re.IGNORECASE
)

#: Words that name a moment, a number or a name, and so mean the same wherever they stand: days, hours, digits.
TELLING_EN = lazy_pattern(
    r"[0-9]|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(?:january|february|march|april|june|july|august"
    r"|september|october|november|december|morning|noon|evening)\b",
    re.IGNORECASE,
)
CAPITALISED = lazy_pattern(r"\b[A-ZÀ-ÖØ-Þ]")
TELLING_ZH = lazy_pattern(
    "[0-9０-９A-Za-z]|(?:周|星期|礼拜)[一二三四五六日天末]|[一二三四五六七八九十]{1,3}(?:月|号|日|点|岁|楼|路|年|块|元)|"
    "上午|下午|早上|晚上|中午|今天|明天|后天|大后天"
)

#: What may join a subject to what is said of it.
COPULAS = (
    "is at,is on,is in,is,are,was,at,on,in,to,=,:,：,是在,定在,设在,设为,设成,约在,改在,放在,是,为,在,叫"
).split(",")
