"""A query to the adaptive window, and the utterances it may be answered with, each analysed once."""

from __future__ import annotations

import attrs

from cmemory.domain.gates.hygiene import ContentKind, asks_for_history, focus_terms, kind_of, unsettled
from cmemory.domain.model.affect import Affect
from cmemory.domain.model.message import Message
from cmemory.domain.policy import WindowPolicy
from cmemory.domain.scoring.parts import heuristic_importance
from cmemory.domain.text.mood import mood_of
from cmemory.domain.text.normal import compact, well_formed
from cmemory.domain.text.view import Features


@attrs.frozen(kw_only=True)
class WindowQuery:
    """What the person says now, in the forms in which utterances are compared with it."""

    features: Features
    #: What counts as the query itself: all of it, and each of its lines, lower-cased.
    echoes: frozenset[str] = attrs.field(repr=False)
    #: Names an utterance must share one of; none means no restriction. Never told to anybody.
    focus: frozenset[str] = attrs.field(repr=False)
    plans_wanted: bool
    history_wanted: bool
    #: The mood of the query; None when it should not count.
    affect: Affect | None

    @classmethod
    def of(
        cls, text: str, *, policy: WindowPolicy, history: bool | None = None, affect: Affect | None = None
    ) -> WindowQuery:
        """Analyse a query.

        Args:
            text: what the person says now; several messages of one turn stand on lines of their own.
            policy: how words are read.
            history: whether what was replaced may be shown; told from the words unless given.
            affect: the mood of the query.
        """
        sound = well_formed(text)
        features = features_of(sound, policy)
        plain, original = features.plain, policy.original_reading
        lines = (compact(line) for line in sound.splitlines())
        return cls(
            features=features,
            echoes=frozenset(line.lower() for line in (plain, *lines) if line),
            focus=focus_terms(plain, original=original),
            plans_wanted=unsettled(plain, original=original),
            history_wanted=asks_for_history(plain, original=original) if history is None else history,
            affect=affect,
        )

    @property
    def blank(self) -> bool:
        """Whether nothing was said."""
        return not self.features.plain

    def echoed_by(self, features: Features) -> bool:
        """Tell whether an utterance only repeats the query, or a line of it."""
        return features.plain.lower() in self.echoes


@attrs.frozen(kw_only=True)
class Reading:
    """What there is to see in an utterance, whatever is asked; it depends on the message and the policy alone."""

    message: Message = attrs.field(repr=False)
    features: Features
    kind: ContentKind
    #: 0 to 1.
    importance: float
    mood: Affect

    @classmethod
    def of(cls, message: Message, policy: WindowPolicy) -> Reading:
        """Read an utterance."""
        features = features_of(message.text, policy)
        plain = features.plain
        return cls(
            message=message,
            features=features,
            kind=kind_of(plain, original=policy.original_reading),
            importance=heuristic_importance(plain, message.speaker, policy),
            mood=mood_of(plain),
        )


def features_of(text: str, policy: WindowPolicy) -> Features:
    """Return the features of a text under a policy."""
    return Features.of(
        text,
        aware=policy.scoring.aware,
        original=policy.original_reading,
        dimensions=policy.dimensions,
    )
