"""English rules for how the person wants to be accompanied, helped and advised."""

from __future__ import annotations

import re
from collections.abc import Iterable

from cmemory.domain.lexicon.en_wishes import DISTRESS
from cmemory.domain.pattern import lazy_pattern
from cmemory.domain.propose.en_shape import asking, commands, english, spelled
from cmemory.domain.propose.grammar import (
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

_DISTRESSED = (
    f"(?:when|whenever|if|anytime|any time|every time) (?:i'm|i am|i feel|i get|i'm feeling) "
    f"(?:really |very |so |too |a bit |feeling )?{one_of(DISTRESS)}"
)
#: What the person asks for then: the first that is named counts.
_FIRST_MOVES = tuple(
    (lazy_pattern(spelled(words), re.IGNORECASE), predicate, token)
    for words, predicate, token in (
        (r"\b(?:space|leave me alone|back off|let me be)\b", "support.presence_style", "space"),
        (
            r"\b(?:distract|take my mind off|tell me (?:a joke|something funny|jokes))",
            "support.presence_style",
            "distraction",
        ),
        (
            (
                r"\b(?:listen|hear me out|let me (?:vent|talk|cry)|(?:no|don't give(?: me)?"
                "|don't offer(?: me)?|without) (?:any )?(?:advice|solutions)"
                "|don't (?:try to )?(?:fix|solve|lecture))"
            ),
            "support.when_distressed",
            "listen",
        ),
        (
            (
                r"\b(?:validate|tell me (?:it's|that it's|it is) (?:ok|okay|normal|fine|alright)"
                "|take me seriously)"
            ),
            "support.when_distressed",
            "validate",
        ),
        (
            (
                r"\b(?:be quiet|stay quiet|say nothing|don't say anything|just be there|be there|sit with me"
                "|stay with me|be present)"
            ),
            "support.when_distressed",
            "be_present_silently",
        ),
        (
            r"\b(?:ask (?:me )?(?:what|why|how|if|whether|questions|first))",
            "support.when_distressed",
            "clarify",
        ),
        (
            (
                r"\b(?:help me (?:solve|fix|find)|(?:give|offer) me (?:advice|solutions|steps|practical)"
                "|solve|find a solution|suggest)"
            ),
            "support.when_distressed",
            "problem_solve",
        ),
        (
            (
                r"\b(?:comfort|support|reassure|encourage|cheer me|calm me|hug|be (?:kind|gentle|nice|patient"
                "|soft|sweet))"
            ),
            "support.when_distressed",
            "support",
        ),
    )
)


def _when_distressed(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    del reading
    for pattern, predicate, token in _FIRST_MOVES:
        if pattern.search(match["wish"]):
            yield Draft(
                predicate=predicate, value=token, raw_value=match["wish"].strip(" ,.!"), span=proof(match)
            )
            return


_GIVE = (
    "(?:give|offer|giving|offering|start giving|hand out)(?: me)?(?: any| some| your| unsolicited| unwanted)?"
)
_LASTING = "(?! (?:right now|today|tonight|at the moment|now|on this|about this|for now|this time|yet))"


_STANCE_RULES = (
    asking(
        "communication.interaction_style",
        "socratic",
        "<please>(?:guide me with questions|ask me questions (?:instead of|rather than) (?:giving|telling)"
        "|be socratic|make me think|help me find the answers? myself|let me figure (?:it"
        "|things) out myself)",
    ),
    asking(
        "communication.interaction_style",
        "reactive",
        "<please>(?:let me (?:lead|take the lead|steer|set the pace)|follow my lead|don't (?:start"
        "|change) (?:new )?(?:topics|the topic|the subject)|wait for me to (?:ask|bring))",
    ),
    asking(
        "communication.interaction_style",
        "initiative_taking",
        "<please>(?:take the (?:initiative|lead)|be (?:more )?proactive|start conversations"
        "|suggest (?:topics|things) (?:yourself|on your own)|check in (?:on|with) me)",
    ),
    asking(
        "communication.interaction_style",
        "collaborative",
        "<please>(?:think (?:it|things) through with me|work (?:it|things) out with me|brainstorm with me)"
        "|i (?:like|prefer) (?:thinking|working|figuring) things (?:through|out) together",
    ),
    asking(
        "communication.interaction_style",
        "structured",
        "<please>be (?:more )?structured\\b|<please>structure (?:your answers|your replies|things) ",
    ),
    asking(
        "advice.directness",
        "very_direct",
        "<please>(?:don't|do not|stop|no) (?:try to )?sugar ?-?coat(?:ing)?\\b"
        "|<please>(?:don't|do not) (?:mince (?:your )?words|pull (?:any |your )?punches)"
        "|i (?:can handle|want) (?:the )?(?:brutal|hard|harsh|ugly) (?:truth|honesty)"
        "|i (?:want|need|like|prefer) tough love"
        "|<please>tell me the (?:brutal|hard|harsh) truth",
    ),
    asking(
        "advice.directness",
        "direct",
        "<please>(?:tell|give) (?:it to me|me) straight\\b"
        "|<please>give it to me straight"
        "|<please>(?:speak|talk) (?:frankly|plainly|directly)\\b"
        "|<please>don't beat around the bush"
        "|i (?:like|appreciate|prefer|value|want) (?:directness|straight talk|honest feedback|honesty"
        "|frankness)(?: over \\w{3,12})?(?: from you)?(?= from|[\\s.!,]{0,4}\\Z)",
    ),
    asking(
        "advice.directness",
        "gentle",
        "<please>go easy on me\\b"
        "|<please>(?:don't|do not) be (?:so |too )?(?:harsh|blunt|hard on me|direct|mean)\\b"
        "|<please>(?:be nice|be kind|be soft|tread lightly)(?: with me| to me)\\b"
        "|i (?:can't|don't) (?:take|handle|deal with) (?:harsh|blunt) (?:words|criticism"
        "|feedback)(?: well)?",
    ),
    asking(
        "advice.reasoning_depth",
        "show_work",
        "<please>(?:show|explain) (?:me )?(?:your|all your|the) (?:work|working|steps)\\b"
        "|<please>show every step",
    ),
    asking(
        "advice.reasoning_depth",
        "detailed_reasoning",
        "<please>(?:explain|show|share)(?: me)? (?:your|the|all your|your full) (?:reasoning|thinking"
        "|thought process|logic)\\b(?! briefly)"
        "|<please>walk me through your (?:reasoning|thinking)"
        "|i (?:like|want) to (?:know|understand|see) (?:the|your) (?:reasons|reasoning|why)",
    ),
    asking(
        "advice.reasoning_depth",
        "brief_reasoning",
        "<please>(?:explain|give)(?: me)? (?:your |the )?(?:reasoning|reasons?) briefly"
        "|<please>(?:give me )?a (?:short|brief) (?:reason|explanation) (?:is enough|will do)",
    ),
    asking(
        "advice.reasoning_depth",
        "conclusion_only",
        "<please>(?:just |only )?give me (?:just |only )?the (?:answer|conclusion|bottom line"
        "|result)(?: only)?(?= please|[\\s.!,]{0,4}\\Z)"
        "|<please>(?:skip|spare me) the (?:explanations?|reasoning|details)"
        "|(?:please )?(?:no|without) (?:explanations?|reasoning)(?= please| needed| necessary"
        "|[\\s.!,]{0,4}\\Z)"
        "|(?:just|only) the (?:answer|conclusion|bottom line)(?: please)?<end>"
        "|i (?:just|only) want the (?:conclusion|answer|bottom line)<end>",
    ),
    asking(
        "advice.when_to_offer_steps",
        "on_request",
        "<please>only (?:give|offer|show)(?: me)? (?:concrete |action )?steps (?:when|if) i (?:ask|request)"
        "|<please>don't (?:give|offer)(?: me)? (?:concrete |action )?steps (?:unless|until|before) i ask",
    ),
    asking(
        "advice.when_to_offer_steps",
        "proactively",
        "<please>(?:always (?:give|offer)(?: me)? (?:concrete |clear |next )?(?:steps"
        "|step-by-step (?:instructions|help))|break (?:things|it|everything|tasks) (?:down )?(?:into"
        "|in) (?:small |clear |simple )?steps)"
        "|i (?:like|prefer|need|want) step(?:-| )by(?:-| )step (?:instructions|explanations|guides|help)",
    ),
    asking(
        "advice.when_to_offer_steps",
        "never",
        "<please>(?:don't|do not|never|stop) (?:give|giving|offer|offering)(?: me)? (?:steps|step(?:-"
        "| )by(?:-| )step (?:instructions|plans)|action plans|to-do lists)<end>",
    ),
)

_SUPPORT_RULES = (
    asking(
        "support.advice_permission",
        "no_advice_unless_asked",
        f"<please>(?:don't|do not|never|stop|quit|no need to) {_GIVE} (?:advice|suggestions|solutions|tips"
        f"|lectures)\\b{_LASTING}(?! before)"
        f"|(?:please )?no (?:unsolicited |more |unasked |unwanted )?advice\\b{_LASTING}(?= unless| please"
        "| from you| if|[\\s.!,]{0,4}\\Z)"
        "|i(?:'m| am)? (?:don't|do not|not) (?:want|need|like|looking for|asking for|appreciate"
        f"|seeking) (?:any |your |unsolicited )?(?:advice|solutions)\\b{_LASTING}(?= unless| please"
        "| from you|[\\s.!,]{0,4}\\Z)"
        f"|<please>(?:only {_GIVE}|{_GIVE}) advice (?:only )?(?:when|if|once) i (?:ask|explicitly ask"
        "|request)"
        "|<please>(?:don't|do not|never) advise me\\b"
        "|i hate (?:unsolicited |unwanted )advice",
    ),
    asking(
        "support.advice_permission",
        "ask_before_advice",
        f"<please>(?:ask|check)(?: with)?(?: me)?(?: first)?,? ?before (?:you )?{_GIVE} (?:me )?(?:advice"
        "|suggestions|solutions|tips)"
        "|<please>(?:ask|check)(?: with)?(?: me)?(?: first)?,? ?before (?:you )?(?:advise|advising) me"
        "|<please>ask (?:me )?(?:if|whether) i(?:'d like| want| need| would like) (?:any |your "
        "|some )?advice"
        f"|<please>(?:don't|do not|never) {_GIVE} (?:advice|suggestions) (?:before|without) (?:asking"
        "|you ask)",
    ),
    asking(
        "support.advice_permission",
        "advice_welcome",
        "(?:please )?(?:feel free to|you can always|you may always|you're (?:always )?welcome to"
        f"|don't hesitate to|you can|please do) {_GIVE} (?:advice|suggestions|tips)\\b"
        "|(?:your )?(?:advice|suggestions|tips) (?:is|are) (?:always |very )?welcome"
        "|i(?:'m| am)? (?:always )?(?:welcome|open to|happy to get|happy to hear|love getting) (?:any "
        "|your |some )?(?:advice|suggestions)(?= from|[\\s.!,]{0,4}\\Z)"
        "|i(?:'d| would)? (?:always )?(?:appreciate|love|like|value) your advice<end>",
    ),
    asking(
        "support.presence_style",
        "listen_first",
        "(?:sometimes |mostly |usually )?i (?:just |only |mostly |really |really just |sometimes just "
        "|usually just )?(?:want|need|'d like)(?: you| someone| somebody)(?: just)? to (?:just )?(?:listen"
        "|hear me out)\\b"
        "|<please>(?:just )?listen(?: to me)?(?: first)?(?: please| without (?:judging|judgement|judgment"
        "|advice|fixing))<end>"
        "|<please>(?:don't|do not|stop) (?:try to |trying to )?(?:fix|solve|fixing|solving) (?:me|it|things"
        "|everything|my problems|my life|anything|all my problems)\\b"
        "|i (?:just|only) (?:want|need) to (?:vent|be heard)\\b",
    ),
    asking(
        "support.presence_style",
        "validate_first",
        "<please>(?:validate|acknowledge) (?:my|how i) (?:feelings|feel|emotions)"
        "|i (?:just )?(?:want|need)(?: to be| to feel)? (?:validated|validation)\\b",
    ),
    asking(
        "support.presence_style",
        "companionship",
        "<please>(?:just )?(?:keep me company|be there for me)(?: please)?<end>"
        "|i (?:just )?(?:want|need) (?:some |your )?company(?: more than \\w{3,12})?<end>",
    ),
    asking(
        "support.presence_style",
        "practical_help",
        "i (?:want|need|prefer|like) (?:practical|concrete|actual) (?:help|solutions|advice|support)\\b",
    ),
    asking(
        "support.presence_style",
        "space",
        "when i go quiet(?:,)? (?:please )?(?:give me space|leave me be)",
    ),
)

#: What is asked for one kind of moment; see `commands` for why the other rules leave these alone.
_CONDITIONAL_RULES = (
    Rule(
        name="en.distress.then",
        pattern=english(
            f"<fresh>{_DISTRESSED}[\\w\\s]{{0,25}}?[,:]?(?: then)? ?(?P<wish>(?:please |just "
            "|i (?:just )?(?:want|need|like|prefer)|don't|do not|you (?:can|should)|it helps|the best"
            "|what helps|what i need|try|let|give|ask|be|tell|help|stay|sit|distract|comfort|cheer"
            "|validate|listen|leave|hug|never|no )[^.!?;]{2,80})"
        ),
        build=_when_distressed,
        reach=Reach.SENTENCE,
    ),
    Rule(
        name="en.distress.first",
        pattern=english(
            "<fresh>(?P<wish>(?:please |just |i (?:just )?(?:want|need|like|prefer) (?:you|someone|to)"
            "|don't|do not|you (?:can|should)|let me|give me|ask me|be |tell me|help me|stay|sit"
            "|distract me|comfort|cheer me|validate|listen|leave me"
            f"|never)[^.!?;,]{{0,60}}?) {_DISTRESSED}"
        ),
        build=_when_distressed,
        reach=Reach.SENTENCE,
    ),
    Rule(
        name="en.steps.when_stuck",
        pattern=english(
            "<fresh>(?:(?:when|if|whenever) i(?:'m| am| get| feel) stuck,? (?:please |just )?(?:give"
            "|offer|show|walk)(?: me)?(?: through)? [\\w\\s-]{0,20}?steps|<please>(?:give|offer"
            "|show)(?: me)? [\\w\\s-]{0,20}?steps (?:when|if|whenever) i(?:'m| am| get) stuck)"
        ),
        build=meaning("advice.when_to_offer_steps", "when_stuck"),
        reach=Reach.SENTENCE,
    ),
)

FAMILIES: tuple[Family, ...] = (
    Family(cue=r"when|if|any ?time|every time", rules=_CONDITIONAL_RULES),
    Family(
        cue="question|socratic|think|myself|lead|pace|topic|subject|initiative|proactive|conversation"
        "|check in|wait|work|brainstorm|together|structure|sugar|mince|punches|truth|honest|love"
        "|straight|frank|plain|direct|bush|easy|harsh|blunt|hard|mean|nice|kind|soft|lightly|criticism"
        "|feedback|step|reason|logic|why|explanation|answer|conclusion|bottom line|result|detail|plan"
        "|list",
        rules=commands(*_STANCE_RULES),
    ),
    Family(
        cue="advice|advis|suggest|solution|tips|lecture|listen|hear|fix|solv|vent|validat|acknowledge|company"
        "|there for me|help|support|space|leave me",
        rules=commands(*_SUPPORT_RULES),
    ),
)
