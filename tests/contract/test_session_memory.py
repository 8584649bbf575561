"""What every session memory promises. A further back end joins by a factory in `FACTORIES`: it is given window, life time and a clock."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.ports import SessionMemory
from memory.session import InProcessSessionMemory


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


Factory = Callable[[int, float, Clock], SessionMemory]
FACTORIES: dict[str, Factory] = {"in process": lambda window, ttl, clock: InProcessSessionMemory(window, ttl, clock=clock)}


@pytest.fixture(params=FACTORIES, ids=str)
def factory(request: pytest.FixtureRequest) -> Factory:
    return FACTORIES[request.param]


async def test_turns_come_back_in_order(factory: Factory) -> None:
    memory = factory(10, 60, Clock())
    for number in range(3):
        await memory.remember("t", "s", {"query": f"q{number}", "results": ["a", number], "nested": {"x": None}})
    assert await memory.recall("t", "s") == [{"query": f"q{number}", "results": ["a", number], "nested": {"x": None}} for number in range(3)]


async def test_the_window_slides(factory: Factory) -> None:
    memory = factory(2, 60, Clock())
    for number in range(5):
        await memory.remember("t", "s", {"query": number})
    assert await memory.recall("t", "s") == [{"query": 3}, {"query": 4}]


async def test_a_session_ends_after_its_time_and_lives_on_with_each_turn(factory: Factory) -> None:
    clock = Clock()
    memory = factory(10, 60, clock)
    await memory.remember("t", "s", {"query": 1})
    clock.now += 59
    await memory.remember("t", "s", {"query": 2})
    clock.now += 59
    assert len(await memory.recall("t", "s")) == 2
    clock.now += 2
    assert await memory.recall("t", "s") == []
    assert await memory.forget("t", "s") == 0


async def test_forgetting_counts(factory: Factory) -> None:
    memory = factory(10, 60, Clock())
    await memory.remember("t", "s", {"query": 1})
    await memory.remember("t", "other", {"query": 2})
    assert await memory.forget("t", "s") == 1
    assert await memory.recall("t", "s") == []
    assert await memory.recall("t", "other") == [{"query": 2}]
    assert await memory.forget("t", "s") == 0


async def test_what_is_recalled_is_a_copy(factory: Factory) -> None:
    memory = factory(10, 60, Clock())
    entry: dict[str, Any] = {"results": ["a"]}
    await memory.remember("t", "s", entry)
    entry["results"].append("b")
    (await memory.recall("t", "s"))[0]["results"].append("c")
    assert await memory.recall("t", "s") == [{"results": ["a"]}]


@given(st.lists(st.tuples(st.sampled_from(["a", "b"]), st.text(max_size=4), st.integers()), max_size=30))
async def test_tenants_and_sessions_never_meet(turns: list[tuple[str, str, int]]) -> None:
    for make in FACTORIES.values():
        memory = make(100, 60, Clock())
        for tenant, session, value in turns:
            await memory.remember(tenant, session, {"value": value})
        for tenant, session in {(tenant, session) for tenant, session, _ in turns}:
            expected = [{"value": value} for owner, name, value in turns if (owner, name) == (tenant, session)]
            assert await memory.recall(tenant, session) == expected


async def test_the_number_of_sessions_is_bounded() -> None:
    memory = InProcessSessionMemory(max_sessions=3, clock=Clock())
    for number in range(5):
        await memory.remember("t", f"s{number}", {"query": number})
    assert [len(await memory.recall("t", f"s{number}")) for number in range(5)] == [0, 0, 1, 1, 1]
