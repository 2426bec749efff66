"""English rules for corrections: orders to change what is believed, and the right word set against the wrong one.

What they propose names no record. Admission looks for the one claim that is meant and changes nothing when there is
none, so a talk about the settings of some program passes without harm.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from cmemory.domain.lexicon.corrections import (
    CAPITALISED,
    LAUGHTER,
    NOT_NOW,
    SLIPS_EN,
    TELLING_EN,
    UNDECIDED,
)
from cmemory.domain.lexicon.en_people import RELATIONS
from cmemory.domain.pattern import lazy_pattern
from cmemory.domain.propose.en_retract import speaks_of_own_name
from cmemory.domain.propose.en_self import named
from cmemory.domain.propose.en_shape import english, spelled
from cmemory.domain.propose.grammar import (
    Correction,
    Draft,
    Family,
    Finding,
    Reach,
    Reading,
    Rule,
    one_of,
    proof,
)

_SLIP = f"(?:(?:{one_of(SLIPS_EN)})[\\s,.:;!—-]{{1,4}})"
_SLIPPED = lazy_pattern(spelled(rf"(?:{one_of(SLIPS_EN)})[\s,.:;!—-]{{0,4}}\Z"), re.IGNORECASE)
_THANKS = (
    "(?:[,;.!]? ?(?:please|pls|thanks|thank you|thanks a lot|thx|ty|cheers|sorry|my mistake|my bad|typo)){0,2}"
    "[^\\w?]{0,12}\\Z"
)
_REGRET = lazy_pattern(r"\b(?:sorry|my mistake|my bad|typo)\W*\Z", re.IGNORECASE)
#: Whom an order may be addressed to, and how.
_ADDRESS = (
    "(?:(?:hey|hi|hello|ok|okay|dear) (?-i:[A-Z])\\w{1,15}, )?(?:(?:please|pls|kindly|just|now),? ){0,2}"
)
#: Between the words of a part; in the notation of `en_shape` a space or an apostrophe in a class must be spelled out.
_GLUE = r"\w\x20.\x27’&/-"
_SUBJECT = rf"(?P<subject>(?!up\b|off\b|out\b|about\b|back\b)\w[{_GLUE}]{{0,78}}?)"
_PREVIOUS = rf"(?P<previous>\w[{_GLUE}:]{{0,58}}?)"
_NEW = rf"(?P<new>[\w“\"+#][{_GLUE}:+#%”\"]{{0,78}}?)"
_WRONG = r"(?P<previous>\w[\w.\x27’&/:-]{0,24}(?: [\w.\x27’&/:-]{1,24}){0,3}?)"
_RIGHT = _WRONG.replace("previous", "new")
_AT = "(?:on |at |in |called |named )?"

_ARTICLE = lazy_pattern(r"\A(?:the|a|an|my|our|your)\s+", re.IGNORECASE)
_NOUN = lazy_pattern(r"(?<=\w)\s+(?:value|setting)\Z", re.IGNORECASE)
#: Two orders in one: which value belongs to which is not for us to guess.
_TWO_ORDERS = lazy_pattern(r"\band\b.{1,60}\b(?:to|with)\b|\bto\b", re.IGNORECASE)
#: "In the essay" it is another Porto.
_ELSEWHERE = lazy_pattern(
    r"\b(?:in|on|of|from|into|inside|under) (?:the|this|that|my|our|cell|line|row|column|page|chapter|paragraph)\b"
    r"|\b(?:your?|it|everywhere|instead|and)\b",
    re.IGNORECASE,
)
_OWN_NAME = lazy_pattern(r"\A(?:my )(?:(?:first|last|full) )?name\Z", re.IGNORECASE)
_OTHERS = lazy_pattern(
    r"\A(?:i|you|he|she|they|we|it|this|that|there|who|what|my name|name|his|her|their|everyone|nobody)\b",
    re.IGNORECASE,
)


def _clean(words: str | None) -> str | None:
    """Return a part without article, quotation marks and the words value or setting; None when nothing is left."""
    text = _ARTICLE.sub("", (words or "").strip(" “”\"'’.,"))
    return _NOUN.sub("", text).strip() or None


def _spoken(words: str | None) -> str | None:
    """Return a value: as it stands, without quotation marks and closing stops."""
    return (words or "").strip(" “”\"'’.,") or None


def _ordered(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    """Read "change the port from 80 to 81", unless anything leaves it open, or laughs about it."""
    groups = match.groupdict()
    subject, new = _clean(groups["subject"]), _spoken(groups["new"])
    open_ended = any(pattern.search(reading.text) for pattern in (UNDECIDED, LAUGHTER))
    if not subject or not new or open_ended or NOT_NOW.search(match.string):
        return
    if _TWO_ORDERS.search(new) or _ELSEWHERE.search(new):
        return
    if _OWN_NAME.match(groups["subject"].strip()):
        name = named(new)
        if name:
            yield Draft(predicate="identity.name", value=name, raw_value=new, span=proof(match))
        return
    yield Correction(subject=subject, previous=_spoken(groups.get("previous")), new=new, span=proof(match))


def _contrasted(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    """Read "it's Hanna, not Anna"."""
    groups = match.groupdict()
    wrong, right = _spoken(groups["previous"]), _spoken(groups["new"])
    before = reading.before + match.string[: match.start("quote")]
    if not wrong or not right or _settled_nothing(match.string) or speaks_of_own_name(before):
        return
    slip = (
        groups.get("slip") or groups.get("meant") or _SLIPPED.search(before) or _REGRET.search(match.string)
    )
    telling = TELLING_EN.search(wrong) or CAPITALISED.search(wrong)
    somebody = ("person.name",) if groups.get("whose") else ()
    yield Correction(
        previous=wrong,
        new=right,
        predicates=somebody,
        whole=not (slip or telling),
        span=proof(match),
    )


def _subject_contrasted(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    """Read "the interview is on Thursday, not Wednesday"."""
    del reading
    subject, wrong, right = _clean(match["subject"]), _spoken(match["previous"]), _spoken(match["new"])
    if not subject or not wrong or not right or _settled_nothing(match.string):
        return
    if _OTHERS.match(subject) or any(word in RELATIONS for word in re.split(r"[\s'’]+", subject.lower())):
        return
    yield Correction(subject=subject, previous=wrong, new=right, span=proof(match))


def _moved(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    """Read "the interview got moved to Thursday"; who was moved to Porto is somebody."""
    del reading
    subject, right = _clean(match["subject"]), _spoken(match["new"])
    if not subject or not right or _settled_nothing(match.string) or _OTHERS.match(subject):
        return
    # A deadline has a rule of its own, which finds it by what is due.
    if TELLING_EN.search(right) and not subject.lower().endswith(("deadline", "due date")):
        yield Correction(subject=subject, new=right, span=proof(match))


def _settled_nothing(sentence: str) -> bool:
    return UNDECIDED.search(sentence) is not None or NOT_NOW.search(sentence) is not None


_ORDERS = (
    Rule(
        name="en.correct.change",
        pattern=english(
            f"<start>{_ADDRESS}(?:change|update|set|correct) {_SUBJECT}(?: from {_PREVIOUS})? to {_NEW}{_THANKS}"
        ),
        build=_ordered,
        reach=Reach.SENTENCE,
    ),
    Rule(
        name="en.correct.replace",
        pattern=english(f"<start>{_ADDRESS}replace {_SUBJECT}(?: value)? with {_NEW}{_THANKS}"),
        build=_ordered,
        reach=Reach.SENTENCE,
    ),
)

_CONTRASTS = (
    Rule(
        name="en.correct.not_that",
        pattern=english(
            f"<start>(?P<slip>{_SLIP}{{1,2}})?(?:it's|it is|it was|it should be|should be"
            "|(?P<meant>(?:i )?meant|i mean|make it|make that)|the name is|the name's"
            f"|(?P<whose>(?:his|her|its|their) name(?:'s| is)|(?:he|she)(?:'s| is) called|s?he's)) "
            f"(?:actually |really )?{_AT}{_RIGHT},? (?:and )?not (?:in |on |at )?{_WRONG}{_THANKS}"
        ),
        build=_contrasted,
        reach=Reach.SENTENCE,
    ),
    Rule(
        name="en.correct.but_this",
        pattern=english(
            f"<start>(?P<slip>{_SLIP}{{1,2}})?(?:(?:it's|it is|it was|that's|(?P<whose>(?:his|her|its|their) name"
            f"(?:'s| is))) )?not (?:in |on |at )?{_WRONG}(?:,(?: but| rather)?| but(?: rather)?)"
            f"(?: (?:it's|it is|i meant))? {_AT}{_RIGHT}{_THANKS}"
        ),
        build=_contrasted,
        reach=Reach.SENTENCE,
    ),
    Rule(
        name="en.correct.isnt",
        pattern=english(
            f"<start>(?P<slip>{_SLIP}{{1,2}})?(?:it isn't|that isn't|that's not) {_AT}{_WRONG}, (?:but |rather )?"
            f"(?:it's |it is ){_AT}{_RIGHT}{_THANKS}"
        ),
        build=_contrasted,
        reach=Reach.SENTENCE,
    ),
    Rule(
        name="en.correct.slip",
        pattern=english(f"<start>(?P<slip>{_SLIP}{{1,2}}){_AT}{_RIGHT},? not {_AT}{_WRONG}{_THANKS}"),
        build=_contrasted,
        reach=Reach.SENTENCE,
    ),
    Rule(
        name="en.correct.said",
        pattern=english(
            f"<start>(?P<slip>{_SLIP}{{1,2}})?i said {_AT}{_WRONG},? (?:but )?(?P<meant>i meant) {_AT}{_RIGHT}{_THANKS}"
        ),
        build=_contrasted,
        reach=Reach.SENTENCE,
    ),
)

_NAMED = (
    Rule(
        name="en.correct.subject",
        pattern=english(
            f"<start>(?:{_SLIP}){{0,2}}{_SUBJECT}(?:[\\x27’]s| is| are| was) (?:actually )?{_AT}{_RIGHT},? not {_AT}"
            f"{_WRONG}{_THANKS}"
        ),
        build=_subject_contrasted,
        reach=Reach.SENTENCE,
    ),
    Rule(
        name="en.correct.subject_isnt",
        pattern=english(
            f"<start>(?:{_SLIP}){{0,2}}{_SUBJECT} (?:isn't|is not|wasn't|was not) {_AT}{_WRONG},"
            f" (?:but |rather )?(?:it's |it is )?{_AT}{_RIGHT}{_THANKS}"
        ),
        build=_subject_contrasted,
        reach=Reach.SENTENCE,
    ),
    Rule(
        name="en.correct.moved",
        pattern=english(
            f"<start>(?:{_SLIP}){{0,2}}{_SUBJECT} (?:(?:has been|was|is|got|has) )?(?:now )?(?:moved|rescheduled"
            f"|changed|postponed|pushed back|brought forward) from {_PREVIOUS} to {_RIGHT}{_THANKS}"
        ),
        build=_subject_contrasted,
        reach=Reach.SENTENCE,
    ),
)

_MOVED = (
    Rule(
        name="en.correct.moved_to",
        pattern=english(
            f"<start>(?:{_SLIP}){{0,2}}{_SUBJECT} (?:has been|was|is|got) (?:now )?(?:moved|rescheduled|postponed"
            f"|pushed back|brought forward) to {_RIGHT}{_THANKS}"
        ),
        build=_moved,
        reach=Reach.SENTENCE,
    ),
)

FAMILIES: tuple[Family, ...] = (
    Family(cue=r"\b(?:change|update|set|correct|replace)\b", rules=_ORDERS),
    Family(cue=r"\bnot\b|n.?t\b|\bi meant\b", rules=_CONTRASTS),
    Family(cue=r"\bnot\b|n.?t\b|\bfrom\b", rules=_NAMED),
    Family(cue=r"\b(?:moved|rescheduled|postponed|pushed|brought)\b", rules=_MOVED),
)
