"""English rules for who the person is: name, pronouns, age, languages, time zone."""

from __future__ import annotations

import re
from collections.abc import Iterable

from cmemory.domain.lexicon.en_names import FIRST_NAMES
from cmemory.domain.lexicon.en_people import NOT_NAMES
from cmemory.domain.lexicon.en_talk import LANGUAGES
from cmemory.domain.lexicon.en_time import AGES_BELOW_TWENTY, AGES_BY_TEN, MONTHS, UNITS
from cmemory.domain.pattern import lazy_pattern
from cmemory.domain.propose.en_place import LOCATION_RULES
from cmemory.domain.propose.en_shape import english, quoting, spelled, stating
from cmemory.domain.propose.grammar import (
    Build,
    Draft,
    Family,
    Finding,
    Reach,
    Reading,
    Rule,
    meaning,
    one_of,
    proof,
)


def named(words: str) -> str:
    """Return a person's name as it should be written, or an empty text when the words are no name.

    A name typed without capitals gets them; one that opens with a day, a people or an everyday word is
    refused.
    """
    parts = words.split()
    if not parts or parts[0].lower() in NOT_NAMES or len(parts) > 4:
        return ""
    while len(parts) > 1 and parts[-1].lower() in NOT_NAMES:
        parts.pop()
    name = re.sub(r"[’']s\Z", "", " ".join(parts))
    return name.title() if name.islower() else name


def _name(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    del reading
    name = named(match["value"])
    if name:
        yield Draft(
            predicate="identity.name", value=name, raw_value=match["value"].strip(), span=proof(match)
        )


_OWN_NAME = lazy_pattern(spelled(r"\b(?:my name(?:'s| is)|i'm called|i am called|i'm named)"), re.IGNORECASE)


def _nickname(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    """Read "everyone calls me Jo", unless the message says the person's own name: that goes first."""
    if _OWN_NAME.search(reading.before) is None:
        yield from _name(match, reading)


_GREETING = lazy_pattern(
    (
        r"\b(?:hi|hello|hey|hiya|good (?:morning|evening|afternoon)|greetings|(?:nice|pleased"
        r"|glad) to meet you)(?: \w{2,10}){0,2}[\s.,!~:)]*\Z"
    ),
    re.IGNORECASE,
)


def _alone(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    """Read a sentence that is only "I'm Nora": an introduction when greeted or well known."""
    known = match["value"].split()[0].lower() in FIRST_NAMES and not match["value"].islower()
    if known or _GREETING.search(reading.before):
        yield from _introduced(match, reading)


def _introduced(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    # In a text all in capitals every word looks like a name; in one without, only a known name does.
    if not reading.text.isupper() and (not match["value"].islower() or match["value"] in FIRST_NAMES):
        yield from _name(match, reading)


_IN_WORDS = {**AGES_BELOW_TWENTY, **AGES_BY_TEN, **UNITS}


def age_of(words: str) -> int:
    """Return an age in figures or words as a number, 0 when it is none.

    >>> age_of("28"), age_of("Twenty-eight")
    (28, 28)
    """
    said = re.split(r"[\s-]+", words.lower())
    return int(said[0]) if said[0].isdecimal() else sum(_IN_WORDS.get(word, 0) for word in said)


def _age(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    del reading
    age = age_of(match["value"])
    if 4 < age < 120:
        yield Draft(predicate="identity.age", value=age, raw_value=match["value"], span=proof(match))


def _birth_year(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    year = int(match["value"])
    if reading.today.year - 120 < year < reading.today.year - 4:
        yield Draft(predicate="identity.age", value=year, raw_value=match["value"], span=proof(match))


def _languages(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    del reading
    for word in re.findall(r"[^\W\d_]+", match["value"]):
        if word.lower() in LANGUAGES:
            yield Draft(predicate="identity.language", value=word.title(), raw_value=word, span=proof(match))


def _pronouns(value: str) -> Build:
    return meaning("identity.pronouns", value)


_NAMED = "(?P<value><name>|[a-z][a-z-]{1,19})"
_CALL = "(?:everyone|everybody|people|friends|my friends|most people|my family|my colleagues|my classmates)"
_LANGUAGE_LIST = "(?P<value>[^.;!?\\n]{3,80})"

_NAME_RULES = (
    Rule(
        name="en.name",
        pattern=english(
            f"<start>my (?:full |first |real |given )?name(?: is|'s) (?:actually |really )?{_NAMED}<end>"
        ),
        build=_name,
    ),
    Rule(
        name="en.name.then",
        pattern=english("<start>my name(?: is|'s) (?P<value><name>)(?= [a-z])(?![\\w’-])(?! <first>)"),
        build=_name,
    ),
    Rule(
        name="en.name.called",
        pattern=english(
            "<start>(?:<im> (?:called|named)(?! after)|they (?:all )?call me|my nick ?name(?: is|'s)"
            "|i(?:'d)? prefer (?:to be called|being called|the name)|i(?:'ve)? changed my name to"
            f"|the name's|the name is|i go by|i'm known as) {_NAMED}<end>"
        ),
        build=_name,
    ),
    Rule(
        name="en.name.call_me",
        pattern=english(f"<start><please>(?:you (?:can|may) |please |just ){{0,3}}call me {_NAMED}<end>"),
        build=_name,
    ),
    Rule(
        name="en.name.nickname",
        pattern=english(f"<start>{_CALL} (?:all |usually |mostly |just )?calls? me {_NAMED}<end>"),
        build=_nickname,
    ),
    Rule(
        name="en.name.hello",
        pattern=english(
            '(?:\\A[^\\w"“‘]{0,6}|\\n|[.!] )(?:oh,? )?(?:hi|hello|hey|hiya|good (?:morning|evening|afternoon)'
            "|nice to meet you)(?: there| everyone| all)?[\\s,.!:~]{1,4}"
            "(?P<quote>(?:i'm|i am|this is) (?P<value><name>|[a-z]{2,12}\\b))(?![\\w’-])(?: here)?"
            "(?=[^\\w\"“‘]{0,6}(?:\\Z|and |i'm |i am |i )|[,.!;])"
        ),
        build=_introduced,
        reach=Reach.SENTENCE,
    ),
    Rule(
        name="en.name.alone",
        pattern=english(
            "<start>(?:i'm|i am|this is) (?P<value><name>|[a-z]{2,12})(?: here)?[^\\w%’-]{0,12}\\Z"
        ),
        build=_alone,
        reach=Reach.SENTENCE,
    ),
    Rule(
        name="en.name.i_am",
        pattern=english(
            "<start>(?:i'm|i am) (?P<value><name>)"
            "(?= and i(?:'m| am| live| work| have| like| love|'ve)\\b"
            "|, (?:and you|and i|i'm|i am|a |an |nice|pleased|by the way|[0-9]{2}\\b))"
        ),
        build=_introduced,
        reach=Reach.SENTENCE,
    ),
)

_PRONOUN_RULES = (
    Rule(
        name="en.pronouns.she",
        pattern=english(
            "<start>(?:my pronouns are|i use|i go by|<please>use|<im>) she ?(?:/|and) ?her(?:s"
            "|/hers)?(?: pronouns)?(?: for me)?<end>"
        ),
        build=_pronouns("she/her"),
    ),
    Rule(
        name="en.pronouns.he",
        pattern=english(
            "<start>(?:my pronouns are|i use|i go by|<please>use|<im>) he ?(?:/"
            "|and) ?him(?:/his)?(?: pronouns)?(?: for me)?<end>"
        ),
        build=_pronouns("he/him"),
    ),
    Rule(
        name="en.pronouns.they",
        pattern=english(
            "<start>(?:my pronouns are|i use|i go by|<please>use|<im>) they ?(?:/"
            "|and) ?them(?:/theirs?)?(?: pronouns)?(?: for me)?<end>"
        ),
        build=_pronouns("they/them"),
    ),
)

_AGE_RULES = (
    Rule(
        name="en.age",
        pattern=english(
            "<start><im> (?P<value>[0-9]{1,3}|<age>)(?:(?: years?(?: |-)old| yrs? old| ?yo| ?y/o)(?: now"
            "| today)?| now)?[\\s.!,;~…)]{0,6}\\Z"
        ),
        build=_age,
    ),
    Rule(
        name="en.age.old",
        pattern=english("<start><im> (?P<value>[0-9]{1,3}|<age>)(?: years?(?: |-)old| ?yo| ?y/o)\\b"),
        build=_age,
    ),
    Rule(
        name="en.age.year_old",
        pattern=english("<start><im> an? (?P<value>[0-9]{1,3}|<age>)(?: |-)?(?:year|yr)s?(?: |-)?old\\b"),
        build=_age,
    ),
    Rule(
        name="en.age.turned",
        pattern=english(
            "<start>(?:<i> turned|my age is|<ive> turned) (?P<value>[0-9]{1,3}|<age>)"
            "(?: (?:yesterday|today|last (?:week|month|\\w{1,9}day)|this (?:week|month|year)|recently"
            "|years? old))?<end>"
        ),
        build=_age,
    ),
    Rule(
        name="en.age.born",
        pattern=english(
            "<start>(?:i was |i'm |i am |year )?born (?:in|on) (?:[\\w,\\s]{1,24} )??(?P<value>(?:19"
            "|20)[0-9]{2})\\b"
        ),
        build=_birth_year,
        reach=Reach.SENTENCE,
    ),
)

_BIRTHDAY_RULES = (
    Rule(
        name="en.birthday",
        pattern=english(
            f"<start>my birthday(?:'s| is)(?: on)? (?:the )?(?:{one_of(MONTHS)}\\.? (?:the "
            f")?[0-9]{{1,2}}(?:st|nd|rd|th)?"
            f"|[0-9]{{1,2}}(?:st|nd|rd|th)? (?:of )?{one_of(MONTHS)})(?:,? [0-9]{{4}})?<end>"
        ),
        build=quoting("misc.unclassified"),
    ),
)

_LANGUAGE_RULES = (
    Rule(
        name="en.language.speak",
        pattern=english(
            "<fresh>(?:i|i also|i can|i can also|i do) speak (?:fluent |some |a little |a bit of |basic "
            f"|only |both )?{_LANGUAGE_LIST}"
        ),
        build=_languages,
        reach=Reach.SENTENCE,
    ),
    Rule(
        name="en.language.native",
        pattern=english(
            "<fresh>my (?:native|first|second|third|main|home|mother) (?:language|tongue)s?(?: is| are"
            f"|'s) {_LANGUAGE_LIST}"
        ),
        build=_languages,
        reach=Reach.SENTENCE,
    ),
    Rule(
        name="en.language.fluent",
        pattern=english(
            "<fresh>(?:<im> (?:fluent|bilingual|trilingual|conversational) in|i grew up speaking"
            f"|<im> a native speaker of) {_LANGUAGE_LIST}"
        ),
        build=_languages,
        reach=Reach.SENTENCE,
    ),
    Rule(
        name="en.language.speaker",
        pattern=english("<start><im> a (?:native|fluent) (?P<value>\\w{3,15}) speaker\\b"),
        build=_languages,
    ),
    Rule(
        name="en.timezone",
        pattern=english(
            "<start>(?:my time ?zone(?: is|'s)|<im> (?:in|on)) (?:the )?(?P<value>[A-Z]\\w{2,"
            "12}/[A-Z]\\w{2,20}|(?:utc|gmt) ?[+-][0-9]{1,2}(?::[0-9]{2})?"
            "|utc|gmt|cet|cest|pst|pdt|est|edt|mst|bst|jst|ist|(?:pacific|eastern|central"
            "|mountain)(?: standard| daylight)?(?: time)?)(?: time ?zone| time)?<end>"
        ),
        build=stating("identity.timezone"),
    ),
)

FAMILIES: tuple[Family, ...] = (
    Family(cue=r"name|call|known|go by|i.{0,2}m\b|this is", rules=_NAME_RULES),
    Family(cue="birthday", rules=_BIRTHDAY_RULES),
    Family(cue=r"\b(?:her|him|them)", rules=_PRONOUN_RULES),
    Family(cue=f"[0-9]|{one_of((*AGES_BELOW_TWENTY, *AGES_BY_TEN))}", rules=_AGE_RULES),
    Family(cue=r"\b(?:in|to|from|near|at|home|visiting)\b", rules=LOCATION_RULES),
    Family(
        cue=r"speak|language|tongue|lingual|fluent|conversational|zone|utc|gmt|\b[cpemji]s?e?[sd]?t\b|pacific|eastern|central|mountain|[a-z]/[a-z]",
        rules=_LANGUAGE_RULES,
    ),
)
