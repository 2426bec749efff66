"""How English rules are written: a notation for patterns, tidy values, and the builders most rules share.

In a pattern a space is white space, an apostrophe may be straight, curly or missing, and ``<im>`` and the
like stand for the fragments below. ``<start>`` anchors at the beginning of the stretch, after at most three
openings such as "and" or "by the way": a statement buried behind other words ("he thinks that I …") is no
statement of the person. ``<fresh>`` also begins after a comma or an "and", for rules that read a whole
sentence. What follows the anchor is the group ``quote``. A pattern with ``<please>`` in it may also begin
after words of politeness. All repetition is bounded, so no text is slow to read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import attrs

from cmemory.domain.lexicon.en_talk import DANGLING, LONG_OPENINGS, OPENINGS, POINTERS, POLITE, TRAILERS
from cmemory.domain.lexicon.en_time import AGES_BELOW_TWENTY, AGES_BY_TEN, UNITS
from cmemory.domain.pattern import lazy_pattern
from cmemory.domain.propose.grammar import (
    TAIL,
    Build,
    Draft,
    Finding,
    Frame,
    Pattern,
    Reading,
    Rule,
    meaning,
    one_of,
    proof,
)

#: More words than this are a story, not a value.
LONGEST_VALUE_WORDS = 12


def spelled(source: str) -> str:
    """Return a pattern in which spaces and apostrophes are as loose as people write them."""
    return (
        source.replace("'", "(?:['’‘`´]|(?<=\\w)(?=\\w))").replace(" ?", r"\s{0,3}").replace(" ", r"\s{1,3}")
    )


_UPPER = "A-ZÀ-ÖØ-ÞĀĂĄĆČĎĐĒĘĚĞĢĪİĶĻŁŃŅŇŌŐŘŚŞŠŤŪŮŰŹŻŽ"
_CAPITALISED = rf"(?-i:[{_UPPER}][\w’'-]{{0,24}})"
_ADVERB = (
    "(?: (?:actually|currently|also|just|really|still|now|originally|usually|always|presently|already"
    "|so)){0,2}"
)

FRAGMENTS = {
    "im": spelled(rf"(?:i'm|i am){_ADVERB}"),
    "ive": spelled(rf"(?:i've|i have){_ADVERB}"),
    "i": spelled(rf"i{_ADVERB}"),
    "dont": spelled("(?:don't|do not|never)"),
    "end": r"[^\w]{0,12}\Z",
    "rest": r"(?P<value>[^\s].{0,110})\Z",
    "name": rf"{_CAPITALISED}(?:\s(?:(?:de|da|van|von|der|la|bin|al|del|di)\s){{0,2}}{_CAPITALISED}){{0,3}}",
    "first": _CAPITALISED,
    "age": spelled(rf"(?:{one_of(AGES_BY_TEN)}(?:[\s-]{one_of(UNITS)})?|{one_of(AGES_BELOW_TWENTY)})"),
}


_NO_WORD = r"[^\w\"“”'‘*(\[<]{0,6}"
_OPENING = (
    lazy_pattern(
        # "No bullet points" forbids; only "no, …" opens a statement.
        spelled(
            rf"(?:{one_of((*OPENINGS, *LONG_OPENINGS))}[\s.…~,:-]{{1,4}}|(?:no|nope|nah)[.…~,-]{{1,3}} ?)"
        ),
        re.IGNORECASE,
    ),
    3,
)
_POLITENESS = (lazy_pattern(spelled(f"{one_of(POLITE)} "), re.IGNORECASE), 3)
_START = lazy_pattern(rf"\A{_NO_WORD}")
_FRESH = lazy_pattern(
    rf"\A{_NO_WORD}|(?<=[,:—])\s{{0,3}}|(?<=\sand)\s{{1,3}}|(?<=\sbut)\s{{1,3}}|(?<=\sso)\s{{1,3}}",
    re.IGNORECASE,
)
_FRAMES = {
    (anchor, polite): Frame(breaks=breaks, openings=(_OPENING, _POLITENESS) if polite else (_OPENING,))
    for anchor, breaks in (("<start>", _START), ("<fresh>", _FRESH))
    for polite in (False, True)
}
_KNOWN = lazy_pattern(rf"(?<!\?P)<({'|'.join(FRAGMENTS)})>")


def english(source: str) -> Pattern:
    """Return a pattern written in this module's notation."""
    anchor, body = source[:7], source[7:]
    frame = _FRAMES.get((anchor, "<please>" in body))
    body = f"(?P<quote>{body.replace('<please>', '')})" if frame else source
    # Group names and look-behinds use the same brackets; fragments are known by name.
    parts = _KNOWN.split(body)
    written = "".join(FRAGMENTS[part] if odd % 2 else spelled(part) for odd, part in enumerate(parts))
    return Pattern(source=f"(?i){written}", frame=frame)


_HEAD = lazy_pattern(r"\A[^\w$€£#]+")
#: Where a value ends and the reason, the condition or the next thought begins.
_STOP = lazy_pattern(
    (
        r"\s(?:because|but|since|although|though|while|whereas|unless|if|when|whenever|even|so that|which"
        "|who|where|as i|cause|cuz|bc"
        "|(?:and|so) (?:i|we|he|she|it|they|that|this|then|my|you|if|please|do|don[’']?t|can|am|have|was"
        "|i[’']m|it[’']s)"
        r"|i|i[’'](?:m|ve|ll|d))\b.*"
        r"|\s(?:lately|recently|nowadays|these days|right now|at the moment|now)\s(?:and|to|with)\b.*"
        r"|\s[-–(<:].*|[-–]\s.*"
    ),
    re.IGNORECASE | re.DOTALL,
)
_OPEN_NOUN = lazy_pattern(r"\b(?:a|an)\s[\w-]+\Z", re.IGNORECASE)
_TRAILER = lazy_pattern(rf"[\s,]+{spelled(one_of(TRAILERS))}\W*\Z", re.IGNORECASE)
_DETERMINER = lazy_pattern(r"\A(?:my|the|a|an|our|some)\s+(?=\w)", re.IGNORECASE)


def tidy(words: str, *, bare: bool = False, pointing: bool = False) -> str:
    """Return the words without what only softens or dates them; ``bare`` also drops a leading my, a or the.

    The result is a stretch of the words, or empty when they only point at something ("it", "what you said"),
    unless ``pointing`` allows that.

    >>> tidy(" my visa result right now, lol :)", bare=True), tidy("what you said")
    ('visa result', '')
    """
    words = _trimmed(_STOP.sub("", words))
    for _ in range(3):
        words = _trimmed(_TRAILER.sub("", words))
    if bare:
        words = _DETERMINER.sub("", words, count=1)
    parts = re.split(r"[\s’']+", words)
    if len(parts) > LONGEST_VALUE_WORDS and " and " in words:
        words = words.split(" and ", maxsplit=1)[0]
        parts = words.split()
    if (
        (not pointing and parts[0].lower() in POINTERS)
        or parts[-1].lower() in DANGLING
        or len(parts) > LONGEST_VALUE_WORDS
        or re.search(('["“”*]'), words)
    ):
        return ""
    return words if words.count("(") == words.count(")") else words.rstrip(")")


def cut_short(match: re.Match[str], value: str) -> bool:
    """Tell whether what follows belongs to the value: "a safe, inclusive place", "people who need it"."""
    after = match.string[match.start("value") :].removeprefix(value)
    return after.startswith((" who", " whose")) or (
        after.startswith(",") and _OPEN_NOUN.search(value) is not None
    )


def _trimmed(words: str) -> str:
    return TAIL.sub("", _HEAD.sub("", words))


def stating(predicate: str, *, bare: bool = True) -> Build:
    """Return a build function whose value is the tidied group ``value``."""

    def build(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
        del reading
        value = tidy(match["value"], bare=bare)
        if value:
            yield Draft(predicate=predicate, value=value, raw_value=value, span=proof(match, value))

    return build


_SUBJECT = lazy_pattern(
    spelled(
        r"\A(?:my|our|i(?:'m| am)(?: an?)?|i) (?:(?:really|absolutely|just|truly|totally|also|still"
        "|always|very|super|so"
        "|quite|mostly|generally|especially|do(?= like)|a(?= (?:strict|lifelong))|strict|lifelong) ){0,2}"
    ),
    re.IGNORECASE,
)


def predicated(words: str) -> str:
    """Return what a statement says of the person, without the person and words of degree.

    >>> [predicated(words) for words in ("I really love hiking", "I'm a vegetarian", "my budget is tight")]
    ['love hiking', 'vegetarian', 'budget is tight']
    """
    return _SUBJECT.sub("", words)


def quoting(predicate: str) -> Build:
    """Return a build function for a short statement that is kept in its own words, without its subject."""

    def build(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
        del reading
        said = tidy(match["quote"], pointing=True)
        if said:
            yield Draft(predicate=predicate, value=predicated(said), raw_value=said, span=proof(match))

    return build


def asking(predicate: str, token: str, words: str) -> Rule:
    """Return a rule for a wish that always means the same token, however it is put."""
    name = f"en.{predicate.partition('.')[2]}.{token}"
    return Rule(name=name, pattern=english(f"<start>(?:{words})"), build=meaning(predicate, token))


_JOINED = lazy_pattern(r"\b(?:and|or|then|but)\s{1,3}\Z", re.IGNORECASE)
_SOMEBODY = lazy_pattern(
    r"\b(?:to|i|we|they|he|she|it|will|would|could|should|must|people|who)\b", re.IGNORECASE
)
_SENTENCE_END = lazy_pattern(r"[.!?;\n…。！？；]")
_CONDITION = lazy_pattern(
    spelled(r"\b(?:when|whenever|if|any ?time|every time) i(?:'m| am| feel| get)\b"), re.IGNORECASE
)
_OWN_SUBJECT = lazy_pattern(r"(?:i|i[’']\w+|im|my|we|your?|it)\b", re.IGNORECASE)


def commands(*rules: Rule) -> tuple[Rule, ...]:
    """Return the rules with two more conditions.

    A command after "and" only follows another command: in "I want to be brave and be direct" nobody is told
    to be direct. And what is asked for one kind of moment "when I'm sad, no advice" is not asked for all.
    """
    return tuple(attrs.evolve(rule, build=_commanding(rule.build)) for rule in rules)


def _commanding(build: Build) -> Build:
    def checked(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
        before = _SENTENCE_END.split(reading.before + match.string[: match.start("quote")])[-1]
        if _CONDITION.search(before) or _CONDITION.search(match.string, match.end("quote")):
            return ()
        told = _JOINED.search(before) is None or _SOMEBODY.search(before) is None
        return build(match, reading) if told or _OWN_SUBJECT.match(match["quote"]) else ()

    return checked
