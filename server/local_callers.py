"""Whose program is at the other end of a connection on loopback: on Linux the kernel's tables of sockets say it (proc(5), /proc/net/tcp).

Without API keys whoever reaches the server has its owner's rights, so the program has to be the owner's, or root's. A socket that nobody holds any
more is reported as root's by the kernel (user 0, inode 0): it is nobody's here, else sending a request and closing at once would be a way in.
"""

from __future__ import annotations

import asyncio
import os
import socket
import struct
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from starlette.types import ASGIApp, Receive, Scope, Send

EXTENSION = "vantage.caller"
ROOT = 0
KEYS_ADVICE = "With API keys (`server.api_keys`) several accounts can use one server: docs/deploy.md."
_TABLES = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
_MAPPED = bytes(10) + b"\xff\xff"  # an IPv4 address as IPv6
# Established, and closed in one direction: RFC 9293's states as Linux numbers them. Not TIME_WAIT, which has no owner, nor a connection being made.
_CONNECTED = frozenset((b"01", b"04", b"05", b"08"))
_TRIES = 3  # the kernel walks the table a page at a time: a row may be passed over while others come and go
_STATE, _UID, _INODE = 3, 7, 9

Tables = Callable[[], Iterator[bytes]]


class Endpoint(NamedTuple):
    host: str
    port: int


def kernel_tables() -> Iterator[bytes]:
    """Yield the TCP sockets of this network namespace, IPv4's first. Raises OSError where they cannot be read."""
    for path in _TABLES:
        try:
            with path.open("rb", buffering=0) as file:
                yield file.readall()
        except FileNotFoundError:
            if path is _TABLES[0]:
                raise  # without the other one this kernel has no IPv6


def socket_owner(client: Endpoint, server: Endpoint, tables: Tables = kernel_tables) -> int | None:
    """Return the user whose socket it is that is connected from `client` to `server`; None where no program holds such a socket. Raises OSError as
    the tables do.
    """
    wanted = [b" %s %s " % (_kernel_address(client, mapped=mapped), _kernel_address(server, mapped=mapped)) for mapped in (False, True)]
    for table in tables():
        for pair in wanted:
            for row in _matching_rows(pair, table):
                fields = row.split()
                if fields[_STATE] in _CONNECTED and fields[_INODE] != b"0":
                    return int(fields[_UID])
    return None


def _matching_rows(pair: bytes, table: bytes) -> Iterator[bytes]:
    found = table.find(pair)
    while found >= 0:
        end = table.find(b"\n", found)
        yield table[table.rfind(b"\n", 0, found) + 1 : end if end >= 0 else len(table)]
        found = table.find(pair, found + 1)


def _kernel_address(endpoint: Endpoint, *, mapped: bool) -> bytes:
    """Return the address as the tables have it: words of 32 bits in the machine's own order. `mapped`: the way in which a socket of IPv6 has an
    address of IPv4.
    """
    host = endpoint.host.partition("%")[0]
    packed = socket.inet_pton(socket.AF_INET6 if ":" in host else socket.AF_INET, host)
    if len(packed) == 4 and mapped:
        packed = _MAPPED + packed
    elif packed.startswith(_MAPPED) and not mapped:
        packed = packed[len(_MAPPED) :]
    words = struct.unpack(f">{len(packed) // 4}I", packed)
    return b"".join(b"%08X" % int.from_bytes(struct.pack("=I", word), "big") for word in words) + b":%04X" % endpoint.port


class SocketCaller:
    """The program behind one connection. The kernel is asked once, when it is first of interest; the answer lives as long as the connection."""

    def __init__(self, client: Endpoint | None, server: Endpoint | None, tables: Tables = kernel_tables) -> None:
        self._client, self._server, self._tables = client, server, tables
        self._refusal: asyncio.Task[str] | None = None

    async def refusal(self) -> str:
        """Return why it may not use the server, in a sentence for a person; "" for the server's own user and for root."""
        if self._refusal is None:
            self._refusal = asyncio.create_task(asyncio.to_thread(self._ask_kernel), name="socket-owner")
        return await asyncio.shield(self._refusal)

    def _ask_kernel(self) -> str:
        if self._client is None or self._server is None:
            return f"The system does not say which account asks. {KEYS_ADVICE}"
        try:
            owner = next((found for _ in range(_TRIES) if (found := socket_owner(self._client, self._server, self._tables)) is not None), None)
        except OSError as error:
            return f"The system does not say which account asks ({_TABLES[0]}: {error.strerror}). {KEYS_ADVICE}"
        if owner is None:
            return f"No program of this machine holds this connection any more, so nobody knows whose it is. {KEYS_ADVICE}"
        if owner in {os.geteuid(), ROOT}:
            return ""
        return f"This server has no API keys, so it answers only the account that started it, and another account asks. {KEYS_ADVICE}"


def socket_caller(transport: asyncio.BaseTransport, platform: str = sys.platform) -> SocketCaller | None:
    """Return the program behind a connection; None where the system does not say whose a socket is (elsewhere than Linux)."""
    if platform != "linux":
        return None
    return SocketCaller(_endpoint(transport.get_extra_info("peername")), _endpoint(transport.get_extra_info("sockname")))


def _endpoint(name: Any) -> Endpoint | None:
    return Endpoint(str(name[0]), int(name[1])) if isinstance(name, tuple) else None


def add_caller(app: ASGIApp, caller: SocketCaller) -> ASGIApp:
    """Return the application with the connection's caller among the extensions of each scope (ASGI, "extensions")."""

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        scope["extensions"] = {**scope.get("extensions", {}), EXTENSION: caller}
        await app(scope, receive, send)

    return wrapped
