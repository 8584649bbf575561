"""`vantage serve`: the socket that it listens on."""

from __future__ import annotations

import socket

import pytest

from commands.serve_command import _listen, _listening_url
from core.errors import ConfigurationError, Conflict


def test_answers_are_not_held_back() -> None:
    """asyncio switches Nagle's algorithm off only for sockets that name their protocol."""
    with _listen("127.0.0.1", 0) as listening:
        assert listening.proto == socket.IPPROTO_TCP
        assert _listening_url(listening).startswith("http://127.0.0.1:")


def test_a_taken_port_and_a_foreign_address_are_sentences() -> None:
    with _listen("127.0.0.1", 0) as listening, pytest.raises(Conflict, match="is taken"):
        _listen("127.0.0.1", listening.getsockname()[1])
    with pytest.raises(ConfigurationError, match="Cannot listen"):
        _listen("192.0.2.1", 0)
