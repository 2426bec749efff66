"""What in a question tells which kind of answer is looked for, and what such an answer looks like."""

from __future__ import annotations

#: Asking for a moment.
ASKS_WHEN = r"\bwhen\b|\bhow long\b|\bwhat (?:day|date|month|year|time)\b|什么时候|几时|何时|哪天|哪一天|哪年|几号|几月|多久"

#: Asking for somebody, some place or something with a name.
ASKS_NAME = (
    r"\bwho\b|\bwhom\b|\bwhose\b|\bwhere\b|\bwhich\b"
    r"|\bwhat (?:book|books|movie|movies|film|song|band|game|games|city|country|place|places|name|team|show|artist|state)\b"
)

#: A moment, as a person names it.
TELLS_WHEN = (
    r"\b(?:yesterday|today|tonight|tomorrow|ago|last|next|week|weeks|weekend|month|months|year|years|since|morning|"
    r"january|february|march|april|june|july|august|september|october|november|december|"
    r"monday|tuesday|wednesday|thursday|friday|saturday|sunday|[12][0-9]{3})\b"
    r"|昨天|前天|今天|明天|后天|昨晚|今晚|上周|下周|上个月|下个月|去年|今年|明年|周[一二三四五六日末天]|星期[一二三四五六日天]|[0-9一二三四五六七八九十]+[年月日号点]"
)

#: A capitalised word inside a sentence, but for the pronoun.
TELLS_NAME = r"(?<=[a-z,;:] )[A-Z][a-z]+"

#: The person speaks of themselves, or of what the companion said.
ABOUT_USER = r"\b(?:i|my|me|mine)\b|我"
ABOUT_ASSISTANT = (
    r"\byou (?:say|said|tell|told|suggest|suggested|recommend|recommended|advise|advised|mention|mentioned|promise|promised)\b"
    r"|你(?:说|建议|推荐|提到|告诉|讲|答应)"
)

#: English months in their order.
MONTHS = "january february march april may june july august september october november december".split()
