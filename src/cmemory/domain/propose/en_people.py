"""English rules for the people and animals in the person's life.

``entity_ref`` is the name when it is known ("my sister Anna" → Anna), else the relation as the person says it
("my sister" → sister). Nothing links the two later: a name learned in another message opens its own entry.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from cmemory.domain.lexicon.en_names import FIRST_NAMES
from cmemory.domain.lexicon.en_people import BONDS, LASTING_RELATIONS, PLURALS, RELATIONS
from cmemory.domain.pattern import lazy_pattern
from cmemory.domain.propose.en_habits import OFTEN
from cmemory.domain.propose.en_self import age_of, named
from cmemory.domain.propose.en_shape import FRAGMENTS, english, spelled
from cmemory.domain.propose.en_work import occupation
from cmemory.domain.propose.grammar import Draft, Family, Finding, Reach, Reading, Rule, known, one_of, proof

_CAPITALISED = lazy_pattern(FRAGMENTS["first"])
_RELATION = f"(?P<relation>{one_of(RELATIONS)})"
_MY = "(?<![\\w’-])(?:my|our) (?:(?!ex\\b)[a-z]{3,10} )??" + _RELATION
_NAME = "(?P<name><first>(?: <first>)?)"
_OWN = (
    "(?:i have|i've got|i have got|i got|i've|we have|we've got|i also have|i only have|i just adopted"
    "|i adopted|we adopted|i just got)"
)


_AGED_WORD = lazy_pattern(r"\A(?:little|big|younger|older|elder|baby|twin|half)[\s-]+(?=\w)", re.IGNORECASE)


def relation_token(words: str) -> str | None:
    """Return the token of a relation word.

    >>> relation_token("Best  Friend")
    'best_friend'
    """
    return RELATIONS.get(re.sub(r"\s+", " ", words.lower()))


def in_title_case(text: str) -> bool:
    """Tell whether capitals mean nothing in a text, because nearly every word has one."""
    words = re.findall(r"[^\W\d_]{2,}", text[:400])
    return len(words) > 3 and sum(word[0].isupper() for word in words) > 0.7 * len(words)


def _related(match: re.Match[str], reading: Reading) -> Iterator[Draft]:
    """The relation, under the name when the match holds one, and the name itself."""
    said = match["relation"]
    token = relation_token(said)
    name = ""
    if "name" in match.re.groupindex and match["name"]:
        name = "" if in_title_case(reading.text) else named(match["name"])
        if not name:
            return
    if token is None:
        return
    entity = name or re.sub(r"\s+", " ", said.lower())
    # The bare word finds a little sister as well, once there is no sister.
    yield known("person.relation_label", token, _AGED_WORD.sub("", said), entity, proof(match))
    if name:
        yield known("person.name", name, name, name, proof(match))


def _relative(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    yield from _related(match, reading)


def _known(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    """Read "my best friend is Sam", which has the shape of "my sister is Chinese": only known names count."""
    if match["name"].lower() in FIRST_NAMES:
        yield from _related(match, reading)


def _nameless(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    """Read "I have a brother"; that somebody has a friend or a doctor says nothing."""
    if relation_token(match["relation"]) in LASTING_RELATIONS:
        yield from _related(match, reading)


def _several(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    """Read "two cats, Momo and Kiki": one entry for each name."""
    if not in_title_case(reading.text):
        word = PLURALS[match["relation"].lower()]
        for name in filter(None, map(named, _CAPITALISED.findall(match["names"]))):
            yield _labelled(word, match, name)
            yield known("person.name", name, name, name, proof(match))


def _counted(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    """Read "I have two brothers": that there are any is worth keeping."""
    del reading
    word = PLURALS[match["relation"].lower()]
    if RELATIONS[word] in LASTING_RELATIONS:
        yield _labelled(word, match, word)


def _labelled(word: str, match: re.Match[str], entity: str) -> Draft:
    said = match["relation"]
    raw = said[: len(word)] if said.lower().startswith(word) else said
    return known("person.relation_label", RELATIONS[word], raw, entity, proof(match))


def _also(
    match: re.Match[str], reading: Reading, predicate: str, value: str | int, raw: str
) -> Iterable[Finding]:
    """Yield who somebody is, and one more fact about them."""
    drafts = tuple(_related(match, reading))
    yield from drafts
    for draft in drafts[:1]:
        yield known(predicate, value, raw, draft.entity_ref or "", proof(match))


def _works(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    job = occupation(match["value"])
    if job:
        yield from _also(match, reading, "person.occupation", job, job)


def _aged(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    age = age_of(match["value"])
    if 0 < age < 120:
        yield from _also(match, reading, "person.age", age, match["value"])


def _often(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    often = match["often"]
    for draft in tuple(_related(match, reading))[:1]:
        yield known("relationship.contact_frequency", often, often, draft.entity_ref or "", proof(match))


def _bond(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    """Read "Tom and I are married": what the two are, and the relation where the word tells it."""
    name = "" if in_title_case(reading.text) else named(match["name"])
    dyad, relation = BONDS[re.sub(r"\s+", " ", match["bond"].lower())]
    if name:
        yield known("relationship.type", dyad, match["bond"], name, proof(match))
        yield known("person.relation_label", relation, match["bond"], name, proof(match))
        yield known("person.name", name, name, name, proof(match))


_END_OF_NAME = "(?![\\w-])"
_AFTER_RELATION = (
    "(?=[\\s]{0,3}(?:[^\\w\\s’-]|\\Z)| who | that | in | at | and | with | living | from | too| back "
    "| as well)"
)

_PEOPLE_RULES = (
    Rule(name="en.person.my", pattern=english(f"(?P<quote>{_MY} {_NAME}){_END_OF_NAME}"), build=_relative),
    Rule(
        name="en.person.my_comma",
        pattern=english(f"(?P<quote>{_MY}, (?P<name><first>))(?=,| and i\\b)"),
        build=_relative,
        reach=Reach.SENTENCE,
    ),
    Rule(
        name="en.person.name_is",
        pattern=english(
            f"(?P<quote>{_MY}(?:'s name is|'s called|'s named| is called| is named|'s name's| was named"
            f"| goes by) (?P<name><first>|[a-z]{{2,14}}(?=[.!,;)]{{0,3}}\\Z))){_END_OF_NAME}"
        ),
        build=_relative,
    ),
    Rule(
        name="en.person.have_named",
        pattern=english(
            f"<fresh>{_OWN} (?:an? |another |one )(?:[\\w-]{{2,12}} ){{0,2}}?{_RELATION}(?:,| -"
            f"| —)?(?: whose name is| who is called| who is named| named| called)? {_NAME}{_END_OF_NAME}"
        ),
        build=_relative,
        reach=Reach.SENTENCE,
    ),
    Rule(
        name="en.person.have",
        pattern=english(
            f"<start>{_OWN} (?:an? |one )(?:(?:older|younger|little|big|twin|new|small|old|beautiful"
            "|lovely|wonderful|loving|cute|half|baby|pet|rescue|black|white"
            f"|orange) ){{0,2}}{_RELATION}{_AFTER_RELATION}"
        ),
        build=_nameless,
    ),
    Rule(
        name="en.person.have_also",
        pattern=english(
            "(?:i have|i've got|we have) an? [\\w\\s-]{3,25}? and (?P<quote>an? (?:(?:older|younger"
            f"|little|big|twin|small|baby|pet) )?{_RELATION}){_AFTER_RELATION}"
        ),
        build=_nameless,
        reach=Reach.SENTENCE,
    ),
    Rule(
        name="en.person.have_also_named",
        pattern=english(
            "(?:i have|i've got|we have) an? [^.!?]{3,40}? and (?P<quote>an? (?:[\\w-]{2,12} "
            f")?{_RELATION} (?:named|called) {_NAME}){_END_OF_NAME}"
        ),
        build=_relative,
        reach=Reach.SENTENCE,
    ),
    Rule(
        name="en.person.is_known",
        pattern=english(f"<start>{_MY} is (?P<name><first>)(?=[.!,\\s]{{0,4}}\\Z)"),
        build=_known,
    ),
    Rule(
        name="en.person.several",
        pattern=english(
            f"<fresh>(?:{_OWN}|my) (?:(?:two|three|four|2|3|4) )?(?:[a-z]{{3,10}} "
            f")?(?P<relation>{one_of(PLURALS)})(?:,|:| -| —)?(?: named| called| are called| are named"
            f"| are)? (?P<names><first>(?:,? (?:and |& )?<first>){{1,4}}){_END_OF_NAME}"
        ),
        build=_several,
        reach=Reach.SENTENCE,
    ),
    Rule(
        name="en.person.counted",
        pattern=english(
            f"<start>{_OWN} (?:two|three|four|five|2|3|4|5|a few|several) (?:[a-z]{{3,10}} "
            f")?(?P<relation>{one_of(PLURALS)})<end>"
        ),
        build=_counted,
        reach=Reach.SENTENCE,
    ),
    Rule(
        name="en.person.is_my",
        pattern=english(
            "<start>(?P<name><first>(?: <first>)?)(?: is|'s) my (?:(?!ex\\b)[a-z]{3,10} "
            f")??{_RELATION}{_AFTER_RELATION}"
        ),
        build=_relative,
    ),
    Rule(
        name="en.person.name_my",
        pattern=english(f"<start>(?P<name><first>), my (?:(?!ex\\b)[a-z]{{3,10}} )??{_RELATION},"),
        build=_relative,
        reach=Reach.SENTENCE,
    ),
    Rule(
        name="en.person.occupation",
        pattern=english(f"<start>{_MY}(?:,? {_NAME},?)?(?: is|'s) (?:an? |the )(?P<value>[^,.!?]{{3,60}})"),
        build=_works,
        reach=Reach.SENTENCE,
    ),
    Rule(
        name="en.person.works_as",
        pattern=english(
            f"<fresh>{_MY}(?:,? {_NAME},?)?(?: (?:lives|is|was|grew up|studied|moved) "
            f"[^.,;!?]{{2,40}}? and)? works "
            "(?:[\\w\\s]{2,25} )??as an? (?P<value>[^,.!?]{3,60})"
        ),
        build=_works,
        reach=Reach.SENTENCE,
    ),
    Rule(
        name="en.person.age",
        pattern=english(
            f"<start>{_MY}(?: {_NAME})?(?: is|'s| just turned| turned) (?P<value>[0-9]{{1,3}}"
            "|<age>)(?: years? old| yrs? old| ?yo)?(?: now| today| this year"
            "| last \\w{4,9})?(?=[\\s]{0,3}(?:[.,;!)…]|\\Z))"
        ),
        build=_aged,
    ),
    Rule(
        name="en.person.year_old",
        pattern=english(
            f"(?P<quote>(?:my|{_OWN} an?) (?P<value>[0-9]{{1,2}}|<age>)(?: |-)years?(?: "
            f"|-)old {_RELATION}(?: {_NAME})?){_END_OF_NAME}"
        ),
        build=_aged,
    ),
    Rule(
        name="en.person.contact",
        pattern=english(
            "<start>i (?:usually |still |always )?(?:call|phone|visit|see|text|talk to|talk with|speak to"
            "|speak with|meet|meet up with|facetime|skype|video call|hang out with|have dinner with"
            f"|have lunch with) {_MY}(?: {_NAME})? (?P<often>{OFTEN})<end>"
        ),
        build=_often,
    ),
    Rule(
        name="en.person.bond",
        pattern=english(
            "<fresh>(?P<name><first>) and i (?:are|have been) (?:now |just |happily "
            f"|still )?(?P<bond>{one_of(BONDS)})\\b"
        ),
        build=_bond,
        reach=Reach.SENTENCE,
    ),
    Rule(
        name="en.person.bond_with",
        pattern=english(
            "<start><im> (?:happily )?(?P<bond>dating|married to|engaged to"
            "|seeing) (?P<name><first>)(?![\\w-])"
        ),
        build=_bond,
    ),
)

FAMILIES: tuple[Family, ...] = (
    Family(cue=rf"\b{spelled(one_of((*RELATIONS, *PLURALS, *BONDS)))}", rules=_PEOPLE_RULES),
)
