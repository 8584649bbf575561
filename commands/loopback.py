"""A command that holds the library (`vantage index`, `vantage watch`, `vantage embedder`) serves other commands on a free loopback port meanwhile."""

from __future__ import annotations

import asyncio
import hmac
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

import uvicorn
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from core.version import VERSION
from storage.home import Home, ServerFile


@dataclass(frozen=True, slots=True)
class LoopbackService:
    """The served application: `token` is what a caller has to send, `command` what this process was started for."""

    app: ASGIApp
    home: Home
    token: str
    command: str


class _Server(uvicorn.Server):
    """Server that leaves signals alone: Ctrl+C is the command's own."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@asynccontextmanager
async def serve_on_loopback(served: LoopbackService) -> AsyncIterator[None]:
    """Serve on 127.0.0.1 for as long as the block runs; VANTAGE_HOME/server.json says where."""
    server = _Server(
        uvicorn.Config(
            require_token(served.app, served.token),
            lifespan="off",
            log_level="warning",
            access_log=False,
            timeout_graceful_shutdown=2,
            server_header=False,
            proxy_headers=False,
        )
    )
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(128)
        file = ServerFile(served.home)
        task = asyncio.create_task(server.serve(sockets=[listening]), name="loopback-server")
        file.write(f"http://127.0.0.1:{listening.getsockname()[1]}", VERSION, datetime.now(UTC), served.token, command=served.command)
        try:
            yield
        finally:
            file.remove()
            server.should_exit = True
            await task


def require_token(app: ASGIApp, token: str) -> ASGIApp:
    """Return the application for callers who can read server.json: no other account of this machine."""

    async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        sent = Headers(scope=scope).get("authorization", "")
        if hmac.compare_digest(sent.encode(), f"Bearer {token}".encode()):
            await app(scope, receive, send)
        else:
            await PlainTextResponse("A command of Vantage runs here. It answers other commands of its owner only.\n", 401)(scope, receive, send)

    return guarded
