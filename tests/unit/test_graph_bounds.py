"""A graph that would be too large, or is still being loaded, is said; the search goes on without it."""

from __future__ import annotations

import asyncio
import contextlib

import anyio
import pytest

from core.errors import Unavailable
from core.ports.graph_store import GraphState
from graph.graph_view import GraphView, ViewLimit
from tests.support.graphs import MemoryGraphStore, make_paragraphs


async def none(tenant: str) -> int:
    return 0


async def many(tenant: str) -> int:
    return 31


async def test_a_library_over_the_bound_is_not_loaded() -> None:
    view = GraphView(MemoryGraphStore(), ViewLimit(30, many))
    with pytest.raises(Unavailable, match=r"graph\.max_passages"):
        await view.counts("default")
    with pytest.raises(Unavailable):
        await view.titles("default", "anything")
    assert (await GraphView(MemoryGraphStore(), ViewLimit(31, many)).counts("default")).entities == 0


class Slow(MemoryGraphStore):
    """A store whose graphs can be read once `go` is set."""

    def __init__(self) -> None:
        super().__init__()
        self.go = asyncio.Event()

    async def state(self, tenant: str) -> GraphState:
        await self.go.wait()
        return await super().state(tenant)


async def test_the_first_question_after_a_start_waits_for_the_graph() -> None:
    store = Slow()
    store.put_document("d", make_paragraphs("Ines Okafor works at Merrow Chandlers Ltd."), title="Merrow Chandlers")
    view = GraphView(store, ViewLimit(30, none))
    view.start()
    asked = asyncio.create_task(view.titles("default", "Who works at Merrow Chandlers?"))
    await asyncio.sleep(0.02)
    assert not asked.done()
    store.go.set()
    assert await asked == {"d": ["Merrow Chandlers"]}
    await view.close()


async def test_nobody_waits_long_for_the_first_load() -> None:
    store = Slow()
    store.put_document("d", make_paragraphs("Ines Okafor works at Merrow Chandlers Ltd."))
    view = GraphView(store, ViewLimit(30, none, wait_seconds=0.01))
    for _ in range(2):
        with pytest.raises(Unavailable, match="still being loaded"):
            await view.counts("default")
    store.go.set()
    assert await _count_once_loaded(view) == 1
    await view.close()


async def _count_once_loaded(view: GraphView) -> int:
    with anyio.fail_after(60):
        while True:
            with contextlib.suppress(Unavailable):
                return (await view.counts("default")).documents
