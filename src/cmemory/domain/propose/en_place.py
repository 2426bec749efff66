"""English rules for places: where the person lives, works, comes from, and where they are for a while.

The place is both value and ``entity_ref``. Where somebody comes from has no context of its own and carries
none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, timedelta

import attrs

from cmemory.domain.lexicon.en_places import NOT_PLACES, PLACES, SHORT_FORMS
from cmemory.domain.lexicon.en_time import NUMBERS
from cmemory.domain.pattern import lazy_pattern
from cmemory.domain.propose.en_shape import FRAGMENTS, english
from cmemory.domain.propose.grammar import Build, Draft, Finding, Reach, Reading, Rule, one_of, proof
from cmemory.domain.time.dates import resolve_day

#: Longest name of a day in words: "Friday, the 10th of June 2026 at 5 pm".
_DAY_WORDS = 9

_LEAD_IN = lazy_pattern(
    (
        r"\A(?:(?:a|the|my)\s(?:(?:small|big|little|tiny|quiet|beautiful|lovely)\s)?(?:town|city|village"
        "|suburbs?|outskirts|centre|center|"
        r"heart|middle|north|south|east|west|countryside|part|area)\s(?:in|of)\s(?:the\s)?|(?:downtown"
        r"|central|rural|sunny|rainy|beautiful)\s)"
    ),
    re.IGNORECASE,
)
_THE = lazy_pattern(r"\A(?:the|my|our)\s", re.IGNORECASE)
_CAPITALS = lazy_pattern(
    rf"\A{FRAGMENTS['first']}(?:\s(?:(?:de|da|do|la|le|of|upon|del|am"
    rf"|sur)\s){{0,2}}{FRAGMENTS['first']}){{0,3}}"
)


def place_in(words: str) -> str:
    """Return the place that opens the words, or an empty text.

    >>> [place_in(words) for words in ("New York with Ann", "a small town in Italy", "lisbon now", "a hurry")]
    ['New York', 'Italy', 'Lisbon', '']
    """
    words = _THE.sub("", _LEAD_IN.sub("", words.strip()))
    found = _CAPITALS.match(words)
    if found is not None:
        parts = re.sub(r"[’']s\Z", "", found[0]).split()
        while parts and parts[-1].lower() in NOT_PLACES:
            parts.pop()
        known = {part.lower() for part in parts}
        return "" if known & NOT_PLACES else " ".join(parts)
    parts = re.findall(r"[\w’'-]+", words)[:4]
    for count in range(len(parts), 0, -1):
        if " ".join(parts[:count]).lower() in PLACES:
            return _written(" ".join(parts[:count]).lower())
    return ""


def _written(place: str) -> str:
    """Give a known place typed in lower case the capitals it is written with."""
    words = (
        word.upper() if word in SHORT_FORMS else word if word == "de" else word.title()
        for word in place.split()
    )
    return " ".join(words)


def leading_day(words: str, today: date) -> date | None:
    """Return the day whose name opens the words, the longest name that is one.

    >>> leading_day("June 10, 2026, at the latest", date(2026, 6, 3))
    datetime.date(2026, 6, 10)
    """
    pieces = re.findall(r"\S+", words[:120])[:_DAY_WORDS]
    for count in range(len(pieces), 0, -1):
        day = resolve_day(re.sub(r"[^\w]+\Z", "", " ".join(pieces[:count])), today)
        if day is not None:
            return day
    return None


_UNTIL = lazy_pattern(r"\b(?:until|till|til|through)\s(?P<day>.{3,60})", re.IGNORECASE)
_WEEK = lazy_pattern(
    r"\b(?:this\s(?:whole\s)?(?:week|weekend)|(?:for|over)\sthe\s(?:week|weekend)|all\sweek)\b",
    re.IGNORECASE,
)
_MONTH = lazy_pattern(r"\b(?:this|(?:for\s)?the\swhole)\smonth\b", re.IGNORECASE)
_FOR = lazy_pattern(
    (
        rf"\bfor\s(?:the\snext\s)?(?:a\s)?(?P<count>[0-9]{{1,2}}|{one_of(NUMBERS)})\s(?:of\s)?(?P<unit>day"
        r"|night|week|month)s?\b"
    ),
    re.IGNORECASE,
)
_TODAY = lazy_pattern(r"\b(?:today|tonight|this\s(?:morning|afternoon|evening))\b", re.IGNORECASE)
_NOW = lazy_pattern(
    r"\b(?:right\snow|at\sthe\smoment|currently|at\spresent|for\snow|these\sdays)\b", re.IGNORECASE
)


def last_day(words: str, today: date) -> date | None:
    """Return the last day on which a statement holds by its own words, or None when they set no end.

    >>> last_day("this week", date(2026, 6, 3)), last_day("until Friday", date(2026, 6, 3))
    (datetime.date(2026, 6, 7), datetime.date(2026, 6, 5))
    """
    until, spell = _UNTIL.search(words), _FOR.search(words)
    if until is not None:
        return leading_day(until["day"], today)
    if spell is not None:
        unit = "day" if spell["unit"].lower() == "night" else spell["unit"]
        return resolve_day(f"in {spell['count']} {unit}s", today)
    if _WEEK.search(words):
        return today + timedelta(days=6 - today.weekday())
    if _MONTH.search(words):
        return resolve_day("end of the month", today)
    return today if _TODAY.search(words) else None


def _at(context: str | None) -> Build:
    def build(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
        del reading
        place = place_in(match["value"])
        if place:
            yield _located(match, place, context, None)

    return build


def _moved(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    del reading
    place = place_in(match["value"])
    if place:
        yield attrs.evolve(_located(match, place, "home", None), takes_over=True)


def _for_a_while(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    """Read "I'm in Tokyo" only with words that say for how long, or that it is so at present."""
    place = place_in(match["value"])
    until = last_day(match["quote"], reading.today)
    if place and (until is not None or _NOW.search(match["quote"])):
        yield _located(match, place, "current", until)


def _located(match: re.Match[str], place: str, context: str | None, until: date | None) -> Draft:
    return Draft(
        predicate="identity.location",
        value=place,
        raw_value=place if place in match["value"] else None,
        entity_ref=place,
        qualifiers=None if context is None else {"context": context},
        until=until,
        span=proof(match),
    )


_TIME = (
    "(?:until|till|this week|this weekend|this month|for the weekend|today|tonight|right now"
    "|currently|at the moment|for now|"
    "for (?:the next )?(?:a few|two|three|four|five|six|\\w{1,2}) (?:days|weeks|months))"
)
_STAY = (
    "(?:in|staying in|visiting|travell?ing in|over in|down in|up in|staying with \\w{2,12} \\w{2,12} in|"
    "on (?:vacation|holiday|holidays|a trip|a business trip|business) in)"
)

LOCATION_RULES: tuple[Rule, ...] = (
    Rule(
        name="en.location.home",
        pattern=english(
            "<start>(?:(?:<i>|we|we both) (?:live|reside)(?: here| alone| together| right)?|<im> (?:based"
            "|living|settled|located)(?: here)?|"
            "<ive> (?:been living|lived|been based)(?: here)?|my (?:home|house|apartment|flat|place) is"
            "|my home ?town is|home for me is|i call)"
            "(?: in| at| near| out of)? (?P<value>.{2,80})\\Z"
        ),
        build=_at("home"),
    ),
    Rule(
        name="en.location.moved",
        pattern=english(
            "<start>(?:(?:<i>|we|we just) (?:moved|relocated)|(?:<ive>|we've|we have) (?:moved|relocated"
            "|settled))(?: (?:back|over|here|out|down|up))?"
            "(?: from .{2,30})?? (?:to|in) (?P<value>.{2,80})\\Z"
        ),
        build=_moved,
    ),
    Rule(
        name="en.location.from",
        pattern=english(
            "<start>(?:<im> (?:from|originally from)|i (?:originally )?come from|i grew up in"
            "|i was born and raised in|my home ?town is) (?P<value>.{2,80})\\Z"
        ),
        build=_at(None),
    ),
    Rule(
        name="en.location.work",
        pattern=english(
            "<start>(?:<i> work(?: (?:as|at|for) [^,]{2,40}?)? (?:in|out of)|my (?:office|work|job"
            "|company|workplace|lab) is (?:located |based )?in|"
            "i commute to|<im> working in) (?P<value>.{2,80})\\Z"
        ),
        build=_at("work"),
    ),
    Rule(
        name="en.location.current",
        pattern=english(f"<start><im> {_STAY} (?P<value>.{{2,80}})\\Z"),
        build=_for_a_while,
    ),
    Rule(
        name="en.location.current_first",
        pattern=english(
            f"<fresh>{_TIME}[^.!?]{{0,30}}?,? ?(?:i'm|i am|i'll be) {_STAY} (?P<value>[^,.!?]{{2,60}})"
        ),
        build=_for_a_while,
        reach=Reach.SENTENCE,
    ),
)
