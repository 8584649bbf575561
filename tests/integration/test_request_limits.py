"""The limits of one connection, on the real protocol with a small application behind it: sockets on loopback, no library."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import httpx
import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from commands.serve_command import _listen
from server.limited_server import LimitedServer
from server.request_guard import JSON_BYTES, RequestGuard
from settings_server import ServerSettings
from tests.support.load_clients import Address, exchange, request_bytes, retry_after, status_of

QUICK = ServerSettings(head_seconds=1.0, body_seconds=1.0, body_bytes_per_second=1_000_000, write_seconds=1.0, max_connections=16)
LIMIT = 30.0  # nothing here takes so long; a wait that ends only by it fails


class Application:
    """Answers the length of a body, keeps /busy until it is told, sends /large without end, and ignores the body of /early."""

    def __init__(self) -> None:
        self.go_on = asyncio.Event()
        self.disconnects = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"]
        if path == "/large":
            await self._endless(receive, send)
            return
        if path == "/busy":
            await self.go_on.wait()
        if path not in {"/early", "/health"}:
            await Request(scope, receive).body()
        await PlainTextResponse("here")(scope, receive, send)

    async def _endless(self, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        gone = asyncio.create_task(_gone(receive))
        while not gone.done():
            await send({"type": "http.response.body", "body": b"x" * 65_536, "more_body": True})
            await asyncio.sleep(0)
        self.disconnects += 1


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


@asynccontextmanager
async def serving(app: ASGIApp, settings: ServerSettings = QUICK) -> AsyncIterator[tuple[Address, LimitedServer]]:
    with _listen("127.0.0.1", 0) as listening:
        server = LimitedServer(app, settings)
        task = asyncio.create_task(server.serve(sockets=[listening]))
        await until(lambda: server.started)
        try:
            yield Address("127.0.0.1", listening.getsockname()[1]), server
        finally:
            server.should_exit = True
            await asyncio.wait_for(task, LIMIT)


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(LIMIT):
        while not condition():  # noqa: ASYNC110  (what is waited for tells nobody)
            await asyncio.sleep(0.01)


def client_of(address: Address) -> httpx.AsyncClient:
    return httpx.AsyncClient(base_url=f"http://127.0.0.1:{address.port}", trust_env=False, verify=False)


def guarded(app: ASGIApp) -> ASGIApp:
    return RequestGuard(app, upload_bytes=10, local_only=True)


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"", 0),
        (b"GET / HTTP/1.1\r\nHost: a", 408),
        (b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf", 408),
        (b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n", 408),
    ],
)
async def test_what_is_begun_and_never_ended_is_given_up(sent: bytes, status: int) -> None:
    async with serving(Application()) as (address, server):
        assert status_of(await exchange(address, sent, LIMIT)) == status
        assert status_of(await exchange(address, request_bytes("GET", "/"), LIMIT)) == 200
        await until(lambda: not len(server.open))


async def test_a_body_that_trickles_is_given_up_and_one_that_comes_is_not() -> None:
    settings = QUICK.model_copy(update={"body_bytes_per_second": 100_000})
    async with serving(Application(), settings) as (address, _):
        slow, fast = await asyncio.gather(_pieces(address, 10, 200), _pieces(address, 50_000, 60))
        assert (status_of(slow), status_of(fast)) == (408, 200)


async def _pieces(address: Address, size: int, count: int) -> bytes:
    """A body of so many pieces, one every 50 ms, until the server has had enough: 60 of them take three times what a body may without what came."""
    reader, writer = await asyncio.open_connection(address.host, address.port)
    writer.write(f"POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: {count * size}\r\n\r\n".encode())
    async with asyncio.timeout(LIMIT):
        try:
            for _ in range(count):
                writer.write(b"x" * size)
                await writer.drain()
                await asyncio.sleep(0.05)
        except ConnectionError:
            pass  # given up by the server: what it said stands in the reader
        reply = await reader.read(-1)
    writer.close()
    return reply


async def test_a_client_that_takes_nothing_is_given_up() -> None:
    application = Application()
    async with serving(application) as (address, _):
        with socket.create_connection((address.host, address.port)) as lazy:
            lazy.sendall(request_bytes("GET", "/large"))
            await until(lambda: application.disconnects > 0)
    assert application.disconnects == 1


async def test_health_is_answered_while_all_connections_work() -> None:
    application = Application()
    async with serving(application) as (address, server):
        busy = [asyncio.create_task(exchange(address, request_bytes("GET", "/busy"), LIMIT)) for _ in range(QUICK.max_connections)]
        await until(lambda: len(server.open) == QUICK.max_connections)
        health, other = [await exchange(address, request_bytes("GET", path), LIMIT) for path in ("/health", "/")]
        assert status_of(health) == 200
        assert (status_of(other), retry_after(other)) == (503, 1)
        application.go_on.set()
        assert [status_of(reply) for reply in await asyncio.gather(*busy)] == [200] * QUICK.max_connections
        assert status_of(await exchange(address, request_bytes("GET", "/"), LIMIT)) == 200


async def test_idle_sockets_give_way_to_those_who_ask() -> None:
    patient = QUICK.model_copy(update={"head_seconds": 60.0})
    async with serving(Application(), patient) as (address, server):
        idle = [socket.create_connection((address.host, address.port)) for _ in range(3 * QUICK.max_connections)]
        for each in idle:
            each.sendall(b"GET /")
        replies = [await exchange(address, request_bytes("GET", "/"), LIMIT) for _ in range(2 * QUICK.max_connections)]
        assert {status_of(reply) for reply in replies} == {200}
        assert len(server.open) <= QUICK.max_connections
        for each in idle:
            each.close()


async def _endless_pieces(size: int) -> AsyncIterator[bytes]:
    for _ in range(size // 65_536):
        yield b"x" * 65_536


@pytest.mark.parametrize("close", [True, False])
@pytest.mark.parametrize("announced", [True, False])
async def test_a_client_that_sends_too_much_sees_413(announced: bool, close: bool) -> None:
    """httpx sends the whole body before it reads: closing at once would reset its connection."""
    size = 8 * JSON_BYTES
    headers = {"Content-Length": str(size)} if announced else {}
    headers |= {"Connection": "close"} if close else {}
    async with serving(guarded(Application())) as (address, _), client_of(address) as client:
        for _ in range(2):
            response = await client.post("/", content=_endless_pieces(size), headers=headers)
            assert (response.status_code, response.json()["code"]) == (413, "too_large")
        assert (await client.post("/", content=b"small")).status_code == 200


async def test_an_answer_before_the_body_is_seen() -> None:
    async with serving(Application()) as (address, _), client_of(address) as client:
        response = await client.post("/early", content=_endless_pieces(8 * JSON_BYTES))
        assert response.status_code == 200
