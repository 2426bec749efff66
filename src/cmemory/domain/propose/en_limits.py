"""English rules for what the companion must not do, bring up or pass on.

The value of an avoided topic is the bare topic, that of a prohibition the forbidden act, so that a later wish
about the same thing meets it again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from cmemory.domain.lexicon.en_wishes import ACTS
from cmemory.domain.pattern import lazy_pattern
from cmemory.domain.propose.en_place import last_day
from cmemory.domain.propose.en_shape import commands, english, stating, tidy
from cmemory.domain.propose.grammar import Draft, Family, Finding, Reading, Rule, proof

_ABOUT = lazy_pattern(
    (
        r"\A(?:(?:the\s)?(?:topic|subject|matter|thing)s?\s(?:of\s|about\s|with\s)?|anything\s(?:about"
        r"|related\sto|to\sdo\swith)\s|about\s|"
        r"everything\sabout\s)"
    ),
    re.IGNORECASE,
)
_WITH = lazy_pattern(
    (
        r"\s(?:with|to|around|in\sfront\sof|when\stalking\sto)\s(?:me|us)\b.*|\s(?:ever|up|anymore"
        r"|any\smore)\Z"
    ),
    re.IGNORECASE,
)


def topic(words: str) -> str:
    """Return the bare topic in words such as "anything about my ex with me", or an empty text.

    >>> topic("anything about my ex with me"), topic("it")
    ('ex', '')
    """
    return tidy(_WITH.sub("", _ABOUT.sub("", tidy(words, pointing=True))), bare=True)


def _avoided(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    value = topic(match["value"])
    if value:
        until = last_day(match["value"], reading.today)
        yield Draft(
            predicate="boundary.topic_avoid", value=value, raw_value=value, span=proof(match), until=until
        )


def _forbidden(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    del reading
    value = tidy(match["value"], pointing=True)
    if not value:
        return
    verb, _, rest = match["act"].lower().partition(" ")
    raw = match.string[match.start("act") : match.start("value")] + value
    act = " ".join(filter(None, (ACTS.get(verb, verb), rest, value)))
    yield Draft(predicate="boundary.prohibition", value=act, raw_value=raw, span=proof(match))


def _refused(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    """Read what the person will not do here; what they keep from others is no matter of the companion's."""
    if not re.search(r"\swith\s(?!you\b)", match["value"]):
        yield from stating("boundary.refusal", bare=False)(match, reading)


def _private(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    del reading
    about = tidy(match["value"], bare=True) if match["value"] else ""
    start, end = proof(match)
    value = about or match.string[start:end]
    yield Draft(predicate="boundary.privacy_rule", value=value, raw_value=value, span=(start, end))


_NOT = (
    "(?:don't|do not|never|don't ever|do not ever|let's not|let us not|stop|quit|not to|not|avoid|no more"
    "|refrain from|i don't want you to|i'd rather you didn't|i'd rather you not|i'd prefer you not to"
    "|i'd prefer that you don't|i'd appreciate it if you didn't|it'd be better if you didn't"
    "|would you mind not|you must not|you mustn't|you shouldn't|you should never)"
)
_RAISE = (
    "(?:ever )?(?:mention|mentioning|bring up|bringing up|talk about|talking about|ask me about"
    "|asking me about|ask about|asking about|asking|discuss|discussing|speak about|speaking about"
    "|speak of|speaking of|raise|raising|remind me about|reminding me about|remind me of|reminding me of"
    "|touch on|get into|go into|joke about|joking about|refer to)"
)
_I_NOT = (
    "(?:<i> (?:don't|do not)(?: really| ever)? (?:want|like|feel like|wish|enjoy|care)(?: to)?"
    "|i'd rather not|i would rather not|i'd prefer not to|i would prefer not to|i'm not comfortable"
    "|i'm not ready to|i hate|i can't|i'd like to avoid|<im> not going to|i never want to|i refuse to"
    "|i won't|can we not|can we please not|can we avoid|let's avoid)"
)
_TALK = "(?:talk|talking|speak|speaking|discuss|discussing|hear|chat|chatting)(?: with you)?(?: about| of)?"

_TOPIC_RULES = commands(
    Rule(name="en.topic.dont", pattern=english(f"<start><please>{_NOT} {_RAISE} <rest>"), build=_avoided),
    Rule(
        name="en.topic.bring_up",
        pattern=english(f"<start><please>{_NOT} (?:ever )?(?:bring|bringing) (?P<value>.{{2,60}}?) up\\b"),
        build=_avoided,
    ),
    Rule(name="en.topic.i_dont", pattern=english(f"<start>{_I_NOT} {_TALK} <rest>"), build=_avoided),
    Rule(
        name="en.topic.off_limits",
        pattern=english(
            "<start>(?P<value>(?:my |the |anything about )?[\\w][\\w\\s’-]{1,40}?) (?:is"
            "|are) (?:(?:completely |totally |strictly )?(?:off(?: |-)limits|off the table|taboo)|"
            "(?:a )?(?:no-go|touchy|sensitive|sore|forbidden|painful|triggering)(?: topic| subject"
            "| spot)?s?(?: for me)?)<end>"
        ),
        build=_avoided,
    ),
    Rule(
        name="en.topic.avoid",
        pattern=english(
            "<start><please>(?:avoid|stay away from|steer clear of|stay off|leave out"
            "|skip)(?: talking about| mentioning| discussing| bringing up)? "
            "(?:the (?:topic|subject)s? of |anything about |anything to do with )<rest>"
        ),
        build=_avoided,
    ),
)

_ACT_RULES = commands(
    Rule(
        name="en.prohibition.call",
        pattern=english(
            "<start><please>(?:don't|do not|never|don't ever|stop|quit|i don't want you to|you must never"
            "|i hate when you|i hate it when you|i don't like it when you|i don't like when you)"
            " (?:ever )?(?P<act>call|calling|address) (?P<value>me (?!later|back|tomorrow|tonight|now"
            "|today|at|when|if|out|on|again|before|after|crazy|wrong).{2,40})\\Z"
        ),
        build=_forbidden,
    ),
    Rule(
        name="en.prohibition.never",
        pattern=english(
            "<start><please>(?:never ever|never|don't ever|do not ever|you must never|you must not"
            "|you should never|i never want you to) "
            "(?P<act>lie|use|send|pretend|swear|curse|flirt|diagnose|lecture|(?:ask|tell|compare|laugh at"
            "|judge|wake|message|text|share|give|make|treat|interrupt|joke about|quote|mock|tease"
            "|guilt-trip|shame|show|talk down to|contact|remind|suggest|post)(?= .{0,30}?\\b(?:me"
            "|my)\\b)) <rest>"
        ),
        build=_forbidden,
    ),
    Rule(
        name="en.prohibition.dont",
        pattern=english(
            "<start><please>(?:don't|do not|stop|quit|i don't want you to|no more) (?P<act>flirt with"
            "|flirting with|swear|swearing|curse|cursing|lecture|lecturing|judge|judging|lie to|lying to"
            "|compare|comparing|diagnose|diagnosing|"
            "patroni[sz]e|patroni[sz]ing|guilt-trip|guilt-tripping|mock|mocking|make fun of|making fun of"
            "|pretend to be|pretending to be|shame|shaming|nag|nagging|tease|teasing|treat|treating"
            "|yell at|baby|babying|psychoanaly[sz]e|psychoanaly[sz]ing) "
            "(?P<value>(?:at )?(?:me|with me|my \\w{2,15}|a human|human|my .{2,40}"
            "|to me)(?: .{1,50}?)?)<end>"
        ),
        build=_forbidden,
    ),
    Rule(
        name="en.refusal",
        pattern=english(
            "<start>(?:<i> (?:refuse|won't ever|will never agree) to|i will not|<im> not willing to"
            "|<im> never going to) (?P<value>(?:share|send|give|tell you|discuss|talk about|do|try|take"
            "|answer|reveal) .{2,80})\\Z"
        ),
        build=_refused,
    ),
    Rule(
        name="en.soft.less",
        pattern=english(
            "<start><please>(?:(?:don't|do not|stop|avoid|no need to) (?:use|using|send|sending|put|add"
            "|adding)(?: so many| any| too many)?|go easy on(?: the)?|fewer|no) "
            "(?P<value>emojis?|emoticons?|exclamation (?:marks|points)|slang|abbreviations|hashtags"
            "|jargon|pet names|nicknames|jokes|puns|caps|gifs)(?: please| with me| in your \\w{3,12}"
            "| when \\w{2,8} \\w{2,12}(?: to me)?)?<end>"
        ),
        build=stating("boundary.soft_preference"),
    ),
)

_PRIVACY_RULES = commands(
    Rule(
        name="en.privacy.tell",
        pattern=english(
            "<start><please>(?:don't|do not|never|don't ever) (?:ever )?(?:tell(?: this to| that to"
            "| it to| any of this to| about this to)?|(?:share|mention|repeat|reveal|pass)(?: this| that"
            "| it| any of this| what i \\w{3,5})?(?: on)?(?: to| with)) "
            "(?:anyone|anybody|other people|others|my \\w{2,14}|people)(?: else)?(?: (?:about|that"
            "|what) (?P<value>.{2,70}?))?<end>"
        ),
        build=_private,
    ),
    Rule(
        name="en.privacy.keep",
        pattern=english(
            "<start>(?:<please>|let's |i want to |i'd like to |can we )keep (?:this|it|that"
            "|(?P<value>(?:my|the|what|everything)[\\w\\s’-]{1,50}?)) (?:just )?(?:between (?:us"
            "|you and me)|(?:a )?secret|private|confidential|to yourself|quiet|off the record)\\b"
        ),
        build=_private,
    ),
    Rule(
        name="en.privacy.stays",
        pattern=english(
            "<start>(?P<value>(?!))?(?:(?:this|that|it|what i (?:say|told you|just said"
            "|tell you)) (?:stays|should stay|has to stay|must stay|is"
            "|remains) (?:just )?(?:between (?:us|you and me)|secret|a secret|private"
            "|confidential)(?: okay| ok)?<end>|(?:this|that) is off the record|off the record)"
        ),
        build=_private,
    ),
    Rule(
        name="en.privacy.forget",
        pattern=english(
            "<start><please>(?:don't|do not|never) (?:remember|save|store|record|memori[sz]e|write down"
            "|keep|log|note down|note)(?: a record of| track of)? "
            "(?:this|that|it|(?P<value>(?:my|anything about|any of|what i|the) ?.{2,60}?))<end>"
        ),
        build=_private,
    ),
)

#: A word of refusal.
_NO = r"n.?t\b|\bno|never|stop|quit|avoid|refrain|rather|hate|refuse"

FAMILIES: tuple[Family, ...] = (
    Family(
        cue=f"{_NO}|away|clear|stay off|skip|leave|limits|table|taboo|no-go|touchy|sensitive|sore"
        "|forbid|painful|trigger",
        rules=_TOPIC_RULES,
    ),
    Family(cue=f"{_NO}|will not|easy|fewer", rules=_ACT_RULES),
    Family(cue=f"{_NO}|keep|between|secret|private|confidential|record", rules=_PRIVACY_RULES),
)
