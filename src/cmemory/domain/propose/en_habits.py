"""English rules for habits and lasting tastes.

The vocabulary has no predicate for tastes; they are kept under ``misc.unclassified``, as the statement
without its subject and without words of degree: "love hiking".
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from cmemory.domain.lexicon.en_talk import NOT_HABITS, POINTERS
from cmemory.domain.lexicon.en_tastes import (
    ALLERGY_WORDS,
    COMMON_GOODS,
    DIETS,
    FAVOURITES,
    NOT_LIKED,
    NOT_LIKED_TO,
)
from cmemory.domain.lexicon.en_wishes import STYLES
from cmemory.domain.pattern import lazy_pattern
from cmemory.domain.propose.en_shape import cut_short, english, predicated, quoting, tidy
from cmemory.domain.propose.grammar import Draft, Family, Finding, Reach, Reading, Rule, one_of, proof

_DAYS = "(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
#: How often, in words.
OFTEN = (
    "(?:every (?:two|three|four|few|couple of|[0-9]) (?:days|weeks|months)|every(?: single| other"
    "| second)? (?:day|morning|evening|night|afternoon|week|weekend|weekday|month|year|summer|winter"
    f"|spring|{_DAYS})s?(?: (?:morning|evening|night|afternoon))?"
    f"|(?:on )?{_DAYS}s(?: and {_DAYS}s)?|on (?:weekends|weekdays|week nights|weeknights)|(?:once"
    "|twice|(?:two|three|four|five|six|seven|[0-9]|a few|several|a couple of) (?:times|days|nights"
    "|mornings)) (?:a|per|each|every) (?:day|week|month|year)"
    "|each (?:day|morning|evening|night|week|weekend|month)|daily|weekly)"
)
_PAST = lazy_pattern(r"[a-z]{2,}ed\Z")
_HABIT_STOP = lazy_pattern(r"\s(?:and|or|to|with|for|at|in|on|of|the|a|my)\Z", re.IGNORECASE)


def is_habit(act: str) -> bool:
    """Tell whether words after "I" say something done again and again, not felt, seen or done in the past.

    >>> is_habit("call my mum"), is_habit("miss her"), is_habit("worked late")
    (True, False, False)
    """
    words = act.split()
    verb = words[0].lower().replace("’", "'")
    return (
        verb not in NOT_HABITS
        and verb not in POINTERS
        and _PAST.fullmatch(verb) is None
        and "'" not in verb
        and (verb != "do" or len(words) > 1)
    )


def _habit(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    """Propose the activity, and how often it occurs when that is said."""
    del reading
    act = _HABIT_STOP.sub("", tidy(match["value"]))
    if not act or not is_habit(act) or re.search(r"\b(?:it|this|that|them|you)\Z", act):
        return
    yield Draft(predicate="ritual.recurring_activity", value=act, raw_value=act, span=proof(match))
    often = match["often"] if "often" in match.re.groupindex else None
    if often:
        yield Draft(
            predicate="ritual.frequency", value=often, raw_value=often, entity_ref=act, span=proof(match)
        )


_COMMON = lazy_pattern(rf"(?:the|my)\s{one_of(COMMON_GOODS)}(?:\Z|\s(?:and|or|in|at|of|on)\b)")


def _names_something(thing: str) -> bool:
    first, _, rest = thing.partition(" ")
    if first == "to":
        return bool(rest) and rest.split(maxsplit=1)[0] not in NOT_LIKED_TO
    return _COMMON.match(thing) is not None or not (
        first in NOT_LIKED or first in STYLES or first.split("’")[0] in NOT_LIKED
    )


def _statement(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    """Keep a taste as the statement it was, when its object names something by itself."""
    del reading
    value = tidy(match["value"], pointing=True)
    if (
        not value
        or cut_short(match, value)
        or not _names_something(value.lower())
        or re.search(r"\b(?:it|you|your|this|that|these|those|him|her|them|here|there)\b", value.lower())
    ):
        return
    start = match.start("quote")
    said = match.string[start : match.start("value")] + value
    yield Draft(
        predicate="misc.unclassified", value=predicated(said), raw_value=said, span=(start, start + len(said))
    )


_ACT = "(?P<value>[a-z][^,.;:!?]{2,60}?)"
#: One thing, or several: "hiking", "cats and dogs", "tea, rain and old films".
_THING = (
    "(?P<value>[\\w][^,.;:!?\\n—]{1,50}(?:,? (?:and|or) (?!i\\b|i'm\\b|it\\b|my\\b|we\\b|she\\b|he\\b"
    "|they\\b|you\\b|that\\b|the\\b|so\\b|then\\b|would\\b|can\\b|have\\b|am\\b|want\\b|what\\b|do\\b"
    "|try\\b|was\\b|hope\\b|always\\b|just\\b)[^,.;:!?\\n—]{2,30})?)(?=[\\s]{0,3}(?:[,;:!—~)😊❤]|\\.(?:\\s"
    "|\\.|\\Z)|\\Z))"
)
_FIRMLY = "(?: (?:really|absolutely|just|truly|totally|also|still|always|do))?"

_HABIT_RULES = (
    Rule(
        name="en.habit.often_last",
        pattern=english(
            "<start>i(?: (?:usually|always|normally|still|also|try to|like to|love to|typically"
            f"|go to the))? {_ACT} (?P<often>{OFTEN})(?: (?:before|after|at|with|in|without|from|around|to"
            "|for) [^,.!?]{2,40})?<end>"
        ),
        build=_habit,
    ),
    Rule(
        name="en.habit.often_first",
        pattern=english(
            f"<fresh>(?P<often>{OFTEN}),? i (?:usually |always |normally |try to |like to "
            "|love to )?(?P<value>[a-z][^,.;:!?]{1,60})"
        ),
        build=_habit,
        reach=Reach.SENTENCE,
    ),
    Rule(
        name="en.habit.usually",
        pattern=english(
            "<start>(?:i (?:usually|always|normally|typically|generally|often"
            "|regularly) (?P<value>(?:read|run|jog|walk|meditate|journal|swim|cook|bake|drink|eat|play"
            "|write|paint|draw|practi[sc]e|exercise|work out|go (?:for|to|on)|go \\w{3,12}ing|"
            "take|do yoga|do my|have (?:breakfast|lunch|dinner|coffee|tea)|have a (?:cup|coffee|tea"
            "|glass)|wake up|get up|go to bed|call|visit|stretch|watch|listen to|skip breakfast|nap|study"
            "|garden|knit|pray|cycle|bike|hike|dance|sing|clean|shop)\\b.{0,60}))\\Z"
        ),
        build=_habit,
    ),
)

_TASTE_RULES = (
    *(
        Rule(name=name, pattern=english(f"<fresh>{opening} {_THING}"), build=_statement, reach=Reach.SENTENCE)
        for name, opening in (
            ("en.taste.love", f"i{_FIRMLY} (?:love|enjoy|adore)"),
            (
                "en.taste.like",
                "i(?: (?:really|also|do|quite|mostly|generally|especially))? (?:like|prefer)",
            ),
            (
                "en.taste.hate",
                (
                    f"i{_FIRMLY} (?:hate|dislike|detest|loathe|can't stand|cannot stand|can't bear|don't like"
                    "|do not like|don't enjoy)"
                ),
            ),
            (
                "en.taste.into",
                (
                    "i(?:'m| am)(?: (?:really|very|super|so|also|totally)){0,2} (?:into|fond of"
                    "|passionate about|obsessed with|crazy about|keen on|addicted to|interested in|a (?:huge"
                    "|big|massive|lifelong) fan of|not (?:a )?(?:big )?fan of|afraid of|scared of"
                    "|terrified of)"
                ),
            ),
        )
    ),
    Rule(
        name="en.taste.allergy",
        pattern=english(
            "<fresh>(?:i(?:'m| am)(?: \\w{3,12})? (?:allergic to|intolerant to|intolerant of)"
            f"|i have (?:an?|a \\w{{3,9}}) allergy to|i can't tolerate) {_THING}"
        ),
        build=_statement,
        reach=Reach.SENTENCE,
    ),
    Rule(
        name="en.taste.diet",
        pattern=english(
            f"<start>(?:i(?:'m| am)(?: a| an)?(?: (?:strict|lifelong|also|vegan and))? {one_of(DIETS)}"
            f"|i have (?:a |an )?(?:\\w{{3,10}} )?{one_of(ALLERGY_WORDS)}|i don't (?:eat|drink) (?:meat"
            "|pork|beef|fish|dairy|gluten|sugar|alcohol|coffee|eggs|seafood|red meat|caffeine"
            "|milk))(?: (?:now|for \\w{3,8} reasons|at all|anymore|since [0-9]{4}))?<end>"
        ),
        build=quoting("misc.unclassified"),
    ),
    Rule(
        name="en.taste.favourite",
        pattern=english(
            "<start>my (?:all-time |absolute |all time )?favou?rite (?:kind of "
            f"|type of )?(?:\\w{{3,12}} )?{one_of(FAVOURITES)}s?(?: (?:to \\w{{3,9}} )?(?:is|are"
            "|has always been|of all time is|to \\w{3,9} is|ever is)|'s) (?P<value>(?!the one|when"
            "|probably|definitely|how|that|too|also|so|also).{2,60})\\Z"
        ),
        build=_statement,
    ),
)

FAMILIES: tuple[Family, ...] = (
    Family(
        cue="every|each|daily|weekly|day|week|month|year|usually|always|normally|typically|generally|often|regularly",
        rules=_HABIT_RULES,
    ),
    Family(
        cue="lov|enjoy|ador|like|prefer|hate|detest|loath|stand|bear|into|fond|passionate|obsessed|crazy|keen|addicted"
        f"|interested|fan|afraid|scared|terrified|allerg|intoleran|tolerate|favou?rite|eat|drink"
        f"|{one_of((*DIETS, *ALLERGY_WORDS))}",
        rules=_TASTE_RULES,
    ),
)
