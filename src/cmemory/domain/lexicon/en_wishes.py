"""English words for how somebody wants to be answered."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_SHORT, _VERY_SHORT, _LONG = (("communication.verbosity", token) for token in ("short", "very_short", "long"))
_DIRECT, _BLUNT, _GENTLE = (("advice.directness", token) for token in ("direct", "very_direct", "gentle"))
_WARM, _PLAYFUL, _FORMAL = (("communication.tone", token) for token in ("warm", "playful", "formal"))

#: What an adjective asks for, in "keep it …", "be …" and "I like … answers".
STYLES: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        **dict.fromkeys(
            (
                "short",
                "shorter",
                "brief",
                "briefer",
                "concise",
                "succinct",
                "to the point",
                "simple and short",
            ),
            _SHORT,
        ),
        **dict.fromkeys(
            (
                "very short",
                "super short",
                "really short",
                "extra short",
                "one-sentence",
                "one sentence",
                "one-line",
                "one line",
            ),
            _VERY_SHORT,
        ),
        **dict.fromkeys(
            (
                "long",
                "longer",
                "detailed",
                "more detailed",
                "thorough",
                "in-depth",
                "in depth",
                "elaborate",
                "lengthy",
            ),
            _LONG,
        ),
        "medium-length": ("communication.verbosity", "medium"),
        **dict.fromkeys(("direct", "more direct", "straightforward", "straight", "honest", "frank"), _DIRECT),
        **dict.fromkeys(
            (
                "blunt",
                "brutally honest",
                "very direct",
                "super direct",
                "brutal",
                "completely honest",
                "totally honest",
            ),
            _BLUNT,
        ),
        **dict.fromkeys(("gentle", "more gentle", "gentler", "soft", "tactful"), _GENTLE),
        "indirect": ("advice.directness", "indirect"),
        **dict.fromkeys(("warm", "warmer", "friendly", "affectionate", "more friendly"), _WARM),
        **dict.fromkeys(
            (
                "playful",
                "more playful",
                "funny",
                "funnier",
                "silly",
                "humorous",
                "witty",
                "lighthearted",
                "light-hearted",
            ),
            _PLAYFUL,
        ),
        **dict.fromkeys(("formal", "more formal", "professional", "polite"), _FORMAL),
        "neutral": ("communication.tone", "neutral"),
    }
)

#: Forbidden acts as they are said after "stop", and as they are kept.
ACTS: Mapping[str, str] = MappingProxyType(
    {
        **{f"{verb}ing": verb for verb in "call address flirt swear mock pretend yell baby treat".split()},
        **{
            f"{verb[:-1]}ing": verb
            for verb in (
                "curse lecture judge compare diagnose patronize patronise shame tease make psychoanalyze"
            ).split()
        },
        "lying": "lie",
        "nagging": "nag",
        "guilt-tripping": "guilt-trip",
    }
)

#: States in which somebody says how they want to be met.
DISTRESS = tuple(
    "upset,sad,down,stressed,stressed out,anxious,angry,crying,overwhelmed,struggling,hurting,"
    "depressed,panicking,low,"
    "having a bad day,having a hard time,having a rough day,having a panic attack,in a bad mood,in "
    "distress,spiraling,"
    "feeling down,feeling low,feeling sad,feeling upset,feeling overwhelmed,feeling anxious,feeling "
    "bad,feeling stressed,"
    "not okay,not ok,venting,frustrated,lonely,grieving,worried,scared,distressed,mad,falling apart".split(
        ","
    )
)
