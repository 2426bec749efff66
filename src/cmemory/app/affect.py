"""Reads the mood of what the person says now: by a few words, or by a model where the policy asks for one."""

from __future__ import annotations

import attrs

from cmemory.app.services import Services
from cmemory.domain.errors import ModelError
from cmemory.domain.model.affect import Affect, AffectFailure
from cmemory.domain.prompts.affect import affect_prompt, read_affect
from cmemory.domain.text.mood import mood_of
from cmemory.ports.model import Model


@attrs.frozen(kw_only=True)
class Sensed:
    """The mood of a query."""

    affect: Affect
    #: Why the words were counted although a model should have been asked; None when nothing went wrong.
    failure: AffectFailure | None = None


def sense(services: Services, query: str) -> Sensed:
    """Return the mood of a query; a turn never fails for want of one.

    The model is asked each time, outside any transaction, and nothing is kept. It is not asked where a mood weighs
    nothing.

    Args:
        services: the policy, and the model where there is one.
        query: what the person says now, well-formed.
    """
    policy = services.policy.window
    if not (policy.model_affect and policy.weights.affect > 0 and query.strip()):
        return Sensed(affect=mood_of(query))
    told = _ask(services.model, query)
    return Sensed(affect=told) if isinstance(told, Affect) else Sensed(affect=mood_of(query), failure=told)


def _ask(model: Model | None, query: str) -> Affect | AffectFailure:
    if model is None:
        return AffectFailure.NO_MODEL
    try:
        answer = model.complete(affect_prompt(query))
    except ModelError:
        return AffectFailure.MODEL_FAILED
    told = read_affect(answer)
    return AffectFailure.UNREADABLE_ANSWER if told is None else told
