"""The closed vocabulary: 47 predicates in canonical order.

Facts cannot be stored under free keys. Each row says which values a predicate takes, how many may stand at once,
how openly it may be spoken of, and whether it may support a slow conclusion. The order is part of the protocol.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from types import MappingProxyType

import attrs


class Cardinality(enum.Enum):
    """How many values of one slot may be true together."""

    #: One; a new value replaces it.
    SINGLE = "single"
    #: Any number; equal values merge.
    SET = "set"
    #: One at a time, expected to change over the years. Behaves like SINGLE.
    TEMPORAL_SINGLE = "temporal_single"


class ValueKind(enum.Enum):
    """What a value looks like."""

    TEXT = "text"
    ENUM = "enum"
    NUMBER = "number"
    DATE = "date"
    #: No predicate uses it yet; the protocol knows it.
    DURATION = "duration"
    #: Text that names a thing; the candidate's ``entity_ref`` must be present too.
    ENTITY_REF = "entity_ref"


class Sensitivity(enum.Enum):
    """How much harm a careless word could do."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class Visibility(enum.IntEnum):
    """How openly a record may be used: a lattice in which any gate may only go down (`meet`)."""

    #: Neither spoken nor used.
    NEVER_SURFACE = 0
    #: May shape the answer, is never recited.
    BACKGROUND_ONLY = 1
    #: May be spoken once the person or the topic gives a cue.
    MENTION_IF_USER_CUES = 2
    #: May be spoken unasked.
    FREELY_MENTIONABLE = 3

    @property
    def token(self) -> str:
        """The name used on every wire and in every rendered text."""
        return self.name.lower()


class Lifetime(enum.Enum):
    """How long a claim holds when nobody says otherwise."""

    PERMANENT = "permanent"
    UNTIL_SUPERSEDED = "until_superseded"
    #: Ends with the session in which it was said.
    SESSION = "session"


@attrs.frozen
class Predicate:
    """One row of the vocabulary."""

    key: str
    cardinality: Cardinality
    kind: ValueKind
    sensitivity: Sensitivity
    #: Whether a claim under this key may support an inference, or be the subject of one.
    may_infer: bool
    visibility: Visibility
    lifetime: Lifetime
    meaning: str
    #: The allowed tokens; empty unless the kind is ENUM.
    enum_values: tuple[str, ...] = ()
    #: The allowed values of the one qualifier ``context``; empty when the key takes no qualifiers.
    contexts: tuple[str, ...] = ()
    #: Whether a candidate must say whom or what it is about, so that two people never share a slot.
    requires_entity: bool = False

    @property
    def domain(self) -> str:
        """The text before the first dot."""
        return self.key.split(".", 1)[0]

    @property
    def subject(self) -> str:
        """The text after the first dot."""
        return self.key.split(".", 1)[1]

    @property
    def single(self) -> bool:
        """Whether a new value replaces the old one."""
        return self.cardinality is not Cardinality.SET


_SET, _ONE, _CHANGING = Cardinality.SET, Cardinality.SINGLE, Cardinality.TEMPORAL_SINGLE
_TEXT, _ENUM, _NUMBER = ValueKind.TEXT, ValueKind.ENUM, ValueKind.NUMBER
_LOW, _MEDIUM, _HIGH = Sensitivity.LOW, Sensitivity.MEDIUM, Sensitivity.HIGH
_FREE, _CUED = Visibility.FREELY_MENTIONABLE, Visibility.MENTION_IF_USER_CUES
_BACKGROUND, _NEVER = Visibility.BACKGROUND_ONLY, Visibility.NEVER_SURFACE
_ALWAYS, _UNTIL, _SESSION = Lifetime.PERMANENT, Lifetime.UNTIL_SUPERSEDED, Lifetime.SESSION

_TONES = ("warm", "neutral", "direct", "playful", "formal", "gentle")
_LAYOUTS = ("prose", "bullets", "markdown", "plain", "code_heavy", "mixed")
_LENGTHS = ("very_short", "short", "medium", "long", "adaptive")
_POSTURES = ("initiative_taking", "reactive", "socratic", "collaborative", "structured", "freeform")
_COMPANY = ("listen_first", "validate_first", "companionship", "practical_help", "space", "distraction")
_FIRST_MOVES = ("listen", "validate", "clarify", "support", "problem_solve", "be_present_silently")
_PLACES = ("mobile", "driving", "at_work", "in_public", "at_home", "unknown")
_REASONING = ("conclusion_only", "brief_reasoning", "detailed_reasoning", "show_work")
_RELATIONS = (
    "partner", "spouse", "parent", "child", "sibling", "friend", "best_friend", "colleague", "manager", "report",
    "ex_partner", "therapist", "pet", "other",
)  # fmt: skip
_DYADS = ("family", "friend", "romantic", "professional", "acquaintance", "adversarial", "other")
_CLOSENESS = ("very_close", "close", "moderate", "distant", "strained", "unknown")

# fmt: off
_ROWS = (
    Predicate("identity.name", _CHANGING, _TEXT, _HIGH, False, _FREE, _ALWAYS, "What to call the user"),
    Predicate("identity.pronouns", _ONE, _ENUM, _HIGH, False, _FREE, _ALWAYS,
              "Pronouns the user declared for themselves",
              enum_values=("she/her", "he/him", "they/them", "ask", "other")),
    Predicate("identity.timezone", _ONE, _TEXT, _HIGH, False, _FREE, _ALWAYS, "The user's time zone, as an IANA name where possible"),
    Predicate("identity.locale", _ONE, _TEXT, _MEDIUM, False, _FREE, _ALWAYS, "Regional convention for dates, numbers and language"),
    Predicate("identity.location", _SET, ValueKind.ENTITY_REF, _HIGH, False, _CUED, _UNTIL,
              "A place connected to the user; the context says whether it is home, work or where they are now",
              contexts=("current", "home", "work"), requires_entity=True),
    Predicate("identity.occupation", _SET, _TEXT, _HIGH, True, _CUED, _UNTIL, "The user's work; several may be true at once"),
    Predicate("identity.role", _SET, _TEXT, _HIGH, True, _CUED, _UNTIL, "A role the user plays, formal or not"),
    Predicate("identity.language", _SET, _TEXT, _LOW, False, _FREE, _ALWAYS, "A language the user can use, not the one to reply in"),
    Predicate("identity.age", _CHANGING, _NUMBER, _HIGH, False, _NEVER, _UNTIL, "Age or year of birth; never spoken"),
    Predicate("boundary.prohibition", _SET, _TEXT, _HIGH, False, _BACKGROUND, _ALWAYS, "Something the companion must never do"),
    Predicate("boundary.safety_limit", _SET, _TEXT, _HIGH, False, _BACKGROUND, _ALWAYS, "A safety line that must not be crossed"),
    Predicate("boundary.privacy_rule", _SET, _TEXT, _HIGH, False, _BACKGROUND, _ALWAYS,
              "Information that may not be kept, repeated or passed on"),
    Predicate("boundary.refusal", _SET, _TEXT, _HIGH, False, _BACKGROUND, _ALWAYS, "A subject or an act the user declined"),
    Predicate("boundary.topic_avoid", _SET, _TEXT, _HIGH, False, _BACKGROUND, _ALWAYS,
              "A subject not to bring up; the value is the bare topic, not the sentence"),
    Predicate("boundary.soft_preference", _SET, _TEXT, _MEDIUM, False, _BACKGROUND, _UNTIL, "A mild wish that something be left out"),
    Predicate("communication.language", _ONE, _TEXT, _LOW, False, _FREE, _ALWAYS, "The language to reply in"),
    Predicate("communication.format", _SET, _ENUM, _LOW, False, _FREE, _UNTIL, "Layout the user likes in replies", enum_values=_LAYOUTS),
    Predicate("communication.verbosity", _ONE, _ENUM, _LOW, False, _FREE, _UNTIL, "How long replies should be",
              enum_values=_LENGTHS, contexts=("work", "casual")),
    Predicate("communication.tone", _SET, _ENUM, _MEDIUM, False, _FREE, _UNTIL, "Register the user likes", enum_values=_TONES),
    Predicate("communication.interaction_style", _SET, _ENUM, _MEDIUM, False, _FREE, _UNTIL,
              "Conversational posture the user likes", enum_values=_POSTURES),
    Predicate("support.presence_style", _SET, _ENUM, _MEDIUM, False, _CUED, _UNTIL,
              "Kind of company wanted when support is needed", enum_values=_COMPANY),
    Predicate("support.when_distressed", _SET, _ENUM, _MEDIUM, False, _CUED, _UNTIL,
              "First move wanted when the user is upset", enum_values=_FIRST_MOVES),
    Predicate("support.advice_permission", _ONE, _ENUM, _MEDIUM, False, _CUED, _UNTIL, "Whether unasked advice is welcome",
              enum_values=("ask_before_advice", "advice_welcome", "no_advice_unless_asked")),
    Predicate("support.physical_context", _CHANGING, _ENUM, _HIGH, False, _NEVER, _SESSION,
              "Where or how the user is at this moment", enum_values=_PLACES),
    Predicate("advice.directness", _ONE, _ENUM, _LOW, False, _CUED, _UNTIL, "How blunt advice may be",
              enum_values=("very_direct", "direct", "gentle", "indirect")),
    Predicate("advice.reasoning_depth", _ONE, _ENUM, _LOW, False, _CUED, _UNTIL, "How much of the reasoning to show", enum_values=_REASONING),
    Predicate("advice.when_to_offer_steps", _SET, _ENUM, _LOW, False, _CUED, _UNTIL, "When step-by-step help is welcome",
              enum_values=("on_request", "when_stuck", "proactively", "never")),
    Predicate("goal.long_term_objective", _SET, _TEXT, _MEDIUM, True, _FREE, _UNTIL, "A lasting aim"),
    Predicate("goal.current_focus", _SET, _TEXT, _MEDIUM, True, _FREE, _UNTIL, "What the user is working on at present"),
    Predicate("goal.aspiration", _SET, _TEXT, _HIGH, True, _CUED, _UNTIL, "A private hope that may not be public"),
    Predicate("goal.constraint", _SET, _TEXT, _MEDIUM, False, _BACKGROUND, _UNTIL, "A restriction on how a goal may be pursued"),
    Predicate("open_loop.pending_action", _SET, _TEXT, _MEDIUM, True, _FREE, _UNTIL, "A task the user has not done yet"),
    Predicate("open_loop.low_risk_check_in", _SET, _TEXT, _LOW, True, _FREE, _UNTIL,
              "A small practical task that one greeting may ask about"),
    Predicate("open_loop.waiting_on", _SET, _TEXT, _MEDIUM, True, _CUED, _UNTIL, "An outcome the user is waiting for"),
    Predicate("open_loop.promised_followup", _CHANGING, _TEXT, _MEDIUM, False, _CUED, _UNTIL,
              "A follow-up the companion promised; says nothing about the user"),
    Predicate("open_loop.deadline", _CHANGING, ValueKind.DATE, _MEDIUM, True, _CUED, _UNTIL, "A dated commitment"),
    Predicate("ritual.recurring_activity", _SET, _TEXT, _LOW, True, _FREE, _UNTIL, "A habit the user described"),
    Predicate("ritual.frequency", _ONE, _TEXT, _LOW, False, _FREE, _UNTIL, "How often a habit occurs", requires_entity=True),
    Predicate("ritual.trigger", _SET, _TEXT, _LOW, False, _CUED, _UNTIL, "What sets a habit off", requires_entity=True),
    Predicate("person.name", _ONE, _TEXT, _MEDIUM, True, _FREE, _ALWAYS, "Name of somebody in the user's life", requires_entity=True),
    Predicate("person.relation_label", _SET, _ENUM, _MEDIUM, True, _FREE, _UNTIL, "That person's relation to the user",
              enum_values=_RELATIONS, requires_entity=True),
    Predicate("person.occupation", _SET, _TEXT, _MEDIUM, True, _FREE, _UNTIL, "That person's work", requires_entity=True),
    Predicate("person.age", _CHANGING, _NUMBER, _HIGH, True, _NEVER, _UNTIL, "That person's age or year of birth", requires_entity=True),
    Predicate("relationship.type", _ONE, _ENUM, _MEDIUM, True, _FREE, _UNTIL, "Category of the relationship",
              enum_values=_DYADS, requires_entity=True),
    Predicate("relationship.closeness", _ONE, _ENUM, _HIGH, True, _CUED, _UNTIL, "The user's private sense of how close they are",
              enum_values=_CLOSENESS, requires_entity=True),
    Predicate("relationship.contact_frequency", _ONE, _TEXT, _MEDIUM, True, _FREE, _UNTIL, "How often they are in contact",
              requires_entity=True),
    Predicate("misc.unclassified", _SET, _TEXT, _HIGH, False, _CUED, _UNTIL,
              "A statement that fits no other key; never replaces anything, never supports a conclusion"),
)
# fmt: on

#: The vocabulary by full key, in canonical order.
PREDICATES: Mapping[str, Predicate] = MappingProxyType({row.key: row for row in _ROWS})

#: The domains in canonical order.
DOMAINS: tuple[str, ...] = tuple(dict.fromkeys(row.domain for row in _ROWS))

#: Share of unclassified claims from which the vocabulary no longer fits the conversation.
MISC_ALARM_SHARE = 0.15


def find(key: str) -> Predicate | None:
    """Return the row of a key, or None when it is not registered."""
    return PREDICATES.get(key)


def split(key: str) -> tuple[str, str] | None:
    """Return domain and subject of a well-formed key of a known domain, else None; only the first dot separates.

    >>> split("identity.name.extra")
    ('identity', 'name.extra')
    """
    domain, dot, subject = key.partition(".")
    return (domain, subject) if dot and subject and domain in DOMAINS else None


def visibility_of(key: str) -> Visibility:
    """Return how openly a key may be spoken of; unknown keys fail closed."""
    row = PREDICATES.get(key)
    return row.visibility if row else Visibility.BACKGROUND_ONLY


def may_infer(key: str) -> bool:
    """Tell whether a key may take part in an inference; unknown keys may not."""
    row = PREDICATES.get(key)
    return row is not None and row.may_infer


def is_boundary(key: str) -> bool:
    """Tell whether a key states an obligation, registered or not."""
    return key.startswith("boundary.")


#: The registered keys that state an obligation.
BOUNDARIES = tuple(filter(is_boundary, PREDICATES))

#: The registered keys that by themselves never silence what they were learned from.
HARMLESS = tuple(
    key
    for key, row in PREDICATES.items()
    if not (is_boundary(key) or row.visibility is Visibility.NEVER_SURFACE)
)
