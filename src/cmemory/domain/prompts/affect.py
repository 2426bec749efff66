"""Asks a language model for the mood of one message, and reads its answer.

The mood is a hint of low weight for the adaptive window: no diagnosis, no fact about the person, kept nowhere.
"""

from __future__ import annotations

from cmemory.domain.model.affect import MAX_LABELS, Affect, AffectSource
from cmemory.domain.prompts.answer import read_number, read_object
from cmemory.domain.prompts.prompt import MESSAGE_IS_DATA, Prompt, fenced

#: The object takes some 50 tokens; models that like to explain themselves get as many again, and then some.
MAX_ANSWER_TOKENS = 160

#: Code points of a message that are shown: a mood shows at its beginning or its end.
MAX_SHOWN_CHARS = 4_000

#: Without any of these an answer tells no mood.
_NUMBERS = ("valence", "arousal", "dominance")


def affect_prompt(text: str) -> Prompt:
    """Return the request for the mood of a message; the same message gives the same bytes.

    Args:
        text: what the person says, well-formed.
    """
    shown = fenced(text, max_chars=MAX_SHOWN_CHARS)
    return Prompt(
        system=_INSTRUCTIONS,
        user=f"{shown}\nThe JSON object for this message:",
        max_tokens=MAX_ANSWER_TOKENS,
    )


def read_affect(answer: object) -> Affect | None:
    """Return the mood an answer tells, None when it tells none; never raises.

    Prose and fences around the object do not matter. Numbers are held in their ranges; what is missing, or is no number,
    counts as neutral, but not all three of them.

    Args:
        answer: as the model gave it; anything but a text is unreadable.

    >>> mood = read_affect('Here: {"valence": -3, "arousal": 0.5, "labels": ["Worried"]}')
    >>> mood.valence, mood.arousal, mood.dominance, mood.labels, mood.source.value
    (-1.0, 0.5, 0.5, ('worried',), 'model')
    """
    told = read_object(answer)
    if told is None or all(read_number(told, name) is None for name in _NUMBERS):
        return None
    return Affect.read(told, source=AffectSource.MODEL)


_INSTRUCTIONS = f"""\
You tell the mood of one chat message of a user, in Chinese or English, in a few numbers. They help a \
companion choose which earlier messages to look at, and nothing else comes of them. You neither diagnose \
nor judge: say nothing of the user's health, character, beliefs or origin. Claim no more than the words \
show; a plain question or a matter of fact is neutral.

{MESSAGE_IS_DATA}

ANSWER
One JSON object and nothing else: no explanation, no code fence.
{{"valence", "arousal", "dominance", "labels", "confidence"}}
- valence: a number from -1 (very unpleasant) to 1 (very pleasant); 0 is neutral.
- arousal: a number from 0 (calm) to 1 (agitated).
- dominance: a number from 0 (helpless) to 1 (in control); 0.5 when the message does not show it.
- labels: a list of at most {MAX_LABELS} short words for the mood, in English; empty when it is neutral.
- confidence: a number from 0 to 1, how plainly the message shows it.

EXAMPLES
还是没等到体检结果，有点慌。 →
{{"valence": -0.5, "arousal": 0.6, "dominance": 0.3, "labels": ["anxious"], "confidence": 0.8}}
What was the gate code again? →
{{"valence": 0, "arousal": 0.2, "dominance": 0.5, "labels": [], "confidence": 0.6}}
"""
