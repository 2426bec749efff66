"""Looks for records that are near in meaning to what somebody says, as far as vectors allow.

What a person says in a talk is worded otherwise than what is kept of them, so what their words have in common with
anybody's is taken off as well; see `cmemory.domain.lexicon.usual`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import attrs

from cmemory.app.meaning import Degraded, asked
from cmemory.app.meaning import Found as Seen
from cmemory.app.services import Services
from cmemory.domain.lexicon.usual import USUAL_EN, USUAL_ZH
from cmemory.domain.model.embedding import Embedded
from cmemory.domain.model.instant import Instant
from cmemory.domain.policy import EmbeddingPolicy
from cmemory.domain.recall.nearness import (
    Compass,
    Vector,
    blended,
    chinese_share,
    mean_of,
    near_to_all,
    nearest,
    vectors_of,
)
from cmemory.domain.recall.said import message_terms
from cmemory.ports.embedder import Embedder
from cmemory.ports.store import View


@attrs.frozen(kw_only=True)
class Bearing:
    """What is looked for as vectors: the whole of it, and its last line where that is not all. Empty without an embedder."""

    model: str = ""
    asked: tuple[Vector, ...] = ()
    #: The mean of what people usually say, in the languages of what is looked for.
    usual: Vector = ()
    degraded: Degraded | None = None

    @classmethod
    def of(cls, services: Services, terms: str) -> Bearing:
        """Return where to look. A search never fails for want of it.

        The embedder is asked once, outside any transaction; the first time for what people usually say as well.
        """
        policy, embedder = services.policy.recall.embedding, services.embedder
        lines = terms.strip().splitlines()
        if embedder is None or not lines:
            return cls()
        texts = list(dict.fromkeys((terms, lines[-1]) if len(lines) > 1 else (terms,)))
        found = _embedded(services, embedder, texts, policy)
        if isinstance(found, Degraded):
            return cls(model=embedder.name, degraded=found)
        made, usual = found
        share = chinese_share(message_terms(terms).keys())
        return cls(model=embedder.name, asked=made, usual=blended(*usual, share))

    def course(self, view: View, policy: EmbeddingPolicy) -> Course:
        """Return what is near among the newest records."""
        if not self.asked:
            return Course(model=self.model, degraded=self.degraded)
        places = len(self.asked[0])
        known = vectors_of(view.record_vectors(self.model, limit=policy.scan), places=places)
        made = (Compass.of(one, known, policy, usual=self.usual) for one in self.asked)
        compasses = tuple(one for one in made if one is not None)
        if not compasses:
            return Course(model=self.model, degraded=Degraded.TOO_FEW_VECTORS)
        near = near_to_all(compasses, known)
        return Course(
            model=self.model,
            compasses=compasses,
            places=places,
            nearest=tuple(nearest(near, policy.nearest)),
        )


@attrs.frozen(kw_only=True)
class Course:
    """Where to look, once it is known what all records have in common."""

    model: str
    compasses: tuple[Compass, ...] = ()
    places: int = 0
    #: Ids of the records that are nearest.
    nearest: tuple[str, ...] = ()
    degraded: Degraded | None = None

    def near(self, view: View, ids: Sequence[str]) -> Mapping[str, float]:
        """Return how near each of these records is, by id; what is absent is not near at all."""
        if not self.compasses:
            return {}
        known = vectors_of(view.vectors(Embedded.RECORD, ids, model=self.model), places=self.places)
        return near_to_all(self.compasses, known)

    def told(self, services: Services, now: Instant) -> None:
        """Leave a trace where words had to do."""
        Seen(model=self.model, degraded=self.degraded).told(services, now)


def _embedded(
    services: Services, embedder: Embedder, texts: Sequence[str], policy: EmbeddingPolicy
) -> tuple[tuple[Vector, ...], tuple[Vector, Vector]] | Degraded:
    """Return the vectors of what is looked for, and those of what people usually say, English and Chinese."""
    usual = services.usual.get(embedder.name)
    more = () if usual else (*USUAL_EN, *USUAL_ZH)
    made = asked(embedder, [*texts, *more], policy)
    if isinstance(made, Degraded):
        return made
    wanted, others = tuple(made[: len(texts)]), made[len(texts) :]
    if usual is None:
        usual = mean_of(others[: len(USUAL_EN)]), mean_of(others[len(USUAL_EN) :])
        services.usual[embedder.name] = usual
    return (wanted, usual) if len(wanted[0]) == len(usual[0]) else Degraded.UNREADABLE_VECTOR
