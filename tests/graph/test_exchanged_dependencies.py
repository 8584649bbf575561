"""What Zeus goes by is exchanged while runs go on: a run that began keeps its own, one that begins now gets the new."""

from __future__ import annotations

import asyncio

import pytest

from core.search import Retrieval, RetrievalRequest
from core.search_schemas import RunAnswer, SearchRequest
from orchestration.run_registry import Runs
from orchestration.trace_inspector import differences
from orchestration.zeus import Zeus
from tests.support.ports import FakeLibrary, FakeRetriever, make_dependencies, sample_library

QUESTION = "How much notice must the tenant give?"


class SlowRetriever(FakeRetriever):
    """Waits in the middle of a search until it is let go, and counts its searches."""

    def __init__(self, library: FakeLibrary) -> None:
        super().__init__(library)
        self.reached, self.go, self.count = asyncio.Event(), asyncio.Event(), 0

    async def retrieve(self, request: RetrievalRequest) -> Retrieval:
        self.count += 1
        self.reached.set()
        await self.go.wait()
        return await super().retrieve(request)


async def test_a_run_ends_with_what_it_began_with_and_the_next_one_takes_the_new() -> None:
    library = sample_library()
    old, new = SlowRetriever(library), SlowRetriever(library)
    deps = make_dependencies(library, retriever=old, embedder="old-model")
    zeus = Zeus(deps)
    runs = Runs(zeus)
    first = await runs.start(SearchRequest(query=QUESTION))
    await old.reached.wait()
    unused = zeus.leases.exchange(make_dependencies(library, retriever=new, embedder="new-model", traces=deps.traces))
    new.go.set()
    second = await runs.start(SearchRequest(query=QUESTION))
    assert (await runs.result("default", second)).status == "success"
    assert (old.count, unused.is_set()) == (1, False)  # the first still waits in its first search
    searched = new.count
    old.go.set()
    assert (await runs.result("default", first)).status == "success"
    await asyncio.wait_for(unused.wait(), 30)
    assert (old.count > 1, new.count) == (True, searched)  # its later searches went where its first one did
    one, other = await deps.traces.get("default", first), await deps.traces.get("default", second)
    assert (one.embedder, other.embedder) == ("old-model", "new-model")
    assert "The embedding model: old-model on the left, new-model on the right." in differences(one, other)


async def test_a_run_that_asked_back_goes_on_with_the_new_and_holds_nothing_meanwhile() -> None:
    library = sample_library()
    deps = make_dependencies(library, embedder="old-model")
    zeus = Zeus(deps)
    runs = Runs(zeus)
    run_id = await runs.start(SearchRequest(query="that one"))
    assert (await runs.result("default", run_id)).status == "clarification_needed"
    unused = zeus.leases.exchange(make_dependencies(library, embedder="new-model", traces=deps.traces))
    assert unused.is_set()
    await runs.answer("default", run_id, RunAnswer(text=QUESTION))
    assert (await runs.result("default", run_id)).status == "success"
    assert (await deps.traces.get("default", run_id)).embedder == "new-model"


@pytest.mark.parametrize("stopped", [True, False])
async def test_a_run_that_is_stopped_gives_back_what_it_held(stopped: bool) -> None:
    library = sample_library()
    slow = SlowRetriever(library)
    zeus = Zeus(make_dependencies(library, retriever=slow))
    runs = Runs(zeus)
    run_id = await runs.start(SearchRequest(query=QUESTION))
    await slow.reached.wait()
    unused = zeus.leases.exchange(make_dependencies(library))
    if stopped:
        await runs.cancel("default", run_id)
    else:
        await runs.close()
    await asyncio.wait_for(unused.wait(), 30)
