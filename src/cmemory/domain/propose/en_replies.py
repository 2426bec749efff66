"""English rules for how the person wants replies to look and sound: language, length, layout, tone."""

from __future__ import annotations

import re
from collections.abc import Iterable

from cmemory.domain.lexicon.en_talk import LANGUAGES
from cmemory.domain.lexicon.en_wishes import STYLES
from cmemory.domain.pattern import lazy_pattern
from cmemory.domain.propose.en_shape import asking, commands, english, spelled
from cmemory.domain.propose.grammar import Draft, Family, Finding, Reach, Reading, Rule, one_of, proof

_STYLE = one_of(STYLES)
_STYLE_LIST = f"(?P<styles>{_STYLE}(?:(?:,|,? and|,? but|,? or)? {_STYLE}){{0,3}})"
_LANGUAGE = one_of(LANGUAGES)
_REPLIES = (
    "(?:answers?|replies|reply|responses?|messages?|texts?|explanations?|advice|feedback"
    "|conversations?|communication)"
)
_STYLE_WORD = lazy_pattern(spelled(rf"\b{_STYLE}\b"), re.IGNORECASE)


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


_ANSWERS = (
    "(?:it|things|your (?:answers|replies|responses|messages)|the (?:answers|replies)|answers|replies"
    "|responses|everything|messages|explanations)"
)
_ENOUGH = (
    "(?: please| pls| thanks| only| is enough| is fine| is plenty| will do| are enough| are fine| are best)"
)

_LANGUAGE_RULES = (
    Rule(
        name="en.reply_language.ask",
        pattern=english(
            "<start><please>(?:(?:reply|answer|respond|speak|talk|chat|communicate|text"
            "|message)(?: to me| with me| back| me)?(?: back)?|write(?: to me| me| back){1,2})(?: only"
            f"| always)? in (?P<language>{_LANGUAGE})\\b"
        ),
        build=_reply_language,
    ),
    Rule(
        name="en.reply_language.lets",
        pattern=english(
            "<start>(?:(?:please )?(?:let's|let us|can we|could we|shall we|we can|we should|i'd like to"
            "|i would like to|i want to)(?: please| just| only)? (?:speak|talk|chat|switch|continue|use"
            "|stick|keep|converse|write)(?: with you| to you)?(?: in| to| with)?|<please>(?:switch|change"
            f"|stick) to|<please>use|<please>speak(?: only)?) (?P<language>{_LANGUAGE})(?: with me| to me"
            "| from now on| please| only| instead| together| here| when we talk)?<end>"
        ),
        build=_reply_language,
    ),
    Rule(
        name="en.reply_language.prefer",
        pattern=english(
            "<start>i(?:'d| would)? (?:prefer|rather|like|want)(?: you)?(?: to)?(?: speak| talk| answer"
            f"| reply| chat| get| have)?(?: {_REPLIES})?(?: in)? (?P<language>{_LANGUAGE})(?: {_REPLIES}"
            "| please)?<end>"
        ),
        build=_reply_language,
    ),
    Rule(
        name="en.reply_language.replies",
        pattern=english(
            f"<start>(?:(?P<language>{_LANGUAGE}) (?:please|only|answers please|replies please))<end>"
        ),
        build=_reply_language,
    ),
)

_STYLE_RULES = (
    Rule(
        name="en.style.answers",
        pattern=english(
            "<fresh>(?:i(?:'d| would)?(?: really| also| much)? (?:like|prefer|want|love|need|enjoy"
            "|appreciate|rather have)|"
            "(?:please |can you |could you |always |just ){0,2}(?:give|send|write)(?: me)?|<please>use"
            "|my preference is)"
            f"(?: your| you to give me| to get| to have| getting| when you give me)? {_STYLE_LIST},? "
            f"{_REPLIES}\\b(?: in (?P<language>{_LANGUAGE}))?"
        ),
        build=_styles,
        reach=Reach.SENTENCE,
    ),
    Rule(
        name="en.style.keep",
        pattern=english(
            "<fresh><please>(?:keep|make|i (?:like|prefer|want|need) you to keep|i (?:like|prefer"
            f"|want)) {_ANSWERS} {_STYLE_LIST}\\b(?! (?:as|enough))(?:[^.;!?]{{0,20}}?\\bin "
            f"(?P<language>{_LANGUAGE}))?"
        ),
        build=_styles,
        reach=Reach.SENTENCE,
    ),
    Rule(
        name="en.style.be",
        pattern=english(
            "<fresh><please>(?:be|stay|i (?:like|want|need|prefer) (?:it when )?you(?:'re| are| to be"
            f"| being)?)(?: always| a bit| a little| more| really| as)? {_STYLE_LIST}"
            "(?: with me| to me| please| as possible| and \\w{3,12}| from now on"
            "| when you \\w{3,9}(?: to me| me)?| when talking to me| about \\w{3,12}| in your (?:answers"
            "|replies|advice|feedback)){0,2}(?=[\\s]{0,3}(?:[.,;!?)~]|\\Z))"
        ),
        build=_styles,
        reach=Reach.SENTENCE,
    ),
    Rule(
        name="en.style.please",
        pattern=english(f"<fresh>(?:only )?{_STYLE_LIST} {_REPLIES}{_ENOUGH}"),
        build=_styles,
        reach=Reach.SENTENCE,
    ),
)

_LENGTH_RULES = (
    asking(
        "communication.verbosity",
        "very_short",
        f"(?:one|a single|two) (?:sentence|line|sentences|word)s?(?: answers?| replies| max| tops)?{_ENOUGH}"
        "|<please>(?:answer|reply|respond)(?: me)?(?: only)? (?:in|with) (?:one|a single|two) (?:sentence"
        "|line|word)s?\\b"
        f"|<please>(?:keep|limit) {_ANSWERS} to (?:one|a|two|a single) (?:sentence|line)s?\\b",
    ),
    asking(
        "communication.verbosity",
        "short",
        "<please>(?:don't|do not|stop) (?:write|send|give|writing|sending|giving)(?: me)?(?: such| so"
        "| these)? (?:long|lengthy|huge|essays|walls|novels|paragraphs)"
        "|<please>don't (?:ramble|write essays|be so (?:wordy|verbose|long-winded))"
        "|stop rambling"
        "|no (?:long|lengthy) (?:answers|replies|messages|texts|explanations|paragraphs)"
        "|your (?:answers|replies|messages|responses) are (?:too|way too) long"
        "|(?:<please>)?less (?:text|words)(?: please)"
        "|fewer words please"
        "|i don't (?:like|want|need) (?:long|lengthy) (?:answers|replies|messages|texts|explanations)"
        "|<please>get (?:straight )?to the point(?! where| that| of)\\b"
        "|<please>(?:answer|reply|respond|write)(?: me)? (?:briefly|shortly|concisely|in short)\\b"
        "|<please>keep (?:it|your \\w{3,10}) (?:down )?to a (?:minimum|few sentences)",
    ),
    asking(
        "communication.verbosity",
        "long",
        "<please>(?:answer|reply|explain|write|respond)(?: things| to me| me| everything)? (?:in (?:great "
        "|more |full )?detail|at length|thoroughly)\\b"
        "|<please>(?:go into|give me|i (?:like|want|prefer)) (?:a lot of |lots of |more |plenty of |full "
        "|all the )?(?:detail|details)(?= please|[\\s.!,]{0,4}\\Z)"
        "|your (?:answers|replies|messages|responses) are (?:too|way too) short"
        "|don't be so brief",
    ),
)

_LAYOUT_RULES = (
    asking(
        "communication.format",
        "prose",
        "(?:please )?(?:no|skip the|without|enough with the|less) (?:more )?(?:bullet points|bullets"
        "|bullet lists|bulleted lists|lists)(?= |[.,!]|\\Z)(?! of)"
        "|<please>(?:don't|do not|stop|avoid|never)(?: use| using| give me| giving me| write| writing"
        "| answer in| replying in| answering in| send me| sending me)?(?: any| so many| these| all these"
        "| the)? (?:bullet points|bullets|bullet lists|bulleted lists|lists)\\b(?! of)"
        "|i (?:hate|dislike|don't like|can't stand|don't want)(?: any| your| all these)? (?:bullet points"
        "|bullets|bullet lists|bulleted lists)"
        "|<please>(?:write|answer|reply|respond)(?: to me| me)? (?:in|with|using) (?:plain |full |whole "
        "|normal |flowing )?(?:paragraphs|prose|sentences)\\b",
    ),
    asking(
        "communication.format",
        "bullets",
        "<please>(?:use|give me|answer (?:in|with)|write in|reply (?:in|with)|respond (?:in|with)"
        "|summari[sz]e in|i (?:like|love|prefer)|format (?:it|things|your answers) (?:as"
        "|in)) (?:short )?(?:bullet points|bullets|a bullet list|bullet lists|bulleted lists)\\b"
        "|bullet points (?:please|only|are (?:best|great|easier|better))",
    ),
    asking(
        "communication.format",
        "plain",
        "(?:please )?(?:no|without|skip the) (?:markdown|formatting|bold|asterisks)\\b"
        "|<please>(?:don't|do not|stop|avoid)(?: use| using)?(?: any)? (?:markdown|formatting|bold text"
        "|asterisks)\\b"
        "|(?:please )?(?:just |only )?plain text(?: only| please| is (?:fine|best))"
        "|<please>(?:use|write in|answer in|reply in|stick to) plain text\\b",
    ),
    asking(
        "communication.format",
        "markdown",
        "<please>(?:use|format (?:it|things|your answers) (?:in|as|with)|answer (?:in|with)|reply in"
        "|i (?:like|prefer)) markdown\\b",
    ),
    asking(
        "communication.format",
        "code_heavy",
        "<please>(?:show me|give me|use|i (?:like|prefer)) (?:lots of |more |mostly "
        "|plenty of )?code (?:examples|samples|snippets)\\b",
    ),
)

_TONE_RULES = (
    asking(
        "communication.tone",
        "playful",
        "<please>(?:joke around|tease me|make jokes|crack jokes|use humou?r|keep (?:it|things) (?:light"
        "|fun))\\b(?! on)"
        "|i (?:like|love|enjoy)(?: it)? when you (?:joke|tease me|are funny)",
    ),
    asking(
        "communication.tone",
        "warm",
        "<please>(?:talk|speak|write|text|chat) (?:to|with) me like (?:a|an old|a close|a good|your|my best"
        "|i'm your) (?:best )?friend\\b"
        "|<please>(?:use|keep) a (?:warm|friendly)(?:er)? tone",
    ),
    asking(
        "communication.tone",
        "formal",
        "<please>(?:use|keep|adopt) a (?:more )?(?:formal|professional) tone"
        "|<please>(?:talk|speak|write) (?:to me )?(?:formally|professionally|politely)",
    ),
    asking(
        "communication.tone",
        "gentle",
        "<please>(?:use|keep) a (?:gentle|soft|calm)(?:er)? tone"
        "|<please>(?:talk|speak) (?:to me )?(?:gently|softly)",
    ),
)

FAMILIES: tuple[Family, ...] = (
    Family(cue=rf"\b{_LANGUAGE}", rules=commands(*_LANGUAGE_RULES)),
    Family(cue=spelled(_STYLE), rules=commands(*_STYLE_RULES)),
    Family(
        cue="sentence|line|word|long|length|essay|rambl|verbose|point|brief|short|concise|minimum|detail|thorough|text|huge|wall|novel|paragraph",
        rules=commands(*_LENGTH_RULES),
    ),
    Family(
        cue="bullet|list|markdown|format|bold|asterisk|plain text|code|paragraph|prose|sentence",
        rules=commands(*_LAYOUT_RULES),
    ),
    Family(
        cue="jok|tease|funny|fun\\b|humou?r|light|friend|tone|formally|professionally|politely|gently|softly",
        rules=commands(*_TONE_RULES),
    ),
)
