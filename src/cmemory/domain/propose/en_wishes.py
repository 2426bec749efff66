"""English rules for how the person wants to be talked to, helped and advised."""

from __future__ import annotations

import re
from collections.abc import Iterable

from cmemory.domain.lexicon.en_talk import LANGUAGES
from cmemory.domain.lexicon.en_wishes import DISTRESS, STYLES
from cmemory.domain.propose.en_shape import commands, english, meaning, one_of, proof, spelled
from cmemory.domain.propose.grammar import Draft, Finding, Reach, Reading, Rule

_STYLE = one_of(STYLES)
_STYLE_LIST = f"(?P<styles>{_STYLE}(?:(?:,|,? and|,? but|,? or)? {_STYLE}){{0,3}})"
_LANGUAGE = one_of(LANGUAGES)
_REPLIES = (
    "(?:answers?|replies|reply|responses?|messages?|texts?|explanations?|sentences|advice|feedback|conversations?|communication)"
)
_STYLE_WORD = re.compile(spelled(rf"\b{_STYLE}\b"), re.IGNORECASE)


def _styles(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    """Read each adjective of "short, direct answers in English", and the language when one is named."""
    del reading
    for word in _STYLE_WORD.findall(match["styles"]):
        predicate, token = STYLES[re.sub(r"\s+", " ", word.lower())]
        yield Draft(predicate=predicate, value=token, raw_value=word, span=proof(match))
    yield from _language(match, match.re.groupindex)


def _language(match: re.Match[str], groups: Iterable[str]) -> Iterable[Finding]:
    if "language" in groups and match["language"]:
        word = match["language"]
        yield Draft(predicate="communication.language", value=word.title(), raw_value=word, span=proof(match))


def _reply_language(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    del reading
    yield from _language(match, ("language",))


_DISTRESSED = (
    f"(?:when|whenever|if|anytime|any time|every time) (?:i'm|i am|i feel|i get|i'm feeling) "
    f"(?:really |very |so |too |a bit |feeling )?{one_of(DISTRESS)}"
)
#: What the person asks for then: the first that is named counts.
_FIRST_MOVES = tuple(
    (re.compile(spelled(words), re.IGNORECASE), predicate, token)
    for words, predicate, token in (
        (r"\b(?:space|leave me alone|back off|let me be)\b", "support.presence_style", "space"),
        (r"\b(?:distract|take my mind off|tell me (?:a joke|something funny|jokes))", "support.presence_style", "distraction"),
        (r"\b(?:listen|hear me out|let me (?:vent|talk|cry)|(?:no|don't give(?: me)?|don't offer(?: me)?|without) (?:any )?(?:advice|solutions)"
         r"|don't (?:try to )?(?:fix|solve|lecture))", "support.when_distressed", "listen"),
        (r"\b(?:validate|tell me (?:it's|that it's|it is) (?:ok|okay|normal|fine|alright)|take me seriously)", "support.when_distressed", "validate"),
        (r"\b(?:be quiet|stay quiet|say nothing|don't say anything|just be there|be there|sit with me|stay with me|be present)",
         "support.when_distressed", "be_present_silently"),
        (r"\b(?:ask (?:me )?(?:what|why|how|if|whether|questions|first))", "support.when_distressed", "clarify"),
        (r"\b(?:help me (?:solve|fix|find)|(?:give|offer) me (?:advice|solutions|steps|practical)|solve|find a solution|suggest)",
         "support.when_distressed", "problem_solve"),
        (r"\b(?:comfort|support|reassure|encourage|cheer me|calm me|hug|be (?:kind|gentle|nice|patient|soft|sweet))", "support.when_distressed", "support"),
    )
)  # fmt: skip


def _when_distressed(match: re.Match[str], reading: Reading) -> Iterable[Finding]:
    del reading
    for pattern, predicate, token in _FIRST_MOVES:
        if pattern.search(match["wish"]):
            yield Draft(predicate=predicate, value=token, raw_value=match["wish"].strip(" ,.!"), span=proof(match))
            return


def _tokens(prefix: str, predicate: str, table: Iterable[tuple[str, str]]) -> tuple[Rule, ...]:
    """Rules that differ only in their words: each row is a token and the ways to ask for it."""
    return tuple(
        Rule(name=f"{prefix}.{token}", pattern=english(f"<start>(?:{words})"), build=meaning(predicate, token))
        for token, words in table
    )


_ANSWERS = "(?:it|things|your (?:answers|replies|responses|messages)|the (?:answers|replies)|answers|replies|responses|everything|messages|explanations)"
_GIVE = "(?:give|offer|giving|offering|start giving|hand out)(?: me)?(?: any| some| your| unsolicited| unwanted)?"
_ENOUGH = "(?: please| pls| thanks| only| is enough| is fine| is plenty| will do| are enough| are fine| are best)"
_LASTING = "(?! (?:right now|today|tonight|at the moment|now|on this|about this|for now|this time|yet))"

_LANGUAGE_RULES = (
    Rule(
        name="en.reply_language.ask",
        pattern=english(f"<start><please>(?:reply|answer|respond|speak|talk|write|chat|communicate|text|message)(?: to me| with me| back| me)?(?: back)?(?: only| always)? in (?P<language>{_LANGUAGE})\\b"),
        build=_reply_language,
    ),
    Rule(
        name="en.reply_language.lets",
        pattern=english(f"<start>(?:(?:please )?(?:let's|let us|can we|could we|shall we|we can|we should|i'd like to|i would like to|i want to)(?: please| just| only)? (?:speak|talk|chat|switch|continue|use|stick|keep|converse|write)(?: with you| to you)?(?: in| to| with)?|<please>(?:switch|change|stick) to|<please>use|<please>speak(?: only)?) (?P<language>{_LANGUAGE})(?: with me| to me| from now on| please| only| instead| together| here| when we talk)?<end>"),
        build=_reply_language,
    ),
    Rule(
        name="en.reply_language.prefer",
        pattern=english(f"<start>i(?:'d| would)? (?:prefer|rather|like|want)(?: you)?(?: to)?(?: speak| talk| answer| reply| chat| get| have)?(?: {_REPLIES})?(?: in)? (?P<language>{_LANGUAGE})(?: {_REPLIES}| please)?<end>"),
        build=_reply_language,
    ),
    Rule(
        name="en.reply_language.replies",
        pattern=english(f"<start>(?:(?P<language>{_LANGUAGE}) (?:please|only|answers please|replies please))<end>"),
        build=_reply_language,
    ),
)  # fmt: skip

_STYLE_RULES = (
    Rule(
        name="en.style.answers",
        pattern=english("<fresh>(?:i(?:'d| would)?(?: really| also| much)? (?:like|prefer|want|love|need|enjoy|appreciate|rather have)|"
                        "(?:please |can you |could you |always |just ){0,2}(?:give|send|write)(?: me)?|<please>use|my preference is)"
                        f"(?: your| you to give me| to get| to have| getting| when you give me)? {_STYLE_LIST},? {_REPLIES}\\b(?: in (?P<language>{_LANGUAGE}))?"),
        build=_styles,
        reach=Reach.SENTENCE,
    ),
    Rule(
        name="en.style.keep",
        pattern=english(f"<fresh><please>(?:keep|make|i (?:like|prefer|want|need) you to keep|i (?:like|prefer|want)) {_ANSWERS} {_STYLE_LIST}\\b(?! (?:as|enough))(?:[^.;!?]{{0,20}}?\\bin (?P<language>{_LANGUAGE}))?"),
        build=_styles,
        reach=Reach.SENTENCE,
    ),
    Rule(
        name="en.style.be",
        pattern=english(f"<fresh><please>(?:be|stay|i (?:like|want|need|prefer) (?:it when )?you(?:'re| are| to be| being)?)(?: always| a bit| a little| more| really| as)? {_STYLE_LIST}"
                        "(?: with me| to me| please| as possible| and \\w{3,12}| from now on| when you \\w{3,9}(?: to me| me)?| when talking to me| about \\w{3,12}| in your (?:answers|replies|advice|feedback)){0,2}(?=[\\s]{0,3}(?:[.,;!)~]|\\Z))"),
        build=_styles,
        reach=Reach.SENTENCE,
    ),
    Rule(
        name="en.style.please",
        pattern=english(f"<fresh>(?:only )?{_STYLE_LIST} {_REPLIES}{_ENOUGH}"),
        build=_styles,
        reach=Reach.SENTENCE,
    ),
)  # fmt: skip

_VERBOSITY_RULES = _tokens("en.verbosity", "communication.verbosity", (
    ("very_short", f"(?:one|a single|two) (?:sentence|line|sentences|word)s?(?: answers?| replies| max| tops)?{_ENOUGH}"
                   "|<please>(?:answer|reply|respond)(?: me)?(?: only)? (?:in|with) (?:one|a single|two) (?:sentence|line|word)s?\\b"
                   f"|<please>(?:keep|limit) {_ANSWERS} to (?:one|a|two|a single) (?:sentence|line)s?\\b"),
    ("short", "<please>(?:don't|do not|stop) (?:write|send|give|writing|sending|giving)(?: me)?(?: such| so| these)? (?:long|lengthy|huge|essays|walls|novels|paragraphs)"
              "|<please>don't (?:ramble|write essays|be so (?:wordy|verbose|long-winded))|stop rambling|no (?:long|lengthy) (?:answers|replies|messages|texts|explanations|paragraphs)"
              "|your (?:answers|replies|messages|responses) are (?:too|way too) long|(?:<please>)?less (?:text|words)(?: please)|fewer words please"
              "|i don't (?:like|want|need) (?:long|lengthy) (?:answers|replies|messages|texts|explanations)|<please>get (?:straight )?to the point(?! where| that| of)\\b"
              "|<please>(?:answer|reply|respond|write)(?: me)? (?:briefly|shortly|concisely|in short)\\b|<please>keep (?:it|your \\w{3,10}) (?:down )?to a (?:minimum|few sentences)"),
    ("long", "<please>(?:answer|reply|explain|write|respond)(?: things| to me| me| everything)? (?:in (?:great |more |full )?detail|at length|thoroughly)\\b"
             "|<please>(?:go into|give me|i (?:like|want|prefer)) (?:a lot of |lots of |more |plenty of |full |all the )?(?:detail|details)(?= please|[\\s.!,]{0,4}\\Z)"
             "|your (?:answers|replies|messages|responses) are (?:too|way too) short|don't be so brief"),
))  # fmt: skip

_FORMAT_RULES = _tokens("en.format", "communication.format", (
    ("prose", "(?:please )?(?:no|skip the|without|enough with the|less) (?:more )?(?:bullet points|bullets|bullet lists|bulleted lists|lists)(?= |[.,!]|\\Z)(?! of)"
              "|<please>(?:don't|do not|stop|avoid|never)(?: use| using| give me| giving me| write| writing| answer in| replying in| answering in| send me| sending me)?(?: any| so many| these| all these| the)? (?:bullet points|bullets|bullet lists|bulleted lists|lists)\\b(?! of)"
              "|i (?:hate|dislike|don't like|can't stand|don't want)(?: any| your| all these)? (?:bullet points|bullets|bullet lists|bulleted lists)"
              "|<please>(?:write|answer|reply|respond)(?: to me| me)? (?:in|with|using) (?:plain |full |whole |normal |flowing )?(?:paragraphs|prose|sentences)\\b"),
    ("bullets", "<please>(?:use|give me|answer (?:in|with)|write in|reply (?:in|with)|respond (?:in|with)|summari[sz]e in|i (?:like|love|prefer)|format (?:it|things|your answers) (?:as|in)) (?:short )?(?:bullet points|bullets|a bullet list|bullet lists|bulleted lists)\\b"
                "|bullet points (?:please|only|are (?:best|great|easier|better))"),
    ("plain", "(?:please )?(?:no|without|skip the) (?:markdown|formatting|bold|asterisks)\\b|<please>(?:don't|do not|stop|avoid)(?: use| using)?(?: any)? (?:markdown|formatting|bold text|asterisks)\\b"
              "|(?:please )?(?:just |only )?plain text(?: only| please| is (?:fine|best))|<please>(?:use|write in|answer in|reply in|stick to) plain text\\b"),
    ("markdown", "<please>(?:use|format (?:it|things|your answers) (?:in|as|with)|answer (?:in|with)|reply in|i (?:like|prefer)) markdown\\b"),
    ("code_heavy", "<please>(?:show me|give me|use|i (?:like|prefer)) (?:lots of |more |mostly |plenty of )?code (?:examples|samples|snippets)\\b"),
))  # fmt: skip

_TONE_RULES = _tokens("en.tone", "communication.tone", (
        ("playful", "<please>(?:joke around|tease me|make jokes|crack jokes|use humou?r|keep (?:it|things) (?:light|fun))\\b(?! on)|i (?:like|love|enjoy)(?: it)? when you (?:joke|tease me|are funny)"),
        ("warm", "<please>(?:talk|speak|write|text|chat) (?:to|with) me like (?:a|an old|a close|a good|your|my best|i'm your) (?:best )?friend\\b|<please>(?:use|keep) a (?:warm|friendly)(?:er)? tone"),
        ("formal", "<please>(?:use|keep|adopt) a (?:more )?(?:formal|professional) tone|<please>(?:talk|speak|write) (?:to me )?(?:formally|professionally|politely)"),
        ("gentle", "<please>(?:use|keep) a (?:gentle|soft|calm)(?:er)? tone|<please>(?:talk|speak) (?:to me )?(?:gently|softly)"),
))  # fmt: skip

_STANCE_RULES = (
    *_tokens("en.interaction", "communication.interaction_style", (
        ("socratic", "<please>(?:guide me with questions|ask me questions (?:instead of|rather than) (?:giving|telling)|be socratic|make me think|help me find the answers? myself|let me figure (?:it|things) out myself)"),
        ("reactive", "<please>(?:let me (?:lead|take the lead|steer|set the pace)|follow my lead|don't (?:start|change) (?:new )?(?:topics|the topic|the subject)|wait for me to (?:ask|bring))"),
        ("initiative_taking", "<please>(?:take the (?:initiative|lead)|be (?:more )?proactive|start conversations|suggest (?:topics|things) (?:yourself|on your own)|check in (?:on|with) me)"),
        ("collaborative", "<please>(?:think (?:it|things) through with me|work (?:it|things) out with me|brainstorm with me)|i (?:like|prefer) (?:thinking|working|figuring) things (?:through|out) together"),
        ("structured", "<please>be (?:more )?structured\\b|<please>structure (?:your answers|your replies|things) "),
    )),
    *_tokens("en.directness", "advice.directness", (
        ("very_direct", "<please>(?:don't|do not|stop|no) (?:try to )?sugar ?-?coat(?:ing)?\\b|<please>(?:don't|do not) (?:hold back|mince (?:your )?words|pull (?:any |your )?punches)|i (?:can handle|want) (?:the )?(?:brutal|hard|harsh|ugly) (?:truth|honesty)|i (?:want|need|like|prefer) tough love|<please>tell me the (?:brutal|hard|harsh) truth"),
        ("direct", "<please>(?:tell|give) (?:it to me|me) straight\\b|<please>give it to me straight|<please>(?:speak|talk) (?:frankly|plainly|directly)\\b|<please>don't beat around the bush|i (?:like|appreciate|prefer|value|want) (?:directness|straight talk|honest feedback|honesty|frankness)(?: over \\w{3,12})?(?: from you)?(?= from|[\\s.!,]{0,4}\\Z)"),
        ("gentle", "<please>go easy on me\\b|<please>(?:don't|do not) be (?:so |too )?(?:harsh|blunt|hard on me|direct|mean)\\b|<please>(?:be nice|be kind|be soft|tread lightly)(?: with me| to me)\\b|i (?:can't|don't) (?:take|handle|deal with) (?:harsh|blunt) (?:words|criticism|feedback)(?: well)?"),
    )),
    *_tokens("en.reasoning", "advice.reasoning_depth", (
        ("show_work", "<please>(?:show|explain) (?:me )?(?:your|all your|the) (?:work|working|steps)\\b|<please>show every step"),
        ("detailed_reasoning", "<please>(?:explain|show|share)(?: me)? (?:your|the|all your|your full) (?:reasoning|thinking|thought process|logic)\\b(?! briefly)|<please>walk me through your (?:reasoning|thinking)|i (?:like|want) to (?:know|understand|see) (?:the|your) (?:reasons|reasoning|why)"),
        ("brief_reasoning", "<please>(?:explain|give)(?: me)? (?:your |the )?(?:reasoning|reasons?) briefly|<please>(?:give me )?a (?:short|brief) (?:reason|explanation) (?:is enough|will do)"),
        ("conclusion_only", "<please>(?:just |only )?give me (?:just |only )?the (?:answer|conclusion|bottom line|result)(?: only)?(?= please|[\\s.!,]{0,4}\\Z)|<please>(?:skip|spare me) the (?:explanations?|reasoning|details)|(?:please )?(?:no|without) (?:explanations?|reasoning)(?= please| needed| necessary|[\\s.!,]{0,4}\\Z)|(?:just|only) the (?:answer|conclusion|bottom line)(?: please)?<end>|i (?:just|only) want the (?:conclusion|answer|bottom line)<end>"),
    )),
    *_tokens("en.steps", "advice.when_to_offer_steps", (
        ("on_request", "<please>only (?:give|offer|show)(?: me)? (?:concrete |action )?steps (?:when|if) i (?:ask|request)|<please>don't (?:give|offer)(?: me)? (?:concrete |action )?steps (?:unless|until|before) i ask"),
        ("when_stuck", "<please>(?:give|offer|show)(?: me)? (?:concrete |clear )?steps (?:when|if) i(?:'m| am| get) stuck"),
        ("proactively", "<please>(?:always (?:give|offer)(?: me)? (?:concrete |clear |next )?(?:steps|step-by-step (?:instructions|help))|break (?:things|it|everything|tasks) (?:down )?(?:into|in) (?:small |clear |simple )?steps)|i (?:like|prefer|need|want) step(?:-| )by(?:-| )step (?:instructions|explanations|guides|help)"),
        ("never", "<please>(?:don't|do not|never|stop) (?:give|giving|offer|offering)(?: me)? (?:steps|step(?:-| )by(?:-| )step (?:instructions|plans)|action plans|to-do lists)<end>"),
    )),
)  # fmt: skip

_SUPPORT_RULES = (
    *_tokens("en.advice", "support.advice_permission", (
        ("no_advice_unless_asked",
         f"<please>(?:don't|do not|never|stop|quit|no need to) {_GIVE} (?:advice|suggestions|solutions|tips|lectures)\\b{_LASTING}(?! before)"
         f"|(?:please )?no (?:unsolicited |more |unasked |unwanted )?advice\\b{_LASTING}(?= unless| please| from you| if|[\\s.!,]{{0,4}}\\Z)"
         f"|i(?:'m| am)? (?:don't|do not|not) (?:want|need|like|looking for|asking for|appreciate|seeking) (?:any |your |unsolicited )?(?:advice|solutions)\\b{_LASTING}(?= unless| please| from you|[\\s.!,]{{0,4}}\\Z)"
         f"|<please>(?:only {_GIVE}|{_GIVE}) advice (?:only )?(?:when|if|once) i (?:ask|explicitly ask|request)|<please>(?:don't|do not|never) advise me\\b|i hate (?:unsolicited |unwanted )advice"),
        ("ask_before_advice",
         f"<please>(?:ask|check)(?: with)?(?: me)?(?: first)?,? ?before (?:you )?{_GIVE} (?:me )?(?:advice|suggestions|solutions|tips)"
         "|<please>(?:ask|check)(?: with)?(?: me)?(?: first)?,? ?before (?:you )?(?:advise|advising) me|<please>ask (?:me )?(?:if|whether) i(?:'d like| want| need| would like) (?:any |your |some )?advice"
         f"|<please>(?:don't|do not|never) {_GIVE} (?:advice|suggestions) (?:before|without) (?:asking|you ask)"),
        ("advice_welcome",
         f"(?:please )?(?:feel free to|you can always|you may always|you're (?:always )?welcome to|don't hesitate to|you can|please do) {_GIVE} (?:advice|suggestions|tips)\\b"
         "|(?:your )?(?:advice|suggestions|tips) (?:is|are) (?:always |very )?welcome|i(?:'m| am)? (?:always )?(?:welcome|open to|happy to get|happy to hear|love getting) (?:any |your |some )?(?:advice|suggestions)(?= from|[\\s.!,]{0,4}\\Z)"
         "|i(?:'d| would)? (?:always )?(?:appreciate|love|like|value) your advice<end>"),
    )),
    *_tokens("en.presence", "support.presence_style", (
        ("listen_first",
         "(?:sometimes |mostly |usually )?i (?:just |only |mostly |really |really just |sometimes just |usually just )?(?:want|need|'d like)(?: you| someone| somebody)(?: just)? to (?:just )?(?:listen|hear me out)\\b"
         "|<please>(?:just )?listen(?: to me)?(?: first)?(?: please| without (?:judging|judgement|judgment|advice|fixing))<end>"
         "|<please>(?:don't|do not|stop) (?:try to |trying to )?(?:fix|solve|fixing|solving) (?:me|it|things|everything|my problems|my life|anything|all my problems)\\b|i (?:just|only) (?:want|need) to (?:vent|be heard)\\b"),
        ("validate_first", "<please>(?:validate|acknowledge) (?:my|how i) (?:feelings|feel|emotions)|i (?:just )?(?:want|need)(?: to be| to feel)? (?:validated|validation)\\b"),
        ("companionship", "<please>(?:just )?(?:keep me company|be there for me)(?: please)?<end>|i (?:just )?(?:want|need) (?:some |your )?company(?: more than \\w{3,12})?<end>"),
        ("practical_help", "i (?:want|need|prefer|like) (?:practical|concrete|actual) (?:help|solutions|advice|support)\\b"),
        ("space", "when i go quiet(?:,)? (?:please )?(?:give me space|leave me be)"),
    )),
    Rule(
        name="en.distress.then",
        pattern=english(f"<fresh>{_DISTRESSED}[\\w\\s]{{0,25}}?[,:]?(?: then)? ?(?P<wish>(?:please |just |i (?:just )?(?:want|need|like|prefer)|don't|do not|you (?:can|should)|it helps|the best|what helps|what i need|try|let|give|ask|be|tell|help|stay|sit|distract|comfort|cheer|validate|listen|leave|hug|never|no )[^.!?;]{{2,80}})"),
        build=_when_distressed,
        reach=Reach.SENTENCE,
    ),
    Rule(
        name="en.distress.first",
        pattern=english(f"<fresh>(?P<wish>(?:please |just |i (?:just )?(?:want|need|like|prefer) (?:you|someone|to)|don't|do not|you (?:can|should)|let me|give me|ask me|be |tell me|help me|stay|sit|distract me|comfort|cheer me|validate|listen|leave me|never)[^.!?;,]{{0,60}}?) {_DISTRESSED}"),
        build=_when_distressed,
        reach=Reach.SENTENCE,
    ),
)  # fmt: skip

RULES: tuple[Rule, ...] = commands(
    *_LANGUAGE_RULES,
    *_STYLE_RULES,
    *_VERBOSITY_RULES,
    *_FORMAT_RULES,
    *_TONE_RULES,
    *_STANCE_RULES,
    *_SUPPORT_RULES,
)
