"""Ports that do exactly what a test tells them."""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Iterable, Sequence
from typing import TypeVar

from typing_extensions import override

from cmemory.domain.errors import ModelError
from cmemory.domain.model.instant import Instant
from cmemory.domain.model.message import Message
from cmemory.domain.prompts.prompt import Prompt
from cmemory.ports.clock import Clock
from cmemory.ports.embedder import Embedder, Purpose
from cmemory.ports.extractor import Extraction, Extractor
from cmemory.ports.model import Model

_T = TypeVar("_T")


class FakeClock(Clock):
    """Stands still until it is told to move.

    >>> clock = FakeClock("2026-03-01T09:00:00Z")
    >>> clock.advance(days=1)
    >>> str(clock())
    '2026-03-02T09:00:00.000000Z'
    """

    def __init__(self, start: str | Instant) -> None:
        self._now = Instant.parse(start, field="start") if isinstance(start, str) else start

    @override
    def __call__(self) -> Instant:
        return self._now

    def advance(self, *, days: float = 0, seconds: float = 0) -> None:
        """Move the clock."""
        self._now = self._now.plus(days=days, seconds=seconds)


class ScriptedModel(Model):
    """Gives the enqueued answers in turn and keeps the prompts it was asked.

    Being asked more often than was scripted is an error of the test, and raised as `AssertionError`.
    """

    def __init__(self, *answers: str | ModelError, name: str = "scripted") -> None:
        self._name = name
        self._answers: deque[str | ModelError] = deque(answers)
        #: Every prompt so far, oldest first.
        self.prompts: list[Prompt] = []

    @property
    @override
    def name(self) -> str:
        return self._name

    def enqueue(self, *answers: str | ModelError) -> None:
        """Add answers to give, or errors to raise, after those that wait already."""
        self._answers.extend(answers)

    @override
    def complete(self, prompt: Prompt) -> str:
        self.prompts.append(prompt)
        return _next(self._answers)


class ScriptedExtractor(Extractor):
    """Gives the enqueued extractions in turn and keeps the messages it was asked about."""

    def __init__(self, *answers: Extraction | ModelError, immediate: bool = False) -> None:
        self._answers: deque[Extraction | ModelError] = deque(answers)
        self._immediate = immediate
        #: Every message so far, oldest first.
        self.messages: list[Message] = []

    @property
    @override
    def immediate(self) -> bool:
        return self._immediate

    def enqueue(self, *answers: Extraction | ModelError) -> None:
        """Add extractions to give, or errors to raise, after those that wait already."""
        self._answers.extend(answers)

    @override
    def __call__(self, message: Message) -> Extraction:
        self.messages.append(message)
        return _next(self._answers)


class ScriptedEmbedder(Embedder):
    """Gives texts near vectors when they hold words that a test declares to mean the same.

    As with real models, all vectors share most of their direction, and no two texts have quite the same one.

    >>> embedder = ScriptedEmbedder(("cello", "music"), ("dog", "puppy"))
    >>> len(embedder.embed(["I play the cello", "She barks"], purpose=Purpose.PASSAGE))
    2

    Args:
        meanings: words of one meaning each, lower-cased.
        name: the model's name.
    """

    #: What all texts have in common, and what one text has for itself, beside 1 for a meaning.
    _SHARED, _OWN, _OWN_PLACES = 3.0, 0.05, 120

    def __init__(self, *meanings: Iterable[str], name: str = "scripted") -> None:
        self._meanings = tuple(tuple(words) for words in meanings)
        self._name = name
        self._errors: deque[ModelError] = deque()
        #: Texts that are refused for good.
        self.refused: frozenset[str] = frozenset()
        #: Every call so far, oldest first.
        self.calls: list[tuple[Purpose, tuple[str, ...]]] = []

    @property
    @override
    def name(self) -> str:
        return self._name

    @property
    @override
    def dimensions(self) -> int:
        return 1 + len(self._meanings) + self._OWN_PLACES

    def fail(self, *errors: ModelError) -> None:
        """Let the next calls fail."""
        self._errors.extend(errors)

    @override
    def embed(self, texts: Sequence[str], *, purpose: Purpose) -> Sequence[Sequence[float]]:
        self.calls.append((purpose, tuple(texts)))
        if self._errors:
            raise self._errors.popleft()
        if not self.refused.isdisjoint(texts):
            raise ModelError(problem="scripted refusal", retryable=False)
        return [self._vector(text.lower()) for text in texts]

    def _vector(self, lowered: str) -> list[float]:
        meant = [float(any(word in lowered for word in words)) for words in self._meanings]
        digest = hashlib.blake2b(
            lowered.encode("utf-8", "replace"), digest_size=self._OWN_PLACES // 8
        ).digest()
        bits = int.from_bytes(digest, "big")
        own = [self._OWN * (1 if bits >> place & 1 else -1) for place in range(self._OWN_PLACES)]
        return [self._SHARED, *meant, *own]


def _next(answers: deque[_T | ModelError]) -> _T:
    if not answers:
        raise AssertionError("asked more often than was scripted")
    answer = answers.popleft()
    if isinstance(answer, ModelError):
        raise answer
    return answer
