"""Whose a socket is, read from the kernel's tables, and what is refused. The tables here are as Linux prints them."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from collections.abc import Iterator

import pytest

from server.local_callers import KEYS_ADVICE, ROOT, Endpoint, SocketCaller, Tables, kernel_tables, socket_caller, socket_owner

HEAD = b"  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
CLIENT, SERVER = Endpoint("127.0.0.1", 54321), Endpoint("127.0.0.1", 8000)
LITTLE = {"127.0.0.1": b"0100007F", "::1": b"00000000000000000000000001000000", "mapped": b"0000000000000000FFFF00000100007F"}
ME = os.geteuid()


def row(uid: int, *, local: bytes = b"0100007F:D431", remote: bytes = b"0100007F:1F40", state: bytes = b"01", inode: int = 4711) -> bytes:
    return b"   0: %s %s %s 00000000:00000000 00:00000000 00000000 %5d        0 %d 1 0000000063e1fbbe 20 4 30 10 -1\n" % (
        local,
        remote,
        state,
        uid,
        inode,
    )


def tables(first: bytes = b"", second: bytes = b"") -> Tables:
    def read() -> Iterator[bytes]:
        yield HEAD + first
        yield HEAD + second

    return read


@pytest.fixture(autouse=True)
def little_endian() -> None:
    if sys.byteorder != "little":
        pytest.skip("the rows here are those of a little-endian machine")


def test_the_owner_is_the_client_s_socket_s_and_not_the_server_s() -> None:
    own_end = row(33, local=b"0100007F:1F40", remote=b"0100007F:D431")
    assert socket_owner(CLIENT, SERVER, tables(own_end + row(1000))) == 1000


def test_other_ports_and_addresses_are_other_connections() -> None:
    others = row(7, local=b"0100007F:D432") + row(8, remote=b"0100007F:1F41") + row(9, local=b"0200007F:D431")
    assert socket_owner(CLIENT, SERVER, tables(others)) is None


@pytest.mark.parametrize("state", [b"02", b"03", b"06", b"07", b"0A"])
def test_what_is_not_connected_has_no_owner(state: bytes) -> None:
    assert socket_owner(CLIENT, SERVER, tables(row(0, state=state))) is None


def test_a_socket_that_nobody_holds_any_more_is_not_root_s() -> None:
    assert socket_owner(CLIENT, SERVER, tables(row(0, state=b"05", inode=0))) is None
    assert socket_owner(CLIENT, SERVER, tables(row(0, state=b"06", inode=0) + row(1000))) == 1000


def test_ipv6_and_an_ipv4_address_in_it() -> None:
    six = row(1001, local=LITTLE["::1"] + b":D431", remote=LITTLE["::1"] + b":1F40")
    assert socket_owner(Endpoint("::1", 54321), Endpoint("::1", 8000), tables(b"", six)) == 1001
    mapped = row(1002, local=LITTLE["mapped"] + b":D431", remote=LITTLE["mapped"] + b":1F40")
    assert socket_owner(CLIENT, SERVER, tables(b"", mapped)) == 1002  # the client opened a socket of IPv6
    both = Endpoint("::ffff:127.0.0.1", 54321), Endpoint("::ffff:127.0.0.1", 8000)
    assert socket_owner(*both, tables(row(1003))) == 1003  # the server did
    assert socket_owner(*both, tables(b"", mapped)) == 1002


@pytest.mark.parametrize("uid", sorted({ROOT, ME}))
async def test_the_server_s_own_account_and_root_are_served(uid: int) -> None:
    assert await SocketCaller(CLIENT, SERVER, tables(row(uid))).refusal() == ""


async def test_another_account_is_told_to_use_keys() -> None:
    refusal = await SocketCaller(CLIENT, SERVER, tables(row(ME + 4321))).refusal()
    assert "another account" in refusal
    assert KEYS_ADVICE in refusal


async def test_a_connection_that_nobody_knows_of_is_refused() -> None:
    assert "nobody knows whose" in await SocketCaller(CLIENT, SERVER, tables()).refusal()
    assert "does not say" in await SocketCaller(None, None, tables(row(ME))).refusal()


async def test_where_the_tables_cannot_be_read_everybody_is_refused() -> None:
    def unreadable() -> Iterator[bytes]:
        raise PermissionError(13, "Permission denied")
        yield b""

    refusal = await SocketCaller(CLIENT, SERVER, unreadable).refusal()
    assert "Permission denied" in refusal
    assert KEYS_ADVICE in refusal


async def test_the_kernel_is_asked_once_a_connection_and_again_for_a_row_that_was_passed_over() -> None:
    asked = []

    def second_time() -> Iterator[bytes]:
        asked.append(1)
        yield HEAD + (row(ME) if len(asked) > 1 else b"")

    caller = SocketCaller(CLIENT, SERVER, second_time)
    assert [await caller.refusal() for _ in range(3)] == ["", "", ""]
    assert len(asked) == 2


@pytest.mark.skipif(sys.platform != "linux", reason="the tables of sockets are Linux's")
@pytest.mark.parametrize(
    ("family", "host", "connect_to"), [("v4", "127.0.0.1", "127.0.0.1"), ("v6", "::1", "::1"), ("mapped", "127.0.0.1", "::ffff:127.0.0.1")]
)
def test_a_real_connection_is_ours_until_it_is_closed(family: str, host: str, connect_to: str) -> None:
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as listening:
        listening.bind((host, 0))
        listening.listen(1)
        with socket.socket(socket.AF_INET if family == "v4" else socket.AF_INET6) as client:
            client.connect((connect_to, listening.getsockname()[1]))
            accepted, _ = listening.accept()
            ends = Endpoint(*accepted.getpeername()[:2]), Endpoint(*accepted.getsockname()[:2])
            assert socket_owner(*ends) == ME
            client.shutdown(socket.SHUT_WR)
            assert socket_owner(*ends) == ME
        assert socket_owner(*ends) is None  # closed: Linux tells the rest of it as root's
        accepted.close()


def test_elsewhere_than_linux_nothing_is_said() -> None:
    assert socket_caller(asyncio.BaseTransport(), platform="darwin") is None
    assert socket_caller(asyncio.BaseTransport(), platform="linux") is not None


@pytest.mark.skipif(sys.platform != "linux", reason="the tables of sockets are Linux's")
def test_the_tables_of_this_machine_can_be_read() -> None:
    assert all(table.lstrip().startswith(b"sl") for table in kernel_tables())
