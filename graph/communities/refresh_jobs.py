"""`CommunityRefreshes`: refreshes as jobs that a person begins, and by themselves when a library came to rest and at the times of the schedule."""

from __future__ import annotations

import asyncio
import logging
import time
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime

from core.communities import Community, CommunityPage, CommunityQuery, RefreshResult, SummaryCosts, ThemeSurvey
from core.errors import VantageError
from core.ownership import shared_library
from core.ports.community_store import COMMUNITY_JOB
from core.ports.stored_records import JobRecord, JobStore
from core.schedule import Schedule
from core.search import EVERYTHING, Filters
from graph.communities.library_communities import LibraryCommunities

log = logging.getLogger(__name__)
_LOOK = 4.0  # seconds between two looks at whether a graph changed; one that did not change between two has come to rest
_SHARE = 20  # refreshes by themselves take at most one part in so many of the time


class CommunityRefreshes:
    """core.ports.community_store.Communities with jobs. Call `open` once in the running event loop and `close` at the end."""

    def __init__(
        self, communities: LibraryCommunities, jobs: JobStore, tenants: Callable[[], Awaitable[list[str]]], schedule: Schedule | None
    ) -> None:
        self._communities, self._jobs, self._tenants, self._schedule = communities, jobs, tenants, schedule
        self._running: dict[str, tuple[JobRecord, asyncio.Task[None]]] = {}
        self._watch: asyncio.Task[None] | None = None
        self._seen: dict[str, tuple[int, int]] = {}
        self._rest_until: dict[str, float] = {}

    async def open(self, *, resume: bool = True) -> None:
        """Go on with the refreshes that an earlier process left unfinished, and look for changes from now on."""
        if not resume:
            return
        for record in await self._jobs.list_unfinished():
            if record.kind == COMMUNITY_JOB and record.tenant not in self._running:
                self._begin(record)
        self._watch = asyncio.create_task(self._follow(), name="communities")

    async def close(self) -> None:
        """Stop; what is not finished begins again at the next start."""
        tasks = [task for _, task in self._running.values()] + ([self._watch] if self._watch else [])
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        await self._communities.close()

    async def list_communities(
        self, tenant: str, *, level: int | None = None, text: str = "", themes: bool = False, limit: int = 50
    ) -> CommunityPage:
        return await self._communities.list_communities(tenant, level=level, text=text, themes=themes, limit=limit)

    async def survey_themes(self, tenant: str, *, limit: int, filters: Filters = EVERYTHING) -> ThemeSurvey:
        return await self._communities.survey_themes(tenant, limit=limit, filters=filters)

    async def find_communities(self, tenant: str, query: CommunityQuery) -> list[Community]:
        return await self._communities.find_communities(tenant, query)

    async def estimate_costs(self, tenant: str) -> SummaryCosts:
        return await self._communities.estimate_costs(tenant)

    async def get(self, tenant: str, community_id: str) -> Community:
        return await self._communities.get(tenant, community_id)

    async def ensure_current(self, tenant: str) -> None:
        await self._communities.ensure_current(tenant)

    async def refresh(self, tenant: str) -> RefreshResult:
        return await self._communities.refresh(tenant)

    async def queue_refresh(self, tenant: str) -> JobRecord:
        library = shared_library(tenant)
        if library in self._running:
            return self._running[library][0]
        record = JobRecord(uuid.uuid4().hex, library, COMMUNITY_JOB, "running", "", now := datetime.now(UTC), started_at=now)
        await self._jobs.save(record)
        if library in self._running:  # somebody else's began meanwhile
            await self._jobs.save(replace(record, state="cancelled", finished_at=datetime.now(UTC)))
            return self._running[library][0]
        self._begin(record)
        return record

    def _begin(self, record: JobRecord) -> None:
        self._running[record.tenant] = (record, asyncio.create_task(self._run(record)))

    async def _run(self, record: JobRecord) -> None:
        try:
            result = await self._communities.refresh(record.tenant)
        except VantageError as error:
            ended = replace(record, state="failed", error=str(error))
        except Exception as error:  # a defect ends this job with its reason, not the server's other work
            log.exception("Refreshing the communities failed.")
            ended = replace(
                record, state="failed", error=f"Refreshing the communities stopped at an unexpected error ({error!r}). Please report this."
            )
        else:
            ended = replace(record, state="done", error=result.reason or None)
        finally:
            self._running.pop(record.tenant, None)
        await self._jobs.save(replace(ended, finished_at=datetime.now(UTC)))

    # -- by itself -----------------------------------------------------------------------------------------------------------------------

    async def _follow(self) -> None:
        due = self._next_time()
        while True:
            await asyncio.sleep(_LOOK)
            scheduled = due is not None and datetime.now().astimezone() >= due
            if scheduled:
                due = self._next_time()
            await self._look_at_all(scheduled=scheduled)

    async def _look_at_all(self, *, scheduled: bool) -> None:
        try:
            for tenant in await self._tenants():
                await self._look(tenant, scheduled=scheduled)
        except VantageError as error:  # the next look tries again
            log.warning("The communities could not be refreshed: %s", error)
        except Exception:  # the loop must outlive a defect: without it nothing would be found anew until the next start
            log.exception("Refreshing the communities failed; the next change tries again.")

    def _next_time(self) -> datetime | None:
        return self._schedule.next_after(datetime.now().astimezone()) if self._schedule else None

    async def _look(self, tenant: str, *, scheduled: bool) -> None:
        """Refresh a library whose graph changed and has come to rest, not more often than a small share of the time allows."""
        version = await self._communities.version(tenant)
        rests = self._seen.get(tenant) == version
        self._seen[tenant] = version
        waits = time.monotonic() < self._rest_until.get(tenant, 0.0)
        if not await self._communities.is_due(tenant) or not (scheduled or (rests and not waits)):
            return
        began = time.monotonic()
        try:
            await self._communities.refresh(tenant)
        finally:
            self._rest_until[tenant] = time.monotonic() + max(_SHARE * (time.monotonic() - began), _LOOK)
