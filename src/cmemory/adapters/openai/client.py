"""Talks to a chat model over the OpenAI protocol: the public service, DeepSeek, vLLM, Ollama and their like.

Whatever goes wrong leaves here as a `ModelError` in our own words. The server's are not passed on, since they
may repeat the key or what the person said.
"""

from __future__ import annotations

import json
import math
import os
import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import attrs
from typing_extensions import override

from cmemory.domain.errors import MissingExtraError, ModelError, UsageError
from cmemory.domain.prompts.prompt import Prompt
from cmemory.ports.model import Model

if TYPE_CHECKING:
    import openai

#: The public service.
PUBLIC_URL = "https://api.openai.com/v1"

#: Sent to servers that ask for no key, because the protocol's client insists on one.
_NO_KEY = "none"

#: Seconds before the second attempt, doubling from there, and the longest pause, whatever the server asks
#: for. Longer outages are for the inbox, which waits without holding up a thread.
_FIRST_PAUSE_SECONDS = 0.5
_LONGEST_PAUSE_SECONDS = 8.0

#: Client errors that pass by themselves: request timeout, conflict, too early, too many requests.
_PASSING_STATUSES = frozenset({408, 409, 425, 429})
_FIRST_SERVER_ERROR = 500


@attrs.frozen(kw_only=True)
class _Failure:
    """Why an attempt brought no answer."""

    problem: str
    retryable: bool
    #: What it came from, where that repeats no words of the server.
    cause: Exception | None = None
    #: Seconds the server asked to be left alone.
    pause: float = 0.0


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
        _check(name, base_url, api_key, timeout_seconds=timeout_seconds, max_retries=max_retries)
        self._name = name
        self._max_retries = max_retries
        self._thinking_tokens = thinking_tokens
        # The public service has renamed the field; compatible servers know the old name only.
        self._limit_field = "max_tokens" if base_url else "max_completion_tokens"
        settings = {"temperature": temperature, "seed": seed}
        self._settings = {field: value for field, value in settings.items() if value is not None}
        self._client = _connect(base_url or PUBLIC_URL, api_key or _NO_KEY, timeout_seconds)
        self._closed = threading.Event()

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
        outcome = self._attempt(prompt)
        for number in range(self._max_retries):
            if isinstance(outcome, str) or not outcome.retryable:
                break
            pause = max(_FIRST_PAUSE_SECONDS * 2.0**number, outcome.pause)
            self._closed.wait(min(pause, _LONGEST_PAUSE_SECONDS))
            outcome = self._attempt(prompt)
        if isinstance(outcome, str):
            return outcome
        raise ModelError(problem=outcome.problem, retryable=outcome.retryable) from outcome.cause

    def close(self) -> None:
        """Give up: ends pauses, allows no further attempts, releases connections. Closing twice is harmless.

        A request under way ends with its answer or its timeout, whichever comes first.
        """
        self._closed.set()
        self._client.close()

    def _attempt(self, prompt: Prompt) -> str | _Failure:
        import openai

        if self._closed.is_set():
            # The message is not at fault: another client may well get an answer to it.
            return _Failure(problem="the model client was closed", retryable=True)
        try:
            response = self._client.chat.completions.with_raw_response.create(**self._request(prompt))
        except openai.APIStatusError as error:
            return _status_failure(error)
        except openai.APITimeoutError as error:
            return _Failure(problem="the model server did not answer in time", retryable=True, cause=error)
        except openai.APIConnectionError as error:
            return _Failure(problem="the model server cannot be reached", retryable=True, cause=error)
        except openai.OpenAIError as error:
            return _Failure(problem=f"the model client failed: {type(error).__name__}", retryable=False)
        except RuntimeError as error:
            if not self._closed.is_set():
                raise
            return _Failure(problem="the model client was closed", retryable=True, cause=error)
        return _read_completion(response.http_response.content)

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


def _check(
    name: str, base_url: str | None, api_key: str | None, *, timeout_seconds: float, max_retries: int
) -> None:
    if not name.strip():
        raise UsageError(field="name", problem="must not be blank")
    if base_url is not None and not base_url.startswith(("http://", "https://")):
        raise UsageError(field="base_url", problem="must begin with http:// or https://")
    if base_url is None and not api_key:
        raise UsageError(field="api_key", problem="is needed, unless base_url names a server without keys")
    if not (math.isfinite(timeout_seconds) and timeout_seconds > 0):
        raise UsageError(field="timeout_seconds", problem="must be a finite number above 0")
    if max_retries < 0:
        raise UsageError(field="max_retries", problem="must be 0 or more")


def _connect(base_url: str, api_key: str, timeout_seconds: float) -> openai.OpenAI:
    try:
        import openai
    except ModuleNotFoundError:
        raise MissingExtraError(extra="openai") from None
    # Retries are ours, so that closing can end them. Everything is passed outright: left out, the package
    # would take it from variables that are meant for other servers.
    client = openai.OpenAI(base_url=base_url, api_key=api_key, timeout=timeout_seconds, max_retries=0)
    client.organization = None
    client.project = None
    return client


def _status_failure(error: openai.APIStatusError) -> _Failure:
    status = error.status_code
    return _Failure(
        problem=f"the model server answered with status {status}",
        retryable=status in _PASSING_STATUSES or status >= _FIRST_SERVER_ERROR,
        pause=_seconds(error.response.headers.get("retry-after")),
    )


def _seconds(header: str | None) -> float:
    """Return the pause a server asks for; 0 when it names none, or a date."""
    return float(header) if header is not None and header.isascii() and header.isdigit() else 0.0


def _read_completion(body: bytes) -> str | _Failure:
    """Return the text of a completion, read from the bytes because servers differ in what they leave out."""
    try:
        choice = json.loads(body)["choices"][0]
        message = choice["message"]
        text, ending, refusal = message.get("content"), choice.get("finish_reason"), message.get("refusal")
    except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
        return _Failure(problem="the model server's answer is no chat completion", retryable=True)
    if ending == "length":
        return _Failure(problem="the model's answer was cut off at the token limit", retryable=False)
    if ending == "content_filter" or refusal:
        return _Failure(problem="the model refused to answer", retryable=False)
    return text if isinstance(text, str) else ""
