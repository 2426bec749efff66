"""Looks for what is near in meaning, as far as vectors allow; without them words count alone, and nothing fails."""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence

import attrs

from cmemory.app.services import Services
from cmemory.domain.errors import ModelError, UsageError
from cmemory.domain.model.embedding import Embedded, Embedding, packed, unpacked
from cmemory.domain.model.instant import Instant
from cmemory.domain.policy import EmbeddingPolicy
from cmemory.domain.recall.nearness import Compass, Vector, vectors_of
from cmemory.domain.trace import Step, Trace
from cmemory.ports.embedder import Embedder, Purpose
from cmemory.ports.store import View


class Degraded(enum.Enum):
    """Why a search went by words alone although there is an embedder."""

    #: It gave no answer.
    EMBEDDER_FAILED = "embedder_failed"
    #: Its answer was no vector.
    UNREADABLE_VECTOR = "unreadable_vector"
    #: Too few texts have a vector of this model yet; see `embed`.
    TOO_FEW_VECTORS = "too_few_vectors"


@attrs.frozen(kw_only=True)
class Sought:
    """What is looked for as a vector, as far as there is one."""

    #: Which model made it.
    model: str = ""
    vector: Vector = ()
    degraded: Degraded | None = None


@attrs.frozen(kw_only=True)
class Found:
    """How near texts are to what is looked for, by id, and where to look for more of them."""

    model: str = ""
    places: int = 0
    compass: Compass | None = None
    near: Mapping[str, float] = attrs.field(factory=dict)
    degraded: Degraded | None = None

    def vectors(self, view: View, kind: Embedded, ids: Sequence[str]) -> Mapping[str, Vector]:
        """Return the vectors of these, as far as there are any."""
        if self.compass is None:
            return {}
        return vectors_of(view.vectors(kind, ids, model=self.model), places=self.places)

    def told(self, services: Services, now: Instant) -> None:
        """Leave a trace where words had to do."""
        if self.degraded is not None and services.sink is not None:
            step = Step(
                name="embedding", subject=self.model, outcome="words_alone", reason=self.degraded.value
            )
            services.sink("search", now, Trace(steps=(step,)))


def seek(services: Services, terms: str) -> Sought:
    """Return what is looked for as a vector. A search never fails for want of one.

    The embedder is asked outside any transaction, and not at all where its answer would weigh nothing.
    """
    policy, embedder = services.policy.recall.embedding, services.embedder
    if embedder is None or not terms.strip():
        return Sought()
    made = asked(embedder, [terms], policy)
    if isinstance(made, Degraded):
        return Sought(model=embedder.name, degraded=made)
    return Sought(model=embedder.name, vector=made[0])


def asked(embedder: Embedder, texts: Sequence[str], policy: EmbeddingPolicy) -> list[Vector] | Degraded:
    """Return what is looked for as vectors, or why there are none; all of them have one length."""
    try:
        made: list[Vector] = [
            unpacked(one) for one in vectors(embedder, texts, purpose=Purpose.QUERY, policy=policy)
        ]
    except ModelError:
        return Degraded.EMBEDDER_FAILED
    except UsageError:
        return Degraded.UNREADABLE_VECTOR
    return made if len(set(map(len, made))) == 1 else Degraded.UNREADABLE_VECTOR


def vectors(
    embedder: Embedder, texts: Sequence[str], *, purpose: Purpose, policy: EmbeddingPolicy
) -> list[bytes]:
    """Return the vectors of texts as they are kept.

    Raises:
        ModelError: the embedder has no answer.
        UsageError: its answer is not one vector for each text.
    """
    answer = embedder.embed([text[: policy.max_chars] for text in texts], purpose=purpose)
    if len(answer) != len(texts):
        raise UsageError(field="vectors", problem="must be one for each text")
    return [packed(one) for one in answer]


def look(
    sought: Sought,
    newest: Sequence[Embedding],
    policy: EmbeddingPolicy,
    *,
    wanted: Sequence[Embedding] | None = None,
) -> Found:
    """Return what is near among the newest vectors.

    Args:
        sought: what is looked for.
        newest: tell what all vectors share.
        policy: how many of them are enough.
        wanted: the vectors that are looked through; ``newest`` unless given.
    """
    if not sought.vector:
        return Found(model=sought.model, degraded=sought.degraded)
    places = len(sought.vector)
    known = vectors_of(newest, places=places)
    compass = Compass.of(sought.vector, known, policy)
    if compass is None:
        return Found(model=sought.model, degraded=Degraded.TOO_FEW_VECTORS)
    among = known if wanted is None else vectors_of(wanted, places=places)
    return Found(model=sought.model, places=places, compass=compass, near=compass.near(among))
