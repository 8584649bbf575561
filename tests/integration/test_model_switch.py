"""One embedding model takes over from another while questions are asked: each is answered by one of them and its own vectors, none fails."""

from __future__ import annotations

import asyncio
import gc
from pathlib import Path

import anyio
import pytest

from core.errors import StorageFull
from core.exchange import SearchRequest, SearchResponse
from storage.next_vectors import KeptEmbedder, SqlNextVectors
from tests.support.empty_library import open_library
from tests.support.model_switch import (
    FILES,
    Model,
    Models,
    asked,
    embedder_part,
    fill,
    indexed,
    library,
    question_of,
    searched_by,
    until,
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return fill(tmp_path / "docs")


@pytest.mark.parametrize("sizes", [{"alpha": 128, "beta": 192}, {"alpha": 192, "beta": 192}])
async def test_questions_asked_all_the_time_find_the_right_file_by_one_model_or_the_other(
    tmp_path: Path, folder: Path, sizes: dict[str, int]
) -> None:
    models = Models(sizes)
    async with library(tmp_path, "alpha", models) as services:
        await indexed(services, folder)
    over, answered = asyncio.Event(), list[SearchResponse]()
    async with library(tmp_path, "beta", models) as services:

        async def asking(first: int) -> None:
            number = first
            while not over.is_set():
                response = await asked(services, question_of(number % FILES), use_hybrid=False, strategy="semantic")
                assert (response.status in {"success", "not_found"}, response.degraded) == (True, [])
                assert response.results[0].filename == f"{number % FILES}.txt", response.response_message
                answered.append(response)
                number += 7

        async def changing() -> None:
            for number in range(4):
                (folder / f"late{number}.txt").write_text(f"The ferry number {number} of the delta is called Halcyon{number}.\n")
                await indexed(services, folder)
            await until(services, "beta")
            for number in range(3):  # some more by the new model alone
                response = await asked(services, question_of(number))
                assert await searched_by(services, response) == "beta"
            over.set()

        await asyncio.gather(changing(), *(asking(first) for first in range(4)))
        names = [await searched_by(services, response) for response in answered]
        assert set(names) == {"alpha", "beta"}
        for number in range(4):
            assert f"Halcyon{number}" in (await asked(services, f"What is ferry number {number} of the delta called?")).answer
        assert (await services.library.totals("default")).vectors == FILES + 4
        assert (await indexed(services, folder)).progress["files_unchanged"] == FILES + 4  # nothing is read again
        (folder / "after.txt").write_text("The lighthouse is kept by Petronella.\n")
        assert (await indexed(services, folder)).progress["files_indexed"] == 1
        assert (await asked(services, "who keeps the lighthouse", use_hybrid=False)).results[0].filename == "after.txt"
    async with library(tmp_path, "beta", models) as services:
        assert await embedder_part(services) == ("ok", "beta")
        assert (await asked(services, "who keeps the lighthouse", use_hybrid=False)).results[0].filename == "after.txt"
        assert models.named("alpha") is None


async def test_a_run_that_began_before_ends_by_the_old_model_which_is_then_closed_and_gone(tmp_path: Path, folder: Path) -> None:
    models = Models({"alpha": 128, "beta": 192})
    async with library(tmp_path, "alpha", models) as services:
        await indexed(services, folder)
    async with library(tmp_path, "beta", models) as services:
        old = models.named("alpha")
        assert old is not None
        slow = await services.runs.start(SearchRequest(query="who keeps harboura and must wait", use_memory=False))
        await old.reached.wait()
        await until(services, "beta; questions that began before end with alpha")
        assert await searched_by(services, await asked(services, question_of(1))) == "beta"
        assert not old.closed
        old.go.set()
        response = await services.runs.result("default", slow)
        assert (response.degraded, response.results[0].filename) == ([], "0.txt")
        assert await searched_by(services, response) == "alpha"
        await until(services, "beta")
        assert old.closed
        del old
        gc.collect()
        assert models.named("alpha") is None  # nothing holds it any more, nor the vectors that belong to it
        names = [path.name async for path in anyio.Path(tmp_path / "home").glob("tokens*.db")]
        assert names == ["tokens-next.db"]
    async with library(tmp_path, "beta", models):
        names = [path.name async for path in anyio.Path(tmp_path / "home").glob("tokens*.db")]
        assert names == ["tokens.db"]


async def test_it_waits_for_the_indexing_that_a_person_started(tmp_path: Path, folder: Path) -> None:
    models = Models({"alpha": 128, "beta": 192})
    async with library(tmp_path, "alpha", models) as services:
        await indexed(services, folder)
        for number in range(12):
            (folder / f"more{number}.txt").write_text(f"The windmill number {number} grinds rye.\n")
    async with library(tmp_path, "beta", models) as services:
        job = await indexed(services, folder)
        assert (job.state, job.progress["files_indexed"]) == ("done", 12)
        await until(services, "beta")
        assert (await services.library.totals("default")).vectors == FILES + 12


async def test_a_switch_that_fails_changes_nothing_and_is_tried_again(tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    models, real, failed = Models({"alpha": 128, "beta": 192}), SqlNextVectors.switch, asyncio.Event()
    async with library(tmp_path, "alpha", models) as services:
        await indexed(services, folder)

    async def full(self: SqlNextVectors, old: str, new: KeptEmbedder) -> int:
        if failed.is_set():
            return await real(self, old, new)
        failed.set()
        raise StorageFull("No space is left on the disk.")

    monkeypatch.setattr(SqlNextVectors, "switch", full)
    monkeypatch.setattr("composition.switching._RETRY", 0.2)
    async with library(tmp_path, "beta", models) as services:
        await failed.wait()
        assert "could not take over: No space is left on the disk." in (await embedder_part(services))[1]
        response = await asked(services, question_of(3), use_hybrid=False)
        assert (response.results[0].filename, await searched_by(services, response)) == ("3.txt", "alpha")
        await until(services, "beta")
        response = await asked(services, question_of(3), use_hybrid=False)
        assert (response.results[0].filename, await searched_by(services, response)) == ("3.txt", "beta")


async def test_a_process_that_died_right_after_the_transaction_starts_with_the_new_model(tmp_path: Path, folder: Path) -> None:
    models = Models({"alpha": 128, "beta": 192})
    async with library(tmp_path, "alpha", models) as services:
        await indexed(services, folder)
        await asked(services, question_of(5))
    database = open_library(tmp_path / "home")
    store, beta = SqlNextVectors(database), Model("beta", 192)
    for waiting in await store.beside("alpha", "beta").unfilled(1000):
        texts = [text for _, text in await store.beside("alpha", "beta").texts(waiting)]
        await store.beside("alpha", "beta").put(waiting, (await beta.embed_passages(texts)).vectors.astype("float16"))
    assert await store.switch("alpha", KeptEmbedder("beta", "beta")) == FILES
    await database.close()
    async with library(tmp_path, "beta", models) as services:
        assert await embedder_part(services) == ("ok", "beta")
        response = await asked(services, question_of(5), use_hybrid=False)
        assert (response.results[0].filename, await searched_by(services, response)) == ("5.txt", "beta")
        assert (await indexed(services, folder)).progress["files_unchanged"] == FILES


async def test_a_process_that_stops_in_the_middle_goes_on_where_it_was(tmp_path: Path, folder: Path) -> None:
    models = Models({"alpha": 128, "beta": 192})
    async with library(tmp_path, "alpha", models) as services:
        await indexed(services, folder)
    for _ in range(3):
        async with library(tmp_path, "beta", models) as services:
            assert (await asked(services, question_of(2), use_hybrid=False)).results[0].filename == "2.txt"
    async with library(tmp_path, "alpha", models) as services:  # the person thinks better of it, or it took over already and goes back
        assert (await asked(services, question_of(2), use_hybrid=False)).results[0].filename == "2.txt"
        await until(services, "alpha")
        assert (await asked(services, question_of(2), use_hybrid=False)).results[0].filename == "2.txt"


async def test_a_model_with_a_shorter_window_has_the_documents_read_again_in_the_background(tmp_path: Path, folder: Path) -> None:
    models = Models({"alpha": 128, "beta": 192}, {"beta": 24})
    (folder / "long.txt").write_text(" ".join(f"The mill wheel {number} turns in the race of parish d." for number in range(40)))
    async with library(tmp_path, "alpha", models, watch=True) as services:
        await indexed(services, folder)
        before = (await services.library.totals("default")).vectors
    async with library(tmp_path, "beta", models, watch=True) as services:
        await until(services, "beta")
        with anyio.fail_after(120):
            while (await services.library.totals("default")).vectors <= before:
                response = await asked(services, question_of(4), use_hybrid=False)
                assert [result.filename for result in response.results][:1] == ["4.txt"]
