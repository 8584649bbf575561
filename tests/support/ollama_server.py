"""A scripted server that speaks Ollama's protocol over real HTTP: what it says, how slowly, and how it breaks is set by the test.

https://github.com/ollama/ollama/blob/main/docs/api.md: /api/tags, /api/show and /api/chat, streamed as JSON lines or whole.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Any

_REASONS = {200: "OK", 400: "Bad Request", 404: "Not Found", 500: "Internal Server Error"}


@dataclass
class Script:
    """The next reply to /api/chat. Delays in seconds, `pauses` after the pieces of these places; `drop_after` closes the socket after that many
    pieces, `end` False leaves out `done`."""

    pieces: Sequence[str] = ("Hello ", "there.")
    status: int = 200
    error: str = ""
    first_delay: float = 0.0
    piece_delay: float = 0.0
    pauses: Mapping[int, float] = field(default_factory=dict[int, float])
    drop_after: int | None = None
    malformed: str = ""
    end: bool = True
    thinking: str = ""


@dataclass
class OllamaServer:
    """`scripts` are used up one by one, the last one stays. `requests` are the bodies of /api/chat, `paths` every path asked for."""

    models: tuple[str, ...] = ("test-model:latest",)
    capabilities: tuple[str, ...] | None = ("completion",)
    scripts: list[Script] = field(default_factory=lambda: [Script()])
    model_info: dict[str, Any] | None = None
    tags_status: int = 200
    tags_body: str | None = None
    requests: list[dict[str, Any]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    asked: asyncio.Event = field(default_factory=asyncio.Event)
    disconnected: asyncio.Event = field(default_factory=asyncio.Event)
    url: str = ""
    active: int = 0
    most_active: int = 0

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while (request := await _read(reader)) is not None:
                path, headers, body = request
                self.paths.append(path)
                self.headers.append(headers)
                await self._reply(path, body, reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            self.disconnected.set()
        finally:
            writer.close()

    async def _reply(self, path: str, body: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if path == "/api/tags":
            tags = json.dumps({"models": [{"name": name, "model": name} for name in self.models]})
            return await _send(writer, self.tags_status, tags if self.tags_body is None else self.tags_body)
        if path == "/api/show":
            told = {"details": {"family": "test"}, "capabilities": self.capabilities, "model_info": self.model_info}
            return await _send(writer, 200, json.dumps({name: value for name, value in told.items() if value is not None}))
        if path != "/api/chat":
            return await _send(writer, 404, json.dumps({"error": "not found"}))
        self.requests.append(json.loads(body))
        self.asked.set()
        self.active += 1
        self.most_active = max(self.most_active, self.active)
        try:
            return await self._chat(self.scripts.pop(0) if len(self.scripts) > 1 else self.scripts[0], reader, writer)
        finally:
            self.active -= 1

    async def _chat(self, script: Script, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        request = self.requests[-1]
        await self._wait(script.first_delay, reader)
        if script.drop_after == 0:
            raise ConnectionResetError
        if script.status != 200:
            return await _send(writer, script.status, json.dumps({"error": script.error}))
        if not request.get("stream", True):
            text = (
                f"{script.malformed}{''.join(script.pieces)}" if script.malformed else json.dumps(_line(request, "".join(script.pieces), done=True))
            )
            return await _send(writer, 200, text)
        return await self._lines(script, reader, writer)

    async def _lines(self, script: Script, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n")
        lines = [json.dumps(_line(self.requests[-1], piece, done=False)) for piece in script.pieces]
        if script.thinking:
            lines.insert(0, json.dumps(_line(self.requests[-1], "", done=False, thinking=script.thinking)))
        if script.error:
            lines.append(json.dumps({"error": script.error}))
        elif script.end:
            lines.append(json.dumps(_line(self.requests[-1], "", done=True)))
        if script.malformed:
            lines.insert(1, script.malformed)
        for place, line in enumerate(lines):
            if place == script.drop_after:
                raise ConnectionResetError
            await _chunk(writer, line + "\n")
            await self._wait(script.pauses.get(place, script.piece_delay), reader)
        writer.write(b"0\r\n\r\n")
        await writer.drain()

    async def _wait(self, seconds: float, reader: asyncio.StreamReader) -> None:
        """Sleeps, and notices at once when the other side hangs up."""
        if not seconds:
            return
        try:
            async with asyncio.timeout(seconds):
                if not await reader.read(1):
                    raise ConnectionAbortedError
        except TimeoutError:
            return


def _line(request: dict[str, Any], text: str, *, done: bool, thinking: str = "") -> dict[str, Any]:
    line: dict[str, Any] = {
        "model": request["model"],
        "created_at": "2025-01-01T00:00:00Z",
        "message": {"role": "assistant", "content": text, **({"thinking": thinking} if thinking else {})},
        "done": done,
    }
    if done:
        line |= {"done_reason": "stop", "total_duration": 1, "prompt_eval_count": 11, "eval_count": 5}
    return line


async def _read(reader: asyncio.StreamReader) -> tuple[str, dict[str, str], bytes] | None:
    head = await reader.readuntil(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines if line)}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return first.split()[1], headers, body


async def _send(writer: asyncio.StreamWriter, status: int, body: str) -> None:
    data = body.encode()
    head = f"HTTP/1.1 {status} {_REASONS[status]}\r\nContent-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
    writer.write(head.encode() + data)
    await writer.drain()


async def _chunk(writer: asyncio.StreamWriter, text: str) -> None:
    data = text.encode()
    writer.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
    await writer.drain()


@asynccontextmanager
async def ollama_server(**options: Any) -> AsyncIterator[OllamaServer]:
    """A running server on a free port of the loopback."""
    server = OllamaServer(**options)
    listener = await asyncio.start_server(server.handle, "127.0.0.1", 0)
    server.url = f"http://127.0.0.1:{listener.sockets[0].getsockname()[1]}"
    try:
        yield server
    finally:
        listener.close()


@contextmanager
def served_in_a_thread(server: OllamaServer) -> Iterator[str]:
    """Its address, for a process that asks it while the test waits: it lives in a thread with a loop of its own."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    listener = asyncio.run_coroutine_threadsafe(asyncio.start_server(server.handle, "127.0.0.1", 0), loop).result(10)
    try:
        yield f"http://127.0.0.1:{listener.sockets[0].getsockname()[1]}"
    finally:
        asyncio.run_coroutine_threadsafe(_close(listener), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()


async def _close(listener: asyncio.Server) -> None:
    """Stop listening and end the connections that are still read from."""
    listener.close()
    others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
