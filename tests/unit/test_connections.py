"""Who gets a connection, and who gives way."""

from __future__ import annotations

import resource

import pytest

from core.errors import ConfigurationError
from server.connections import ACCEPTED_AT_ONCE, SURPLUS, Admission, Connections, ConnectionTimes, connection_limit


class Peer:
    gave_way = False

    def shed(self) -> None:
        self.gave_way = True


def opened(connections: Connections, number: int, *, waiting: bool) -> list[Peer]:
    peers = [Peer() for _ in range(number)]
    for peer in peers:
        connections.admit(peer)
        if waiting:
            connections.mark_waiting(peer)
    return peers


def test_the_one_that_waited_longest_gives_way() -> None:
    connections = Connections(3, ConnectionTimes())
    peers = opened(connections, 3, waiting=True)
    connections.mark_working(peers[0])
    assert connections.admit(Peer()) is Admission.SERVED
    assert [peer.gave_way for peer in peers] == [False, True, False]
    assert len(connections) == 3


def test_where_all_work_more_may_ask_for_health_up_to_a_bound() -> None:
    connections = Connections(3, ConnectionTimes())
    peers = opened(connections, 3, waiting=False)
    places = [connections.admit(Peer()) for _ in range(SURPLUS + 1)]
    assert places == [*[Admission.HEALTH_ONLY] * SURPLUS, Admission.NONE]
    connections.remove(peers[0])
    assert connections.admit(Peer()) is Admission.HEALTH_ONLY
    assert not any(peer.gave_way for peer in peers)


def test_one_that_left_is_not_asked_again() -> None:
    connections = Connections(1, ConnectionTimes())
    gone = opened(connections, 1, waiting=True)[0]
    connections.remove(gone)
    connections.mark_waiting(gone)
    opened(connections, 2, waiting=False)
    assert not gone.gave_way


def test_fewer_open_files_are_fewer_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limits of this very process stay as they are: what the system says is given."""
    given = (400, 400)
    monkeypatch.setattr(resource, "getrlimit", lambda _: given)
    monkeypatch.setattr(resource, "setrlimit", lambda *_: None)
    assert connection_limit(1000) == 400 - SURPLUS - 2 * ACCEPTED_AT_ONCE - 128
    assert connection_limit(50) == 50
    given = (128, 128)
    with pytest.raises(ConfigurationError, match="ulimit -n 1024"):
        connection_limit(1000)
    given = (256, resource.RLIM_INFINITY)
    assert connection_limit(1000) == 1000
