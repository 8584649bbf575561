"""A slow and unreliable network in front of a server: each piece is late, and some answers are cut off by a reset."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

_PIECE = 65_536
_RESET_ON_CLOSE = struct.pack("ii", 1, 0)


@dataclass
class SlowNetwork:
    """`delay` seconds for each piece in either direction. `resets`: so many answers are still to be cut off, after what was asked for was passed on,
    so that whoever asked cannot know whether it was done. `is_open` False refuses every connection."""

    upstream: int
    port: int = 0
    delay: float = 0.0
    resets: int = 0
    is_open: bool = True
    passed: int = 0
    cut: int = 0
    _open: set[asyncio.Task[None]] = field(default_factory=set)

    async def connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not self.is_open:
            _reset(writer)
            return
        there, back = await asyncio.open_connection("127.0.0.1", self.upstream)
        tasks = [asyncio.create_task(self._pass_on(reader, back)), asyncio.create_task(self._answer(there, writer))]
        self._open.update(tasks)
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            task.cancel()
            self._open.discard(task)
        for end in (back, writer):
            end.close()

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while piece := await reader.read(_PIECE):
            await asyncio.sleep(self.delay)
            writer.write(piece)
            await writer.drain()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while piece := await reader.read(_PIECE):
            await asyncio.sleep(self.delay)
            if self.resets > 0:
                self.resets, self.cut = self.resets - 1, self.cut + 1
                writer.write(piece[: len(piece) // 2])
                _reset(writer)
                return
            self.passed += 1
            writer.write(piece)
            await writer.drain()

    def refuse(self) -> None:
        """Let nobody through, and end what goes on, until `is_open` is True again."""
        self.is_open = False
        self.cut_all()

    def cut_all(self) -> None:
        """End every connection that is open."""
        for task in self._open:
            task.cancel()


def _reset(writer: asyncio.StreamWriter) -> None:
    """Close a connection with a reset, as a router that forgot it does."""
    door = writer.get_extra_info("socket")
    door.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET_ON_CLOSE)
    writer.transport.abort()


@asynccontextmanager
async def slow_network(upstream: int) -> AsyncIterator[SlowNetwork]:
    """A network in front of the server at a port of this machine."""
    network = SlowNetwork(upstream)
    server = await asyncio.start_server(network.connect, "127.0.0.1", 0)
    network.port = int(server.sockets[0].getsockname()[1])
    try:
        yield network
    finally:
        server.close()
        network.cut_all()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(server.wait_closed(), 5)
