"""Wrong keys: an address that sent too many of them waits."""

from __future__ import annotations

import ipaddress
import math
import time
from collections import deque
from collections.abc import Callable

from core.errors import TooManyTries

_ADDRESSES = 10_000  # that are remembered; beyond, the one whose first wrong key is longest ago is forgotten
_NETWORK_BITS = 64  # of an IPv6 address: one household, or one machine, has all of the rest


class FailedTries:
    """Of each address the times of its latest wrong keys; `most` of them within `seconds` are as many as there may be. `tell` is told of each, for
    the other servers of the library."""

    def __init__(self, most: int, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._most, self._seconds, self._clock = most, seconds, clock
        self._times: dict[str, deque[float]] = {}
        self.tell: Callable[[str], None] | None = None

    def __len__(self) -> int:
        return len(self._times)

    def check_address(self, address: str) -> None:
        """Check that the address may try a key. Raises TooManyTries, also for the right key: an answer to it would tell that it is."""
        times = self._times.get(address_group(address))
        if times is None or len(times) < self._most:
            return
        left = times[0] + self._seconds - self._clock()
        if left > 0:
            raise TooManyTries("Too many wrong keys came from this address.", math.ceil(left))

    def record_failure(self, address: str) -> None:
        """Note a wrong key, and tell of it."""
        group = address_group(address)
        self.note_failure(group)
        if self.tell is not None:
            self.tell(group)

    def note_failure(self, group: str) -> None:
        """Note a wrong key that this server or another was sent from these addresses."""
        if group not in self._times and len(self._times) >= _ADDRESSES:
            self._times.pop(next(iter(self._times)))
        self._times.setdefault(group, deque(maxlen=self._most)).append(self._clock())


def address_group(address: str) -> str:
    """Return the addresses that count as one: an IPv4 address, also written as IPv6, or a network of IPv6."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    return str(found.ipv4_mapped or ipaddress.ip_network((found, _NETWORK_BITS), strict=False))
