"""What a fixture says: months of one person's turns, what is true in them, and what an answer must or must not show.

Values only; `cmemory.bench.eval.validation` tells which fixtures contradict themselves.
``docs/reference/eval-fixtures.md`` describes the JSON.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator

import attrs

from cmemory.domain.model.bodies import NoteKind, Value
from cmemory.domain.model.instant import Instant

#: What a fixture file says of itself.
FORMAT = 1

#: Seconds between two turns of a session.
PACE_SECONDS = 120


class Opportunity(enum.Enum):
    """What a turn offers memory."""

    #: Using what is known makes the answer better.
    POSITIVE = "positive"
    #: Something is known that must stay unsaid.
    NEGATIVE = "negative"
    #: Nothing to use and nothing to guard.
    NONE = "none"


class Effect(enum.Enum):
    """What memory should do to the answer of a turn."""

    #: The person is called by their name.
    NAME = "name"
    #: The answer is in the language they asked for.
    LANGUAGE = "language"
    #: The answer has the form they asked for.
    PREFERENCE = "preference"
    #: The answer takes up what they told before.
    CONTINUITY = "continuity"
    #: The answer holds what is true now, and not what was true before.
    CORRECTION = "correction"
    #: The answer brings up what is due on that day.
    DUE = "due"
    #: What they fenced off stays unsaid.
    BOUNDARY_SILENCE = "boundary_silence"
    #: What may only shape an answer is not recited.
    BACKGROUND_SILENCE = "background_silence"
    #: What they muted stays unsaid.
    MUTE_SILENCE = "mute_silence"
    #: What was forgotten is gone.
    FORGETTING_SILENCE = "forgetting_silence"
    #: The name is known, and left out where it does not belong.
    NAME_RESTRAINT = "name_restraint"

    @property
    def protection(self) -> bool:
        """Whether the effect is silence."""
        return self in _PROTECTIONS

    @property
    def quiet(self) -> bool:
        """Whether the protected record must be quiet by its own level for the silence to be put to the test."""
        return self.protection and self not in (Effect.FORGETTING_SILENCE, Effect.NAME_RESTRAINT)

    @property
    def formal(self) -> bool:
        """Whether the form of the answer shows the effect, not its words."""
        return self in (Effect.LANGUAGE, Effect.PREFERENCE)

    @property
    def recalls(self) -> bool:
        """Whether words of the answer show the effect."""
        return not (self.protection or self.formal)


_PROTECTIONS = frozenset(
    {
        Effect.BOUNDARY_SILENCE,
        Effect.BACKGROUND_SILENCE,
        Effect.MUTE_SILENCE,
        Effect.FORGETTING_SILENCE,
        Effect.NAME_RESTRAINT,
    }
)


class NameExpectation(enum.Enum):
    """Whether the name belongs into an answer."""

    MUST_USE = "must_use"
    #: Told in the report, without deciding anything.
    MAY_USE = "may_use"


class Surface(enum.Enum):
    """How quiet a protected record must be for its silence to be put to the test."""

    BACKGROUND_ONLY = "background_only"
    NEVER_SURFACE = "never_surface"


class Script(enum.Enum):
    """In which characters an answer is written."""

    HAN = "han"
    LATIN = "latin"


class ActKind(enum.Enum):
    """What the person does to records, beside talking."""

    MUTE = "mute"
    DELETE = "delete"
    FORGET = "forget"


@attrs.frozen(kw_only=True)
class GoldClaim:
    """A fact as a faultless reader would propose it, or, among the counterfactuals, one that is wrong."""

    #: A key of the vocabulary.
    predicate: str
    #: As the key takes it: words, a token, a number or a day such as ``2026-03-20``.
    value: Value
    #: The stretch of the turn that proves it; stands there exactly once.
    quote: str
    #: The person's wording of the value.
    raw_value: str | None = None
    #: Whom or what it is about.
    entity: str | None = None
    #: The qualifier of keys that have one.
    context: str | None = None
    #: How sure the reader would be, 0 to 1.
    confidence: float = 0.9
    #: Whether it ends what held before under the same key, as a new home ends the old one.
    takes_over: bool = False
    #: Of a wrong fact: words that betray it in an answer; its value unless given.
    tells: tuple[str, ...] = ()

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts in which a token of evidence may stand."""
        return tuple(text for text in (self.quote, self.raw_value, str(self.value)) if text)


@attrs.frozen(kw_only=True)
class GoldEpisode:
    """Something that happened."""

    #: What happened, in a sentence.
    narrative: str
    #: The stretch of the turn that proves it.
    quote: str
    #: How sure the reader would be, 0 to 1.
    confidence: float = 0.9

    @property
    def texts(self) -> tuple[str, ...]:
        return (self.narrative, self.quote)


@attrs.frozen(kw_only=True)
class GoldNote:
    """A note, such as a promise that comes due."""

    #: A sentence.
    text: str
    #: The stretch of the turn that proves it.
    quote: str
    #: What it is about.
    kind: NoteKind = NoteKind.PROMISE
    #: Days from the start of the fixture to the civil day on which it comes up by itself.
    due_day: int | None = None
    #: Labels, lower-case.
    tags: tuple[str, ...] = ()

    @property
    def texts(self) -> tuple[str, ...]:
        return (self.text, self.quote)


#: What a turn may give to remember.
Gold = GoldClaim | GoldEpisode | GoldNote


@attrs.frozen(kw_only=True)
class RecallEvidence:
    """Words by which an answer shows that it remembers: one strong one, or two of the others."""

    #: One of them suffices.
    strong: tuple[str, ...] = ()
    #: Two different ones of these and the weak ones suffice.
    medium: tuple[str, ...] = ()
    #: As above; kept apart for readers.
    weak: tuple[str, ...] = ()
    #: Words of what no longer holds; one of them spoils a correction.
    stale: tuple[str, ...] = ()

    @property
    def graded(self) -> tuple[str, ...]:
        """The words that count for the answer."""
        return (*self.strong, *self.medium, *self.weak)


@attrs.frozen(kw_only=True)
class ProtectionEvidence:
    """Words that betray what is protected, and how quiet the record that holds them must be."""

    #: None of them may be said; a record that holds all of them is what is protected.
    tokens: tuple[str, ...] = ()
    #: Levels of which that record must have one; not needed for ``forgetting_silence`` and ``name_restraint``.
    surfaces: tuple[Surface, ...] = ()


@attrs.frozen(kw_only=True)
class Form:
    """What an answer looks like from outside."""

    #: Characters at least.
    min_chars: int | None = None
    #: Characters at most.
    max_chars: int | None = None
    #: In which characters it is written.
    script: Script | None = None


@attrs.frozen(kw_only=True)
class Act:
    """Something the person does to every record that holds all of the tokens, after the turn."""

    #: What is done.
    do: ActKind
    #: A record that holds all of them is meant.
    tokens: tuple[str, ...] = ()


@attrs.frozen(kw_only=True)
class Turn:
    """One message of the person."""

    #: What they say.
    text: str
    #: What they are after, for readers.
    intent: str
    #: What the turn offers memory: something to use, something to guard, or neither.
    memory_opportunity: Opportunity = Opportunity.NONE
    #: What memory should do to the answer; absent where nothing is scored.
    effect_type: Effect | None = None
    #: Whether the effect ``name`` decides anything.
    name_expectation: NameExpectation = NameExpectation.MAY_USE
    #: Facts that the turn states.
    gold: tuple[GoldClaim, ...] = ()
    #: What happened, as the turn tells it.
    gold_episodes: tuple[GoldEpisode, ...] = ()
    #: What should be noted of it.
    gold_notes: tuple[GoldNote, ...] = ()
    #: Wrong facts for the arm that is given them; absent where the turn declares none.
    counterfactual: tuple[GoldClaim, ...] | None = None
    #: By which words the answer shows that it remembers.
    recall_evidence: RecallEvidence | None = None
    #: Which words the answer must not say.
    protection_evidence: ProtectionEvidence | None = None
    #: What the answer must look like.
    form: Form | None = None
    #: What the person does to records after the turn, in every arm that has them.
    acts: tuple[Act, ...] = ()

    @property
    def records(self) -> bool:
        """Whether anything of the turn is to be remembered."""
        return bool(self.gold or self.gold_episodes or self.gold_notes)

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts of what is to be remembered."""
        golds: tuple[Gold, ...] = (*self.gold, *self.gold_episodes, *self.gold_notes)
        return tuple(text for one in golds for text in one.texts)


@attrs.frozen(kw_only=True)
class Session:
    """One conversation."""

    #: Names it in artefacts and refusals.
    id: str
    #: Days from the start of the fixture.
    day: int
    #: What the person says, in order.
    turns: tuple[Turn, ...]


@attrs.frozen(kw_only=True)
class Fixture:
    """One person's months, frozen."""

    #: 1.
    format: int
    #: Names it in reports.
    name: str
    #: What it is about, for readers.
    about: str
    #: The language the person mostly speaks, such as ``zh``.
    language: str
    #: The moment of the first turn on day 0.
    starts: Instant
    #: Where the person lives, for civil days.
    zone: str
    #: What the model is told of its part, above what memory says.
    instructions: str
    #: In the order of their days.
    sessions: tuple[Session, ...]

    def placed(self) -> Iterator[Place]:
        """Yield every turn with its place, in order."""
        for session in self.sessions:
            for index, turn in enumerate(session.turns):
                yield Place(session=session, index=index, turn=turn)

    def moment(self, place: Place) -> Instant:
        """Return when a turn is said."""
        return self.starts.plus(days=place.session.day, seconds=PACE_SECONDS * place.index)


@attrs.frozen(kw_only=True)
class Place:
    """One turn, and where it stands."""

    session: Session
    index: int
    turn: Turn

    @property
    def name(self) -> str:
        """The name of the turn in artefacts and refusals, such as ``week-2t0``."""
        return f"{self.session.id}t{self.index}"


def holds(text: str, token: str) -> bool:
    """Tell whether a text holds a token, whatever the case of its letters."""
    return token.casefold() in text.casefold()
