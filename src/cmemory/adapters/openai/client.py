"""Talks to a chat model over the OpenAI protocol: the public service, DeepSeek, vLLM, Ollama and their like."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

from typing_extensions import override

from cmemory.adapters.openai.transport import Failure, Reply, Server, check_name
from cmemory.domain.prompts.prompt import Prompt
from cmemory.ports.model import Model


class OpenAIModel(Model):
    """One chat model on one server. Safe to share between threads.

    >>> OpenAIModel("qwen3:8b", base_url="http://localhost:11434/v1").name
    'qwen3:8b'

    Args:
        name: the model, as the server calls it.
        base_url: where the server's ``/chat/completions`` is; the public service unless given.
        api_key: the key. A local server may do without; the public service may not.
        timeout_seconds: how long the server may be silent.
        max_retries: further attempts after a failure that may pass.
        temperature: 0 for the most repeatable answers; None leaves it out, for models that insist on theirs.
        seed: for servers that can repeat their dice.
        thinking_tokens: added to the limit of every answer, for models that think before they answer.

    Raises:
        MissingExtraError: the package ``openai`` is not installed.
        UsageError: an argument cannot be used.
    """

    def __init__(
        self,
        name: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        timeout_seconds: float = 60.0,
        max_retries: int = 2,
        temperature: float | None = 0.0,
        seed: int | None = None,
        thinking_tokens: int = 0,
    ) -> None:
        check_name(name)
        self._name = name
        self._thinking_tokens = thinking_tokens
        # The public service has renamed the field; compatible servers know the old name only.
        self._limit_field = "max_tokens" if base_url else "max_completion_tokens"
        settings = {"temperature": temperature, "seed": seed}
        self._settings = {field: value for field, value in settings.items() if value is not None}
        self._server = Server(
            base_url=base_url, api_key=api_key, timeout_seconds=timeout_seconds, max_retries=max_retries
        )

    @property
    @override
    def name(self) -> str:
        return self._name

    @override
    def complete(self, prompt: Prompt) -> str:
        """Return the model's answer, trying again after failures that may pass.

        Raises:
            ModelError: no answer came, it was cut off or refused, or the client was closed.
        """
        request = self._request(prompt)
        return self._server.ask(
            lambda client: client.chat.completions.with_raw_response.create(**request), _read_completion
        )

    def close(self) -> None:
        """Give up: ends pauses, allows no further attempts, releases connections. Closing twice is harmless.

        A request under way ends with its answer or its timeout, whichever comes first.
        """
        self._server.close()

    def _request(self, prompt: Prompt) -> dict[str, Any]:
        return {
            "model": self._name,
            "messages": [
                {"role": "system", "content": prompt.system},
                {"role": "user", "content": prompt.user},
            ],
            self._limit_field: prompt.max_tokens + self._thinking_tokens,
            **self._settings,
        }


def openai_model_from_environment(environ: Mapping[str, str] = os.environ) -> OpenAIModel | None:
    """Return the model that the environment names, or None when it names none.

    Args:
        environ: holds ``CMEMORY_MODEL``, ``CMEMORY_BASE_URL``, ``CMEMORY_API_KEY``; blank counts as absent.

    Raises:
        MissingExtraError: a model is named, but the package ``openai`` is not installed.
        UsageError: the settings do not fit together.
    """
    name = environ.get("CMEMORY_MODEL", "").strip()
    base_url = environ.get("CMEMORY_BASE_URL", "").strip() or None
    api_key = environ.get("CMEMORY_API_KEY", "").strip() or None
    return OpenAIModel(name, base_url=base_url, api_key=api_key) if name else None


def _read_completion(body: bytes) -> Reply[str] | Failure:
    """Return the text of a completion, read from the bytes because servers differ in what they leave out."""
    try:
        choice = json.loads(body)["choices"][0]
        message = choice["message"]
        text, ending, refusal = message.get("content"), choice.get("finish_reason"), message.get("refusal")
    except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
        return Failure(problem="the model server's answer is no chat completion", retryable=True)
    if ending == "length":
        return Failure(problem="the model's answer was cut off at the token limit", retryable=False)
    if ending == "content_filter" or refusal:
        return Failure(problem="the model refused to answer", retryable=False)
    return Reply(text if isinstance(text, str) else "")
