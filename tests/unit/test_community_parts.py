"""Ids that survive, times of the schedule, what a community is described by, and refreshes as jobs."""

from __future__ import annotations

import asyncio
import sys
from collections import defaultdict
from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from core.communities import RefreshResult
from core.errors import ConfigurationError, NotFound, Unavailable
from core.ports import COMMUNITY_JOB, JobRecord
from core.schedule import parse_schedule
from graph.communities.community_graph import CommunityGraph, take_community_graph
from graph.communities.description import describe_communities, outline_communities
from graph.communities.hierarchy import Group
from graph.communities.identity import assign_ids
from graph.communities.library_communities import CommunityOptions, LibraryCommunities
from graph.communities.refresh_jobs import CommunityRefreshes
from graph.graph_view import GraphView
from graph.tenant_graph import TenantGraph
from settings_graph import CommunitySettings
from tests.support.graphs import MemoryGraphStore, make_paragraphs

# ------------------------------------------------------------------------------------------------------------------------------------ ids


def test_a_community_keeps_its_id_while_half_of_the_members_are_the_same() -> None:
    before = {"old": ["a", "b", "c", "d"]}
    assert assign_ids("default", [["a", "b", "c", "d"]], before) == ["old"]
    assert assign_ids("default", [["a", "b", "c", "x"]], before) == ["old"]  # 3 of 5
    assert assign_ids("default", [["a", "b", "c", "d", "e", "f", "g", "h"]], before) == ["old"]  # 4 of 8
    (other,) = assign_ids("default", [["a", "b", "x", "y"]], before)  # 2 of 6
    assert other != "old"


def test_the_closest_takes_the_id_and_no_two_have_the_same() -> None:
    before = {"one": ["a", "b", "c", "d", "e", "f"]}
    ids = assign_ids("default", [["a", "b", "c"], ["a", "b", "c", "d", "e"], ["d", "e", "f"]], before)
    assert ids[1] == "one"
    assert len(set(ids)) == 3


def test_new_ids_follow_from_the_members_and_tell_nothing_across_tenants() -> None:
    assert assign_ids("default", [["b", "a"]], {}) == assign_ids("default", [["a", "b"]], {})
    assert assign_ids("default", [["a", "b"]], {}) != assign_ids("other", [["a", "b"]], {})


# ------------------------------------------------------------------------------------------------------------------------------- schedule


@pytest.mark.parametrize(
    ("text", "after", "due"),
    [
        ("0 3 * * 0", "2026-11-25T19:00", "2026-11-29T03:00"),  # a Wednesday; the next Sunday
        ("0 3 * * 7", "2026-11-29T03:00", "2026-12-06T03:00"),
        ("*/15 * * * *", "2026-11-25T19:07", "2026-11-25T19:15"),
        ("30 8-10,18 * * 1-5", "2026-11-27T18:30", "2026-11-30T08:30"),
        ("0 0 29 2 *", "2026-03-01T00:00", "2028-02-29T00:00"),
        ("0 12 13 * 5", "2026-11-25T00:00", "2026-11-27T12:00"),  # either day is enough
    ],
)
def test_the_next_time(text: str, after: str, due: str) -> None:
    assert parse_schedule(text).next_after(datetime.fromisoformat(after)) == datetime.fromisoformat(due)


def test_a_day_that_never_comes_is_never_due() -> None:
    assert parse_schedule("0 0 30 2 *").next_after(datetime(2026, 1, 1, tzinfo=UTC)) is None


@pytest.mark.parametrize("text", ["", "0 3 * *", "60 3 * * 0", "0 3 * * 8", "a 3 * * 0", "*/0 * * * *", "5-2 * * * *", "1-2-3 * * * *", "² * * * *"])
def test_what_is_no_schedule(text: str) -> None:
    with pytest.raises(ValueError, match=r"has to have|no number|not within"):
        parse_schedule(text)


def test_the_settings_refuse_a_wrong_schedule_and_take_none() -> None:
    assert CommunitySettings.model_validate({"refresh_schedule": "", "detection_enabled": False}).detection_enabled == "off"
    with pytest.raises(ValueError, match="five fields"):
        CommunitySettings.model_validate({"refresh_schedule": "weekly"})


# ---------------------------------------------------------------------------------------------------------------------------- description


async def described(*texts: str) -> tuple[CommunityGraph, MemoryGraphStore]:
    store, graph = MemoryGraphStore(), TenantGraph("default")
    for number, text in enumerate(texts):
        graph.put(store.put_document(f"d{number}", make_paragraphs(*text.split("\n"))))
    graph.regroup_entities()
    return take_community_graph(graph, (1, 1)), store


async def test_whole_sentences_stand_before_rows_and_no_two_are_alike() -> None:
    graph, store = await described(
        "Mara Ellison works at Pellworm Ferries in the north harbour.",
        "Mara Ellison works at Pellworm Ferries in the north harbour.",
        "Name | Company\nMara Ellison | Pellworm Ferries",
        "The ferries of Pellworm Ferries are painted by Dockside Colours every spring.",
    )
    groups = [Group(tuple(range(len(graph.nodes))), None, 0)]
    outlines = outline_communities(graph, groups)
    places = [each.place for each in outlines[0].candidates]
    (found,) = describe_communities(outlines, await store.evidence("default", places), 1)
    texts = [each.evidence.text for each in found.sentences]
    assert texts.count("Mara Ellison works at Pellworm Ferries in the north harbour.") == 1
    assert "The ferries of Pellworm Ferries are painted by Dockside Colours every spring." in texts
    words = {word for word, _ in found.keywords}
    assert not {"mara", "ellison"} & words
    assert {document for word, documents in found.keywords if word == "harbour" for document in documents} <= {"d0", "d1"}


async def test_a_community_graph_is_the_same_whatever_came_first() -> None:
    texts = ["Mara Ellison works at Pellworm Ferries.", "Dockside Colours paints for Pellworm Ferries and for Mara Ellison."]
    one, _ = await described(*texts)
    other, _ = await described(*reversed(texts))
    assert one.nodes == other.nodes
    assert one.weighted == other.weighted
    assert one.fingerprint(range(len(one.nodes))) == other.fingerprint(range(len(other.nodes)))


# ----------------------------------------------------------------------------------------------------------------------------------- jobs


class MemoryJobs:
    """core.ports.JobStore in a dictionary."""

    def __init__(self) -> None:
        self.kept: dict[str, JobRecord] = {}
        self.ended: defaultdict[str, asyncio.Event] = defaultdict(asyncio.Event)

    async def save(self, job: JobRecord) -> None:
        self.kept[job.id] = job
        if job.finished_at is not None:
            self.ended[job.id].set()

    async def get(self, tenant: str, job_id: str) -> JobRecord:
        if job_id not in self.kept:
            raise NotFound(job_id)
        return self.kept[job_id]

    async def list_unfinished(self) -> list[JobRecord]:
        return [each for each in self.kept.values() if each.state in ("queued", "running")]


class CountedCommunities(LibraryCommunities):
    """Communities whose refresh does what a test says."""

    def __init__(self, work: Callable[[], RefreshResult]) -> None:
        self.work, self.refreshed, self.go = work, 0, asyncio.Event()

    async def refresh(self, tenant: str) -> RefreshResult:
        self.refreshed += 1
        await self.go.wait()
        return self.work()

    async def close(self) -> None:
        return


def fail() -> RefreshResult:
    raise Unavailable("The knowledge graph is still being loaded.")


async def no_tenants() -> list[str]:
    return []


async def test_a_refresh_is_one_job_however_often_it_is_asked_for() -> None:
    jobs, counted = MemoryJobs(), CountedCommunities(lambda: RefreshResult(1, 1, 1, 0))
    refreshes = CommunityRefreshes(counted, jobs, no_tenants, None)
    first = await refreshes.queue_refresh("default")
    assert await refreshes.queue_refresh("default:eva") == first
    counted.go.set()
    await _ended(jobs, first.id)
    assert (counted.refreshed, jobs.kept[first.id].kind, jobs.kept[first.id].state) == (1, COMMUNITY_JOB, "done")
    assert (await refreshes.queue_refresh("default")).id != first.id
    await refreshes.close()


async def test_a_refresh_that_fails_says_why() -> None:
    jobs, counted = MemoryJobs(), CountedCommunities(fail)
    refreshes = CommunityRefreshes(counted, jobs, no_tenants, None)
    counted.go.set()
    record = await refreshes.queue_refresh("default")
    await _ended(jobs, record.id)
    assert (jobs.kept[record.id].state, jobs.kept[record.id].error) == ("failed", "The knowledge graph is still being loaded.")
    await refreshes.close()


async def test_what_a_killed_process_left_begins_again() -> None:
    jobs, counted = MemoryJobs(), CountedCommunities(lambda: RefreshResult(0, 0, 0, 0, "Too few."))
    left = JobRecord("left", "default", COMMUNITY_JOB, "running", "", datetime(2026, 1, 1, tzinfo=UTC))
    indexing = JobRecord("indexing", "default", "index", "running", "/docs", datetime(2026, 1, 1, tzinfo=UTC))
    jobs.kept = {"left": left, "indexing": indexing}
    counted.go.set()
    refreshes = CommunityRefreshes(counted, jobs, no_tenants, None)
    await refreshes.open()
    await _ended(jobs, "left")
    assert (jobs.kept["left"].state, jobs.kept["left"].error, jobs.kept["indexing"].state) == ("done", "Too few.", "running")
    await refreshes.close()


async def _ended(jobs: MemoryJobs, job_id: str) -> None:
    async with asyncio.timeout(5):
        await jobs.ended[job_id].wait()


async def test_leiden_without_its_package_is_an_error_at_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "graspologic_native", None)
    store = MemoryGraphStore()

    async def count(tenant: str) -> int:
        return 0

    with pytest.raises(ConfigurationError, match="leiden"):
        LibraryCommunities(GraphView(store), store, None, CommunityOptions(algorithm="leiden"), count)  # type: ignore[arg-type]


class _SlowCommunities(LibraryCommunities):
    """A refresh that goes on until it may end; how often one was begun."""

    def __init__(self) -> None:
        self.may_end, self.begun = asyncio.Event(), 0

        async def count(tenant: str) -> int:
            return 0

        store = MemoryGraphStore()
        super().__init__(GraphView(store), store, _NoCommunities(), CommunityOptions(enabled="on"), count)  # type: ignore[arg-type]

    async def refresh(self, tenant: str) -> RefreshResult:
        self.begun += 1
        await self.may_end.wait()
        return RefreshResult(0, 0, 0, 0)


class _NoCommunities:
    async def state(self, tenant: str) -> None:
        return None


async def test_who_asks_before_the_first_communities_are_found_is_told_so_and_waits_for_one_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graph.communities.library_communities._FIRST_WAIT", 0.01)
    communities = _SlowCommunities()
    for _ in range(2):
        with pytest.raises(Unavailable, match="found for the first time"):
            await communities.ensure_current("default")
    assert communities.begun == 1
    communities.may_end.set()
    await asyncio.sleep(0)
    await communities.ensure_current("default")
    await communities.close()
