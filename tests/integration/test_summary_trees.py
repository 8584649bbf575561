"""Trees of summaries over the real composition: built as a job, searched, and exactly what the documents are."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

import anyio
import pytest

from core.errors import Cancelled, Conflict
from core.ports import TREE_JOB, ClaimableJobStore, JobRecord
from core.search import Filters
from core.search_schemas import SearchResponse
from core.trees import TreePage
from graph.trees.build_jobs import TreeJobs
from graph.trees.library_trees import LibraryTrees
from graph.trees.tree_building import BuildWatch
from server.request_identity import Identity
from server.services import Services
from tests.support.model_switch import ModelOpener, ask_question, index_folder, open_model_library

LOCAL = Identity("default", "local", has_key=False)
TOPICS = {
    "orchard": "The orchard warden counts the apple grafts in row {0}. Apple grafts of the orchard fail after the late frost {0}.",
    "harbour": "The harbour pilot logs the spring tide at buoy {0}. A spring tide in the harbour moves the buoy {0} by forty metres.",
    "foundry": "The foundry pours a bronze bell of weight {0}. A cracked bronze bell goes back to the foundry furnace as scrap {0}.",
    "reading": "The reading room lends its vellum atlas under number {0}. No vellum atlas leaves the reading room without slip {0}.",
}


def write(folder: Path, *topics: str) -> Path:
    folder.mkdir()
    for topic in topics:
        for number in range(12):
            (folder / f"{topic}{number}.txt").write_text(TOPICS[topic].format(number) + "\n")
    return folder


@asynccontextmanager
async def library(home: Path, *topics: str, on: bool = True) -> AsyncIterator[Services]:
    await anyio.Path(home).mkdir()
    async with open_model_library(home, "alpha", ModelOpener({"alpha": 128})) as services:
        assert (await index_folder(services, write(home / "documents", *topics))).state == "done"
        if on:
            await services.preferences.switch(LOCAL, {"raptor": True})
        yield services


async def build(services: Services, tenant: str = "default") -> JobRecord:
    job = await services.trees.queue_build(tenant, "ann")
    return await over(services, job)


async def over(services: Services, job: JobRecord) -> JobRecord:
    with anyio.fail_after(120):
        while not (job := await services.jobs.get(job.tenant, job.id)).is_over:  # noqa: ASYNC110 (it is polled by people, too)
            await anyio.sleep(0.05)
    return job


async def ask_tree(services: Services, question: str) -> SearchResponse:
    return await ask_question(services, question, pipeline="raptor")


def in_words(page: TreePage) -> set[tuple[object, ...]]:
    """A tree without its numbers and ids."""
    return {(each.level, each.passages, tuple((cited.filename, cited.text) for cited in each.citations)) for each in page.summaries}


async def test_a_tree_is_built_once_and_searched_by_who_asks_for_it(tmp_path: Path) -> None:
    async with library(tmp_path / "one", *TOPICS) as services:
        before = await ask_tree(services, "what does a spring tide move")
        assert [(each.part, "No tree of summaries was built" in each.reason) for each in before.degraded] == [("raptor", True)]
        done = await build(services)
        assert (done.state, done.error, done.kind, done.request["by"]) == ("done", None, TREE_JOB, "ann")
        page = await services.trees.list_summaries("default", limit=500)
        assert (page.passages, page.stale, page.reason) == (48, False, "")
        assert {each.level for each in page.summaries} == set(range(1, page.levels + 1))
        for each in page.summaries:
            for cited in each.citations:
                text = (await services.library.content("default", cited.document_id)).text
                assert text[cited.start : cited.end] == cited.text
        after = await ask_tree(services, "what does a spring tide move")
        assert (after.status, after.degraded) == ("success", [])
        assert all("harbour" in each.filename for each in after.results[:3])
        trace = await services.traces.get("default", after.trace_id)
        assert trace.retrieval_request["use_tree"] is True
        assert any("tree" in each.stages for each in trace.moves)
        plain = await ask_question(services, "what does a spring tide move")
        assert "tree" not in {name for each in (await services.traces.get("default", plain.trace_id)).moves for name in each.stages}
        assert (await build(services)).state == "done"
        assert (await services.trees.list_summaries("default")).built_at == page.built_at  # nothing changed, nothing was done


async def test_a_deleted_document_is_gone_at_once_and_a_new_tree_is_as_if_it_had_never_been(tmp_path: Path) -> None:
    async with library(tmp_path / "never", "orchard", "harbour", "reading") as services:
        await build(services)
        never = await services.trees.list_summaries("default", limit=500)
    async with library(tmp_path / "deleted", *TOPICS) as services:
        await build(services)
        said = str(await services.trees.list_summaries("default", limit=500))
        assert "bronze bell" in said
        documents, _, _ = await services.library.list_documents("default", filters=Filters(), limit=100)
        for each in documents:
            if each.filename.startswith("foundry"):
                await services.jobs.delete_document("default", each.id)
        left = await services.trees.list_summaries("default", limit=500)
        assert "bronze" not in str(left)
        assert (left.stale, max(each.passages for each in left.summaries) <= 36) == (True, True)
        assert "foundry" not in str((await ask_tree(services, "which bronze bell is cracked")).results)
        await build(services)
        assert in_words(await services.trees.list_summaries("default", limit=500)) == in_words(never)


async def test_what_is_indexed_later_is_found_beside_the_tree_and_joins_it(tmp_path: Path) -> None:
    async with library(tmp_path / "one", "orchard", "harbour") as services:
        await build(services)
        assert (await index_folder(services, write(tmp_path / "more", "foundry"))).state == "done"
        found = await ask_tree(services, "which bronze bell is cracked")
        assert found.results[0].filename.startswith("foundry")
        assert (await services.trees.list_summaries("default")).stale
        await build(services)
        page = await services.trees.list_summaries("default", limit=500)
        assert (page.stale, page.passages, "bronze bell" in str(page)) == (False, 36, True)


async def test_tenants_switch_and_build_their_own(tmp_path: Path) -> None:
    async with library(tmp_path / "one", *TOPICS, on=False) as services:
        with pytest.raises(Conflict, match=r"raptor\.enabled"):
            await services.trees.queue_build("default")
        assert "switched off" in (await services.trees.list_summaries("default")).reason
        refused = await ask_tree(services, "what does a spring tide move")
        assert ("raptor", "Trees of summaries are switched off") in {(each.part, each.reason.split(" (")[0]) for each in refused.degraded}
        await services.preferences.switch(LOCAL, {"raptor": True})
        await build(services)
        with pytest.raises(Conflict):
            await services.trees.queue_build("other")
        assert (await services.trees.list_summaries("default:ann", limit=1)).passages == 48  # a person reads the tenant's
        index = services.inspector.dependencies.retriever.index  # type: ignore[attr-defined] # TraceInspector's
        assert await services.trees.find_centres("other", "alpha", index) is None


async def test_what_a_process_left_unfinished_goes_on_at_the_next_start(tmp_path: Path) -> None:
    async with library(tmp_path / "one", *TOPICS) as services:
        jobs = cast(TreeJobs, services.trees)._jobs
        left = JobRecord("left", "default", TREE_JOB, "running", "", now := datetime.now(UTC), started_at=now)
        await jobs.save(left)
    async with open_model_library(tmp_path / "one", "alpha", ModelOpener({"alpha": 128})) as services:
        assert (await over(services, left)).state == "done"
        assert (await services.trees.list_summaries("default")).total > 1


class WaitingTrees:
    """Builds until it is stopped."""

    async def build(self, tenant: str, watch: BuildWatch) -> str:
        def wait() -> None:
            while not watch.is_stopped():
                watch.report(1, 7, 48)
            raise Cancelled("The tree was not built: somebody stopped it.")

        await anyio.to_thread.run_sync(wait)
        return ""


async def test_a_job_shows_how_far_it_is_and_is_stopped_like_others(tmp_path: Path) -> None:
    async with library(tmp_path / "one", "orchard") as services:
        jobs: ClaimableJobStore = cast(TreeJobs, services.trees)._jobs
        trees = TreeJobs(cast(LibraryTrees, WaitingTrees()), jobs, lambda _: True)
        job = await trees.queue_build("default")
        assert (await trees.queue_build("default")).id == job.id
        with anyio.fail_after(30):
            while (await services.jobs.get("default", job.id)).progress.get("chunks") != 7:  # noqa: ASYNC110 (it is polled by people, too)
                await asyncio.sleep(0.05)
        assert await services.jobs.cancel("default", job.id)
        ended = await over(services, job)
        assert (ended.state, ended.progress["current"]) == ("cancelled", "level 1: 7 of 48")
        assert not await services.jobs.cancel("default", job.id)
        await trees.close()
