"""Talks to an embedding model over the OpenAI protocol: Ollama, vLLM, the public service and their like."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from typing_extensions import override

from cmemory.adapters.openai.transport import Failure, Reply, Server, check_name
from cmemory.domain.errors import ModelError, UsageError
from cmemory.ports.embedder import Embedder, Purpose

_UNREADABLE = Failure(problem="the model server's answer holds no vectors", retryable=True)

#: After a search went unanswered, how long others do not ask: with a server that hangs, a person waits once in half a
#: minute and not at every turn.
_REST_SECONDS = 30.0


class OpenAIEmbedder(Embedder):
    """One embedding model on one server. Safe to share between threads.

    >>> OpenAIEmbedder("bge-m3", base_url="http://localhost:11434/v1").name
    'bge-m3'

    Args:
        model: the model, as the server calls it.
        base_url: where the server's ``/embeddings`` is; the public service unless given.
        api_key: the key. A local server may do without; the public service may not.
        dimensions: places of a vector, for models that can be told; the model's own unless given.
        query_prefix: put before what is looked for, where the model wants that, such as ``query: `` for e5.
        passage_prefix: put before what is kept, such as ``passage: ``.
        timeout_seconds: how long the server may be silent. A person waits for a search, so it is short.
        max_retries: further attempts after a failure that may pass; what is looked for is never sent twice.
        rest_seconds: after what is looked for went unanswered, for so long it is not asked for again but refused at once.
        monotonic: counts seconds from any moment on; the machine's unless given.

    Raises:
        MissingExtraError: the package ``openai`` is not installed.
        UsageError: an argument cannot be used.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        dimensions: int | None = None,
        query_prefix: str = "",
        passage_prefix: str = "",
        timeout_seconds: float = 10.0,
        max_retries: int = 2,
        rest_seconds: float = _REST_SECONDS,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        check_name(model)
        if dimensions is not None and dimensions < 1:
            raise UsageError(field="dimensions", problem="must be 1 or more")
        if not rest_seconds >= 0:
            raise UsageError(field="rest_seconds", problem="must be 0 or more")
        self._rest_seconds, self._monotonic = rest_seconds, monotonic
        #: Until when nothing is looked for; any thread may move it, and the last one counts.
        self._resting_until = monotonic()
        self._model = model
        self._settings: dict[str, Any] = {} if dimensions is None else {"dimensions": dimensions}
        self._dimensions = dimensions
        self._prefixes = {Purpose.QUERY: query_prefix, Purpose.PASSAGE: passage_prefix}
        self._server = Server(
            base_url=base_url, api_key=api_key, timeout_seconds=timeout_seconds, max_retries=max_retries
        )

    @property
    @override
    def name(self) -> str:
        """The model's name, with what else changes its vectors."""
        cut = f" to {self._settings['dimensions']}" if self._settings else ""
        prefix = self._prefixes[Purpose.PASSAGE]
        return f"{self._model}{cut}{f' after {prefix!r}' if prefix else ''}"

    @property
    @override
    def dimensions(self) -> int | None:
        return self._dimensions

    @override
    def embed(self, texts: Sequence[str], *, purpose: Purpose) -> Sequence[Sequence[float]]:
        """Return one vector for each text; several are sent in one request.

        Raises:
            ModelError: no vectors came, the client was closed, or what is looked for went unanswered a moment ago.
        """
        if not texts:
            return []
        awaited = purpose is Purpose.QUERY
        if awaited and self._monotonic() < self._resting_until:
            raise ModelError(problem="the model server gave no answer a moment ago")
        prefix = self._prefixes[purpose]
        request = {
            "model": self._model,
            "input": [prefix + text for text in texts],
            # Left out, the package would ask for base64, which not every server knows.
            "encoding_format": "float",
            **self._settings,
        }
        try:
            found = self._server.ask(
                lambda client: client.embeddings.with_raw_response.create(**request),
                lambda body: _read_vectors(body, len(texts)),
                patient=not awaited,
            )
        except ModelError as error:
            if awaited and error.retryable:
                self._resting_until = self._monotonic() + self._rest_seconds
            raise
        self._resting_until = self._monotonic()
        self._dimensions = len(found[0])
        return found

    def close(self) -> None:
        """Give up: ends pauses, allows no further attempts, releases connections. Closing twice is harmless."""
        self._server.close()


def openai_embedder_from_environment(environ: Mapping[str, str] = os.environ) -> OpenAIEmbedder | None:
    """Return the embedding model that the environment names, or None when it names none.

    Args:
        environ: holds ``CMEMORY_EMBEDDER``, the model; ``CMEMORY_EMBEDDER_BASE_URL`` and ``CMEMORY_EMBEDDER_API_KEY``, its
            server. Where no server is named, it is that of the language model, with its key; the key of one server is
            never sent to another. Blank counts as absent.

    Raises:
        MissingExtraError: a model is named, but the package ``openai`` is not installed.
        UsageError: the settings do not fit together.
    """
    held = {name: value.strip() for name, value in environ.items()}
    name, base_url, api_key = (held.get(f"CMEMORY_EMBEDDER{part}") for part in ("", "_BASE_URL", "_API_KEY"))
    if not base_url:
        base_url, api_key = held.get("CMEMORY_BASE_URL"), api_key or held.get("CMEMORY_API_KEY")
    return OpenAIEmbedder(name, base_url=base_url or None, api_key=api_key or None) if name else None


def _read_vectors(body: bytes, count: int) -> Reply[list[list[float]]] | Failure:
    """Return the vectors of an answer in the order of the texts, whatever order the server gives them in."""
    try:
        rows = json.loads(body)["data"]
        found = {
            row.get("index", place): [float(value) for value in row["embedding"]]
            for place, row in enumerate(rows)
        }
        vectors = [found[place] for place in range(count)]
    except (ValueError, RecursionError, LookupError, TypeError, AttributeError, OverflowError):
        return _UNREADABLE
    return Reply(vectors) if vectors[0] and len({len(one) for one in vectors}) == 1 else _UNREADABLE
