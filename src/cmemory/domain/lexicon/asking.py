"""What in a question tells which kind of answer is looked for, and what such an answer looks like."""

from __future__ import annotations

#: Asking for a moment.
ASKS_WHEN = r"\bwhen\b|\bhow long\b|\bwhat (?:day|date|month|year|time)\b|什么时候|几时|何时|哪天|哪一天|哪年|几号|几月|多久"

#: Asking for somebody, some place or something with a name.
ASKS_NAME = (
    r"\bwho\b|\bwhom\b|\bwhose\b|\bwhere\b|\bwhich\b"
    r"|\bwhat (?:book|books|movie|movies|film|song|band|game|games|city|country|place|places|name|team|show|artist|state)\b"
)

#: Asking what happened, and for a number.
ASKS_PAST = r"\b(?:did|was|were|has|had)\b|[过了](?:吗|没有|没|什么|谁|哪)"
ASKS_NUMBER = r"\bhow (?:many|much|old|often|long|far|big)\b|多少|几[个次岁年天只本张位]|多[大久长远]"

#: A moment, as a person names it.
TELLS_WHEN = (
    r"\b(?:yesterday|today|tonight|tomorrow|ago|last|next|week|weeks|weekend|month|months|year|years|since|morning|"
    r"january|february|march|april|june|july|august|september|october|november|december|"
    r"monday|tuesday|wednesday|thursday|friday|saturday|sunday|[12][0-9]{3})\b"
    r"|昨天|前天|今天|明天|后天|昨晚|今晚|上周|下周|上个月|下个月|去年|今年|明年|周[一二三四五六日末天]|星期[一二三四五六日天]|[0-9一二三四五六七八九十]+[年月日号点]"
)

#: A capitalised word inside a sentence, but for the pronoun.
TELLS_NAME = r"(?<=[a-z,;:] )[A-Z][a-z]+"

#: Something that happened, and a number.
TELLS_PAST = (
    r"\b(?:was|were|did|had|got|went|came|made|took|saw|said|found|bought|met|felt|[a-z]{2,}ed)\b|[过了]"
)
TELLS_NUMBER = (
    r"[0-9]|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|twice|once|couple|few|several|"
    r"hundred|thousand)\b|[一二两三四五六七八九十百千万几][个次岁年天只本张位]"
)

#: What stands before this is talk, and what stands behind it is asked.
REALLY_ASKS = (
    r"(?:我(?:真正|其实|就是|只是|最|主要)*|真正|其实|主要)想(?:要)?(?:问|知道|了解|请教|确认)(?:一下|的)*(?:其实)?(?:就?是)?[：:，,]?"
    r"|(?:我的|真正的|主要)问题(?:是|就是)[：:，,]?|想请问(?:一下)?[：:，,]?|请问(?:一下)?[：:，,]?|言归正传[，,。：:]?|说正事[，,。：:]?"
    r"|\b(?:what|all) i (?:really |actually |just )?(?:want(?:ed)? to (?:ask|know)|meant to ask)(?: is| was)?\b[:,]?"
    r"|\bmy (?:real |actual )?question (?:is|was)\b[:,]?|\bi (?:really |actually )(?:want(?:ed)? to (?:ask|know))\b[:,]?"
)

#: Another question begins.
ASKS_ALSO = (
    r"(?:^|(?<=[，,。；;？?！!\s]))(?:另外|此外|还有|除此之外|再就是)(?!没有)[，,：:]?|以及"
    r"|(?:^|(?<=[,.;?!]) )(?:and )?(?:also|besides|in addition|on top of that|another thing)\b[,:]?"
)

#: A message begins by reacting to the one before it.
REACTS = r"\W*(?:(?:thanks|thank you|thx|wow|congrats|congratulations|haha|lol)\b|谢谢|多谢|哇|恭喜|哈哈|太好了|真棒)"

#: A speaker tells of themselves.
OF_ONESELF = r"\b(?:i|i['’](?:m|ve|ll|d)|my|me|mine|we|our|us)\b|[我咱]"

#: The person speaks of themselves, or of what the companion said.
ABOUT_USER = r"\b(?:i|my|me|mine)\b|我"
ABOUT_ASSISTANT = (
    r"\byou (?:say|said|tell|told|suggest|suggested|recommend|recommended|advise|advised|mention|mentioned|promise|promised)\b"
    r"|你(?:说|建议|推荐|提到|告诉|讲|答应)"
)

#: English months in their order.
MONTHS = "january february march april may june july august september october november december".split()
