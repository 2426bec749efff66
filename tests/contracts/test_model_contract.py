"""Every model keeps one contract; the OpenAI client keeps it against a real server on this machine."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator
from typing import Any

import openai
import pytest
from typing_extensions import override

from cmemory.adapters.openai import OpenAIModel, openai_model_from_environment
from cmemory.domain.errors import MissingExtraError, ModelError, UsageError
from cmemory.domain.prompts.prompt import Prompt
from cmemory.ports.model import Model
from cmemory.testing.contracts.model import ModelContract
from cmemory.testing.fakes import ScriptedModel
from loopback import Loopback, Reply, without_proxies

KEY = "sk-test-0123456789abcdef"
PRIVATE = "我把备用钥匙放在花盆底下"
PROMPT = Prompt(system="List what is said.", user=PRIVATE, max_tokens=40)


def completion(text: str | None, *, finish: str = "stop", **message: object) -> Reply:
    choice = {
        "index": 0,
        "finish_reason": finish,
        "message": {"role": "assistant", "content": text, **message},
    }
    return Reply(body=json.dumps({"id": "c-1", "object": "chat.completion", "choices": [choice]}).encode())


def refused(status: int, **headers: str) -> Reply:
    """Return an error whose words repeat the key and the message, as some servers' do."""
    words = {"error": {"message": f"bad key {KEY} for {PRIVATE}", "code": "oops"}}
    return Reply(status=status, body=json.dumps(words).encode(), headers=tuple(headers.items()))


class ChatServer(Loopback):
    """Gives the replies it was told to give."""

    def __init__(self) -> None:
        self.replies: deque[Reply] = deque()
        super().__init__()

    @override
    def answer(self, request: dict[str, Any]) -> Reply:
        return self.replies.popleft()


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    without_proxies(monkeypatch)
    running = ChatServer()
    yield running
    running.stop()


@pytest.fixture
def model(server: ChatServer) -> Iterator[OpenAIModel]:
    with_retries = OpenAIModel("moon-1", base_url=server.url, api_key=KEY, timeout_seconds=5)
    yield with_retries
    with_retries.close()


def failure(model: Model) -> ModelError:
    with pytest.raises(ModelError) as caught:
        model.complete(PROMPT)
    return caught.value


def told(model: Model) -> tuple[str, bool]:
    """Return what the failure says, and whether trying again makes sense."""
    error = failure(model)
    return error.problem, error.retryable


def chain(error: BaseException) -> Iterator[BaseException]:
    """Yield an error and everything that a traceback or a log collector could find behind it."""
    following: BaseException | None = error
    while following is not None:
        yield following
        following = following.__cause__ or following.__context__


class TestScriptedModel(ModelContract):
    @override
    def answering(self, text: str) -> Model:
        return ScriptedModel(text)

    @override
    def failing(self, *, retryable: bool) -> Model:
        return ScriptedModel(ModelError(problem="scripted", retryable=retryable))

    def test_it_keeps_the_prompts_and_the_order(self) -> None:
        """A test can see what was asked, and answers come first in first out."""
        scripted = ScriptedModel("one")
        scripted.enqueue("two", ModelError(problem="three"))
        assert [scripted.complete(PROMPT), scripted.complete(PROMPT)] == ["one", "two"]
        assert failure(scripted).problem == "three"
        assert scripted.prompts == [PROMPT] * 3

    def test_being_asked_too_often_is_loud(self) -> None:
        """A forgotten answer does not pass for a silent model."""
        with pytest.raises(AssertionError):
            ScriptedModel().complete(PROMPT)


class TestOpenAIModel(ModelContract):
    @pytest.fixture(autouse=True)
    def connect(self, server: ChatServer) -> Iterator[None]:
        self.server = server
        self.client = OpenAIModel("moon-1", base_url=server.url, timeout_seconds=5, max_retries=0)
        yield
        self.client.close()

    @override
    def answering(self, text: str) -> Model:
        self.server.replies.append(completion(text))
        return self.client

    @override
    def failing(self, *, retryable: bool) -> Model:
        self.server.replies.append(refused(503 if retryable else 400))
        return self.client


# -- what is sent


def test_the_request_says_all_and_no_more(server: ChatServer, model: OpenAIModel) -> None:
    """Model, instructions, message, limit and a temperature of 0; no seed unless one is set."""
    server.replies.append(completion("[]"))
    model.complete(PROMPT)
    assert server.requests == [
        {
            "path": "/v1/chat/completions",
            "model": "moon-1",
            "messages": [
                {"role": "system", "content": PROMPT.system},
                {"role": "user", "content": PRIVATE},
            ],
            "max_tokens": 40,
            "temperature": 0.0,
        }
    ]
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"


def test_settings_are_passed_on(server: ChatServer) -> None:
    """A seed is sent, a temperature can be left out, and thinking gets room beyond the answer."""
    server.replies.append(completion("[]"))
    thinker = OpenAIModel("moon-1", base_url=server.url, temperature=None, seed=7, thinking_tokens=1000)
    thinker.complete(PROMPT)
    thinker.close()
    assert (server.requests[0]["seed"], server.requests[0]["max_tokens"]) == (7, 1040)
    assert "temperature" not in server.requests[0]


def test_a_server_without_keys_gets_nothing_of_the_public_account(
    server: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Key, organisation and project in the environment belong to the public service."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_ORG_ID", "org-1")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "proj-1")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
    server.replies.append(completion("[]"))
    local = OpenAIModel("qwen3:8b", base_url=server.url)
    local.complete(PROMPT)
    local.close()
    sent = " ".join(server.headers[0].values())
    assert not any(private in sent for private in (KEY, "org-1", "proj-1"))


# -- what comes back


@pytest.mark.parametrize("reply", [completion(""), completion(None)])
def test_silence_is_an_empty_text(server: ChatServer, model: OpenAIModel, reply: Reply) -> None:
    """An empty or absent content is no failure."""
    server.replies.append(reply)
    assert model.complete(PROMPT) == ""


def test_a_cut_off_answer_is_no_answer(server: ChatServer, model: OpenAIModel) -> None:
    """Half a list could look whole; asking again would give the same half."""
    server.replies.append(completion("[]", finish="length"))
    assert told(model) == ("the model's answer was cut off at the token limit", False)


@pytest.mark.parametrize(
    "reply", [completion(None, finish="content_filter"), completion(None, refusal="I can't.")]
)
def test_a_refusal_is_final(server: ChatServer, model: OpenAIModel, reply: Reply) -> None:
    """A model that refuses a message will refuse it again."""
    server.replies.append(reply)
    assert failure(model).retryable is False


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b'{"choices": [',
        b"[]",
        b"null",
        b"{}",
        b'{"choices": null}',
        b'{"choices": []}',
        b'{"choices": [{}]}',
        b'{"choices": ["x"]}',
        b'{"choices": [{"message": "x"}]}',
        b'{"choices": [{"message": null}]}',
        b"\xff\xfe\xff",
        b"<html>busy</html>",
        b"[" * 200_000,
    ],
)
def test_a_garbled_reply_is_a_passing_failure(server: ChatServer, body: bytes) -> None:
    """A proxy's error page or half a document says nothing about the message."""
    server.replies.append(Reply(body=body))
    once = OpenAIModel("moon-1", base_url=server.url, max_retries=0)
    assert told(once) == ("the model server's answer is no chat completion", True)
    once.close()


# -- failures


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503])
def test_a_passing_failure_is_tried_again(server: ChatServer, model: OpenAIModel, status: int) -> None:
    """Too many requests, then an answer: the caller sees the answer."""
    server.replies.extend([refused(status), completion("[]")])
    assert model.complete(PROMPT) == "[]"
    assert len(server.requests) == 2


def test_a_pause_the_server_asks_for_is_kept(server: ChatServer, model: OpenAIModel) -> None:
    """One second, not the half that would be the first pause."""
    server.replies.extend([refused(429, Retry_After="1"), completion("[]")])
    before = time.monotonic()
    model.complete(PROMPT)
    assert time.monotonic() - before >= 1.0


def test_patience_ends(server: ChatServer) -> None:
    """After the last attempt the failure is told, as one that may pass later."""
    server.replies.extend([refused(500, Retry_After="soon"), refused(500)])
    model = OpenAIModel("moon-1", base_url=server.url, max_retries=1)
    assert told(model) == ("the model server answered with status 500", True)
    assert len(server.requests) == 2
    model.close()


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
def test_a_final_failure_is_not_tried_again(server: ChatServer, model: OpenAIModel, status: int) -> None:
    """A wrong key does not become right by repetition."""
    server.replies.append(refused(status))
    assert told(model) == (f"the model server answered with status {status}", False)
    assert len(server.requests) == 1


def test_a_silent_server_is_given_up(server: ChatServer) -> None:
    """The time limit counts, and the failure may pass."""
    server.replies.append(Reply(held=True))
    hasty = OpenAIModel("moon-1", base_url=server.url, timeout_seconds=0.2, max_retries=0)
    assert told(hasty) == ("the model server did not answer in time", True)
    hasty.close()


def test_an_absent_server_is_a_passing_failure() -> None:
    """Nothing listens on that port."""
    model = OpenAIModel("moon-1", base_url="http://127.0.0.1:1/v1", max_retries=0)
    error = failure(model)
    assert (error.problem, error.retryable) == ("the model server cannot be reached", True)
    assert type(error.__cause__).__name__ == "APIConnectionError"
    model.close()


@pytest.mark.parametrize("status", [400, 401, 429, 500])
def test_no_error_and_no_log_repeats_the_key_or_the_message(
    server: ChatServer, caplog: pytest.LogCaptureFixture, status: int
) -> None:
    """Even when the server's own words do, and everything is logged."""
    caplog.set_level(logging.DEBUG)
    server.replies.append(refused(status))
    model = OpenAIModel("moon-1", base_url=server.url, api_key=KEY, max_retries=0)
    told = " ".join(f"{error!s} {error!r}" for error in chain(failure(model))) + caplog.text + repr(model)
    model.close()
    assert KEY not in told
    assert PRIVATE not in told


# -- closing


def test_closing_ends_the_wait_between_attempts(server: ChatServer, model: OpenAIModel) -> None:
    """A host that shuts down does not wait for pauses, and no further request leaves."""
    server.replies.append(refused(503, Retry_After="8"))
    caught: list[ModelError] = []
    worker = threading.Thread(target=lambda: caught.append(failure(model)))
    worker.start()
    assert server.reached.wait(timeout=5)
    time.sleep(0.1)
    model.close()
    worker.join(timeout=5)
    assert not worker.is_alive()
    assert caught[0].retryable is True
    assert len(server.requests) == 1


def test_a_closed_model_answers_no_more(server: ChatServer, model: OpenAIModel) -> None:
    """Nothing is sent, and the message may be tried with another model."""
    model.close()
    model.close()
    assert told(model) == ("the model client was closed", True)
    assert server.requests == []


def test_closing_while_a_request_begins_is_a_model_error(
    server: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The narrow moment between looking and sending, in which another thread closes, is covered."""
    model = OpenAIModel("moon-1", base_url=server.url, max_retries=0)
    looks = iter([False, True])
    monkeypatch.setattr(model._server._closed, "is_set", lambda: next(looks))
    model._server._client.close()
    assert told(model) == ("the model client was closed", True)


def failing_inside(model: OpenAIModel, error: Exception, patch: pytest.MonkeyPatch) -> None:
    def fail(**_: object) -> None:
        raise error

    patch.setattr(model._server._client.chat.completions.with_raw_response, "create", fail)


def test_any_other_failure_of_the_package_is_final_and_keeps_its_words(
    model: OpenAIModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the name of the error is told."""
    failing_inside(model, openai.OpenAIError(f"no credentials like {KEY}"), monkeypatch)
    assert told(model) == ("the model client failed: OpenAIError", False)


def test_a_mistake_in_the_program_is_not_taken_for_a_failure_of_the_model(
    model: OpenAIModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unless the client was closed, other errors pass through."""
    failing_inside(model, RuntimeError("a bug"), monkeypatch)
    with pytest.raises(RuntimeError, match="a bug"):
        model.complete(PROMPT)


# -- settings


@pytest.mark.parametrize(
    ("field", "arguments"),
    [
        ("name", {"name": " ", "api_key": KEY}),
        ("api_key", {"name": "moon-1"}),
        ("base_url", {"name": "moon-1", "base_url": "localhost:11434"}),
        ("timeout_seconds", {"name": "moon-1", "api_key": KEY, "timeout_seconds": 0}),
        ("timeout_seconds", {"name": "moon-1", "api_key": KEY, "timeout_seconds": float("nan")}),
        ("max_retries", {"name": "moon-1", "api_key": KEY, "max_retries": -1}),
    ],
)
def test_settings_that_cannot_work_are_refused_at_once(field: str, arguments: dict[str, Any]) -> None:
    """The error names the field."""
    with pytest.raises(UsageError) as caught:
        OpenAIModel(**arguments)
    assert caught.value.field == field


def test_the_public_service_is_asked_in_its_own_words() -> None:
    """There the limit bears another name, and the address is the public one whatever the environment says."""
    model = OpenAIModel("moon-1", api_key=KEY)
    assert str(model._server._client.base_url) == "https://api.openai.com/v1/"
    assert "max_completion_tokens" in model._request(PROMPT)
    model.close()


def test_the_environment_can_name_a_model(server: ChatServer) -> None:
    """Three variables, blanks around them ignored."""
    server.replies.append(completion("[]"))
    model = openai_model_from_environment(
        {"CMEMORY_MODEL": " moon-1 ", "CMEMORY_BASE_URL": server.url, "CMEMORY_API_KEY": KEY}
    )
    assert model is not None
    assert (model.name, model.complete(PROMPT)) == ("moon-1", "[]")
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"
    model.close()


@pytest.mark.parametrize("environ", [{}, {"CMEMORY_MODEL": "  ", "CMEMORY_API_KEY": KEY}])
def test_an_environment_without_a_model_names_none(environ: dict[str, str]) -> None:
    """Then the offline rules do the reading."""
    assert openai_model_from_environment(environ) is None


def test_a_missing_package_is_named_with_the_command_that_installs_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The error can be copied into a shell."""
    monkeypatch.setitem(sys.modules, "openai", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'cmemory\[openai\]'"):
        OpenAIModel("moon-1", api_key=KEY)


def test_importing_the_library_loads_no_vendor_package() -> None:
    """Neither the library nor the adapter's module pulls it in before a model is made."""
    code = "import sys, cmemory, cmemory.adapters.openai; sys.exit('openai' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
