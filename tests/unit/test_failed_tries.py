"""Wrong keys of one address: how many there may be, for how long it waits, and who is meant."""

from __future__ import annotations

import pytest

from core.errors import TooManyTries
from server.failed_tries import FailedTries, address_group


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def failed(tries: FailedTries, address: str, times: int) -> None:
    for _ in range(times):
        tries.check_address(address)
        tries.record_failure(address)


def test_after_so_many_the_address_waits_and_no_other(clock: Clock) -> None:
    tries = FailedTries(3, 60.0, clock)
    failed(tries, "10.0.0.1", 3)
    with pytest.raises(TooManyTries) as refused:
        tries.check_address("10.0.0.1")
    assert refused.value.retry_after == 60
    tries.check_address("10.0.0.2")


def test_it_waits_until_the_first_of_them_is_old_enough(clock: Clock) -> None:
    tries = FailedTries(2, 60.0, clock)
    failed(tries, "10.0.0.1", 1)
    clock.now += 50
    failed(tries, "10.0.0.1", 1)
    with pytest.raises(TooManyTries) as refused:
        tries.check_address("10.0.0.1")
    assert refused.value.retry_after == 10
    clock.now += 10
    failed(tries, "10.0.0.1", 1)
    with pytest.raises(TooManyTries):
        tries.check_address("10.0.0.1")


@pytest.mark.parametrize(
    ("address", "group"),
    [
        ("10.0.0.1", "10.0.0.1"),
        ("::ffff:10.0.0.1", "10.0.0.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
        ("testclient", "testclient"),
    ],
)
def test_what_counts_as_one_address(address: str, group: str) -> None:
    assert address_group(address) == group


def test_what_is_remembered_is_bounded(clock: Clock) -> None:
    tries = FailedTries(2, 60.0, clock)
    for number in range(10_100):
        tries.record_failure(f"10.0.{number // 256}.{number % 256}")
    assert len(tries) == 10_000
