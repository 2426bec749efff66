"""Whether free text says again what was forgotten, as far as keyed hashes can tell: in the same words."""

from __future__ import annotations

from collections.abc import Iterator

from cmemory.domain.evidence.suppression import Guard
from cmemory.domain.model.bodies import Episode
from cmemory.domain.model.instant import EARLIEST
from cmemory.domain.pattern import lazy_pattern
from cmemory.domain.predicates.registry import PREDICATES
from cmemory.domain.text.sentences import clauses, sentences

#: Longest run of words, and of Chinese characters, that is looked up; a forgotten value is a phrase.
_MAX_WORDS = 8
_MAX_CHARACTERS = 12

_RUN = lazy_pattern(r"[\u3400-\u9fff\uf900-\ufaff]+|[^\s\u3400-\u9fff\uf900-\ufaff]+")
_CHINESE = lazy_pattern(r"[\u3400-\u9fff\uf900-\ufaff]")


class Echoes:
    """Looks texts over for one scope, remembering what was looked up."""

    def __init__(self, guard: Guard) -> None:
        self._guard = guard
        self._idle = not guard.contents and not guard.entities
        self._known: dict[str, bool] = {}

    def found_in(self, text: str) -> bool:
        """Tell whether a run of the text is a forgotten wording or name, or a sentence of it a forgotten quote."""
        if self._idle:
            return False
        return any(map(self._is_wording, _runs(text))) or any(map(self._is_quote, _spans(text)))

    def _is_wording(self, run: str) -> bool:
        if run not in self._known:
            digests = self._guard.content_digests(Episode(narrative=run, occurred_from=EARLIEST))
            self._known[run] = (
                not digests.isdisjoint(self._guard.contents)
                or self._guard.entity_digest(run) in self._guard.entities
            )
        return self._known[run]

    def _is_quote(self, span: str) -> bool:
        keys = (*PREDICATES, "episode")
        return any(self._guard.quote_digest(key, span) in self._guard.contents for key in keys)


def _runs(text: str) -> Iterator[str]:
    words = _RUN.findall(text)
    for at, word in enumerate(words):
        if _CHINESE.match(word):
            for start in range(len(word)):
                yield from (
                    word[start:end] for end in range(start + 1, min(len(word), start + _MAX_CHARACTERS) + 1)
                )
        for end in range(at + 1, min(len(words), at + _MAX_WORDS) + 1):
            yield " ".join(words[at:end])


def _spans(text: str) -> Iterator[str]:
    yield text
    for sentence in sentences(text):
        yield sentence.text.strip()
        yield from (clause.text.strip() for clause in clauses(sentence))
