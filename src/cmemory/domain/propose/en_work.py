"""English rules for work and for the roles people have beside it.

An employer stands in ``entity_ref`` of an occupation, so that leaving Acme ends what was said of Acme only.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from cmemory.domain.lexicon.en_people import ROLES
from cmemory.domain.lexicon.en_work import (
    LOOSE_OCCUPATIONS,
    OCCUPATIONS,
    QUALIFYING,
    WORKING_STATES,
    WORKPLACES,
)
from cmemory.domain.pattern import lazy_pattern
from cmemory.domain.propose.en_place import place_in
from cmemory.domain.propose.en_shape import FRAGMENTS, english, stating, tidy
from cmemory.domain.propose.grammar import Draft, Family, Finding, Reading, Rule, one_of, proof

_PREPOSITION = lazy_pattern(
    r"\s(?:at|for|in|with|from|of|on|by|who|that|to|working|specializing|specialising|based|and|here)\s.*"
)
_EMPLOYER = lazy_pattern(
    rf"\b(?:at|for|with)\s(?:the\s)?(?P<employer>(?:St\.\s)?{FRAGMENTS['first']}(?:\s(?:&\s"
    rf"|of\s)?{FRAGMENTS['first']}){{0,3}})"
)


def employer_in(words: str) -> str | None:
    """Return the named employer in words such as "nurse at Acme", or None."""
    found = _EMPLOYER.search(words)
    return None if found is None else found["employer"]


def _head(words: str) -> str:
    return re.split(r"[\s-]", _PREPOSITION.sub("", words))[-1].lower()


def is_occupation(words: str) -> bool:
    """Tell whether the words after "I'm a" name a kind of work, not a mood, a taste or a habit.

    >>> [is_occupation(words) for words in ("nurse at a clinic", "morning person", "good cook", "line cook")]
    [True, False, False, True]
    """
    job = _PREPOSITION.sub("", words).lower()
    head = _head(words)
    if head not in OCCUPATIONS or QUALIFYING & set(re.split(r"[\s-]", job)):
        return False
    return head not in LOOSE_OCCUPATIONS or job != head


def occupation(words: str) -> str:
    """Return the occupation that starts the words, without where and for whom, or an empty text."""
    value = tidy(words, bare=True)
    return _PREPOSITION.sub("", value) if value and is_occupation(value) else ""


def _is_a(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    """Read "I'm a …": work when the noun is work, a role when it is a role, else nothing."""
    value = tidy(match["value"], bare=True)
    if not value:
        return
    job = occupation(value)
    if job:
        yield Draft(
            predicate="identity.occupation",
            value=job.lower() if reading.text.isupper() else job,
            raw_value=job,
            span=proof(match),
            entity_ref=employer_in(value),
        )
    elif _head(value) in ROLES and not QUALIFYING & set(value.lower().split()):
        yield Draft(predicate="identity.role", value=value, raw_value=value, span=proof(match))


def _work_as(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    del reading
    value = _PREPOSITION.sub("", tidy(match["value"], bare=True))
    if value and value.lower() not in ("team", "volunteer"):
        yield Draft(
            predicate="identity.occupation",
            value=value,
            raw_value=value,
            span=proof(match),
            entity_ref=match["employer"] or employer_in(match["value"]),
        )


def _work_at(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    """Read "I work at …": a named employer, or a kind of work place; "at night" is neither."""
    del reading
    value = tidy(match["value"])
    employer = employer_in(f"at {value}")
    place = re.sub(r"\A(?:an?|the|my)\s", "", value.lower())
    if re.search(r"\sas\s", value) or (
        employer is None and not any(place.endswith(word) for word in WORKPLACES)
    ):
        return
    if match["how"].lower() == "in" and place_in(value):
        return
    work = match.string[match.start("work") : match.start("value")] + (employer or value)
    yield Draft(
        predicate="identity.occupation", value=work, raw_value=work, span=proof(match), entity_ref=employer
    )


_WORK_NOUN = "(?:profession|occupation|day job|trade)"

_WORK_RULES = (
    Rule(
        name="en.occupation.job_then_age",
        pattern=english("<start><im> an? [0-9]{1,3}(?: |-)?(?:year|yr)s?(?: |-)?old (?P<value>.{3,80})\\Z"),
        build=_is_a,
    ),
    Rule(name="en.is_a", pattern=english("<start><im> (?:a|an|the) <rest>"), build=_is_a),
    Rule(
        name="en.is_a.by_trade",
        pattern=english(
            "<start>(?:<im> by (?:trade|profession)|my job is(?: being)?|<i> make (?:a"
            "|my) living as) (?:a|an) <rest>"
        ),
        build=_is_a,
    ),
    Rule(
        name="en.is_a.self",
        pattern=english("<start><im> (?:self-)?employed as (?:a|an) <rest>"),
        build=_is_a,
    ),
    Rule(
        name="en.occupation.work_as",
        pattern=english(
            "<start>(?:<i> work|<im> (?:working|employed)|<ive> been working|<ive> worked)(?: (?:full"
            "|part)(?: |-)time)?"
            "(?: (?:at|for) (?P<employer>(?:the )?<name>))? as (?:a|an|the) <rest>"
        ),
        build=_work_as,
    ),
    Rule(
        name="en.occupation.noun",
        pattern=english(f"<start>my {_WORK_NOUN} is (?:being )?(?:an? )?<rest>"),
        build=stating("identity.occupation"),
    ),
    Rule(
        name="en.occupation.work_at",
        pattern=english(
            "<start>i(?: (?:currently|also|still|now|mostly))? (?P<work>work (?:(?:full"
            "|part)(?: |-)time )?(?P<how>at|for|in) )<rest>"
        ),
        build=_work_at,
    ),
    Rule(
        name="en.occupation.state",
        pattern=english(
            f"<start><im> (?P<value>{one_of(WORKING_STATES)}(?: {one_of(OCCUPATIONS)})?)(?: now)?(?: "
            "since [0-9]{4})?<end>"
        ),
        build=stating("identity.occupation"),
    ),
    Rule(
        name="en.occupation.own",
        pattern=english(
            "<start>i (?P<value>(?:own|run|manage) (?:a|an|my own) (?:\\w{2,15} ){0,2}"
            "(?:business|company|shop|store|bakery|cafe|café|restaurant|farm|startup|salon|studio|agency"
            "|bar|hotel|hostel|clinic|gym|bookstore|bookshop))\\b"
        ),
        build=stating("identity.occupation", bare=False),
    ),
    Rule(
        name="en.occupation.teach",
        pattern=english(
            "<start>i (?P<value>teach (?:\\w{2,15} ){1,3}(?:at|in|to) (?:a |an |the "
            "|my )?(?:\\w{2,15} ){0,2}"
            "(?:school|schoolers|university|college|kids|children|students|adults|kindergarten|academy"
            "|institute))\\b"
        ),
        build=stating("identity.occupation", bare=False),
    ),
    Rule(
        name="en.role.birth_order",
        pattern=english(
            "<start><im> (?:the|an) (?P<value>(?:oldest|eldest|youngest|only child"
            "|middle child)(?: of (?:two|three|four|five|six|seven|eight)(?: \\w{3,9})?)?)<end>"
        ),
        build=stating("identity.role"),
    ),
)

FAMILIES: tuple[Family, ...] = (
    Family(
        cue=r"i.{0,2}m\b|work|job|profession|occupation|trade|employ|own|run|manage|teach|living",
        rules=_WORK_RULES,
    ),
)
