"""One embedding model takes over from another while questions are asked: each is answered by one of them and its own vectors, none fails."""

from __future__ import annotations

import asyncio
from pathlib import Path

import anyio
import pytest

from core.errors import StorageFull
from core.search_schemas import SearchRequest, SearchResponse
from storage.pending_vectors import EmbedderRecord, SqlPendingVectors
from tests.support.empty_library import open_library
from tests.support.model_switch import (
    FILES,
    ModelOpener,
    SwitchableModel,
    ask_question,
    embedder_of_answer,
    embedder_state,
    index_folder,
    open_model_library,
    question_of,
    wait_for_detail,
    wait_until_gone,
    write_files,
)

LATE = 4  # files that come while the other model takes over


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_files(tmp_path / "docs")


@pytest.mark.parametrize("sizes", [{"alpha": 128, "beta": 192}, {"alpha": 192, "beta": 192}])
async def test_questions_asked_all_the_time_find_the_right_file_by_one_model_or_the_other(
    tmp_path: Path, folder: Path, sizes: dict[str, int]
) -> None:
    models = ModelOpener(sizes, held={"beta"})
    async with open_model_library(tmp_path, "alpha", models) as services:
        await index_folder(services, folder)
    over, answered = asyncio.Event(), list[SearchResponse]()
    async with open_model_library(tmp_path, "beta", models) as services:

        async def asking(first: int) -> None:
            number = first
            while not over.is_set():
                response = await ask_question(services, question_of(number % FILES), use_hybrid=False, strategy="semantic")
                assert (response.status in {"success", "not_found"}, response.degraded) == (True, [])
                assert response.results[0].filename == f"{number % FILES}.txt", response.response_message
                answered.append(response)
                models.let_fill("beta")  # there is an answer by the first model
                number += 7

        async def changing() -> None:
            for number in range(LATE):
                (folder / f"late{number}.txt").write_text(f"The ferry number {number} of the delta is called Halcyon{number}.\n")
                await index_folder(services, folder)
            await wait_for_detail(services, "beta")
            for number in range(3):  # some more by the new model alone
                response = await ask_question(services, question_of(number))
                assert await embedder_of_answer(services, response) == "beta"
            over.set()

        await asyncio.gather(changing(), *(asking(first) for first in range(4)))
        names = [await embedder_of_answer(services, response) for response in answered]
        assert set(names) == {"alpha", "beta"}
        for number in range(LATE):
            assert f"Halcyon{number}" in (await ask_question(services, f"What is ferry number {number} of the delta called?")).answer
        assert (await services.library.totals("default")).vectors == FILES + LATE
        assert (await index_folder(services, folder)).progress["files_unchanged"] == FILES + LATE  # nothing is read again
        (folder / "after.txt").write_text("The lighthouse is kept by Petronella.\n")
        assert (await index_folder(services, folder)).progress["files_indexed"] == 1
        assert (await ask_question(services, "who keeps the lighthouse", use_hybrid=False)).results[0].filename == "after.txt"
    async with open_model_library(tmp_path, "beta", models) as services:
        assert await embedder_state(services) == ("ok", "beta")
        assert (await ask_question(services, "who keeps the lighthouse", use_hybrid=False)).results[0].filename == "after.txt"
        await wait_until_gone(models, "alpha")


async def test_a_run_that_began_before_ends_by_the_old_model_which_is_then_closed_and_gone(tmp_path: Path, folder: Path) -> None:
    models = ModelOpener({"alpha": 128, "beta": 192}, held={"beta"})
    async with open_model_library(tmp_path, "alpha", models) as services:
        await index_folder(services, folder)
    async with open_model_library(tmp_path, "beta", models) as services:
        old = models.find_model("alpha")
        assert old is not None
        slow = await services.runs.start(SearchRequest(query="who keeps harboura and must wait", use_memory=False))
        await old.reached.wait()
        models.let_fill("beta")
        await wait_for_detail(services, "beta; questions that began before end with alpha")
        assert await embedder_of_answer(services, await ask_question(services, question_of(1))) == "beta"
        assert not old.closed
        old.go.set()
        response = await services.runs.result("default", slow)
        assert (response.degraded, response.results[0].filename) == ([], "0.txt")
        assert await embedder_of_answer(services, response) == "alpha"
        await wait_for_detail(services, "beta")
        assert old.closed
        del old
        await wait_until_gone(models, "alpha")  # nothing holds it any more, nor the vectors that belong to it
        names = [path.name async for path in anyio.Path(tmp_path / "home").glob("tokens*.db")]
        assert names == ["tokens-next.db"]
    async with open_model_library(tmp_path, "beta", models):
        names = [path.name async for path in anyio.Path(tmp_path / "home").glob("tokens*.db")]
        assert names == ["tokens.db"]


async def test_it_waits_for_the_indexing_that_a_person_started(tmp_path: Path, folder: Path) -> None:
    models = ModelOpener({"alpha": 128, "beta": 192})
    async with open_model_library(tmp_path, "alpha", models) as services:
        await index_folder(services, folder)
        for number in range(12):
            (folder / f"more{number}.txt").write_text(f"The windmill number {number} grinds rye.\n")
    async with open_model_library(tmp_path, "beta", models) as services:
        job = await index_folder(services, folder)
        assert (job.state, job.progress["files_indexed"]) == ("done", 12)
        await wait_for_detail(services, "beta")
        assert (await services.library.totals("default")).vectors == FILES + 12


async def test_a_switch_that_fails_changes_nothing_and_is_tried_again(tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    models, real, has_room = ModelOpener({"alpha": 128, "beta": 192}), SqlPendingVectors.switch_embedder, asyncio.Event()
    async with open_model_library(tmp_path, "alpha", models) as services:
        await index_folder(services, folder)

    async def full(self: SqlPendingVectors, old: str, new: EmbedderRecord) -> int:
        if has_room.is_set():
            return await real(self, old, new)
        raise StorageFull("No space is left on the disk.")

    monkeypatch.setattr(SqlPendingVectors, "switch_embedder", full)
    monkeypatch.setattr("composition.model_switch._RETRY_SECONDS", 0.2)
    async with open_model_library(tmp_path, "beta", models) as services:
        with anyio.fail_after(120):
            while "could not take over: No space is left on the disk." not in (await embedder_state(services))[1]:  # noqa: ASYNC110  (it tells nobody)
                await anyio.sleep(0.02)
        response = await ask_question(services, question_of(3), use_hybrid=False)
        assert (response.results[0].filename, await embedder_of_answer(services, response)) == ("3.txt", "alpha")
        has_room.set()
        await wait_for_detail(services, "beta")
        response = await ask_question(services, question_of(3), use_hybrid=False)
        assert (response.results[0].filename, await embedder_of_answer(services, response)) == ("3.txt", "beta")


async def test_a_process_that_died_right_after_the_transaction_starts_with_the_new_model(tmp_path: Path, folder: Path) -> None:
    models = ModelOpener({"alpha": 128, "beta": 192})
    async with open_model_library(tmp_path, "alpha", models) as services:
        await index_folder(services, folder)
        await ask_question(services, question_of(5))
    database = open_library(tmp_path / "home")
    store, beta = SqlPendingVectors(database), SwitchableModel("beta", 192)
    for waiting in await store.vectors_beside("alpha", "beta").list_unfilled(1000):
        texts = [text for _, text in await store.vectors_beside("alpha", "beta").texts(waiting)]
        await store.vectors_beside("alpha", "beta").store_vectors(waiting, (await beta.embed_passages(texts)).vectors.astype("float16"))
    assert await store.switch_embedder("alpha", EmbedderRecord("beta", "beta")) == FILES
    await database.close()
    async with open_model_library(tmp_path, "beta", models) as services:
        assert await embedder_state(services) == ("ok", "beta")
        response = await ask_question(services, question_of(5), use_hybrid=False)
        assert (response.results[0].filename, await embedder_of_answer(services, response)) == ("5.txt", "beta")
        assert (await index_folder(services, folder)).progress["files_unchanged"] == FILES


async def test_a_process_that_stops_in_the_middle_goes_on_where_it_was(tmp_path: Path, folder: Path) -> None:
    models = ModelOpener({"alpha": 128, "beta": 192})
    async with open_model_library(tmp_path, "alpha", models) as services:
        await index_folder(services, folder)
    for _ in range(3):
        async with open_model_library(tmp_path, "beta", models) as services:
            assert (await ask_question(services, question_of(2), use_hybrid=False)).results[0].filename == "2.txt"
    async with open_model_library(tmp_path, "alpha", models) as services:  # the person thinks better of it, or it took over already and goes back
        assert (await ask_question(services, question_of(2), use_hybrid=False)).results[0].filename == "2.txt"
        await wait_for_detail(services, "alpha")
        assert (await ask_question(services, question_of(2), use_hybrid=False)).results[0].filename == "2.txt"


async def test_a_model_with_a_shorter_window_has_the_documents_read_again_in_the_background(tmp_path: Path, folder: Path) -> None:
    models = ModelOpener({"alpha": 128, "beta": 192}, {"beta": 24})
    (folder / "long.txt").write_text(" ".join(f"The mill wheel {number} turns in the race of parish d." for number in range(40)))
    async with open_model_library(tmp_path, "alpha", models, watch=True) as services:
        await index_folder(services, folder)
        before = (await services.library.totals("default")).vectors
    async with open_model_library(tmp_path, "beta", models, watch=True) as services:
        await wait_for_detail(services, "beta")
        with anyio.fail_after(120):
            while (await services.library.totals("default")).vectors <= before:
                response = await ask_question(services, question_of(4), use_hybrid=False)
                assert [result.filename for result in response.results][:1] == ["4.txt"]
