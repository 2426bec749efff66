"""The way to a server that speaks the OpenAI protocol: one request, tried again where that may help.

Whatever goes wrong leaves here as a `ModelError` in our own words. The server's are not passed on, since they
may repeat the key or what the person said.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import attrs

from cmemory.domain.errors import MissingExtraError, ModelError, UsageError

if TYPE_CHECKING:
    import openai

T = TypeVar("T")

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
class Failure:
    """Why an attempt brought no answer."""

    problem: str
    retryable: bool
    #: What it came from, where that repeats no words of the server.
    cause: Exception | None = None
    #: Seconds the server asked to be left alone.
    pause: float = 0.0


@attrs.frozen
class Reply(Generic[T]):
    """What was read from an answer."""

    value: T


class Server:
    """One server, and how patiently it is asked. Safe to share between threads.

    Args:
        base_url: where it is; the public service unless given.
        api_key: the key. A local server may do without; the public service may not.
        timeout_seconds: how long it may be silent.
        max_retries: further attempts after a failure that may pass.

    Raises:
        MissingExtraError: the package ``openai`` is not installed.
        UsageError: an argument cannot be used.
    """

    def __init__(
        self, *, base_url: str | None, api_key: str | None, timeout_seconds: float, max_retries: int
    ) -> None:
        _check(base_url, api_key, timeout_seconds=timeout_seconds, max_retries=max_retries)
        self._max_retries = max_retries
        self._client = _connect(base_url or PUBLIC_URL, api_key or _NO_KEY, timeout_seconds)
        self._closed = threading.Event()

    def ask(
        self,
        send: Callable[[openai.OpenAI], Any],
        read: Callable[[bytes], Reply[T] | Failure],
        *,
        patient: bool = True,
    ) -> T:
        """Return what is read from the answer, trying again after failures that may pass.

        Args:
            send: makes the request, and returns the raw response.
            read: reads the answer's bytes, because servers differ in what they leave out.
            patient: False to try once only.

        Raises:
            ModelError: no answer came, it could not be read, or the client was closed.
        """
        outcome = self._attempt(send, read)
        for number in range(self._max_retries if patient else 0):
            if isinstance(outcome, Reply) or not outcome.retryable:
                break
            pause = max(_FIRST_PAUSE_SECONDS * 2.0**number, outcome.pause)
            self._closed.wait(min(pause, _LONGEST_PAUSE_SECONDS))
            outcome = self._attempt(send, read)
        if isinstance(outcome, Reply):
            return outcome.value
        raise ModelError(problem=outcome.problem, retryable=outcome.retryable) from outcome.cause

    def close(self) -> None:
        """Give up: ends pauses, allows no further attempts, releases connections. Closing twice is harmless.

        A request under way ends with its answer or its timeout, whichever comes first.
        """
        self._closed.set()
        self._client.close()

    def _attempt(
        self, send: Callable[[openai.OpenAI], Any], read: Callable[[bytes], Reply[T] | Failure]
    ) -> Reply[T] | Failure:
        import openai

        if self._closed.is_set():
            # The message is not at fault: another client may well get an answer to it.
            return Failure(problem="the model client was closed", retryable=True)
        try:
            response = send(self._client)
        except openai.APIStatusError as error:
            return _status_failure(error)
        except openai.APITimeoutError as error:
            return Failure(problem="the model server did not answer in time", retryable=True, cause=error)
        except openai.APIConnectionError as error:
            return Failure(problem="the model server cannot be reached", retryable=True, cause=error)
        except openai.OpenAIError as error:
            return Failure(problem=f"the model client failed: {type(error).__name__}", retryable=False)
        except RuntimeError as error:
            if not self._closed.is_set():
                raise
            return Failure(problem="the model client was closed", retryable=True, cause=error)
        return read(response.http_response.content)


def check_name(name: str) -> None:
    """Refuse a model without a name.

    Raises:
        UsageError: it is blank.
    """
    if not name.strip():
        raise UsageError(field="name", problem="must not be blank")


def _check(base_url: str | None, api_key: str | None, *, timeout_seconds: float, max_retries: int) -> None:
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


def _status_failure(error: openai.APIStatusError) -> Failure:
    status = error.status_code
    return Failure(
        problem=f"the model server answered with status {status}",
        retryable=status in _PASSING_STATUSES or status >= _FIRST_SERVER_ERROR,
        pause=_seconds(error.response.headers.get("retry-after")),
    )


def _seconds(header: str | None) -> float:
    """Return the pause a server asks for; 0 when it names none, or a date."""
    return float(header) if header is not None and header.isascii() and header.isdigit() else 0.0
