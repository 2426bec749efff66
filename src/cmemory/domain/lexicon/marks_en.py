"""English words by which a stretch of speech shows that it states nothing lasting."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from cmemory.domain.pattern import lazy_pattern

#: An apostrophe as people type it, or leave it out.
_A = "['’‘`´]?"
_OPENING = (
    r"\A[^\w\"“]{0,6}(?:(?:and|but|so|oh|ok|okay|well|also|hey|hi|hello|please|then|now|btw|by the way"
    r"|anyway|because|um|sorry)[\s,.]{1,3}){0,3}"
)
#: What somebody asks of the companion for good, though it has the shape of a question.
_ASKED = (
    "(?:call me|answer (?:me )?(?:in|with|briefly)|reply (?:to me )?(?:in|with|briefly)"
    "|respond (?:to me )?(?:in|with)|speak (?:to me |with me )?in"
    r"|speak \w{3,12} (?:to|with) me|talk (?:to me |with me )?in|write (?:to me |back )?in|chat in"
    "|text me in|switch to|stick to"
    "|keep (?:it|things|this|that|your|my|everything)|stop|not|never|avoid|don't|refrain|leave out"
    "|skip the|use (?:fewer|less|no|bullet|plain|simple)"
    r"|be (?:more|less|a bit|a little|brief|concise|direct|honest|blunt|gentle|kind)\b|make your"
    "|just listen|listen (?:to me )?(?:first|without)"
    "|remind me to|ask (?:me )?before|give me (?:short|shorter|brief|long|longer|detailed|direct"
    "|honest|blunt)|bring up|mention)"
).replace("'", _A)
_STATE = (
    "(?:tired|sad|happy|angry|bored|hungry|exhausted|anxious|upset|excited|nervous|sleepy|thirsty"
    "|lonely|down|mad|annoyed|frustrated|stressed"
    "|stressed out|worried|scared|confused|depressed|relieved|glad|proud|sick|cold|hot|overwhelmed"
    "|drained|restless|lost|jealous|grumpy)"
)
_SAYING = (
    "(?:said|says|say|asked|asks|told|tells|thinks|thought|claims|claimed|mentioned|wrote|texted|replied"
    "|insists|insisted|suggested)"
)
#: Whoever else may be speaking; "my name" and "I" are not among them.
_OTHERS = (
    r"(?:\b(?:he|she|they|someone|somebody|people|everyone|everybody|nobody|(?:my|her|his|their|our"
    r"|the|a|another) (?!name)[\w-]{2,20}"
    r"(?: [\w-]{2,15})?)|(?<![.!?,\"“] )(?<!\A)\b(?-i:[A-Z])[a-z]{1,15}"
    r"|\A\s{0,3}(?!I\b)(?-i:[A-Z])[a-z]{1,15})"
)
#: What a person may say of themselves before a lasting wish: "if I'm sad, just listen".
_CONDITION = (
    f"(?:i{_A}m|i am|i feel|i get|i go|i)(?: (?:really|very|so|feeling|too|ever|do))? (?:upset|sad"
    "|down|stressed|anxious|angry|crying|overwhelmed|"
    "struggling|hurting|depressed|panicking|low|lonely|venting|frustrated|not ok|having a|in a bad"
    "|stuck|scared|worried|mad|quiet|need|ask|want)"
)

MARKS: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {
        "joke": lazy_pattern(
            (
                rf"\b(?:just kidding|i{_A}?m (?:just )?(?:kidding|joking)|(?:only|just) joking|jk"
                "|april fools?|kidding!|role-?play(?:ing)?"
                f"|let{_A}?s (?:play|pretend)|pretend(?:ing)? (?:that |to be |i|you|we)|in character"
                "|act as (?:if|a|an|my)|you are now"
                "|(?:translate|proofread|paraphrase|rephrase|rewrite|summari[sz]e|correct) (?:this"
                r"|the following|the|these|my)\b"
                "|(?:write|tell|make up|compose|continue) (?:me |us )?(?:a|an|another"
                r"|the) (?:\w{3,12} )?(?:story|poem|song|scene|script|dialogue|letter|essay|bio|novel"
                r"|cover letter|fairy tale))\b"
            ),
            re.IGNORECASE,
        ),
        "hypothetical": lazy_pattern(
            (
                rf"\b(?:if (?!{_CONDITION})(?:i|i{_A}(?:m|d|ve))\b|if only|suppose(?! to)|supposing|imagine"
                f"|imagining|what if|hypothetically|let{_A}?s say|wish (?:i|that|my|we|you)|wishing i"
                "|as if|as though|in another life|in my dreams?|in a dream|dreamt that|dreamed that"
                "|if we were|if you were|would have been|were to|lyrics|the song goes"
                "|in the (?:movie|film|book|novel|game|show|story|song)|(?:her|his|the) character"
                r"|the protagonist|the narrator|once upon a time|for example|e\.g\.)(?!\w)"
            ),
            re.IGNORECASE,
        ),
        "condition": lazy_pattern(r"\b(?:if|suppos(?:e|ing))\b", re.IGNORECASE),
        "dependent": lazy_pattern(
            rf"\b(?:would|could|might|may|can|will|wo{_A}nt|wish|want|hope|i{_A}(?:d|ll)|maybe)\b",
            re.IGNORECASE,
        ),
        "reported": lazy_pattern(
            (
                rf"{_OTHERS} (?:\w{{2,8}}ly |always |once |just |also |even |keeps? |has "
                rf"|had ){{0,2}}{_SAYING}\b|\baccording to\b|\b(?:he|she|they)(?:{_A}s| was| were| is"
                r"| are)? like,? [\"“]"
                r"|\bi (?:heard|read) (?:that|about|somewhere)\b|\b(?:call|called|named|titled"
                r"|entitled) [\"“]"
            ),
            re.IGNORECASE,
        ),
        "request": lazy_pattern(
            (
                f"{_OPENING}(?:(?:can|could|would|will|can{_A}t|could we|can we|may we|shall we"
                "|would it be possible)(?: you| we| i ask you to)?(?: all)?"
                f"(?: please| maybe| just| kindly| always| try to| mind| perhaps){{0,2}} {_ASKED}"
                r"|(?:can|could|shall) we (?:please )?(?:speak|talk|chat|switch|not|avoid|continue in)\b)"
            ),
            re.IGNORECASE,
        ),
        "question": lazy_pattern(
            (
                rf"\?|{_OPENING}(?:do|does|did|are|is|can|could|would|will|should|shall|was|were|has|what"
                rf"|where|when(?! i\b| i{_A}m\b| we\b| my\b)|why|who|whom|whose|which|how|whether"
                rf"|am i|have (?:you|i|we)|had|may i|might|isn{_A}t|aren{_A}t|don{_A}t (?:you|i)\b"
                f"|doesn{_A}t|didn{_A}t|guess (?:what|who|how)|tell me (?:what|who|where|when|why|how|if"
                "|whether)"
                r"|(?:i )?wonder|i was wondering|remember (?:what|who|where|when|how)|any idea)\b"
            ),
            re.IGNORECASE,
        ),
        "mood": lazy_pattern(
            (
                rf"(?<!when )(?<!whenever )(?<!if )(?<!time )(?<!because )\bi(?:{_A}m| am| feel"
                rf"|{_A}m feeling| am feeling| was| felt)\s+(?:(?:just|so|very|really|a bit|kind of|kinda"
                rf"|a little|pretty|quite|super|feeling|too|also|such|still)\s){{0,3}}{_STATE}\b"
                "(?! (?:of|person))"
            ),
            re.IGNORECASE,
        ),
    }
)
