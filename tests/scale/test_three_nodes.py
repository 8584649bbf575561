"""Three nodes of OpenSearch with replicas: one is killed while questions are asked and while files are indexed, whichever it is; nothing is lost,
nothing is there twice, and the cluster and Vantage recover by themselves."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from core.ports import JobRecord
from server.services import Services
from tests.support.model_switch import ask_question, index_folder, place_of, question_of, write_files
from tests.support.opensearch_cluster import Cluster, three_nodes
from tests.support.opensearch_library import open_opensearch_library
from tests.support.opensearch_server import NoOpenSearchError, options_of, request

pytestmark = [pytest.mark.scale, pytest.mark.integration]
MORE = 120


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    try:
        with three_nodes() as started:
            yield started
    except NoOpenSearchError as missing:
        pytest.skip(str(missing))


@asynccontextmanager
async def open_library(home: Path, cluster: Cluster, index_name: str) -> AsyncIterator[Services]:
    async with open_opensearch_library(home, index_name, cluster.environment) as services:
        yield services


def versions_in(cluster: Cluster, index_name: str, asked: str) -> dict[str, list[int]]:
    """Return document -> entries of each of its versions, in both indices together."""
    reached = options_of(f"http://127.0.0.1:{cluster.nodes[asked].port}", index_name)
    request(reached, "POST", f"/{index_name}-*/_refresh")
    terms = {"terms": {"field": "document", "size": 1000}, "aggs": {"versions": {"terms": {"field": "revision"}}}}
    answer = request(reached, "POST", f"/{index_name}-words,{index_name}-vectors/_search", {"size": 0, "aggs": {"documents": terms}})
    return {each["key"]: [version["doc_count"] for version in each["versions"]["buckets"]] for each in answer["aggregations"]["documents"]["buckets"]}


async def part_of(services: Services) -> tuple[str, str]:
    (part,) = [part for part in await services.parts() if part.name == "index"]
    return part.state, part.detail


def write_more(folder: Path) -> None:
    for number in range(MORE):
        (folder / f"more{number}.txt").write_text(f"The beacon lamp{number} burns on rock{number}. Its keeper is Keeper{number}.\n")


async def test_a_node_is_killed_while_it_answers(tmp_path: Path, cluster: Cluster) -> None:
    async with open_library(tmp_path, cluster, "answering") as services:
        assert (await index_folder(services, write_files(tmp_path / "docs"))).state == "done"
        await asyncio.to_thread(cluster.wait_until_green)
        victim = cluster.primary_of("answering-words")
        left = next(name for name in cluster.nodes if name != victim)

        async def ask(number: int) -> str:
            return (await ask_question(services, question_of(number))).results[0].filename

        first = [await ask(number) for number in range(3)]
        killing = asyncio.create_task(asyncio.to_thread(cluster.nodes[victim].kill))
        during = [await ask(number) for number in range(3, 30)]
        await killing
        assert [*first, *during] == [f"{number}.txt" for number in range(30)]
        state, said = await part_of(services)
        assert (state, "yellow" in said or "green" in said) == ("ok", True)  # a third node may have its copy already
        await asyncio.to_thread(cluster.nodes[victim].start)
        await asyncio.to_thread(cluster.wait_until_green, left)
        assert await ask(11) == "11.txt"


@pytest.mark.parametrize("which", ["primary", "manager"])
async def test_a_node_is_killed_while_files_are_indexed(tmp_path: Path, cluster: Cluster, which: str) -> None:
    name = f"indexing-{which}"
    async with open_library(tmp_path, cluster, name) as services:
        folder = write_files(tmp_path / "docs")
        assert (await index_folder(services, folder)).state == "done"
        await asyncio.to_thread(cluster.wait_until_green)
        write_more(folder)
        (folder / "3.txt").unlink()
        (folder / "4.txt").write_text(f"{place_of(4)} has {place_of(4)} keeper Successor.\n")
        victim = cluster.primary_of(f"{name}-words") if which == "primary" else cluster.manager()
        left = next(each for each in cluster.nodes if each != victim)
        job = await services.jobs.queue_run("default", str(folder), "default")
        ended: JobRecord = job
        killed_at = 0
        async for ended in services.jobs.events("default", job.id):
            if not killed_at and ended.progress.get("files_done", 0) >= 20:
                killed_at = ended.progress["files_done"]
                await asyncio.to_thread(cluster.nodes[victim].kill)
        assert 20 <= killed_at < MORE
        assert (ended.state, ended.error) == ("done", None)  # another node took over within the patience of the writer
        await asyncio.to_thread(cluster.nodes[victim].start)
        await asyncio.to_thread(cluster.wait_until_green, left)
        held = versions_in(cluster, name, left)
        assert len(held) == 30 - 1 + MORE
        assert {tuple(entries) for entries in held.values()} == {(4,)}  # one version: a chunk and its document, of words and of vectors
        assert "Successor" in (await ask_question(services, question_of(4))).answer
        assert "3.txt" not in [each.filename for each in (await ask_question(services, question_of(3))).results]
        for number in range(0, MORE, 17):
            found = await ask_question(services, f"who is the keeper of rock{number}")
            assert found.results[0].filename == f"more{number}.txt"
