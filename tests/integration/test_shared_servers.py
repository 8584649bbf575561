"""What the servers of one library keep in step: duties that one of them has, jobs of one that is gone, wrong keys, memory, the lock of the folder."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import anyio
import anyio.lowlevel
import pytest

from composition.shared_servers import Duties, SharedServers, end_orphaned_jobs, open_tries, share_memory, share_tokens
from core.errors import Conflict, TooManyTries
from core.ports import IndexJobOptions
from ingestion.indexing.job_types import make_record
from orchestration.run_sharing import SharedRuns, SharedStores
from settings import Settings, load_settings
from storage.home import Home, LibraryLock, SharedLibraryLock
from storage.in_process_notices import InProcessNotices
from storage.shared_lock import SharedLock
from storage.sql_jobs import SqlJobs
from storage.sql_shared_runs import SqlSharedRuns
from tests.support.databases import shared_postgres
from tests.support.empty_library import open_library
from tests.support.own_stores import own_postgres
from tests.support.stores import MemoryConversations, MemoryTraces

LOCK = 0x7465737473  # any number that no other test's lock has


def settings_of(home: Path, **changed: str) -> Settings:
    environment = {"VANTAGE_HOME": str(home), **changed}
    return load_settings(environ=environment, folder=home)


SHARED = {
    "VANTAGE_WORKERS__QUEUE": "postgres",
    "VANTAGE_STORAGE__URL": "postgresql+psycopg://me@127.0.0.1:9/x",
    "VANTAGE_SEARCH__ENGINE": "opensearch",
    "VANTAGE_SERVER__FAILED_TRIES": "2",
}


@pytest.fixture
async def servers(tmp_path: Path) -> AsyncIterator[tuple[SharedServers, SharedServers]]:
    database, bus = open_library(tmp_path), InProcessNotices()
    duties = Duties(SharedLock(SHARED["VANTAGE_STORAGE__URL"], LOCK), 0.1)  # nobody takes them here
    ends = [bus.connect() for _ in range(2)]
    stores = SharedStores(SqlSharedRuns(database), MemoryConversations(), MemoryTraces())
    made = [SharedServers(SharedRuns(name, stores, end), end, duties) for name, end in zip("ab", ends, strict=True)]
    yield made[0], made[1]
    database.close_sync()


async def settle() -> None:
    """Let what was begun run: all of it happens in this loop."""
    for _ in range(100):
        await anyio.lowlevel.checkpoint()


async def test_wrong_keys_of_all_servers_count_once_each(servers: tuple[SharedServers, SharedServers], tmp_path: Path) -> None:
    one, other = (open_tries(settings_of(tmp_path, **SHARED), server) for server in servers)
    one.record_failure("203.0.113.9")
    await settle()
    for tries in (one, other):
        tries.check_address("203.0.113.9")
    other.record_failure("203.0.113.9")
    await settle()
    for tries in (one, other):
        with pytest.raises(TooManyTries):
            tries.check_address("203.0.113.9")
        tries.check_address("203.0.113.10")


async def test_a_changed_memory_is_read_again_at_the_others_alone(servers: tuple[SharedServers, SharedServers]) -> None:
    class Memory:
        def __init__(self) -> None:
            self.read_again: list[tuple[str, str]] = []

        def share(self, tell: object) -> object:
            self.tell = tell
            return lambda tenant, person: self.read_again.append((tenant, person))

    one, other = Memory(), Memory()
    for memory, server in zip((one, other), servers, strict=True):
        share_memory(memory, server)  # type: ignore[arg-type] # what is asked of a TieredMemory here
    one.tell("acme", "Jörg Groß")  # type: ignore[operator]
    await settle()
    assert (one.read_again, other.read_again) == ([], [("acme", "Jörg Groß")])


async def test_jobs_that_only_a_gone_server_could_do_end_with_the_reason(tmp_path: Path) -> None:
    jobs = SqlJobs(open_library(tmp_path))
    made = {
        worker: replace(make_record("t", f"/docs/{number}", "default", IndexJobOptions()), worker=worker)
        for number, worker in enumerate(("server:gone", "server:alive", "server", "", "host:7:abc"))
    }
    for record in made.values():
        await jobs.save(record)
    await end_orphaned_jobs(jobs, {"alive"})
    ended = {worker: await jobs.get("t", record.id) for worker, record in made.items()}
    assert {worker for worker, record in ended.items() if record.state == "failed"} == {"server:gone", "server"}
    assert "password" in str(ended["server:gone"].error)
    assert ended["server:gone"].finished_at is not None


def test_several_share_the_folder_and_none_that_wants_it_alone(tmp_path: Path) -> None:
    home = Home(tmp_path)
    with SharedLibraryLock(home), SharedLibraryLock(home), pytest.raises(Conflict):
        LibraryLock(home).acquire()
    with LibraryLock(home), pytest.raises(Conflict, match="to itself"):
        SharedLibraryLock(home).__enter__()
    with SharedLibraryLock(home):
        pass


async def test_one_of_several_keeps_token_vectors(tmp_path: Path) -> None:
    settings, alone = settings_of(tmp_path, **SHARED), settings_of(tmp_path)
    async with contextlib.AsyncExitStack() as one, contextlib.AsyncExitStack() as other:
        keeps = [share_tokens(stack, settings, Home(tmp_path)).search.rerank.store_token_vectors for stack in (one, other)]
        assert keeps == [True, False]
        assert share_tokens(other, alone, Home(tmp_path)).search.rerank.store_token_vectors


@pytest.mark.integration
async def test_duties_pass_to_another_when_their_server_ends() -> None:
    begun: list[str] = []

    def duties_of(name: str) -> Duties:
        async def start() -> None:
            begun.append(name)

        duties = Duties(SharedLock(shared_postgres(), LOCK), 0.1)
        duties.take(start)
        return duties

    one = duties_of("one")
    with anyio.fail_after(10):
        while not begun:  # noqa: ASYNC110  (it tells nobody)
            await anyio.sleep(0.01)
    other = duties_of("other")
    await anyio.sleep(0.3)
    assert (begun, one.are_here, other.are_here) == (["one"], True, False)
    await one.close()
    with anyio.fail_after(10):
        while not other.are_here:  # noqa: ASYNC110
            await anyio.sleep(0.01)
    await other.close()
    assert begun == ["one", "other"]


@pytest.mark.integration
async def test_duties_stay_when_postgres_was_started_again() -> None:
    try:
        stack = contextlib.ExitStack()
        store = stack.enter_context(own_postgres())
    except FileNotFoundError as missing:
        pytest.skip(str(missing))
    begun: list[str] = []

    async def start() -> None:
        begun.append("begun")

    with stack:
        duties = Duties(SharedLock(store.url, LOCK), 0.1)
        duties.take(start)
        with anyio.fail_after(20):
            while not begun:  # noqa: ASYNC110
                await anyio.sleep(0.01)
            store.kill()
            await anyio.sleep(0.3)
            store.start()
            await anyio.sleep(2.5)
        assert begun == ["begun"]
        assert duties.are_here
        await duties.close()
