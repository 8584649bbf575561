"""A value that is exchanged while others hold it."""

from __future__ import annotations

import pytest

from core.leases import Leases


async def test_who_holds_a_value_keeps_it_and_the_next_one_gets_the_new_one() -> None:
    leases = Leases("old")
    with leases.lease() as first:
        unused = leases.exchange("new")
        with leases.lease() as second:
            assert (first, second, leases.value) == ("old", "new", "new")
        assert not unused.is_set()
    assert unused.is_set()


async def test_what_nobody_holds_is_unused_at_once_and_what_is_present_never_is() -> None:
    leases = Leases(1)
    with leases.lease():
        pass
    unused = leases.exchange(2)
    assert unused.is_set()
    again = leases.exchange(3)
    assert again.is_set()


def _broken(leases: Leases[str]) -> None:
    with leases.lease():
        raise RuntimeError("broken")


async def test_the_last_of_several_holders_frees_it_even_when_another_failed() -> None:
    leases = Leases("old")
    with leases.lease():
        with pytest.raises(RuntimeError):
            _broken(leases)
        unused = leases.exchange("new")
        assert not unused.is_set()
    assert unused.is_set()


async def test_what_is_held_from_before_an_earlier_exchange_keeps_all_that_came_after_it() -> None:
    """The settings were exchanged, then the model: a run from before both still uses the old model."""
    leases = Leases("model 1, settings 1")
    with leases.lease():
        leases.exchange("model 1, settings 2")
        unused = leases.exchange("model 2, settings 2")
        assert not unused.is_set()
    assert unused.is_set()
