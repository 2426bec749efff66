"""English rules for what is ahead: goals, limits on them, and what is still open.

A deadline stands for what is due (``entity_ref``), so that two of them never replace each other. Only
household errands get a light follow-up; money, health and people's affairs never do.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from cmemory.domain.lexicon.en_tasks import (
    DONE,
    EFFORTS,
    ERRANDS,
    EVENTS,
    LONG_AIMS,
    NOT_AWAITED,
    TASKS,
)
from cmemory.domain.lexicon.en_time import MONTHS
from cmemory.domain.pattern import lazy_pattern
from cmemory.domain.propose.en_place import leading_day
from cmemory.domain.propose.en_shape import cut_short, english, quoting, tidy
from cmemory.domain.propose.grammar import (
    Build,
    Draft,
    Family,
    Finding,
    Reach,
    Reading,
    Rule,
    chore,
    one_of,
    proof,
)

_WEAK_OBJECT = lazy_pattern(
    r"\b(?:it|this|that|these|those|them|him|her|you|your|something|everything|stuff|things|there|here)\Z",
    re.IGNORECASE,
)
#: "I'm learning a lot", "working on a project": true of everybody.
_WEAK_AIM = lazy_pattern(
    (
        "(?:learning|learn|studying) (?:a lot|a ton|so much|lots|loads|tons|more|from|that|as|new things"
        r"|what|why|about (?:my|your)self)\b"
        "|(?:a |my |some |this )?(?:new |big |small |few |couple of )?(?:projects?|things?|work|stuff|job"
        r"|tasks?)\Z|.{0,60}\b(?:this|that|those)\b|the (?:positive|good|bright|present)\b|(?:always"
        r"|never|not)\b"
    ),
    re.IGNORECASE,
)
#: What is awaited of the companion itself, this minute.
_DELIVERABLE = lazy_pattern(
    r"\b(?:fix|solution|plan|draft|output|code|list|update|data|summary|file|instructions|next steps?)\Z",
    re.IGNORECASE,
)
_HOW_LONG = lazy_pattern(
    r"\s(?:for|since)\s(?:[\w’-]+\s){0,3}(?:days|weeks|months|years|ages|while|long|\w+day|hours)\Z",
    re.IGNORECASE,
)
_WHEN = lazy_pattern(
    (
        r"\s(?:(?:by|before|until|till|on|this|next|in|at|tomorrow|today|tonight|later|first\sthing"
        r"|over\sthe\sweekend|after)\b.*)\Z"
    ),
    re.IGNORECASE,
)
_ERRAND = lazy_pattern(rf"\A{one_of(ERRANDS)}\b", re.IGNORECASE)


def _task(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    """Read something still to do; a household errand may be asked about once."""
    said = tidy(match["value"])
    value, when = _WHEN.sub("", said), _WHEN.search(said)
    if " " not in value or _WEAK_OBJECT.search(value):
        return
    if (
        when is not None
        and re.match(r"\s(?:by|before)\b", when[0])
        and leading_day(when[0].split(maxsplit=1)[1], reading.today)
    ):
        return  # A deadline says more.
    if _ERRAND.match(value):
        yield chore(value, reading.today, proof(match))
    else:
        yield Draft(predicate="open_loop.pending_action", value=value, raw_value=value, span=proof(match))


def _undone(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    """Read "I still haven't paid the rent": the value is the task, "pay the rent"."""
    del reading
    rest = tidy(match["value"])
    if rest and not _WEAK_OBJECT.search(rest):
        raw = match.string[match.start("verb") : match.start("value")] + rest
        task = f"{DONE[match['verb'].lower()]} {rest}"
        yield Draft(predicate="open_loop.pending_action", value=task, raw_value=raw, span=proof(match))


def _awaited(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    del reading
    value = _HOW_LONG.sub("", tidy(match["value"], bare=True))
    first = re.split(r"[\s’']", value.lower(), maxsplit=1)[0]
    if (
        value
        and not _DELIVERABLE.search(value)
        and first not in NOT_AWAITED
        and value.lower() not in NOT_AWAITED
    ):
        yield Draft(predicate="open_loop.waiting_on", value=value, raw_value=value, span=proof(match))


def _due(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    day = leading_day(match["day"], reading.today)
    what = tidy(match["value"], bare=True)
    # "My visa deadline" is the deadline of the visa, which a rule of its own reads.
    if day is not None and what and not what.endswith(" deadline") and day >= reading.today:
        raw = match["day"].strip().rstrip(".,;!")
        yield Draft(
            predicate="open_loop.deadline",
            value=day.isoformat(),
            raw_value=raw,
            entity_ref=what,
            span=proof(match),
        )


def _aim(predicate: str) -> Build:
    """Return a build function for aims of more than one word that name their object."""

    def build(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
        del reading
        value = tidy(match["value"])
        if (
            " " in value
            and not cut_short(match, value)
            and not _WEAK_OBJECT.search(value)
            and not _WEAK_AIM.match(value)
        ):
            yield Draft(predicate=predicate, value=value, raw_value=value, span=proof(match, value))

    return build


def _work(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    del reading
    value = tidy(match["value"], bare=True)
    if value and not _WEAK_OBJECT.search(value) and not _WEAK_AIM.match(tidy(match["value"])):
        yield Draft(predicate="goal.current_focus", value=value, raw_value=value, span=proof(match, value))


_EVENT = (
    f"(?:(?!the |my |a )[\\w’-]{{2,18}} ){{0,3}}{one_of(EVENTS)}(?: with (?:my |the "
    "|dr\\.? )?[\\w’-]{2,18})?"
)
_DAY = "(?P<day>[^.!?;]{3,60})"
_FALLS = (
    "(?:is(?: now)?(?: on| by)?|(?:(?:has|have) been |was |got |has |is )?(?:moved|pushed|postponed"
    "|extended|changed"
    "|shifted|brought forward)(?: back| up| forward)? to)"
)
_HAND_IN = (
    "(?:submit|finish|hand in|turn in|send in|send|file|pay|complete|deliver|renew|return|give back"
    "|register for|apply for|reply to|decide on|book)"
)
_MUST = (
    "(?:have to|need to|must|have got to|'ve got to|gotta|should|am supposed to|'m supposed to|have until"
    "|promised to)"
)
_HAVE_TO = (
    "i(?: (?:still|really|also|just))?(?:'ve got to|'ve gotta| have got to| gotta| got to| have to"
    "| need to| must| should really| really should| ought to)(?: (?:still|remember to|also|finally))?"
)

_GOAL_RULES = (
    Rule(
        name="en.goal.is",
        pattern=english(
            "<fresh>(?:my|one of my|another) (?:\\w{3,12} )?(?:(?:long(?: |-)term |main |big |biggest "
            "|life |ultimate |personal |career |current )?(?:goal|aim|objective|target|ambition|plan)s?"
            "|new year's resolution|resolution)"
            "(?: (?:in life|right now|at the moment|this year|for this year|for \\w{3,10}\\b"
            "|for the year))?(?: is|'s| are)(?: definitely| simply| really| just| still)? (?:to "
            "|that i )?(?P<value>(?!not|the same|simple|clear|just|very|still)(?:[^,.;!?\\n]"
            "|[.](?=\\w)){3,100})"
        ),
        build=_aim("goal.long_term_objective"),
        reach=Reach.SENTENCE,
    ),
    Rule(
        name="en.goal.want",
        pattern=english(
            "<fresh>(?:<i> (?:want|hope|plan|intend|aim|would like|'d like)|i'd (?:really )?like|i'd love"
            "|<im> (?:planning|hoping|determined|aiming)) (?:to )(?:one day |someday |eventually "
            f"|finally )?(?P<value>{one_of(LONG_AIMS)}\\b(?:[^,.;!?\\n]|[.](?=\\w)){{0,90}})"
        ),
        build=_aim("goal.long_term_objective"),
        reach=Reach.SENTENCE,
    ),
    Rule(
        name="en.aspiration",
        pattern=english(
            "<fresh>(?:i(?:'ve| have)? (?:always |long )?(?:dreamed|dreamt|dream) (?:of|about)|(?:my|a"
            "|my biggest|my childhood|my lifelong|one of my) (?:big |biggest |childhood |lifelong "
            "|life's |secret |greatest )?dream(?: in life)?(?: is|'s| has always been"
            "| was always)(?: to)?|"
            "i(?:'ve| have) always wanted to|it(?:'s| is| has always been) my (?:\\w{3,9} )?dream to"
            "|someday i(?:'ll| will| want to| hope to)|one day i(?:'ll| will| want to| hope to"
            "| would like to)) ?(?P<value>(?!are\\b|job|come true|a reality|about (?:you|him"
            "|her))(?:[^,.;!?\\n]"
            "|[.](?=\\w)){3,100})"
        ),
        build=_aim("goal.aspiration"),
        reach=Reach.SENTENCE,
    ),
    Rule(
        name="en.focus.effort",
        pattern=english(
            "<fresh>(?:<im>|<ive> (?:just |recently )?(?:been|started|begun)|i(?: just"
            "| recently)? started) (?:(?:just |recently )?(?:started"
            f"|starting) (?:to )?)?(?P<value>{one_of(EFFORTS)}\\b(?:[^,.;!?\\n]|[.](?=\\w)){{2,90}})"
        ),
        build=_aim("goal.current_focus"),
        reach=Reach.SENTENCE,
    ),
    Rule(
        name="en.focus.working_on",
        pattern=english(
            "<fresh>(?:<im>|<ive> been)(?: (?:busy|hard at work))? (?:working on|focusing on|focused on"
            "|concentrating on|deep into) (?P<value>(?!it\\b|that\\b|this\\b|how|being|not)(?:[^,.;!?\\n]"
            "|[.](?=\\w)){3,90})"
        ),
        build=_work,
        reach=Reach.SENTENCE,
    ),
    Rule(
        name="en.focus.is",
        pattern=english(
            "<fresh>(?:my (?:main |current |biggest |top )?(?:focus|priority|project)(?: right now"
            "| at the moment| these days| this \\w{4,5})?(?: is|'s)|what i'm focusing on is)(?: now"
            "| entirely| fully| mainly| mostly| still| currently"
            "| 100%){0,2}(?: on)? (?P<value>(?:[^,.;!?\\n]|[.](?=\\w)){3,90})"
        ),
        build=_work,
        reach=Reach.SENTENCE,
    ),
)

_CONSTRAINT_RULES = (
    Rule(
        name="en.constraint.budget",
        pattern=english(
            "<start>(?:my (?:\\w{3,12} )?budget is (?:only |about |around |limited to |up to |at most "
            "|under |max )?[^,.!?]{0,20}[0-9][^!?]{0,25}|my budget is (?:very |quite |pretty "
            "|really )?(?:tight|limited|small|low)|<im> on a (?:tight|small|limited|low|student"
            "|shoestring) budget)<end>"
        ),
        build=quoting("goal.constraint"),
    ),
    Rule(
        name="en.constraint.cannot",
        pattern=english(
            "<start>(?:i (?:can't|cannot|can not|am not allowed to|'m not allowed to) (?:eat|drink"
            "|have) (?:(?!it|this|that|much|anything|enough|any|time|a |the |to )[\\w’-]{3,15})(?: (?:or"
            "|and) [\\w’-]{3,15}| products| foods?)?)(?: (?:for (?:health|religious|medical) reasons"
            "|at all|anymore|any more|because|due to).{0,60})?<end>"
        ),
        build=quoting("goal.constraint"),
    ),
    Rule(
        name="en.constraint.time",
        pattern=english(
            "<start>(?:i (?:only have|have only|can only spare|can only spend|can't spend more than"
            "|can't afford more than) [^,!?]{0,14}(?:[0-9]|one|two|three|four|five|ten|half"
            "|an hour)[^,!?]{0,24}(?: (?:a|per|each|every) (?:day|week|month))(?: (?:for|to"
            "|on) [^,!?]{3,30})?)<end>"
        ),
        build=quoting("goal.constraint"),
    ),
)

_WAITING_RULES = (
    Rule(
        name="en.waiting",
        pattern=english(
            "<start>(?:<im> (?:patiently |anxiously |nervously |constantly )?waiting"
            "|<ive> been (?:patiently |anxiously )?waiting|(?:still )?waiting) (?:to hear(?: back)? "
            "(?:from|about)|for (?:news|word|an update) (?:from|about|on)|for|on|to get"
            "|to receive) <rest>"
        ),
        build=_awaited,
    ),
    Rule(name="en.waiting.await", pattern=english("<start>(?:<im> awaiting|i await) <rest>"), build=_awaited),
    Rule(
        name="en.waiting.heard",
        pattern=english(
            "<start>i (?:still )?(?:haven't|have not) (?:heard(?: back)?|gotten|got"
            "|received)(?: anything)?(?: (?:from|about))? (?P<value>(?:my|the|a|an|any"
            "|[a-z]{3,15}) .{3,70}?)(?: yet| still)<end>"
        ),
        build=_awaited,
    ),
)

_DEADLINE_RULES = (
    Rule(
        name="en.deadline.due",
        pattern=english(
            "<fresh>(?P<value>(?:my|the|our|this|an?) [\\w][\\w\\s’-]{1,40}?)(?: is| are|'s) (?:due"
            "|to be (?:submitted|handed in|finished)|supposed to be (?:done|finished|submitted))(?: back"
            f"| in)? ?(?:by |on |before )?{_DAY}"
        ),
        build=_due,
        reach=Reach.SENTENCE,
    ),
    Rule(
        name="en.deadline.for",
        pattern=english(
            f"<fresh>(?:the|my) deadline (?:for|of|to) (?P<value>[\\w\\s’-]{{2,40}}?) {_FALLS} ?{_DAY}"
        ),
        build=_due,
        reach=Reach.SENTENCE,
    ),
    Rule(
        name="en.deadline.noun",
        pattern=english(f"<fresh>(?:my|the) (?P<value>[\\w][\\w\\s’-]{{1,40}}?) deadline {_FALLS} ?{_DAY}"),
        build=_due,
        reach=Reach.SENTENCE,
    ),
    Rule(
        name="en.deadline.must",
        pattern=english(
            f"<fresh>i(?: still| also| really)? ?{_MUST} {_HAND_IN} (?P<value>[\\w][\\w\\s’-]{{2,40}}?) "
            f"(?:by|before|no later than|until) {_DAY}"
        ),
        build=_due,
        reach=Reach.SENTENCE,
    ),
    Rule(
        name="en.deadline.event",
        pattern=english(
            "<fresh>(?:<ive>|i've got|i have got|we have|i got) (?:a|an|my|another|the) (?:big |final "
            f"|important )?(?P<value>{_EVENT})(?: (?:coming up|scheduled|booked))? ?(?:on |for )?{_DAY}"
        ),
        build=_due,
        reach=Reach.SENTENCE,
    ),
    Rule(
        name="en.deadline.my_event",
        pattern=english(
            f"<fresh>my (?:big |final |next )?(?P<value>{_EVENT})(?:'s(?: now)?(?: on)?| {_FALLS}"
            f"|(?: is|'s) (?:scheduled|set|booked) for) ?{_DAY}"
        ),
        build=_due,
        reach=Reach.SENTENCE,
    ),
)

_TASK_RULES = (
    Rule(
        name="en.pending",
        pattern=english(
            f"<start>(?:{_HAVE_TO}|(?:don't let me forget|i (?:keep forgetting|mustn't forget"
            "|must not forget|can't forget|shouldn't forget|always forget)|<please>remind me"
            f"|i was supposed to|my to-do list says) to) (?P<value>{one_of(TASKS)}\\b.{{2,80}})\\Z"
        ),
        build=_task,
    ),
    Rule(
        name="en.pending.undone",
        pattern=english(
            "<start>i (?:still haven't|still have not|haven't yet|still didn't) (?P<verb>"
            + one_of(DONE)
            + ") (?P<value>.{2,70})\\Z"
        ),
        build=_undone,
    ),
    Rule(
        name="en.pending.not_yet",
        pattern=english("<start>i haven't (?P<verb>" + one_of(DONE) + ") (?P<value>.{2,70}?) yet<end>"),
        build=_undone,
    ),
)

FAMILIES: tuple[Family, ...] = (
    Family(
        cue="goal|aim|objective|target|ambition|plan|resolution|want|hop|intend|like to|love to"
        "|determined|dream|day|focus|priority|project|working|concentrating|deep into"
        f"|{one_of({effort.split()[0] for effort in EFFORTS})}",
        rules=_GOAL_RULES,
    ),
    Family(cue="budget|can.{0,2}t|can not|allowed|only", rules=_CONSTRAINT_RULES),
    Family(cue="wait|heard|got|received", rules=_WAITING_RULES),
    Family(
        cue=f"[0-9]|day|tomorrow|tonight|week|month|year|{one_of(MONTHS)}|christmas|halloween",
        rules=_DEADLINE_RULES,
    ),
    Family(cue="hav|must|need|got|should|ought|forget|remind|suppos|list|didn", rules=_TASK_RULES),
)
