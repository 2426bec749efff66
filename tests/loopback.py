"""A server on this machine that speaks JSON over HTTP and keeps what it was asked, for clients of models."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import attrs
import pytest
from typing_extensions import override


@attrs.frozen(kw_only=True)
class Reply:
    """What the server does with one request."""

    status: int = 200
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()
    #: Held back until the server is told to let go.
    held: bool = False


class Loopback:
    """Runs from the start until `stop`. Who answers something says what in `answer`."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.reached = threading.Event()
        self.let_go = threading.Event()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()

    def answer(self, request: dict[str, Any]) -> Reply:
        """Return the reply to a request."""
        raise NotImplementedError

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}/v1"

    def stop(self) -> None:
        self.let_go.set()
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    def _handler(server: Loopback) -> type[BaseHTTPRequestHandler]:  # noqa: N805 - "self" is the request below
        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                server.requests.append({"path": self.path, **request})
                server.headers.append({name.lower(): value for name, value in self.headers.items()})
                reply = server.answer(request)
                server.reached.set()
                if reply.held:
                    server.let_go.wait(timeout=10)
                    self.close_connection = True
                    return
                self.send_response(reply.status)
                for name, value in (("Content-Type", "application/json"), *reply.headers):
                    self.send_header(name.replace("_", "-"), value)
                self.send_header("Content-Length", str(len(reply.body)))
                self.end_headers()
                self.wfile.write(reply.body)

            @override
            def log_message(self, format: str, *args: object) -> None:
                """Keep the test output clean."""

        return Handler


def without_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let clients reach the server whatever proxy this machine goes through."""
    for variable in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(variable, raising=False)
