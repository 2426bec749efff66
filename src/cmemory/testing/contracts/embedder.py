"""What every `Embedder` must do."""

# ruff: noqa: S101 - pytest asserts with assert, here as in the tests that inherit from this.

from __future__ import annotations

import abc
import math

from cmemory.domain.errors import ModelError
from cmemory.ports.embedder import Embedder, Purpose

#: Words that must not turn up in any error.
_PRIVATE = "我的体检报告在抽屉里"

#: Where an encoding goes wrong first.
_TEXTS = ("The cello is out of tune.", "大提琴走音了。", "a\x00b", "👩‍👩‍👧‍👦", "word " * 500)


class EmbedderContract(abc.ABC):
    """Inherit it in a test module and say how to get an embedder; pytest collects the tests.

    A class that inherits must have a name beginning with ``Test``.
    """

    @abc.abstractmethod
    def working(self) -> Embedder:
        """Return an embedder that answers."""

    @abc.abstractmethod
    def failing(self, *, retryable: bool) -> Embedder | None:
        """Return an embedder whose next call fails, in a way that may pass or never will; None if it never does."""

    def test_it_has_a_name(self) -> None:
        """Vectors of two models are told apart by it."""
        assert self.working().name.strip()

    def test_each_text_has_a_vector_of_one_length(self) -> None:
        """In the order of the texts, finite, and as long as the embedder says once it knows."""
        embedder = self.working()
        vectors = embedder.embed(_TEXTS, purpose=Purpose.PASSAGE)
        assert len(vectors) == len(_TEXTS)
        assert {len(one) for one in vectors} == {embedder.dimensions}
        assert all(math.isfinite(place) for one in vectors for place in one)
        assert all(any(one) for one in vectors)

    def test_one_text_and_none(self) -> None:
        """Nothing asked is nothing answered."""
        embedder = self.working()
        assert len(embedder.embed(_TEXTS[:1], purpose=Purpose.QUERY)) == 1
        assert list(embedder.embed((), purpose=Purpose.PASSAGE)) == []

    def test_the_same_text_has_the_same_vector(self) -> None:
        """Alone and among others, but for rounding."""
        embedder = self.working()
        [alone] = embedder.embed(_TEXTS[:1], purpose=Purpose.PASSAGE)
        first, *_ = embedder.embed(_TEXTS, purpose=Purpose.PASSAGE)
        assert all(math.isclose(one, other, abs_tol=1e-3) for one, other in zip(alone, first, strict=True))

    def test_a_failure_tells_whether_trying_again_makes_sense(self) -> None:
        """Failures come as `ModelError`, carry the difference, and repeat nothing that was said."""
        for retryable in (True, False):
            embedder = self.failing(retryable=retryable)
            if embedder is not None:
                error: BaseException | None = _failure(embedder)
                assert isinstance(error, ModelError)
                assert error.retryable is retryable
                while error is not None:
                    assert _PRIVATE not in f"{error!s} {error!r}"
                    error = error.__cause__ or error.__context__


def _failure(embedder: Embedder) -> ModelError:
    try:
        embedder.embed([_PRIVATE], purpose=Purpose.PASSAGE)
    except ModelError as error:
        return error
    raise AssertionError("the embedder answered")
