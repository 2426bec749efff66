"""English rules for taking things back: corrections, endings and lifted limits.

A bare negation ("I don't live in Rome") ends nothing: it may answer a question nobody remembers. It takes a
word of change or correction: "any more", "no longer", "actually", "I misspoke". People are withdrawn by the
relation word, which the domain finds as an entity or as the wording of the relation. The domain compares
whole values, so what may have been kept in several ways is withdrawn in each of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from cmemory.domain.lexicon.en_people import RELATIONS
from cmemory.domain.lexicon.en_tasks import DECIDED, DONE, EFFORTS, GERUNDS, HANDED_IN, OUTINGS
from cmemory.domain.lexicon.en_tastes import DIETS
from cmemory.domain.pattern import lazy_pattern
from cmemory.domain.propose.en_habits import is_habit
from cmemory.domain.propose.en_limits import topic
from cmemory.domain.propose.en_people import relation_token
from cmemory.domain.propose.en_place import place_in
from cmemory.domain.propose.en_self import named
from cmemory.domain.propose.en_shape import english, spelled, tidy
from cmemory.domain.propose.en_work import employer_in, is_occupation
from cmemory.domain.propose.grammar import (
    TASK_KEYS,
    Build,
    Draft,
    Family,
    Finding,
    Reach,
    Reading,
    Rule,
    Withdrawal,
    forgotten,
    given_up,
    known,
    one_of,
    proof,
)

_WORK = ("identity.occupation",)

_CORRECTION = (
    "(?:actually|sorry|wait|oops|correction|no|i misspoke|i lied|i was (?:wrong|lying|joking)"
    "|my mistake|my bad|i made a mistake|to be clear|"
    "i got that wrong|that was wrong|that's wrong|that's not right|that's not true|not true"
    "|i made that up|to correct myself|i should correct that)"
)
_ANY_MORE = "(?: any ?more| any longer)"
_NO_LONGER = "(?:no longer|don't(?: really)?(?= .{2,80}any ?(?:more|longer)))"


def _no_relative(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    del reading
    yield forgotten(re.sub(r"\s+", " ", match["relation"].lower()), proof(match))


def _parted(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    """Read "we broke up": the partner is one no more, whoever it was."""
    del reading
    token = "spouse" if re.search("divorce", match["quote"], re.IGNORECASE) else "partner"
    yield Withdrawal(predicates=("person.relation_label",), value=token, span=proof(match))


def _renamed(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    del reading
    wrong, right = named(match["wrong"]), named(match["right"])
    if wrong and right:
        yield Withdrawal(predicates=("identity.name",), value=wrong, span=proof(match))
        yield Draft(predicate="identity.name", value=right, raw_value=match["right"], span=proof(match))


_OF_MY_NAME = lazy_pattern(spelled(r"\b(?:my name|call me|calls me|calling me|i'm called)\b"), re.IGNORECASE)


def speaks_of_own_name(words: str) -> bool:
    """Tell whether the words are about what the person is called."""
    return _OF_MY_NAME.search(words) is not None


def _other_name(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    """Read "it's Anna, not Hanna" of the own name, when that was spoken of; of others it is a correction."""
    if speaks_of_own_name(reading.before + match.string[: match.start("quote")]):
        yield from _renamed(match, reading)


def _relative_renamed(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    del reading
    wrong, right, token = named(match["wrong"]), named(match["right"]), relation_token(match["relation"])
    if wrong and right and token:
        span = proof(match)
        yield forgotten(wrong, span)
        yield known("person.relation_label", token, match["relation"], right, span)
        yield known("person.name", right, right, right, span)


def _left_employer(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    del reading
    employer = employer_in(f"at {match['value']}")
    if employer is not None:
        yield Withdrawal(predicates=_WORK, entity_ref=employer, span=proof(match))


def _left_trade(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    del reading
    job = tidy(match["value"], bare=True)
    if job and is_occupation(job):
        yield Withdrawal(predicates=_WORK, value=job, span=proof(match))


def _left_place(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    del reading
    place = place_in(tidy(match["value"]))
    if place:
        home = {"context": "home"}
        yield Withdrawal(
            predicates=("identity.location",), entity_ref=place, qualifiers=home, span=proof(match)
        )


def _given_up(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    """Read "I no longer …": a habit, or a taste kept in the words in which it was told."""
    del reading
    act = tidy(match["value"])
    if not act:
        return
    if re.match(r"(?:like|love|enjoy|prefer|hate)\b", act):
        yield Withdrawal(predicates=("misc.unclassified",), value=act, span=proof(match))
    elif is_habit(act) and not re.match(r"(?:work|live|care)\b", act):
        yield from given_up(_ways_to_say(act), proof(match))


def _quit(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    """Read "I stopped smoking"."""
    del reading
    act = tidy(match["value"])
    if act.split(maxsplit=1)[0].lower() in GERUNDS if act else False:
        yield from given_up(_ways_to_say(act), proof(match))


def _ways_to_say(act: str) -> Iterable[str]:
    """Yield a habit as it may have been kept: run, running, go running.

    >>> list(_ways_to_say("run"))
    ['run', 'run', 'running', 'go running']
    """
    yield act
    verb, _, rest = act.removeprefix("go ").partition(" ")
    gerund = verb if verb in GERUNDS else next((word for word, base in GERUNDS.items() if base == verb), "")
    base = GERUNDS.get(gerund, "")
    forms = (base, gerund, f"go {gerund}") if base in OUTINGS else (base, gerund) if base else ()
    yield from (f"{form} {rest}".rstrip() for form in forms)


def _ending(predicates: tuple[str, ...], *, group: str = "value") -> Build:
    """Return a build function that withdraws the tidied words of a group."""

    def build(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
        del reading
        value = tidy(match[group], bare=True)
        if value:
            yield Withdrawal(predicates=predicates, value=value, span=proof(match))

    return build


def _job_gone(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    del reading
    yield Withdrawal(predicates=_WORK, span=proof(match))


def _arrived(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    """Read "the visa came through": it may have been awaited as the visa, as its result or a decision."""
    del reading
    what = tidy(match["value"], bare=True)
    matter = _OUTCOME.sub("", what)
    ways = [what] if what else []
    if matter in DECIDED or matter != what:
        ways += [f"{matter} {outcome}" for outcome in ("result", "results", "decision")]
    yield from given_up(ways, proof(match), keys=("open_loop.waiting_on",))


_OUTCOME = lazy_pattern(r" (?:results?|decision)\Z")


def _done(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    """Read "I've paid the rent": what is handed in is due no more either."""
    del reading
    verb, rest = DONE[match["verb"].lower()], tidy(match["value"])
    if not rest or re.match(r"\w+ing\b", rest):
        return
    said, matter = rest[0].lower() + rest[1:], tidy(rest, bare=True)
    ways = (said,) if said == matter else (said, matter, f"my {matter}", f"the {matter}")
    yield from given_up((f"{verb} {way}" for way in ways), proof(match), keys=TASK_KEYS)
    if verb in HANDED_IN:
        yield Withdrawal(predicates=("open_loop.deadline",), entity_ref=matter, span=proof(match))


def _allowed(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    del reading
    subject = topic(match["value"])
    if subject:
        yield Withdrawal(predicates=("boundary.topic_avoid",), value=subject, span=proof(match))


_RELATION = f"(?P<relation>{one_of(RELATIONS)})"
_CAME = (
    "(?:came through|has come through|have come through|came in|came back|arrived|has arrived"
    "|have arrived|got approved|was approved|(?:are|is) (?:here|in)(?=[.!\\s]{0,4}\\Z)|have come in"
    "|got here|is finally here|are finally here|finally came|finally arrived|finally came through)"
)
_LIFTED = "(?: again| now| any ?more|, it's (?:fine|okay|ok))"

_PEOPLE_RULES = (
    Rule(
        name="en.back.relative",
        pattern=english(
            f'\\A[^\\w"“‘]{{0,6}}(?P<quote>{_CORRECTION}[\\s,.:;—-]{{1,4}}(?:{_CORRECTION}[\\s,.:;—-]{{1,'
            "4})?(?:i )?(?:don't|do not|never|didn't)(?: actually| really| even)? (?:had|have)(?: an?"
            f"| any)? {_RELATION}s?)(?![\\w’-])"
        ),
        build=_no_relative,
        reach=Reach.SENTENCE,
    ),
    Rule(
        name="en.back.relative_inside",
        pattern=english(
            "<start>i (?:actually don't|don't actually|do not actually|actually do not) have (?:an? "
            f"|any ){_RELATION}s?<end>"
        ),
        build=_no_relative,
    ),
    Rule(
        name="en.back.relative_any_more",
        pattern=english(f"<start>i (?:don't have (?:an? |any |my ){_RELATION}{_ANY_MORE})<end>"),
        build=_no_relative,
    ),
    Rule(
        name="en.back.broke_up",
        pattern=english(
            "<fresh>(?:we(?:'ve)?|my (?:boyfriend|girlfriend|partner|husband|wife|fiancé|fiancée|fiance"
            "|fiancee|ex) and i|<first> and i|me and <first>)(?: have)?(?: just| recently| finally"
            "| both)? (?:broke up|broken up|split up|separated|got divorced|divorced|are divorced"
            "|are no longer together|aren't together any ?more|are getting divorced)\\b(?! (?:the|a|our)\\b)"
        ),
        build=_parted,
        reach=Reach.SENTENCE,
    ),
    Rule(
        name="en.back.broke_up_with",
        pattern=english(
            "<start>(?:i(?:'ve| have)?(?: just| recently)? (?:broke|broken"
            "|split) up with (?:my (?:boyfriend|girlfriend|partner|fiancé|fiancée|fiance|fiancee)"
            "|<first>)|my (?:boyfriend|girlfriend|partner) (?:just )?(?:broke up with me|dumped me"
            "|left me)|i(?:'ve| just)? got(?:ten)? divorced)\\b"
        ),
        build=_parted,
    ),
)

_NAME_RULES = (
    Rule(
        name="en.back.name",
        pattern=english(
            "<fresh>my name(?:'s not| isn't| is not) (?P<wrong><first>)(?:,|;|\\.| but| -"
            "| —)? ?(?:but )?(?:it's|it is|is|but)? ?(?P<right><first>)(?![\\w-])"
        ),
        build=_renamed,
        reach=Reach.SENTENCE,
    ),
    Rule(
        name="en.back.name_not",
        pattern=english(
            "<fresh>my name(?:'s| is) (?P<right><first>),? (?:and )?not (?P<wrong><first>)(?![\\w-])"
        ),
        build=_renamed,
        reach=Reach.SENTENCE,
    ),
    Rule(
        name="en.back.slip",
        pattern=english(
            f"<start>(?P<slip>(?:{_CORRECTION}[\\s,.:;—-]{{1,4}}){{1,2}})?(?:it's|it is"
            "|i meant|the name is|(?:his|her|its|their) name is) (?:actually )?(?P<right><first>),? "
            "(?:and )?not "
            "(?P<wrong><first>)(?![\\w-])"
        ),
        build=_other_name,
        reach=Reach.SENTENCE,
    ),
    Rule(
        name="en.back.relative_name",
        pattern=english(
            f"<fresh>my {_RELATION}(?:'s name)?(?: isn't| is not|'s not)(?: called| named)? "
            f"(?P<wrong><first>),? (?:but )?"
            "(?:it's |it is |(?:s?he is|s?he's) )?(?:called |named )?(?P<right><first>)(?![\\w-])"
        ),
        build=_relative_renamed,
        reach=Reach.SENTENCE,
    ),
    Rule(
        name="en.back.relative_name_not",
        pattern=english(
            f"<fresh>my {_RELATION}(?:'s name)?(?:'s| is)(?: called| named)? (?P<right><first>),? "
            f"(?:and )?not (?P<wrong><first>)"
            "(?![\\w-])"
        ),
        build=_relative_renamed,
        reach=Reach.SENTENCE,
    ),
)

_WORK_RULES = (
    Rule(
        name="en.back.employer",
        pattern=english(
            f"<start>(?:i (?:{_NO_LONGER} work|(?:'ve )?stopped working|(?:just |recently "
            "|finally )?(?:quit|left|resigned from)(?: my job| working)?)(?: at| for| with)?"
            "|<im> (?:no longer|not) (?:working )?(?:at|with|for)) (?:the )?(?P<value>(?-i:[A-Z])[^,"
            f".!?]{{1,50}}?)(?:{_ANY_MORE}|[^\\w]{{0,6}}\\Z)"
        ),
        build=_left_employer,
    ),
    Rule(
        name="en.back.trade",
        pattern=english(
            "<start>(?:<im> (?:no longer (?:an? |working as an? |the )|not (?:an? |working as an? "
            f"|the )(?=.{{2,50}}any ?(?:more|longer)))|i {_NO_LONGER} work as an? |i (?:quit|stopped"
            "|retired from) (?:being|working as) an? )<rest>"
        ),
        build=_left_trade,
    ),
    Rule(
        name="en.back.job",
        pattern=english(
            "<start>(?:i(?:'ve| have)?(?: just| recently| finally| actually| also| even)? (?:quit|lost"
            "|left|resigned from) (?:my|the) (?:job|position|post)|i (?:got|was|just got"
            "|have been)(?: just)? (?:fired|laid off|let go|made redundant)|i(?:'ve"
            "| just)? (?:handed in my notice|resigned))\\b(?! (?:interview|application))"
        ),
        build=_job_gone,
    ),
    Rule(
        name="en.back.home",
        pattern=english(
            f"<start>(?:(?:i|we) {_NO_LONGER} live in|(?:i|we)(?:'ve| have)?(?: just)? moved (?:away from"
            "|out of)|i(?:'m| am) (?:no longer|not) (?:living|based) in) <rest>"
        ),
        build=_left_place,
    ),
)

_HABIT_RULES = (
    Rule(
        name="en.back.habit",
        pattern=english(f"<start>i (?:don't (?:really )?(?P<value>[a-z][^,.!?]{{1,50}}?){_ANY_MORE})<end>"),
        build=_given_up,
    ),
    Rule(name="en.back.habit_no_longer", pattern=english("<start>i no longer <rest>"), build=_given_up),
    Rule(
        name="en.back.habit_quit",
        pattern=english(
            "<start>i(?:'ve| have)?(?: just| finally| recently)? (?:quit|stopped|given up|gave up) <rest>"
        ),
        build=_quit,
    ),
    Rule(
        name="en.back.diet",
        pattern=english(
            "<start><im> (?:no longer|not(?=.{3,30}any ?(?:more"
            f"|longer)))(?: an?)? (?P<value>{one_of(DIETS)}){_ANY_MORE}?<end>"
        ),
        build=_ending(("misc.unclassified",)),
    ),
    Rule(
        name="en.back.effort",
        pattern=english(
            f"<start><im> (?:no longer|not) (?P<value>(?:{one_of(EFFORTS)}) .{{2,60}}?){_ANY_MORE}?<end>"
        ),
        build=_ending(("goal.current_focus",)),
    ),
    Rule(
        name="en.back.goal",
        pattern=english(
            "<start>i(?:'ve| have)? (?:just )?(?:given up on|gave up on|dropped|abandoned) (?:my (?:goal"
            "|plan|dream|idea)s? (?:of|to) )?(?P<value>.{3,70})\\Z"
        ),
        build=_ending(("goal.long_term_objective", "goal.current_focus", "goal.aspiration")),
    ),
)

_LOOP_RULES = (
    Rule(
        name="en.back.awaited",
        pattern=english(
            "<start>(?P<value>(?:my|the|our) [\\w][\\w\\s’-]{1,40}?) (?:finally |just |has finally "
            f"|have finally )?{_CAME}\\b"
        ),
        build=_arrived,
    ),
    Rule(
        name="en.back.received",
        pattern=english(
            "<start>i(?:'ve| have)? (?:finally|just|already)? ?(?:got|received|gotten"
            "|heard back about) (?P<value>(?:my|the) (?!chance|joke|idea|feeling|point"
            "|job)[\\w’-]{2,15}(?: (?!to\\b|from\\b|for\\b)[\\w’-]{2,15}){0,3}?)(?: back| today"
            "| yesterday| this \\w{4,9}| in the mail)?<end>"
        ),
        build=_arrived,
    ),
    Rule(
        name="en.back.not_waiting",
        pattern=english("<start><im> (?:no longer|not) waiting (?:for|on) <rest>"),
        build=_arrived,
    ),
    Rule(
        name="en.back.done",
        pattern=english(
            "<start>i(?:(?:'ve| have)(?: finally| already| just| now)?| finally| already| just) (?P<verb>"
            f"{one_of(DONE)}) <rest>"
        ),
        build=_done,
    ),
    Rule(
        name="en.back.is_done",
        pattern=english(
            "<start>(?P<value>(?:my|the) [\\w][\\w\\s’-]{1,40}?) (?:is|are|has been|have been)(?: "
            "finally| already"
            f"| now| all)? (?P<verb>{one_of(DONE)})(?: now| already| at last)?<end>"
        ),
        build=_done,
    ),
)

_TOPIC_RULES = (
    Rule(
        name="en.back.topic",
        pattern=english(
            "<start>(?:(?:you can|you may|feel free to|it's (?:okay|ok|fine|alright) (?:to|if you)"
            "|it is (?:okay|ok|fine) to|we can|<im> (?:okay|ok|fine|comfortable|ready) (?:with you|to)"
            "|i don't mind if you|i don't mind) (?:now )?"
            "(?:mention|mentioning|bring up|talk about|talking about|ask about|ask me about|discuss"
            f"|discussing|speak about) (?P<value>.{{2,50}}?){_LIFTED})<end>"
        ),
        build=_allowed,
    ),
    Rule(
        name="en.back.topic_open",
        pattern=english(
            "<start>(?P<value>(?:my |the )?[\\w][\\w\\s’-]{1,40}?) (?:is|are) (?:no longer (?:off(?: "
            "|-)limits|a taboo|taboo|a sensitive topic)|not off(?: |-)limits any ?more|fair game again"
            "|okay to mention again)<end>"
        ),
        build=_allowed,
    ),
)

FAMILIES: tuple[Family, ...] = (
    Family(
        cue=r"n.?t\b|\bnot\b|never|broke|split|separated|divorced|together|dumped|left me",
        rules=_PEOPLE_RULES,
    ),
    Family(cue=r"\bnot\b|isn", rules=_NAME_RULES),
    Family(
        cue=r"no longer|n.?t\b|\bnot\b|stopped|quit|left|resigned|retired|lost|fired|laid off|let go"
        "|redundant|notice|moved",
        rules=_WORK_RULES,
    ),
    Family(
        cue=r"no longer|n.?t\b|\bnot\b|quit|stopped|given up|gave up|dropped|abandoned", rules=_HABIT_RULES
    ),
    Family(
        cue=r"\bis\b|\bare\b|been|came|come|arrived|approved|here|got|received|heard|waiting|already|finally|just|ve",
        rules=_LOOP_RULES,
    ),
    Family(
        cue=r"\bcan\b|may|free to|okay|ok|fine|alright|ready|mind|limits|taboo|sensitive|fair game",
        rules=_TOPIC_RULES,
    ),
)
